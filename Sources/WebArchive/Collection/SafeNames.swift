import WebStandards

/// Names for files, made of URLs: each once, and none that means something to a file system or a shell.
struct SafeNames {
    /// Hashes of the names that are taken, in lower case, since some file systems do not tell cases apart.
    private var taken: Set<UInt64> = []

    /// The last number of a name that was taken more than once: an archive may have a million copies of one URL.
    private var numbers: [UInt64: Int] = [:]

    /// Bytes of a name, at most, before its extension.
    private static let maximumLength = 150

    /// Takes names that are not to be given.
    init(reserving names: [String]) {
        for name in names { taken.insert(Self.hash(name)) }
    }

    /// A name for what a URL answered with.
    mutating func name(for url: String, mimeType: String?) -> String {
        // Only the address counts: no scheme, no credentials, no fragment.
        var text = url[...]
        if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...] }
        text = text.prefix { $0 != "#" }
        if let at = text.prefix(while: { $0 != "/" && $0 != "?" }).lastIndex(of: "@") {
            text = text[text.index(after: at)...]
        }
        var stem = Array(text.utf8)[...]
        for index in stem.indices where !Self.isPlain(stem[index]) { stem[index] = UInt8(ascii: "_") }
        while stem.last == UInt8(ascii: "_") || stem.last == UInt8(ascii: ".") { stem.removeLast() }
        // A file of this name would be hidden, or a flag to a command.
        while let first = stem.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "-") {
            stem.removeFirst()
        }
        if stem.isEmpty { stem = Array("file".utf8)[...] }
        // A host's last label is no extension.
        let isHost = !text.drop { $0 != "/" }.contains { $0 != "/" }
        var ending = isHost ? [] : Self.ending(of: stem)
        if !ending.isEmpty { stem.removeLast(ending.count) }
        if let known = mimeType.flatMap(Self.ending), ending.isEmpty {
            ending = Array(known.utf8)[...]
        }
        let cut = String(decoding: stem.prefix(Self.maximumLength), as: UTF8.self)
        let extension_ = String(decoding: ending, as: UTF8.self)
        let plain = "\(cut)\(extension_)"
        if taken.insert(Self.hash(plain)).inserted { return plain }
        var number = numbers[Self.hash(plain)] ?? 1
        while true {
            number += 1
            let name = "\(cut)~\(number)\(extension_)"
            guard taken.insert(Self.hash(name)).inserted else { continue }
            numbers[Self.hash(plain)] = number
            return name
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The extension of a name with its dot; empty if it has none that looks like one.
    private static func ending(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), name.endIndex - dot <= 6, dot > name.startIndex
        else { return [] }
        let letters = name[(dot + 1)...]
        let isWord =
            !letters.isEmpty && letters.allSatisfy { isPlain($0) && $0 > 0x2F && $0 != UInt8(ascii: "_") }
        return isWord ? name[dot...] : []
    }

    private static func ending(_ mimeType: String) -> String? {
        switch mimeType {
        case "text/html", "application/xhtml+xml": ".html"
        case "text/css": ".css"
        case "text/javascript", "application/javascript", "application/x-javascript": ".js"
        case "application/json": ".json"
        case "application/pdf": ".pdf"
        case "text/plain": ".txt"
        case "text/xml", "application/xml", "application/rss+xml", "application/atom+xml": ".xml"
        case "image/png": ".png"
        case "image/jpeg": ".jpg"
        case "image/gif": ".gif"
        case "image/webp": ".webp"
        case "image/svg+xml": ".svg"
        case "font/woff2": ".woff2"
        default: nil
        }
    }

    private static func hash(_ name: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 {
            let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
            hash = (hash ^ UInt64(isUpper ? byte | 0x20 : byte)) &* 0x100_0000_01B3
        }
        return hash
    }
}
