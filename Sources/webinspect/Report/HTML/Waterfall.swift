import WebLoader

/// The way of a page over the network, drawn as SVG: a bar for each phase of each hop, to scale.
struct Waterfall {
    private struct Bar {
        let name: String
        let start: Double
        let end: Double
    }

    private let bars: [Bar]

    /// Nothing is drawn of what did not come over the network.
    init?(_ response: WebResponse) {
        var bars: [Bar] = []
        var offset = 0.0
        let hops =
            response.redirects.map { ($0.status.code, $0.timing) } + [
                (response.status?.code ?? 0, response.timing)
            ]
        for (status, timing) in hops {
            var start = 0.0
            for (name, end) in [
                ("name lookup", timing.nameLookup), ("connect", timing.connect), ("TLS", timing.tls),
                ("waiting", timing.firstByte), ("receiving", timing.total),
            ] {
                guard let end = end?.inSeconds, end > start else { continue }
                bars.append(Bar(name: "\(status) \(name)", start: offset + start, end: offset + end))
                start = end
            }
            offset += start
        }
        guard !bars.isEmpty, offset > 0, offset.isFinite else { return nil }
        self.bars = bars
    }

    func write(into html: inout HTMLBuilder) {
        let total = bars[bars.count - 1].end
        let height = bars.count * 20 + 4
        html.open(
            "svg",
            [
                "viewBox": "0 0 640 \(height)", "width": "640", "height": "\(height)", "role": "img",
                "aria-label":
                    "\(TerminalText.milliseconds(Duration(boundedSeconds: total))) from the first request to the last byte",
            ]
        )
        for (row, bar) in bars.enumerated() {
            let top = row * 20
            let x = 180 + bar.start / total * 360
            let width = max(1, (bar.end - bar.start) / total * 360)
            html.element("text", ["x": "0", "y": "\(top + 14)"], bar.name)
            html.element(
                "rect",
                [
                    "class": "bar", "x": Self.number(x), "y": "\(top + 4)", "width": Self.number(width),
                    "height": "12",
                ],
                ""
            )
            html.element(
                "text",
                ["x": Self.number(x + width + 4), "y": "\(top + 14)"],
                TerminalText.milliseconds(Duration(boundedSeconds: bar.end - bar.start))
            )
        }
        html.close("svg")
    }

    private static func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
