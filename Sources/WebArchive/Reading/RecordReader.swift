/// Reads an archive's records one after the other, in bounded memory.
///
/// Its calls block; it is used by one thread at a time.
package protocol RecordReader: AnyObject {
    /// Takes pieces of a body, each valid until it returns; returns whether it takes more.
    typealias Sink = (UnsafeRawBufferPointer) throws(ArchiveError) -> Bool

    /// Passes over what is left of the current record, and reads the head of the next.
    ///
    /// - Returns: The next record, nil at the end. Damage is no error: it is a finding, and the next record is that which
    ///   can be found. Its `length` is not known yet.
    func next() throws(ArchiveError) -> ArchiveRecord?

    /// Passes over what is left of the current record, so that the bytes it takes in the file are known; nil if they have no
    /// meaning.
    func currentLength() throws(ArchiveError) -> Int?

    /// Passes the current record's payload, transfer and content coding removed, to a sink; once for each record.
    ///
    /// - Throws: ``ArchiveError/Code/body`` if it is damaged; what was passed on until then is right as far as it goes.
    ///   ``ArchiveError/Code/bodyMissing`` if the record says that it does not have it.
    func readPayload(_ sink: Sink) throws(ArchiveError)

    /// Passes the current record's payload with its content coding still on it, its transfer coding removed; once for each record,
    /// instead of ``readPayload(_:)``.
    ///
    /// - Returns: Whether the content coding is that of the head; false if this archive has bodies without it.
    func readEntity(_ sink: Sink) throws(ArchiveError) -> Bool

    /// Passes the current record's block as it is (HTTP's head, chunks and codings included) to a sink; once for each record,
    /// instead of its payload.
    func readBlock(_ sink: Sink) throws(ArchiveError)

    /// The findings since the last call.
    func takeFindings() -> [ArchiveFinding]
}

extension RecordReader {
    package func readEntity(_ sink: Sink) throws(ArchiveError) -> Bool {
        try unsafe readPayload(sink)
        return false
    }

    /// The current record's payload.
    ///
    /// - Parameter maximumSize: Bytes that are accepted; more are an error (``ArchiveError/Code/tooLarge``).
    /// - Returns: The payload's bytes.
    /// - Throws: As ``readPayload(_:)``.
    package func payload(maximumSize: Int) throws(ArchiveError) -> [UInt8] {
        var bytes: [UInt8] = []
        try unsafe readPayload { piece throws(ArchiveError) in
            guard piece.count <= maximumSize - bytes.count else {
                throw ArchiveError(.tooLarge, "the body has more than \(maximumSize) bytes")
            }
            unsafe bytes.append(contentsOf: piece)
            return true
        }
        return bytes
    }
}
