/// What is looked at as a distribution, not as one number: each is a histogram on `/metrics`, in seconds.
public enum Distribution: Int, Sendable, CaseIterable {
  /// How old a streamed sample was when the broker acknowledged it.
  case sampleAge
  /// From the arrival of a command to its final answer.
  case commandTime
  /// How long the disk took for a commit of the outbox.
  case commitTime
  /// How long after its time a visit began.
  case visitLateness

  /// Its name behind `metafleet_`.
  public var exposedName: String {
    switch self {
    case .sampleAge: "sample_age_seconds"
    case .commandTime: "command_time_seconds"
    case .commitTime: "commit_time_seconds"
    case .visitLateness: "visit_lateness_seconds"
    }
  }

  /// What it measures, in a sentence without its full stop.
  public var summary: String {
    switch self {
    case .sampleAge: "Age of streamed samples when the broker acknowledged them"
    case .commandTime: "Time from the arrival of a command to its final answer"
    case .commitTime: "Time that the disk took for a commit of the outbox"
    case .visitLateness: "How long after its time a visit of a board began"
    }
  }

  /// Upper ends of its buckets, in seconds.
  public var bounds: [Double] {
    switch self {
    case .sampleAge: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 3_600]
    case .commandTime: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600]
    case .commitTime: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10]
    case .visitLateness: [1, 5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400]
    }
  }
}
