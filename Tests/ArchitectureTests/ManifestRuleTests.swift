import Testing

/// Every target is compiled alike, as strictly as the compiler can.
@Suite struct ManifestRuleTests {
  private static let features = [
    "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
    "InferIsolatedConformances",
  ]

  private static func violations(in manifest: String) -> [String] {
    var found = features.filter { !manifest.contains(".enableUpcomingFeature(\"\($0)\")") }
    if !manifest.contains(".swiftLanguageMode(.v6)") { found.append("language mode 6") }
    if manifest.contains("unsafeFlags") { found.append("unsafeFlags") }
    // C targets and plug-ins aside, whoever declares a target gives it the settings.
    let targets = manifest.matches(
      of: /\.(?:target|executableTarget|testTarget)\((?!name: "(?:CBuild|CLinux|CPage|CFuzzer)")/)
    let settings = manifest.matches(of: /swiftSettings: strict/)
    if targets.count != settings.count { found.append("a target without the settings") }
    return found
  }

  @Test func `all targets are strict`() {
    #expect(Self.violations(in: Repository.text("Package.swift")) == [])
  }

  @Test func `a looser manifest is found`() {
    let manifest = Repository.text("Package.swift")
    for feature in Self.features {
      #expect(Self.violations(in: manifest.replacing(feature, with: "Gone")) == [feature])
    }
    #expect(
      Self.violations(in: manifest.replacing(".swiftLanguageMode(.v6)", with: "")) == ["language mode 6"])
    #expect(Self.violations(in: manifest + ".target(name: \"Loose\")") == ["a target without the settings"])
    #expect(Self.violations(in: manifest + "unsafeFlags([])") == ["unsafeFlags"])
  }
}
