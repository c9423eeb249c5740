/// Takes the description of an object, member by member, and makes something of it: ``MemberWriter`` its JSON,
/// ``MemberValues`` its value, ``MemberSchemas`` its schema.
///
/// The compiler makes each description into code of its own for each of them, so that it costs what it would cost to write
/// the JSON by hand.
package protocol ReportMembers<Object>: ~Copyable {
    associatedtype Object

    /// Gives the object a name and a description in a sentence, so that the schema defines it once for all places.
    ///
    /// Without this, the schema repeats the definition in each place. It is called before the members.
    mutating func named(_ name: String, _ description: String)

    /// A member that is always there.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - schema: The schema of its value; `nil` for that of its type.
    ///   - description: Its meaning, in a sentence; `nil` if the type describes it for all places.
    ///   - value: Its value.
    mutating func required<Value: ReportValue>(
        _ name: StaticString,
        as schema: @autoclosure () -> ValueSchema?,
        _ description: String?,
        _ value: (Object) -> Value
    )

    /// A member that is there unless its value is nil; the parameters are those of a required one.
    mutating func optional<Value: ReportValue>(
        _ name: StaticString,
        as schema: @autoclosure () -> ValueSchema?,
        _ description: String?,
        _ value: (Object) -> Value?
    )

    /// The members of a part, as the object's own; none of them where the part is nil.
    mutating func include<Part: ReportObject>(_ part: (Object) -> Part?)
}

extension ReportMembers where Self: ~Copyable {
    @inline(__always)
    package mutating func named(_ name: String, _ description: String) {}

    /// A member that is always there.
    @inline(__always)
    package mutating func required<Value: ReportValue>(
        _ name: StaticString,
        _ description: String?,
        _ value: (Object) -> Value
    ) {
        required(name, as: nil, description, value)
    }

    /// A member that is there unless its value is nil.
    @inline(__always)
    package mutating func optional<Value: ReportValue>(
        _ name: StaticString,
        _ description: String?,
        _ value: (Object) -> Value?
    ) {
        optional(name, as: nil, description, value)
    }

    /// A member that is true, and there only if it is.
    @inline(__always)
    package mutating func flag(_ name: StaticString, _ description: String, _ value: (Object) -> Bool) {
        optional(name, as: .yes, description) { value($0) ? true : nil }
    }

    /// A list that is there unless it is empty.
    @inline(__always)
    package mutating func list<Value: ReportValue>(
        _ name: StaticString,
        _ description: String,
        _ values: (Object) -> [Value]
    ) {
        optional(name, as: nil, description) { object in
            let values = values(object)
            return values.isEmpty ? nil : values
        }
    }

    /// A reference and its URL, which is null if the reference is not a valid one; neither without a reference.
    @inline(__always)
    package mutating func reference(
        _ description: String,
        _ reference: (Object) -> String?,
        _ url: (Object) -> WebURL?
    ) {
        optional("reference", as: nil, description, reference)
        optional("url", as: nil, "The absolute URL; null if the reference is not a valid URL.") {
            reference($0) == nil ? nil : .some(url($0))
        }
    }
}
