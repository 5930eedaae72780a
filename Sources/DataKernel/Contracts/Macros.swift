public import KernelSQL

/// Makes a class an entity: its stored properties become attributes, it conforms to ``Entity``, and the store
/// gets a table of the class's name with a column for each attribute.
///
/// ```swift
/// @Entity(unique: [["mark", "number"]], indexes: [["mark", "price"]])
/// final class Car {
///     @Attribute(.primaryKey) var model = ""
///     var mark: String?
///     var number = 0
///     var price: Decimal = 0
///     @Transient var badge: String?
/// }
/// ```
/// ```sql
/// CREATE TABLE "Car" ("_id" INTEGER PRIMARY KEY, "model" TEXT NOT NULL, "mark" TEXT, "number" INTEGER NOT NULL, "price" TEXT NOT NULL)
/// ```
///
/// - Parameters:
///   - name: The entity's and its table's name, if it is not the class's.
///   - unique: Groups of attributes whose values together no two rows share.
///   - indexes: Groups of attributes that get an index together, in this order.
///   - observable: Whether objects work with `withObservationTracking` and SwiftUI. Costs about 60 ns an access.
@attached(
    member, names: named(KernelValues), named(kernelValues), named(kernelState), named(entity), named(pk), named(init),
    named(kernelLoad), named(kernelTakeKey), named(kernelBind), named(kernelChanges), named(kernelRevert),
    named(kernelTrack),
    named(kernelWillChange), named(kernelDidChange), named(kernelObservation))
@attached(memberAttribute)
@attached(extension, conformances: Entity, ObservableEntity)
public macro Entity(
    _ name: String? = nil, unique: [[String]] = [], indexes: [[String]] = [], observable: Bool = false
) = #externalMacro(module: "DataKernelMacros", type: "Entity")

/// Says what is special about an attribute: `@Attribute(.primaryKey)`, `.unique`, `.indexed`, or under which name
/// earlier versions of the model knew it.
@attached(peer)
public macro Attribute(_ options: AttributeOption..., originalName: String? = nil) =
    #externalMacro(module: "DataKernelMacros", type: "Attribute")

/// Keeps a property out of the store. It behaves as without `@Entity`.
@attached(peer)
public macro Transient() = #externalMacro(module: "DataKernelMacros", type: "Transient")

/// What `@Entity` puts on each stored property. Not for use by hand.
@attached(accessor, names: named(get), named(set))
public macro _KernelAttribute() = #externalMacro(module: "DataKernelMacros", type: "KernelAttribute")

/// What `@Entity(observable: true)` puts on each stored property. Not for use by hand.
@attached(accessor, names: named(get), named(set))
public macro _KernelObservedAttribute() = #externalMacro(module: "DataKernelMacros", type: "KernelObservedAttribute")
