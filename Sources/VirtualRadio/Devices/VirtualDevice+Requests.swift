import BluetoothTypes
import HostStack
import RadioPort

extension VirtualDevice {
  /// A PDU that a client has sent to a device's server.
  public struct Request: Sendable, CustomStringConvertible {
    /// What kind of PDU it is (Core 5.4, Vol 3, Part F, 3.4): an open set.
    public struct Kind: RawRepresentable, Hashable, Sendable {
      /// The opcode.
      public let rawValue: UInt8
      /// A kind from its opcode.
      public init(rawValue: UInt8) { self.rawValue = rawValue }

      /// Find Information Request: which attributes there are.
      public static let findInformation = Self(rawValue: 0x04)
      /// Find By Type Value Request: where a primary service with a certain UUID is.
      public static let findByTypeValue = Self(rawValue: 0x06)
      /// Read By Type Request: includes, characteristics, or values by their type.
      public static let readByType = Self(rawValue: 0x08)
      /// Read Request.
      public static let read = Self(rawValue: 0x0A)
      /// Read Blob Request: a further part of a long value.
      public static let readBlob = Self(rawValue: 0x0C)
      /// Read Multiple Request.
      public static let readMultiple = Self(rawValue: 0x0E)
      /// Read By Group Type Request: which services there are.
      public static let readByGroupType = Self(rawValue: 0x10)
      /// Write Request.
      public static let write = Self(rawValue: 0x12)
      /// Prepare Write Request: a part of a long write.
      public static let prepareWrite = Self(rawValue: 0x16)
      /// Execute Write Request: the end of a long write.
      public static let executeWrite = Self(rawValue: 0x18)
      /// Handle Value Confirmation: the client has taken an indication.
      public static let confirmation = Self(rawValue: 0x1E)
      /// Write Command: a write without response.
      public static let writeCommand = Self(rawValue: 0x52)
    }

    /// What kind of PDU it is.
    public let kind: Kind
    /// The attribute that a read or a write is about; `nil` for other kinds.
    public let handle: AttributeHandle?
    /// The UUID of the characteristic that the attribute is or belongs to, if it does.
    public let characteristic: BluetoothUUID?
    /// Whether it writes a client configuration: subscribes or unsubscribes.
    public let isSubscription: Bool
    /// The whole PDU.
    public let bytes: [UInt8]
    /// The device's name for it.
    public var description: String {
      "\(ATTOpcode(rawValue: kind.rawValue))\(handle.map { " of \($0)" } ?? ""), \(hexadecimal(bytes))"
    }
    /// The handle of the characteristic's value.
    let value: AttributeHandle?

    init(_ bytes: [UInt8], _ layout: DeviceLayout) {
      self.bytes = bytes
      kind = Kind(rawValue: bytes.first ?? 0)
      var handle: AttributeHandle?
      if [.read, .readBlob, .write, .prepareWrite, .writeCommand].contains(kind), bytes.count >= 3 {
        handle = AttributeHandle(UInt16(bytes[1]) | UInt16(bytes[2]) &<< 8)
      }
      let value = handle.flatMap { layout.value(near: $0) }
      let entry = value.flatMap { layout[value: $0] }
      self.handle = handle
      self.value = value
      characteristic = entry?.characteristic.uuid
      isSubscription = kind == .write && handle != nil && handle == entry?.configuration
    }
  }

  /// What a device does about a request.
  public indirect enum Answer: Sendable {
    /// What is right.
    case normal
    /// Nothing, for ever: the client's transaction times out after 30 s.
    case never
    /// An error response with this code.
    case error(ATTErrorCode)
    /// These bytes instead of the response, whatever they are and however long.
    case raw([UInt8])
    /// First time passes.
    case after(Duration, then: Answer = .normal)
    /// First a notification of this value goes out, for the characteristic that the request is about, whether or not
    /// the client has subscribed.
    case notifyFirst([UInt8], then: Answer = .normal)
    /// The device ends the link.
    case disconnect
  }

  // MARK: Requests

  func intercepted(_ id: InterceptID, _ link: LinkID, _ pdu: [UInt8]) {
    let onRequest = board.withLock { $0.onRequest }
    let hasFaults = world.faultBook.withLock { !$0.faults.isEmpty }
    guard onRequest != nil || hasFaults else { return host.resolve(id, .serve, now: executor.now) }
    let request = Request(pdu, layout)
    let now = executor.now
    let met = partnersMet(on: link)
    let fault = world.faultBook.withLock { $0.answer(to: request, of: channel.controller, on: met, now: now) }
    let life = life
    let answer = fault ?? onRequest?(request) ?? .normal
    // Who answers may have started the device again.
    guard life == self.life else { return }
    resolve(id, link, request, answer)
  }

