import WebDocument
import WebStandards

/// The replacement of references in CSS.
enum StyleWriting {
    /// Returns the range to replace, and its replacement; `nil` if nothing changes.
    static func edit(
        _ range: Range<Int>,
        _ value: Range<Int>,
        _ reference: CopyReference,
        _ decision: Replacement
    ) -> (Range<Int>, [UInt8])? {
        switch decision {
        case .keep: nil
        case .absolute: (range, Escaping.style(reference.address))
        case .url(let url), .marked(let url, _, _): (range, Escaping.style(url))
        case .value(let text): (value, Array(text.utf8))
        case .missing, .remove, .frame, .symbol:
            (range, Escaping.style(NothingToLoad.url(for: reference.kind)))
        }
    }
}

/// URLs that load nothing.
enum NothingToLoad {
    static func url(for kind: Link.Kind) -> String {
        switch kind {
        case .stylesheet: "data:text/css,"
        case .object: "data:\(objectType),"
        default: "data:,"
        }
    }

    /// The type of an `object` in whose place browsers show its contents, if it has any: an invalid image.
    static let objectType = "image/png"
}
