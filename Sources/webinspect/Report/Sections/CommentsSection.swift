import WebLoader

extension PageComment {
    /// docs/json-report.md describes it to users, as all sections.
    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("text", .string(text))]
        members.add("condition", condition)
        return .object(members + JSONValue.members(position))
    }

    /// As in "5 comments: 1 conditional"; nil for none.
    static func text(_ comments: [PageComment]) -> String? {
        guard let count = Wording.count(comments.count, "comment") else { return nil }
        let conditional = comments.count { $0.condition != nil }
        return conditional > 0 ? "\(count): \(conditional) conditional" : count
    }
}
