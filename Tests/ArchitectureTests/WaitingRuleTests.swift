import Testing

@Suite struct WaitingRuleTests {
  @Test func `no test sleeps`() {
    #expect(WaitingRule.violations(in: Repository.tests) == [])
  }

  @Test(arguments: [
    "try await Task.sleep(for: .seconds(1))", "usleep(1000)", "  sleep(1)",
    "Thread.sleep(forTimeInterval: 1)",
    "try await ContinuousClock().sleep(for: .seconds(1))", "queue.asyncAfter(deadline: .now()) {}",
  ])
  func `a sleep is found`(line: String) {
    let file = SourceFile(path: "Tests/FleetTests/PlantedTests.swift", text: "\(line)\n")
    #expect(WaitingRule.violations(in: [file]).count == 1)
  }

  @Test(arguments: ["try await world.sleep(for: .seconds(5))", "func sleep(for duration: Duration) {}"])
  func `virtual time may pass`(line: String) {
    let file = SourceFile(path: "Tests/FleetTests/PlantedTests.swift", text: "\(line)\n")
    #expect(WaitingRule.violations(in: [file]) == [])
  }
}
