import WebStandards

/// One request to a reader, until it is answered.
///
/// If it throws, the reader has to be ended.
struct ReaderConversation {
    /// Seconds between two checks of the reader.
    private static let interval = 0.25

    private let request: ReaderProcess.Request
    private let child: ChildProcess
    private let limits: ReaderLimits
    private let deadline: Double
    private var nextLook: Double
    private var unsent: ArraySlice<UInt8>
    private var parser = ReaderFrameParser()
    private var unread: ArraySlice<UInt8> = []

    /// Begins it; its time runs from now on.
    init(_ request: ReaderProcess.Request, _ child: ChildProcess, _ limits: ReaderLimits) {
        self.request = request
        self.child = child
        self.limits = limits
        unsent = request.line[...]
        let now = MonotonicClock.now
        deadline = now + request.seconds
        nextLook = now + Self.interval
    }

    /// Whether the reader has taken all of the request, and has sent nothing after its answer.
    var isOver: Bool { unsent.isEmpty && unread.isEmpty && parser.isAtStart }

    /// Waits for the answer, or the error that the reader reports.
    ///
    /// This blocks the thread.
    mutating func answer(_ pipes: inout ReaderPipes) throws(ServeError) -> ReaderFrame {
        while true {
            let now = MonotonicClock.now
            guard now < deadline else {
                let seconds = Int(bounded: request.seconds.rounded(.up))
                throw ServeError(504, "limit.time", "the answer took more than \(seconds) s")
            }
            let hasEnded = now >= nextLook ? try look(now) : false
            pipes.wait(toWrite: !unsent.isEmpty, seconds: hasEnded ? 0 : min(deadline, nextLook) - now)
            pipes.write(&unsent)
            pipes.readError()
            switch pipes.read() {
            case .nothing: if hasEnded { throw crash(&pipes) }
            case .bytes(let bytes):
                unread = bytes
                if let frame = try nextAnswer() { return frame }
            case .end: throw crash(&pipes)
            }
        }
    }

    /// Returns whether the reader has ended, as far as is known; processes that it has started may still have its
    /// streams.
    private mutating func look(_ now: Double) throws(ServeError) -> Bool {
        nextLook = now + Self.interval
        guard child.memory <= limits.memory else {
            let allowed = limits.memory >> 20
            throw ServeError(413, "limit.memory", "the answer took more than \(allowed) MiB of memory")
        }
        return child.hasEnded
    }

    /// Returns the answer if it was read; events before it are passed on.
    private mutating func nextAnswer() throws(ServeError) -> ReaderFrame? {
        do throws(ReaderFrameParser.Malformed) {
            while let frame = try parser.next(&unread) {
                switch frame.kind {
                case .event where frame.id == request.id: request.onEvent?(frame.content)
                // It was on its way when the request before this one was answered.
                case .event where frame.id < request.id: break
                case .answer where frame.id == request.id: return frame
                // A line that cannot be read has no number.
                case .error where frame.id == request.id || frame.id == 0: return frame
                case .event, .answer, .error:
                    throw ReaderFrameParser.Malformed(message: "an answer to nothing")
                }
            }
            return nil
        } catch {
            throw ServeError(502, "reader.answer", "a reader has sent \(error.message)")
        }
    }

    /// Returns the error of a reader that has ended, or sends nothing more.
    private func crash(_ pipes: inout ReaderPipes) -> ServeError {
        pipes.closeInput()
        let ending = child.end(within: ReaderProcess.endTime)
        pipes.readError()
        let text = pipes.lastError
        let reason = text.isEmpty ? "" : ": \(text)"
        return ServeError(502, "reader.crash", "the reader could not answer; \(ending)\(reason)")
    }
}
