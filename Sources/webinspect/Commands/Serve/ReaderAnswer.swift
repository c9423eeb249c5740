import WebLoader

/// What a reader answers.
enum ReaderAnswer: Sendable {
    case json(JSONValue)
    /// A document as it stands, HTML.
    case bytes([UInt8])

    /// What the frame has in it.
    var content: [UInt8] {
        switch self {
        case .json(let value): value.serialized(sortingNames: false)
        case .bytes(let bytes): bytes
        }
    }
}
