/// One line on the terminal, drawn anew now and then: how many so far, how many a second.
struct Progress {
    private let console: Console
    private let began = ContinuousClock.now
    private var drawn: ContinuousClock.Instant?

    init(_ console: Console) { self.console = console }

    /// Draws the line, at most ten times a second.
    mutating func show(_ count: Int, _ what: String) {
        guard console.showsProgress else { return }
        let now = ContinuousClock.now
        if let drawn, now - drawn < .milliseconds(100) { return }
        drawn = now
        let rate = Double(count) / max((now - began) / .seconds(1), 0.001)
        console.writeError("\r\u{1B}[K\(count) \(what), \(Int(rate)) a second")
    }

    /// Takes the line away.
    mutating func clear() {
        guard drawn != nil else { return }
        drawn = nil
        console.writeError("\r\u{1B}[K")
    }
}
