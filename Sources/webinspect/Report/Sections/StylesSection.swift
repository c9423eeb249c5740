import WebLoader

extension PageStylesheet {
    /// docs/json-report.md describes it to users, as all sections.
    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("element", .string(element))]
        members.add(url: url, of: reference)
        members.add("inline_bytes", inlineSize)
        members.add("media", media)
        members.add("type", type)
        members.add("title", title)
        members.add("alternate", if: isAlternate)
        members.add("disabled", if: isDisabled)
        members.add("integrity", integrity)
        members.add("cross_origin", crossOrigin?.rawValue)
        members.add("nonce", nonce)
        members.add("inert", if: isInert)
        return .object(members + JSONValue.members(position))
    }

    /// As in "2 external, 1 inline (1.2 KB)"; nil for none.
    static func text(_ styles: [PageStylesheet]) -> String? {
        let inline = styles.compactMap(\.inlineSize)
        return Wording.list([
            Wording.count(styles.count - inline.count, "external", "external"),
            Wording.count(inline.count, "inline", "inline").map {
                "\($0) (\(TerminalText.bytes(inline.reduce(0, +))))"
            },
        ])
    }
}
