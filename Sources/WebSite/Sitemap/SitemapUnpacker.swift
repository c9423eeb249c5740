import WebStandards

/// Undoes the gzip of a sitemap.
struct SitemapUnpacker {
    private let decoder: ContentDecoder

    /// Whether the first bytes of a file say that it is packed; two are needed.
    static func isPacked(_ head: [UInt8]) -> Bool { [0x1F, 0x8B].elementsEqual(head.prefix(2)) }

    init() throws(ContentCodingError) {
        decoder = try ContentDecoder([.gzip], maximumSize: Sitemap.maximumSize)
    }

    /// Bytes that are unpacked at once: what comes of them is lost where one of them is damaged.
    private static let stepLength = 128

    /// Unpacks the next bytes, and passes them on, at most some 64 KiB at once, until `body` takes no more.
    func unpack(_ bytes: [UInt8], _ body: ([UInt8]) -> Bool) throws(ContentCodingError) {
        let failure: ContentCodingError? = unsafe bytes.withUnsafeBytes { bytes in
            var rest = unsafe bytes[...]
            do throws(ContentCodingError) {
                while unsafe !rest.isEmpty {
                    var step = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(Self.stepLength))
                    let isDone = unsafe try decoder.decode(&step) { unsafe body(Array($0)) }
                    guard isDone else { break }
                    unsafe rest = rest.dropFirst(Self.stepLength)
                }
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Marks the end of the file.
    func finish() throws(ContentCodingError) {
        try decoder.finish()
    }
}
