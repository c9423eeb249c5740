public import HTTPTypes

extension HTTPField {
    /// A field with a value of any bytes, of which line feeds, carriage returns and NULs become spaces.
    ///
    /// As `init(name:lenientValue:)`, which takes twice as long for what nearly all values are.
    @inlinable
    package init(name: Name, bytes: some BidirectionalCollection<UInt8>) {
        let isPlain =
            bytes.allSatisfy { 0x20...0x7E ~= $0 } && bytes.first != 0x20 && bytes.last != 0x20
        if isPlain {
            self.init(name: name, value: String(decoding: bytes, as: UTF8.self))
        } else {
            self.init(name: name, lenientValue: bytes)
        }
    }

    /// The value as text of a URL: where it is no UTF-8, its bytes are percent-encoded, as the server means these very bytes.
    ///
    /// [RFC 9110, 5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5)
    package var urlText: String {
        unsafe withUnsafeBytesOfValue { unsafe String(urlBytes: $0) }
    }
}

extension String {
    /// The text of a URL that was received as bytes: where they are no UTF-8, those that are not ASCII are percent-encoded.
    package init(urlBytes bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = text
            return
        }
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in bytes {
            if byte < 0x80 {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        self = String(decoding: encoded, as: UTF8.self)
    }
}
