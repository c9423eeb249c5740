/// The ContextJ rules of RFC 5892, appendix A.1 and A.2.
///
/// <https://www.rfc-editor.org/rfc/rfc5892#appendix-A.1>
enum ContextJ {
    private static let zeroWidthNonJoiner: UInt32 = 0x200C
    private static let zeroWidthJoiner: UInt32 = 0x200D

    /// Whether every joiner of a label is in an allowed context.
    ///
    /// A joiner is not transparent itself, so no code point is examined for more than two joiners.
    static func isSatisfied(by label: ArraySlice<UInt32>) -> Bool {
        for index in label.indices where isJoiner(label[index]) {
            guard index > label.startIndex else { return false }
            if ScalarProperties(of: label[index - 1]).isVirama { continue }
            guard label[index] == zeroWidthNonJoiner, joins(label, around: index) else { return false }
        }
        return true
    }

    private static func isJoiner(_ scalar: UInt32) -> Bool {
        scalar == zeroWidthNonJoiner || scalar == zeroWidthJoiner
    }

    /// Whether the joiner stands in (Joining_Type:{L,D})(Joining_Type:T)* ZWNJ
    /// (Joining_Type:T)*(Joining_Type:{R,D}).
    private static func joins(_ label: ArraySlice<UInt32>, around index: Int) -> Bool {
        let before = label[..<index].last { ScalarProperties(of: $0).joiningType != .transparent }
        let after = label[(index + 1)...].first { ScalarProperties(of: $0).joiningType != .transparent }
        guard let before, let after else { return false }
        let left = ScalarProperties(of: before).joiningType
        let right = ScalarProperties(of: after).joiningType
        return (left == .left || left == .dual) && (right == .right || right == .dual)
    }
}
