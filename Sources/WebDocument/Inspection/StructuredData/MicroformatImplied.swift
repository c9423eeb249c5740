/// Finds the implied properties of a microformat, which its class names do not state.
///
/// <https://microformats.org/wiki/microformats2-parsing#parsing_for_implied_properties>
enum MicroformatImplied {
    /// The implied name; nil where it is the element's text.
    static func name(of item: TreeNode) -> String? {
        if item.hasName("img") || item.hasName("area") { return item.attribute("alt") ?? "" }
        if item.hasName("abbr"), let title = item.attribute("title") { return title }
        guard let only = onlyChild(of: item) else { return nil }
        if let name = ownName(only) { return name }
        return onlyChild(of: only).flatMap(ownName)
    }

    /// The element whose image is the photo.
    static func photo(of item: TreeNode) -> TreeNode? {
        find(in: item, [("img", "src"), ("object", "data")])
    }

    /// The element whose link is the URL.
    static func link(of item: TreeNode) -> TreeNode? { find(in: item, [("a", "href"), ("area", "href")]) }

    private static func ownName(_ element: TreeNode) -> String? {
        let isPicture = element.hasName("img") || element.hasName("area")
        let name =
            isPicture
            ? element.attribute("alt") : element.hasName("abbr") ? element.attribute("title") : nil
        return name.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// An element's name, and the attribute that it has to have.
    private typealias Kind = (name: StaticString, attribute: StaticString)

    /// Returns the item's element itself if it has one of these kinds, or else the first element of such a kind that is
    /// the only one of its name among the item's children, or those of its only child.
    private static func find(in item: TreeNode, _ kinds: [Kind]) -> TreeNode? {
        let isMeant = kinds.contains { item.hasName($0.name) && item.hasAttribute($0.attribute) }
        if isMeant { return item }
        for parent in [item, onlyChild(of: item)] {
            for kind in kinds {
                if let parent, let child = onlyOfType(in: parent, kind) { return child }
            }
        }
        return nil
    }

    /// The only child, if it is not a microformat.
    private static func onlyChild(of element: TreeNode) -> TreeNode? {
        guard let child = element.firstElement, child.nextElement == nil else { return nil }
        return MicroformatClasses(child).types.isEmpty ? child : nil
    }

    /// The only child of a name, if it has the attribute and is not a microformat.
    private static func onlyOfType(in element: TreeNode, _ kind: Kind) -> TreeNode? {
        var found: TreeNode?
        var child = element.firstElement
        while let current = child {
            if current.hasName(kind.name) {
                guard found == nil else { return nil }
                found = current
            }
            child = current.nextElement
        }
        guard let found, found.hasAttribute(kind.attribute) else { return nil }
        return MicroformatClasses(found).types.isEmpty ? found : nil
    }
}
