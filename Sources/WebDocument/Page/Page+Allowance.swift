import Synchronization

/// The memory and time limits for inspections of a page.
extension Page {
    /// The state of the inspections so far.
    struct Allowance {
        /// Whether all inspections share the budget of a report; otherwise each has its own.
        var isShared = false

        /// The units of a whole report, and the remaining ones; nil before the first inspection.
        var shared: (all: Int, rest: Int)?

        /// The limits that inspections reached.
        var limits: [ReachedLimit] = []
    }

    /// The limits that inspections have reached so far: then their results are incomplete.
    ///
    /// Empty for legitimate pages.
    ///
    /// Each inspection may take memory in proportion to the page's size, and ``/WebStandards/LoadLimits/maximumTime``.
    public var inspectionLimits: [ReachedLimit] { allowance.withLock(\.limits) }

    /// Makes all inspections from now on share the budget of a report.
    package func shareAllowance() { allowance.withLock { $0.isShared = true } }

    /// The units that the next inspection may use, and the total.
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
    /// - Throws: The error of `body`, and ``ParsingError/Code/cancelled`` if its task was cancelled.
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
