import WebDatabase
import WebStandards

/// The number of URLs by state and reason, stored with each transaction, since counting reads all rows.
struct FrontierCounter {
    private struct Key: Hashable {
        let state: URLState
        let reason: String
    }

    private var numbers: [Key: Int] = [:]
    /// The changes since the last commit.
    private var changes: [Key: Int] = [:]

    /// The maximum number of distinct reasons; there are few codes, unless something makes them up.
    private static let reasonLimit = 1000

    init(_ database: Database) throws(StateError) {
        let select = try database.prepare("SELECT state, reason, number FROM counts")
        while try select.step() {
            guard let state = URLState(rawValue: Int(bounded: select.number(0))) else { continue }
            numbers[Key(state: state, reason: select.text(1))] = Int(bounded: select.number(2))
        }
    }

    /// Adds a number of URLs to a state; a negative number removes them.
    mutating func add(_ number: Int, _ state: URLState, _ reason: String? = nil) {
        var key = Key(state: state, reason: reason ?? "")
        if numbers[key] == nil, numbers.count >= Self.reasonLimit { key = Key(state: state, reason: "other") }
        numbers[key, default: 0] += number
        changes[key, default: 0] += number
    }

    /// Writes the changes.
    mutating func write(_ statement: Statement) throws(StateError) {
        for (key, change) in changes where change != 0 {
            try statement.bind(1, Int64(key.state.rawValue)).bind(2, key.reason).bind(3, Int64(change)).run()
        }
        changes.removeAll(keepingCapacity: true)
    }

    /// Returns the number of URLs in a state.
    func count(_ state: URLState) -> Int {
        numbers.reduce(0) { $1.key.state == state ? $0 +| max(0, $1.value) : $0 }
    }

    /// Returns the number of URLs in a state, by reason.
    func reasons(_ state: URLState) -> [String: Int] {
        var reasons: [String: Int] = [:]
        for (key, number) in numbers where key.state == state && number > 0 { reasons[key.reason] = number }
        return reasons
    }
}
