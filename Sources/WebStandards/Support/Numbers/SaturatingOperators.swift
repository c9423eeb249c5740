infix operator +| : AdditionPrecedence
infix operator -| : AdditionPrecedence
infix operator *| : MultiplicationPrecedence
infix operator +|= : AssignmentPrecedence

/// Saturating arithmetic: the result stops at the type's smallest and largest value instead of trapping.
///
/// It is for sums of any number of untrusted numbers, and for products of two of them. A few additions of
/// numbers from ``Swift/Int/init(bounded:)`` do not need it: they cannot overflow.
extension FixedWidthInteger {
    /// The sum, or the nearest value of the type.
    @inlinable @inline(__always)
    package static func +| (left: Self, right: Self) -> Self {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? (right < 0 ? .min : .max) : sum
    }

    /// The difference, or the nearest value of the type.
    @inlinable @inline(__always)
    package static func -| (left: Self, right: Self) -> Self {
        let (difference, overflow) = left.subtractingReportingOverflow(right)
        return overflow ? (right < 0 ? .max : .min) : difference
    }

    /// The product, or the nearest value of the type.
    @inlinable @inline(__always)
    package static func *| (left: Self, right: Self) -> Self {
        let (product, overflow) = left.multipliedReportingOverflow(by: right)
        return overflow ? ((left < 0) == (right < 0) ? .max : .min) : product
    }

    /// Adds with saturation.
    @inlinable @inline(__always)
    package static func +|= (left: inout Self, right: Self) {
        left = left +| right
    }
}
