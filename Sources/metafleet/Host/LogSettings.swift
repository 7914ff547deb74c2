import FleetModel
import Synchronization

/// How much the process says and how it looks: changed by a reload, and looked at with every line.
final class LogSettings: Sendable {
  private let current: Mutex<LogConfiguration>
  /// Whatever a configuration says, as the command line wants it.
  private let format: LogConfiguration.Format?

  /// Begins with `configuration`; `format`, where there is one, counts instead of its own.
  init(_ configuration: LogConfiguration, format: LogConfiguration.Format? = nil) {
    current = Mutex(configuration)
    self.format = format
  }

  /// What counts now.
  var configuration: LogConfiguration {
    var configuration = current.withLock { $0 }
    configuration.format = format ?? configuration.format
    return configuration
  }

  /// Another configuration counts from now on.
  func change(to configuration: LogConfiguration) { current.withLock { $0 = configuration } }
}
