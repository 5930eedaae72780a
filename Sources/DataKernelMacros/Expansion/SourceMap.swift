/// Tells which byte of a file a byte of a source piece is, and keeps what has been said of it.
final class SourceMap {
    let lexer: Lexer
    private(set) var diagnostics: [Diagnostic] = []
    private let fileName: String
    private let offset: Int

    init(_ piece: SourcePiece) {
        lexer = Lexer(piece.text)
        fileName = piece.fileName
        offset = piece.offset
    }

    /// Says what is wrong at a token. Answers false, as the checks do that say something.
    @inline(never)
    @discardableResult
    func refuse(_ range: Range<Int>, _ message: String) -> Bool {
        diagnostics.append(Diagnostic(message: message, fileName: fileName, offset: offset + range.lowerBound))
        return false
    }
}
