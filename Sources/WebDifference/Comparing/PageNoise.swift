public import WebDocument

extension PageDifference {
    /// The parts of a page that differ from load to load, learned from two loads of it at about the same time.
    ///
    ///     var options = PageDifference.Options()
    ///     options.noise = try PageDifference.Noise(of: new, again: sameURLAgain)
    ///     let difference = try PageDifference(from: old, to: new, options: options)
    ///
    /// It applies to comparisons whose new page is the same object that it was learned from.
    public struct Noise: Sendable {
        /// A text or value of an element of the page.
        private struct Entry {
            let name: String
            let text: String
            /// The byte ranges of `text` that differed in the second load.
            let ranges: [Range<Int>]
        }

        /// The entries by the element's address.
        private var entries: [UInt: [Entry]] = [:]

        /// The paths of the elements that only one of the loads had, or had in another place.
        private var paths: Set<String> = []

        /// The number of differences between the two loads.
        public let count: Int

        /// Compares two loads of a page.
        ///
        /// - Parameters:
        ///   - page: The page that will be compared as the new one.
        ///   - again: The same URL, loaded again.
        ///   - options: The options of the later comparison.
        /// - Throws: ``/WebDocument/SelectorError`` if a selector of ``Options/ignoredSelectors`` takes too many steps.
        public init(
            of page: ParsedPage,
            again: ParsedPage,
            options: Options = Options()
        ) throws(SelectorError) {
            var options = options
            options.noise = nil
            options.keepsHidden = false
            let pages = try ComparedPages(page, again, options)
            count = pages.found.count
            var (paths, others) = (NodePath(), NodePath())
            for change in pages.found {
                if change.operation == .changed, change.old.element >= 0, let text = change.old.text {
                    let marks = TextMarks(Array(text.utf8), Array((change.new.text ?? "").utf8))
                    let address = pages.old.tree.items[Int(change.old.element)].address
                    entries[address, default: []].append(
                        Entry(name: change.name, text: text, ranges: marks.gaps.map(\.old))
                    )
                    continue
                }
                for key in [
                    pages.path(change, .old, &paths), pages.path(change, .new, &others),
                ].compactMap({ $0 }) { self.paths.insert(key) }
            }
        }

        /// Whether a change is part of the noise.
        func covers(
            _ change: FoundChange,
            _ pages: ComparedPages,
            _ paths: inout (NodePath, NodePath)
        ) -> Bool {
            guard change.operation == .changed else {
                return [pages.path(change, .old, &paths.0), pages.path(change, .new, &paths.1)]
                    .compactMap { $0 }.contains { self.paths.contains($0) }
            }
            guard change.new.element >= 0, let text = change.new.text else { return false }
            let address = pages.new.tree.items[Int(change.new.element)].address
            guard let entry = entries[address]?.first(where: { $0.name == change.name && $0.text == text })
            else { return false }
            let marks = TextMarks(Array((change.old.text ?? "").utf8), Array(text.utf8))
            return marks.gaps.allSatisfy { gap in
                entry.ranges.contains {
                    $0.lowerBound <= gap.new.lowerBound && gap.new.upperBound <= $0.upperBound
                }
            }
        }
    }
}

extension ComparedPages {
    enum Direction { case old, new }

    /// The key of a change's place: its path and the part of the element; `nil` if it has no path.
    fileprivate func path(
        _ change: FoundChange,
        _ direction: Direction,
        _ paths: inout NodePath
    ) -> String? {
        let (side, place) = direction == .old ? (old, change.old) : (new, change.new)
        guard place.element >= 0, place.text != nil, let document = side.document,
            let path = paths.css(Node(address: side.tree.items[Int(place.element)].address, in: document))
        else { return nil }
        return "\(change.name) \(path)"
    }
}
