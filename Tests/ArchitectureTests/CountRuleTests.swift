import Testing

@Suite struct CountRuleTests {
  @Test func `counted constructs stand where they are allowed`() {
    #expect(CountRule.violations(in: Repository.sources, allowed: Allowances.all) == [])
  }

  @Test func `every allowance has a reason`() {
    #expect(Allowances.all.allSatisfy { $0.count > 0 && $0.reason.count > 10 })
  }

  @Test(arguments: [
    (Construct.task, "Task { await work() }"), (.task, "Task.detached {}"),
    (.task, "Task(priority: .low) {}"),
    (.task, "let t = Task<Void, Never> {}"), (.task, "Task.immediate {}"),
    (.forcedTry, "let a = try! b()"), (.forcedCast, "let a = b as! C"), (.forcedUnwrap, "let a = b[0]!.c"),
    (.forcedUnwrap, "let a = b!"),
    (.fatalError, "fatalError()"), (.precondition, "precondition(a > 0)"),
    (.precondition, "preconditionFailure()"),
    (.unchecked, "final class A: @unchecked Sendable {}"),
    (.isolationWaiver, "nonisolated(unsafe) var a = 0"),
    (.unsafe, "bytes.withUnsafeBytes { _ in }"), (.unsafe, "let a: UnsafeRawPointer"),
    (.unsafe, "span.unsafeLoad(as: UInt8.self)"), (.unsafe, "Unmanaged.passRetained(a)"),
    (.processWide, "let before = umask(0o177)"), (.processWide, "setenv(\"TZ\", \"UTC\", 1)"),
  ])
  func `a planted construct is found`(construct: Construct, line: String) {
    let file = SourceFile(path: "Sources/Fleet/Planted.swift", text: "\(line)\n")
    let found = CountRule.violations(in: [file], allowed: [])
    #expect(found.contains { $0.message.contains(construct.rawValue) })
    let allowance = CountRule.Allowance(construct, "Fleet/Planted.swift", because: "planted")
    let allowed = CountRule.violations(in: [file], allowed: [allowance])
    #expect(!allowed.contains { $0.message.contains(construct.rawValue) })
  }

  @Test(arguments: [
    "group.addTask { await work() }", "let a = !b && c != d", "// try! fatalError( as! C",
    "print(\"Task { x!\")",
    "if Task.isCancelled {}", "let t: Task<Void, Never>",
  ])
  func `what only looks like one is not`(line: String) {
    let file = SourceFile(path: "Sources/Fleet/Planted.swift", text: "\(line)\n")
    #expect(CountRule.violations(in: [file], allowed: []) == [])
  }

  @Test func `an allowance for a file that is gone is found`() {
    let allowance = CountRule.Allowance(.unsafe, "Fleet/Gone.swift", because: "planted")
    #expect(CountRule.violations(in: [], allowed: [allowance]).map(\.path) == ["Sources/Fleet/Gone.swift"])
  }
}
