import FleetModel
import Foundation
import Simulator
import Testing

@testable import metafleet

@Suite struct FaultFileTests {
  private let boards = (1...3).map { BoardIdentity(number: $0).address }

  private func read(_ text: String) throws -> [FaultOrder] {
    let path = FileManager.default.temporaryDirectory.appending(path: "faults-\(UUID()).txt").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return try FaultFile.read(path, boards: boards)
  }

  @Test(arguments: ["", "\u{FEFF}"], ["\n", "\r\n"])
  func `what it says is what happens, whichever editor wrote it`(mark: String, end: String) throws {
    let text = mark + ["at 2s drop 1-2", "", "after 1s drop 3", ""].joined(separator: end)
    #expect(try read(text).map(\.at) == [.seconds(2), .seconds(3)])
  }

  @Test func `every bad line is named, and the status is 78`() {
    #expect { try read("drop 1\ncrash 2\nat x drop 1\n") } throws: {
      let failure = $0 as? CommandLineFailure
      return failure?.status == .configuration && failure?.message.contains("line 2: ") == true
        && failure?.message.contains("line 3: ") == true
    }
  }

  @Test func `a file that is not there is 78`() {
    #expect { try FaultFile.read("/nowhere/script", boards: boards) } throws: {
      ($0 as? CommandLineFailure)?.status == .configuration
    }
  }

  @Test func `the document shows every command, and its example is a script`() throws {
    let root = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "deploy/docs/simulator.md"), encoding: .utf8)
    let commands = FaultVerb.allCases.map { ($0.form, $0.meaning) }
    for (form, meaning) in commands + StimulusVerb.allCases.map({ ($0.form, $0.meaning) }) {
      let form = form.replacingOccurrences(of: "|", with: #"\|"#)
      #expect(text.contains("| `\(form)` | \(meaning) |"))
    }
    for quality in RadioQuality.allCases {
      #expect(text.contains("| `\(quality.rawValue)` | \(quality.meaning) |"))
    }
    let example = try #require(text.firstMatch(of: /```\n(# A bad morning[^`]+)```/)).1
    let script = FaultScript(String(example), boards: (1...8).map { BoardIdentity(number: $0).address })
    #expect(script.problems == [] && script.orders.count == 8)
    let stimuli = try #require(text.firstMatch(of: /```\n(# Somebody plays[^`]+)```/)).1
    let other = FaultScript(String(stimuli), boards: (1...8).map { BoardIdentity(number: $0).address })
    #expect(other.problems == [] && other.orders.count == 8)
  }

  @Test func `the help shows every command`() {
    let commands = FaultVerb.allCases.map { ($0.form, $0.meaning) }
    for (form, meaning) in commands + StimulusVerb.allCases.map({ ($0.form, $0.meaning) }) {
      #expect(FaultHelp.text.contains("  \(form)\n      \(meaning)"))
    }
  }
}
