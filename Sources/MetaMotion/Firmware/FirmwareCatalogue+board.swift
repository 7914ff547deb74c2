import BoardKit
package import FleetModel

extension FirmwareCatalogue: FirmwareIndex {
  package func offer(for board: BoardDescription) -> FirmwareReport.Offer {
    let target = FirmwareTarget(
      hardware: board.hardwareRevision, model: board.modelNumber, flavour: Self.flavour(of: board))
    let isListed = targets.contains { $0.hardware == target.hardware && $0.model == target.model }
    func offer(_ latest: String?, _ remark: String? = nil) -> FirmwareReport.Offer {
      FirmwareReport.Offer(
        latest: latest, build: target.flavour, hardware: target.hardware, isHardwareListed: isListed,
        remark: remark)
    }
    switch FirmwareAdvice(self, for: target, installed: board.firmwareRevision) {
    case .current: return offer(board.firmwareRevision)
    // A board whose bootloader is too old for a build stays without firmware.
    case .newer(let build): return offer(build.version.text, BootloaderChain.obstacle(to: build, in: self))
    case .unknown(let remark): return offer(nil, remark)
    }
  }

  /// The build's number is the second further byte of the settings module, 0 the vendor's own (protocol reference,
  /// section 20).
  private static func flavour(of board: BoardDescription) -> String {
    guard let number = board.modules[Module.settings.name]?.extra.dropFirst().first, number != 0 else {
      return FirmwareTarget.vanilla
    }
    return "\(number)"
  }
}
