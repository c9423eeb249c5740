import Synchronization

/// A file of trusted certificates, read when a load first needs it; only once, since it may be a pipe.
///
/// libcurl would open the file itself, for each connection, and wait for a pipe without a time limit.
final class CertificateAuthorities: Sendable {
    private let path: String
    private let contents = Mutex<Result<[UInt8], FileError>?>(nil)

    /// The maximum number of seconds to wait for a pipe.
    private static let patience = 10.0

    /// The maximum size of the file in bytes; a system's has about a quarter of a mebibyte.
    static let maximumSize = 16 << 20

    init(path: String) {
        self.path = path
    }

    /// The contents of the file, in PEM.
    ///
    /// It blocks, until `deadline` (by ``MonotonicClock``) or until `isCancelled` returns true.
    ///
    /// - Throws: ``FetchError`` with `.tls` if the file cannot be read, `.totalTimeout` if the deadline has
    ///   passed, or `.cancelled`.
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
            // A timeout or a cancellation concerns this load only; the next load tries again.
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
                throw FetchError(.totalTimeout, "the trusted certificates: \(error.message)")
            default: throw FetchError(.tls, "the trusted certificates: \(error.message)")
            }
        }
    }

    private static func read(_ path: String, _ limit: WaitLimit) -> Result<[UInt8], FileError> {
        Result { () throws(FileError) in
            try FileReader.read(path: path, maximumSize: maximumSize, within: limit)
        }
    }
}
