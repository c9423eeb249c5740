extension WebURL: Hashable {
    /// Whether the serialisations are equal.
    ///
    /// <https://url.spec.whatwg.org/#concept-url-equals>
    public static func == (left: WebURL, right: WebURL) -> Bool {
        left.href == right.href
    }

    /// Hashes the serialisation.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(href)
    }
}

extension WebURL: Comparable {
    /// Compares the bytes of the serialisations.
    public static func < (left: WebURL, right: WebURL) -> Bool {
        left.href < right.href
    }
}

extension WebURL: CustomStringConvertible, CustomDebugStringConvertible {
    /// The serialisation with username and password replaced by "***".
    public var description: String {
        guard layout.includesCredentials else { return href }
        let start = Int(layout.schemeEnd) + 3
        return string(0..<start) + "***@" + string(Int(layout.hostStart)..<href.utf8.count)
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension WebURL: CustomReflectable {
    /// Shows ``description`` only, so that a dump holds no credentials.
    public var customMirror: Mirror {
        Mirror(self, children: ["href": description], displayStyle: .struct)
    }
}

extension WebURL: Codable {
    /// Decodes a string and parses it.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if it is not an absolute URL.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            try self.init(container.decode(String.self))
        } catch let error as WebURLError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a URL: \(error)")
        }
    }

    /// Encodes ``href``, credentials included.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(href)
    }
}
