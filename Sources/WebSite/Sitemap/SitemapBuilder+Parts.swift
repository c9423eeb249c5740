import WebStandards

/// The parts of an entry.
extension SitemapBuilder {
    /// Begins a part of an entry.
    mutating func startPart(
        _ element: SitemapElement,
        isOwn: Bool,
        _ attributes: SitemapAttributes,
        line: Int
    ) {
        guard let parent = open.last else { return }
        switch (element, parent) {
        case (.location, .url), (.location, .sitemap), (.lastModified, .url), (.lastModified, .sitemap),
            (.changeFrequency, .url), (.priority, .url):
            if isOwn { beginText(line) }
        case (.location, .image):
            if includesImages { beginText(line) }
        case (.link, .url): addAlternate(attributes, line: line)
        case (.link, .entry):
            if isOwn, pending?.location == nil, attributes.isAlternate(withoutRelation: true),
                let href = attributes.href
            {
                pending?.location = (href, href.count > Sitemap.maximumLocationLength, line)
            }
        case (.guid, .item):
            let value = attributes.isPermanentLink
            pending?.isGuidLink = value.map { !$0[...].equalsIgnoringASCIICase("false") } ?? true
            if isOwn { beginText(line) }
        case (.link, .item), (.publicationDate, .item), (.updated, .entry), (.published, .entry):
            if isOwn { beginText(line) }
        default: break
        }
    }

    mutating func keepText(of element: SitemapElement, in parent: SitemapElement) {
        switch element {
        case .location where parent == .image:
            guard let line = pending?.textLine, hasRoomForLink(line) else { return }
            if let url = location(text, isTooLong: isTextTooLong, line: line, base: base) {
                pending?.images.append(url)
            }
        case .location, .link:
            guard let line = pending?.textLine, pending?.location == nil else { return }
            if text.contains(where: { !$0.isASCIIWhitespace }) {
                pending?.location = (text, isTextTooLong, line)
            }
        case .guid:
            guard let line = pending?.textLine, pending?.isGuidLink == true else { return }
            pending?.guid = (text, isTextTooLong, line)
        case .published where pending?.date != nil: break
        case .lastModified, .publicationDate, .updated, .published:
            pending?.date = String(decoding: text.prefix(128), as: UTF8.self).trimmingASCIIWhitespace
        case .changeFrequency:
            let word = String(decoding: text.prefix(128), as: UTF8.self).trimmingASCIIWhitespace
            pending?.changeFrequency = SitemapEntry.ChangeFrequency(
                rawValue: String(asciiLowercasing: word.utf8)
            )
        case .priority:
            let number = String(decoding: text.prefix(128), as: UTF8.self).trimmingASCIIWhitespace
            pending?.priority = Double(number).flatMap { 0...1 ~= $0 ? $0 : nil }
        default: break
        }
    }

    private mutating func addAlternate(_ attributes: SitemapAttributes, line: Int) {
        guard attributes.isAlternate(withoutRelation: false), let href = attributes.href, hasRoomForLink(line)
        else { return }
        let isTooLong = href.count > Sitemap.maximumLocationLength
        guard let url = location(href, isTooLong: isTooLong, line: line, base: base) else { return }
        let language = attributes.language.map { String(decoding: $0.prefix(64), as: UTF8.self) }
        pending?.alternates.append(SitemapEntry.Alternate(language: language, location: url))
    }

    /// Counts a link; returns whether it is within the limit.
    private mutating func hasRoomForLink(_ line: Int) -> Bool {
        linkCount += 1
        if linkCount == Sitemap.maximumLinkCount + 1 {
            let limit = "more than \(Sitemap.maximumLinkCount) alternates and images; the rest is left out"
            faults.add(.limit, line: line, limit)
        }
        return linkCount <= Sitemap.maximumLinkCount
    }
}
