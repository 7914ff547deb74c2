/// Cases of our areas that wait for the codecs of later work, by name, so that none is skipped in silence.
enum VectorsLeft {
  static let reasons: [String: String] = {
    var reasons: [String: String] = [:]
    for (reason, names) in groups {
      for name in names { reasons[name] = reason }
    }
    return reasons
  }()

  private static let groups: [(reason: String, names: [String])] = [
    (
      "the vendor's binary serialisation of host state is not needed",
      ["meta-wear-board-deserialize-deserialize-same-firmware"]
    ),
    (
      "motion, tap, orientation, flat and low/high-g detectors of the BMI160 come with the detectors",
      [
        "accelerometer-bmi160-any-motion-configure-single", "accelerometer-bmi160-any-motion-single-response",
        "accelerometer-bmi160-any-motion-start-single", "accelerometer-bmi160-any-motion-stop-tap",
        "accelerometer-bmi160-orientation-enable", "accelerometer-bmi160-orientation-handle-response-fdpd",
        "accelerometer-bmi160-orientation-handle-response-fdpu",
        "accelerometer-bmi160-orientation-handle-response-fupd",
        "accelerometer-bmi160-orientation-handle-response-fupu", "any-motion-data-0a", "any-motion-data-22",
        "any-motion-data-4a", "any-motion-start", "any-motion-stop", "flat-data-rev1-flat",
        "flat-data-rev2-flat",
        "flat-start", "high-g-configure", "high-g-data-09", "high-g-data-25", "high-g-data-31", "low-g-data",
        "low-high-stop", "no-motion-configure", "sig-motion-configure", "sig-motion-data",
      ]
    ),
    (
      "steps come with the detectors",
      [
        "bmi160-step-counter-data-get-step-count-value", "bmi160-step-counter-data-read-step-counter",
        "bmi160-step-counter-setup-set-mode-robust", "bmi160-step-counter-setup-set-mode-sensitive",
        "bmi160-step-detector-data-get-detection", "bmi160-step-detector-data-unsubscribe-detector",
        "step-detector-config-normal", "step-detector-config-sensitive",
        "bmi270-step-counter-read-read-step-counter",
        "bmi270-step-detector-data-disable-detector", "bmi270-step-detector-data-get-detection",
        "bmi270-step-detector-data-unsubscribe-detector", "step-counter-disable",
      ]
    ),
    (
      "activity, motion and wrist features of the BMI270 come with the detectors",
      [
        "activity-data-still", "activity-data-walking", "activity-enable", "no-motion-config-default",
        "no-motion-config-no-axes", "sig-motion-config-default", "sig-motion-enable",
        "wrist-data-gesture-flick-out",
        "wrist-gesture-config-custom", "wrist-gesture-config-left", "wrist-wakeup-config-custom",
        "wrist-wakeup-disable",
      ]
    ),
    (
      "axes, offsets and downsampling come with the verb `sensor`",
      [
        "axis-remap-identity", "axis-remap-yxz-z", "downsampling-all", "downsampling-filters",
        "downsampling-zero",
        "offsets",
      ]
    ),
    (
      "radio settings come with the verb `settings`",
      [
        "adv-interval-rev6", "read-conn-params", "read-scan-response", "settings-revision1-set-ad-interval",
        "settings-set-ad-interval", "settings-set-tx-power", "settings-start-advertising",
        "whitelist-address",
      ]
    ),
    ("events come with the programs on the board", ["settings-revision3-disconnected-event"]),
    ("GPIO comes with the buses", ["data-length-uint32"]),
  ]
}
