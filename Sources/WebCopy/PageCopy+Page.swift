package import WebDocument

extension PageCopy {
    /// The document that is copied; nil for an archive of what is no page.
    package var document: Document? { contents.page.document }

    /// The copy as one page of HTML, in memory.
    ///
    /// - Parameters:
    ///   - marks: What is pointed out in it, by nodes of ``document``; nothing is where ``Options/showsLazyImages`` is set.
    ///   - maximumSize: How many bytes it may have with its images, fonts and the like; of a larger one all of these
    ///     are left out.
    /// - Returns: The page.
    package func page(marks: PageMarks, maximumSize: Int) -> [UInt8] {
        let composer = PageComposer(contents, options)
        // The page with the lazy images is another one, with other tags.
        let text = composer.page(comment: "", marks: options.showsLazyImages ? PageMarks() : marks)
        let size = composer.embedded.length(of: text) { contents.body($0).count }
        var output: [UInt8] = []
        composer.embedded.write(text, bytes: { size > maximumSize ? [] : contents.body($0) }) { output += $0 }
        return output
    }
}
