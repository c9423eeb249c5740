import WebLoader
import WebStandards

/// A sitemap that is read as it arrives, in small steps.
final class SitemapSource {
    let map: SitemapWalk.Map
    /// The number of sitemaps that it names and that are not fetched.
    var leftOutCount = 0

    private var body: StreamedResponse.Body.AsyncIterator
    private var reader: SitemapReader
    /// The last piece that was received, and the position in it.
    private var piece: [UInt8] = []
    private var position = 0
    private var toldFaultCount = 0

    /// The number of bytes that are read at once; unpacked, they may be a thousand times as many.
    private static let stepLength = 8 << 10

    init(_ map: SitemapWalk.Map, _ response: StreamedResponse, includesImages: Bool) {
        self.map = map
        body = response.body.makeAsyncIterator()
        reader = SitemapReader(url: response.head.url, includesImages: includesImages)
    }

    var isIndex: Bool { reader.kind == .index }

    /// Reads a step; returns false at the end, or if the rest is irrelevant.
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
    /// - Parameter isCutOff: Whether the transfer broke off, which is no fault of the sitemap.
    func finish(isCutOff: Bool = false) {
        let count = reader.faultCount
        reader.finish()
        if isCutOff { toldFaultCount += reader.faultCount - count }
    }

    func takeEntries() -> [SitemapEntry] { reader.takeEntries() }

    /// Returns the faults that were found since the last call.
    func takeFaults() -> ArraySlice<SitemapFault> {
        guard toldFaultCount < reader.faultCount else { return [] }
        let faults = reader.faults.dropFirst(toldFaultCount)
        toldFaultCount = max(toldFaultCount, reader.faults.count)
        return faults
    }

    /// The number of faults beyond the limit of stored ones.
    var untoldFaultCount: Int { max(0, reader.faultCount - toldFaultCount) }
}
