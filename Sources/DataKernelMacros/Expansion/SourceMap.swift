/// Tells which byte of a file a byte of a source piece is, and makes the diagnostics.
struct SourceMap {
    let lexer: Lexer
    private let fileName: String
    private let offset: Int

    init(_ piece: SourcePiece) {
        lexer = Lexer(piece.text)
        fileName = piece.fileName
        offset = piece.offset
    }

    func diagnostic(_ range: Range<Int>, _ message: String) -> Diagnostic {
        Diagnostic(message: message, fileName: fileName, offset: offset + range.lowerBound)
    }
}
