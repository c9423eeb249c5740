/// The stages of a page that is parsed as it arrives: its type, its encoding, its tree.
struct ArrivingParse: ~Copyable {
    private let settings: PageContent.Settings
    private let hints: (@Sendable ([PageHint]) -> Void)?

    /// The first bytes, while it is not known what they are.
    private var start: [UInt8] = []

    /// How many bytes there have to be for another look at them.
    private var awaited = 0

    private var transportLabel: String?
    private var isHTML = false

    private var detection: EncodingDetection?
    private var decoder = TextDecoder(.utf8)
    private var text: [UInt8] = []

    /// How many bytes of text there have been.
    private var size = 0
    private var parser: HTMLParser?
    private var collector: HintCollector?

    init(_ settings: PageContent.Settings, hints: (@Sendable ([PageHint]) -> Void)?) {
        self.settings = settings
        self.hints = hints
    }

    /// Takes the next bytes; false if the page is not to be parsed on the way.
    mutating func take(_ bytes: [UInt8], of head: WebResponse) -> Bool {
        guard detection == nil else { return parse(bytes[...], isLast: false) }
        start += bytes
        guard start.count >= awaited else { return true }
        awaited = start.count * 2
        if !isHTML {
            guard start.count >= MIMESniffing.resourceHeaderLength else { return true }
            var response = head
            response.body = start
            // A name that is not known fails the page, not its arrival.
            guard let type = try? PageContent.mediaType(of: response, settings.overrides),
                PageKind(type) == .html,
                let label = try? PageContent.transportLabel(type, settings.overrides) ?? ""
            else { return false }
            isHTML = true
            transportLabel = label.isEmpty ? nil : label
        }
        guard
            let detection = settings.detection
                ?? .html(
                    prefix: start.span,
                    transportLabel: transportLabel,
                    fallback: settings.fallbackEncoding
                )
        else { return true }
        return begin(detection, head)
    }

    private mutating func begin(_ detection: EncodingDetection, _ head: WebResponse) -> Bool {
        var options = StandardHTMLParser(settings: settings.parsing).options
        options.notesElements = hints != nil
        // Without memory for it the page fails when it is made, and says so.
        guard let parser = try? HTMLParser(options: options) else { return false }
        self.parser = consume parser
        self.detection = detection
        decoder = TextDecoder(detection.encoding)
        if hints != nil {
            collector = HintCollector(
                documentURL: settings.overrides.baseURL ?? head.url,
                encoding: detection.encoding
            )
        }
        let bytes = start
        start = []
        return parse(bytes.dropFirst(detection.byteOrderMarkLength), isLast: false)
    }

    private mutating func parse(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> Bool {
        text.removeAll(keepingCapacity: true)
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe decoder.decode(bytes, isLast: isLast, into: &text)
        }
        size += text.count
        do throws(HTMLParserError) {
            try unsafe text.withUnsafeBufferPointer { (text) throws(HTMLParserError) in
                try unsafe parser?.push(text)
            }
        } catch {
            // Whoever makes the page meets the error again.
            return false
        }
        if let hints, let elements = parser?.takeNotedElements(), !elements.isEmpty {
            let found = collector?.hints(of: elements) ?? []
            if !found.isEmpty { hints(found) }
        }
        return true
    }

    /// Ends the page; nil where it was not parsed on the way.
    mutating func finish() -> ArrivedHTML? {
        guard let detection, parse([], isLast: true) else { return nil }
        // As above.
        guard let parsed = try? parser?.finish() else { return nil }
        parser = nil
        guard let page = try? StandardHTMLParser(settings: settings.parsing).page(parsed) else { return nil }
        // What may be taken grows with the page: what was too much for its beginning need not be for all of it.
        let allowed = settings.parsing.limits.treeMemory(inputSize: size)
        guard !page.limits.contains(where: { $0.code == .memory && $0.limit < allowed }) else { return nil }
        return ArrivedHTML(detection: detection, page: page, replacementCount: decoder.replacementCount)
    }
}