  /// Which of the ends that faults name is the other end of a link.
  func partnersMet(on link: LinkID) -> Set<LinkPartner> {
    let controller = channel.controller
    let wanted = world.faultBook.withLock { $0.partners(of: controller) }
    guard !wanted.isEmpty, let handle = host.connectionHandle(of: link) else { return [] }
    return channel.space.changeAir { air, _ in
      wanted.filter { air.isPartner($0, onLinkOf: controller, handle: handle) }
    }
  }

  private func resolve(_ id: InterceptID, _ link: LinkID, _ request: Request, _ answer: Answer) {
    let now = executor.now
    switch answer {
    case .normal: host.resolve(id, .serve, now: now)
    case .never: host.resolve(id, .ignore, now: now)
    case .error(let code): host.resolve(id, .error(code), now: now)
    case .raw(let bytes): host.resolve(id, .answer(bytes), now: now)
    case .after(let duration, let then):
      let opening = opening
      executor.schedule(at: now.advanced(by: duration)) { [weak self] in
        self?.assumeIsolated { device in
          // After a new start the names of requests and links are given again, to others.
          guard opening == device.opening else { return }
          device.resolve(id, link, request, then)
          device.deliver()
        }
      }
    case .notifyFirst(let value, let then):
      if let handle = request.value {
        host.send(ATTHandleValueNotification(handle: handle, value: value).bytes, on: link, now: now)
      } else {
        problem("no characteristic to notify before the answer to \(request)")
      }
      resolve(id, link, request, then)
    case .disconnect: host.disconnect(link, now: now)
    }
  }

  /// A client wants to read or write a value that the device answers for.
  func asked(_ id: ReplyID, _ request: OwnerRequest) {
    switch request {
    case .read(let handle): host.answer(id, readValue(handle), now: executor.now)
    case .write(let parts): host.answer(id, take(parts).map { [] }, now: executor.now)
    }
  }

  /// Takes all parts; those before one that is refused are taken back.
  private func take(_ parts: [WriteRequest.Part]) -> Result<Void, ATTErrorCode> {
    let before = board.withLock { $0.values }
    for (index, part) in parts.enumerated() {
      guard case .failure(let code) = take(part.value, part.offset, part.attribute, withResponse: true) else {
        continue
      }
      for done in parts.prefix(index) { keep(before[done.attribute, default: []], done.attribute) }
      return .failure(code)
    }
    return .success(())
  }

  private func readValue(_ handle: AttributeHandle) -> Result<[UInt8], ATTErrorCode> {
    guard let onRead = layout[value: handle]?.characteristic.onRead else {
      return .success(board.withLock { $0.values[handle, default: []] })
    }
    do throws(ATTErrorCode) { return .success(try onRead(self)) } catch { return .failure(error) }
  }

  /// Takes a written value, unless its handler refuses it.
  @discardableResult
  func take(
    _ part: [UInt8],
    _ offset: Int,
    _ handle: AttributeHandle,
    withResponse: Bool
  ) -> Result<Void, ATTErrorCode> {
    guard let entry = layout[value: handle] else { return .failure(.invalidHandle) }
    let old = board.withLock { $0.values[handle, default: []] }
    guard offset <= old.count else { return .failure(.invalidOffset) }
    let value = offset == 0 ? part : Array(old.prefix(offset)) + part
    keep(value, handle)
    if let onWrite = entry.characteristic.onWrite {
      do throws(ATTErrorCode) { try onWrite(value, self) } catch {
        // Unless the handler has changed the database, and the handle is that of something else now.
        if holds(entry) { keep(old, handle) }
        return .failure(error)
      }
    }
    log(value, handle, withResponse, entry.characteristic.uuid)
    return .success(())
  }

  /// A client has written what the host keeps: a descriptor.
  func stored(_ value: [UInt8], _ handle: AttributeHandle) {
    log(value, handle, true, layout.value(near: handle).flatMap { layout[value: $0]?.characteristic.uuid })
  }

  private func log(_ value: [UInt8], _ handle: AttributeHandle, _ withResponse: Bool, _ uuid: BluetoothUUID?) {
    let write = Write(
      handle: handle,
      characteristic: uuid ?? BluetoothUUID(UInt16(0)),
      value: value,
      withResponse: withResponse,
      time: executor.now
    )
    board.withLock { $0.written.append(write) }
  }
}
