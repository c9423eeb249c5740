import WebStandards

/// References from a file of a mirror to another.
enum RelativeReference {
    /// Returns the reference from a file to another.
    ///
    /// - Parameters:
    ///   - place: The path of the file that refers, from the mirror's top.
    ///   - target: The path of the other.
    ///   - fragment: The fragment, as in a URL; `nil` if there is none.
    /// - Returns: A relative URL, whose names are percent-encoded.
    static func reference(from place: [String], to target: [String], fragment: String? = nil) -> String {
        var shared = 0
        while shared < place.count - 1, shared < target.count - 1, place[shared] == target[shared] {
            shared += 1
        }
        var text = String(repeating: "../", count: max(0, place.count - 1 - shared))
        text += target[shared...].map(encoded).joined(separator: "/")
        if let fragment { text += "#" + fragment }
        return text
    }

    /// Returns a name with everything percent-encoded that may have a meaning in a URL.
    static func encoded(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            if byte.isASCIIAlphanumeric || "-._".utf8.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + String(UInt64(byte).hexadecimal(digits: 2)).uppercased()
            }
        }
        return text
    }
}
