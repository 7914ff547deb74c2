/// A command that has to do with what boards keep on their flash (MQTT contract 3.5).
public enum LogCommand: Hashable, Sendable {
  /// Logs these, too. `isCircular`: whether the oldest entries give way when the board is full; nil = as it is wanted
  /// already. `adjusted` names the streams and keys whose values were moved to the nearest offered ones.
  case start([StreamRequest], isCircular: Bool?, adjusted: [String])
  /// Logs these no longer; nil = nothing at all.
  case stop([String]?)
  /// Removes loggers that others left, by their slots; what these wrote stays.
  case removeLoggers([UInt8])
  /// Downloads what the board kept. nil: afterwards it logs as before, and is erased as its profile says.
  case download(resume: Bool?, clear: Bool?)
  case status
  /// Erases what was not downloaded; `discard` is the number of entries that may be lost.
  case clear(discard: Int64?)
}
