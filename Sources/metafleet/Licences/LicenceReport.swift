/// What `metafleet --licences` prints, which is also the file `copyright` of the Debian package. Pure.
enum LicenceReport {
  private static let holder = "Copyright 2026 The MetaFleet authors"

  /// The program's own licence, each work that is linked in, and the text of each licence once.
  static func text(of works: [LinkedWork] = LinkedWork.all) -> String {
    let licences = ([.apache] + works.map(\.licence)).reduce(into: [Licence]()) { found, licence in
      if !found.contains(where: { $0.text == licence.text }) { found.append(licence) }
    }
    let parts =
      [
        """
        MetaFleet
        \(holder)
        Licence: \(Licence.apache.name)

        Linked with it:
        """
      ] + works.map(entry) + licences.map(full)
    return parts.joined(separator: "\n\n")
  }

  private static func entry(_ work: LinkedWork) -> String {
    let lines = ["\(work.name) (\(work.origin.text))", work.address] + work.holders
    return (lines + ["Licence: \(work.licence.name)"]).joined(separator: "\n")
  }

  private static func full(_ licence: Licence) -> String {
    let title = isOfSystem(licence) ? "Libraries of the system" : licence.name
    return "\(title)\n\(String(repeating: "-", count: title.count))\n\(licence.text)"
  }

  private static func isOfSystem(_ licence: Licence) -> Bool { licence.text == Licence.system("").text }
}
