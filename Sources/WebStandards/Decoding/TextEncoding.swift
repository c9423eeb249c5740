internal import CEncodingTables

/// An encoding of the Encoding standard: the set is closed, a page cannot be in any other.
///
/// The raw value is the encoding's place in the standard's table. Store ``name`` instead, as `Codable` does.
///
/// <https://encoding.spec.whatwg.org/#names-and-labels>
public enum TextEncoding: UInt8, CaseIterable, Sendable {
    /// UTF-8.
    case utf8
    /// IBM866.
    case ibm866
    /// ISO-8859-2.
    case iso8859Part2
    /// ISO-8859-3.
    case iso8859Part3
    /// ISO-8859-4.
    case iso8859Part4
    /// ISO-8859-5.
    case iso8859Part5
    /// ISO-8859-6.
    case iso8859Part6
    /// ISO-8859-7.
    case iso8859Part7
    /// ISO-8859-8, in visual order.
    case iso8859Part8
    /// ISO-8859-8-I, in logical order; its bytes mean what those of ISO-8859-8 mean.
    case iso8859Part8I
    /// ISO-8859-10.
    case iso8859Part10
    /// ISO-8859-13.
    case iso8859Part13
    /// ISO-8859-14.
    case iso8859Part14
    /// ISO-8859-15.
    case iso8859Part15
    /// ISO-8859-16.
    case iso8859Part16
    /// KOI8-R.
    case koi8R
    /// KOI8-U.
    case koi8U
    /// macintosh.
    case macintosh
    /// windows-874.
    case windows874
    /// windows-1250.
    case windows1250
    /// windows-1251.
    case windows1251
    /// windows-1252, which the labels of ISO-8859-1 and ASCII stand for too.
    case windows1252
    /// windows-1253.
    case windows1253
    /// windows-1254.
    case windows1254
    /// windows-1255.
    case windows1255
    /// windows-1256.
    case windows1256
    /// windows-1257.
    case windows1257
    /// windows-1258.
    case windows1258
    /// x-mac-cyrillic.
    case xMacCyrillic
    /// GBK.
    case gbk
    /// gb18030.
    case gb18030
    /// Big5.
    case big5
    /// EUC-JP.
    case eucJP
    /// ISO-2022-JP.
    case iso2022JP
    /// Shift_JIS.
    case shiftJIS
    /// EUC-KR.
    case eucKR
    /// The replacement encoding, which decodes to nothing but one U+FFFD.
    case replacement
    /// UTF-16BE.
    case utf16BE
    /// UTF-16LE.
    case utf16LE
    /// x-user-defined.
    case xUserDefined

    /// Finds the encoding for a label, as in a Content-Type's `charset`, a `meta` element or a form.
    ///
    /// ASCII whitespace around the label and its case do not matter. The result is `nil` if the standard does not list
    /// the label.
    ///
    /// <https://encoding.spec.whatwg.org/#concept-encoding-get>
    public init?(label: String) {
        let bytes = label.utf8
        self.init(label: bytes.span)
    }

    /// Finds the encoding that a label stands for, without making a string of it.
    init?(label: Span<UInt8>) {
        // Step 1: remove leading and trailing ASCII whitespace.
        var first = 0
        var end = label.count
        while first < end, label[first].isASCIIWhitespace { first += 1 }
        while first < end, label[end - 1].isASCIIWhitespace { end -= 1 }
        guard first < end, end - first <= Int(ENCODING_LABEL_WIDTH) else { return nil }
        // Step 2: an ASCII case-insensitive match, by binary search among the labels in lower case.
        var low: UInt32 = 0
        var high = UInt32(truncatingIfNeeded: ENCODING_LABEL_COUNT)
        while low < high {
            let middle = (low &+ high) / 2
            let order = Self.order(of: label, from: first, to: end, againstLabel: middle)
            if order == 0 {
                self.init(rawValue: encoding_label_encoding(middle))
                return
            }
            if order < 0 { high = middle } else { low = middle &+ 1 }
        }
        return nil
    }

    /// The encoding's name in the standard's case, as `document.characterSet` reports it.
    public var name: String {
        unsafe String(unsafeUninitializedCapacity: Int(ENCODING_NAME_WIDTH)) { buffer in
            var length = 0
            while length < buffer.count,
                case let byte = encoding_name(rawValue, UInt32(truncatingIfNeeded: length)), byte != 0
            {
                unsafe buffer[length] = UInt8(bitPattern: byte)
                length += 1
            }
            return length
        }
    }

    /// The encoding that forms and URL queries of a document in this encoding are written in.
    ///
    /// UTF-8 for the replacement encoding and UTF-16, in which browsers never send anything; else the
    /// encoding itself.
    ///
    /// <https://encoding.spec.whatwg.org/#get-an-output-encoding>
    public var outputEncoding: TextEncoding {
        switch self {
        case .replacement, .utf16BE, .utf16LE: .utf8
        default: self
        }
    }

    /// Whether this is UTF-16BE or UTF-16LE.
    var isUTF16: Bool { self == .utf16BE || self == .utf16LE }

    /// The encoding that is used where a `meta` element declares this one.
    ///
    /// A declaration that could be read shows that the text is not in UTF-16, and x-user-defined is not for
    /// documents.
    var asDeclaredByMeta: TextEncoding {
        if isUTF16 { return .utf8 }
        return self == .xUserDefined ? .windows1252 : self
    }

    /// Compares part of a label, in lower case, with a label of the table: negative, zero or positive.
    private static func order(
        of label: Span<UInt8>,
        from first: Int,
        to end: Int,
        againstLabel number: UInt32
    ) -> Int {
        let length = Int(encoding_label_length(number))
        for index in 0..<min(end - first, length) {
            let known = encoding_label_byte(number, UInt32(truncatingIfNeeded: index))
            let difference = Int(label[first + index].asciiLowercased) - Int(known)
            if difference != 0 { return difference }
        }
        return end - first - length
    }
}

extension TextEncoding: CustomStringConvertible {
    /// The encoding's name.
    public var description: String { name }
}

extension TextEncoding: Codable {
    /// Reads a name or any other label.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the string is not a label of the standard.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let label = try container.decode(String.self)
        guard let encoding = TextEncoding(label: label) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "no encoding has this label"
            )
        }
        self = encoding
    }

    /// Writes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
