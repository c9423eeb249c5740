internal import WebDocument
internal import WebStandards

/// The comparison of the attributes of paired elements.
extension Comparison {
    typealias Bytes = ArraySlice<UInt8>

    mutating func compareAttributes(_ x: Int32, _ y: Int32, but told: [Int32] = []) {
        let (left, right) = (a.tree.items[Int(x)].attributes, b.tree.items[Int(y)].attributes)
        if left.isEmpty, right.isEmpty { return }
        let isEqual =
            left.count == right.count
            && zip(left, right).allSatisfy { one, other in
                let (first, second) = (a.tree.attributes[one], b.tree.attributes[other])
                return first.name == second.name
                    && a.tree.bytes[first.value].elementsEqual(b.tree.bytes[second.value])
            }
        if isEqual { return }
        var values: [Int32: (old: Bytes?, new: Bytes?)] = [:]
        var order: [Int32] = []
        for attribute in a.tree.attributes[left] where values[attribute.name] == nil {
            values[attribute.name] = (a.tree.bytes[attribute.value], nil)
            order.append(attribute.name)
        }
        for attribute in b.tree.attributes[right] {
            if values[attribute.name] == nil { order.append(attribute.name) }
            guard values[attribute.name]?.new == nil else { continue }
            values[attribute.name, default: (nil, nil)].new = b.tree.bytes[attribute.value]
        }
        var isReordered = true
        for name in order {
            guard let (old, new) = values[name], !told.contains(name) else { continue }
            if let old, let new, old.elementsEqual(new) { continue }
            isReordered = false
            compare(x, y, name, old, new)
        }
        if isReordered, told.isEmpty { ignore("order") }
    }

    /// Compares an attribute whose values differ; one of the values may be missing.
    mutating func compare(_ x: Int32, _ y: Int32, _ number: Int32, _ old: Bytes?, _ new: Bytes?) {
        let name = names[Int(number)]
        let element = names[Int(a.tree.items[Int(x)].name)]
        func place(_ side: Side, _ item: Int32, _ value: Bytes?) -> FoundChange.Place {
            // A Boolean attribute has no value: show its name.
            FoundChange.Place(
                element: item,
                text: value.map {
                    $0.isEmpty ? (old == nil || new == nil ? name : "") : side.string($0)
                },
                order: item
            )
        }
        let change = FoundChange(
            kind: kind(x, element, name),
            operation: old == nil ? .added : new == nil ? .removed : .changed,
            old: place(a, x, old),
            new: place(b, y, new),
            name: "\(name) of \(label(x, element))"
        )
        if options.ignoredAttributes.contains(name) {
            return hide("attribute", rule: "attribute \(name)", change)
        }
        if number == a.known.className {
            let (isSame, isVolatile) = Volatility.classes(old ?? [], new ?? [])
            if isSame, !isVolatile { return hide("order", change) }
            if isSame, !options.includesVolatile { return hide("volatile", change) }
        }
        if let old, let new {
            if isCollapsedEqual(old, new) { return hide("whitespace", change) }
            if !options.includesVolatile, isVolatile(x, y, name, old, new) {
                return hide("volatile", change)
            }
        }
        found.append(change)
    }

    /// An element's label: its tag name with its `name` or `id`.
    private func label(_ x: Int32, _ element: String) -> String {
        guard let name = a.attribute(x, a.known.name) ?? a.attribute(x, a.known.id), name.count < 80 else {
            return element
        }
        return "\(element) \(a.string(name))"
    }

    private func isCollapsedEqual(_ old: Bytes, _ new: Bytes) -> Bool {
        guard old.count != new.count || old.contains(where: \.isASCIIWhitespace) else { return false }
        return old.split(whereSeparator: \.isASCIIWhitespace)
            == new.split(whereSeparator: \.isASCIIWhitespace)
    }

    private func kind(_ x: Int32, _ element: String, _ name: String) -> PageDifference.Kind {
        if name == "style" { return .style }
        if FlatTree.Names.isBooleanAttribute(name) || ["lang", "dir", "class", "id"].contains(name) {
            return .attribute
        }
        let role = a.role(x)
        if role.contains(.script) || name.hasPrefix("on") { return .script }
        if role.contains(.style) { return .style }
        if name == "href", role.contains(.link) { return .link }
        if ["src", "srcset", "alt", "poster"].contains(name), role.contains(.image) || name == "poster" {
            return .image
        }
        if name == "src" || name == "data", role.contains(.embedded) { return .link }
        let fields: Set<String> = [
            "name", "value", "type", "placeholder", "action", "method", "min", "max", "step", "pattern",
            "maxlength",
            "minlength", "for", "formaction", "enctype", "accept", "label",
        ]
        if role.contains(.form), fields.contains(name) { return .form }
        return .attribute
    }

