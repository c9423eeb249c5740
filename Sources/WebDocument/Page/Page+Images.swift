extension Page {
    /// The images of the page, in document order, without reading their files.
    ///
    /// Those in a `srcdoc` are not included. Collected again on each call, O(n) in the page's size. A page
    /// that was made to exhaust memory, by a million references to a base URL of a megabyte, has no URLs
    /// beyond a bound in proportion to its size.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var images: [PageImage] {
        get throws(ParsingError) {
            guard let document = try document else { return [] }
            return try inspecting { budget in
                var collector = ImageCollector(BoundedResolver(self, budget), budget)
                collector.collect(document)
                return collector.images
            }
        }
    }

    /// The images of the page, with data from their files if these are in the cache or in the page itself
    /// (`data:`).
    ///
    /// No socket is opened. One file of each image is read, ``PageImage/primaryURL``, and each file once; the
    /// number of files and their bytes are limited, far above legitimate pages.
    ///
    /// - Parameters:
    ///   - maximumFiles: The maximum number of files.
    ///   - maximumBytes: The maximum number of bytes; reading stops after the file that reaches it.
    /// - Returns: The images, as in ``images`` except for ``PageImage/header``.
    /// - Throws: ``ParsingError`` as ``document``.
    public func measuredImages(
        maximumFiles: Int = 1000,
        maximumBytes: Int = 256 << 20
    ) async throws(ParsingError) -> [PageImage] {
        await measured(try images, maximumFiles: maximumFiles, maximumBytes: maximumBytes)
    }

    /// Adds data from the files to images, as ``measuredImages(maximumFiles:maximumBytes:)`` does.
    package func measured(
        _ images: [PageImage],
        maximumFiles: Int = 1000,
        maximumBytes: Int = 256 << 20
    ) async -> [PageImage] {
        var images = images
        guard let origin else { return images }
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

extension BoundedResolver {
    /// - Parameters:
    ///   - page: The page whose references they are.
    ///   - budget: The budget for resolved URLs.
    init(_ page: Page, _ budget: InspectionBudget) {
        self.init(base: page.baseURL, encoding: page.encoding?.encoding ?? .utf8, budget)
    }
}
