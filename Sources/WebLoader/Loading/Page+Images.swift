extension Page {
    /// The images of the page, with data from their files if these are in the cache or in the page itself
    /// (`data:`).
    ///
    /// No socket is opened. One file of each image is read, ``/WebDocument/PageImage/primaryURL``, and each file once; the
    /// number of files and their bytes are limited, far above legitimate pages.
    ///
    /// - Parameters:
    ///   - maximumFiles: The maximum number of files.
    ///   - maximumBytes: The maximum number of bytes; reading stops after the file that reaches it.
    /// - Returns: The images, as in ``/WebDocument/ParsedPage/images`` except for ``/WebDocument/PageImage/header``.
    /// - Throws: ``/WebDocument/ParsingError`` as ``parsed()``.
    public func measuredImages(
        maximumFiles: Int = 1000,
        maximumBytes: Int = 256 << 20
    ) async throws(ParsingError) -> [PageImage] {
        var images = try await parsed().images
        var headers: [WebURL: ImageHeader?] = [:]
        var bytes = 0
        for index in images.indices {
            guard let url = images[index].primaryURL?.withoutFragment else { continue }
            if let known = headers[url] {
                images[index].header = known
                continue
            }
            guard headers.count < maximumFiles, bytes < maximumBytes else { continue }
            let body = await origin.storedBody(url)
            bytes += body?.count ?? 0
            let header = body.flatMap { ImageHeader($0) }
            headers[url] = .some(header)
            images[index].header = header
        }
        return images
    }
}
