/// How much may be put together: pages and style sheets within each other can be many more than there are files.
final class CompositionBudget {
    let maximumParts: Int
    let maximumBytes: Int
    private var parts: Int
    private var bytes: Int
    let maximumEmbedded: Int
    private var embedded: Int

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - parts: Pages and style sheets, each time they are put together.
    ///   - bytes: Bytes of what is made of them, each time it is put into something else.
    ///   - embedded: Bytes of files that are put in as they came, each time one is.
    init(parts: Int, bytes: Int, embedded: Int) {
        maximumEmbedded = embedded
        self.embedded = embedded
        maximumParts = parts
        maximumBytes = bytes
        self.parts = parts
        self.bytes = bytes
    }

    /// Takes a part before it is put together.
    func takePart() throws(CopyFault) {
        try take(bytes: 0)
        guard parts > 0 else {
            throw .tooMany(maximumParts, "pages and style sheets, each time one is shown")
        }
        parts -= 1
    }

    /// Takes the bytes of files that are put in as they came; if there are fewer left, none are for all that follows.
    func take(embedded count: Int) throws(CopyFault) {
        guard embedded >= 0, count <= embedded else {
            embedded = -1
            throw .tooMany(maximumEmbedded, "bytes of files, each time one is shown")
        }
        embedded -= count
    }

    /// Takes the bytes of what was made; if there are fewer left, none are for all that follows.
    func take(bytes count: Int) throws(CopyFault) {
        guard bytes >= 0, count <= bytes else {
            bytes = -1
            throw .tooMany(maximumBytes, "bytes of pages and style sheets, each time one is shown")
        }
        bytes -= count
    }
}
