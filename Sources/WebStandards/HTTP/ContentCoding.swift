import CContentCoding
package import HTTPTypes

/// A content coding that can be undone.
///
/// [RFC 9110, section 8.4.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1)
package enum ContentCoding: String, CaseIterable {
    case gzip
    case deflate
    case brotli = "br"
    case zstd

    /// The value of Accept-Encoding: the codings whose libraries are available.
    package static let acceptEncoding: String = {
        let available = allCases.filter(\.isAvailable)
        return available.isEmpty ? "identity" : available.map(\.rawValue).joined(separator: ", ")
    }()

    /// The maximum number of codings of a response; in practice there is one.
    package static let maximumCount = 5

    /// The codings of a response, in the order in which they were applied; nil if one of them is not known.
    ///
    /// Browsers then show the body without decoding it, which is right where the field is a mistake, as in
    /// "Content-Encoding: utf-8".
    ///
    /// - Throws: ``ContentCodingError`` if there are too many.
    package static func codings(in fields: HTTPFields) throws(ContentCodingError) -> [ContentCoding]? {
        var codings: [ContentCoding] = []
        var count = 0
        for name in fields.listElements(.contentEncoding) where name != "identity" {
            count += 1
            guard count <= maximumCount else { throw .tooManyCodings(count: count) }
            guard let coding = ContentCoding(rawValue: name == "x-gzip" ? "gzip" : name) else { return nil }
            codings.append(coding)
        }
        return codings
    }

    /// Whether its library is available.
    var isAvailable: Bool { webl_coding_is_available(code) != 0 }

    var code: webl_coding {
        switch self {
        case .gzip: WEBL_CODING_GZIP
        case .deflate: WEBL_CODING_DEFLATE
        case .brotli: WEBL_CODING_BROTLI
        case .zstd: WEBL_CODING_ZSTD
        }
    }
}

extension HTTPFields {
    /// The elements of a list field in lower case, over all fields of the name; empty ones are left out.
    ///
    /// Looking through the few fields of a response is cheaper than the index that their subscript makes.
    ///
    /// [RFC 9110, section 5.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.1)
    package func listElements(_ name: HTTPField.Name) -> [String] {
        var elements: [String] = []
        for field in self where field.name == name {
            let value = field.value
            for element in value.utf8.split(separator: UInt8(ascii: ",")) {
                var bytes = element
                while let first = bytes.first, first.isHTTPTabOrSpace { bytes.removeFirst() }
                while let last = bytes.last, last.isHTTPTabOrSpace { bytes.removeLast() }
                if !bytes.isEmpty { elements.append(String(asciiLowercasing: bytes)) }
            }
        }
        return elements
    }
}
