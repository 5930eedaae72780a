import Testing

@testable import DataKernelMacros

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("The compiler's protocol")
struct ProtocolTests {
    private func ask(_ message: String) -> JSONValue? {
        var server = MacroServer()
        return JSONReader.value(of: server.answer(Array(message.utf8)))
    }

    @Test("answers what it can do, first and later")
    func capability() {
        var server = MacroServer()
        let question = Array(#"{"getCapability":{"capability":{"protocolVersion":7}}}"#.utf8)
        for _ in 0..<2 {
            let answer = JSONReader.value(of: server.answer(question))
            #expect(answer?["getCapabilityResult"]["capability"]["protocolVersion"].number == 7)
        }
    }

    @Test("expands a message as the compiler writes it")
    func expansion() {
        let answer = ask(
            #"""
            {"expandAttachedMacro":{"macro":{"moduleName":"DataKernelMacros","name":"Entity ","typeName":"Entity"},
            "macroRole":"extension","discriminator":"$s","lexicalContext":[],"staticBuildConfiguration":"{\"a\":[1.5,-2]}",
            "attributeSyntax":{"kind":"attribute","source":"\n@Entity","location":{"fileID":"M/F.swift","fileName":"/F.swift","line":1,"column":1,"offset":9}},
            "declSyntax":{"kind":"declaration","source":"\n@Entity\nfinal class A { var \u0061 = \"\ud83d\ude97\" }","location":{"fileID":"M/F.swift","fileName":"/F.swift","line":1,"column":1,"offset":9}},
            "extendedTypeSyntax":{"kind":"type","source":"M.A ","location":null},
            "conformanceListSyntax":{"kind":"declaration","source":"struct Placeholder: DataKernel.Entity, ObservableEntity {}"}}}
            """#)
        #expect(answer?["expandMacroResult"]["expandedSource"].string == "extension M.A: DataKernel.Entity {}")
        #expect(answer?["expandMacroResult"]["diagnostics"] == .array([]))
    }

    @Test(
        "answers anything else with an error",
        arguments: [
            #"{"expandFreestandingMacro":{}}"#, #"{"loadPluginLibrary":{"libraryPath":"/x"}}"#, "{}", "[]", "null", "",
            "garbage", #"{"expandAttachedMacro":{}}"#, #"{"expandAttachedMacro":null}"#, "{\"a\":\"\\ud800\"}",
            #"{"expandAttachedMacro":{"macro":{"typeName":"Other"},"macroRole":"member","attributeSyntax":{"source":""},"declSyntax":{"source":""}}}"#,
            #"{"expandAttachedMacro":{"macro":{"typeName":"Entity"},"macroRole":"peer","attributeSyntax":{"source":""},"declSyntax":{"source":""}}}"#,
        ])
    func unknown(message: String) throws {
        let diagnostics = try #require(ask(message)?["expandMacroResult"]["diagnostics"].array)
        #expect(diagnostics.count == 1)
        #expect(diagnostics.first?["severity"].string == "error")
        #expect(diagnostics.first?["message"].string?.isEmpty == false)
    }

    @Test("JSON comes back as it went in")
    func json() {
        let value = JSONValue.object(
            ["a", "ü\"\\\n\u{1}\u{7F}🚗", "", "b"],
            [
                .array([.null, .bool(true), .bool(false), .number(-5), .number(.max), .number(.min)]),
                .string("\u{0}\t\r\u{8}\u{C}/é\u{2028}\u{1F}"), .object([], []), .array([]),
            ])
        #expect(JSONReader.value(of: value.encoded) == value)
        #expect(
            JSONReader.value(of: Array(#" { "a" : [ 1 , "\/\b\f" ] } "#.utf8))
                == .object(["a"], [.array([.number(1), .string("/\u{8}\u{C}")])]))
        #expect(JSONReader.value(of: Array(#""\ud83d\u0041\udc00""#.utf8)) == .string("\u{FFFD}A\u{FFFD}"))
        #expect(
            JSONReader.value(of: Array("[1.9, -1.9, 2.5e3, 0, -0, 1E-2, 12345678901.5]".utf8))
                == .array([1, -1, 2500, 0, 0, 0, 12_345_678_901].map(JSONValue.number)))
        for bad in [
            "{", "[1,]", "{\"a\"}", "\"\\x\"", "\"\\u12\"", "tru", "1 2", "1e999", "nul", "\"", "--1", "-",
            "9223372036854775808",
        ] {
            #expect(JSONReader.value(of: Array(bad.utf8)) == nil, "\(bad)")
        }
        #expect(JSONReader.value(of: Array(String(repeating: "[", count: 100_000).utf8)) == nil)
    }

    @Test("messages are framed by eight bytes of length, and end with the stream")
    func framing() throws {
        let (reader, writer) = try makePipe()
        let out = MessageChannel(input: -1, output: writer)
        #expect(out.send([]))
        #expect(out.send(Array("é".utf8)))
        #expect(out.send([UInt8](repeating: 7, count: 300)))
        #expect(put([3, 0, 0, 0, 0, 0, 0, 0, 1, 2], to: writer))
        close(writer)
        let channel = MessageChannel(input: reader, output: -1)
        #expect(channel.receive() == [])
        #expect(channel.receive() == Array("é".utf8))
        #expect(channel.receive() == [UInt8](repeating: 7, count: 300))
        #expect(channel.receive() == nil)
        #expect(channel.receive() == nil)
        close(reader)
        #expect(!channel.send([1]))
    }

    @Test(
        "a length that no compiler sends ends the conversation",
        arguments: [[UInt8]](
            [
                [255, 255, 255, 255, 255, 255, 255, 255], [0, 0, 0, 0, 0, 0, 0, 128], [1, 0, 0, 64, 0, 0, 0, 0],
                [1, 2, 3],
            ]))
    func nonsenseLength(header: [UInt8]) throws {
        let (reader, writer) = try makePipe()
        #expect(put(header, to: writer))
        close(writer)
        #expect(MessageChannel(input: reader, output: -1).receive() == nil)
        close(reader)
    }

    private func put(_ bytes: [UInt8], to file: Int32) -> Bool {
        bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == bytes.count
    }

    private func makePipe() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }
}
