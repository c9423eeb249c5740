extension WebURL {
    /// Whether the host of a URL is an IP address.
    ///
    /// The parser accepts no other host that ends in a number.
    package static func isAddress(host: String) -> Bool {
        let bytes = host.utf8
        if bytes.first == UInt8(ascii: "[") { return true }
        return !bytes.isEmpty && bytes.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
    }
}
