import WebLoader

/// Words for people.
enum Wording {
    /// Returns a text as in "1 image" and "2 images"; `nil` for a count of 0.
    static func count(_ count: Int, _ name: String, _ plural: String? = nil) -> String? {
        count > 0 ? number(count, name, plural) : nil
    }

    /// As in "0 images", "1 image" and "2 images".
    static func number(_ count: Int, _ name: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? name : plural ?? name + "s")"
    }

    /// An age, as in "3 days", in the largest unit of which it has one.
    static func age(_ seconds: Int64) -> String {
        switch seconds {
        case 86_400...: number(Int(bounded: seconds / 86_400), "day")
        case 3600...: number(Int(bounded: seconds / 3600), "hour")
        case 60...: number(Int(bounded: seconds / 60), "minute")
        default: number(Int(bounded: seconds), "second")
        }
    }

    /// The first of a list, and how many more there are.
    static func first(_ number: Int, of items: [String]) -> String {
        let more = items.count > number ? ["and \(items.count - number) more"] : []
        return (items.prefix(number) + more).joined(separator: ", ")
    }

    /// Returns the parts that are not `nil`, joined with commas; `nil` if there are none.
    static func list(_ parts: [String?]) -> String? {
        let present = parts.compactMap { $0 }
        return present.isEmpty ? nil : present.joined(separator: ", ")
    }
}
