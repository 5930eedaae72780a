/// The ratios as a bar chart: one bar a workload, a line where the control is, a mark where the target is.
struct Chart {
    let figures: [Figure]

    private static let left = 390.0
    private static let width = 920.0
    private static let row = 26.0
    private static let top = 54.0
    /// A bar longer than this is cut, so that one bad ratio does not make all others unreadable.
    private static let longest = 4.0

    private var height: Double { Chart.top + Double(figures.count) * Chart.row + 34 }
    private var most: Double {
        min(Chart.longest, max(2, figures.map { max($0.value, $0.target ?? 0) }.max() ?? 2) * 1.05)
    }
    private var scale: Double { (Chart.width - Chart.left - 70) / most }

    private func x(_ ratio: Double) -> Double { (Chart.left + min(max(ratio, 0), most) * scale).rounded(to: 1) }

    var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Chart.width.text) \(height.text)" role="img" \
        aria-label="Time of each workload as a ratio to the C library called directly">
        <style>
        text { font: 13px system-ui, sans-serif; fill: #24292f }
        .title { font-weight: 600; font-size: 15px }
        .small { font-size: 11px }
        .bar { fill: #2f81f7 }
        .over { fill: #d4620f }
        .line { stroke: #57606a; stroke-dasharray: 3 3 }
        .mark { stroke: #24292f; stroke-width: 2.5 }
        @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3 }
        .bar { fill: #539bf5 }
        .over { fill: #f0883e }
        .line { stroke: #8b949e }
        .mark { stroke: #e6edf3 }
        }
        </style>
        <text class="title" x="12" y="22">Time compared with the C library called directly</text>
        <text class="small" x="12" y="40">shorter is better; dashed: as fast as C; upright mark: the target</text>
        \(figures.enumerated().map(bar).joined(separator: "\n"))
        \(axis)
        </svg>

        """
    }

    private func bar(_ index: Int, _ figure: Figure) -> String {
        let y = Chart.top + Double(index) * Chart.row
        let middle = y + 15
        let isOver = figure.target.map { figure.value > $0 } ?? false
        let cut = figure.value > most ? " →" : ""
        let end = x(figure.value)
        let labelX = max(end, figure.target.map(x) ?? 0) + 6
        var lines = [
            "<text x=\"12\" y=\"\(middle.text)\">\(escaped(figure.name))</text>",
            "<text x=\"58\" y=\"\(middle.text)\">\(escaped(figure.title))</text>",
            "<rect class=\"\(isOver ? "over" : "bar")\" x=\"\(Chart.left.text)\" y=\"\((y + 3).text)\" "
                + "width=\"\((end - Chart.left).rounded(to: 1).text)\" height=\"16\" rx=\"2\"/>",
            "<text x=\"\(labelX.rounded(to: 1).text)\" y=\"\(middle.text)\">\(figure.value.rounded(to: 2).text)\(cut)</text>",
        ]
        if let target = figure.target {
            lines.append(
                "<line class=\"mark\" x1=\"\(x(target).text)\" x2=\"\(x(target).text)\" y1=\"\((y + 1).text)\" "
                    + "y2=\"\((y + 21).text)\"/>")
        }
        return lines.joined(separator: "\n")
    }

    private var axis: String {
        let bottom = Chart.top + Double(figures.count) * Chart.row
        let ticks = stride(from: 0, through: Int(most), by: 1).map { number in
            "<text class=\"small\" text-anchor=\"middle\" x=\"\(x(Double(number)).text)\" "
                + "y=\"\((bottom + 18).text)\">\(number)</text>"
        }
        let control =
            "<line class=\"line\" x1=\"\(x(1).text)\" x2=\"\(x(1).text)\" y1=\"\((Chart.top - 4).text)\" "
            + "y2=\"\((bottom + 4).text)\"/>"
        return ([control] + ticks).joined(separator: "\n")
    }

    private func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}

extension Double {
    /// Without ".0" behind whole numbers.
    fileprivate var text: String {
        let text = "\(self)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
