import Testing

@testable import Simulator

/// A processor on the bench, fed with values as text.
struct ProcessorBench<Processor: DataProcessor> {
  var processor: Processor
  var uptime = Duration.zero

  init(_ configuration: String, _ type: Processor.Type = Processor.self) throws {
    processor = try #require(Processor(configuration: [UInt8](hex: configuration)))
  }

  /// What comes out for each value; `-` for nothing.
  mutating func feed(_ values: String...) -> [String] { feed(values) }

  mutating func feed(_ values: [String]) -> [String] {
    values.map { processor.process([UInt8](hex: $0), ProcessorMoment(uptime: uptime))?.hex ?? "-" }
  }

  mutating func set(_ state: String) { processor.setState([UInt8](hex: state)) }

  var state: String? { processor.state?.hex }
}

/// Whether a configuration is refused.
func isRefused<Processor: DataProcessor>(_ type: Processor.Type, _ configuration: String) -> Bool {
  Processor(configuration: [UInt8](hex: configuration)) == nil
}
