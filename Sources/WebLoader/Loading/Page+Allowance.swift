import Synchronization

/// How much inspections of a page may take.
extension Page {
    /// What is known of the inspections so far.
    struct Allowance {
        /// Whether all inspections share what there is for a report; else each has its own.
        var isShared = false

        /// The units for all of a report, and those that are left; nil before the first inspection.
        var shared: (all: Int, rest: Int)?

        /// The limits that inspections met.
        var limits: [ReachedLimit] = []
    }

    /// The limits that inspections have met so far: what they gathered is not all that there is.
    ///
    /// Empty for every honest page.
    ///
    /// Each inspection may take memory in proportion to the page's size, and ``LoadLimits/maximumTime``.
    public var inspectionLimits: [ReachedLimit] { allowance.withLock(\.limits) }

    /// Has all inspections from now on share what there is for a report.
    package func shareAllowance() { allowance.withLock { $0.isShared = true } }

    /// The units that a next inspection may take, of how many there were.
    private func allowedUnits() throws(ParsingError) -> (all: Int, rest: Int) {
        let size = response.body.count
        guard allowance.withLock(\.isShared) else {
            let units = InspectionBudget.units(ofOneInspection: size)
            return (units, units)
        }
        let units = InspectionBudget.units(besides: try document, pageSize: size)
        return allowance.withLock { allowance in
            let shared = allowance.shared ?? (units, units)
            allowance.shared = shared
            return shared
        }
    }

    /// Runs an inspection within its budget.
    ///
    /// - Throws: What it throws, and ``ParsingError/Code/cancelled`` if its task was cancelled.
    func inspecting<Value>(
        _ body: (InspectionBudget) throws(ParsingError) -> Value
    ) throws(ParsingError) -> Value {
        let limits = settings.parsing.limits
        let units = try allowedUnits()
        let budget = InspectionBudget(units: units.rest, seconds: limits.maximumTime)
        let value = try body(budget)
        if budget.interruption == .cancelled { throw .cancelled }
        let rest = budget.rest
        let isTruncated = budget.isTruncated
        let isLate = budget.interruption == .time
        allowance.withLock { allowance in
            if allowance.isShared { allowance.shared = (units.all, rest) }
            guard isTruncated else { return }
            let limit =
                isLate
                ? limits.reachedTime : ReachedLimit(code: .inspection, limit: units.all, count: nil)
            if !allowance.limits.contains(where: { $0.code == limit.code }) { allowance.limits.append(limit) }
        }
        return value
    }
}
