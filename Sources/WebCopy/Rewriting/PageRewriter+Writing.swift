import WebDocument
import WebStandards

extension PageRewriter {
    /// The maximum size of all frames in a page in bytes, besides twice that of the page.
    private static let largestFrames = 32 << 20

    /// Returns the page with each reference replaced.
    ///
    /// - Parameters:
    ///   - head: Markup for the start of the head: XHTML for such a page; omitted from other XML.
    ///   - marks: The marks to add.
    ///   - selectors: How the selectors of its style sheets are written.
    ///   - tested: The attributes that the selectors of other style sheets test (``SelectorWriting/tested(by:)``).
    ///   - decide: Returns the replacement of a reference; it is called in the order of ``references``.
    /// - Returns: The page, and what was changed.
    /// - Complexity: O(n log n) in the size of the page.
    package func rewritten(
        head: String = "",
        marks: PageMarks = PageMarks(),
        selectors: SelectorWriting = SelectorWriting(),
        tested: Set<String> = [],
        _ decide: (CopyReference) -> Replacement
    ) -> Rewritten {
        var writer = PageWriter(source, plan)
        for target in targets { writer.replace(target, target.fixed ?? decide(target.reference)) }
        var room = Self.largestFrames +| 2 *| source.bytes.count
        for frame in frames {
            let inner = frame.rewriter.rewritten(selectors: selectors, tested: tested, decide)
            // The escaped markup grows with each frame around it.
            room -= Escaping.attribute(inner.bytes).count
            guard room >= 0 else {
                writer.remove(frame.attribute)
                writer.changed["srcdoc", default: 0] += 1
                continue
            }
            writer.set(frame.attribute, inner.bytes)
            writer.changed.merge(inner.changed, uniquingKeysWith: +)
        }
        writer.write(selectors, tested: tested)
        marks.add(to: &writer, without: plan.removed)
        return writer.finish(head: head, isFrame: source.documentURL.scheme == "about")
    }
}
