import DBus

/// Who keeps us from the bus, or from bluetoothd on it, by what D-Bus says; and the line that opens the door (fault
/// F244).
enum BusDenial: Hashable, Sendable, CaseIterable {
  /// There is no socket where the bus is looked for.
  case noSocket
  /// The socket may not be opened by this user.
  case socketMode
  /// Nobody serves the socket.
  case refused
  /// The bus does not recognise the user of a container's own user namespace.
  case userNamespace
  case appArmor
  case seLinux
  /// The policy of the bus.
  case policy

  init?(_ failure: DBusFailure) {
    switch failure {
    case .disconnected(let text):
      self = Self.words.first { text.contains($0.word) }?.denial ?? .userNamespace
    case .error(let name, let text):
      let named =
        Self.modules.first { text.contains($0.word) } ?? Self.errors.first { name.hasSuffix($0.word) }
      guard let denial = named?.denial else { return nil }
      self = denial
    case .timedOut, .cancelled, .notSendable, .malformed: return nil
    }
  }

  /// In what libdbus says of a connection that did not come about; it says nothing where the bus only hangs up.
  private static let words: [(word: String, denial: BusDenial)] = [
    ("No such file", .noSocket), ("Permission denied", .socketMode), ("Connection refused", .refused),
  ]
  /// In what the bus says of a message that a security module of the kernel forbids.
  private static let modules: [(word: String, denial: BusDenial)] = [
    ("AppArmor", .appArmor), ("SELinux", .seLinux),
  ]
  /// At the end of an error's name.
  private static let errors: [(word: String, denial: BusDenial)] = [
    (".AccessDenied", .policy), (".AuthFailed", .userNamespace),
  ]

  /// What is so.
  var text: String {
    switch self {
    case .noSocket: "there is no system bus"
    case .socketMode: "this user may not open the socket of the bus"
    case .refused: "nobody serves the socket of the bus"
    case .userNamespace: "the bus ended the connection before it began: it does not recognise this user"
    case .appArmor: "AppArmor forbids this process to speak to the bus"
    case .seLinux: "SELinux forbids this process to speak to the bus"
    case .policy: "the policy of the bus forbids this user to speak to BlueZ"
    }
  }

  /// The line to add, in a container or beside one.
  func fix(inContainer: Bool) -> String {
    switch self {
    case .noSocket:
      inContainer
        ? "Give the container the host's bus: -v /run/dbus/system_bus_socket:/run/dbus/system_bus_socket"
        : "sudo apt-get install dbus; sudo systemctl start dbus"
    case .socketMode:
      inContainer
        ? "Run the container as root (--user 0:0), or with the host's group of the socket (--group-add)"
        : "sudo chmod 666 /run/dbus/system_bus_socket"
    case .refused:
      inContainer
        ? "The bus was restarted: mount the folder /run/dbus instead of the socket, and restart the container"
        : "sudo systemctl restart dbus"
    case .userNamespace:
      inContainer
        ? "Run the container with the host's users: --userns=host, with rootless Podman --userns=keep-id"
        : "Is DBUS_SYSTEM_BUS_ADDRESS right?"
    case .appArmor:
      inContainer
        ? "--security-opt apparmor=unconfined, in a compose file security_opt: [apparmor:unconfined]"
        : "Let the profile of metafleet use dbus: dbus (send, receive) bus=system peer=(name=org.bluez),"
    case .seLinux:
      inContainer
        ? "--security-opt label=disable, in a compose file security_opt: [label:disable]"
        : "sudo ausearch -m USER_AVC -c metafleet shows which rule is missing"
    case .policy:
      inContainer
        ? "Run the container as root (--user 0:0), or with the group that may: --group-add with the number of the host's group bluetooth"
        : "Add the user to the group that may: SupplementaryGroups=bluetooth in the unit, sudo adduser $USER bluetooth for yourself"
    }
  }
}
