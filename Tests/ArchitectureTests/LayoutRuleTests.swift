import Testing

@Suite struct LayoutRuleTests {
  @Test func `the top level holds what it should and nothing else`() {
    #expect(LayoutRule.violations(inTopLevel: Repository.topLevel) == [])
    #expect(LayoutRule.topLevel.subtracting(Repository.topLevel) == [])
  }

  @Test func `no file names a place of one machine`() {
    let folders = ["Sources", "Tests", "deploy", "dashboards", ".ci", ".github"].flatMap(Repository.files)
    let files = folders + ["Package.swift", "README.md", "LICENSE", ".gitignore", ".swift-format"]
    #expect(files.flatMap { LayoutRule.violations(in: Repository.text($0), at: $0) } == [])
  }

  @Test func `a stray file at the top is found`() {
    let names = ["Package.swift", ".build", ".ci", "Package.resolved", "notes.txt", "scripts"]
    #expect(LayoutRule.violations(inTopLevel: names).map(\.path) == ["notes.txt", "scripts"])
  }

  @Test(arguments: LayoutRule.placesOfMachines)
  func `a place of one machine is found`(place: String) {
    #expect(LayoutRule.violations(in: "see \(place)notes.md", at: "README.md").map(\.path) == ["README.md"])
  }
}
