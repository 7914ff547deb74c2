import Foundation
import Support

/// A machine as a test wants it, for the scripts of `deploy`: a copy of them in a directory of its own, and programs
/// that only pretend. Nothing is ever installed.
final class StagedMachine {
  struct Ending {
    var status: Int32
    var output: [String]
    var errors: [String]
  }

  private let directory: URL
  private var programs: URL { directory.appending(path: "bin") }
  /// What the pretended programs were asked, in order.
  var log: [String] {
    lines(of: (try? String(contentsOf: directory.appending(path: "log"), encoding: .utf8)) ?? "")
  }

  /// A machine of root's with these Debian packages and this Swift.
  init(packages: [String] = StagedMachine.all, swift: String = "Swift version 6.3.1 (swift-6.3.1-RELEASE)")
    throws
  {
    directory = FileManager.default.temporaryDirectory.appending(path: "metafleet-deploy-\(UUID())")
    let origin = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: origin.appending(path: "deploy"), to: directory.appending(path: "deploy"))
    try program("id", "echo 0")
    try program("sudo", "exit 1")
    try program("systemctl", "echo systemctl $* >> log")
    try program(
      "dpkg-query",
      "for name; do :; done; case \" \(packages.joined(separator: " ")) \" in *\" $name \"*) echo installed;; *) exit 1;; esac"
    )
    try program(
      "apt-get", "echo apt-get $* >> log; if [ -e policy ]; then echo services forbidden >> log; fi")
    try program(
      "swift", "case $1 in --version) echo '\(swift)';; *) echo swift $* >> log; echo noise of swift;; esac")
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// What the scripts ask for.
  static let all = [
    "libcurl4-openssl-dev", "libdbus-1-dev", "libmicrohttpd-dev", "libmosquitto-dev", "libsqlite3-dev",
    "zlib1g-dev",
    "libssl-dev",
    "pkg-config",
    "dbus-daemon", "mosquitto", "mosquitto-clients", "openssl", "python3-dbus", "python3-gi",
    "python3-paho-mqtt", "python3-yaml", "python3-jsonschema", "jq", "nodejs", "node-mqtt", "bluez",
    "busybox-static", "e2fsprogs", "chromium", "chromium-driver", "fonts-dejavu-core", "python3-selenium",
    "python3", "gcc", "libc6-dev", "make", "flex", "bison", "bc", "patch", "xz-utils", "git",
    "libncurses6", "libcurl4", "libxml2", "libstdc++-12-dev", "binutils",
  ]

  /// Puts a program in the path.
  func program(_ name: String, _ script: String) throws { try file("bin/\(name)", "#!/bin/sh\n\(script)\n") }

  /// Writes an executable file. Another program does, because a file that this one has open for writing cannot be
  /// executed, and other tests may start programs, which inherit it, at any moment.
  func file(_ path: String, _ text: String) throws {
    let source = directory.appending(path: "source")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: source)
    let install = try SpawnedProgram.run(
      "/usr/bin/install",
      [
        "-D", "-m", "755", source.path(percentEncoded: false),
        directory.appending(path: path).path(percentEncoded: false),
      ])
    guard install.status == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: directory.appending(path: path).path(percentEncoded: false))
  }

  /// Runs a shell's command in the machine's directory.
  func run(_ command: String) throws -> Ending {
    let ending = try SpawnedProgram.run(
      "/bin/sh", ["-c", "cd \"$0\"\n\(command)", directory.path(percentEncoded: false)],
      environment: ["PATH": "\(programs.path(percentEncoded: false)):/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    return Ending(status: ending.status, output: lines(of: ending.output), errors: lines(of: ending.errors))
  }

  /// Runs functions of `deploy/setup`, with the policy file in the machine's directory.
  func setup(_ functions: String) throws -> Ending {
    try run("set -eu; . ./deploy/setup; policy=./policy; \(functions)")
  }

  private func lines(of text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }
}
