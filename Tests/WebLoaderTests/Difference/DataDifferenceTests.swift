import Testing
import WebDifference
import WebLoader

/// Tests of the differences between two JSON documents.
struct DataDifferenceTests {
    private func said(_ old: JSONValue, _ new: JSONValue) -> [String] {
        PageDifference(data: old, new).changes.map { change in
            let values = [change.old, change.new].compactMap { $0 }
            return "\(change.name ?? "") \(change.operation.rawValue) \(values.joined(separator: " > "))"
        }
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":1}"#, []), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, []),
        (#"{"a":1}"#, #"{"a":2}"#, ["a changed 1 > 2"]),
        (#"{"a":1}"#, #"{"b":1}"#, ["b added 1", "a removed 1"]),
        (#"{"a":[1,2,3]}"#, #"{"a":[1,9,3]}"#, ["a[1] changed 2 > 9"]),
        (#"{"a":[1,2,3]}"#, #"{"a":[0,1,2,3]}"#, ["a[0] added 0"]),
        (#"{"a":[1,2,3]}"#, #"{"a":[1,3]}"#, ["a[1] removed 2"]),
        (#"{"a":[1,2,3]}"#, #"{"a":[9,1,2]}"#, ["a[0] added 9", "a[2] removed 3"]),
        (#"{"a":[1,2,3]}"#, #"{"a":[3,2,1]}"#, ["a moved [1,2,3] > [3,2,1]"]),
        (#"{"a":[{"b":1},{"b":2}]}"#, #"{"a":[{"b":1},{"b":3}]}"#, ["a[1].b changed 2 > 3"]),
        (#"[1]"#, #"{"a":1}"#, [#" changed [1] > {"a":1}"#]), (#"{"a":null}"#, #"{}"#, ["a removed null"]),
        (#"{"a":[]}"#, #"{"a":{}}"#, ["a changed [] > {}"]), ("1", "1", []),
        ("1", #""1""#, [" changed 1 > 1"]),
        // Two that exchange a value are two changes, not the same values in another order.
        (
            #"[{"n":"a","p":3},{"n":"b","p":5}]"#, #"[{"n":"a","p":5},{"n":"b","p":3}]"#,
            ["[0].p changed 3 > 5", "[1].p changed 5 > 3"]
        ),
        // An item that is inserted at the front is not paired with another, though all others have changed.
        (
            #"[{"n":"a","p":3},{"n":"b","p":5}]"#, #"[{"n":"c","p":9},{"n":"a","p":4},{"n":"b","p":6}]"#,
            [#"[0] added {"n":"c","p":9}"#, "[1].p changed 3 > 4", "[2].p changed 5 > 6"]
        ),
        // Moved and changed.
        (
            #"[{"n":"a","p":3},{"n":"b","p":5}]"#, #"[{"n":"b","p":6},{"n":"a","p":3}]"#,
            [
                #" moved [{"n":"a","p":3},{"n":"b","p":5}] > [{"n":"b","p":6},{"n":"a","p":3}]"#,
                "[0].p changed 5 > 6",
            ]
        ),
        // The order within an item.
        (#"[[1,2],[3]]"#, #"[[3],[2,1]]"#, [" moved [[1,2],[3]] > [[3],[2,1]]", "[1] moved [1,2] > [2,1]"]),
        // Members that are there twice.
        (#"{"a":1,"a":2}"#, #"{"a":1,"a":3}"#, ["a changed 2 > 3"]),
    ])
    func `values change by their paths`(_ old: String, _ new: String, _ expected: [String]) throws {
        let (old, new) = (try JSONValue(parsing: old.utf8), try JSONValue(parsing: new.utf8))
        #expect(said(old, new) == expected)
        let mirrored = PageDifference(data: new, old).changes.map(\.operation.rawValue).sorted()
        let exchanged = ["added": "removed", "removed": "added"]
        #expect(
            mirrored
                == PageDifference(data: old, new).changes.map { change in
                    exchanged[change.operation.rawValue] ?? change.operation.rawValue
                }
                .sorted()
        )
    }

    @Test func `what is deep or has many items is compared all the same`() throws {
        let depth = 500
        let deep = { (value: Int) in
            String(repeating: "[[1],", count: depth) + "\(value)" + String(repeating: "]", count: depth)
        }
        let deepest = said(try JSONValue(parsing: deep(1).utf8), try JSONValue(parsing: deep(2).utf8))
        #expect(deepest.count == 1)
        #expect(deepest.first?.hasSuffix(" changed 1 > 2") == true)
        let many = { (price: Int) in
            JSONValue.array(
                (0..<20_000).map { ["name": .string("n\($0)"), "price": .integer(Int64($0 + price))] }
            )
        }
        let changes = PageDifference(data: many(0), many(1)).changes
        #expect(changes.count == 20_000)
        #expect(changes.allSatisfy { $0.name?.hasSuffix("].price") == true })
    }

    @Test func `rules hide what they say`() throws {
        var options = PageDifference.Options()
        options.ignoredNumberDifference = .absolute(1)
        let difference = PageDifference(data: ["a": 1, "b": 1], ["a": 2, "b": 3], options: options)
        #expect(difference.changes.map(\.name) == ["b"])
        #expect(difference.ignored == ["number": 1])
    }
}
