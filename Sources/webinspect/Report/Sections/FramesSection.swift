import WebLoader

extension PageFrame {
    /// docs/json-report.md describes it to users, as all sections.
    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("element", .string(element))]
        members.add(url: url, of: reference)
        members.add("srcdoc_bytes", sourceDocumentSize)
        if let sandbox { members.append(.init("sandbox", .array(sandbox.map(JSONValue.string)))) }
        members.add("allow", allow)
        if loading == .lazy { members.add("loading", loading.rawValue) }
        members.add("title", title)
        members.add("name", name)
        members.add("referrer_policy", referrerPolicy)
        members.add("inert", if: isInert)
        return .object(members + JSONValue.members(position))
    }

    /// As in "2 frames: 1 sandboxed, 1 without title"; nil for none.
    static func text(_ frames: [PageFrame]) -> String? {
        guard let count = Wording.count(frames.count, "frame") else { return nil }
        let details = Wording.list([
            Wording.count(frames.count { $0.sandbox != nil }, "sandboxed", "sandboxed"),
            Wording.count(frames.count { $0.title == nil }, "without title", "without title"),
            Wording.count(frames.count { $0.loading == .lazy }, "lazy", "lazy"),
        ])
        return details.map { "\(count): \($0)" } ?? count
    }
}
