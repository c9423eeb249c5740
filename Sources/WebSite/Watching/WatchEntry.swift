package import WebDifference
import WebLoader

/// A page that is watched: the changes that count, and the notifications.
package struct WatchEntry: Sendable {
    /// The part of the page that is compared.
    package enum Subject: Sendable {
        /// The whole page.
        case page
        /// The elements that a selector matches, with their content.
        case selection(Selector)
        /// The values that a recipe extracts.
        case recipe(Recipe)
    }

    /// The unique name of the entry: the URL unless the list has another name.
    package let name: String
    /// The URL of the page.
    package let url: WebURL
    package var subject = Subject.page
    /// The options that decide which changes of the page count.
    package var difference = PageDifference.Options()
    /// The only kind of change that counts, besides ``PageDifference/Operation/changed``; `nil` to count all.
    package var only: PageDifference.Operation?
    package var conditions: [WatchCondition] = []
    /// Whether changes are reported; otherwise only conditions that begin to hold.
    package var tellsChanges = true
    /// The number of failures in a row after which they are reported; `nil` to report no failures.
    package var failures: Int?
    /// Whether the cache stores each different version.
    package var keepsHistory = false
    /// Whether the page is rendered before it is compared; `nil` if the list does not say.
    package var isRendered: Bool?
    /// The program to run for notifications, with its arguments; `nil` to run no program.
    package var command: [String]?
    /// The URL to notify; `nil` to notify no URL.
    package var webhook: WebURL?

    package init(name: String, url: WebURL) {
        self.name = name
        self.url = url
    }

    /// Whether a condition needs the text of the page.
    var needsText: Bool { conditions.contains(where: \.isOfText) }

    /// The hash of its recipe; `nil` if it has no recipe.
    var recipeDigest: String? {
        guard case .recipe(let recipe) = subject else { return nil }
        return SealedBytes.hash(recipe.source[...]).hexadecimal(digits: 16)
    }
}

/// A list of watched pages.
package struct WatchList: Sendable {
    /// The path of the list, which identifies the stored state of pages that were removed from it.
    let path: String
    package var entries: [WatchEntry]
}
