import WebLoader

extension PageScript {
    /// Returns a text as in "8 external (3 block parsing, 1 with integrity), 4 inline (12.3 KB), 1 with
    /// data"; `nil` if there are no scripts.
    static func text(_ scripts: [PageScript]) -> String? {
        let running = scripts.filter { $0.kind != .data }
        let external = running.filter { $0.reference != nil }
        let blocking = external.count { $0.blocksParsing }
        let details = Wording.list([
            Wording.count(blocking, "blocks parsing", "block parsing"),
            Wording.count(external.count { $0.integrity != nil }, "with integrity", "with integrity"),
        ])
        let inline = running.compactMap(\.inlineSize)
        return Wording.list([
            Wording.count(external.count, "external", "external").map { count in
                count + (details.map { " (\($0))" } ?? "")
            },
            Wording.count(inline.count, "inline", "inline").map {
                "\($0) (\(TerminalText.bytes(inline.reduce(0, +))))"
            },
            Wording.count(scripts.count - running.count, "with data", "with data"),
        ])
    }
}
