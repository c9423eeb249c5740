import CWorker

/// A trace of the evaluation of each rule, for authors of recipes.
package final class RuleTrace {
    /// The trace of one rule.
    package struct Entry: Sendable {
        /// The rule, as in "items[].price".
        package internal(set) var rule = ""
        /// Its line in the recipe.
        package internal(set) var line = 0
        /// How often it was evaluated.
        package internal(set) var evaluations = 0
        /// How many nodes its query found, in all; nil where it has none.
        package internal(set) var nodes: Int?
        /// The value that it took the first time, before its transforms.
        package internal(set) var taken = JSONValue.null
        /// The result of each transform the first time.
        package internal(set) var steps: [(transform: String, value: JSONValue)] = []
        /// How long it took in all, with the rules inside it.
        package internal(set) var time = Duration.zero
        /// By how much the memory in use grew during its evaluations, with the rules inside it.
        package internal(set) var memory = 0
    }

    /// The time and the memory in use when a rule's evaluation began.
    struct Mark {
        fileprivate let time: Double
        fileprivate let memory: Int
    }

    package private(set) var entries: [Entry]

    /// How many entries ``takeNew()`` has returned, and how many there are up to the last rule that was evaluated.
    private var returned = 0
    private var reached = 0

    package init(_ recipe: Recipe) {
        entries = recipe.rules.map { Entry(rule: $0.name, line: $0.place.line) }
    }

    private static var memoryInUse: Int { webl_heap_in_use() }

    /// The entries of the rules that were evaluated since the last call, each by its rule's index in the recipe.
    ///
    /// It may be called between two top-level fields: their rules follow one another.
    func takeNew() -> [(index: Int, entry: Entry)] {
        let range = returned..<max(returned, reached)
        returned = range.upperBound
        return range.map { ($0, entries[$0]) }
    }

    func begin(_ rule: Int) -> Mark {
        reached = max(reached, rule + 1)
        entries[rule].evaluations += 1
        return Mark(time: MonotonicClock.now, memory: Self.memoryInUse)
    }

    func end(_ rule: Int, _ mark: Mark) {
        entries[rule].time += Duration(boundedSeconds: MonotonicClock.now - mark.time)
        entries[rule].memory += Self.memoryInUse - mark.memory
    }

    func found(_ count: Int, by rule: Int) {
        entries[rule].nodes = (entries[rule].nodes ?? 0) + count
    }

    func recordTaken(_ value: JSONValue, by rule: Int) {
        if entries[rule].evaluations == 1 { entries[rule].taken = value }
    }

    func recordTransformed(_ value: JSONValue, by transform: RecipeTransform, of rule: Int) {
        if entries[rule].evaluations == 1 { entries[rule].steps.append((transform.name, value)) }
    }
}
