package import WebDifference
import WebLoader

/// A page that is watched: what of it counts, and who is told.
package struct WatchEntry: Sendable {
    /// What of the page is compared.
    package enum Subject: Sendable {
        /// All of it.
        case page
        /// The elements that a selector matches, and what is in them.
        case selection(Selector)
        /// What a recipe makes of it.
        case recipe(Recipe)
    }

    /// What it is called, of which there is but one: the URL unless the list says something else.
    package let name: String
    /// The page.
    package let url: WebURL
    package var subject = Subject.page
    /// What counts as a change of a page.
    package var difference = PageDifference.Options()
    /// The only kind of change that counts, besides what was changed; nil for all.
    package var only: PageDifference.Operation?
    package var conditions: [WatchCondition] = []
    /// Whether changes are told; otherwise only conditions that begin to hold.
    package var tellsChanges = true
    /// After how many failures in a row they are told; nil for never.
    package var failures: Int?
    /// Whether the cache keeps each different version.
    package var keepsHistory = false
    /// Whether it is what scripts make of the page that is looked at; nil where the list does not say.
    package var isRendered: Bool?
    /// A program that is told, with its arguments; nil for none.
    package var command: [String]?
    /// A URL that is told; nil for none.
    package var webhook: WebURL?

    package init(name: String, url: WebURL) {
        self.name = name
        self.url = url
    }

    /// Whether the text of the page is asked for.
    var needsText: Bool { conditions.contains(where: \.isOfText) }

    /// What tells its recipe from another; nil without one.
    var recipeDigest: String? {
        guard case .recipe(let recipe) = subject else { return nil }
        return SealedBytes.hash(recipe.source[...]).hexadecimal(digits: 16)
    }
}

/// A list of pages that are watched.
package struct WatchList: Sendable {
    /// The path of the list: what is remembered of pages that are in it no longer is its own.
    let path: String
    package var entries: [WatchEntry]
}
