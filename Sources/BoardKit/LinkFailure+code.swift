public import FleetModel

extension LinkFailure.Reason {
  /// What documents call it.
  public var code: ReasonCode {
    switch self {
    case .unreachable: .unreachable
    case .refused: .refused
    case .adapterBusy: .adapterBusy
    case .noSlots: .noSlots
    case .timedOut: .timedOut
    case .linkLost: .linkLost
    case .deviceGone: .deviceGone
    case .silent: .silent
    case .servicesMissing: .servicesMissing
    case .busyElsewhere: .busyElsewhere
    case .closed: .closed
    case .adapterGone: .adapterGone
    case .adapterOff: .adapterOff
    case .noRadio: .noRadio
    case .serviceGone: .serviceGone
    case .bondRequired: .bondRequired
    case .unknownModel: .unknownModel
    case .identityMismatch: .identityMismatch
    case .notPermitted: .notPermitted
    case .other: .other
    }
  }

  /// What a document calls `code`; nil when it is not about a link.
  public init?(_ code: ReasonCode) {
    guard let reason = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = reason
  }
}
