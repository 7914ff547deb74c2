"""The keys of every document by the contract: `!` behind a type is always there."""

STATE = {"ts_ms": "int!", "board": "str!", "gw": "str!", "link": "str!", "reason": "str", "reason_code": "str", "adapter": "str",
         "rssi_dbm": "int", "battery_pct": "int", "battery_mv": "int", "battery_ms": "int", "charging": "bool",
         "log_used_pct": "num", "log_entries": "int", "log_full_ms": "int", "last_seen_ms": "int",
         "last_session_ms": "int", "next_contact_ms": "int", "sessions_24h": "int!", "session_fail_24h": "int!",
         "samples_lost_24h": "int!", "commands_waiting": "int!", "clock_err_ms": "num", "drift_ppm": "num",
         "boot": "int", "in_sync": "bool", "stream_reason": "str", "stream_reason_code": "str", "identity_reason": "str",
         "identity_reason_code": "str", "fw": "str", "since_ms": "int", "until_ms": "int",
         "maintenance_until_ms": "int", "maintenance_reason": "str", "maintenance_who": "str"}
AVAILABILITY = {"state": "str!", "reason": "str!", "since_ms": "int!", "gw": "str!"}
GW_AVAILABILITY = {"state": "str!", "birth": "int!", "since_ms": "int", "reason": "str"}
GW_INFO = {"v": "int!", "ts_ms": "int!", "gateway": "str!", "site": "str", "version": "str!", "build": "str",
           "host": "str!", "os": "str!", "bluez_version": "str", "mqtt_protocol": "str!", "config_hash": "str!", "config_error": "str", "last_crash": "dict",
           "started_ms": "int!", "drained_since_ms": "int", "adapters": "list!", "boards": "list!", "admission": "str!", "verbs": "list!",
           "withheld": "list", "refused_topics": "list", "refused_reason": "str", "refused_subscriptions": "list", "replaced_database": "str"}
HEALTH = {"ts_ms": "int!", "gw": "str!", "storage": "str!", **{k: "num!" for k in (
    "uptime_s boards_admitted boards_connected boards_troubled boards_in_maintenance slots_used slots_total sessions_ok sessions_failed samples_in "
    "samples_published samples_dropped samples_impossible samples_lost packets_doubled contacts_missed outbox_msgs outbox_bytes outbox_oldest_s outbox_refused_msgs outbox_refused_oldest_s retained_repaired live_dropped adapter_resets bluetoothd_restarts usb_resets discoveries_suppressed commands_ok "
    "commands_failed clock_synced rss_bytes cpu_s storage_free_bytes bluetooth_ok storage_ok firmware_check_ok firmware_index_age_s boards_outdated boards_updating boards_in_bootloader rollouts_active rollout_pending rollout_failed firmware_updates_ok firmware_updates_failed kept_samples kept_bytes kept_oldest_s kept_dropped kept_ok "
    "alarms_critical alarms_warning alarms_info alarms_unacknowledged").split()}}
ADAPTER = {"ts_ms": "int!", "gw": "str!", "adapter": "str!", "name": "str!", "state": "str!", "slots_used": "int!",
           "slots_free": "int!", "slots_total": "int!", "slots_learned": "int", "connecting": "str", "waiting": "int!", "queue": "list!",
           "connected": "list!", "load_packets_per_s": "num!", "capacity_packets_per_s": "num!", "scanning": "bool!", "scan_age_s": "num", "resets": "int!", "scan_restarts": "int!", "connects_ok": "int!",
           "connects_failed": "int!", "last_error": "str", "last_error_ms": "int", "reason_code": "str", "scan_reason": "str", "scan_reason_code": "str", "last_seen_ms": "int"}
ALARMS = {"ts_ms": "int!", "gw": "str!", "count": "int!", "critical": "int!", "warning": "int!", "info": "int!", "unacknowledged": "int!", "alarms": "list!"}
ALARM = {"id": "str!", "code": "str!", "severity": "str!", "since_ms": "int!", "board": "str", "adapter": "str", "name": "str", "text": "str!",
         "reason_code": "str", "acknowledged": "bool!", "acknowledged_ms": "int", "acknowledged_by": "str"}
SEVERITIES = ["critical", "warning", "info"]
ALARM_CODES = {code: subject for subject, codes in {
    "gateway": "bluetooth-down broker-lost outbox-late broker-refused storage-full storage-low storage-slow streams-not-kept database-replaced "
               "config-error boards-withheld certificate-expired certificate-expiring clock-unset samples-missing commands-failing slots-exhausted "
               "firmware-old firmware-check-failing",
    "adapter": "adapter-down adapter-deaf adapter-not-scanning",
    "board": "board-offline board-stranded board-troubled identity-changed battery-empty battery-low log-full log-nearly-full visit-missed samples-lost not-in-sync "
             "clock-uncertain"}.items() for code in codes.split()}
BATCH = {"v": "int!", "board": "str!", "stream": "str!", "gw": "str!", "origin": "str!", "session": "str!", "boot": "int!",
         "seq": "int!", "count": "int!", "gap_before": "int!", "batch_id": "str!", "clock": "dict!", "samples": "list!",
         "config": "dict", "quality": "str", "quality_reasons": "list"}
CLOCK = {"source": "str!", "err_ms": "num", "drift_ppm": "num", "anchor_ms": "int"}
LED = {"state": "str!", "ts_ms": "int!", "color_mode": "str", "color": "dict", "brightness": "int", "effect": "str",
       "until_ms": "int"}
REPLY = {"id": "str!", "stage": "str!", "verb": "str!", "gw": "str!", "board": "str", "group": "str", "gateway": "str",
         "ts_ms": "int!", "ok": "bool", "took_ms": "int", "evidence": "str", "data": "dict", "code": "str",
         "message": "str", "retry_after_ms": "int", "eta_ms": "int", "pct": "num", "duplicate": "bool"}
FIRMWARE = {"installed_version": "str", "latest_version": "str", "title": "str!", "in_progress": "bool!",
            "update_percentage": "num", "release_url": "str", "release_summary": "str", "checked_ms": "int", "stage": "str!",
            "bootloader_version": "str", "hardware_revision": "str", "build": "str", "last_error": "str", "ts_ms": "int!",
            "board": "str!", "index": "str", "index_ms": "int", "hardware_listed": "bool", "check_ok": "bool",
            "attempt": "int", "eta_ms": "int", "image_sha256": "str"}
