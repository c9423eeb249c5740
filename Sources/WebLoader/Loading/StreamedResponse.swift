/// A response whose body is read while it arrives.
///
/// ```swift
/// let response = try await loader.stream(WebRequest(url: WebURL("https://example.com/export.csv")))
/// print(response.head.status?.code ?? 0, response.head.url)
/// for try await piece in response.body { print(piece.count, "bytes") }
/// ```
public struct StreamedResponse: Sendable {
    /// The response as far as it is known before its body: status, fields, final URL, source, redirects and retries.
    ///
    /// Its body stays empty. Its timing, transfer size and cache verdict are those of this moment: whether the body is
    /// stored shows at its end.
    public let head: WebResponse

    /// The body, after content decoding.
    public let body: Body

    init(_ head: WebResponse, _ body: Body) {
        self.head = head
        self.body = body
    }

    /// A body, as a sequence of pieces in their order.
    ///
    /// It can be read once; no piece is empty. Less than 512 KiB are read ahead of the reader. While those wait, the
    /// sender waits too: no time limit runs, but the connection stays taken.
    ///
    /// The transfer ends, and nothing incomplete is stored, when the task that reads is cancelled, and when the iterator
    /// is released, or the response without one. The next read throws the error
    /// ``/WebTransport/FetchError/Code/cancelled`` then.
    public struct Body: AsyncSequence, Sendable {
        private let end: StreamEnd

        init(_ pipe: BodyPipe) {
            end = StreamEnd(pipe)
        }

        /// Begins to read; there should be one iterator.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(StreamEnd(end))
        }

        /// Reads a body.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let end: StreamEnd

            fileprivate init(_ end: StreamEnd) {
                self.end = end
            }

            /// The next bytes; nil once all were read, and stored if they may be.
            ///
            /// All bytes that wait are returned at once, without copying them. It waits if there are none.
            ///
            /// - Throws: ``LoadError``, with the codes of ``PageLoader/load(_:overriding:delegate:)``, after the bytes
            ///   that came before it; each further call throws it again.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(LoadError) -> [UInt8]? {
                try await end.pipe.next(isolation: actor)
            }
        }
    }
}

/// Ends a stream when it is released.
final class StreamEnd: Sendable {
    let pipe: BodyPipe
    private let other: StreamEnd?

    init(_ pipe: BodyPipe) {
        self.pipe = pipe
        other = nil
    }

    /// The end of an iterator, which keeps the stream of its sequence.
    init(_ other: StreamEnd) {
        pipe = other.pipe
        self.other = other
    }

    deinit {
        pipe.cancel()
    }
}
