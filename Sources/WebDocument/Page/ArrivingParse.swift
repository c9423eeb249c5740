/// The stages of a page that is parsed as it arrives: its type, its encoding, its tree.
package struct ArrivingParse: ~Copyable {
    private let settings: PageContent.Settings
    private let hints: (@Sendable ([PageHint]) -> Void)?

    /// The first bytes, until type and encoding are known.
    private var start: [UInt8] = []

    /// How many bytes must be there before they are examined again.
    private var awaited = 0

    private var transportLabel: String?
    private var isHTML = false

    private var detection: EncodingDetection?
    private var decoder = TextDecoder(.utf8)
    private var text: [UInt8] = []

    /// The number of bytes of decoded text so far.
    private var size = 0
    private var parser: HTMLParser?
    private var collector: HintCollector?

    package init(_ settings: PageContent.Settings, hints: (@Sendable ([PageHint]) -> Void)?) {
        self.settings = settings
        self.hints = hints
    }

    /// Parses the next bytes; false if the page cannot be parsed as it arrives.
    package mutating func take(_ bytes: [UInt8], of head: WebResponse) -> Bool {
        // Where a tag is is known within a whole page.
        guard !settings.parsing.notesTags else { return false }
        guard detection == nil else { return parse(bytes[...], isLast: false) }
        start += bytes
        guard start.count >= awaited else { return true }
        awaited = start.count * 2
        if !isHTML {
            guard start.count >= MIMESniffing.resourceHeaderLength else { return true }
            var response = head
            response.body = start
            // An unknown name is reported when the page is created, not here.
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
        // Without memory, creating the page fails later and reports that.
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
            // Creating the page meets the same error and reports it.
            return false
        }
        if let hints, let elements = parser?.takeNotedElements(), !elements.isEmpty {
            let found = collector?.hints(of: elements) ?? []
            if !found.isEmpty { hints(found) }
        }
        return true
    }

    /// Ends the page; nil if it was not parsed as it arrived.
    package mutating func finish() -> ArrivedHTML? {
        guard let detection, parse([], isLast: true) else { return nil }
        // Creating the page meets the same error and reports it.
        guard let parsed = try? parser?.finish() else { return nil }
        parser = nil
        guard let page = try? StandardHTMLParser(settings: settings.parsing).page(parsed) else { return nil }
        // The memory limit grows with the page's size: it may be reached for the beginning, but not for the
        // whole page.
        let allowed = settings.parsing.limits.treeMemory(inputSize: size)
        guard !page.limits.contains(where: { $0.code == .memory && $0.limit < allowed }) else { return nil }
        return ArrivedHTML(detection: detection, page: page, replacementCount: decoder.replacementCount)
    }
}
