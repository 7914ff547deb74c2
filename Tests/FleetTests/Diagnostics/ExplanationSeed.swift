import FleetModel
import Testing

@testable import Fleet

/// Documents that make one cause, on top of those of a board that is well.
struct ExplanationSeed: Sendable, CustomTestStringConvertible {
  var code: Explanation.Code
  /// Words of the advice.
  var words: String
  var documents: [String: String]
  /// Whether it concerns all boards of the gateway, so that none of them can be well beside it.
  var isOfGateway = false
  /// Whether live samples come while somebody listens; nil: nobody listens.
  var heard: [String]?
  var isFault: Bool
  var testDescription: String { "\(code.rawValue) \(words)" }

  private static let root = ExplanationExample.root

  init(
    _ code: Explanation.Code, _ words: String, isOfGateway: Bool = false, heard: [String]? = nil,
    isFault: Bool? = nil, _ documents: [String: String]
  ) {
    (self.code, self.words, self.documents, self.isOfGateway) = (code, words, documents, isOfGateway)
    (self.heard, self.isFault) = (heard, isFault ?? (code.kind == .fault))
  }

  /// The board's state and availability: without a link to it, nothing is connected in the gateway.
  private static func board(
    _ availability: String, _ state: String, adapter: String? = nil
  ) -> [String: String] {
    let (word, reason) = (availability.split(separator: " ")[0], availability.split(separator: " ")[1])
    return [
      "\(root)/availability": #"{"state":"\#(word)","reason":"\#(reason)","since_ms":1763671000000}"#,
      "\(root)/state": #"{"ts_ms":1763671085000,"gw":"g1",\#(state)}"#,
      "gateway/g1/adapter/001a7dda7113": adapter
        ?? #"{"adapter":"001a7dda7113","name":"hci0","state":"up","scanning":true,"slots_used":0,"slots_total":25,"waiting":1,"connected":[]}"#,
    ]
  }

