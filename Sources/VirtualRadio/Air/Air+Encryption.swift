import BluetoothTypes
import HostStack

/// What an end of a link knows of its encryption (Core 5.4, Vol 6, Part B, 5.1.3). Packets are not really encrypted; who
/// has another key finds what the other sends broken, as with a wrong MIC.
struct LinkEncryption: Hashable, Sendable {
  /// Where the procedure stands.
  enum Phase: Hashable, Sendable {
    /// None is under way.
    case none
    /// The central has asked, and waits.
    case asked
    /// The peripheral's host is to give the key.
    case waitsForKey
    /// Both have the key; the first packets with it are under way.
    case starting
  }

  var phase = Phase.none
  /// Packets of data are encrypted now.
  var isOn = false
  /// It was on when the procedure began.
  var isRefresh = false
  /// What the central's host has given.
  var longTermKey: UInt128 = 0
  var randomNumber: UInt64 = 0
  var diversifier: UInt16 = 0
  /// The halves of what makes a key for one connection of the long-term key.
  var centralDiversifier: UInt64 = 0
  var peripheralDiversifier: UInt64 = 0
  /// The key of this connection.
  var sessionKey: UInt128 = 0

  /// No data is sent meanwhile.
  var isPausing: Bool { phase != .none }

  /// Makes the key of this connection.
  mutating func makeSessionKey(from longTermKey: UInt128) {
    let diversifier = UInt128(peripheralDiversifier) &<< 64 | UInt128(centralDiversifier)
    sessionKey = AES128(key: longTermKey).encrypt(diversifier)
  }
}

/// What the link layers say about encryption.
enum EncryptionControl: Hashable, Sendable {
  case request(randomNumber: UInt64, diversifier: UInt16, central: UInt64)
  case response(peripheral: UInt64)
  case startRequest
  case startResponse(sessionKey: UInt128)
  case pauseRequest
  case pauseResponse
  case reject(HCIStatus)

  /// The length of its PDU.
  var payload: Int {
    switch self {
    case .request: 23
    case .response: 13
    case .startRequest, .startResponse, .pauseRequest, .pauseResponse: 1
    case .reject: 3
    }
  }
}

extension Air {
  // MARK: Commands

  mutating func enableEncryption(_ command: LEEnableEncryption, at index: Int) {
    let handle = command.connectionHandle
    if let (_, side) = locate(handle, at: index), side == .peripheral {
      return controllers[index].acknowledge(command, .commandDisallowed)
    }
    guard let (position, side) = begin(command, .encryption, handle, at: index) else { return }
    let central = controllers[index].random.next()
    links[position].catchUp(to: time)
    links[position][side].encryption.phase = .asked
    links[position][side].encryption.isRefresh = links[position][side].encryption.isOn
    links[position][side].encryption.longTermKey = UInt128(leastSignificantFirst: command.longTermKey)
    links[position][side].encryption.randomNumber = command.randomNumber
    links[position][side].encryption.diversifier = command.encryptedDiversifier
    links[position][side].encryption.centralDiversifier = central
    if links[position][side].encryption.isOn {
      ask(.encryption(.pauseRequest), in: .encryption, from: side, of: position)
    } else {
      requestEncryption(side, of: position)
    }
  }

  mutating func giveKey(_ command: LELongTermKeyRequestReply, at index: Int) {
    let handle = command.connectionHandle
    var status = HCIStatus.unknownConnectionIdentifier
    if let (position, side) = locate(handle, at: index) {
      status = .commandDisallowed
      if links[position][side].encryption.phase == .waitsForKey {
        status = .success
        let key = UInt128(leastSignificantFirst: command.longTermKey)
        links[position][side].encryption.makeSessionKey(from: key)
        links[position][side].encryption.phase = .starting
        ask(.encryption(.startRequest), in: .encryption, from: side, of: position)
      }
    }
    controllers[index].complete(
      LELongTermKeyRequestReply.self,
      .init(status: status, connectionHandle: handle)
    )
  }

  mutating func refuseKey(_ command: LELongTermKeyRequestNegativeReply, at index: Int) {
    let handle = command.connectionHandle
    var status = HCIStatus.unknownConnectionIdentifier
    if let (position, side) = locate(handle, at: index) {
      status = .commandDisallowed
      if links[position][side].encryption.phase == .waitsForKey {
        status = .success
        withholdKey(side, of: position)
      }
    }
    controllers[index].complete(
      LELongTermKeyRequestNegativeReply.self,
      .init(status: status, connectionHandle: handle)
    )
  }

