package import FleetModel

/// A staged answer to a command (MQTT contract 3.1).
package struct ReplyDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  init(_ reply: CommandReply, gateway: String) {
    if case .repeated(let stored) = reply.stage {
      self.init(json: stored)
      self[.isDuplicate] = true
      return
    }
    self.init {
      $0[.id] = reply.id
      $0[.stage] = Stage(reply.stage)
      if case .final(let outcome, _) = reply.stage {
        if case .done = outcome { $0[.isOK] = true } else { $0[.isOK] = false }
      }
      $0[.verb] = reply.verb
      switch reply.target {
      case .board(let board): $0[.board] = board.description
      case .group(let name): $0[.group] = name
      case .gateway(let id): $0[.gateway] = id
      }
      $0[.answeredBy] = gateway
      $0[.time] = reply.time
      switch reply.stage {
      case .accepted, .sent, .repeated: break
      case .queued(let eta): $0[.eta] = eta
      case .progress(let percent, let eta):
        $0[.percent] = (percent * 10).rounded() / 10
        $0[.eta] = eta
      case .final(let outcome, let took):
        $0[.tookMilliseconds] = Int(max(0, took.wholeMilliseconds))
        $0.take(outcome)
      }
      if $0[.data] == nil, !reply.data.isEmpty { $0[.data] = reply.data }
    }
  }

  private mutating func take(_ outcome: CommandOutcome) {
    switch outcome {
    case .done(let evidence, let data):
      self[.evidence] = evidence?.rawValue
      if !data.isEmpty { self[.data] = data }
    case .failed(let failure):
      self[.code] = failure.code.rawValue
      self[.message] = failure.message
      self[.retryAfterMilliseconds] = failure.retryAfter.map { Int($0.wholeMilliseconds) }
      if !failure.data.isEmpty { self[.data] = failure.data }
    case .unknown(let message): self[.message] = message
    }
  }

  /// How far the command has come, as replies say it.
  package enum Stage: String, Sendable, DocumentValue {
    case accepted, queued, sent, progress, done, failed, unknown

    init(_ stage: CommandReply.Stage) {
      self =
        switch stage {
        case .accepted: .accepted
        case .queued: .queued
        case .sent: .sent
        case .progress: .progress
        case .final(.done, _), .repeated: .done
        case .final(.failed, _): .failed
        case .final(.unknown, _): .unknown
        }
    }

    /// Whether nothing comes behind it.
    package var isFinal: Bool { self == .done || self == .failed || self == .unknown }
  }
}

extension DocumentField where Document == ReplyDocument, Value == String {
  package static var id: Self { .init("id") }
  package static var verb: Self { .init("verb") }
  package static var board: Self { .init("board") }
  package static var group: Self { .init("group") }
  /// The gateway that was addressed.
  package static var gateway: Self { .init("gateway") }
  package static var answeredBy: Self { .init("gw") }
  package static var evidence: Self { .init("evidence") }
  package static var code: Self { .init("code") }
  package static var message: Self { .init("message") }
  /// The stage as it was written, also one that this version does not know.
  package static var stageWord: Self { .init("stage") }
}

extension DocumentField where Document == ReplyDocument, Value == ReplyDocument.Stage {
  package static var stage: Self { .init("stage") }
}

extension DocumentField where Document == ReplyDocument, Value == Bool {
  package static var isOK: Self { .init("ok") }
  package static var isDuplicate: Self { .init("duplicate") }
}

extension DocumentField where Document == ReplyDocument, Value == Timestamp {
  package static var time: Self { .init("ts_ms") }
  package static var eta: Self { .init("eta_ms") }
}

extension DocumentField where Document == ReplyDocument, Value == Double {
  package static var percent: Self { .init("pct") }
}

extension DocumentField where Document == ReplyDocument, Value == Int {
  package static var tookMilliseconds: Self { .init("took_ms") }
  package static var retryAfterMilliseconds: Self { .init("retry_after_ms") }
}

extension DocumentField where Document == ReplyDocument, Value == JSONObject {
  package static var data: Self { .init("data") }
}
