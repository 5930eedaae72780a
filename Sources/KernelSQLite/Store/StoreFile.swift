internal import Foundation
internal import KernelSQL

/// A store's file and its side files.
package enum StoreFile {
    /// "DtKn": what `application_id` is in the kernel's files.
    package static let applicationID: Int32 = 0x4474_4B6E
    /// What `user_version` is in files of this version of the kernel.
    package static let formatVersion: Int32 = 1

    static let turnSuffix = "-next"
}
