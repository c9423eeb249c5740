import WebStandards

/// The common form of the URLs of pages from one template: everything but numbers, IDs and the values of parameters.
enum URLForm {
    /// The minimum length of a word with digits to be taken for an ID.
    private static let shortestID = 8
    /// The minimum length of a word to be taken for a token, for example in base 64, rather than a word of a language.
    private static let shortestToken = 24

    /// Returns the form of a URL.
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

    /// Returns the folders of a URL that are counted: the first ones of its path, from the top.
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
