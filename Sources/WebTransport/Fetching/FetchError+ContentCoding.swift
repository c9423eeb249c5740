import HTTPTypes
package import WebStandards

extension FetchError {
    /// The error of a body whose content codings cannot be undone.
    package init(_ error: ContentCodingError) {
        switch error {
        case .tooLarge(let coding, let limit, let reached):
            self = .bodyTooLarge(limit: limit, reached: Int64(reached), coding: coding.rawValue)
        case .tooManyCodings(let count):
            self.init(
                .contentDecoding,
                error.message,
                limit: Int64(ContentCoding.maximumCount),
                reached: Int64(count)
            )
        case .unavailable, .noMemory, .damaged, .truncated:
            self.init(.contentDecoding, error.message)
        }
    }
}

extension ContentCoding {
    /// The codings of a response, in the order in which they were applied; nil if one of them is not known.
    ///
    /// - Throws: ``FetchError`` if there are too many.
    static func codings(of fields: HTTPFields) throws(FetchError) -> [ContentCoding]? {
        do throws(ContentCodingError) {
            return try codings(in: fields)
        } catch {
            throw FetchError(error)
        }
    }
}

extension ContentDecoder {
    /// Creates a decoder.
    ///
    /// - Throws: ``FetchError`` if a coding cannot be decoded here.
    convenience init(fetched codings: [ContentCoding], maximumSize: Int) throws(FetchError) {
        do throws(ContentCodingError) {
            try self.init(codings, maximumSize: maximumSize)
        } catch {
            throw FetchError(error)
        }
    }

    /// Decodes the next bytes of a body, as ``decode(_:_:)``.
    ///
    /// - Throws: ``FetchError`` if they are damaged or too many, and what `sink` throws.
    func decode(
        fetched bytes: inout UnsafeRawBufferPointer,
        _ sink: (UnsafeRawBufferPointer) throws(FetchError) -> Bool
    ) throws(FetchError) -> Bool {
        var failure: FetchError?
        let isDecoded: Bool
        do throws(ContentCodingError) {
            isDecoded = unsafe try decode(&bytes) { decoded in
                do throws(FetchError) {
                    return unsafe try sink(decoded)
                } catch {
                    failure = error
                    return false
                }
            }
        } catch {
            throw FetchError(error)
        }
        if let failure { throw failure }
        return isDecoded
    }

    /// Marks the end of a body.
    ///
    /// - Throws: ``FetchError`` if a stream is not at its end.
    func finish(fetched: Void) throws(FetchError) {
        do throws(ContentCodingError) {
            try finish()
        } catch {
            throw FetchError(error)
        }
    }
}
