/// How a recipe is evaluated, besides its budget.
public struct ExtractionOptions: Sendable {
    /// Where it is evaluated: in a worker unless said otherwise.
    public var isolation = RuleIsolation.worker

    /// Whether ``Extraction/provenance`` says where each value comes from; false unless said otherwise.
    public var notesProvenance = false

    /// In a worker, without provenance.
    public init() {}
}
