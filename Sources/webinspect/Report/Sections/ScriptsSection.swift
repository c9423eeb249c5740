import WebLoader

extension PageScript {
    /// docs/json-report.md describes it to users, as all sections.
    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("kind", .string(kind.rawValue))]
        members.add(url: url, of: reference)
        members.add("inline_bytes", inlineSize)
        members.add("type", type)
        members.add("async", if: isAsync)
        members.add("defer", if: isDeferred)
        members.add("nomodule", if: isNoModule)
        members.add("blocks_parsing", if: blocksParsing)
        members.add("integrity", integrity)
        members.add("cross_origin", crossOrigin?.rawValue)
        members.add("nonce", nonce)
        members.add("referrer_policy", referrerPolicy)
        members.add("inert", if: isInert)
        return .object(members + JSONValue.members(position))
    }

    /// As in "8 external (3 block parsing, 1 with integrity), 4 inline (12.3 KB), 1 with data"; nil for none.
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
