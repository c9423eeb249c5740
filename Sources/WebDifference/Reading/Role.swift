/// The role of an element in the comparison, by its name.
struct Role: OptionSet {
    let rawValue: UInt32

    static let block = Role(rawValue: 1)
    static let heading = Role(rawValue: 2)
    static let item = Role(rawValue: 4)
    static let cell = Role(rawValue: 8)
    /// Text in it belongs to a form.
    static let formText = Role(rawValue: 16)
    /// A unit by itself if it has no contents.
    static let leaf = Role(rawValue: 32)
    static let image = Role(rawValue: 64)
    static let control = Role(rawValue: 128)
    /// Its contents are not part of the page's flow.
    static let script = Role(rawValue: 256)
    static let style = Role(rawValue: 512)
    static let metadata = Role(rawValue: 1024)
    static let drawing = Role(rawValue: 2048)
    static let table = Role(rawValue: 4096)
    static let row = Role(rawValue: 8192)
    static let list = Role(rawValue: 16384)
    static let form = Role(rawValue: 32768)
    static let link = Role(rawValue: 65536)
    /// An element that only ends a word.
    static let gap = Role(rawValue: 131_072)
    /// Never reported as added or removed as a whole.
    static let frame = Role(rawValue: 262_144)
    /// White space in it is shown.
    static let preformatted = Role(rawValue: 524_288)
    /// External content that is shown in the page.
    static let embedded = Role(rawValue: 1_048_576)

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The role of elements with a name.
    init(_ name: String) { self = Self.roles[name] ?? [] }

    /// The kind of a change of text in such an element; `nil` if the elements around it determine the kind.
    var textKind: PageDifference.Kind? {
        if contains(.heading) { return .heading }
        if contains(.formText) { return .form }
        if contains(.item) { return .list }
        return contains(.cell) ? .table : nil
    }

    private static let roles: [String: Role] = {
        var roles: [String: Role] = [:]
        func add(_ role: Role, _ names: String) {
            for name in names.split(separator: " ") { roles[String(name), default: []].formUnion(role) }
        }
        add(
            .block,
            """
            address article aside blockquote body center details dialog dd dir div dl dt fieldset figcaption figure footer form \
            frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre search \
            section select summary table tbody td template textarea tfoot th thead tr ul caption button noscript iframe object \
            video audio marquee listing plaintext xmp datalist
            """
        )
        add(.heading, "h1 h2 h3 h4 h5 h6")
        add(.item, "li dt dd")
        add(.list, "ul ol dl menu dir")
        add(.cell, "td th caption")
        add(.row, "tr")
        add(.table, "table tbody thead tfoot tr td th caption colgroup col")
        add(.formText, "button option optgroup legend select textarea datalist")
        add(.form, "form fieldset select datalist optgroup option button textarea input label")
        add(
            .leaf,
            "img input hr iframe embed object video audio canvas source track area select textarea button param"
        )
        add(.image, "img picture source area map figure")
        add(.control, "input select textarea button")
        add(.script, "script")
        add(.style, "style")
        add(.metadata, "title meta link base")
        add(.drawing, "svg math")
        add(.link, "a area")
        add(.gap, "br wbr")
        add(.frame, "html head body main")
        add(.preformatted, "pre textarea listing xmp plaintext")
        add(.embedded, "iframe embed object video audio")
        return roles
    }()
}
