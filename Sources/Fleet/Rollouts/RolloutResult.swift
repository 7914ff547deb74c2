/// How the update of a board ended.
enum RolloutResult: Hashable, Sendable {
  case done
  case failed(String)
  /// It cannot be had now, such as with an empty battery: that is no failure.
  case postponed(String)
  /// Somebody ended it before anything was sent, and nobody begins it again.
  case withdrawn(String)
  /// It waits in its bootloader, without firmware.
  case stranded(String)
}
