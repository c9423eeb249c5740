/// A description of the data to extract from a page: named fields, each with a selector, a value to take from
/// its matches, and transforms of that value.
///
/// It is written in YAML or JSON; docs/recipes.md has the grammar.
public struct Recipe: Sendable {
    /// The bytes that it was read from.
    public let source: [UInt8]

    /// The name of the recipe's file, for messages; nil if the caller did not give one.
    public let file: String?

    /// The top-level fields, in the recipe's order.
    let fields: [RecipeField]

    /// All rules, including those inside others, in the order in which they are written.
    let rules: [RecipeRule]

    /// The maximum number of links between the first page and a page that is followed; 0 if none is followed.
    package var followingDepth: Int { Self.followingDepth(of: fields) }

    private static func followingDepth(of fields: [RecipeField]) -> Int {
        fields.reduce(0) { deepest, field in
            let inside = followingDepth(of: field.value.fields)
            guard case .follow(_, let follow) = field.value else { return max(deepest, inside) }
            return max(deepest, Int(bounded: inside +| follow.depth))
        }
    }
}

/// A rule's name and place, for messages.
struct RecipeRule: Sendable {
    /// As in "items[].price".
    let name: String
    let place: RecipePlace
}

/// A field: the source of its value, its transforms and its assertions.
struct RecipeField: Sendable {
    /// Its name in the result.
    let name: String
    /// Its index in ``Recipe/rules``.
    let rule: Int
    let value: RecipeValue
    var transforms: [RecipeTransform] = []
    var assertions = RecipeAssertions()
    /// The value that replaces null, an empty text or an empty list.
    var fallback = JSONValue.null
}

/// Where a field's value comes from.
indirect enum RecipeValue: Sendable {
    /// The same value for every page.
    case constant(JSONValue)
    /// The values taken from the nodes that a query finds.
    case selection(RecipeSelection)
    /// A list of objects, one per match.
    case each(RecipeQuery, [RecipeField])
    /// The first of these that has a value.
    case alternatives([RecipeField])
    /// The result of a script, run on the first match, or on each.
    case script(String, RecipeQuery, isList: Bool)
    /// The values of fields on linked pages.
    case follow(RecipeSelection, RecipeFollow)
}

/// A query, and the kind of value to take from the nodes that it finds.
struct RecipeSelection: Sendable {
    let query: RecipeQuery
    let take: RecipeTake
    /// Whether to take the values of all matches as a list, or only that of the first.
    let isList: Bool
}

/// A query that finds nodes.
enum RecipeQuery: Sendable {
    /// The current node itself.
    case current
    case css(Selector)
    case xpath(XPathExpression)
}

/// The kind of value that is taken from a node.
enum RecipeTake: Hashable, Sendable {
    /// The text inside, white space collapsed.
    case text
    /// The text inside, as it is.
    case raw
    case innerHTML
    case outerHTML
    case attribute(String)
    /// An attribute's value, resolved to an absolute URL.
    case url(String)
    /// How many nodes there are.
    case count
    /// Whether there is a node.
    case exists
    /// The line of the source in which the element begins.
    case line
}

/// How linked pages are followed.
struct RecipeFollow: Sendable {
    /// The maximum distance of a page, in links.
    let depth: Int
    /// The maximum number of pages.
    let pages: Int
    let fields: [RecipeField]
}

/// The conditions that a value has to meet; if it does not, the page has drifted.
struct RecipeAssertions: Sendable {
    var isRequired = false
    /// The minimum of a number, of a list's count or of a text's length.
    var minimum: Double?
    var maximum: Double?
    var pattern: String?
}

/// A step that transforms a value into another.
enum RecipeTransform: Sendable {
    case trim
    case collapse
    case lower
    case upper
    case number(NumberFormat)
    case date(DateReader.Order?)
    case url
    case unique
    case sort
    case json(JSONPath)
    case match(String)
    case matchAll(String)
    case replace(String, with: String)
    case split(String)
    case join(String)
    case slice(Int, Int?)
    case map([JSONValue.Member])
    case template(String)
    case fallback(JSONValue)
    case repetition(Int)

    /// Its name in a recipe.
    var name: String {
        switch self {
        case .trim: "trim"
        case .collapse: "collapse"
        case .lower: "lower"
        case .upper: "upper"
        case .number: "number"
        case .date: "date"
        case .url: "url"
        case .unique: "unique"
        case .sort: "sort"
        case .json: "json"
        case .match: "match"
        case .matchAll: "match_all"
        case .replace: "replace"
        case .split: "split"
        case .join: "join"
        case .slice: "slice"
        case .map: "map"
        case .template: "template"
        case .fallback: "default"
        case .repetition: "repeat"
        }
    }
}
