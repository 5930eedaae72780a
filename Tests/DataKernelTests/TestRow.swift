import DataKernel
import Foundation

/// A row that is made of values, or of what an object would have the store write.
final class TestRow: Row {
    private let values: [StoredValue]

    init(_ values: [StoredValue]) {
        self.values = values
        super.init()
    }

    convenience init<E: Entity>(of object: E) throws {
        let binder = ValueBinder()
        for attribute in E.entity.attributes.indices { try object.kernelBind(attribute, to: binder) }
        self.init(binder.values)
    }

    private func value(at attribute: Int) throws -> StoredValue {
        lastRead = attribute
        guard values.indices.contains(attribute) else { throw ValueIssue("is in no column") }
        return values[attribute]
    }

    override func isNull(_ attribute: Int) -> Bool { (try? value(at: attribute))?.isNull ?? true }
    override func integer(_ attribute: Int) throws -> Int64 {
        guard case .integer(let value) = try value(at: attribute) else { throw ValueIssue("holds no integer") }
        return value
    }
    override func real(_ attribute: Int) throws -> Double {
        guard case .real(let value) = try value(at: attribute) else { throw ValueIssue("holds no real number") }
        return value
    }
    override func text(_ attribute: Int) throws -> String {
        guard case .text(let value) = try value(at: attribute) else { throw ValueIssue("holds no text") }
        return value
    }
    override func blob(_ attribute: Int) throws -> Data {
        guard case .blob(let value) = try value(at: attribute) else { throw ValueIssue("holds no data") }
        return value
    }
}

/// What the store would be given for an object.
func boundValues<E: Entity>(_ object: E) throws -> [StoredValue] {
    let binder = ValueBinder()
    for attribute in E.entity.attributes.indices { try object.kernelBind(attribute, to: binder) }
    return binder.values
}
