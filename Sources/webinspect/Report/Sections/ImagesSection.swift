import WebLoader

extension PageImage {
    /// docs/json-report.md describes it to users, as all sections.
    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("element", .string(element))]
        members.add(url: url, of: reference)
        members.append(.init("alt", JSONValue(alternativeText)))
        members.add("width", declaredWidth)
        members.add("height", declaredHeight)
        if loading == .lazy { members.add("loading", loading.rawValue) }
        if decoding != .auto { members.add("decoding", decoding.rawValue) }
        members.add("fetch_priority", fetchPriority)
        members.add("cross_origin", crossOrigin?.rawValue)
        if !sources.isEmpty { members.append(.init("sources", .array(sources.map(\.json)))) }
        if let header { members.append(.init("file", header.json)) }
        members.add("inert", if: isInert)
        return .object(members + JSONValue.members(position))
    }

    /// As in "12 images: 3 without alt, 2 lazy, 4 of known size"; nil for none.
    static func text(_ images: [PageImage]) -> String? {
        guard let count = Wording.count(images.count, "image") else { return nil }
        let details = Wording.list([
            Wording.count(images.count { $0.alternativeText == nil }, "without alt", "without alt"),
            Wording.count(images.count { $0.alternativeText == "" }, "decorative", "decorative"),
            Wording.count(images.count { $0.loading == .lazy }, "lazy", "lazy"),
            Wording.count(
                images.count { $0.declaredWidth == nil || $0.declaredHeight == nil },
                "without a size",
                "without a size"
            ),
            Wording.count(images.count { !$0.sources.isEmpty }, "responsive", "responsive"),
            Wording.count(images.count { $0.header != nil }, "with known format", "with known format"),
        ])
        return details.map { "\(count): \($0)" } ?? count
    }
}

extension PageImage.Source {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("element", .string(element)),
            .init("candidates", .array(candidates.map(\.json))),
        ]
        members.add("sizes", sizes)
        members.add("media", media)
        members.add("type", type)
        return .object(members)
    }
}

extension PageImage.Candidate {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = []
        members.add(url: url, of: reference)
        members.add("width", descriptor.width)
        members.add("height", descriptor.height)
        if let density = descriptor.density { members.append(.init("density", .number(density))) }
        return .object(members)
    }
}

extension ImageHeader {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [.init("format", .string(format.rawValue))]
        if let width { members.append(.init("width", Self.number(width))) }
        if let height { members.append(.init("height", Self.number(height))) }
        if let aspectRatio { members.append(.init("aspect_ratio", .number(aspectRatio))) }
        members.add("turned", if: isTurned)
        return .object(members)
    }

    /// Whole, where it is.
    private static func number(_ value: Double) -> JSONValue {
        Int64(exactly: value).map(JSONValue.integer) ?? .number(value)
    }
}
