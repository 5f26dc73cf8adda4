import Foundation
import JSONSift

/// The system calls of a simulated world, as `SimulatedSystem` forwards them.
extension SimulatedWorld {
  func open(_ path: [UInt8], _ flags: Int32) -> Int {
    let name = name(path)
    return call(.open, nil, named: name) { found, _ in
      var number = found
      if name.isEmpty {
        number = lastFile + 1
        lastFile += 1
        files[number] = File(kind: .folder, bytes: [], role: .folder, number: number)
      } else if flags & O_CREAT != 0 {
        if number != 0, flags & O_EXCL != 0 { return -Int(EEXIST) }
        if number == 0 {
          number = create(links[name] ?? name, File(kind: .regular, bytes: [], role: Self.role(ofNew: name), number: 0))
        }
        if flags & O_TRUNC != 0 { files[number]?.bytes = [] }
      }
      guard let file = files[number] else { return -Int(ENOENT) }
      var handle = Opened(
        file: number, isNonblocking: flags & O_NONBLOCK != 0, isWriting: flags & O_ACCMODE != O_RDONLY)
      if !handle.isWriting, file.role == .input {
        handle.reading = readings.count
        readings.append(Reading(name: name, file: number))
      }
      return Int(register(handle))
    }
  }

  private func register(_ handle: Opened) -> Int32 {
    lastDescriptor = (lastDescriptor + 1) % SimulatedSystem.descriptorsOfWorld
    let descriptor =
      System.firstSimulatedDescriptor + Int32(number) * SimulatedSystem.descriptorsOfWorld + lastDescriptor
    opened[descriptor] = handle
    return descriptor
  }

  func close(_ descriptor: Int32) -> Int {
    call(.close, descriptor) { _, _ in
      opened[descriptor] = nil
      return 0
    }
  }

