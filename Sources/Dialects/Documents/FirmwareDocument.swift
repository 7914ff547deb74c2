package import FleetModel

/// The `firmware` document of a board, in Home Assistant's form of an update (MQTT contract 1.4).
package struct FirmwareDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  package init(_ report: FirmwareReport) {
    self.init {
      $0[.time] = report.time
      $0[.board] = report.board.description
      $0[.title] = "\(report.model) firmware"
      $0[.installed] = report.installed
      $0[.latest] = report.offer?.latest
      $0[.isInProgress] = report.progress.isActive
      $0[.stage] = report.progress.stage.rawValue
      $0[.percent] = report.progress.percent.map { ($0 * 10).rounded() / 10 }
      $0[.attempt] = report.progress.attempt
      $0[.expected] = report.progress.expected
      $0[.imageSum] = report.progress.sum
      $0[.bootloader] = report.progress.bootloader
      $0[.checked] = report.checked
      $0[.isCheckOK] = report.isCheckOK
      $0[.index] = report.index?.source
      $0[.indexFetched] = report.index?.fetched
      $0[.hardware] = report.offer?.hardware
      $0[.isHardwareListed] = report.offer?.isHardwareListed
      $0[.build] = report.offer?.build
      $0[.trouble] = report.progress.trouble ?? report.trouble ?? report.offer?.remark
    }
  }
}

extension DocumentField where Document == FirmwareDocument, Value == String {
  static var board: Self { .init("board") }
  static var title: Self { .init("title") }
  package static var installed: Self { .init("installed_version") }
  package static var latest: Self { .init("latest_version") }
  package static var stage: Self { .init("stage") }
  static var imageSum: Self { .init("image_sha256") }
  static var bootloader: Self { .init("bootloader_version") }
  package static var index: Self { .init("index") }
  package static var hardware: Self { .init("hardware_revision") }
  package static var build: Self { .init("build") }
  package static var trouble: Self { .init("last_error") }
}

extension DocumentField where Document == FirmwareDocument, Value == Bool {
  package static var isInProgress: Self { .init("in_progress") }
  package static var isCheckOK: Self { .init("check_ok") }
  package static var isHardwareListed: Self { .init("hardware_listed") }
}

extension DocumentField where Document == FirmwareDocument, Value == Timestamp {
  package static var time: Self { .init("ts_ms") }
  package static var checked: Self { .init("checked_ms") }
  package static var indexFetched: Self { .init("index_ms") }
  package static var expected: Self { .init("eta_ms") }
}

extension DocumentField where Document == FirmwareDocument, Value == Double {
  package static var percent: Self { .init("update_percentage") }
}

extension DocumentField where Document == FirmwareDocument, Value == Int {
  package static var attempt: Self { .init("attempt") }
}
