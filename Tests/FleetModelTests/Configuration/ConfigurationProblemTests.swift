import FleetModel
import Testing

@Suite struct ConfigurationProblemTests {
  private static let readsAsCompilersPrintItCases: [(ConfigurationProblem, String)] = [
    (
      ConfigurationProblem(.error, path: "mqtt.port", line: 3, column: 9, "must be a number"),
      "f.yaml:3:9: error: must be a number"
    ),
    (ConfigurationProblem(.warning, line: 3, "has no effect"), "f.yaml:3: warning: has no effect"),
    (ConfigurationProblem(.error, "is missing"), "f.yaml: error: is missing"),
  ]

  @Test(arguments: readsAsCompilersPrintItCases)
  func `reads as compilers print it`(problem: ConfigurationProblem, line: String) {
    #expect(problem.report(in: "f.yaml") == line)
  }

  @Test func `warnings do not make a file unusable`() {
    #expect(![ConfigurationProblem(.warning, "a")].hasErrors)
    #expect([ConfigurationProblem(.warning, "a"), ConfigurationProblem(.error, "b")].hasErrors)
    #expect(![ConfigurationProblem]().hasErrors)
  }
}
