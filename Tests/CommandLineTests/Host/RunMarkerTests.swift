import FleetModel
import Foundation
import Testing

@testable import metafleet

@Suite struct RunMarkerTests {
  private final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "metafleet-run-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
      try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
    }
    var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []) }
  }

  @Test func `F102 a run that was stopped in order leaves nothing behind`() throws {
    let folder = try Folder()
    for _ in 0..<2 {
      let run = RunMarker(directory: folder.path, boot: "b")
      run.begin()
      #expect(run.crash == nil && folder.names == ["run.json"])
      run.end()
      #expect(folder.names == [])
    }
  }

  @Test func `F102 runs that die are counted until one is stopped in order`() throws {
    let folder = try Folder()
    var counts: [Int?] = []
    for _ in 0..<4 {
      let run = RunMarker(directory: folder.path, boot: "b")
      run.begin()
      counts.append(run.crash?.count)
    }
    #expect(counts == [nil, 1, 2, 3])
    let stopped = RunMarker(directory: folder.path, boot: "b")
    stopped.begin()
    stopped.end()
    let next = RunMarker(directory: folder.path, boot: "b")
    next.begin()
    #expect(next.crash == nil)
  }

  @Test func `F102 a run that gives up says why, for the next one`() throws {
    let folder = try Folder()
    let run = RunMarker(directory: folder.path, boot: "b")
    run.begin()
    run.fail(status: 70, message: "the database failed", at: Timestamp(milliseconds: 1_763_671_234_000))
    let next = RunMarker(directory: folder.path, boot: "b")
    next.begin()
    #expect(
      next.crash
        == CrashReport(
          .exit, status: 70, message: "the database failed", ended: Timestamp(milliseconds: 1_763_671_234_000)
        ))
  }

  @Test func `F102 what systemd wrote is taken once, from where it writes`() throws {
    let (state, service) = (try Folder(), try Folder())
    func begin() -> CrashReport? {
      let run = RunMarker(directory: state.path, serviceDirectory: service.path, boot: "b")
      run.begin()
      return run.crash
    }
    #expect(begin() == nil)
    try service.write("1763671234 core-dump dumped SEGV\n", to: "last-result")
    #expect(begin()?.signal == "SIGSEGV")
    #expect(service.names == [] && begin()?.cause == .unknown)
  }

  @Test func `F102 a daemon that did not get the directory changes nothing in it`() throws {
    let folder = try Folder()
    let run = RunMarker(directory: folder.path, boot: "b")
    run.fail(status: 73, message: "it is used by another daemon", at: Timestamp(milliseconds: 1))
    run.end()
    #expect(folder.names == [])
    try folder.write("{}", to: "run.json")
    run.end()
    #expect(folder.names == ["run.json"])
  }

  @Test func `a directory that takes nothing costs the note alone`() {
    let run = RunMarker(directory: "/proc/metafleet", boot: "b")
    run.begin()
    run.fail(status: 70, message: "", at: Timestamp(milliseconds: 1))
    run.end()
    #expect(run.crash == nil)
  }
}
