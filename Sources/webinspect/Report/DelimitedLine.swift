/// A line of values with something between them.
enum DelimitedLine {
    /// [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180), but that lines end as this system's do.
    static func csv(_ values: [String]) -> [UInt8] {
        var output: [UInt8] = []
        for (index, value) in values.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            let needsQuotes = value.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
            guard needsQuotes else {
                output += value.utf8
                continue
            }
            output.append(UInt8(ascii: "\""))
            for byte in value.utf8 {
                if byte == UInt8(ascii: "\"") { output.append(byte) }
                output.append(byte)
            }
            output.append(UInt8(ascii: "\""))
        }
        output.append(0x0A)
        return output
    }

    /// [Tab-separated values](https://www.iana.org/assignments/media-types/text/tab-separated-values), in which no value
    /// can have a tab or a line feed: these become spaces.
    static func tsv(_ values: [String]) -> [UInt8] {
        var output: [UInt8] = []
        for (index, value) in values.enumerated() {
            if index > 0 { output.append(0x09) }
            for byte in value.utf8 {
                output.append(byte == 0x09 || byte == 0x0A || byte == 0x0D ? 0x20 : byte)
            }
        }
        output.append(0x0A)
        return output
    }
}
