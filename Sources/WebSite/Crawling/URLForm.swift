import WebStandards

/// What is the same about the URLs of pages that one template makes: all but numbers, IDs, and the values of parameters.
enum URLForm {
    /// Words of so many letters and digits are taken for IDs, if they have both.
    private static let shortestID = 8
    /// Words of so many letters without a vowel's break are no words of a language: tokens in base 64.
    private static let shortestToken = 24

    /// The form of a URL.
    static func form(of url: WebURL) -> String {
        var form = Array(url.hostAndPort.utf8)
        append(Array(url.path.utf8), to: &form)
        guard let query = url.query else { return String(decoding: form, as: UTF8.self) }
        form.append(UInt8(ascii: "?"))
        for parameter in query.utf8.split(separator: UInt8(ascii: "&")) {
            append(Array(parameter.prefix { $0 != UInt8(ascii: "=") }), to: &form)
            form.append(UInt8(ascii: "&"))
        }
        return String(decoding: form, as: UTF8.self)
    }

    /// Appends a text with "0" in place of each word that is a number or an ID.
    private static func append(_ text: [UInt8], to form: inout [UInt8]) {
        var index = 0
        while index < text.count {
            guard text[index].isASCIIAlphanumeric else {
                form.append(text[index])
                index += 1
                continue
            }
            var end = index
            var digits = 0
            while end < text.count, text[end].isASCIIAlphanumeric {
                if text[end].isASCIIDigit { digits += 1 }
                end += 1
            }
            let word = text[index..<end]
            index = end
            if digits > 0 && word.count >= shortestID || word.count >= shortestToken {
                form.append(UInt8(ascii: "0"))
                continue
            }
            // "page12" is "page0".
            var isNumber = false
            for byte in word {
                if !byte.isASCIIDigit {
                    form.append(byte)
                } else if !isNumber {
                    form.append(UInt8(ascii: "0"))
                }
                isNumber = byte.isASCIIDigit
            }
        }
    }

    /// The folders of a URL that are counted: its path's first ones, from the uppermost.
    static func folders(of url: WebURL, _ maximum: Int = 3) -> [String] {
        let path = Array(url.path.utf8)
        var folders: [String] = []
        for index in path.indices.dropFirst() where path[index] == UInt8(ascii: "/") {
            folders.append(url.hostAndPort + String(decoding: path[...index], as: UTF8.self))
            if folders.count >= maximum { break }
        }
        return folders
    }
}
