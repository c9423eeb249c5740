/// How specific a selector is, which CSS compares if several rules match.
///
/// <https://drafts.csswg.org/selectors-4/#specificity-rules>
public struct Specificity: Hashable, Comparable, Sendable {
    /// The number of ID selectors.
    public var ids: Int

    /// The number of class selectors, attribute selectors and pseudo-classes.
    public var classes: Int

    /// The number of type selectors and pseudo-elements.
    public var types: Int

    /// Creates a specificity from these numbers.
    public init(ids: Int = 0, classes: Int = 0, types: Int = 0) {
        self.ids = ids
        self.classes = classes
        self.types = types
    }

    /// Whether the first is lower than the second.
    public static func < (left: Specificity, right: Specificity) -> Bool {
        (left.ids, left.classes, left.types) < (right.ids, right.classes, right.types)
    }

    static func += (left: inout Specificity, right: Specificity) {
        left.ids += right.ids
        left.classes += right.classes
        left.types += right.types
    }
}

extension Specificity: CustomStringConvertible {
    /// The three numbers, as in "1,0,2".
    public var description: String { "\(ids),\(classes),\(types)" }
}
