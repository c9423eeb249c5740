import Synchronization

/// What was parsed of a page, and from which encoding.
struct ArrivedHTML: Sendable {
    let detection: EncodingDetection
    let page: ParsedPage
    let replacementCount: Int
}

/// Parses a page of HTML as its bytes arrive, so that it is parsed when its last byte lands.
///
/// The bytes are parsed where ``BlockingWork`` says, not on the fetcher's thread. What is no HTML, or comes as a whole
/// (from the cache), is left to whoever makes the page.
final class ArrivingHTML: BodyReceiver {
    let collectsBody = true

    private let settings: PageContent.Settings
    private let blockingWork: BlockingWork
    private let hints: (@Sendable ([PageHint]) -> Void)?

    /// What has arrived and is not parsed.
    private struct Inbox {
        var head: WebResponse?
        var bytes: [UInt8] = []
        /// Whether somebody is at it.
        var isWorking = false
        /// Whether there is nothing to be parsed on the way.
        var isOff = true
    }

    private let inbox = Mutex(Inbox())

    /// Held by whoever parses, before the inbox's lock.
    private let parse: Mutex<ArrivingParse>

    /// - Parameters:
    ///   - settings: What the page is made with.
    ///   - blockingWork: Where it is parsed.
    ///   - hints: Takes what is found on the way; nil for nobody.
    init(
        _ settings: PageContent.Settings,
        _ blockingWork: BlockingWork,
        hints: (@Sendable ([PageHint]) -> Void)?
    ) {
        self.settings = settings
        self.blockingWork = blockingWork
        self.hints = hints
        parse = Mutex(ArrivingParse(settings, hints: hints))
    }

    func receive(head: WebResponse) throws(FetchError) {
        parse.withLock { $0 = ArrivingParse(settings, hints: hints) }
        inbox.withLock { inbox in
            inbox.head = head
            inbox.bytes = []
            inbox.isOff = head.source != .network || settings.htmlParser != .html5
        }
    }

    func receive(_ bytes: Span<UInt8>) throws(FetchError) {
        let isFirst = inbox.withLock { inbox in
            guard !inbox.isOff else { return false }
            unsafe bytes.withUnsafeBufferPointer { unsafe inbox.bytes.append(contentsOf: $0) }
            defer { inbox.isWorking = true }
            return !inbox.isWorking
        }
        if isFirst { blockingWork.start { [self] in parse.withLock { self.work(&$0) } } }
    }

    /// Parses what there is until there is no more.
    private func work(_ parse: inout ArrivingParse) {
        while let (head, bytes) = next() {
            guard !parse.take(bytes, of: head) else { continue }
            inbox.withLock { $0.isOff = true }
        }
    }

    private func next() -> (WebResponse, [UInt8])? {
        inbox.withLock { inbox in
            guard let head = inbox.head, !inbox.bytes.isEmpty, !inbox.isOff else {
                inbox.isWorking = false
                return nil
            }
            defer { inbox.bytes = [] }
            return (head, inbox.bytes)
        }
    }

    /// Parses what has arrived so far; blocks until that is done.
    func drain() {
        parse.withLock { self.work(&$0) }
    }

    /// What was parsed, once all has arrived; nil where the page has to be made from its bytes.
    ///
    /// Blocks until the parser is done.
    func finish() -> ArrivedHTML? {
        parse.withLock { parse in
            work(&parse)
            return inbox.withLock(\.isOff) ? nil : parse.finish()
        }
    }
}
