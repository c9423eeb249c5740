import WebStandards

/// Decompresses the gzip of a sitemap.
struct SitemapUnpacker {
    private let decoder: ContentDecoder

    /// Whether the first two bytes of a file show that it is packed.
    static func isPacked(_ head: [UInt8]) -> Bool { [0x1F, 0x8B].elementsEqual(head.prefix(2)) }

    init() throws(ContentCodingError) {
        decoder = try ContentDecoder([.gzip], maximumSize: Sitemap.maximumSize)
    }

    /// The number of bytes that are unpacked at once: if one of them is damaged, the output of all is lost.
    private static let stepLength = 128

    /// Unpacks the next bytes and passes them to `body`, in pieces of about 64 KiB at most, until it returns false.
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
