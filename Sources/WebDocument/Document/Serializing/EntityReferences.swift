import CLibXML2

/// The references of a text of XML that its parser has left as they are.
@safe struct EntityReferences {
    private let document: UnsafeMutablePointer<xmlDoc>?
    /// Bytes that entities may still stand for.
    private var room = 1 << 16

    /// How deep entities may stand for others.
    private static let maximumDepth = 8

    init(_ document: UnsafeMutablePointer<xmlDoc>?) { unsafe self.document = document }

    /// The text with what its references stand for; nil if one stands for nothing, or for too much.
    mutating func replaced(in text: String) -> String? {
        var output = ""
        return append(text, to: &output, depth: 0) ? output : nil
    }

    private mutating func append(_ text: String, to output: inout String, depth: Int) -> Bool {
        room -= text.utf8.count
        guard depth < Self.maximumDepth, room >= 0 else { return false }
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            output += rest[..<start]
            rest = rest[start...].dropFirst()
            guard let end = rest.firstIndex(of: ";") else { return false }
            let name = rest[..<end]
            rest = rest[end...].dropFirst()
            if name.first == "#" {
                guard let scalar = Self.scalar(name.dropFirst()) else { return false }
                output.unicodeScalars.append(scalar)
                continue
            }
            guard let entity = unsafe xmlGetDocEntity(document, String(name)),
                let content = unsafe entity.pointee.content
            else { return false }
            let value = unsafe String(cString: content)
            if unsafe entity.pointee.etype == XML_INTERNAL_PREDEFINED_ENTITY {
                output += value
            } else {
                guard unsafe entity.pointee.etype == XML_INTERNAL_GENERAL_ENTITY,
                    append(value, to: &output, depth: depth + 1)
                else { return false }
            }
        }
        output += rest
        return true
    }

    private static func scalar(_ digits: Substring) -> Unicode.Scalar? {
        let isHexadecimal = digits.first == "x"
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init)
    }
}