  /// A board on its way to other firmware.
  private static func firmware(
    _ code: Explanation.Code, _ words: String, _ link: String, _ document: String
  ) -> ExplanationSeed {
    var documents = board("offline bootloader", #""link":"\#(link)""#)
    documents["\(root)/firmware"] = #"{"installed_version":"1.7.3","latest_version":"1.7.3",\#(document)}"#
    return ExplanationSeed(code, words, documents)
  }

  /// The board's state while it is connected.
  private static func connected(_ state: String, config: String? = nil) -> [String: String] {
    var documents = ["\(root)/state": #"{"ts_ms":1763671085000,"gw":"g1",\#(state)}"#]
    documents["\(root)/config"] = config
    return documents
  }

  private static func adapter(_ fields: String) -> String {
    #"{"adapter":"001a7dda7113","name":"hci0","slots_used":0,"slots_total":25,"waiting":1,"connected":[],\#(fields)}"#
  }

  private static func info(_ fields: String) -> [String: String] {
    ["gateway/g1/info": ExplanationExample.info(fields)]
  }

  private static let gone = #""link":"unseen","last_seen_ms":1763670000000"#
  private static let here = #""link":"advertising","last_seen_ms":1763671084000"#

  static let all: [ExplanationSeed] = custody + orders + radio + link + data + delivery

  private static let custody: [ExplanationSeed] = [
    .init(
      .notAdmitted, "metafleet admit E5:A1:C2:D3:F4:B6",
      Dictionary(
        uniqueKeysWithValues: ["info", "availability", "state", "config", "firmware"].map {
          ("\(root)/\($0)", "")
        }
      )
      .merging(["gateway/g1/info": ExplanationExample.info(isListed: false)]) { $1 }),
    .init(
      .notAdmitted, "does not look after it any more",
      ["gateway/g1/info": ExplanationExample.info(isListed: false)]),
    .init(
      .gatewayStopped, "start it on attic", isOfGateway: true,
      [
        "gateway/g1/availability":
          #"{"state":"offline","birth":3,"reason":"stopped","since_ms":1763671000000}"#
      ]),
    .init(
      .gatewayStopped, "journalctl", isOfGateway: true,
      ["gateway/g1/availability": #"{"state":"offline","birth":3}"#]),
    .init(.gatewayStopped, "not on this broker", isOfGateway: true, ["gateway/g1/availability": ""]),
    .init(
      .withheld, "reload confirm=g1", info(#""withheld":["e5a1c2d3f4b6"],"config_error":"one board less""#)),
    .init(.ownedElsewhere, "another gateway", board("unknown moved", gone)),
  ]

  private static let orders: [ExplanationSeed] = [
    .init(
      .disabled, "--enabled", board("online advertising", #"\#(here),"reason_code":"disabled","reason":"x""#)),
    .init(
      .held, "disconnect",
      board("online advertising", #"\#(here),"reason_code":"held","reason":"x","until_ms":1763671099000"#)),
    .init(
      .drained, "gateway:g1 drain resume=true", isOfGateway: true,
      board("online advertising", #"\#(here),"reason_code":"drained","reason":"x""#)),
    .init(
      .identityMismatch, "correct serial",
      board(
        "offline identity-mismatch", #"\#(here),"reason_code":"identity-mismatch","reason":"serial is 2""#)),
    .init(.asleep, "press its button", board("offline asleep", gone)),
    .init(
      .asleep, "press its button", board("unknown starting", #"\#(gone),"reason_code":"asleep","reason":"x""#)
    ),
    .init(.bootloader, "reset it", board("offline bootloader", #""link":"bootloader""#)),
    .init(.updating, "wait until", board("offline bootloader", #""link":"updating""#)),
    firmware(.updating, "log is downloaded", "updating", #""stage":"fetching""#),
    firmware(.updating, "restarts in its bootloader", "updating", #""stage":"entering-bootloader""#),
    firmware(.updating, "which is sent (42 %)", "updating", #""stage":"sending","update_percentage":41.6"#),
    firmware(.updating, "which was sent", "updating", #""stage":"verifying""#),
    firmware(
      .bootloader, "broke off (too far): the gateway sends the firmware again by itself", "bootloader",
      #""stage":"rescuing","last_error":"too far""#),
  ]

  private static let radio: [ExplanationSeed] = [
    .init(
      .bluetoothDown, "systemctl start bluetooth", isOfGateway: true,
      board(
        "unknown bus-lost", #""link":"unseen","reason_code":"service-gone","reason":"bluetoothd stopped""#,
        adapter: adapter(#""state":"missing","scanning":false"#))),
    .init(
      .bluetoothDown, "systemctl start bluetooth", isOfGateway: true,
      board("unknown starting", #""link":"unseen""#, adapter: "").merging(
        ["gateway/g1/health": #"{"bluetooth_ok":0,"storage":"ok","clock_synced":1}"#]) { $1 }),
    .init(
      .notPermitted, "group bluetooth", isOfGateway: true,
      board(
        "online advertising",
        #"\#(here),"reason_code":"not-permitted","reason":"not-permitted: org.bluez.Error.NotAuthorized""#)),
    .init(
      .adapterDown, "bluetoothctl power on", isOfGateway: true,
      board(
        "unknown no-adapter", #""link":"unseen","reason_code":"no-radio","reason":"x""#,
        adapter: adapter(#""state":"down","scanning":false"#))),
    .init(
      .adapterDown, "rfkill unblock", isOfGateway: true,
      board(
        "unknown no-adapter", #""link":"unseen","reason_code":"no-radio","reason":"x""#,
        adapter: adapter(#""state":"blocked","scanning":false"#))),
    .init(
      .adapterDown, "plug one in", isOfGateway: true,
      board(
        "unknown no-adapter", #""link":"unseen","reason_code":"no-radio","reason":"x""#,
        adapter: adapter(#""state":"missing","scanning":false"#))),
    .init(
      .adapterDown, "has no Bluetooth address", isOfGateway: true,
      board(
        "unknown no-adapter", #""link":"unseen","reason_code":"no-radio","reason":"x""#,
        adapter: adapter(
          #""state":"failed","scanning":false,"last_error":"hci0 has no Bluetooth address","reason_code":"no-address""#
        ))),
    // It may use one adapter only, which was pulled out, while the others are well.
    .init(
      .adapterDown, "hci0 is missing",
      board(
        "online advertising", #""link":"waiting-for-slot""#,
        adapter: adapter(
          #""state":"missing","scanning":false,"queue":[{"board":"e5a1c2d3f4b6","since_ms":1}]"#))),
    .init(
      .adapterNotScanning, "adapter-reset adapter=001a7dda7113",
      board("offline silent", gone, adapter: adapter(#""state":"up","scanning":false"#))),
    .init(
      .adapterDeaf, "adapter-reset adapter=001a7dda7113",
      board(
        "offline silent", #"\#(gone),"reason_code":"awaiting-advertisement","reason":"x""#,
        adapter: adapter(#""state":"up","scanning":true,"scan_reason_code":"scan-silent","scan_reason":"x""#))
    ),
  ]

  private static let link: [ExplanationSeed] = [
    .init(
      .starting, "wait a minute",
      board("unknown starting", #""link":"unseen","reason_code":"not-heard","reason":"x""#)),
    .init(
      .notSeen, "is E5:A1:C2:D3:F4:B6 its address?",
      board("offline silent", #""link":"unseen","reason_code":"not-heard","reason":"x""#)),
    .init(
      .silentSince, "charge it",
      board("offline silent", #"\#(gone),"reason_code":"awaiting-advertisement","reason":"x""#)),
    // Attempts go on, and time out.
    .init(
      .silentSince, "charge it",
      board("offline connect-failed", #"\#(gone),"reason_code":"timed-out","reason":"timed-out: late""#)),
    .init(
      .silentSince, "charge it",
      board(
        "offline connect-failed",
        #""link":"unreachable","last_seen_ms":1763670000000,"reason_code":"unreachable","reason":"unreachable: x""#
      )),
    .init(
      .silentSince, "charge it",
      board("online advertising", #"\#(here),"reason_code":"device-gone","reason":"device-gone: x""#)),
    .init(
      .busyElsewhere, "disconnect it there",
      board(
        "online advertising",
        #"\#(here),"reason_code":"busy-elsewhere","reason":"busy-elsewhere: org.bluez.Error.NotPermitted: Notify acquired""#
      )),
    .init(
      .connectFailing, "BlueZ says: org.bluez.Error.Failed: le-connection-abort-by-local",
      board(
        "offline connect-failed",
        #""link":"unreachable","last_seen_ms":1763671084000,"reason_code":"refused","reason":"refused: org.bluez.Error.Failed: le-connection-abort-by-local""#
      )),
    .init(
      .connectFailing, "wants to be paired",
      board("offline connect-failed", #"\#(gone),"reason_code":"bond-required","reason":"bond-required: x""#)),
    .init(
      .connectFailing, "none of the models",
      board("offline connect-failed", #"\#(here),"reason_code":"unknown-model","reason":"unknown-model: x""#)),
    .init(
      .connectFailing, "services",
      board(
        "offline connect-failed", #"\#(here),"reason_code":"services-missing","reason":"services-missing: x""#
      )),
    .init(
      .connectFailing, "does not answer",
      board("online advertising", #"\#(here),"reason_code":"silent","reason":"silent: x""#)),
    .init(
      .connectFailing, "was lost",
      board("online advertising", #"\#(here),"reason_code":"link-lost","reason":"link-lost: x""#)),
    .init(.connectFailing, "nearer", board("offline connect-failed", #""link":"unreachable""#)),
    .init(
      .waitingForSlot, "no connection is free", isOfGateway: true,
      board(
        "online advertising", #""link":"waiting-for-slot","last_seen_ms":1763671084000"#,
        adapter:
          #"{"name":"hci0","state":"up","scanning":true,"slots_used":5,"slots_total":5,"waiting":3,"connected":["c0ffee000001"]}"#
      )),
    .init(
      .waitingForSlot, "add an adapter",
      board("online advertising", #"\#(here),"reason_code":"no-slots","reason":"no-slots: x""#)),
    .init(
      .waitingToConnect, "waits for its turn",
      board("online advertising", #""link":"waiting-for-slot","last_seen_ms":1763671084000"#)),
    .init(.waitingToConnect, "waits for its turn", board("online advertising", here)),
    .init(.connecting, "is connecting to it", board("online advertising", #""link":"connecting""#)),
    .init(.connecting, "what it is and can do", connected(#""link":"interviewing""#)),
    .init(
      .nextVisit, "it logs meanwhile",
      board("online visited", #""link":"logging","next_contact_ms":1763671100000"#).merging(
        [
          "\(root)/config":
            #"{"in_sync":true,"desired":{"log":{"acceleration":{}}},"reported":{"log":{"acceleration":{}}}}"#
        ]
      ) { $1 }),
    .init(
      .nextVisit, "it is not connected meanwhile",
      board("online visited", #""link":"unseen","next_contact_ms":1763671100000"#)),
    .init(.unknownState, "update metafleet", board("online advertising", #""link":"novel""#)),
  ]

  private static let data: [ExplanationSeed] = [
    .init(
      .streamSilent, "reset the board",
      connected(
        #""link":"streaming","stream_reason_code":"stream-silent","stream_reason":"acceleration: reset the board""#,
        config: #"{"in_sync":false,"differences":["stream/acceleration silent"]}"#)),
    .init(
      .notLogged, "no slot",
      connected(
        #""link":"streaming","stream_reason_code":"not-logged","stream_reason":"log/acceleration: no slot""#)),
    .init(
      .streamRate, "lower rate_hz",
      connected(
        #""link":"streaming","stream_reason_code":"samples-missing","stream_reason":"acceleration: lower rate_hz""#
      )),
    .init(.noLiveSample, "access rules", heard: [], [:]),
    .init(
      .firmwareOld, "is there; part of its profile", isFault: true,
      connected(#""link":"streaming","reason_code":"setup-unsupported","reason":"fuser: needs revision 1""#)
        .merging(
          ["\(root)/firmware": #"{"installed_version":"1.2.0","latest_version":"1.7.3"}"#]) { $1 }),
    .init(
      .firmwareOld, "1.7.3 is there", isFault: false,
      ["\(root)/firmware": #"{"installed_version":"1.2.0","latest_version":"1.7.3"}"#]),
    .init(
      .inRollout, "waits for firmware 1.7.3 of the rollout fw-173, which is paused: charge it",
      [
        "gateway/g1/rollout/fw-173":
          #"{"rollout":"fw-173","version":"1.7.3","phase":"rolling","paused":true,"not_done":[{"board":"e5a1c2d3f4b6","state":"waiting","reason":"charge it"}]}"#
      ]),
    .init(
      .inRollout, "its update to 1.7.3 by the rollout fw-173 failed: its checksum is wrong",
      [
        "gateway/g1/rollout/fw-173":
          #"{"rollout":"fw-173","version":"1.7.3","phase":"rolling","paused":false,"not_done":[{"board":"e5a1c2d3f4b6","state":"failed","reason":"its checksum is wrong"}]}"#
      ]),
    .init(
      .notInSync, "barometer", isFault: true,
      connected(
        #""link":"idle","reason_code":"setup-unsupported","reason":"pressure: there is no barometer""#)),
    .init(
      .notInSync, "timers/minute missing", isFault: true,
      connected(#""link":"streaming""#, config: #"{"in_sync":false,"differences":["timers/minute missing"]}"#)
    ),
    .init(
      .notInSync, "unverified", isFault: false,
      connected(
        #""link":"streaming""#,
        config: #"{"in_sync":false,"differences":["settings/tx_dbm unverified","stream/steps awaited"]}"#)),
    .init(
      .profileEmpty, "profile vibration",
      connected(#""link":"idle""#, config: #"{"in_sync":true,"desired":{},"reported":{}}"#)),
    .init(
      .profileEmpty, "stream-start",
      board("online visited", #""link":"advertising","next_contact_ms":1763671100000"#).merging(
        ["\(root)/config": #"{"in_sync":true,"desired":{},"reported":{}}"#]) { $1 }),
    .init(.logFull, "download", connected(#""link":"streaming","log_used_pct":100"#)),
    .init(
      .batteryEmpty, "charge it", board("offline silent", #"\#(gone),"battery_pct":3,"battery_ms":1"#)),
    .init(
      .identityChanged, "is it the right board?",
      connected(
        #""link":"streaming","identity_reason_code":"identity-changed","identity_reason":"serial is 2 and was 1""#
      )),
  ]

  private static let delivery: [ExplanationSeed] = [
    .init(.storageFull, "free space", isOfGateway: true, health(#""storage_ok":0,"storage":"full""#)),
    .init(
      .storageFull, "mount it writable", isOfGateway: true, health(#""storage_ok":0,"storage":"read-only""#)),
    .init(.storageFull, "free space", isOfGateway: true, health(#""storage_ok":0"#)),
    .init(.storageSlow, "check it", health(#""storage_ok":1,"storage":"slow""#)),
    .init(
      .streamsNotKept, "storage.streams.max_size",
      health(#""storage_ok":1,"storage":"ok","kept_ok":0"#)),
    .init(
      .databaseReplaced, "admit boards again",
      info(#""replaced_database":"/state/metafleet.sqlite.damaged-1""#)),
    .init(
      .brokerRefused, "record/acceleration", isFault: true,
      info(
        #""refused_topics":["metafleet/gateway/g1/event/process","metafleet/board/e5a1c2d3f4b6/record/acceleration"]"#
      )),
    .init(
      .brokerRefused, "event/process", isFault: false,
      info(#""refused_topics":["metafleet/gateway/g1/event/process"]"#)),
    .init(
      .brokerRefused, "nothing of it is on the broker", isFault: true,
      Dictionary(
        uniqueKeysWithValues: ["info", "availability", "state", "config", "firmware"].map {
          ("\(root)/\($0)", "")
        })),
    .init(.configurationError, "line 3", info(#""config_error":"line 3 is indented with a tab""#)),
    .init(
      .clockUnset, "timedatectl",
      ["gateway/g1/health": #"{"bluetooth_ok":1,"storage":"ok","clock_synced":0}"#]),
    .init(
      .firmwareCheckFailing, "no route",
      ["\(root)/firmware": #"{"installed_version":"1.7.3","last_error":"no route to the host"}"#]),
  ]

  private static func health(_ fields: String) -> [String: String] {
    ["gateway/g1/health": #"{"bluetooth_ok":1,"clock_synced":1,\#(fields)}"#]
  }
}
