import BoardKit
import EventLoops
import Fleet
import FleetModel
import Foundation
import Glibc
import Storage
import Web

/// What is asked of the archive over HTTP, on a thread of its own: whoever reads a long log holds up nobody else. What
/// is written as a file is `metafleet export`, as a child.
actor WebArchive {
  /// Files that are written at a time.
  static let mostDownloads = 4
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  nonisolated let loop: EventLoop
  private let directory: String
  /// All that children get.
  private let environment: [String: String]
  private let program: String
  private let format: LogFormat
  private var downloads = 0

  init(
    configurationFile: String?, directory: String, format: LogFormat,
    environment ours: [String: String] = ProcessInfo.processInfo.environment,
    program: String = "/proc/self/exe"
  ) throws(CommandLineFailure) {
    loop = try EventLoop.named("web archive")
    (self.directory, self.program, self.format) = (directory, program, format)
    var environment = ours.filter { ["CREDENTIALS_DIRECTORY", "TZ", "LANG"].contains($0.key) }
    environment["STATE_DIRECTORY"] = directory
    environment["METAFLEET_CONFIG"] = configurationFile
    self.environment = environment
  }

  func answer(_ question: Question) -> WebAnswer {
    do {
      guard let reader = try ArchiveReader(directory: directory), try reader.hasArchive() else {
        return .content(.failure(404, "There is no archive yet"))
      }
      switch question {
      case .sessions(let board): return .content(try sessions(of: board, in: reader))
      case .plot(let question): return .content(try plot(question, in: reader))
      case .events(let board, let limit): return .content(try events(of: board, limit, in: reader))
      case .samples(let id, let format): return try samples(of: id, as: format, in: reader)
      }
    } catch {
      return .content(.failure(503, "The archive cannot be read: \(error)"))
    }
  }

  private func sessions(of board: BoardID?, in reader: ArchiveReader) throws -> HTTPContent {
    let all = try ArchivedSession.all(in: reader).filter { board == nil || $0.board == board }
    let objects = try all.map { session in
      switch session {
      case .log(let log): SessionTable.object(of: try reader.ledger(of: log))
      case .stream(let stream): SessionTable.object(of: stream)
      }
    }
    return .json(200, .array(SessionTable.newestFirst(objects).map { .object($0) }))
  }

  /// The newest first, each as it was published.
  private func events(of board: BoardID?, _ limit: Int, in reader: ArchiveReader) throws -> HTTPContent {
    var choice = EventHistory.Choice()
    (choice.board, choice.isOfGateway) = (board, board == nil)
    let entries = try reader.latestEvents(choice, limit: limit).entries
    let bytes = entries.reversed().map(\.document).joined(separator: ",".utf8)
    return HTTPContent(200, "application/json", Array("[".utf8) + bytes + Array("]".utf8))
  }

  private static let missing = HTTPContent.failure(404, "There is no such session in the archive")

  /// From the samples themselves where they are few, and from what was summed up when they were stored where they are
  /// many: what a plot costs does not grow with its log.
  private func plot(_ question: PlotQuestion, in reader: ArchiveReader) throws -> HTTPContent {
    let session = try ArchivedSession.all(in: reader).first { $0.id == question.session }
    guard let session else { return Self.missing }
    let stored = try reader.plot(
      of: session.id, stream: question.stream, from: question.from, to: question.to,
      buckets: question.buckets)
    if let stored, !session.isReadable(stored) {
      return .json(200, .object(PlotBuckets(question, of: stored).object(fields: stored.fields.map(\.name))))
    }
    var buckets = PlotBuckets(question)
    var fields: [String]?
    func take(_ batch: SampleBatch) {
      guard batch.stream == question.stream else { return }
      fields = batch.fields.map(\.name)
      let width = batch.fields.count
      for (index, time) in batch.times.enumerated() {
        buckets.add(time, batch.values[index * width..<(index + 1) * width])
      }
    }
    switch session {
    case .log(let log):
      let decoding = LogDecoding(reader: reader, format: format)
      _ = try decoding.read(log) { batches, _ in for batch in batches { take(batch) } }
    case .stream(let stream):
      let reading = KeptReading(reader: reader, since: question.from, until: question.to, streams: [stream])
      try reading.read { take($0) }
    }
    buckets.finish()
    return .json(200, .object(buckets.object(fields: fields ?? [])))
  }

  private func samples(
    of id: ULID, as format: Question.SampleFormat, in reader: ArchiveReader
  ) throws -> WebAnswer {
    let session = try ArchivedSession.all(in: reader).first { $0.id == id }
    guard let session else { return .content(Self.missing) }
    guard downloads < Self.mostDownloads else {
      return .content(.failure(503, "\(Self.mostDownloads) files are being written already; try again"))
    }
    let (child, descriptor) = try export(id, as: format)
    downloads += 1
    let type = format == .csv ? "text/csv; charset=utf-8" : "application/jsonl"
    return .download(
      WebDownload(descriptor, type: type, name: "\(session.board)-\(id).\(format.rawValue)") { [loop] in
        // Whether it was read to its end or not: it has nobody to write to any more.
        loop.execute {
          child.stop()
          _ = child.status()
          self.assumeIsolated { $0.downloads -= 1 }
        }
      })
  }

  /// A child that writes, and where it is read.
  private func export(
    _ id: ULID, as format: Question.SampleFormat
  ) throws(SystemCallFailure) -> (ArchiveChild, Int32) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw SystemCallFailure("socketpair")
    }
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer {
      close(ends[1])
      close(nowhere)
    }
    do throws(SystemCallFailure) {
      let child = try ArchiveChild(
        program, ["export", "\(id)", "--format", format.rawValue], environment: environment,
        descriptors: [ends[1], nowhere])
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      return (child, ends[0])
    } catch {
      close(ends[0])
      throw error
    }
  }
}

extension ArchivedSession {
  /// So many samples are read for a plot.
  private static let mostRead = 200_000

  /// Whether the samples themselves are read: a log from its beginning on, a stream where the plot looks.
  fileprivate func isReadable(_ stored: StoredPlot) -> Bool {
    switch self {
    case .log: stored.samples <= Self.mostRead
    case .stream: stored.nodes.reduce(0) { $0 + $1.samples } <= Self.mostRead
    }
  }
}
