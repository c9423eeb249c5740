/// Which versions of a page are kept as they grow old: all of the last days, then one a day, then one a week.
///
/// Of a day or a week the last version is kept. Days and weeks, which begin on Mondays, are those of UTC. The newest version is
/// always kept, and so is what is dated in the future, the clock having been set back.
public struct HistoryPolicy: Hashable, Sendable {
    /// For how many days each version is kept; 1 by default.
    public var daysOfAll: Int { didSet { daysOfAll.boundCount() } }

    /// For how many days one version a day is kept; 30 by default.
    public var daysOfDaily: Int { didSet { daysOfDaily.boundCount() } }

    /// For how many days one version a week is kept; nil, the default, for always.
    public var daysOfWeekly: Int? {
        didSet { daysOfWeekly = daysOfWeekly.map { max(0, min($0, .largestBounded)) } }
    }

    /// Creates a policy; a negative number of days counts as 0.
    public init(daysOfAll: Int = 1, daysOfDaily: Int = 30, daysOfWeekly: Int? = nil) {
        self.daysOfAll = max(0, min(daysOfAll, .largestBounded))
        self.daysOfDaily = max(0, min(daysOfDaily, .largestBounded))
        self.daysOfWeekly = daysOfWeekly.map { max(0, min($0, .largestBounded)) }
    }

    /// The indices of the dates that the policy does not keep.
    ///
    /// - Parameters:
    ///   - dates: When versions were received, oldest first.
    ///   - now: The current time.
    /// - Returns: Indices, ascending.
    ///
    /// Complexity: O(n).
    package func surplus(of dates: [Timestamp], now: Timestamp) -> [Int] {
        var surplus: [Int] = []
        var last: Bucket?
        // From the newest on: the first that is met of a day or a week is its last.
        for index in dates.indices.reversed() {
            let bucket = bucket(of: dates[index], now)
            defer { last = bucket }
            guard index != dates.indices.last else { continue }
            switch bucket {
            case .all: break
            case .nothing: surplus.append(index)
            case .day, .week: if bucket == last { surplus.append(index) }
            }
        }
        return surplus.reversed()
    }

    /// The group of versions to which a version belongs.
    private enum Bucket: Equatable {
        case all
        case day(Int64)
        case week(Int64)
        case nothing
    }

    private func bucket(of date: Timestamp, _ now: Timestamp) -> Bucket {
        // Both are within ten thousand years.
        let age = now.secondsSince1970 &- date.secondsSince1970
        let day = HTTPDate.floorDivide(date.secondsSince1970, 86_400)
        if age < Int64(daysOfAll) *| 86_400 { return .all }
        if age < Int64(daysOfDaily) *| 86_400 { return .day(day) }
        if let daysOfWeekly, age >= Int64(daysOfWeekly) *| 86_400 { return .nothing }
        // The first of January 1970 was a Thursday.
        return .week(HTTPDate.floorDivide(day &+ 3, 7))
    }
}
