/// Which firmware a board has, and which there is for it (MQTT contract 1.4).
public struct FirmwareReport: Hashable, Sendable {
  /// What an index says about the board.
  public struct Offer: Hashable, Sendable {
    /// The newest build that fits, the installed one where none is newer; nil when nothing can be said.
    public var latest: String?
    /// Flavour of the board's build, such as `vanilla`.
    public var build: String
    /// Hardware revision as the index writes it: `0.4` for `r0.4`.
    public var hardware: String
    /// Whether the index knows boards of this model and hardware revision.
    public var isHardwareListed: Bool
    /// Why nothing can be said, in a sentence.
    public var remark: String?

    /// Describes what there is.
    public init(
      latest: String?, build: String, hardware: String, isHardwareListed: Bool, remark: String? = nil
    ) {
      (self.latest, self.build, self.hardware) = (latest, build, hardware)
      (self.isHardwareListed, self.remark) = (isHardwareListed, remark)
    }
  }

  /// The index that was asked.
  public struct Index: Hashable, Sendable {
    /// Its address, or its directory.
    public var source: String
    /// When it was fetched.
    public var fetched: Timestamp

    /// Names an index.
    public init(source: String, fetched: Timestamp) { (self.source, self.fetched) = (source, fetched) }
  }

  /// How far an update has come, or how the last one ended.
  public struct Progress: Hashable, Sendable {
    /// What is done.
    public enum Stage: String, Sendable, CaseIterable {
      case idle
      /// For the board, or until the next attempt.
      case waiting
      case fetching
      case enteringBootloader = "entering-bootloader"
      case sending, verifying
      /// It has no application and gets one as soon as that can be.
      case rescuing
      case failed
    }

    /// What is done.
    public var stage: Stage
    /// Transfers that were begun.
    public var attempt: Int?
    /// Of the image that is sent, percent.
    public var percent: Double?
    /// When the transfer will be over.
    public var expected: Timestamp?
    /// SHA-256 of the package, 64 hexadecimal digits.
    public var sum: String?
    /// Version of the bootloader as it was last read.
    public var bootloader: String?
    /// Why the last attempt failed: a sentence.
    public var trouble: String?

    /// States a stage.
    public init(_ stage: Stage) { self.stage = stage }

    /// Whether the board is being updated right now.
    public var isActive: Bool {
      switch stage {
      case .fetching, .enteringBootloader, .sending, .verifying: true
      case .idle, .waiting, .rescuing, .failed: false
      }
    }
  }

  /// The board.
  public var board: BoardID
  /// Name of the product.
  public var model: String
  /// What the board says it has.
  public var installed: String
  /// What the index says; nil without one.
  public var offer: Offer?
  /// The index that was asked; nil without one.
  public var index: Index?
  /// When an index was last asked for, whether one came or not.
  public var checked: Timestamp?
  /// Whether the last check brought an index; nil where there was none yet.
  public var isCheckOK: Bool?
  /// Why the last check failed, or could not keep what it brought.
  public var trouble: String?
  /// How far an update has come.
  public var progress = Progress(.idle)
  /// When this became so.
  public var time: Timestamp

  /// Takes what is known.
  public init(
    board: BoardID, model: String, installed: String, offer: Offer?, index: Index?, checked: Timestamp?,
    isCheckOK: Bool? = nil, trouble: String?, time: Timestamp
  ) {
    (self.board, self.model, self.installed, self.offer) = (board, model, installed, offer)
    (self.index, self.checked, self.isCheckOK) = (index, checked, isCheckOK)
    (self.trouble, self.time) = (trouble, time)
  }

  /// Whether there is something newer than what is installed.
  public var isUpdateAvailable: Bool { offer?.latest.map { $0 != installed } ?? false }
}
