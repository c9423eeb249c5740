import CArchive
import WebStandards

/// A message digest that is being computed.
@safe package struct Digest: ~Copyable {
    /// An algorithm that archives name.
    package enum Algorithm: String, Sendable, CaseIterable {
        case md5, sha1, sha256, sha384, sha512

        /// Bytes of a digest.
        package var length: Int {
            switch self {
            case .md5: 16
            case .sha1: 20
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        }

        fileprivate var code: webl_digest_algorithm {
            switch self {
            case .md5: WEBL_DIGEST_MD5
            case .sha1: WEBL_DIGEST_SHA1
            case .sha256: WEBL_DIGEST_SHA256
            case .sha384: WEBL_DIGEST_SHA384
            case .sha512: WEBL_DIGEST_SHA512
            }
        }
    }

    package let algorithm: Algorithm
    private let state: OpaquePointer

    /// Begins a digest.
    ///
    /// - Parameter algorithm: The algorithm.
    /// - Throws: ``ArchiveError`` if libcrypto, or the algorithm in it, is not there.
    package init(_ algorithm: Algorithm) throws(ArchiveError) {
        guard let state = unsafe webl_digest_create(algorithm.code) else {
            throw ArchiveError(.unavailable, "\(algorithm.rawValue) needs libcrypto, which is not there")
        }
        unsafe self.state = state
        self.algorithm = algorithm
    }

    deinit {
        unsafe webl_digest_free(state)
    }

    /// Takes the next bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // It fails only where a digest is misused.
        if unsafe !bytes.isEmpty { _ = unsafe webl_digest_update(state, bytes.baseAddress, bytes.count) }
    }

    /// Takes the next bytes.
    package mutating func update(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    /// The digest of the bytes so far; the next bytes begin another.
    package mutating func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Int(WEBL_DIGEST_MAX)) { buffer, count in
            count = unsafe Int(bounded: webl_digest_finish(state, buffer.baseAddress))
        }
    }
}
