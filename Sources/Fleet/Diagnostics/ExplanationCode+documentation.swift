extension Explanation.Code {
  /// When it is given, by what documents say; and what is advised. As `deploy/docs/explain.md` has it.
  package var documentation: (condition: String, advice: String) {
    switch self {
    case .notAdmitted:
      ("no gateway has published documents of the board, or its gateway no longer lists it", "admit it")
    case .gatewayStopped:
      (
        "the gateway's `availability` is `offline`, or is not there",
        "start the gateway, or look why it ended"
      )
    case .withheld:
      (
        "the board is in `withheld` of its gateway's `info`",
        "list it in the file again, or confirm that it goes"
      )
    case .ownedElsewhere: ("`availability.reason` is `moved`", "ask the other gateway")
    case .disabled: ("`reason_code` `disabled`", "`enabled: true`, or `metafleet admit … --enabled`")
    case .held: ("`reason_code` `held`; ends at `until_ms`", "wait: the gateway connects then")
    case .drained: ("`reason_code` `drained`", "`drain resume=true` to the gateway")
    case .identityMismatch:
      ("`reason_code` `identity-mismatch`", "correct `serial`, or put the right board back")
    case .asleep: ("`reason_code` or `availability.reason` `asleep`", "press its button")
    case .updating: ("`link` `updating`", "wait until the update is over")
    case .bootloader:
      (
        "`link`, `reason_code` or `availability.reason` `bootloader`",
        "`firmware-update`, or `reset` where its application is whole"
      )
    case .bluetoothDown:
      (
        "`availability.reason` `bus-lost`, or `bluetooth_ok` 0, and no board is connected to the gateway",
        "start bluetooth on the gateway's host"
      )
    case .notPermitted:
      (
        "`reason_code` `not-permitted`, and no board is connected to the gateway",
        "permit the gateway to use BlueZ"
      )
    case .adapterDown:
      (
        "`availability.reason` `no-adapter`; or no `adapter` is `up`; or the one that the board needs is not",
        "plug it in, unblock it, or switch it on, as its `state` says"
      )
    case .adapterNotScanning:
      ("the board is not received, and no adapter that is `up` has `scanning`", "look who stops the scan")
    case .adapterDeaf:
      (
        "the board is not received, and each adapter that is `up` has `scan_reason_code`",
        "reset the adapter, unless nothing is in range"
      )
    case .starting:
      ("`availability.reason` `starting`, and the board was not received yet", "wait a minute")
    case .notSeen:
      (
        "the board was never received since the gateway started",
        "charge it, press its button, check its address"
      )
    case .silentSince:
      ("the board is not received any more; since `last_seen_ms`", "charge it, bring it nearer")
    case .busyElsewhere: ("`reason_code` `busy-elsewhere`", "disconnect the other program")
    case .connectFailing:
      (
        "`reason_code` of a failed connection (1.8), or `availability.reason` `connect-failed`",
        "by `reason_code`"
      )
    case .waitingForSlot:
      (
        "`link` `waiting-for-slot` and no slot is free, or `reason_code` `no-slots`",
        "add an adapter or a gateway"
      )
    case .waitingToConnect: ("the board waits for its turn while slots are free", "wait")
    case .connecting:
      ("`link` `connecting` or `interviewing`, and nothing has failed", "look again in seconds")
    case .nextVisit: ("nothing is wrong, and `next_contact_ms` is to come", "none")
    case .streamSilent: ("`stream_reason_code` `stream-silent`", "reset the board")
    case .notLogged:
      ("`stream_reason_code` `not-logged`", "by the sentence: free loggers, or another profile")
    case .streamRate:
      (
        "another `stream_reason_code`; `samples-missing`: the connection is too slow",
        "by the sentence: a lower rate, `packed`, a shorter distance"
      )
    case .noLiveSample:
      ("a stream of one sample a second or more runs, and `explain` received none", "check access rules")
    case .firmwareOld:
      (
        "`firmware` has a `latest_version` that is not installed; a fault with `reason_code` `setup-unsupported`",
        "update the firmware"
      )
    case .inRollout:
      (
        "a document `rollout` of its gateway that is not over lists it as `waiting`, `failed` or `overdue`",
        "wait, or `rollout-abort`; where it failed, by its reason"
      )
    case .notInSync:
      (
        "`reason_code` is one of `setup-…`, or `in_sync` is false; no fault while all `differences` are `unverified`, "
          + "`awaited` or overridden", "change the profile, or look at the difference"
      )
    case .profileEmpty: ("nothing that brings data is desired of the board", "give it a profile with streams")
    case .logFull: ("`log_used_pct` is 100", "download the log")
    case .batteryEmpty:
      ("`battery_pct` was 5 or less when it was last read, and it is not connected", "charge it")
    case .identityChanged:
      ("`identity_reason_code` is there", "put the right board back, or name its serial number")
    case .storageFull:
      (
        "`storage` is `locked`, `low`, `full`, `read-only` or `corrupt`",
        "by the condition: free space on the disk"
      )
    case .storageSlow: ("`storage` is `slow` or `being-read`", "check the disk, or end who reads")
    case .streamsNotKept:
      (
        "`kept_ok` is 0: streamed samples are published, but kept for a shorter time than `storage.streams.keep`, or not at all",
        "raise `storage.streams.max_size`, keep fewer streams, or free space on the disk"
      )
    case .databaseReplaced:
      ("`replaced_database` in the gateway's `info`", "admit boards again, then move that file away")
    case .brokerRefused:
      (
        "`refused_topics` of the gateway's `info`; a fault where one is the board's",
        "permit it in the broker's access rules"
      )
    case .configurationError: ("`config_error` in the gateway's `info`", "correct the file and reload")
    case .clockUnset: ("`clock_synced` is 0", "synchronise the clock of the gateway's host")
    case .firmwareCheckFailing: ("`firmware.last_error`", "by the sentence: network, proxy or mirror")
    case .unknownState: ("`state` is missing, or says what this version does not know", "update metafleet")
    }
  }
}
