/// The class names of microformats, both microformats2 and classic ones.
struct MicroformatClasses {
    /// How a property's value is read.
    enum Form: Hashable {
        /// `p-`
        case text
        /// `u-`
        case url
        /// `dt-`
        case date
        /// `e-`
        case markup
        /// For a classic `rel=tag`: the last part of the path that it links to.
        case tag
    }

    /// A property that an element's class names.
    struct Property {
        let form: Form
        let name: String
        /// For a classic one: the type of the item that its element is, if its root class names make none of it.
        var item: String? = nil
    }

    /// The root class names, sorted; empty for an element that is no root.
    private(set) var types: [String] = []

    /// Whether the root class name is a classic one.
    private(set) var isClassic = false

    /// Whether there is no root class name, but that of a property which is an item.
    private(set) var isMadeByProperty = false

    private let words: [String]

    /// In elements with this many names, which no ordinary page has, repetitions are not removed.
    private static let maximumCheckedNames = 32

    private static func isDuplicate(_ word: String, in words: [String]) -> Bool {
        words.count < maximumCheckedNames && words.contains(word)
    }

    /// Reads an element's `class`.
    init(_ element: TreeNode) {
        words = element.attribute("class")?.asciiWords ?? []
        for word in words where word.utf8.first == UInt8(ascii: "h") {
            if Self.name(word, after: "h-") != nil, !Self.isDuplicate(word, in: types) { types.append(word) }
        }
        guard types.isEmpty else {
            types.sort()
            return
        }
        for word in words {
            guard let type = ClassicMicroformats.type(word), !Self.isDuplicate(type, in: types) else {
                continue
            }
            types.append(type)
            isClassic = true
        }
        types.sort()
    }

    /// Makes the element an item, if it is not one and one of these properties is.
    mutating func becomeItem(by properties: [Property]) {
        guard types.isEmpty, let type = properties.lazy.compactMap(\.item).first else { return }
        types = [type]
        isClassic = true
        isMadeByProperty = true
    }

    /// Whether one of the class names is this one.
    func contains(_ word: String) -> Bool { words.contains(word) }

    /// The properties of an item that the element states.
    ///
    /// - Parameters:
    ///   - types: The item's types, where its root class name is a classic one; else nil.
    ///   - relations: The words of the element's `rel`.
    /// - Returns: The properties, each once.
    func properties(ofClassic types: [String]?, relations: [String]) -> [Property] {
        var properties: [Property] = []
        func add(_ property: Property) {
            let isDuplicate =
                properties.count < Self.maximumCheckedNames
                && properties.contains { $0.form == property.form && $0.name == property.name }
            if !isDuplicate { properties.append(property) }
        }
        if let types {
            for word in words { ClassicMicroformats.properties(word, of: types).forEach(add) }
            for word in relations { ClassicMicroformats.properties(relation: word, of: types).forEach(add) }
        } else {
            for word in words { Self.property(word).map(add) }
        }
        return properties
    }

    private static func property(_ word: String) -> Property? {
        switch word.utf8.first {
        case UInt8(ascii: "p"): name(word, after: "p-").map { Property(form: .text, name: $0) }
        case UInt8(ascii: "u"): name(word, after: "u-").map { Property(form: .url, name: $0) }
        case UInt8(ascii: "d"): name(word, after: "dt-").map { Property(form: .date, name: $0) }
        case UInt8(ascii: "e"): name(word, after: "e-").map { Property(form: .markup, name: $0) }
        default: nil
        }
    }

    /// The name after a prefix: words of letters; the first one may have digits, too, where others follow.
    ///
    /// <https://microformats.org/wiki/microformats2-parsing#note_about_class_names>
    private static func name(_ word: String, after prefix: String) -> String? {
        guard word.hasPrefix(prefix), word.utf8.count <= 100 else { return nil }
        let name = word.utf8.dropFirst(prefix.utf8.count)
        let parts = name.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let mayHaveDigits = index == 0 && parts.count > 1
            let isName = part.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || mayHaveDigits && byte.isASCIIDigit
            }
            guard !part.isEmpty, isName else { return nil }
        }
        return String(Substring(name))
    }

    /// Whether a `class` may hold a root class name.
    ///
    /// It is called for each element of a page, so it compares bytes only, and accepts more than root class
    /// names.
    static func mayHoldRoot(_ attribute: TreeAttribute) -> Bool {
        guard var byte = unsafe attribute.valueBytes else { return false }
        var isStart = true
        while unsafe byte.pointee != 0 {
            if isStart, unsafe mayBeginRoot(byte) { return true }
            isStart = unsafe byte.pointee.isASCIIWhitespace
            unsafe byte += 1
        }
        return false
    }

    /// Whether bytes that end with NUL may begin with a root class name.
    private static func mayBeginRoot(_ bytes: UnsafePointer<UInt8>) -> Bool {
        switch unsafe bytes[0] {
        case UInt8(ascii: "h"):
            guard unsafe bytes[1] != UInt8(ascii: "-") else { return true }
            return unsafe ClassicMicroformats.begins(bytes)
        case UInt8(ascii: "v"), UInt8(ascii: "a"), UInt8(ascii: "g"):
            return unsafe ClassicMicroformats.begins(bytes)
        default: return false
        }
    }
}
