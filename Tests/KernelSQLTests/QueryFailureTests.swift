import Foundation
import KernelSQL
import Testing

@Suite("What is wrong with a request")
struct QueryFailureTests {
    private func suggestion(_ name: String) -> String? {
        guard case .unknownAttribute(_, _, let suggestion) = QueryFailure.unknownAttribute(name).error(in: part) else {
            return nil
        }
        return suggestion
    }

    @Test("a misspelt attribute gets the nearest name suggested")
    func suggestions() {
        #expect(suggestion("nmae") == "name")
        #expect(suggestion("Price") == "price")
        #expect(suggestion("wieght") == "weight")
        #expect(suggestion("makers") == "maker")
    }

    @Test("a name like none gets none")
    func noSuggestion() {
        #expect(suggestion("colour") == nil)
        #expect(suggestion("") == nil)
    }
}

@Suite("What a storage class can hold")
struct StorageClassTests {
    @Test("each class holds its own kind and never nil")
    func kinds() {
        #expect(StorageClass.integer.canHold(.integer(1)))
        #expect(!StorageClass.integer.canHold(.real(1)))
        #expect(StorageClass.real.canHold(.real(1)))
        #expect(!StorageClass.real.canHold(.integer(1)))
        #expect(StorageClass.text.canHold(.text("")))
        #expect(!StorageClass.blob.canHold(.text("")))
        #expect(StorageClass.decimal.canHold(.text("-12.50")))
        #expect(!StorageClass.decimal.canHold(.text("12 cars")))
        for storageClass in [StorageClass.integer, .real, .text, .blob, .decimal, .json] {
            #expect(!storageClass.canHold(.null))
        }
    }

    @Test("a value is converted only where nothing about it changes")
    func conversions() {
        #expect(StorageClass.real.converting(.integer(3), of: .integer) == .real(3))
        #expect(StorageClass.real.converting(.integer(Int64(1) << 53 + 1), of: .integer) == nil)
        #expect(StorageClass.decimal.converting(.integer(3), of: .integer) == .text("3"))
        #expect(StorageClass.decimal.converting(.real(0.1), of: .real) == .text("0.1"))
        #expect(StorageClass.decimal.converting(.real(1e300), of: .real) == nil)
        #expect(StorageClass.decimal.converting(.text("1.50"), of: .text) == .text("1.5"))
        #expect(StorageClass.decimal.converting(.text("abc"), of: .text) == nil)
        #expect(StorageClass.json.converting(.text("a"), of: .text) == nil)
        #expect(StorageClass.text.converting(.text("[]"), of: .json) == nil)
        #expect(StorageClass.integer.converting(.real(3), of: .real) == nil)
        #expect(StorageClass.integer.converting(.null, of: .real) == .null)
    }
}
