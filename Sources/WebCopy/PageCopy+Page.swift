package import WebDocument

extension PageCopy {
    /// The document that is copied; `nil` for an archive of something other than a page.
    package var document: Document? { contents.page.document }

    /// Returns the copy as one page of HTML, in memory.
    ///
    /// - Parameters:
    ///   - marks: The marks, by nodes of ``document``; ignored if ``Options/showsLazyImages`` is set.
    ///   - maximumSize: The maximum size in bytes with images, fonts and the like; all of these are omitted from a
    ///     larger page.
    /// - Returns: The page.
    package func page(marks: PageMarks, maximumSize: Int) -> [UInt8] {
        let composer = PageComposer(contents, options)
        // The page with the lazy images is a different one, with other tags.
        let text = composer.page(comment: "", marks: options.showsLazyImages ? PageMarks() : marks)
        let size = composer.embedded.length(of: text) { contents.body($0).count }
        var output: [UInt8] = []
        composer.embedded.write(text, bytes: { size > maximumSize ? [] : contents.body($0) }) { output += $0 }
        return output
    }
}
