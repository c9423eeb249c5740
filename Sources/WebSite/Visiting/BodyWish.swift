import WebStandards

/// How much of a body is wanted, once the head is there.
package enum BodyWish: Sendable {
    /// None: what the head says is enough.
    case none
    /// The whole body, up to the loader's limit; of a redirect none.
    case whole
    /// The whole body if it can be a page or a style sheet, by its type, and the status is a success; else none.
    case readable
    /// The whole body is read, so that a recorder gets it, also of a redirect; it is kept where ``readable`` keeps it, and of
    /// error pages too.
    case recorded
    /// At most so many bytes from its beginning; of a redirect none.
    case prefix(Int)

    /// The bytes of the body that are wanted of a response with this head.
    func limit(for head: WebResponse) -> Int {
        let status = head.status?.code ?? 200
        if 300..<400 ~= status { return 0 }
        switch self {
        case .recorded: return Self.isReadable(head) ? .largestBounded : 0
        case .none: return 0
        case .whole: return .largestBounded
        case .readable: return 200..<300 ~= status && Self.isReadable(head) ? .largestBounded : 0
        case .prefix(let count): return max(0, count)
        }
    }

    /// Whether what is not kept is read all the same.
    var readsAll: Bool {
        if case .recorded = self { true } else { false }
    }

    /// Whether a response may be a page or a style sheet; one without a type may be either.
    private static func isReadable(_ head: WebResponse) -> Bool {
        guard let type = head.contentType else { return true }
        return type.isHTML || type.isXML || type.essence == "text/css"
    }
}
