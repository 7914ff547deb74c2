import FleetModel
import Logging

extension Logger.Metadata {
  /// Which board a line of the log is about, by its id and by its name, and what else it says.
  static func board(_ supervisor: isolated BoardSupervisor, _ more: Logger.Metadata = [:]) -> Logger.Metadata
  {
    more.merging(["board": "\(supervisor.board)", "name": "\(supervisor.name)"]) { _, new in new }
  }
}
