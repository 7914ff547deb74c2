import Testing

@Suite struct AccessRuleTests {
  @Test func `only the libraries are public`() {
    #expect(AccessRule.violations(in: Repository.sources) == [])
  }

  @Test func `the manifest offers just those libraries`() {
    let products = Repository.text("Package.swift").matches(of: /\.library\(name: "(\w+)"/).map {
      String($0.1)
    }
    #expect(Set(products) == AccessRule.libraries)
  }

  @Test(arguments: [("Fleet", 1), ("FleetModel", 0)])
  func `a public declaration elsewhere is found`(target: String, count: Int) {
    let file = SourceFile(path: "Sources/\(target)/Planted.swift", text: "public struct Planted {}\n")
    #expect(AccessRule.violations(in: [file]).count == count)
  }
}
