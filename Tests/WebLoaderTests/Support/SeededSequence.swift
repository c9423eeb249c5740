import TestSupport

/// Numbers and choices from a seed.
struct SeededSequence {
    private var generator: SeededGenerator

    init(_ seed: Int) { generator = SeededGenerator(seed: UInt64(seed)) }

    /// A number below a bound.
    mutating func next(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }

    /// Whether the one case of so many has come up.
    mutating func one(of count: Int) -> Bool { next(count) == 0 }

    /// One of these, of which there is at least one.
    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[next(choices.count)] }

    /// So many, each made anew.
    mutating func list<Element>(_ count: Int, _ make: (inout SeededSequence) -> Element) -> [Element] {
        var list: [Element] = []
        for _ in 0..<count { list.append(make(&self)) }
        return list
    }
}
