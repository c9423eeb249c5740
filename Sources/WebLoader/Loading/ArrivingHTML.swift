import Synchronization

/// Parses a page of HTML as its bytes arrive, so that parsing is finished soon after its last byte.
///
/// The bytes are parsed through ``/WebStandards/BlockingWork``, not on the fetcher's thread. A page that is not HTML, or
/// arrives complete (from the cache), is parsed later, when the ``/WebDocument/Page`` is created.
final class ArrivingHTML: BodyReceiver {
    let collectsBody = true

    private let settings: PageContent.Settings
    private let blockingWork: BlockingWork
    private let hints: (@Sendable ([PageHint]) -> Void)?

    /// The data that has arrived and is not parsed yet.
    private struct Inbox {
        var head: WebResponse?
        var bytes: [UInt8] = []
        /// Whether the data is being parsed.
        var isWorking = false
        /// Whether the page is not parsed as it arrives.
        var isDisabled = true
    }

    private let inbox = Mutex(Inbox())

    /// Held during parsing; taken before the inbox's lock.
    private let parse: Mutex<ArrivingParse>

    /// Creates a receiver for one page.
    ///
    /// - Parameters:
    ///   - settings: The settings of the page.
    ///   - blockingWork: Runs the parsing.
    ///   - hints: Called with hints found while the page arrives; `nil` if hints are not needed.
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
            inbox.isDisabled = head.source != .network || settings.htmlParser != .html5
        }
    }

    func receive(_ bytes: Span<UInt8>) throws(FetchError) {
        let isFirst = inbox.withLock { inbox in
            guard !inbox.isDisabled else { return false }
            unsafe bytes.withUnsafeBufferPointer { unsafe inbox.bytes.append(contentsOf: $0) }
            defer { inbox.isWorking = true }
            return !inbox.isWorking
        }
        if isFirst { blockingWork.start { [self] in parse.withLock { self.work(&$0) } } }
    }

    /// Parses the received data until there is no more.
    private func work(_ parse: inout ArrivingParse) {
        while let (head, bytes) = next() {
            guard !parse.take(bytes, of: head) else { continue }
            inbox.withLock { $0.isDisabled = true }
        }
    }

    private func next() -> (WebResponse, [UInt8])? {
        inbox.withLock { inbox in
            guard let head = inbox.head, !inbox.bytes.isEmpty, !inbox.isDisabled else {
                inbox.isWorking = false
                return nil
            }
            defer { inbox.bytes = [] }
            return (head, inbox.bytes)
        }
    }

    /// Parses the data that has arrived so far; blocks until that is done.
    func drain() {
        parse.withLock { self.work(&$0) }
    }

    /// The parsed page, once all has arrived; nil if the page must be parsed from its complete bytes.
    ///
    /// Blocks until the parser is done.
    func finish() -> ArrivedHTML? {
        parse.withLock { parse in
            work(&parse)
            return inbox.withLock(\.isDisabled) ? nil : parse.finish()
        }
    }
}
