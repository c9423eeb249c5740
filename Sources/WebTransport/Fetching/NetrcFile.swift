import HTTPTypes
import Synchronization

/// A netrc file, read when a load may first need it; only once, since it may be a pipe.
package final class NetrcFile: Sendable {
    private let path: String
    /// Called with the reason if the file cannot be read.
    private let log: (@Sendable (FetchLogLine) -> Void)?
    private let contents = Mutex<Netrc?>(nil)

    /// The maximum number of seconds to wait for a pipe.
    private static let patience = 10.0

    init(path: String, log: (@Sendable (FetchLogLine) -> Void)? = nil) {
        self.path = path
        self.log = log
    }

    /// The maximum size of the file in bytes.
    static let maximumSize = 1 << 20

    /// The request with the file's credentials for its host as Authorization; unchanged if it has credentials
    /// or omits the field, or if the file has none.
    ///
    /// It blocks.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - seconds: How long to wait for the file, at most `patience`; nil for `patience`.
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
        // A netrc file has IPv6 addresses without brackets.
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        guard let found = netrc.credentials(for: name, login: login) else { return request }
        var request = request
        let credentials = Array("\(found.login):\(found.password)".utf8)
        request.headerFields[.authorization] = "Basic \(Base64.encode(credentials))"
        return request
    }

    /// The parsed file; empty if it cannot be read, as if it did not exist.
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
