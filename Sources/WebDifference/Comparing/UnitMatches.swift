/// The matching of the units of two pages.
struct UnitMatches {
    /// For each unit of the old page, the index of its match in the new one; -1 if it has no match.
    var newOf: [Int] = []
    var oldOf: [Int] = []
    /// The units of the old page that were moved.
    var moved: Set<Int> = []

    /// The matching in the opposite direction.
    var mirrored: UnitMatches {
        UnitMatches(newOf: oldOf, oldOf: newOf, moved: Set(moved.map { newOf[$0] }))
    }
}
