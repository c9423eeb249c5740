/// The metadata of the first post of a discussion: who began the discussion, and when.
struct DiscussionOpening {
    /// Who wrote it; nil where the page does not say.
    let author: String?
    /// When it was written; nil where the page does not say.
    let date: MetadataDate?
    /// Where its element stands in the source.
    let position: SourcePosition?
}
