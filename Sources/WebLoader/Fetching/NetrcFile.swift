import HTTPTypes
import Synchronization

/// A netrc file, read when a load first may need it; once, since it may be a pipe.
final class NetrcFile: Sendable {
    private let path: String
    /// Hears why the file cannot be read.
    private let log: (@Sendable (FetchLogLine) -> Void)?
    private let contents = Mutex<Netrc?>(nil)

    /// Seconds for which a pipe is waited for at most.
    private static let patience = 10.0

    init(path: String, log: (@Sendable (FetchLogLine) -> Void)? = nil) {
        self.path = path
        self.log = log
    }

    /// Bytes that it may have.
    static let maximumSize = 1 << 20

    /// A request with the Authorization that the file has for its host; as it was, where it has its own, or none.
    ///
    /// It blocks.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - seconds: How long the file may be waited for; nil is no limit of the caller's.
    /// - Returns: The request.
    func authorizing(_ request: WebRequest, within seconds: Double?) -> WebRequest {
        let url = request.url
        guard request.headerFields[.authorization] == nil, !request.omittedFields.contains(.authorization),
            url.password.isEmpty, !url.hostname.isEmpty
        else { return request }
        let netrc = read(within: min(seconds ?? .infinity, Self.patience))
        let login =
            url.username.isEmpty
            ? nil : String(decoding: PercentDecoding.decode(Array(url.username.utf8).span), as: UTF8.self)
        let host = url.hostname
        // IPv6 addresses stand without brackets there.
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        guard let found = netrc.credentials(for: name, login: login) else { return request }
        var request = request
        let credentials = Array("\(found.login):\(found.password)".utf8)
        request.headerFields[.authorization] = "Basic \(Base64.encode(credentials))"
        return request
    }

    /// What is in the file; nothing if it cannot be read, as if it were not there.
    private func read(within seconds: Double) -> Netrc {
        contents.withLock { contents in
            if let contents { return contents }
            var bytes: [UInt8] = []
            do throws(FileError) {
                let limit = WaitLimit(seconds: seconds)
                bytes = try FileReader.read(path: path, maximumSize: Self.maximumSize, within: limit)
            } catch {
                log?(FetchLogLine(kind: .information, text: "no netrc file: \(error.message)"))
            }
            let netrc = Netrc(bytes)
            contents = netrc
            return netrc
        }
    }
}
