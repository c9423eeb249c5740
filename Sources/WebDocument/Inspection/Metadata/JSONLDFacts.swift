/// The facts about a page itself in its JSON-LD.
///
/// Only nodes that are not inside others count, and what a web page says is its main entity
/// (<https://schema.org/mainEntity>): a node inside another one, as a comment inside an article, describes that one. Nodes that
/// describe only the surroundings of the page (its site, its publisher, its breadcrumbs) are skipped, and web pages come
/// after their subjects.
struct JSONLDFacts {
    /// A fact: a member's name and value.
    struct Fact {
        let name: String
        let text: String
        let position: SourcePosition?
    }

    private var facts: [Fact] = []

    /// The nodes with an `@id`, by that ID; made when a reference has to be followed.
    private var named: [String: JSONValue]?
    private let blocks: [JSONLDBlock]

    /// - Parameter blocks: The page's blocks.
    /// - Returns: The facts, the most trusted ones first.
    /// - Complexity: O(n) in the size of the nodes that are not inside others.
    static func find(in blocks: [JSONLDBlock]) -> [Fact] {
        guard !blocks.isEmpty else { return [] }
        var collector = JSONLDFacts(blocks: blocks)
        for isPage in [false, true] {
            for block in blocks {
                for node in block.nodes where node.describesPage {
                    if isPage == node.isWebPage { collector.collect(node, block.position) }
                    if !isPage, let entity = node.mainEntity { collector.collect(entity, block.position) }
                }
            }
        }
        return collector.facts
    }

    private init(blocks: [JSONLDBlock]) {
        self.blocks = blocks
    }

    private mutating func collect(_ node: JSONValue, _ position: SourcePosition?) {
        guard case .object(let members) = node else { return }
        for member in members {
            switch member.name {
            case "headline", "name", "description", "datePublished", "dateModified", "dateCreated",
                "uploadDate":
                for text in member.value.items.prefix(Self.maximumValues) {
                    if let text = text.string { add(member.name, text, position) }
                }
            case "author", "publisher":
                for value in member.value.items.prefix(Self.maximumValues) {
                    if let name = name(of: value) { add(member.name, name, position) }
                }
            default: break
            }
        }
    }

    /// How many values of a member, such as authors, are read; more are ignored.
    private static var maximumValues: Int { 1_000 }

    private mutating func add(_ name: String, _ text: String, _ position: SourcePosition?) {
        facts.append(Fact(name: name, text: text, position: position))
    }

    /// The name of a person or an organisation, which may be given only as a reference.
    private mutating func name(of value: JSONValue) -> String? {
        if let name = value.string { return name }
        if let name = value["name"]?.items.first?.string { return name }
        guard let id = value["@id"]?.string else { return nil }
        let named = self.named ?? namedNodes()
        self.named = named
        return named[id]?["name"]?.items.first?.string
    }

    private func namedNodes() -> [String: JSONValue] {
        var named: [String: JSONValue] = [:]
        for block in blocks {
            for node in block.nodes {
                if let id = node["@id"]?.string, named[id] == nil { named[id] = node }
            }
        }
        return named
    }
}

extension JSONValue {
    /// Whether a node object is a web page, and not the subject of one.
    fileprivate var isWebPage: Bool {
        jsonLDTypes.contains { $0.hasSuffix("Page") }
    }

    /// The one thing that a web page is about, if it says so: a question, a product, the first post of a thread.
    fileprivate var mainEntity: JSONValue? {
        guard isWebPage, let entities = self["mainEntity"]?.items, entities.count == 1,
            entities[0].describesPage, !entities[0].isWebPage
        else { return nil }
        return entities[0]
    }

    /// Whether a node object is about the page's main subject.
    fileprivate var describesPage: Bool {
        let types = jsonLDTypes
        return !types.isEmpty && !types.contains(where: Self.isSurrounding)
    }

    private static func isSurrounding(_ type: String) -> Bool {
        let name = type.split(separator: "/").last ?? ""
        switch name {
        case "WebSite", "Organization", "NewsMediaOrganization", "Corporation", "Person", "BreadcrumbList",
            "ItemList", "ImageObject", "SiteNavigationElement", "WPHeader", "WPFooter", "WPSideBar",
            "SearchAction", "ListItem", "Comment", "Rating", "AggregateRating", "PostalAddress":
            return true
        default: return false
        }
    }
}
