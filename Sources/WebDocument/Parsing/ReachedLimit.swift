/// A limit that a page reached while it was parsed, and what was lost by it.
public struct ReachedLimit: Hashable, Sendable, Codable {
    /// Which limit, as a stable code.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// Elements were nested more deeply than ``/WebStandards/LoadLimits/maximumDepth`` and were put beside their
        /// parents, as browsers do; nothing is lost. (In XML, the rest of the page was left out.)
        case depth = "limit.depth"
        /// The page has more than ``/WebStandards/LoadLimits/maximumNodes``; the rest was left out.
        case nodes = "limit.nodes"
        /// An element has more than ``/WebStandards/LoadLimits/maximumAttributes``; further ones were left out.
        case attributes = "limit.attributes"
        /// A text is longer than ``/WebStandards/LoadLimits/maximumTextLength``; the rest of it was left out.
        case text = "limit.text"
        /// The tree needs more than ``/WebStandards/LoadLimits/maximumTreeMemory``; the rest was left out.
        case memory = "limit.memory"
        /// The load took longer than ``/WebStandards/LoadLimits/maximumTime``; the part that was not parsed by then was
        /// left out.
        case time = "limit.time"
        /// More formatting elements were open than are kept in the list; the earliest were not reopened.
        case formatting = "limit.formatting"
        /// The entities of an XML document expand too much; the rest was left out.
        case entities = "limit.entities"
        /// The type of an XML document declares more than legitimate ones do, or expands parameter entities;
        /// such declarations were left out.
        case declarations = "limit.declarations"
        /// The data found on the page takes too much memory for the page's size; further data was left out.
        case inspection = "limit.inspection"
    }

    /// Which limit.
    public let code: Code

    /// The limit: a number of elements, nodes, attributes or bytes, or milliseconds for ``Code/time``.
    public let limit: Int

    /// How many elements were moved, attributes or formatting elements dropped, or bytes left out; nil if the
    /// rest of the page was left out.
    public let count: Int?

    /// Whether something of the page is missing.
    public var isTruncation: Bool { code != .depth || count == nil }

    /// The message, for people.
    public var message: String {
        let number = count ?? 0
        switch code {
        case .depth where count == nil:
            return "the rest was left out, where elements are nested more than \(limit) deep"
        case .depth:
            return "\(number) elements nested more than \(limit) deep were moved beside their parents"
        case .nodes: return "the rest of the page was left out after \(limit) nodes"
        case .attributes: return "\(number) attributes were left out, more than \(limit) on one element"
        case .text: return "\(number) bytes were left out of texts longer than \(limit) bytes"
        case .memory: return "the rest of the page was left out: its tree takes more than \(limit) bytes"
        case .time: return "the rest of the page was left out after \(limit) ms"
        case .formatting: return "\(number) formatting elements were not reopened"
        case .entities: return "the rest was left out: its entities expand to too much text"
        case .inspection: return "some results were left out: they take more than \(limit) bytes"
        case .declarations:
            return """
                \(number) bytes of the document type's declarations were left out: more than \(limit) bytes, \
                \(InternalSubset.maximumNames) names, or parameter entities
                """
        }
    }
}
