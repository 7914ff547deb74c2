import FleetModel
import Storage

/// Standard output, or the file that stands for it, does not take the result any more.
struct OutputFailure: Error, Hashable {
  /// The system's number of the reason.
  var code: Int32

  /// Whoever read us is gone, and has seen enough: that is no failure.
  static let closedPipe = OutputFailure(code: brokenPipe)

  /// EPIPE on Linux.
  private static let brokenPipe: Int32 = 32

  /// How the command ends: with success where nobody reads any more, else with what is wrong (fault F248).
  var ending: CommandLineFailure? {
    self == .closedPipe
      ? nil : CommandLineFailure(.taken, PathFailure.text("standard output", "written", code: code))
  }
}
