import Glibc
import HTTPTypes

/// A version of a response that is kept in a cache, as a list has it: its fields and its body are read when they are asked for.
package struct CacheVersion: Sendable {
    /// When it was received.
    package let received: Timestamp

    /// When it was last seen, the same as it was; nil if that is not known, or was before it was received.
    package let lastSeen: Timestamp?

    /// Its status.
    package let status: Int

    /// Its Content-Type as it was sent; nil if it has none.
    package let contentType: String?

    /// Its Location as it was sent; nil if it has none.
    package let location: String?

    /// The size of its body in bytes.
    package let bodySize: Int

    /// The variant of the URL that it belongs to: the same number for all versions of a variant; 0 for the plain one.
    package let variant: UInt64

    private let name: VersionName
    private let folder: String

    /// The name of its body's file; nil if it has none.
    private let bodyName: String?

    /// Reads a version's file but for the body; nil if it is no longer there, or is of another key.
    init?(_ name: VersionName, in folder: String, of key: String) throws(CacheEntryFile.Damage) {
        let head: StoredHead
        do throws(File.Failure) {
            head = try DiskCacheStore.readHead("\(folder)/\(name.name)")
        } catch {
            if error.errno == ENOENT { return nil }
            throw CacheEntryFile.Damage(error.text)
        }
        guard let response = head.response else {
            throw head.damage ?? CacheEntryFile.Damage("it is not a response")
        }
        // Another key may have the same hash.
        guard response.key == key else { return nil }
        guard VersionName.milliseconds(of: response.responseTime) == name.milliseconds else {
            throw VersionFile.otherDate
        }
        self.name = name
        self.folder = folder
        received = response.responseTime
        let seen = VersionFile.date(modified: head.modified)
        // It is known to the second only.
        lastSeen =
            seen.secondsSince1970 < received.secondsSince1970 ? nil : max(received, min(seen, .now))
        status = response.status
        contentType = response.headerFields[.contentType]
        location = response.headerFields[.location]
        bodyName = head.bodyFile?.name
        bodySize = head.bodyFile?.count ?? 0
        variant =
            response.varyingFields.isEmpty
            ? 0 : ContentHash.checksum(Array(CacheEntryName.hash(of: response.varyingFields).utf8))
    }

    /// The file that it is in.
    package var path: String { "\(folder)/\(name.name)" }

    /// Whether it is the same as another one of its URL: in status, type, target and body.
    package func isSame(as other: CacheVersion) -> Bool {
        // Equal bodies are one file.
        status == other.status && contentType == other.contentType && location == other.location
            && variant == other.variant && hasSameBody(as: other)
    }

    /// Whether its body is another one's.
    package func hasSameBody(as other: CacheVersion) -> Bool { bodyName == other.bodyName }

    /// The response, its body read and verified.
    ///
    /// - Parameters:
    ///   - url: Its URL.
    ///   - maximumSize: Bytes that its body may have.
    ///   - addresses: The addresses that it may have come from.
    /// - Returns: The response, with the version as its capture.
    /// - Throws: ``FetchError`` if the body is larger, or is not there as it was written.
    package func response(
        _ url: WebURL,
        maximumSize: Int,
        from addresses: AllowedAddresses
    ) throws(FetchError) -> WebResponse {
        guard bodySize <= maximumSize else { throw .bodyTooLarge(limit: maximumSize) }
        let stored: StoredResponse
        switch VersionFile(path: path).read(name, verifiesBody: true) {
        case .found(let found): stored = found
        case .damaged(let reason): throw FetchError(.cacheMiss, reason)
        case .absent, .notKept: throw FetchError(.cacheMiss, "\(path): it is no longer there")
        }
        guard addresses.allows(stored.remoteAddress) else {
            throw FetchError(.cacheMiss, CacheDecision.Reason.addressRefused.explanation)
        }
        // Another one may have taken its place.
        guard stored.body.count <= maximumSize else { throw .bodyTooLarge(limit: maximumSize) }
        var answer = WebResponse(
            url: url,
            status: .init(code: stored.status),
            headerFields: stored.headerFields,
            body: [],
            source: .cache
        )
        do throws(File.Failure) {
            answer.body = try stored.body.bytes(0..<stored.body.count)
        } catch {
            throw FetchError(.cacheMiss, "\(path): its body cannot be read: \(error.text)")
        }
        guard answer.body.count == stored.body.count else {
            throw FetchError(.cacheMiss, "\(path): its body was changed while it was being read")
        }
        answer.httpVersion = stored.httpVersion
        answer.capture = WebResponse.Capture(versionAt: path, received: received)
        return answer
    }
}

extension WebResponse.Capture {
    /// A version that is kept in a cache.
    init(versionAt path: String, received: Timestamp) {
        self.init(
            archive: path,
            date: received,
            part: nil,
            offset: nil,
            recordID: nil,
            isRevisit: false,
            codedSize: nil
        )
    }
}
