/// Which units of one page became which of the other.
struct UnitMatches {
    /// For each unit of the old page that of the new, -1 for none.
    var newOf: [Int] = []
    var oldOf: [Int] = []
    /// Those of the old page that moved.
    var moved: Set<Int> = []

    /// The same for the other direction.
    var mirrored: UnitMatches {
        UnitMatches(newOf: oldOf, oldOf: newOf, moved: Set(moved.map { newOf[$0] }))
    }
}
