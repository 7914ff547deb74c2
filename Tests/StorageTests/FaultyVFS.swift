import GRDBSQLite
import Glibc
import Synchronization

/// SQLite's own VFS with `FaultyDisk` before it. Registered once per process, as its default.
enum FaultyVFS {
  static let disks = Mutex<[String: FaultyDisk]>([:])
  private static let files = Mutex<[UInt: (disk: FaultyDisk, name: String)]>([:])

  /// The file as SQLite sees it: these methods, and behind them the file of the system.
  private static let headerSize = 16
  nonisolated(unsafe) private static let system = sqlite3_vfs_find("unix")!
  nonisolated(unsafe) private static let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(
    capacity: 1)
  private static let registered: Bool = {
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: system.pointee)
    vfs.pointee.zName = UnsafePointer(strdup("faulty"))
    vfs.pointee.szOsFile = system.pointee.szOsFile + Int32(headerSize)
    vfs.pointee.xOpen = open
    vfs.pointee.xDelete = delete
    vfs.pointee.xAccess = access
    methods.initialize(to: table)
    return sqlite3_vfs_register(vfs, 1) == SQLITE_OK
  }()

  static func register() { precondition(registered) }

  private static func real(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<sqlite3_file>
  {
    (UnsafeMutableRawPointer(file!) + headerSize).assumingMemoryBound(to: sqlite3_file.self)
  }

  private static func number(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UInt { UInt(bitPattern: file) }

  private static func watched(
    _ file: UnsafeMutablePointer<sqlite3_file>?
  ) -> (disk: FaultyDisk, name: String)? {
    let number = number(file)
    return files.withLock { $0[number] }
  }

  private static let open:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, UnsafeMutablePointer<sqlite3_file>?, Int32,
      UnsafeMutablePointer<Int32>?
    ) -> Int32 = { _, path, file, flags, outFlags in
      let watched = path.flatMap { FaultyDisk.of(String(cString: $0)) }
      if let code = watched?.disk.call(.open) {
        file!.pointee.pMethods = nil
        return code
      }
      let code = FaultyVFS.system.pointee.xOpen!(
        FaultyVFS.system, path, FaultyVFS.real(file), flags, outFlags)
      guard FaultyVFS.real(file).pointee.pMethods != nil else {
        file!.pointee.pMethods = nil
        return code
      }
      file!.pointee.pMethods = UnsafePointer(FaultyVFS.methods)
      let number = FaultyVFS.number(file)
      FaultyVFS.files.withLock { $0[number] = watched }
      return code
    }

  private static let delete:
    @convention(c) (UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, Int32) -> Int32 = {
      _, path, sync in
      if let (disk, name) = path.flatMap({ FaultyDisk.of(String(cString: $0)) }) {
        if let code = disk.call(.delete) { return code }
        disk.did(.delete(name))
      }
      return FaultyVFS.system.pointee.xDelete!(FaultyVFS.system, path, sync)
    }

  private static let access:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<Int32>?
    ) -> Int32 = { _, path, flags, result in
      let watched = path.flatMap { FaultyDisk.of(String(cString: $0)) }
      if let code = watched?.disk.call(.access) { return code }
      return FaultyVFS.system.pointee.xAccess!(FaultyVFS.system, path, flags, result)
    }

  private static var table: sqlite3_io_methods {
    var table = sqlite3_io_methods()
    table.iVersion = 3
    table.xClose = { file in
      let number = FaultyVFS.number(file)
      FaultyVFS.files.withLock { $0[number] = nil }
      let real = FaultyVFS.real(file)
      return real.pointee.pMethods.pointee.xClose!(real)
    }
    table.xRead = { file, buffer, count, offset in
      if let code = FaultyVFS.watched(file)?.disk.call(.read) { return code }
      let real = FaultyVFS.real(file)
      return real.pointee.pMethods.pointee.xRead!(real, buffer, count, offset)
    }
    table.xWrite = { file, buffer, count, offset in
      if let (disk, name) = FaultyVFS.watched(file) {
        if let code = disk.call(.write) { return code }
        let bytes = UnsafeRawBufferPointer(start: buffer, count: Int(count))
        disk.did(.write(name, offset: Int(offset), Array(bytes)))
      }
      let real = FaultyVFS.real(file)
      return real.pointee.pMethods.pointee.xWrite!(real, buffer, count, offset)
    }
    table.xTruncate = { file, size in
      if let (disk, name) = FaultyVFS.watched(file) {
        if let code = disk.call(.truncate) { return code }
        disk.did(.truncate(name, size: Int(size)))
      }
      let real = FaultyVFS.real(file)
      return real.pointee.pMethods.pointee.xTruncate!(real, size)
    }
    table.xSync = { file, flags in
      guard let (disk, name) = FaultyVFS.watched(file) else {
        let real = FaultyVFS.real(file)
        return real.pointee.pMethods.pointee.xSync!(real, flags)
      }
      if let code = disk.call(.sync) {
        disk.did(.lost(name))
        return code
      }
      disk.did(.sync(name))
      return SQLITE_OK
    }
    addLocks(to: &table)
    addRest(to: &table)
    return table
  }

  /// What only asks or locks. A lock that is given up is given up, whatever is said of it: no file system keeps it.
  private static func addLocks(to table: inout sqlite3_io_methods) {
    table.xFileSize = { file, size in
      if let code = FaultyVFS.watched(file)?.disk.call(.size) { return code }
      let real = FaultyVFS.real(file)
      return real.pointee.pMethods.pointee.xFileSize!(real, size)
    }
    table.xLock = { file, level in
      if let code = FaultyVFS.watched(file)?.disk.call(.lock) { return code }
      let real = FaultyVFS.real(file)
      return real.pointee.pMethods.pointee.xLock!(real, level)
    }
    table.xUnlock = { file, level in
      let real = FaultyVFS.real(file)
      let code = real.pointee.pMethods.pointee.xUnlock!(real, level)
      return FaultyVFS.watched(file)?.disk.call(.unlock) ?? code
    }
    table.xShmMap = { file, page, size, extend, memory in
      if let code = FaultyVFS.watched(file)?.disk.call(.mapShared) { return code }
      let real = FaultyVFS.real(file)
      return real.pointee.pMethods.pointee.xShmMap!(real, page, size, extend, memory)
    }
    table.xShmLock = { file, offset, count, flags in
      let real = FaultyVFS.real(file)
      guard flags & SQLITE_SHM_UNLOCK == 0 else {
        let code = real.pointee.pMethods.pointee.xShmLock!(real, offset, count, flags)
        return FaultyVFS.watched(file)?.disk.call(.lockShared) ?? code
      }
      if let code = FaultyVFS.watched(file)?.disk.call(.lockShared) { return code }
      return real.pointee.pMethods.pointee.xShmLock!(real, offset, count, flags)
    }
  }

  /// What goes through as it is.
  private static func addRest(to table: inout sqlite3_io_methods) {
    table.xCheckReservedLock = { file, result in
      let real = FaultyVFS.real(file)
      return real.pointee.pMethods.pointee.xCheckReservedLock!(real, result)
    }
    table.xFileControl = { file, operation, argument in
      let real = FaultyVFS.real(file)
      return real.pointee.pMethods.pointee.xFileControl!(real, operation, argument)
    }
    table.xSectorSize = { file in
      let real = FaultyVFS.real(file)
      return real.pointee.pMethods.pointee.xSectorSize!(real)
    }
    table.xDeviceCharacteristics = { file in
      let real = FaultyVFS.real(file)
      return real.pointee.pMethods.pointee.xDeviceCharacteristics!(real)
    }
    table.xShmBarrier = { file in
      let real = FaultyVFS.real(file)
      real.pointee.pMethods.pointee.xShmBarrier!(real)
    }
    table.xShmUnmap = { file, deletes in
      let real = FaultyVFS.real(file)
      return real.pointee.pMethods.pointee.xShmUnmap!(real, deletes)
    }
    table.xFetch = { file, offset, count, memory in
      let real = FaultyVFS.real(file)
      return real.pointee.pMethods.pointee.xFetch!(real, offset, count, memory)
    }
    table.xUnfetch = { file, offset, memory in
      let real = FaultyVFS.real(file)
      return real.pointee.pMethods.pointee.xUnfetch!(real, offset, memory)
    }
  }
}
