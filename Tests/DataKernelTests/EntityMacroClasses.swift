import DataKernel
import Foundation

// The classes that EntityMacroTests looks at: one for each way in which a class can be written.

@Entity(unique: [["mark", "year"]], indexes: [["year", "mark"]])
final class MacroCar {
    @Attribute(.primaryKey) var model = ""
    @Attribute(.indexed, originalName: "brand") var mark: String?
    var year = 0
    @Transient var badge: String? = "new"
    var title: String { "\(mark ?? "?") \(model)" }
    static let made = 0
}
