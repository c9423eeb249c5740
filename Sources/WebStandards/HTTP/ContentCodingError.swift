/// Why the content codings of a body cannot be undone.
package enum ContentCodingError: Error, Equatable {
    case tooManyCodings(count: Int)
    /// Its library is not there.
    case unavailable(ContentCoding)
    case noMemory(ContentCoding)
    case damaged(ContentCoding)
    /// The body ends before its stream does.
    case truncated(ContentCoding)
    /// More coded bytes than the decoded ones that are accepted can have.
    case tooLarge(ContentCoding, limit: Int, reached: Int)

    /// A description of the failure for people.
    package var message: String {
        switch self {
        case .tooManyCodings: "the body has more than \(ContentCoding.maximumCount) content codings"
        case .unavailable(let coding): "\(coding.rawValue) cannot be decoded: its library is not available"
        case .noMemory(let coding): "not enough memory to decode \(coding.rawValue)"
        case .damaged(let coding): "the body is not valid \(coding.rawValue)"
        case .truncated(let coding): "the body ends before its \(coding.rawValue) stream does"
        case .tooLarge(let coding, let limit, _):
            "the body in \(coding.rawValue) has more than \(limit) bytes"
        }
    }
}
