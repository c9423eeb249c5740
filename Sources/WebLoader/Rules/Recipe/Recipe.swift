/// What to take of a page: named fields, each with a selector, what to take of what it matches, and what to make of it.
///
/// It is written in YAML or JSON; docs/recipes.md has the grammar.
public struct Recipe: Sendable {
    /// What it was read from.
    public let source: [UInt8]

    /// Where that came from, for messages; nil where the caller did not say.
    public let file: String?

    /// What it takes, in its order.
    let fields: [RecipeField]

    /// All rules, those inside others among them, in the order in which they are written.
    let rules: [RecipeRule]

    /// How many links away from its page it leads at the most; 0 where it follows none.
    var followingDepth: Int { Self.followingDepth(of: fields) }

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

/// A field: where its value comes from, and what is made of it.
struct RecipeField: Sendable {
    /// Its name in the result.
    let name: String
    /// Its place in ``Recipe/rules``.
    let rule: Int
    let value: RecipeValue
    var transforms: [RecipeTransform] = []
    var assertions = RecipeAssertions()
    /// What takes the place of nothing.
    var fallback = JSONValue.null
}

/// Where a field's value comes from.
indirect enum RecipeValue: Sendable {
    /// The same value for every page.
    case constant(JSONValue)
    /// What is taken of what a query finds.
    case selection(RecipeSelection)
    /// A list of objects, one a match.
    case each(RecipeQuery, [RecipeField])
    /// The first of these that has a value.
    case alternatives([RecipeField])
    /// What a script returns, run on the first match, or on each.
    case script(String, RecipeQuery, isList: Bool)
    /// What is found on the pages that are linked.
    case follow(RecipeSelection, RecipeFollow)
}

/// A query, and what to take of what it finds.
struct RecipeSelection: Sendable {
    let query: RecipeQuery
    let take: RecipeTake
    /// Whether all matches count, or the first alone.
    let isList: Bool
}

/// What finds nodes.
enum RecipeQuery: Sendable {
    /// The node in hand itself.
    case current
    case css(Selector)
    case xpath(XPathExpression)
}

/// What is taken of a node.
enum RecipeTake: Hashable, Sendable {
    /// The text inside, white space collapsed.
    case text
    /// The text inside, as it is.
    case raw
    case innerHTML
    case outerHTML
    case attribute(String)
    /// An attribute's value, made an absolute URL.
    case url(String)
    /// How many nodes there are.
    case count
    /// Whether there is one.
    case exists
    /// The line of the source that the element stands in.
    case line
}

/// How linked pages are followed.
struct RecipeFollow: Sendable {
    /// How many links away they may be.
    let depth: Int
    /// How many there may be.
    let pages: Int
    let fields: [RecipeField]
}

/// What has to hold of a value, or the page has drifted.
struct RecipeAssertions: Sendable {
    var isRequired = false
    /// Of a number; of a list's count; of a text's length.
    var minimum: Double?
    var maximum: Double?
    var pattern: String?
}

/// A step that makes another value of a value.
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