    // MARK: - Volatile

    private func isVolatile(_ x: Int32, _ y: Int32, _ name: String, _ old: Bytes, _ new: Bytes) -> Bool {
        switch name {
        case "nonce", "integrity": return true
        case "href", "src", "action", "formaction", "poster", "data", "cite", "data-src", "data-href":
            let role = a.role(x)
            let isResource =
                name == "poster" || name == "data-src"
                || name == "src" && !role.contains(.embedded)
                || name == "href" && !role.contains(.link)
            return Volatility.isVolatileURL(old, new, isResource: isResource)
        case "srcset", "imagesrcset", "data-srcset":
            let (left, right) = (pieces(old), pieces(new))
            return left.count == right.count
                && zip(left, right).allSatisfy {
                    $0.elementsEqual($1) || Volatility.isVolatileURL($0, $1, isResource: true)
                }
        case "value":
            let field = a.attribute(x, a.known.name).map(a.string) ?? ""
            let isHidden = a.attribute(x, a.known.type).map { a.string($0).lowercased() == "hidden" } ?? false
            guard isHidden else { return false }
            if Volatility.isTokenName(field) {
                return Volatility.isOpaque(old, least: 6) && Volatility.isOpaque(new, least: 6)
            }
            return Volatility.isOpaque(old, least: 20) && Volatility.isOpaque(new, least: 20)
        case "content":
            let key = (a.attribute(x, a.known.name) ?? a.attribute(x, a.known.property)).map(a.string) ?? ""
            if Volatility.isTokenName(key) {
                return Volatility.isOpaque(old, least: 6) && Volatility.isOpaque(new, least: 6)
            }
            return !isURL(old) && Volatility.isOpaque(old, least: 32) && Volatility.isOpaque(new, least: 32)
                || isURL(old) && isURL(new) && Volatility.isVolatileURL(old, new, isResource: isImageKey(key))
        case "style":
            return Volatility.isRandom(old, new, Volatility.Demands(mixed: 8, digits: 10, letters: 16))
        case "title", "alt", "lang", "placeholder", "type", "dir", "width", "height", "colspan", "rowspan":
            return false
        default:
            return isVolatileName(x, y, name, old, new)
        }
    }

    /// Whether the values of an ID, of a reference to IDs, or of a `data-*` attribute or event handler differ only
    /// randomly.
    func isVolatileName(_ x: Int32, _ y: Int32, _ name: String, _ old: Bytes, _ new: Bytes) -> Bool {
        if isAdvertisement(a, x) || isAdvertisement(b, y) {
            return Volatility.isRandom(old, new, Volatility.Demands(mixed: 4, digits: 4, letters: 8))
        }
        if name == "id" || name == "for" || name == "name" || name.hasPrefix("aria-") || name == "headers"
            || name == "list"
        {
            return Volatility.isRandom(old, new, Volatility.Demands(mixed: 5, digits: 7, letters: 16))
        }
        guard name.hasPrefix("data-") || name.hasPrefix("on") else { return false }
        if Volatility.isTokenName(name), Volatility.isOpaque(old, least: 8),
            Volatility.isOpaque(new, least: 8)
        {
            return true
        }
        return Volatility.isRandom(old, new, Volatility.Demands(mixed: 8, digits: 12, letters: 20))
    }

    private func isURL(_ value: Bytes) -> Bool {
        value.first == 0x2F || value.starts(with: "http".utf8)
    }

    private func isImageKey(_ key: String) -> Bool {
        let key = key.lowercased()
        return key.contains("image") || key.contains("icon") || key.contains("logo")
    }

    private func pieces(_ value: Bytes) -> [Bytes] {
        value.split { $0.isASCIIWhitespace || $0 == 0x2C }
    }

    private static let advertising: Set<String> = [
        "ad", "ads", "advert", "adverts", "advertisement", "adslot", "adunit", "adsense", "adsbygoogle",
        "gpt", "dfp",
        "doubleclick", "banner", "sponsor", "sponsored", "taboola", "outbrain", "criteo", "googletag",
        "prebid",
    ]

    /// Whether an element's ID, classes, name or `data-*` attributes mark it as a place for an advertisement.
    private func isAdvertisement(_ side: Side, _ element: Int32) -> Bool {
        for attribute in side.tree.attributes[side.tree.items[Int(element)].attributes].prefix(20) {
            let name = names[Int(attribute.name)]
            guard name == "id" || name == "class" || name == "name" || name.hasPrefix("data-") else {
                continue
            }
            let text =
                name.hasPrefix("data-") ? name : side.string(side.tree.bytes[attribute.value].prefix(200))
            let words = text.lowercased().split { !$0.isLetter }
            if words.contains(where: { Self.advertising.contains(String($0)) }) { return true }
        }
        return false
    }
}
