import WebLoader

extension PageImage {
    /// Returns a text as in "12 images: 3 without alt, 2 lazy, 4 without a size"; `nil` if there are no
    /// images.
    static func text(_ images: [PageImage]) -> String? {
        guard let count = Wording.count(images.count, "image") else { return nil }
        let details = Wording.list([
            Wording.count(images.count { $0.alternativeText == nil }, "without alt", "without alt"),
            Wording.count(images.count { $0.alternativeText == "" }, "decorative", "decorative"),
            Wording.count(images.count { $0.loading == .lazy }, "lazy", "lazy"),
            Wording.count(
                images.count { $0.declaredWidth == nil || $0.declaredHeight == nil },
                "without a size",
                "without a size"
            ),
            Wording.count(images.count { !$0.sources.isEmpty }, "responsive", "responsive"),
            Wording.count(images.count { $0.header != nil }, "with known format", "with known format"),
        ])
        return details.map { "\(count): \($0)" } ?? count
    }
}
