import Synchronization

/// How much inspections of a page may take.
extension Page {
    /// What is known of the inspections so far.
    struct Allowance {
        /// The units that are left where all inspections share them; nil where each has its own.
        var rest: Int?

        /// The limits that inspections met.
        var limits: [ReachedLimit] = []
    }

    /// The limits that inspections have met so far: what they gathered is not all that there is.
    ///
    /// Empty for every honest page.
    ///
    /// Each inspection may take memory in proportion to the page's size, and ``LoadLimits/maximumTime``.
    public var inspectionLimits: [ReachedLimit] { allowance.withLock(\.limits) }

    /// Has all inspections from now on share what one of them may take: for a report that is made of several.
    package func shareAllowance() {
        allowance.withLock { allowance in
            guard allowance.rest == nil else { return }
            allowance.rest = InspectionBudget.units(pageSize: response.body.count)
        }
    }

    /// Runs an inspection within its budget.
    ///
    /// - Throws: What it throws, and ``ParsingError/Code/cancelled`` if its task was cancelled.
    func inspecting<Value>(
        _ body: (InspectionBudget) throws(ParsingError) -> Value
    ) throws(ParsingError) -> Value {
        let size = response.body.count
        let limits = settings.parsing.limits
        let shared = allowance.withLock(\.rest)
        let budget = InspectionBudget(
            units: shared ?? InspectionBudget.units(ofOneInspection: size),
            seconds: limits.maximumTime
        )
        let value = try body(budget)
        if budget.interruption == .cancelled { throw .cancelled }
        let rest = budget.rest
        let isTruncated = budget.isTruncated
        let isLate = budget.interruption == .time
        allowance.withLock { allowance in
            if allowance.rest != nil { allowance.rest = rest }
            guard isTruncated else { return }
            let limit =
                isLate
                ? limits.reachedTime
                : ReachedLimit(
                    code: .inspection,
                    limit: shared == nil
                        ? InspectionBudget.units(ofOneInspection: size)
                        : InspectionBudget.units(pageSize: size),
                    count: nil
                )
            if !allowance.limits.contains(where: { $0.code == limit.code }) { allowance.limits.append(limit) }
        }
        return value
    }
}
