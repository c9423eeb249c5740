import WebLoader

/// A reader's answer to a request.
enum ReaderAnswer: Sendable {
    case json(JSONValue)
    /// A document as it stands, HTML.
    case bytes([UInt8])

    /// The contents of the answer's frame.
    var content: [UInt8] {
        switch self {
        case .json(let value): value.serialized(sortingNames: false)
        case .bytes(let bytes): bytes
        }
    }
}
