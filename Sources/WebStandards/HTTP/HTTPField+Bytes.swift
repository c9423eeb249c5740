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
}
