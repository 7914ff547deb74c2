import EventLoops
import Foundation
import Testing

@testable import metafleet

@Suite struct ChildProcessTests {
  @Test func `a child's lines come in order, then nothing`() async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let child = try await ChildProcess.start("sh", ["-c", "echo one; echo two >&2; printf three"], on: loop)
    #expect(await child.nextLine() == "one")
    #expect(await child.nextLine() == "two")
    #expect(await child.nextLine() == nil)
    #expect(await child.lastOutputLine == "two")
    await child.stop()
  }

  @Test(arguments: [("exit 0", 0), ("exit 3", 3), ("kill -9 $$", 137)])
  func `the exit status is the program's`(script: String, status: Int) async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let child = try await ChildProcess.start("sh", ["-c", script], on: loop)
    while await child.nextLine() != nil {}
    #expect(await child.exitStatus == Int32(status))
    await child.stop()
  }

  @Test func `stop ends a child that would run for ever, and waits for its end`() async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let child = try await ChildProcess.start("sh", ["-c", "echo $$; exec sleep 1000"], on: loop)
    let number = try #require(await child.nextLine().flatMap { pid_t($0) })
    #expect(kill(number, 0) == 0)
    let group = getpgid(number)
    await child.stop()
    #expect(kill(number, 0) == -1)
    #expect(kill(-group, 0) == -1, "something of the child's process group is left")
    await child.stop()
  }

  @Test(arguments: ["trap 'trap - TERM' TERM", "trap '' TERM"])
  func `a child that does not hear the first signal, or none, is ended all the same`(deafness: String)
    async throws
  {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let child = try await ChildProcess.start(
      "sh", ["-c", "\(deafness); echo $$; while :; do sleep 0.1; done"], on: loop)
    let number = try #require(await child.nextLine().flatMap { pid_t($0) })
    await child.stop()
    #expect(kill(number, 0) == -1)
  }

  @Test func `a child is in a process group of its own, out of reach of Ctrl-C`() async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let child = try await ChildProcess.start("sh", ["-c", "echo $$; exec sleep 1000"], on: loop)
    let number = try #require(await child.nextLine().flatMap { pid_t($0) })
    #expect(getpgid(number) != getpgid(0))
    await child.stop()
  }

  @Test func `a program that is not there is named with the fix`() async throws {
    #expect { try ProgramPath.find("dbus-daemon-of-nowhere", path: "/nowhere") } throws: {
      let failure = $0 as? CommandLineFailure
      return failure?.status == .unavailable && failure?.message.contains("apt install") == true
    }
  }

  @Test func `daemons are found although they are not on the path`() throws {
    #expect(try ProgramPath.find("sh", path: nil) == "/usr/bin/sh")
  }

  @Test func `a scratch directory is there, private, and gone when it is removed`() async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let directory = try await ScratchDirectory.make("metafleet-test", on: loop)
    let file = try directory.write("hello", to: "a")
    #expect(FileManager.default.contents(atPath: file) == Data("hello".utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: directory.path)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    await directory.stop()
    #expect(!FileManager.default.fileExists(atPath: directory.path))
  }
}
