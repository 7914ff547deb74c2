import FleetModel
import Testing

@testable import Simulator

struct StimulusVerbParametersTests {
  private static let boards = [BoardIdentity(number: 1).address]

  private static func fault(_ verb: StimulusVerb, _ words: [String]) throws -> Fault? {
    let line = ([verb.rawValue, "1"] + words).joined(separator: " ")
    return try FaultLine.parse(line, boards: boards)?.order(after: .zero).fault
  }

  /// What forms can make of a parameter: each of its choices, its bounds, what counts when it is left empty.
  private static func values(of parameter: Parameter) -> [String] {
    let usual = parameter.standard.map { [$0.string ?? JSONWriter.text(of: $0)] } ?? []
    return switch parameter.type {
    case .choice(let words): words
    case .integer(let range): usual + ["\(range.lowerBound)", "\(range.upperBound)"]
    case .number(let range): usual + ["\(range.lowerBound)", "\(range.upperBound)"]
    case .duration: usual + ["1ms", "1h"]
    case .identifier: ["high", "low", "open", "0", "5000"]
    default: []
    }
  }

  @Test(arguments: StimulusVerb.allCases)
  func `F299 whatever a form can make of the parameters is a line that is carried out`(verb: StimulusVerb)
    throws
  {
    let possible = verb.parameters.map(Self.values)
    #expect(possible.allSatisfy { !$0.isEmpty })
    let first = possible.compactMap(\.first)
    for (place, values) in possible.enumerated() {
      for value in values {
        var words = first
        words[place] = value
        guard case .stimulus? = try Self.fault(verb, words) else {
          Issue.record("\(verb.rawValue) \(words)")
          continue
        }
      }
    }
    if possible.isEmpty { #expect(try Self.fault(verb, []) != nil) }
  }

  @Test(arguments: StimulusVerb.allCases.filter { $0.parameters.contains { $0.standard != nil } })
  func `F299 what counts without a parameter is the same when it is said`(verb: StimulusVerb) throws {
    let usual = verb.parameters.map { Self.values(of: $0)[0] }
    guard usual != [StimulusVerb.usual] else { return }
    #expect(try Self.fault(verb, usual) == Self.fault(verb, []))
  }

  @Test func `what only some boards feel is known by the stream that tells of it`() {
    let streams = StimulusVerb.allCases.compactMap(\.stream)
    #expect(streams == ["wrist-gesture", "illuminance", "pressure", "humidity"])
  }
}
