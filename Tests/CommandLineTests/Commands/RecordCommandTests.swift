import Dialects
import EventLoops
import FleetModel
import Foundation
import Support
import Testing

@testable import metafleet

@Suite(.timeLimit(.minutes(20))) struct RecordCommandTests {
  private static func settings(_ port: UInt16) -> UplinkConfiguration {
    var settings = UplinkConfiguration()
    settings.host = "127.0.0.1"
    settings.port = Int(port)
    return settings
  }

  /// Publishes a batch again and again until a line of it arrives: until the program listens it goes nowhere, and what
  /// comes again is no row. Returns the first line.
  private static func line(
    of batch: SampleBatch, from program: RunningProgram, port: UInt16
  ) async throws -> String? {
    try await ClientSession.with(settings(port)) { session in
      session.set(.redraw, after: .zero)
      return await First.of {
        try? await program.nextLine()
      } or: {
        for await event in session.events {
          guard case .timer = event else { continue }
          await session.publish(RecordExample.message(batch))
          session.set(.redraw, after: .milliseconds(50))
        }
        return nil
      }
    }
  }

  @Test func `F232 a recording outlives its broker, and says what it lacks`() async throws {
    try await MosquittoProcess.with { broker in
      let program = try RunningProgram.start(
        ["record", "--stream", "temperature-die", "--format", "jsonl"],
        environment: ["METAFLEET_MQTT_HOST": "127.0.0.1", "METAFLEET_MQTT_PORT": "\(broker.port)"])
      let first = try await Self.line(of: RecordExample.batch(0..<1), from: program, port: broker.port)
      #expect(first?.contains(#""seq":0,"temperature_c":0"#) == true, "\(first ?? "")")
      broker.kill()
      try broker.restart()
      let second = try await Self.line(of: RecordExample.batch(7..<8), from: program, port: broker.port)
      #expect(second?.contains(#""seq":7,"temperature_c":0.007"#) == true, "\(second ?? "")")
      // What was published while nobody listened is missing, so the answer is no.
      #expect(try await program.end(with: SIGINT) == 1)
    }
  }

  @Test func `F230 what a broker delivers again is stored once, and the end is in the file`() async throws {
    try await withScratchDirectory { directory in
      try await MosquittoProcess.with { broker in
        let path = directory.appending(path: "a.csv").path
        let environment = ["METAFLEET_MQTT_HOST": "127.0.0.1", "METAFLEET_MQTT_PORT": "\(broker.port)"]
        let arguments = ["record", "--stream", "temperature-die", "--output", path]
        let program = try RunningProgram.start(arguments, environment: environment)
        try await Self.publish(until: path, holds: "temperature-die,1", port: broker.port)
        #expect(try await program.end(with: SIGTERM) == 0)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\r\n")
        #expect(lines.count == 4 && lines.last == "# rows: 2", "\(lines)")
        let again = try await BuiltProgram.run(arguments, environment: environment)
        #expect(again.status == 73 && again.errors.contains("is there already"), "\(again.errors)")
      }
    }
  }

  /// Publishes a batch of two again and again until the file holds a text.
  private static func publish(until path: String, holds text: String, port: UInt16) async throws {
    try await ClientSession.with(settings(port)) { session in
      session.set(.redraw, after: .zero)
      for await event in session.events {
        guard case .timer = event else { continue }
        let written = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        if written.contains(text) { return }
        await session.publish(RecordExample.message(RecordExample.batch(0..<2)))
        session.set(.redraw, after: .milliseconds(50))
      }
    }
  }

  @Test func `what cannot be recorded is told before anything is written`() async throws {
    #expect(try await BuiltProgram.run(["record", "--output", "a.txt"]).status == 64)
    #expect(try await BuiltProgram.run(["record", "--host", "127.0.0.1", "--port", "1"]).status == 69)
    try await ClientRig.with { rig in
      try await rig.publishFleet()
      try await withScratchDirectory { directory in
        let path = directory.appending(path: "a.csv").path
        let ending = try await BuiltProgram.run(
          ["record", "nobody", "--output", path], environment: rig.environment)
        #expect(ending.status == 64 && !FileManager.default.fileExists(atPath: path))
      }
      let nothing = try await BuiltProgram.run(
        ["record", "--output", "-", "--for", "10ms"], environment: rig.environment)
      #expect(nothing.status == 1 && nothing.output.hasSuffix("# rows: 0\r\n"))
      #expect(nothing.errors.contains("no sample came; "), "\(nothing.errors)")
    }
  }
}
