import DBus
import Testing

@testable import metafleet

@Suite struct BusDenialTests {
  /// As libdbus, the bus and the kernel say it.
  private static let cases: [(DBusFailure, BusDenial, String)] = [
    (
      .disconnected("Failed to connect to socket /run/dbus/system_bus_socket: No such file or directory"),
      .noSocket, "-v /run/dbus/system_bus_socket:/run/dbus/system_bus_socket"
    ),
    (
      .disconnected("Failed to connect to socket /run/dbus/system_bus_socket: Permission denied"),
      .socketMode,
      "--user 0:0"
    ),
    (
      .disconnected("Failed to connect to socket /run/dbus/system_bus_socket: Connection refused"), .refused,
      "/run/dbus"
    ),
    (.disconnected("D-Bus closed the connection"), .userNamespace, "--userns"),
    (
      .error(
        name: "org.freedesktop.DBus.Error.AccessDenied",
        text: "An AppArmor policy prevents this sender from sending this message to this recipient"),
      .appArmor, "apparmor=unconfined"
    ),
    (
      .error(
        name: "org.freedesktop.DBus.Error.AccessDenied",
        text: "An SELinux policy prevents this sender from sending this message to this recipient"), .seLinux,
      "label=disable"
    ),
    (
      .error(
        name: "org.freedesktop.DBus.Error.AccessDenied",
        text: "Rejected send message, 2 matched rules; type=\"method_call\""), .policy, "--user 0:0"
    ),
  ]

  @Test(arguments: cases.indices) func `F244 each denial has the line that ends it`(_ index: Int) {
    let (failure, denial, line) = Self.cases[index]
    #expect(BusDenial(failure) == denial)
    #expect(denial.fix(inContainer: true).contains(line))
    #expect(!denial.fix(inContainer: false).contains("--"), "no container, no options of one")
  }

  @Test func `what is no denial is none`() {
    #expect(BusDenial(.timedOut(after: .seconds(5))) == nil)
    #expect(BusDenial(.error(name: "org.freedesktop.DBus.Error.NoReply", text: "")) == nil)
  }
}