  // MARK: What is heard

  mutating func receive(_ message: EncryptionControl, at side: LinkSide, of position: Int, now: Int64) {
    switch message {
    case .pauseRequest:
      links[position][side].encryption.phase = .asked
      links[position][side].encryption.isRefresh = true
      ask(.encryption(.pauseResponse), in: .encryption, from: side, of: position)
    case .pauseResponse:
      links[position][side].encryption.isOn = false
      links[position][side].waits.end(.encryption)
      guard side == .central else { return }
      say(.encryption(.pauseResponse), from: side, of: position)
      requestEncryption(side, of: position)
    case .request(let number, let diversifier, let central):
      takeRequest(number, diversifier, central, at: side, of: position)
    case .response(let peripheral):
      links[position][side].encryption.peripheralDiversifier = peripheral
      let key = links[position][side].encryption.longTermKey
      links[position][side].encryption.makeSessionKey(from: key)
      links[position][side].encryption.phase = .starting
    case .startRequest:
      let key = links[position][side].encryption.sessionKey
      say(.encryption(.startResponse(sessionKey: key)), from: side, of: position)
    case .startResponse(let key):
      guard key == links[position][side].encryption.sessionKey else {
        // With a wrong MIC the end leaves at once and without a word (5.1.3.1); the other finds out by its timeout.
        let id = links[position].id
        return closeEnd(side, of: id, reason: .connectionTerminatedDueToMICFailure, now: now)
      }
      links[position][side].encryption.isOn = true
      if side == .peripheral { say(.encryption(.startResponse(sessionKey: key)), from: side, of: position) }
      finishEncryption(.success, side, of: position)
    case .reject(let status): finishEncryption(status, side, of: position)
    }
  }

  private mutating func requestEncryption(_ side: LinkSide, of position: Int) {
    let encryption = links[position][side].encryption
    let request = EncryptionControl.request(
      randomNumber: encryption.randomNumber,
      diversifier: encryption.diversifier,
      central: encryption.centralDiversifier
    )
    ask(.encryption(request), in: .encryption, from: side, of: position)
  }

  private mutating func takeRequest(
    _ number: UInt64,
    _ diversifier: UInt16,
    _ central: UInt64,
    at side: LinkSide,
    of position: Int
  ) {
    guard let index = index(of: links[position][side].controller) else { return }
    guard controllers[index].features.contains(.encryption) else {
      return say(.encryption(.reject(.unsupportedRemoteFeature)), from: side, of: position)
    }
    let peripheral = controllers[index].random.next()
    links[position][side].encryption.phase = .waitsForKey
    links[position][side].encryption.centralDiversifier = central
    links[position][side].encryption.peripheralDiversifier = peripheral
    say(.encryption(.response(peripheral: peripheral)), from: side, of: position)
    // A host that does not want to be asked has no key.
    guard controllers[index].eventMask.contains(.leMeta),
      controllers[index].leEventMask.contains(.leLongTermKeyRequest)
    else { return withholdKey(side, of: position) }
    controllers[index].send(
      LELongTermKeyRequest(
        connectionHandle: links[position][side].handle,
        randomNumber: number,
        encryptedDiversifier: diversifier
      )
    )
  }

  /// The peripheral has no key: the link stays as it was before the first encryption, and ends if it was encrypted, so
  /// that nothing goes on in the open.
  private mutating func withholdKey(_ side: LinkSide, of position: Int) {
    if links[position][side].encryption.isRefresh {
      links[position][side].procedures.insert(.termination)
      say(.terminate(.pinOrKeyMissing), from: side, of: position)
    } else {
      links[position][side].encryption = LinkEncryption()
      say(.encryption(.reject(.pinOrKeyMissing)), from: side, of: position)
    }
  }

  private mutating func finishEncryption(_ status: HCIStatus, _ side: LinkSide, of position: Int) {
    let (isRefresh, isOn) = (links[position][side].encryption.isRefresh, links[position][side].encryption.isOn)
    links[position][side].encryption.phase = .none
    links[position][side].encryption.isRefresh = false
    links[position][side].procedures.remove(.encryption)
    links[position][side].waits.end(.encryption)
    let handle = links[position][side].handle
    if isRefresh {
      tell(EncryptionKeyRefreshComplete(status: status, connectionHandle: handle), side, of: position)
    } else {
      let event = EncryptionChange(status: status, connectionHandle: handle, encryptionEnabled: isOn ? 1 : 0)
      tell(event, side, of: position)
    }
  }
}
