import FleetModel

extension PlainDocuments {
  /// A staged answer (MQTT contract 3.1).
  func reply(_ reply: CommandReply) -> JSONObject {
    if case .repeated(let stored) = reply.stage {
      var document = stored
      document["duplicate"] = true
      return document
    }
    var document: JSONObject = ["id": .string(reply.id), "stage": .string(stage(reply.stage))]
    if case .final(let outcome, _) = reply.stage {
      if case .done = outcome { document["ok"] = true } else { document["ok"] = false }
    }
    document["verb"] = .string(reply.verb)
    switch reply.target {
    case .board(let board): document["board"] = .string(board.description)
    case .group(let name): document["group"] = .string(name)
    case .gateway(let id): document["gateway"] = .string(id)
    }
    document["gw"] = .string(gateway)
    document["ts_ms"] = .integer(reply.time.milliseconds)
    switch reply.stage {
    case .accepted, .sent, .repeated: break
    case .queued(let eta): document["eta_ms"] = eta.json
    case .progress(let percent, let eta):
      document["pct"] = .number((percent * 10).rounded() / 10)
      document["eta_ms"] = eta.json
    case .final(let outcome, let took):
      document["took_ms"] = .integer(max(0, took.wholeMilliseconds))
      final(outcome, into: &document)
    }
    if document["data"] == nil, !reply.data.isEmpty { document["data"] = .object(reply.data) }
    return document
  }

  private func stage(_ stage: CommandReply.Stage) -> String {
    switch stage {
    case .accepted: "accepted"
    case .queued: "queued"
    case .sent: "sent"
    case .progress: "progress"
    case .final(.done, _): "done"
    case .final(.failed, _): "failed"
    case .final(.unknown, _): "unknown"
    case .repeated: "done"
    }
  }

  private func final(_ outcome: CommandOutcome, into document: inout JSONObject) {
    switch outcome {
    case .done(let evidence, let data):
      document["evidence"] = (evidence?.rawValue).json
      if !data.isEmpty { document["data"] = .object(data) }
    case .failed(let failure):
      document["code"] = .string(failure.code.rawValue)
      document["message"] = .string(failure.message)
      document["retry_after_ms"] = failure.retryAfter.map { .integer($0.wholeMilliseconds) }
      if !failure.data.isEmpty { document["data"] = .object(failure.data) }
    case .unknown(let message): document["message"] = .string(message)
    }
  }
}
