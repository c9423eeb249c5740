import CArchive
import WebStandards

/// How the records of a WARC are put into its file, as the file's name says it.
package enum WARCForm: Equatable, Sendable {
    /// As they are: `.warc`.
    case plain
    /// A gzip member each: `.warc.gz`.
    case gzip
    /// A Zstandard frame each, without a dictionary: `.warc.zst`.
    case zstandard

    /// The form that a file's name says, in any case; nil for a name of something else.
    package init?(path: String) {
        let name = String(asciiLowercasing: Directory.split(path).name.utf8)
        if name.hasSuffix(".warc") {
            self = .plain
        } else if name.hasSuffix(".warc.gz") {
            self = .gzip
        } else if name.hasSuffix(".warc.zst") {
            self = .zstandard
        } else {
            return nil
        }
    }

    /// The end of its files' names.
    package var suffix: String {
        switch self {
        case .plain: ".warc"
        case .gzip: ".warc.gz"
        case .zstandard: ".warc.zst"
        }
    }

    /// A description, for people, of the parts of a file in this form.
    var parts: String {
        switch self {
        case .plain: "records as they are"
        case .gzip: "gzip members"
        case .zstandard: "Zstandard frames"
        }
    }

    /// The first bytes of a record's member.
    var magic: [UInt8] {
        switch self {
        case .plain: Array("WARC/1.".utf8)
        case .gzip: [0x1F, 0x8B, 0x08]
        case .zstandard: [0x28, 0xB5, 0x2F, 0xFD]
        }
    }

    /// The form of its members for C; nil if there are none.
    var member: webl_member_form? {
        switch self {
        case .plain: nil
        case .gzip: WEBL_MEMBER_GZIP
        case .zstandard: WEBL_MEMBER_ZSTD
        }
    }
}
