import CWorker

/// What each rule does, for people who write recipes.
package final class RuleTrace {
    /// What a rule did.
    package struct Entry: Sendable {
        /// The rule, as in "items[].price".
        package let rule: String
        /// Its line in the recipe.
        package let line: Int
        /// How often it was evaluated.
        package fileprivate(set) var evaluations = 0
        /// How many nodes its query found, in all; nil where it has none.
        package fileprivate(set) var nodes: Int?
        /// The value that it took the first time, before its transforms.
        package fileprivate(set) var taken = JSONValue.null
        /// The result of each transform the first time.
        package fileprivate(set) var steps: [(transform: String, value: JSONValue)] = []
        /// How long it took in all, with the rules inside it.
        package fileprivate(set) var time = Duration.zero
        /// By how much the memory in use grew during its evaluations, with the rules inside it.
        package fileprivate(set) var memory = 0
    }

    /// The time and the memory in use when a rule's evaluation began.
    struct Mark {
        fileprivate let time: Double
        fileprivate let memory: Int
    }

    package private(set) var entries: [Entry]

    package init(_ recipe: Recipe) {
        entries = recipe.rules.map { Entry(rule: $0.name, line: $0.place.line) }
    }

    private static var memoryInUse: Int { webl_heap_in_use() }

    func begin(_ rule: Int) -> Mark {
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
