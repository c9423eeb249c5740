import WebLoader

extension PageComment {
    /// As in "5 comments: 1 conditional"; nil for none.
    static func text(_ comments: [PageComment]) -> String? {
        guard let count = Wording.count(comments.count, "comment") else { return nil }
        let conditional = comments.count { $0.condition != nil }
        return conditional > 0 ? "\(count): \(conditional) conditional" : count
    }
}
