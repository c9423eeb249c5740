/// A selector, compiled for matching into flat tables of plain values, so that matching follows no
/// references.
///
/// Compounds of a complex selector are in the order of the text; matching begins with the last one.
struct SelectorProgram: Sendable {
    /// A condition on one element.
    struct Simple: Sendable {
        var operation: Operation
        /// How values and names are compared.
        var comparison = Comparison.asHTMLSays
        /// Which namespaces an attribute may be in.
        var space = Space.none
        /// Which pseudo-class it is, for ``Operation/pseudoClass``.
        var pseudoClass = PseudoClass.root
        /// The index of a name, a text or a namespace; -1 if there is none.
        var name: Int32 = -1
        /// The index of a text; -1 if there is none.
        var value: Int32 = -1
        /// The index of a list; -1 if there is none.
        var list: Int32 = -1
        /// An+B.
        var step: Int32 = 0
        var offset: Int32 = 0

        /// Whether `value` is a text.
        var hasText: Bool { value >= 0 && operation != .regularExpression }
    }

    enum Operation: UInt8, Sendable {
        /// No element matches: for pseudo-classes of dynamic state, and for pseudo-elements.
        case never
        case type, namespace, noNamespace, id, className
        case attribute, equals, includes, dashMatch, prefix, suffix, substring
        case pseudoClass, matchesAny, matchesNone, has, language, direction
        case nthChild, nthLastChild, nthOfType, nthLastOfType
        case contains, regularExpression
    }

    enum Comparison: UInt8, Sendable {
        /// Ignoring case for the attributes that HTML lists, case-sensitive otherwise.
        case asHTMLSays
        case ignoringCase
        case exact
    }

    enum Space: UInt8, Sendable {
        /// In no namespace.
        case none
        case any
        /// In the namespace whose name is the text at `list`.
        case named
    }

    /// The simple selectors that one element has to match, and the combinator before them.
    struct Compound: Sendable {
        var first: Int32
        var count: Int32
        /// The combinator between the previous compound and this one.
        var combinator: Combinator
    }

    enum Combinator: UInt8, Sendable {
        case none, descendant, child, nextSibling, subsequentSibling
    }

    /// Compounds joined by combinators.
    struct Complex: Sendable {
        var first: Int32
        var count: Int32
        /// In the argument of `:has()`: the combinator before the first compound.
        var relation = Combinator.none
        /// The part that is extracted from an element that matches.
        var extraction = Selector.Extraction.element
        /// The index of the match to take, from 0, negative from the end; nil for all.
        var position: Int?
        var specificity = Specificity()
        /// Its range in the text, in bytes.
        var range = 0..<0
    }

    struct List: Sendable {
        var first: Int32
        var count: Int32
    }

    var simples: [Simple] = []
    var compounds: [Compound] = []
    var complexes: [Complex] = []
    var lists: [List] = []

    /// The list of the selector itself.
    var root = List(first: 0, count: 0)

    /// The names that are compared with those of elements and attributes.
    var names: [String] = []

    /// The texts that values are compared with, each followed by NUL.
    var texts: [UInt8] = []

    var expressions: [RegularExpression] = []

    /// For each compound, where its simple selectors end in the text, for explanations.
    var ends: [[Int]] = []

    /// The index of a name, added if it is new.
    mutating func index(ofName name: String) -> Int32 {
        if let index = names.firstIndex(of: name) { return Int32(truncatingIfNeeded: index) }
        names.append(name)
        return Int32(truncatingIfNeeded: names.count - 1)
    }

    /// Adds a text to ``texts`` and returns where it begins.
    mutating func index(ofText text: String) -> Int32 {
        let index = Int32(truncatingIfNeeded: texts.count)
        texts += text.utf8
        texts.append(0)
        return index
    }

    func complexes(of list: List) -> ArraySlice<Complex> {
        complexes[Int(list.first)..<Int(list.first &+ list.count)]
    }
}
