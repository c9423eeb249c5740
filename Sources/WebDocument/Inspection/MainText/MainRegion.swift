/// Where a page says that its main content is: the element that is marked so, and the page without the parts that say
/// that they are something else.
struct MainRegion {
    /// Where an entry is.
    enum Place: Int {
        /// In navigation, a header, a footer, a form and the like.
        case other
        /// On the page besides.
        case page
        /// In the element that is marked as the main one.
        case main
    }

    private let tree: ContentTree
    /// Whether each entry is in another part of the page.
    private var isOther: [Bool]
    /// The element that is marked as the main one, if it has half of the text of the page without other parts; else 0.
    private(set) var root = 0
    /// Characters of texts in front of each entry, and of all, without those of other parts.
    private var sums: [Int]

    /// Reads a page.
    ///
    /// - Complexity: O(n) in the number of entries.
    init(_ tree: ContentTree) {
        self.tree = tree
        isOther = [Bool](repeating: false, count: tree.entries.count)
        sums = Self.sums(tree, without: isOther)
        let all = count(0)
        var index = 1
        while index < tree.entries.count {
            // An element with most of the page is not beside it, whatever its markup says.
            guard Self.isOther(tree.entries[index]), count(index) *| 2 < all else {
                index += 1
                continue
            }
            let end = Int(tree.entries[index].end)
            for inner in index..<end { isOther[inner] = true }
            index = end
        }
        sums = Self.sums(tree, without: isOther)
        root = findRoot()
    }

    /// Where an entry is.
    func place(of index: Int) -> Place {
        if isOther[index] { return .other }
        return root > 0 && index >= root && index < Int(tree.entries[root].end) ? .main : .page
    }

    private static func sums(_ tree: ContentTree, without isOther: [Bool]) -> [Int] {
        var sums: [Int] = []
        sums.reserveCapacity(tree.entries.count + 1)
        var sum = 0
        for (index, entry) in tree.entries.enumerated() {
            sums.append(sum)
            if !isOther[index] { sum += Int(entry.length) }
        }
        return sums + [sum]
    }

    /// Whether an element is not of the main content by its kind, or its role.
    private static func isOther(_ entry: ContentTree.Entry) -> Bool {
        if !entry.marks.isDisjoint(with: [.unlikelyRole, .landmarkRole]) { return true }
        switch entry.element {
        case .nav, .header, .footer, .aside, .form, .dialog: return true
        default: return entry.traits.contains(.foreign)
        }
    }

    private func count(_ index: Int) -> Int { sums[Int(tree.entries[index].end)] - sums[index] }

    private func findRoot() -> Int {
        var root = 0
        for (index, entry) in tree.entries.enumerated() where !isOther[index] {
            guard entry.element == .main || entry.marks.contains(.mainRole) else { continue }
            if root == 0 || count(index) > count(root) { root = index }
        }
        return count(root) *| 2 >= count(0) ? root : 0
    }
}
