package import WebStandards

extension ArchiveError {
    /// The error of a coding that cannot be undone.
    package init(_ error: ContentCodingError) {
        let code: Code =
            switch error {
            case .damaged, .truncated, .tooManyCodings: .body
            case .tooLarge, .noMemory: .limit
            case .unavailable: .unavailable
            }
        self.init(code, error.message)
    }
}

extension ContentDecoder {
    /// Creates a decoder.
    ///
    /// - Throws: ``ArchiveError`` if a coding cannot be decoded here.
    convenience init(archived codings: [ContentCoding], maximumSize: Int) throws(ArchiveError) {
        do throws(ContentCodingError) {
            try self.init(codings, maximumSize: maximumSize)
        } catch {
            throw ArchiveError(error)
        }
    }

    /// Decodes the next bytes of a body, as ``decode(_:_:)``.
    ///
    /// - Throws: ``ArchiveError`` if they are damaged or too many, and what `sink` throws.
    func decode(
        archived bytes: inout UnsafeRawBufferPointer,
        _ sink: (UnsafeRawBufferPointer) throws(ArchiveError) -> Bool
    ) throws(ArchiveError) -> Bool {
        var failure: ArchiveError?
        let isDecoded: Bool
        do throws(ContentCodingError) {
            isDecoded = unsafe try decode(&bytes) { decoded in
                do throws(ArchiveError) {
                    return unsafe try sink(decoded)
                } catch {
                    failure = error
                    return false
                }
            }
        } catch {
            throw ArchiveError(error)
        }
        if let failure { throw failure }
        return isDecoded
    }

    /// Marks the end of a body.
    ///
    /// - Throws: ``ArchiveError`` if a stream is not at its end.
    func finish(archived: Void) throws(ArchiveError) {
        do throws(ContentCodingError) {
            try finish()
        } catch {
            throw ArchiveError(error)
        }
    }
}