  func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int?) -> Int {
    call(.read, descriptor) { number, random in
      guard var handle = opened[descriptor], var file = files[number] else { return -Int(EBADF) }
      defer {
        opened[descriptor] = handle
        files[number]?.arrived = file.arrived
        files[number]?.chunks = file.chunks
      }
      let start = offset ?? handle.position
      var end = file.bytes.count
      if file.kind == .pipe {
        if file.arrived <= start, file.arrived < end || file.stalls {
          if handle.isNonblocking {
            faultCounts["read EAGAIN", default: 0] += 1
            return -Int(EAGAIN)
          }
          file.arrive()
        }
        end = file.arrived
      }
      var count = min(buffer.count, max(end - start, 0))
      if short.contains(.read), count > 1, random % 2 == 0 {
        count = 1 + Int(random >> 1) % count
        faultCounts["read short", default: 0] += 1
      }
      unsafe file.bytes.withUnsafeBytes {
        if count > 0 { unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)])) }
      }
      if offset == nil { handle.position += count }
      if let reading = handle.reading, buffer.count > 0, offset == nil {
        if readings[reading].begin == nil { readings[reading].begin = start }
        if count > 0 { readings[reading].bytes += file.bytes[start..<(start + count)] }
        readings[reading].sawEnd = count == 0
      }
      return count
    }
  }

  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    call(.write, descriptor) { number, random in
      // No copy of the file: appending must not copy its bytes.
      guard var handle = opened[descriptor], let size = files[number]?.bytes.count, let role = files[number]?.role
      else { return -Int(EBADF) }
      let isPipe = files[number]?.kind == .pipe
      if isPipe, files[number]?.hasRoom == false {
        faultCounts["write EAGAIN", default: 0] += 1
        return -Int(EAGAIN)
      }
      var count = bytes.count
      if short.contains(.write), count > 1, random % 2 == 0 {
        count = 1 + Int(random >> 1) % count
        faultCounts["write short", default: 0] += 1
      }
      if count > free {
        count = free
        if count == 0, bytes.count > 0 {
          note(.write, role, ENOSPC)
          return -Int(ENOSPC)
        }
      }
      free -= count
      let new = unsafe bytes[..<count]
      let start = isPipe ? size : handle.position
      if start > size { files[number]?.bytes += [UInt8](repeating: 0, count: start - size) }
      unsafe files[number]?.bytes.replaceSubrange(start..<max(min(start + count, size), start), with: new)
      handle.position = start + count
      opened[descriptor] = handle
      // The other end of a pipe empties it when the writer waits.
      if isPipe, short.contains(.write) { files[number]?.hasRoom = random >> 40 & 1 == 0 }
      return count
    }
  }

  func seek(_ descriptor: Int32, _ offset: Int, from origin: Int32) -> Int {
    call(.seek, descriptor) { number, _ in
      guard let handle = opened[descriptor], files[number]?.kind == .regular else { return -Int(ESPIPE) }
      opened[descriptor]?.position = offset + (origin == Int32(SEEK_CUR) ? handle.position : 0)
      return opened[descriptor]?.position ?? 0
    }
  }

  func status(_ descriptor: Int32, _ status: inout FileStatus) -> Int {
    var found = FileStatus()
    let result = call(.status, descriptor) { number, _ in
      files[number].map { found = $0.status }
      return 0
    }
    if result >= 0 { status = found }
    return result
  }

  func status(at path: [UInt8], _ status: inout FileStatus) -> Int {
    var found = FileStatus()
    let result = call(.status, nil, named: name(path)) { number, _ in
      guard let file = files[number] else { return -Int(ENOENT) }
      found = file.status
      return 0
    }
    if result >= 0 { status = found }
    return result
  }

  func truncate(_ descriptor: Int32, to size: Int) -> Int {
    call(.truncate, descriptor) { number, _ in
      cut(number, to: size)
      return 0
    }
  }

  func synchronize(_ descriptor: Int32) -> Int {
    call(.synchronize, descriptor) { number, _ in
      if files[number]?.kind == .folder { isFolderChanged = false }
      let bytes = files[number]?.bytes
      files[number]?.synchronized = bytes
      return 0
    }
  }

  func setPermissions(_ descriptor: Int32, _ permissions: UInt32) -> Int {
    call(.permissions, descriptor) { number, _ in
      files[number]?.permissions = permissions
      return 0
    }
  }

  func rename(_ path: [UInt8], to target: [UInt8]) -> Int {
    call(.rename, nil, named: name(path)) { number, _ in
      guard let file = files[number] else { return -Int(ENOENT) }
      let isSafe = file.synchronized == file.bytes || mayReport.contains { $0.hasPrefix("synchronize") }
      if !isSafe { offences.append("a file was renamed before its bytes were on the disk") }
      names[name(path)] = nil
      names[name(target)] = number
      links[name(target)] = nil
      isFolderChanged = true
      isRenamed = true
      return 0
    }
  }

  func remove(_ path: [UInt8]) -> Int {
    call(.remove, nil, named: name(path)) { _, _ in
      names[name(path)] = nil
      return 0
    }
  }

  func readLink(_ path: [UInt8], _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    call(.link, nil, named: name(path)) { _, _ in
      guard let target = links[name(path)] else { return -Int(EINVAL) }
      unsafe buffer.copyBytes(from: target.utf8)
      return target.utf8.count
    }
  }

  func resolve(_ path: [UInt8]) -> [UInt8]? {
    var found = path
    let result = call(.link, nil, named: name(path)) { _, _ in
      if let target = links[name(path)] { found = Array(self.path(target).utf8) }
      return 0
    }
    return result >= 0 ? found : nil
  }

  func map(_ descriptor: Int32, _ count: Int) -> UnsafeRawBufferPointer? {
    var mapping: UnsafeRawBufferPointer?
    let result = call(.map, descriptor) { number, _ in
      // The owner returns the memory to the system.
      let flags = Int32(MAP_PRIVATE) | Int32(MAP_ANONYMOUS)
      guard let address = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0), unsafe address != MAP_FAILED
      else { return -Int(ENOMEM) }
      let room = unsafe UnsafeMutableRawBufferPointer(start: address, count: count)
      unsafe room.copyBytes(from: files[number]?.bytes.prefix(count) ?? [])
      unsafe mapping = UnsafeRawBufferPointer(room)
      return 0
    }
    return unsafe result >= 0 ? mapping : nil
  }

  func pause(_ descriptor: Int32) { _ = call(.pause, descriptor) { _, _ in 0 } }

  /// Returns the error of a call of `poll`, or 0.
  func beginPoll(_ descriptor: Int32, isShared: Bool) -> Int32 {
    let result = call(.poll, descriptor, allowing: !isShared) { _, _ in 0 }
    // A closed descriptor is an event, and not an error.
    return result < 0 && result != -Int(EBADF) ? Int32(-result) : 0
  }

  func events(of entry: PollEntry) -> Int16 {
    var stall: (@Sendable () -> Void)?
    defer { stall?() }
    return lock.withLock {
      guard let handle = opened[entry.fd], let file = files[handle.file] else { return Int16(POLLNVAL) }
      if file.kind != .pipe { return entry.events }
      if Int32(entry.events) & POLLOUT != 0 {
        if file.hasRoom { return Int16(POLLOUT) }
        files[handle.file]?.hasRoom = true
        return 0
      }
      if file.arrived > handle.position || file.arrived == file.bytes.count && !file.stalls { return Int16(POLLIN) }
      // The system may be wrong: then a read finds no bytes.
      if handle.isNonblocking, !file.wasReadyWithoutBytes, !file.stalls, seed & 1 == 0 {
        files[handle.file]?.wasReadyWithoutBytes = true
        return Int16(POLLIN)
      }
      if file.arrived < file.bytes.count { files[handle.file]?.arrive() } else { stall = atStall }
      return 0
    }
  }
}
