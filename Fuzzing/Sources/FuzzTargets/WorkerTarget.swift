@testable import WebLoader
@testable import WebRules

/// Creates the recipe that the worker claims to evaluate.
private func makeRecipe() -> Recipe? {
    // The text is a valid recipe.
    try? Recipe(
        """
        version: 1
        fields:
          a: title
          b: {select: p, all: true}
          n: {select: a, take: "url:href", follow: {depth: 2, fields: {t: title}}}
        """,
        file: "r"
    )
}

/// Feeds arbitrary records of a worker, each prefixed with its length in two bytes: only results that the recipe could
/// have produced, within its budget, may be accepted.
func fuzzWorkerRecords(_ input: UnsafeBufferPointer<UInt8>) {
    guard let recipe = makeRecipe(), let source = try? WebURL("http://h.test/"), let flags = input.first
    else { return }
    var budget = Budget()
    budget.output = .bytes(flags & 1 == 0 ? 300 : 1 << 20)
    budget.log = .bytes(20)
    budget.pages = 4
    let notesProvenance = flags & 2 != 0
    var transcript = WorkerTranscript(recipe, budget, notesProvenance: notesProvenance, source: source)
    var rest = Array(input.dropFirst())[...]
    var isOver = false
    var followed = 0
    while rest.count >= 2 {
        let count = min(rest.count - 2, Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8)
        let record = rest.dropFirst(2).prefix(count)
        rest = rest.dropFirst(2 + count)
        let verdict = transcript.take(record)
        check(transcript, recipe, budget, notesProvenance)
        switch verdict {
        case .accepted, .started: precondition(!isOver, "more was believed than a run")
        case .follow(let url):
            followed += 1
            precondition(!isOver && followed <= 4, "more pages than there may be")
            precondition(["http", "https"].contains(url.scheme), "a page leads elsewhere")
            if flags & 4 == 0 { transcript.registerPage(url) }
        case .over:
            precondition(!isOver, "a run was over twice")
            isOver = true
        case .exceeded, .invalid: return
        }
    }
}

private func check(
    _ transcript: WorkerTranscript,
    _ recipe: Recipe,
    _ budget: Budget,
    _ notesProvenance: Bool
) {
    let extraction = transcript.extraction
    let names = recipe.fields.map(\.name)
    precondition(
        transcript.members.map(\.name) == Array(names.prefix(transcript.members.count)),
        "other fields"
    )
    let data = JSONValue.object(transcript.members).serialized(sortingNames: false)
    precondition(data.count <= max(2, budget.output.bytes), "more than the result may be")
    precondition(
        extraction.log.reduce(0) { $0 + $1.utf8.count + 1 } <= budget.log.bytes,
        "more log than there may be"
    )
    precondition(extraction.errors.count <= 11 * recipe.rules.count + 1, "more errors than there may be")
    precondition(notesProvenance || extraction.provenance.isEmpty, "what was not asked")
    precondition(
        extraction.usage.pages <= budget.pages && extraction.usage.output.bytes <= 1 << 53,
        "no such use"
    )
    if let failure = extraction.failure {
        precondition([.invalid, .failed, .drift].contains(failure.code), "what workers do not say")
    }
}
