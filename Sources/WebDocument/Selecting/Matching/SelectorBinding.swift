import CLibXML2

/// The conditions of a program, with their names looked up in a document's dictionary.
@safe struct SelectorBinding {
    let tests: UnsafeMutableBufferPointer<SelectorMatcher.Test>
    /// The names and texts that the conditions point to.
    let bytes: UnsafeMutableBufferPointer<UInt8>
    /// The dictionary's entries for "class" and "id".
    let classKey: UnsafePointer<UInt8>?
    let idKey: UnsafePointer<UInt8>?

    /// The attributes whose values HTML compares without regard to case.
    ///
    /// <https://html.spec.whatwg.org/multipage/semantics-other.html#case-sensitivity-of-selectors>
    private static let ignoringCase = [
        "accept", "accept-charset", "align", "alink", "axis", "bgcolor", "charset", "checked", "clear",
        "codetype", "color", "compact", "declare", "defer", "dir", "direction", "disabled", "enctype", "face",
        "frame", "hreflang", "http-equiv", "lang", "language", "link", "media", "method", "multiple",
        "nohref",
        "noresize", "noshade", "nowrap", "readonly", "rel", "rev", "rules", "scope", "scrolling", "selected",
        "shape", "target", "text", "type", "valign", "valuetype", "vlink",
    ]

    /// The caller frees both buffers.
    init(_ program: SelectorProgram, _ document: Document) {
        var pool = program.texts
        // Conditions without a text point to this empty one, after all texts.
        let empty = pool.count
        pool.append(0)
        var spellings: [(start: Int, count: Int, lowered: Int, ignoresCase: Bool)] = []
        for name in program.names {
            let lowered = String(asciiLowercasing: name.utf8)
            let start = pool.count
            pool += name.utf8
            pool.append(0)
            spellings.append((start, name.utf8.count, pool.count, Self.ignoringCase.contains(lowered)))
            pool += lowered.utf8
            pool.append(0)
        }
        unsafe bytes = .allocate(capacity: pool.count)
        _ = unsafe bytes.initialize(from: pool)
        unsafe tests = .allocate(capacity: program.simples.count)
        let dictionary = unsafe document.hasInternedNames ? document.tree.pointee.dict : nil
        unsafe classKey = Self.find("class", 5, dictionary)
        unsafe idKey = Self.find("id", 2, dictionary)
        // The pool has at least one byte.
        guard let base = unsafe bytes.baseAddress.map({ unsafe UnsafePointer($0) }) else { return }
        for (index, simple) in program.simples.enumerated() {
            let text = unsafe base + (simple.hasText ? Int(simple.value) : empty)
            var name: UnsafePointer<UInt8>?
            var lowered: UnsafePointer<UInt8>?
            var spelling = unsafe base + empty
            var ignoresCase = false
            if simple.name >= 0 {
                let entry = spellings[Int(simple.name)]
                unsafe spelling = base + entry.start
                ignoresCase = entry.ignoresCase
                unsafe name = Self.find(spelling, entry.count, dictionary)
                unsafe lowered = Self.find(base + entry.lowered, entry.count, dictionary)
            }
            let space = unsafe base + (simple.space == .named ? Int(simple.list) : empty)
            unsafe tests.initializeElement(
                at: index,
                to: .init(
                    simple: simple,
                    name: name,
                    lowered: lowered,
                    spelling: spelling,
                    text: text,
                    count: TreeNode.length(text),
                    space: space,
                    ignoresCaseInHTML: ignoresCase
                )
            )
        }
    }

    /// Looks up a name in the dictionary, nil if it is not there; the name itself if there is no dictionary.
    private static func find(
        _ name: UnsafePointer<UInt8>,
        _ count: Int,
        _ dictionary: xmlDictPtr?
    ) -> UnsafePointer<UInt8>? {
        guard let dictionary = unsafe dictionary else { return unsafe name }
        return unsafe xmlDictExists(dictionary, name, Int32(clamping: count))
    }
}
