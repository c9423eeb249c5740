import WebLoader

extension JSONValue {
    /// The document for people: two spaces a level, members in their order.
    var indented: String {
        var output: [UInt8] = []
        write(into: &output, level: 0, columns: 0)
        return String(decoding: output, as: UTF8.self)
    }

    /// The same, with each value on one line that ends within so many columns; for documents of our own, which are small.
    func indented(columns: Int) -> String {
        var output: [UInt8] = []
        write(into: &output, level: 0, columns: columns)
        return String(decoding: output, as: UTF8.self)
    }

    private func write(into output: inout [UInt8], level: Int, columns: Int, label: Int = 0) {
        if columns > 0 {
            let line = oneLine
            // A comma may follow.
            if 2 * level + label + line.count < columns {
                output += line
                return
            }
        }
        switch self {
        case .array(let items) where !items.isEmpty:
            output += "[\n".utf8
            for (index, item) in items.enumerated() {
                Self.indent(&output, level + 1, isFirst: index == 0)
                item.write(into: &output, level: level + 1, columns: columns)
            }
            Self.end(&output, level, "]")
        case .object(let members) where !members.isEmpty:
            output += "{\n".utf8
            for (index, member) in members.enumerated() {
                Self.indent(&output, level + 1, isFirst: index == 0)
                let name = JSONValue.string(member.name).serialized()
                output += name + Array(": ".utf8)
                member.value.write(into: &output, level: level + 1, columns: columns, label: name.count + 2)
            }
            Self.end(&output, level, "}")
        case .null, .bool, .integer, .number, .string, .array, .object: output += serialized()
        }
    }

    private var oneLine: [UInt8] {
        switch self {
        case .array(let items):
            return Array("[".utf8) + items.map(\.oneLine).joined(separator: ", ".utf8) + Array("]".utf8)
        case .object(let members):
            let texts = members.map { member in
                JSONValue.string(member.name).serialized() + Array(": ".utf8) + member.value.oneLine
            }
            return Array("{".utf8) + texts.joined(separator: ", ".utf8) + Array("}".utf8)
        case .null, .bool, .integer, .number, .string: return serialized()
        }
    }

    private static func indent(_ output: inout [UInt8], _ level: Int, isFirst: Bool) {
        if !isFirst { output += ",\n".utf8 }
        output += [UInt8](repeating: 0x20, count: 2 * level)
    }

    private static func end(_ output: inout [UInt8], _ level: Int, _ bracket: String) {
        output.append(0x0A)
        output += [UInt8](repeating: 0x20, count: 2 * level) + Array(bracket.utf8)
    }
}
