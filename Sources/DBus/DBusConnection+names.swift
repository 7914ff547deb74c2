// Who is on the bus.
extension DBusConnection {
  /// Calls `handler` on the loop with the unique name of who owns `name`, nil for nobody: once before this returns,
  /// then with every change, in order with the signals of the old and of the new owner.
  package func watchOwner(
    of name: String, deadline: Duration = .seconds(8), handler: @escaping @Sendable (String?) -> Void
  ) async throws(DBusFailure) -> DBusListener.ID {
    let listener = try await listen(to: .ownerChanges(of: name), deadline: deadline) { signal in
      guard let change = OwnerChange(signal) else { return }
      handler(change.newOwner)
    }
    do {
      _ = try await call(.bus("GetNameOwner", .string(name)), deadline: deadline) { outcome in
        switch outcome {
        case .success(let values): handler(values.first?.text)
        case .failure(let failure) where failure.isNoOwner: handler(nil)
        case .failure: break
        }
      }
    } catch  where !error.isNoOwner {
      stopListening(listener)
      throw error
    } catch {}
    return listener
  }

  /// Calls `handler` on the loop with the unique name of every connection that leaves the bus.
  package func watchDepartures(
    deadline: Duration = .seconds(8), handler: @escaping @Sendable (String) -> Void
  ) async throws(DBusFailure) -> DBusListener.ID {
    try await listen(to: .ownerChanges(of: nil), deadline: deadline) { signal in
      guard let change = OwnerChange(signal), change.name.hasPrefix(":"), change.newOwner == nil else {
        return
      }
      handler(change.name)
    }
  }

  /// Takes `name` for us alone. Fails if another connection has it.
  package func requestName(_ name: String, deadline: Duration = .seconds(8)) async throws(DBusFailure) {
    let doNotQueue: UInt32 = 4
    let answer = try await call(.bus("RequestName", .string(name), .uint32(doNotQueue)), deadline: deadline)
    let (primaryOwner, alreadyOwner) = (1, 4)
    guard let code = answer.first?.integer, code == primaryOwner || code == alreadyOwner else {
      throw .error(
        name: "org.freedesktop.DBus.Error.AddressInUse", text: "\(name) belongs to another program")
    }
  }

  package func releaseName(_ name: String, deadline: Duration = .seconds(8)) async throws(DBusFailure) {
    _ = try await call(.bus("ReleaseName", .string(name)), deadline: deadline)
  }
}

extension DBusFailure {
  fileprivate var isNoOwner: Bool { errorName == "org.freedesktop.DBus.Error.NameHasNoOwner" }
}

private struct OwnerChange {
  let name: String
  let newOwner: String?

  init?(_ signal: DBusSignal) {
    guard signal.arguments.count == 3, let name = signal.arguments[0].text,
      let owner = signal.arguments[2].text
    else { return nil }
    self.name = name
    newOwner = owner.isEmpty ? nil : owner
  }
}
