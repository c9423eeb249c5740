public import WebStandards

/// A parser that reads a sitemap piece by piece, as it arrives.
///
/// Pass the pieces to ``read(_:)``, and take the entries after each. Memory is then bounded for any file: by the
/// largest piece, 64 KiB of its unpacked bytes, and the content of one entry.
public struct SitemapReader: ~Copyable {
    private enum Packing {
        /// There are too few bytes to detect whether the file is packed.
        case unknown([UInt8])
        case none
        case gzip(SitemapUnpacker)
        /// The rest of the file is ignored.
        case ended
    }

    private var packing = Packing.unknown([])
    private var content: SitemapContent
    private var size = 0

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - url: The URL of the sitemap, to which its URLs may be relative.
    ///   - includesImages: Whether the images of a page are read.
    public init(url: WebURL, includesImages: Bool = false) {
        content = SitemapContent(SitemapBuilder(base: url, includesImages: includesImages))
    }

    /// The format of the file; `nil` if it is not known yet, or unknown.
    public var kind: Sitemap.Kind? { content.builder.kind }

    /// The faults of the file, as far as it was read; the first ``Sitemap/maximumFaultCount``.
    public var faults: [SitemapFault] { content.builder.faults.kept }

    /// The number of all faults of the file, as far as it was read.
    public var faultCount: Int { content.builder.faults.count }

    /// Whether more of the file is relevant; if not, it need not be fetched.
    public var wantsMore: Bool {
        if case .ended = packing { return false }
        return !content.builder.isDone
    }

    /// Removes and returns the entries that were found since the last call.
    ///
    /// - Returns: The entries, in the file's order.
    public mutating func takeEntries() -> [SitemapEntry] {
        content.builder.takeEntries()
    }

    /// Reads the next bytes of the file.
    ///
    /// - Parameter bytes: The bytes, of any number.
    public mutating func read(_ bytes: [UInt8]) {
        guard wantsMore, !bytes.isEmpty else { return }
        guard case .unknown(var head) = packing else {
            readPart(bytes)
            return
        }
        head += bytes
        guard head.count >= 2 else {
            packing = .unknown(head)
            return
        }
        packing = .none
        if SitemapUnpacker.isPacked(head) {
            do throws(ContentCodingError) {
                packing = .gzip(try SitemapUnpacker())
            } catch {
                end(error)
            }
        }
        readPart(head)
    }

    /// Marks the end of the file.
    public mutating func finish() {
        switch packing {
        case .unknown(let head): readUnpacked(head)
        case .gzip(let unpacker):
            do throws(ContentCodingError) {
                if wantsMore { try unpacker.finish() }
            } catch {
                end(error)
            }
        case .none, .ended: break
        }
        packing = .ended
        content.finish()
    }

    private mutating func readPart(_ bytes: [UInt8]) {
        switch packing {
        case .none: readUnpacked(bytes)
        case .gzip(let unpacker):
            do throws(ContentCodingError) {
                try unpacker.unpack(bytes) { unpacked in
                    readUnpacked(unpacked)
                    return wantsMore
                }
            } catch {
                end(error)
            }
        case .unknown, .ended: break
        }
    }

    private mutating func readUnpacked(_ bytes: [UInt8]) {
        guard wantsMore else { return }
        let room = Sitemap.maximumSize - size
        size += min(bytes.count, room)
        content.read(bytes.count > room ? Array(bytes[..<room]) : bytes)
        guard bytes.count > room, wantsMore else { return }
        let limit = "the sitemap has more than \(Sitemap.maximumSize) bytes; the rest is left out"
        content.stop(.limit, limit)
    }

    /// Stops reading because the rest cannot be unpacked.
    private mutating func end(_ error: ContentCodingError) {
        packing = .ended
        if case .tooLarge = error {
            content.stop(.limit, error.message)
        } else {
            content.addFault(.compression, error.message)
        }
    }
}
