/// A list of selectors, parsed once and usable with any number of documents.
///
/// The grammar and the meaning are those of Selectors 4, as in browsers: pseudo-classes that depend on a user
/// or a script (`:hover`, `:visited`) match nothing, nor do pseudo-elements.
///
/// <https://drafts.csswg.org/selectors-4/>
public struct Selector: Sendable {
    /// Which selectors are accepted in addition to those of browsers.
    public enum Dialect: String, Sendable, CaseIterable {
        /// None: a selector that a browser rejects is an error.
        case standard
        /// `::text`, `::attr(name)`, `:contains("text")`, `:matches("expression")` and `:eq(index)`.
        case extended
    }

    /// The options for parsing a selector.
    public struct Options: Hashable, Sendable {
        /// Which selectors are accepted in addition to those of browsers.
        public var dialect = Dialect.standard

        /// Namespaces by their prefixes; the empty prefix sets the default namespace, for type selectors
        /// without a prefix.
        public var namespaces: [String: String] = [:]

        /// Creates options for standard selectors, without prefixes.
        public init() {}
    }

    /// The part that is extracted from an element that matches.
    public enum Extraction: Hashable, Sendable {
        /// The element itself.
        case element
        /// Its text nodes: `::text`.
        case text
        /// The value of an attribute: `::attr(name)`.
        case attribute(String)
    }

    /// The text that was parsed.
    public let text: String

    /// The options with which it was parsed.
    public let options: Options

    let program: SelectorProgram

    /// Parses a list of selectors.
    ///
    /// Complexity: O(n) in its length.
    ///
    /// - Parameters:
    ///   - text: The selectors, separated by commas.
    ///   - options: The options for parsing.
    /// - Throws: ``SelectorError``, which says what was expected where, or which limit is exceeded.
    public init(_ text: String, options: Options = Options()) throws(SelectorError) {
        self.text = text
        self.options = options
        program = try SelectorParser.parse(text, options)
    }

    /// The specificity of each selector of the list, in its order.
    public var specificities: [Specificity] { program.complexes(of: program.root).map(\.specificity) }

    /// The extraction of each selector of the list, in its order.
    ///
    /// All are `Extraction.element` except in the extended dialect.
    public var extractions: [Extraction] { program.complexes(of: program.root).map(\.extraction) }
}

extension Selector: Hashable, CustomStringConvertible {
    /// Whether both have the same text and the same options.
    public static func == (left: Selector, right: Selector) -> Bool {
        left.text == right.text && left.options == right.options
    }

    /// Hashes the text and the options.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(options)
    }

    /// The text.
    public var description: String { text }
}
