/// A list of selectors, parsed once and good for any number of documents.
///
/// The grammar and the meaning are those of Selectors 4, as browsers have them: what depends on a person or a script
/// (`:hover`, `:visited`) matches nothing, nor does a pseudo-element.
///
/// <https://drafts.csswg.org/selectors-4/>
public struct Selector: Sendable {
    /// What may be written besides what browsers take.
    public enum Dialect: String, Sendable, CaseIterable {
        /// Nothing: what a browser refuses is an error.
        case standard
        /// `::text`, `::attr(name)`, `:contains("text")`, `:matches("expression")` and `:eq(index)`.
        case extended
    }

    /// How a selector is read.
    public struct Options: Hashable, Sendable {
        /// What may be written besides what browsers take.
        public var dialect = Dialect.standard

        /// Namespaces by their prefixes; the empty prefix is that of type selectors without one.
        public var namespaces: [String: String] = [:]

        /// Standard selectors, without prefixes.
        public init() {}
    }

    /// What is taken of an element that matches.
    public enum Extraction: Hashable, Sendable {
        /// The element itself.
        case element
        /// Its text nodes: `::text`.
        case text
        /// The value of an attribute: `::attr(name)`.
        case attribute(String)
    }

    /// What was parsed.
    public let text: String

    /// How it was read.
    public let options: Options

    let program: SelectorProgram

    /// Parses a list of selectors.
    ///
    /// Complexity: O(n) in its length.
    ///
    /// - Parameters:
    ///   - text: The selectors, separated by commas.
    ///   - options: How they are read.
    /// - Throws: ``SelectorError``: what was expected where, or which limit it is beyond.
    public init(_ text: String, options: Options = Options()) throws(SelectorError) {
        self.text = text
        self.options = options
        program = try SelectorParser.parse(text, options)
    }

    /// The specificity of each selector of the list, in its order.
    public var specificities: [Specificity] { program.complexes(of: program.root).map(\.specificity) }

    /// What is taken of an element that each selector of the list matches, in its order.
    ///
    /// All ``Extraction/element`` but in the extended dialect.
    public var extractions: [Extraction] { program.complexes(of: program.root).map(\.extraction) }
}

extension Selector: Hashable, CustomStringConvertible {
    /// Whether both were read alike from the same text.
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
