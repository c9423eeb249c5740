/// How a recipe is evaluated, besides its budget.
public struct ExtractionOptions: Sendable {
    /// Where it is evaluated: by default in a worker.
    public var isolation = RuleIsolation.worker

    /// Whether ``/WebRules/Extraction/provenance`` says where each value comes from; false by default.
    public var notesProvenance = false

    /// Whether the extraction has the trace of its rules, if they are evaluated in a worker.
    package var notesTrace = false

    /// Receives the resources that a worker has used so far; `nil` if they are not reported.
    package var progress: RuleProgress?

    /// Creates the default options: in a worker, without provenance.
    public init() {}
}
