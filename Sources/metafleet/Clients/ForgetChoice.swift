import Dialects
import FleetModel

/// Whom a `forget` on the command line means. Pure.
struct ForgetChoice: Sendable {
  let target: String?
  let neverConnected: Bool
  let block: Bool
  let dropData: Bool
  let gone: Bool

  enum Kind: Hashable {
    case board(String)
    case adapter(AdapterID)
    case gateway(String)
    case neverConnected
  }

  /// What the words mean; nil where they mean nothing, as `fault` says.
  var kind: Kind? {
    guard let target else { return neverConnected ? .neverConnected : nil }
    if target.hasPrefix("gateway:") { return .gateway(String(target.dropFirst(8))) }
    if target.hasPrefix("adapter:") { return AdapterID(target.dropFirst(8)).map { .adapter($0) } }
    return .board(target)
  }

  /// What is wrong with them; nil where nothing is.
  var fault: String? {
    if neverConnected, target != nil { return "Name a board, or write --never-connected." }
    switch kind {
    case nil where target == nil: return "Name a board, or write --never-connected."
    case nil: return "adapter: wants an address such as adapter:00:1A:7D:DA:71:13."
    case .gateway(let name):
      if !ParameterType.isName(name, digitsFirst: true, further: "_-") {
        return "gateway: wants the id of a gateway, such as gateway:floor-2."
      }
      if !gone { return "A gateway is removed when it is gone for good: add --gone." }
      return block || dropData ? "--block and --drop-data are for boards." : nil
    case .adapter:
      return block || dropData || gone ? "--block, --drop-data and --gone are not for adapters." : nil
    case .board, .neverConnected: return gone ? "--gone is for gateway:NAME." : nil
    }
  }

  /// The board that is meant; nil where none is.
  func board(in fleet: FleetView) throws(CommandLineFailure) -> BoardID? {
    guard case .board(let text) = kind else { return nil }
    return try TargetResolution(fleet: fleet).board(text)
  }

  /// What the gateway is asked.
  func arguments(in fleet: FleetView) throws(CommandLineFailure) -> JSONObject {
    if case .adapter(let adapter) = kind { return ["adapter": .string(adapter.description)] }
    var arguments: JSONObject = ["keep_data": .bool(!dropData)]
    if let board = try board(in: fleet) {
      arguments["board"] = .string(board.description)
    } else {
      arguments["never_connected"] = true
    }
    if block { arguments["block"] = true }
    return arguments
  }
}
