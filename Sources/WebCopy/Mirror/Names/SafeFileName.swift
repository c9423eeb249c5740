import WebStandards

/// Names of files and folders that every system accepts, and distinguishes.
///
/// Names consist of letters, digits and marks of any script, and "-._+=@,()!"; everything else becomes an underscore.
/// That excludes characters that Windows reserves, invisible ones (controls, marks of direction), and those with a
/// meaning in a shell or a URL.
enum SafeFileName {
    /// The maximum length of a name in bytes, of the 255 that file systems accept: encrypted ones accept 143, and a
    /// path on Windows has to have room for several.
    static let maximumLength = 100

    /// Returns a safe name that resembles a text.
    ///
    /// - Parameters:
    ///   - bytes: The text, in UTF-8; invalid bytes become underscores.
    ///   - length: The maximum length, in bytes.
    /// - Returns: A name that is not empty, does not begin with a dot or a hyphen, nor end with a dot, and is not a
    ///   device of Windows.
    static func name(like bytes: some Sequence<UInt8>, maximumLength length: Int = maximumLength) -> String {
        var name = ""
        var count = 0
        for scalar in String(decoding: Array(bytes.prefix(length *| 3)), as: UTF8.self).unicodeScalars {
            let kept = isKept(scalar) ? scalar : "_"
            let size = UTF8.width(kept)
            guard count + size <= length - 2 else { break }
            name.unicodeScalars.append(kept)
            count += size
        }
        guard let first = name.utf8.first else { return "_" }
        // A mark would combine with the character before it.
        let joins = name.unicodeScalars.first.map(isMark) ?? false
        if first == UInt8(ascii: ".") || first == UInt8(ascii: "-") || joins || isDevice(name) {
            name = "_" + name
        }
        if name.utf8.last == UInt8(ascii: ".") { name += "_" }
        return name
    }

    /// Returns a key of a name, the same for names that some system takes for the same one.
    ///
    /// Strings are equal if they are canonically equivalent, so that how accents are written does not count either.
    static func key(_ name: String) -> String { name.uppercased().lowercased() }

    // MARK: - Characters

    private static func isASCII(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x80 }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        if isASCII(scalar) {
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            return byte.isASCIIAlphanumeric || "-._+=@,()!".utf8.contains(byte)
        }
        // Characters that comparisons of names may ignore.
        guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
            return true
        default: return false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    // MARK: - Devices

    /// Whether Windows takes a name for a device, whatever its extension.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file>
    private static func isDevice(_ name: String) -> Bool {
        let stem = String(name.prefix { $0 != "." }).uppercased()
        if devices.contains(stem) { return true }
        guard stem.count == 4, let digit = stem.unicodeScalars.last else { return false }
        let isNumbered = stem.hasPrefix("COM") || stem.hasPrefix("LPT")
        return isNumbered && ("0"..."9" ~= digit || "¹²³".unicodeScalars.contains(digit))
    }

    private static let devices: Set<String> = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"]
}
