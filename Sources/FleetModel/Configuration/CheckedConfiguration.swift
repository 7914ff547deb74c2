/// A configuration file as it was read: what it says, and everything that is wrong with it.
package struct CheckedConfiguration: Sendable {
  /// What it says; of no use where there are errors.
  package var configuration: FleetConfiguration
  /// Everything there is to say of it, in the order of the file.
  package var problems: [ConfigurationProblem]
  /// The file's path as it is shown to people; nil where there is none.
  package var file: String?
  /// Whether its last line has no end, as that of a file that somebody is still writing.
  package var endsMidLine: Bool

  package init(
    _ configuration: FleetConfiguration, problems: [ConfigurationProblem] = [], file: String? = nil,
    endsMidLine: Bool = false
  ) {
    self.configuration = configuration
    self.problems = problems
    self.file = file
    self.endsMidLine = endsMidLine
  }
}
