/// Passes bytes to a sink; returns whether it takes more.
func pass(_ bytes: [UInt8], to sink: RecordReader.Sink) throws(ArchiveError) -> Bool {
    var failure: ArchiveError?
    let takesMore = unsafe bytes.withUnsafeBytes { bytes in
        do throws(ArchiveError) {
            return unsafe try sink(bytes)
        } catch {
            failure = error
            return false
        }
    }
    if let failure { throw failure }
    return takesMore
}
