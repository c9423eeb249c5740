extension Page {
    /// The images of the page, in document order, without a look at their files.
    ///
    /// Those in a `srcdoc` are not among them. Gathered anew each time, O(n) in the page's size. A page that was made to
    /// exhaust memory, by a million references to a base URL of a megabyte, has no URLs beyond a bound in proportion to
    /// its size.
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

    /// The images of the page, each with what its file says where that is in the cache or in the page itself (`data:`).
    ///
    /// No socket is opened. Of each image one file is looked at, ``PageImage/primaryURL``, and each file once; no more
    /// than so many, and so many bytes, which no honest page meets.
    ///
    /// - Parameters:
    ///   - maximumFiles: Files at most.
    ///   - maximumBytes: Bytes of files at most, the last file's counted when it is read.
    /// - Returns: The images, as ``images`` has them but for ``PageImage/header``.
    /// - Throws: ``ParsingError`` as ``document``.
    public func measuredImages(
        maximumFiles: Int = 1000,
        maximumBytes: Int = 256 << 20
    ) async throws(ParsingError) -> [PageImage] {
        await measured(try images, maximumFiles: maximumFiles, maximumBytes: maximumBytes)
    }

    /// The images with what their files say, as ``measuredImages(maximumFiles:maximumBytes:)`` has them.
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

extension PageOrigin {
    /// The bytes of a resource of the page, from the cache or from the URL itself; nil where they are not there.
    fileprivate func storedBody(_ url: WebURL) async -> [UInt8]? {
        if url.scheme == "http" || url.scheme == "https" {
            // A look at the entry's head costs less than a load that comes to nothing.
            guard await loader.isCached(url) else { return nil }
        } else if url.scheme != "data" {
            return nil
        }
        var request = request(for: url)
        request.cachePolicy = .returnCacheDataDontLoad
        // What cannot be read is not at hand.
        guard let response = try? await loader.fetch(request) else { return nil }
        return response.status.map { 200...299 ~= $0 } ?? true ? response.body : nil
    }
}

extension BoundedResolver {
    /// - Parameters:
    ///   - page: The page whose references they are.
    ///   - budget: What URLs may take.
    init(_ page: Page, _ budget: InspectionBudget) {
        self.init(base: page.baseURL, encoding: page.encoding?.encoding ?? .utf8, budget)
    }
}
