/// The explanation of a choice for readers: how sure it is, and why each block is in or out.
extension ContentChoice {
    /// The share of the content's words that is expected to be among the chosen blocks, from 0 to 1; nil where the
    /// model was not asked.
    var completeness: Double? {
        guard !likelihoods.isEmpty else { return nil }
        var all: Float = 0
        var taken: Float = 0
        for (place, block) in page.blocks.enumerated() {
            let words = likelihoods[place] * Float(max(1, block.words))
            all += words
            if isChosen[place] { taken += words }
        }
        return Double(min(1, taken / max(.leastNormalMagnitude, all)))
    }

    /// Characters of a block's text that are shown.
    private static let shownLength = 80

    /// The units that a decision takes, its text and that it is written included.
    private static let decisionSize = 1024

    /// Says of each block whether it is part of the content, and why.
    ///
    /// - Parameters:
    ///   - document: The page.
    ///   - budget: The budget to spend from; what exceeds it is left out.
    /// - Returns: A decision for each block, in document order.
    func decisions(in document: Document, _ budget: InspectionBudget) -> [TextDecision] {
        var decisions: [TextDecision] = []
        for (place, block) in page.blocks.enumerated() {
            guard budget.spend(size: Self.decisionSize) else { break }
            let element = Node(tree.entries[block.element].node, in: document)
            decisions.append(
                TextDecision(
                    isKept: isChosen[place],
                    reason: reasons[place],
                    likelihood: likelihoods.isEmpty ? nil : Double(likelihoods[place]),
                    element: element.name,
                    position: element.position,
                    text: text(block)
                )
            )
        }
        return decisions
    }

    /// The beginning of a block's text.
    private func text(_ block: ContentBlocks.Block) -> String {
        var bytes: [UInt8] = []
        for index in block.entries where tree.entries[index].element == .text {
            guard bytes.count < 8 * Self.shownLength else { break }
            tree.entries[index].node.appendText(to: &bytes)
        }
        let text = String(decoding: bytes, as: UTF8.self).collapsingASCIIWhitespace
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.shownLength)))
    }
}
