extension StaticString {
    /// The words of a table, which white space divides; without what dividing characters would cost each program
    /// that reads the table.
    package var words: [String] {
        "\(self)".utf8.split(whereSeparator: \.isASCIIWhitespace).map { String(Substring($0)) }
    }
}
