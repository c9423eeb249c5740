/// Finds the implied properties of a microformat, which its class names do not state.
///
/// <https://microformats.org/wiki/microformats2-parsing#parsing_for_implied_properties>
enum MicroformatImplied {
    /// The implied name; nil where it is the element's text.
    static func name(of item: TreeNode) -> String? {
        if let name = ownName(item) { return name }
        guard let only = onlyChild(of: item) else { return nil }
        if let name = ownName(only) { return name }
        return onlyChild(of: only).flatMap(ownName)
    }

    /// The element whose image is the photo.
    static func photo(of item: TreeNode) -> TreeNode? {
        find(in: item) { element in
            element.hasName("img") && element.hasAttribute("src")
                || element.hasName("object") && element.hasAttribute("data")
        }
    }

    /// The element whose link is the URL.
    static func link(of item: TreeNode) -> TreeNode? {
        find(in: item) { element in
            (element.hasName("a") || element.hasName("area")) && element.hasAttribute("href")
        }
    }

    private static func ownName(_ element: TreeNode) -> String? {
        let isPicture = element.hasName("img") || element.hasName("area")
        let name =
            isPicture
            ? element.attribute("alt") : element.hasName("abbr") ? element.attribute("title") : nil
        return name.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The item's element itself if it matches, or the only one that matches among its children, or its only
    /// child's.
    private static func find(in item: TreeNode, _ isMeant: (TreeNode) -> Bool) -> TreeNode? {
        if isMeant(item) { return item }
        if let child = onlyOfType(in: item, isMeant) { return child }
        return onlyChild(of: item).flatMap { onlyOfType(in: $0, isMeant) }
    }

    /// The only child, if it is not a microformat.
    private static func onlyChild(of element: TreeNode) -> TreeNode? {
        guard let child = element.firstElement, child.nextElement == nil else { return nil }
        return MicroformatClasses(child).types.isEmpty ? child : nil
    }

    /// The only child that matches, if it is not a microformat.
    private static func onlyOfType(in element: TreeNode, _ isMeant: (TreeNode) -> Bool) -> TreeNode? {
        var found: TreeNode?
        var child = element.firstElement
        while let current = child {
            if isMeant(current) {
                guard found == nil else { return nil }
                found = current
            }
            child = current.nextElement
        }
        return found.flatMap { MicroformatClasses($0).types.isEmpty ? $0 : nil }
    }
}
