/// Tests wait for events, never for time to pass.
enum WaitingRule {
  static func violations(in files: [SourceFile]) -> [Violation] {
    files.filter { sleeps(in: $0) > 0 }.map {
      Violation(
        $0.path, "waits for time to pass; wait for an event, or let a clock of the test's own advance")
    }
  }

  private static func sleeps(in file: SourceFile) -> Int {
    file.count(of: "Task", ".", "sleep") + file.count(of: "Thread", ".", "sleep")
      + file.count(of: "ContinuousClock", "(", ")", ".", "sleep") + file.count(of: ".", "continuous")
      + file.count { ["asyncAfter", "nanosleep", "usleep"].contains($0) } + callsOfSleep(in: file)
  }

  /// `sleep(1)`, unlike `world.sleep(for:)` and the declaration of such.
  private static func callsOfSleep(in file: SourceFile) -> Int {
    file.positions(of: "sleep").count { index in
      file.token(index + 1)?.text == "(" && ![".", "func"].contains(file.token(index - 1)?.text)
    }
  }
}
