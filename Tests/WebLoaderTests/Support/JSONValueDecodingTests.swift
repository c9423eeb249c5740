import Testing

@testable import WebStandards

/// Values of a program's own types, made of documents.
struct JSONValueDecodingTests {
    private struct Offer: Decodable, Equatable {
        enum State: String, Decodable { case new, used }
        var name: String
        var price: Double?
        var count: UInt8
        var tags: [String]
        var state: State
        var isThere: Bool
        var rest: JSONValue
    }

    private static let offer: JSONValue = [
        "name": "Tea", "price": .number(12.5), "count": 3, "tags": ["green", "loose"], "state": "used",
        "isThere": true,
        "rest": ["a": [1, .null]],
    ]

    private func changed(_ name: String, _ value: JSONValue?) -> JSONValue {
        guard case .object(let members) = Self.offer else { return .null }
        let kept = members.filter { $0.name != name }
        return .array([Self.offer, .object(kept + (value.map { [.init(name, $0)] } ?? []))])
    }

    @Test func valuesAreMadeOfDocuments() throws {
        let offers = try JSONValue.array([Self.offer, Self.offer]).decoded(as: [Offer].self)
        #expect(offers.count == 2)
        #expect(
            offers[0]
                == Offer(
                    name: "Tea",
                    price: 12.5,
                    count: 3,
                    tags: ["green", "loose"],
                    state: .used,
                    isThere: true,
                    rest: ["a": [1, .null]]
                )
        )
        #expect(try JSONValue.integer(3).decoded(as: Double.self) == 3)
        #expect(try JSONValue.number(3).decoded(as: Int.self) == 3)
        #expect(try JSONValue.null.decoded(as: Int?.self) == nil)
        #expect(
            try JSONValue.object([.init("a", 1), .init("a", 2)]).decoded(as: [String: Int].self) == ["a": 2]
        )
    }

    @Test(
        arguments: [
            ("price", nil, nil, ""), ("price", .null, nil, ""), ("name", nil, "value.missing", "[1].name"),
            ("name", .null, "value.null", "[1].name"), ("name", 1, "value.type", "[1].name"),
            ("count", 256, "value.invalid", "[1].count"),
            ("count", .number(1.5), "value.invalid", "[1].count"),
            ("count", "3", "value.type", "[1].count"), ("count", .number(.nan), "value.invalid", "[1].count"),
            ("tags", ["a", 1], "value.type", "[1].tags[1]"), ("tags", "a", "value.type", "[1].tags"),
            ("state", "old", "value.invalid", "[1].state"), ("isThere", 1, "value.type", "[1].isThere"),
        ] as [(String, JSONValue?, JSONValue.MismatchError.Code?, String)]
    )
    func whatDoesNotFitIsNamed(
        name: String,
        value: JSONValue?,
        code: JSONValue.MismatchError.Code?,
        path: String
    ) throws {
        do throws(JSONValue.MismatchError) {
            _ = try changed(name, value).decoded(as: [Offer].self)
            #expect(code == nil)
        } catch {
            #expect(error.code == code)
            #expect(error.path == path)
            #expect(error.message.hasPrefix("\(path): "))
        }
    }

    @Test func textsOfAPageStandForNumbersAndForTheirFirst() throws {
        let value: JSONValue = [
            "name": ["Tea", "Coffee"], "price": [" 12.50\n"], "count": ["3"], "tags": [],
        ]
        struct Item: Decodable, Equatable {
            var name: String
            var price: Double
            var count: Int
            var tags: [String]
            var missing: String?
        }
        #expect(
            try value.decoded(as: Item.self, readsText: true)
                == Item(name: "Tea", price: 12.5, count: 3, tags: [])
        )
    }
}
