import CLibXML2

/// The expansion of the entity references that the XML parser has left unexpanded.
@safe struct EntityReferences {
    /// The bytes of texts, expansions included, that may still be read: a short name may stand for a long text any
    /// number of times.
    private var room = 1 << 20

    /// How deep entities may stand for others.
    private static let maximumDepth = 8

    /// Returns a text of the document with its references expanded; `nil` if one stands for nothing, or all of them for
    /// too much.
    mutating func replaced(in text: String, of document: UnsafeMutablePointer<xmlDoc>?) -> String? {
        var output = ""
        return unsafe append(text, of: document, to: &output, depth: 0) ? output : nil
    }

    private mutating func append(
        _ text: String,
        of document: UnsafeMutablePointer<xmlDoc>?,
        to output: inout String,
        depth: Int
    ) -> Bool {
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
                    unsafe append(value, of: document, to: &output, depth: depth + 1)
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
