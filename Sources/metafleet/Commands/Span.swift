import ArgumentParser
import FleetModel

/// A duration as an option.
struct Span: ExpressibleByArgument, Sendable {
  let duration: Duration

  init(_ duration: Duration) { self.duration = duration }

  init?(argument: String) {
    guard let duration = DurationText.parse(argument), duration > .zero else { return nil }
    self.duration = duration
  }

  var defaultValueDescription: String { DurationText.format(duration) }
}
