import Synchronization

/// A file of certificates to be trusted, read when a load first needs it; once, since it may be a pipe.
///
/// libcurl would open it by itself, for each connection, and wait for a pipe without end.
final class CertificateAuthorities: Sendable {
    private let path: String
    private let contents = Mutex<Result<[UInt8], FileError>?>(nil)

    /// Seconds for which a pipe is waited for at most.
    private static let patience = 10.0

    /// Bytes that it may have; those of a system have a quarter of one mebibyte.
    static let maximumSize = 16 << 20

    init(path: String) {
        self.path = path
    }

    /// What is in the file, in PEM.
    ///
    /// It blocks, until `deadline` (by ``MonotonicClock``) or until `isCancelled` says so.
    ///
    /// - Throws: ``FetchError`` with `.tls` where it cannot be read; that the time is over, or that it was cancelled.
    func read(
        until deadline: Double,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(FetchError) -> [UInt8] {
        let limit = WaitLimit(
            deadline: min(deadline, MonotonicClock.now + Self.patience),
            isCancelled: isCancelled
        )
        let result = contents.withLock { contents -> Result<[UInt8], FileError> in
            if let contents { return contents }
            let result = Self.read(path, limit)
            // What ended with its load says nothing about the next one's.
            if case .failure(let error) = result, error.code == .timeout || error.code == .cancelled {
                return result
            }
            contents = result
            return result
        }
        do throws(FileError) {
            return try result.get()
        } catch {
            switch error.code {
            case .cancelled: throw .cancelled
            case .timeout where MonotonicClock.now >= deadline:
                throw FetchError(.totalTimeout, "the certificates to be trusted: \(error.message)")
            default: throw FetchError(.tls, "the certificates to be trusted: \(error.message)")
            }
        }
    }

    private static func read(_ path: String, _ limit: WaitLimit) -> Result<[UInt8], FileError> {
        Result { () throws(FileError) in
            try FileReader.read(path: path, maximumSize: maximumSize, within: limit)
        }
    }
}
