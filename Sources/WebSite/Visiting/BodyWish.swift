import WebStandards

/// How much of a body is wanted, once the head is received.
package enum BodyWish: Sendable {
    /// No body: the head is enough.
    case none
    /// The whole body, up to the loader's limit; no body of a redirect.
    case whole
    /// The whole body if its type may be that of a page or a style sheet, and the status is a success; otherwise no
    /// body.
    case readable
    /// The whole body is read for a recorder, also of a redirect; it is collected in the cases of ``readable``, and for
    /// error pages too.
    case recorded
    /// At most this many bytes from the beginning; no body of a redirect.
    case prefix(Int)

    /// Returns the number of bytes of the body that are wanted of a response with this head.
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

    /// Whether bytes that are not wanted are read all the same.
    var readsAll: Bool {
        if case .recorded = self { true } else { false }
    }

    /// Whether a response may be a page or a style sheet; one without a type may be either.
    private static func isReadable(_ head: WebResponse) -> Bool {
        guard let type = head.contentType else { return true }
        return type.isHTML || type.isXML || type.essence == "text/css"
    }
}
