/// How a recipe is evaluated, besides its budget.
public struct ExtractionOptions: Sendable {
    /// Where it is evaluated: by default in a worker.
    public var isolation = RuleIsolation.worker

    /// Whether ``/WebRules/Extraction/provenance`` says where each value comes from; false by default.
    public var notesProvenance = false

    /// Creates the default options: in a worker, without provenance.
    public init() {}
}
