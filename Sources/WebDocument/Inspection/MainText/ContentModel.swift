import Glibc

/// A sum of decision trees: how likely a block belongs to the main content, from what is known of it.
///
/// `Scripts/train-main-text` makes the trees, from pages whose main text people marked. A tree is not walked from
/// its root: all its questions are asked of several blocks at once, and each answer rules leaves out. The first
/// leaf that is left is the one that walking finds.
struct ContentModel {
    /// A question: whether a feature is greater than a threshold, and the leaves that are ruled out if it is.
    private struct Node {
        let threshold: Float
        let feature: UInt8
        /// A bit for each leaf below the node that is for lower values.
        var ruledOut: UInt32 = 0
    }

    private let nodes: [Node]
    /// The number of nodes up to the last of each tree.
    private let ends: [Int]
    /// The value that each leaf adds: those of a tree in order, ``maximumLeaves`` places for each tree.
    private let leaves: [Float]

    /// The most leaves of a tree, a power of two.
    private static let maximumLeaves = 32

    /// - Parameters:
    ///   - features: The feature that each node asks for.
    ///   - thresholds: The value up to which it goes on with the first of its two next nodes.
    ///   - children: The next nodes, two by two; `~n` for leaf `n`.
    ///   - leaves: The value that each leaf adds.
    ///   - roots: The first node of each tree, in order; a tree has 32 leaves at most.
    init(features: [UInt8], thresholds: [Float], children: [Int16], leaves: [Float], roots: [Int16]) {
        var nodes = features.indices.map { Node(threshold: thresholds[$0], feature: features[$0]) }
        var ordered = [Float](repeating: 0, count: roots.count &* Self.maximumLeaves)
        for (tree, root) in roots.enumerated() {
            var count = 0
            /// Numbers the leaves below a node; returns a bit for each.
            func number(_ node: Int) -> UInt32 {
                guard node >= 0 else {
                    ordered[tree &* Self.maximumLeaves + count] = leaves[~node]
                    defer { count += 1 }
                    return 1 << UInt32(truncatingIfNeeded: count)
                }
                let below = number(Int(children[2 &* node]))
                nodes[node].ruledOut = below
                return below | number(Int(children[2 &* node + 1]))
            }
            _ = number(Int(root))
        }
        self.nodes = nodes
        self.leaves = ordered
        ends = roots.dropFirst().map(Int.init) + [features.count]
    }

    /// The likelihoods of several blocks, from 0 to 1, by their features.
    ///
    /// Complexity: O(n) in the number of nodes.
    func likelihoods(_ rows: ContentRows) -> ContentRows.Column {
        var likelihoods = sums(rows)
        for lane in 0..<ContentRows.count { likelihoods[lane] = 1 / (1 + exp(-likelihoods[lane])) }
        return likelihoods
    }

    /// Returns the sums of the trees' values for several blocks, by their features.
    ///
    /// Complexity: O(n) in the number of nodes.
    func sums(_ rows: ContentRows) -> ContentRows.Column {
        var sums = ContentRows.Column()
        var node = 0
        for (tree, end) in ends.enumerated() {
            var ruledOut = SIMD8<UInt32>()
            while node < end {
                let question = nodes[node]
                let isAbove = rows.columns[Int(question.feature)] .> question.threshold
                ruledOut |= SIMD8<UInt32>().replacing(with: question.ruledOut, where: isAbove)
                node += 1
            }
            func found(_ lane: Int) -> Float {
                let leaf = (~ruledOut[lane]).trailingZeroBitCount & (Self.maximumLeaves - 1)
                return leaves[tree &* Self.maximumLeaves + leaf]
            }
            sums += [found(0), found(1), found(2), found(3), found(4), found(5), found(6), found(7)]
        }
        return sums
    }
}
