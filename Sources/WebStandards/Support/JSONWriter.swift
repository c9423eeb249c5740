/// Writes an object of JSON member by member, so that what is long need not be there as values first, which take several
/// times as much memory.
///
/// The members of each object come out in the order of their names, in whatever order they are written, as with
/// ``JSONValue/serialized(sortingNames:)``.
@safe package struct JSONWriter: ~Copyable {
    /// A member that was begun, with its place in what is written.
    private struct Member {
        let name: StaticString
        let start: Int
        var end = 0
    }

    private var output = unsafe ByteBuffer()
    private var scratch = unsafe ByteBuffer(capacity: 256)

    /// The members of all objects that are open, those of the innermost last.
    private var members: [Member] = []

    /// Where the members of the innermost object begin.
    private var first = 0

    /// Whether those members are in the order of their names so far.
    private var isSorted = true

    /// Begins the outermost object.
    package init() {
        unsafe output.append(UInt8(ascii: "{"))
    }

    deinit {
        unsafe output.deallocate()
        unsafe scratch.deallocate()
    }

    /// The outermost object, and with `isLine` a line feed behind it.
    package consuming func written(isLine: Bool = false) -> [UInt8] {
        let end = isLine ? "}\n" : "}"
        if isSorted {
            unsafe output.append(UInt8(ascii: "}"))
            if isLine { unsafe output.append(0x0A) }
            return unsafe output.bytes
        }
        // Put together where it is copied anyway.
        sortMembers()
        var bytes: [UInt8] = []
        unsafe bytes.reserveCapacity(output.count + end.utf8.count)
        for (index, member) in members.enumerated() {
            bytes.append(UInt8(ascii: index == 0 ? "{" : ","))
            unsafe bytes.append(contentsOf: output.part(member.start..<member.end))
        }
        bytes += end.utf8
        return bytes
    }

    // MARK: - Objects

    /// The state of an object while one inside it is written.
    package struct OuterObject {
        fileprivate let first: Int
        fileprivate let isSorted: Bool
    }

    /// Begins an object inside the innermost one; the returned state of that one must be passed to ``endObject(_:)``.
    package mutating func beginObject() -> OuterObject {
        defer {
            first = members.count
            isSorted = true
        }
        unsafe output.append(UInt8(ascii: "{"))
        return OuterObject(first: first, isSorted: isSorted)
    }

    /// Ends the innermost object.
    package mutating func endObject(_ outer: OuterObject) {
        if !isSorted { arrangeMembers() }
        unsafe output.append(UInt8(ascii: "}"))
        members.removeLast(members.count - first)
        first = outer.first
        isSorted = outer.isSorted
    }

    /// Begins a member of the innermost object; its value is to follow.
    ///
    /// - Parameter name: A name of letters, digits and underscores, which nothing escapes.
    package mutating func name(_ name: StaticString) {
        if members.count > first {
            unsafe output.append(UInt8(ascii: ","))
            if isSorted { isSorted = Self.isOrdered(members[members.count - 1].name, name) }
        }
        members.append(Member(name: name, start: unsafe output.count))
        unsafe output.append(UInt8(ascii: "\""))
        unsafe output.append(name)
        unsafe output.append(UInt8(ascii: "\""))
        unsafe output.append(UInt8(ascii: ":"))
    }

    /// Whether one name does not come after another.
    private static func isOrdered(_ left: StaticString, _ right: StaticString) -> Bool {
        let count = min(left.utf8CodeUnitCount, right.utf8CodeUnitCount)
        for index in 0..<count {
            let (first, second) = unsafe (left.utf8Start[index], right.utf8Start[index])
            if first != second { return first < second }
        }
        return left.utf8CodeUnitCount <= right.utf8CodeUnitCount
    }

    /// Puts the records of the innermost object's members into the order of their names.
    private mutating func sortMembers() {
        var end = unsafe output.count
        for index in (first..<members.count).reversed() {
            members[index].end = end
            // Less the comma.
            end = members[index].start - 1
        }
        for index in first + 1..<max(members.count, first + 1) {
            let member = members[index]
            var place = index
            while place > first, !Self.isOrdered(members[place - 1].name, member.name) {
                members[place] = members[place - 1]
                place -= 1
            }
            members[place] = member
        }
    }

    /// Puts the innermost object's members into the order of their names.
    private mutating func arrangeMembers() {
        let start = members[first].start
        unsafe scratch.truncate(to: 0)
        unsafe scratch.append(output.part(start..<output.count))
        sortMembers()
        unsafe output.truncate(to: start)
        for index in first..<members.count {
            if index > first { unsafe output.append(UInt8(ascii: ",")) }
            unsafe output.append(scratch.part(members[index].start - start..<members[index].end - start))
        }
    }

    // MARK: - Arrays

    /// Begins an array.
    package mutating func beginArray() { unsafe output.append(UInt8(ascii: "[")) }

    /// Ends an array.
    package mutating func endArray() { unsafe output.append(UInt8(ascii: "]")) }

    /// Separates two items of an array.
    package mutating func separator() { unsafe output.append(UInt8(ascii: ",")) }

    // MARK: - Values

    /// Writes a string.
    package mutating func write(_ string: String) { unsafe JSONValue.write(string, into: &output) }

    /// Writes a whole number.
    package mutating func write(_ integer: Int64) { unsafe JSONValue.write(integer, into: &output) }

    /// Writes a number; null for one that is infinite or none.
    package mutating func write(_ number: Double) { unsafe JSONValue.write(number, into: &output) }

    /// Writes `true` or `false`.
    package mutating func write(_ isTrue: Bool) { unsafe output.append(isTrue ? "true" : "false") }

    /// Writes a value, the members of its objects in the order of their names.
    package mutating func write(_ value: JSONValue) { unsafe value.write(into: &output, true) }
}
