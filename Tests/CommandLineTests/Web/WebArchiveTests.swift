import EventLoops
import FleetModel
import Foundation
import Glibc
import Storage
import Testing
import Web

@testable import metafleet

/// A real archive, and a script in the place of the program.
@Suite(.timeLimit(.minutes(20))) struct WebArchiveTests {
  private static func serving(
    _ script: String = "exit 0", entries: Int? = 1_000, _ body: (WebArchive, LogSession?) async throws -> Void
  ) async throws {
    try await withScratchDirectory { directory in
      var session: LogSession?
      if let entries { session = try await LogExample.fill(directory.path, entries: entries) }
      let program = directory.path + "/program"
      try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: program))
      chmod(program, 0o700)
      let archive = try WebArchive(
        configurationFile: "/etc/file", directory: directory.path, format: LogExample.format,
        environment: ["SECRET": "1"], program: program)
      defer { archive.loop.stop() }
      try await body(archive, session)
    }
  }

  private static func content(_ answer: WebAnswer) throws -> HTTPContent {
    if case .content(let content) = answer { return content }
    throw CommandLineFailure(.no, "a file")
  }

  private static func json(_ answer: WebAnswer) throws -> JSONValue {
    try StrictJSON.parse(try content(answer).bytes, limits: .trusting)
  }

  @Test func `sessions are those that the command lists`() async throws {
    try await Self.serving { (archive, session) async throws in
      let id = try #require(session?.id)
      let all = try Self.json(await archive.answer(.sessions(of: nil))).array
      #expect(all?.map { $0.object?["session"]?.string } == [id.description])
      #expect(all?[0].object?["entries_stored"] == 1_000)
      #expect(try Self.json(await archive.answer(.sessions(of: LogExample.board))).array?.count == 1)
      let other = try #require(BoardID("c0ffee000002"))
      #expect(try Self.json(await archive.answer(.sessions(of: other))) == [])
    }
  }

  @Test func `a plot holds what was logged of the stream`() async throws {
    try await Self.serving { (archive, session) async throws in
      let id = try #require(session?.id)
      let question = PlotQuestion(id, stream: "temperature-die", buckets: 20)
      let object = try Self.json(await archive.answer(.plot(question))).object
      let rows = object?["buckets"]?.array?.compactMap(\.array) ?? []
      #expect(object?["fields"] == ["temperature_c"] && (1...20).contains(rows.count))
      #expect(rows.reduce(0) { $0 + ($1[1].integer ?? 0) } == 750)
      let none = PlotQuestion(id, stream: "nothing", buckets: 20)
      #expect(try Self.json(await archive.answer(.plot(none))).object?["buckets"] == [])
    }
  }

  @Test func `the latest events of a board come as they were published, the newest first`() async throws {
    try await withScratchDirectory { directory in
      let store = try Store(directory: directory.path, executor: InlineExecutor())
      let messages = (1...5).map { number in
        var message = OutboxMessage(
          MQTTMessage(topic: "event", payload: [], isRetained: false), as: .event, created: LogExample.start)
        message.history = HistoryEntry(
          time: LogExample.start + .seconds(number), kind: "button", isOfGateway: number == 5,
          board: number == 4 ? BoardID("c0ffee000002") : number == 5 ? nil : LogExample.board,
          document: Array("{\"number\":\(number)}".utf8))
        return message
      }
      _ = try await store.outbox.exchange(messages, forDelivered: [], at: LogExample.start)
      try await store.close()
      let archive = try WebArchive(
        configurationFile: nil, directory: directory.path, format: LogExample.format, environment: [:],
        program: "/bin/false")
      defer { archive.loop.stop() }
      func numbers(_ board: BoardID?, _ limit: Int) async throws -> [JSONValue?]? {
        try Self.json(await archive.answer(.events(of: board, limit: limit))).array?
          .map { $0.object?["number"] }
      }
      #expect(try await numbers(LogExample.board, 2) == [3, 2])
      #expect(try await numbers(LogExample.board, 9) == [3, 2, 1])
      #expect(try await numbers(nil, 9) == [5])
      #expect(try await numbers(BoardID("c0ffee000009"), 9) == [])
    }
  }

  @Test func `what may be sent over HTTP is said with each verb`() throws {
    let rule = HTTPCommandRule(verbs: ["*", "raw"])
    let verbs = VerbListing.objects(over: rule, areSimulated: false).array ?? []
    var told: [String: Bool] = [:]
    for verb in verbs { told[verb.object?["verb"]?.string ?? ""] = verb.object?["http"]?.bool }
    #expect(verbs.count == VerbCatalogue.all.count)
    #expect(told["led"] == true && told["raw"] == true)
    #expect(told["factory-reset"] == false && told["firmware-update"] == false)
  }

  @Test func `what is not there is said`() async throws {
    let id = try #require(ULID("01JDB91TAS8N0M2T5V7X9Z1ABC"))
    let questions = [Question.plot(PlotQuestion(id, stream: "a", buckets: 1)), .samples(id, .csv)]
    for entries in [nil, 10] {
      try await Self.serving(entries: entries) { (archive, _) async throws in
        for question in questions { #expect(try Self.content(await archive.answer(question)).status == 404) }
      }
    }
  }

  @Test func `samples are what the command writes, with nothing but what it needs`() async throws {
    try await Self.serving("echo \"$@\" $METAFLEET_CONFIG $SECRET") { (archive, session) async throws in
      let id = try #require(session?.id)
      guard case .download(let download) = await archive.answer(.samples(id, .jsonl)) else {
        Issue.record("there is no file")
        return
      }
      #expect(download.name == "\(LogExample.board)-\(id).jsonl")
      _ = fcntl(download.descriptor, F_SETFL, 0)
      var (bytes, chunk): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1_000))
      while case let count = read(download.descriptor, &chunk, chunk.count), count > 0 {
        bytes += chunk[..<count]
      }
      #expect(String(decoding: bytes, as: UTF8.self) == "export \(id) --format jsonl /etc/file\n")
      close(download.descriptor)
      download.finish()
    }
  }

  @Test func `F239 so many files are written at a time, and who leaves ends his`() async throws {
    try await Self.serving("while echo x; do :; done") { (archive, session) async throws in
      let question = Question.samples(try #require(session?.id), .csv)
      var files: [WebDownload] = []
      for _ in 0..<WebArchive.mostDownloads {
        if case .download(let file) = await archive.answer(question) { files.append(file) }
      }
      #expect(files.count == WebArchive.mostDownloads)
      #expect(try Self.content(await archive.answer(question)).status == 503)
      for file in files {
        close(file.descriptor)
        file.finish()
      }
      await archive.loop.reach()
      guard case .download(let file) = await archive.answer(question) else {
        Issue.record("nobody made room")
        return
      }
      close(file.descriptor)
      file.finish()
      await archive.loop.reach()
    }
  }
}
