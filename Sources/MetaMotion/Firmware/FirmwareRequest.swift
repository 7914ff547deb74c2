/// What somebody asks to have installed on a board, with what is known of the board.
package struct FirmwareRequest: Hashable, Sendable {
  package var target: FirmwareTarget
  /// As the board says it in application mode; nil: it waits in its bootloader, and has none.
  package var installed: String?
  /// As the board said it in its bootloader, now or the last time; nil where it was never seen there.
  package var bootloader: BuildVersion?
  /// nil: the newest release.
  package var version: String?
  /// Whether the same version, or an older one, may be installed.
  package var isForced = false
  /// Whether bootloaders may be installed on the way, which is the more dangerous part.
  package var allowsBootloaders = false

  /// Asks for the newest release.
  package init(_ target: FirmwareTarget, installed: String?, bootloader: BuildVersion? = nil) {
    (self.target, self.installed, self.bootloader) = (target, installed, bootloader)
  }
}
