// What users see of the lower layers comes with `import DataKernel`: values, descriptions, errors.
@_exported public import KernelSQL
