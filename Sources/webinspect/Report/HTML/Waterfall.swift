import WebLoader

/// The way of a page over the network: a bar for each phase of each hop, to scale.
struct Waterfall {
    private struct Bar {
        let name: String
        let style: String
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
            for (name, style, end) in [
                ("name lookup", "connecting", timing.nameLookup), ("connect", "connecting", timing.connect),
                ("TLS", "connecting", timing.tls), ("waiting", "waiting", timing.firstByte),
                ("receiving", "receiving", timing.total),
            ] {
                guard let end = end?.inSeconds, end > start else { continue }
                let name = hops.count > 1 ? "\(status) \(name)" : name
                bars.append(Bar(name: name, style: style, start: offset + start, end: offset + end))
                start = end
            }
            offset += start
        }
        guard !bars.isEmpty, offset > 0, offset.isFinite else { return nil }
        self.bars = bars
    }

    func write(into html: inout HTMLBuilder) {
        let total = bars[bars.count - 1].end
        html.element("p", "\(Self.time(total)) from the first request to the last byte:")
        html.markup("<ol class=waterfall>")
        for bar in bars {
            html.open("li")
            html.element("span", bar.name)
            html.open("span", ["class": "track"])
            let start = Self.percent(bar.start, of: total)
            let width = Self.percent(bar.end - bar.start, of: total)
            let place = "margin-inline-start:\(start);width:\(width)"
            html.element("span", ["class": bar.style, "style": place], "")
            html.close("span")
            html.element("span", ["class": "number"], Self.time(bar.end - bar.start))
            html.close("li")
        }
        html.markup("</ol>")
    }

    private static func time(_ seconds: Double) -> String {
        TerminalText.milliseconds(Duration(boundedSeconds: seconds))
    }

    /// A part of a whole as CSS writes it, as in "12.3%".
    static func percent(_ part: Double, of whole: Double) -> String {
        "\((part / whole * 1000).rounded() / 10)%"
    }
}
