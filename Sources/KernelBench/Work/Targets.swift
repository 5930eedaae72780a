/// How much longer than the control each workload may take.
enum Targets {
    static let all: [String: Double] = [
        "W1": 1.4, "W2": 1.2, "W3": 1.5, "W4": 2.2, "W4a": 1.8, "W5": 1.15, "W6": 1.8, "W7": 1.1, "W8": 1.05,
        // Two fetches into objects, like W2, but of rows with half the columns, so that what an object costs beside its
        // values weighs twice as much. Each touch goes through an accessor and finds its target by row.
        "W9": 1.8,
        // Five statements without values are most of both sides; the kernel makes a context for each unit, reads the
        // object again, and tells the context around it what was saved.
        "W10": 2.0,
        // A unit is a context and two tables of its own beside the transaction, which writes one row only.
        "W11": 1.8,
        // The kernel has to find out which of 100,000 saved rows it holds, which costs little beside reading the 100 from a
        // store that has just changed. The rest is for noise: one merge is a quarter of a millisecond.
        "W12": 1.5,
        // No objects, no identity: what is left is checking each column's type and going through the contract.
        "W13": 1.2,
        // Beside running the same DDL the kernel makes and checks the model, and opens the main actor's connection.
        "W14": 1.5,
        // Reading the store's tables is the same for both; the kernel makes and compares the model, takes the locks
        // that keep foreign files out, and opens the main actor's connection.
        "W14a": 2.5,
    ]

    /// What `--check` leaves out in a short run: too little work to be told from noise at 20,000 rows.
    static let tooShort: [String: String] = [
        "W7": "a wipe of 20,000 rows is a millisecond, most of it the commit's file operations",
        "W12": "the merge takes a few tenths of a millisecond, which one interruption doubles",
    ]
}

/// A figure that may not be more than a number.
struct Figure: Encodable, Equatable {
    let name: String
    let title: String
    let value: Double
    let unit: String
    /// nil for a figure that is only told.
    let target: Double?

    /// What `--check` has to say of it, nil if it is good enough.
    func complaint(_ factor: Double) -> String? {
        // Not `value > …`: what is no number at all is not good.
        guard let target, !(value <= target * factor) else { return nil }
        return "\(name) (\(title)): \(value.rounded(to: 2)) is more than \(factor) times its target of \(target)"
    }
}

extension Double {
    func rounded(to digits: Int) -> Double {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        return (self * scale).rounded() / scale
    }
}

/// Names what is worse than it may be.
enum Check {
    static func complaints(_ figures: [Figure], factor: Double, isShort: Bool) -> [String] {
        figures.filter { !isShort || Targets.tooShort[$0.name] == nil }.compactMap { $0.complaint(factor) }
    }
}
