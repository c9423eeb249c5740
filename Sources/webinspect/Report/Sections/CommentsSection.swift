import WebLoader

extension PageComment {
    /// Returns a text as in "5 comments: 1 conditional"; `nil` if there are no comments.
    static func text(_ comments: [PageComment]) -> String? {
        guard let count = Wording.count(comments.count, "comment") else { return nil }
        let conditional = comments.count { $0.condition != nil }
        return conditional > 0 ? "\(count): \(conditional) conditional" : count
    }
}
