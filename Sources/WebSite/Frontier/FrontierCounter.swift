import WebDatabase
import WebStandards

/// How many URLs are in which state, and why: kept with each transaction, since counting takes reading them all.
struct FrontierCounter {
    private struct Key: Hashable {
        let state: URLState
        let reason: String
    }

    private var numbers: [Key: Int] = [:]
    /// What changed since the last commit.
    private var changes: [Key: Int] = [:]

    /// How many reasons are told apart: codes, of which there are few, unless something makes them up.
    private static let reasonLimit = 1000

    init(_ database: Database) throws(StateError) {
        let select = try database.prepare("SELECT state, reason, number FROM counts")
        while try select.step() {
            guard let state = URLState(rawValue: Int(bounded: select.number(0))) else { continue }
            numbers[Key(state: state, reason: select.text(1))] = Int(bounded: select.number(2))
        }
    }

    /// Counts URLs into a state, or out of it.
    mutating func add(_ number: Int, _ state: URLState, _ reason: String? = nil) {
        var key = Key(state: state, reason: reason ?? "")
        if numbers[key] == nil, numbers.count >= Self.reasonLimit { key = Key(state: state, reason: "other") }
        numbers[key, default: 0] += number
        changes[key, default: 0] += number
    }

    /// Writes what changed.
    mutating func write(_ statement: Statement) throws(StateError) {
        for (key, change) in changes where change != 0 {
            try statement.bind(1, Int64(key.state.rawValue)).bind(2, key.reason).bind(3, Int64(change)).run()
        }
        changes.removeAll(keepingCapacity: true)
    }

    /// How many there are in a state.
    func count(_ state: URLState) -> Int {
        numbers.reduce(0) { $1.key.state == state ? $0 +| max(0, $1.value) : $0 }
    }

    /// How many there are in a state, by reason.
    func reasons(_ state: URLState) -> [String: Int] {
        var reasons: [String: Int] = [:]
        for (key, number) in numbers where key.state == state && number > 0 { reasons[key.reason] = number }
        return reasons
    }
}
