import WebLoader
import WebStandards

/// A sitemap that is read as it arrives, a little at a time.
final class SitemapSource {
    let map: SitemapWalk.Map
    /// The sitemaps that it names and that are not fetched.
    var leftOutCount = 0

    private var body: StreamedResponse.Body.AsyncIterator
    private var reader: SitemapReader
    /// What came last, and how much of it was read.
    private var piece: [UInt8] = []
    private var position = 0
    private var toldFaultCount = 0

    /// Bytes that are read at once: packed ones may be a thousand times as many.
    private static let stepLength = 8 << 10

    init(_ map: SitemapWalk.Map, _ response: StreamedResponse, includesImages: Bool) {
        self.map = map
        body = response.body.makeAsyncIterator()
        reader = SitemapReader(url: response.head.url, includesImages: includesImages)
    }

    var isIndex: Bool { reader.kind == .index }

    /// Reads a little; false at the end, or where the rest does not matter.
    func read() async throws(LoadError) -> Bool {
        if position == piece.count {
            guard reader.wantsMore, let next = try await body.next(isolation: #isolation) else {
                return false
            }
            piece = next
            position = 0
        }
        let end = min(position + Self.stepLength, piece.count)
        reader.read(Array(piece[position..<end]))
        position = reader.wantsMore ? end : piece.count
        return true
    }

    /// Marks the end of the sitemap.
    ///
    /// - Parameter isCutOff: Whether it broke off, which is no fault of the sitemap.
    func finish(isCutOff: Bool = false) {
        let count = reader.faultCount
        reader.finish()
        if isCutOff { toldFaultCount += reader.faultCount - count }
    }

    func takeEntries() -> [SitemapEntry] { reader.takeEntries() }

    /// The faults that were found and not taken yet.
    func takeFaults() -> ArraySlice<SitemapFault> {
        guard toldFaultCount < reader.faultCount else { return [] }
        let faults = reader.faults.dropFirst(toldFaultCount)
        toldFaultCount = max(toldFaultCount, reader.faults.count)
        return faults
    }

    /// The faults that are too many to be kept.
    var untoldFaultCount: Int { max(0, reader.faultCount - toldFaultCount) }
}
