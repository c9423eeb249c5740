extension Node {
    /// The number of the element's start tag among ``PageSource/tags`` of its page; nil for a node without one, and
    /// where tags were not noted (``ParsingSettings/notesTags``).
    package var sourceTag: Int? { document.sourceTags?.tagOf[address] }
}
