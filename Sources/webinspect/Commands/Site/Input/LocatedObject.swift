import WebLoader

/// A JSON object of a line, with the text of its members: a number may have more digits than fit a number.
struct LocatedObject {
    let value: JSONValue
    private let line: [UInt8]
    private let starts: [(name: String, start: Int)]

    /// Parses a line.
    init(_ line: [UInt8]) throws(JSONValue.ParsingError) {
        var parser = JSONParser(input: line, builder: Builder())
        let object = try parser.document()
        self.line = line
        value = object.value
        starts = object.starts
    }

    /// The text of the last member of a name, without white space between its parts; nil if there is none.
    func text(of name: String) -> [UInt8]? {
        guard let start = starts.last(where: { $0.name == name })?.start else { return nil }
        return Self.value(at: start, in: line)
    }

    /// The text of the value that begins at a place of valid JSON.
    private static func value(at start: Int, in line: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var depth = 0
        var index = start
        while index < line.count {
            let byte = line[index]
            switch byte {
            case UInt8(ascii: "\""):
                let end = end(ofString: index, line)
                output += line[index..<end]
                index = end
                if depth == 0 { return output }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // The end of what it is a member of.
                guard depth > 0 else { return output }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return output
            case 0x20, 0x09, 0x0A, 0x0D:
                index += 1
                continue
            default: break
            }
            output.append(byte)
            index += 1
        }
        return output
    }

    /// Behind the end of a string that begins here.
    private static func end(ofString start: Int, _ line: [UInt8]) -> Int {
        var index = start + 1
        while index < line.count, line[index] != UInt8(ascii: "\"") {
            index += line[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, line.count)
    }

    /// Keeps where values and the members of objects begin.
    private struct Builder: JSONBuilder {
        struct Located {
            let value: JSONValue
            let start: Int
            var starts: [(name: String, start: Int)] = []
        }

        func scalar(_ value: JSONValue, at offset: Int) -> Located { Located(value: value, start: offset) }

        func array(_ items: [Located], at offset: Int) -> Located {
            Located(value: .array(items.map(\.value)), start: offset)
        }

        func object(_ members: [(name: String, offset: Int, value: Located)], at offset: Int) -> Located {
            Located(
                value: .object(members.map { JSONValue.Member($0.name, $0.value.value) }),
                start: offset,
                starts: members.map { ($0.name, $0.value.start) }
            )
        }
    }
}
