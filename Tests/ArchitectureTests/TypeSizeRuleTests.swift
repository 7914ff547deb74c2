import Testing

@Suite struct TypeSizeRuleTests {
  @Test func `no type is larger than it may be`() {
    #expect(TypeSizeRule.violations(in: Repository.sources) == [])
  }

  private static let planted = """
    /// A type.
    final class Outer<Value>: Base {
      private(set) var one = 1
      let (two, three): (Int, Int)
      @exclusivity(unchecked) private var four: Int? {
        didSet { changed() }
      }
      static let none = 0
      var computed: Int { 5 }
      private var long: Int {
        let local = 6
        return local
      }
      let closure: () -> Void = { print() }
      struct Inner {
        var only: Int
      }

      func work(
        _ a: Int
      ) -> Int {
        a
      }
    }

    extension Outer {
      func more() {}
    }
    """

  @Test func `stored properties and lines are counted over extensions, and nested types for themselves`() {
    let sizes = TypeSize.all(in: [SourceFile(path: "Sources/Fleet/Planted.swift", text: Self.planted)])
    #expect(sizes.map(\.name) == ["Fleet.Outer", "Fleet.Outer.Inner"])
    #expect(sizes.map(\.properties) == [5, 1])
    #expect(sizes.map(\.lines) == [23, 3])
  }

  @Test(arguments: [(properties: 15, lines: 400), (16, 400), (15, 401)])
  func `what is too large is found`(properties: Int, lines: Int) {
    let many = (0..<properties).map { "  var p\($0) = 0\n" }.joined()
    let rest = String(repeating: "  // more\n", count: lines - properties - 2)
    let file = SourceFile(path: "Sources/Fleet/A.swift", text: "struct A {\n\(many)\(rest)}\n")
    let isSmall = properties == 15 && lines == 400
    let isLong = lines > 400
    #expect(TypeSizeRule.violations(in: [file]).count == (isSmall ? 0 : isLong ? 2 : 1))
  }

  @Test func `files of a type count together, with what stands around their bodies`() {
    let lines = String(repeating: "// more\n", count: 200)
    func file(_ name: String, _ text: String) -> SourceFile {
      SourceFile(path: "Sources/Fleet/\(name).swift", text: text)
    }
    let fitting = [file("A", lines), file("A+more", lines), file("B", lines)]
    #expect(TypeSizeRule.violations(in: fitting) == [])
    #expect(TypeSizeRule.violations(in: fitting + [file("A+last", "\n")]).count == 1)
  }
}
