import WebLoader

extension PageFrame {
    /// Returns a text as in "2 frames: 1 sandboxed, 1 without title"; `nil` if there are no frames.
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
