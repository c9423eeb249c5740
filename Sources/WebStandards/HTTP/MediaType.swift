/// A MIME type (media type), such as `text/html;charset=utf-8`.
///
/// Parsing lowercases `type`, `subtype` and the parameters' names, and drops malformed parameters; two values
/// are equal if they serialise equally.
///
/// [MIME Sniffing: MIME type representation](https://mimesniff.spec.whatwg.org/#mime-type-representation)
public struct MediaType: Hashable, Sendable {
    /// One parameter, such as `charset=utf-8`.
    public struct Parameter: Hashable, Sendable {
        /// The name, in ASCII lowercase.
        public let name: String

        /// The value, as given, without quotes and escapes.
        public let value: String
    }

    /// The part before the slash, such as `text`, in ASCII lowercase and never empty.
    public let type: String

    /// The part after the slash, such as `html`, in ASCII lowercase and never empty.
    public let subtype: String

    /// The parameters in order of appearance, each name once.
    public internal(set) var parameters: [Parameter]

    /// Creates a media type from parts that are known to be valid and lowercase.
    init(type: String, subtype: String, parameters: [Parameter] = []) {
        self.type = type
        self.subtype = subtype
        self.parameters = parameters
    }

    /// The type and the subtype without parameters, such as `text/html`.
    public var essence: String { "\(type)/\(subtype)" }

    /// The value of the parameter `name`; `nil` if it is missing.
    ///
    /// `name` is compared as it is, so pass it in lowercase.
    ///
    /// - Complexity: O(*n*) in the number of parameters.
    public subscript(parameter name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// Whether type and subtype are these.
    func isEssence(_ type: StaticString, _ subtype: StaticString) -> Bool {
        self.type == type.description && self.subtype == subtype.description
    }
}

// MARK: - Well-known types

extension MediaType {
    /// `text/html`.
    public static let textHTML = MediaType(type: "text", subtype: "html")

    /// `text/plain`.
    public static let textPlain = MediaType(type: "text", subtype: "plain")

    /// `text/xml`.
    public static let textXML = MediaType(type: "text", subtype: "xml")

    /// `application/xhtml+xml`.
    public static let applicationXHTML = MediaType(type: "application", subtype: "xhtml+xml")

    /// `application/octet-stream`: bytes of unknown type.
    public static let applicationOctetStream = MediaType(type: "application", subtype: "octet-stream")
}

// MARK: - Serialising

extension MediaType: CustomStringConvertible {
    /// The serialisation, such as `text/html;charset=utf-8`, which parses to an equal value.
    ///
    /// [MIME Sniffing: serialize a MIME type](https://mimesniff.spec.whatwg.org/#serialize-a-mime-type)
    public var description: String {
        // 1. The essence.
        var serialization = essence
        // 2. Each parameter; its value in quotes unless it is a token.
        for parameter in parameters {
            serialization += ";\(parameter.name)="
            if !parameter.value.isEmpty, parameter.value.utf8.allSatisfy(\.isHTTPToken) {
                serialization += parameter.value
            } else {
                serialization += "\""
                for scalar in parameter.value.unicodeScalars {
                    if scalar == "\"" || scalar == "\\" { serialization += "\\" }
                    serialization.unicodeScalars.append(scalar)
                }
                serialization += "\""
            }
        }
        return serialization
    }
}

extension MediaType: Codable {
    /// Decodes the serialisation.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a string that is not a MIME type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let serialization = try container.decode(String.self)
        guard let parsed = MediaType(serialization) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a MIME type")
        }
        self = parsed
    }

    /// Encodes the serialisation as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
