import BluetoothTypes

/// The English message of an error.
struct EnglishMessage {
  let error: BluetoothError

  init(_ error: BluetoothError) { self.error = error }

  var text: String {
    let because = error.cause.map { " (\($0))" } ?? ""
    return "Could not \(action): \(reason)\(because). \(advice)"
  }

  private var device: String {
    let kind = error.operation.isOfServer ? "central" : "device"
    guard let peripheral = error.peripheral else { return error.operation.isOfServer ? "centrals" : "the device" }
    return peripheral.name.map { "\"\($0)\" (\(peripheral.id))" } ?? "the \(kind) \(peripheral.id)"
  }

  private func describe(_ characteristic: Characteristic<[UInt8]>) -> String {
    "characteristic \(characteristic.uuid) of service \(characteristic.service)"
      + (characteristic.handle.map { " at handle \($0)" } ?? "")
  }

  private var channel: String { error.psm.map { "the channel \($0)" } ?? "a channel" }

  private var action: String {
    let characteristic = error.characteristic.map(describe) ?? "a characteristic"
    return switch error.operation {
    case .ready: "use Bluetooth"
    case .scan: "scan for devices"
    case .connect: "connect to \(device)"
    case .setUp: "set up the connection to \(device)"
    case .retrieve: "find devices that are known"
    case .connection: "hold the connection to \(device)"
    case .discover: "discover what \(device) offers"
    case .read: "read \(characteristic) of \(device)"
    case .write: "write \(characteristic) of \(device)"
    case .readDescriptor: "read a descriptor of \(characteristic) of \(device)"
    case .writeDescriptor: "write a descriptor of \(characteristic) of \(device)"
    case .endConnection: "end the connection to \(device)"
    case .subscribe: "receive the values of \(characteristic) of \(device)"
    case .request: "send a command to \(characteristic) of \(device) and get its answer"
    case .receive: "receive all that comes"
    case .readRSSI: "measure the signal of \(device)"
    case .capture: "write the packets that pass to a file"
    case .startServer: "start the peripheral server"
    case .serve: "serve \(error.characteristic.map { describe($0) + " to " } ?? "")\(device)"
    case .advertise: "advertise"
    case .send: "send \(characteristic) to \(device)"
    case .setValue: "change the value of \(characteristic)"
    case .disconnect: "end the connection to \(device)"
    case .openChannel: "open \(channel) to \(device)"
    case .publishChannel: "publish \(channel)"
    case .sendOnChannel: "send on \(channel) to \(device)"
    case .receiveOnChannel: "receive on \(channel) from \(device)"
    case .closeChannel: "close \(channel) to \(device)"
    case .requestLatency: "change the latency of the connection to \(device)"
    default: "do \"\(error.operation)\" with \(device)"
    }
  }

  private var reason: String {
    switch (error.kind, error.detail) {
    case (.poweredOff, _): "Bluetooth is off"
    case (.unauthorized, _): "this program may not use Bluetooth"
    case (.unsupported, _): "this is not supported here"
    case (.timedOut, .time(let duration)): "it took longer than \(duration.secondsText) s"
    case (.timedOut, _): "the device took longer to answer than the protocol allows"
    case (.notFound, _): "the scan ended before a matching device was heard"
    case (.notConnected, _): "there is no connection"
    case (.disconnected, .releasedLocally): "this program ended the connection"
    case (.disconnected, _): "the connection was lost"
    case (.connectionFailed, _): "the connection was not established"
    case (.setUpFailed, _): "the program's own set-up has failed"
    case (.serviceNotFound, _): "the device has no such service"
    case (.characteristicNotFound, .outdated): "it was discovered on an earlier connection and is there no longer"
    case (.characteristicNotFound, .undeclared): "the server's declaration has no such characteristic"
    case (.characteristicNotFound, _): "the service has no such characteristic"
    case (.descriptorNotFound, .outdated): "it was discovered on an earlier connection and is there no longer"
    case (.descriptorNotFound, _): "the characteristic has no such descriptor"
    case (.ambiguous, .count(let count)): "the name fits \(count) of them"
    case (.ambiguous, _):
      "the name fits \(error.choices.count) of them: " + error.choices.map(describe).joined(separator: ", ")
    case (.notPermitted, .allowed(let properties)):
      "it allows only: \(properties.names.isEmpty ? "nothing" : properties.names.joined(separator: ", "))"
    case (.notPermitted, .subscription): "this descriptor is that of subscriptions"
    case (.notPermitted, _): "the characteristic does not allow it"
    case (.tooLong, .length(let length, let maximum)) where error.operation == .sendOnChannel:
      "the message has \(counted(length, "byte")) and \(maximum) is the most"
    case (.tooLong, .length(let length, let maximum)):
      "the value has \(counted(length, "byte")) and \(maximum) is the most"
    case (.tooLong, _): "the value is too long"
    case (.empty, _): "the \(error.operation == .sendOnChannel ? "message" : "value") has no bytes"
    case (.undecodable, .count(let count)):
      "the \(counted(count, "byte")) that came \(count == 1 ? "does" : "do") not make a value of this type"
    case (.undecodable, _): "the bytes that came do not make a value of this type"
    case (.overflow, .count(let count)):
      "\(counted(count, "value")) \(count == 1 ? "was" : "were") waiting and the buffer was full"
    case (.overflow, _): "the buffer was full"
    case (.busy, _): "the radio has no room for another operation of this kind"
    case (.protocolViolation, _): "what the device sent breaks the protocol"
    case (.controller, _): "the Bluetooth controller refused"
    case (.invalidArgument, _) where error.operation == .publishChannel: "this PSM can not be published"
    case (.invalidArgument, _):
      error.operation.isOfServer ? "the declaration makes no sense" : "the arguments make no sense together"
    case (.fileFailed, _): "the file can not be used"
    case (.refused, _): "the other device refused"
    case (.notSubscribed, _): "it has not subscribed to the characteristic"
    case (.closed, .closedLocally): "this program closed the channel"
    case (.closed, _): "the other end closed the channel"
    case (.stopped, _): "the server does not run"
    default: error.kind.attCode.map { "the device answered with the error \($0)" } ?? "\(error.kind)"
    }
  }

  private var advice: String {
    switch error.kind {
    case .poweredOff: error.cause == nil ? "Switch Bluetooth on and try again." : "Put that right and try again."
    case .unauthorized: "Allow the program to use Bluetooth in the system's settings."
    case .unsupported: "Check which radio the program uses and what the device is able to do."
    case .timedOut:
      switch error.operation {
      case .startServer: "Check that Bluetooth is switched on, or allow more time."
      case .serve: "Answer sooner; a central waits 30 s at most."
      case .send: "Send less often, or allow more time."
      case .scan, .connect: "Check that the device is on, near and not connected elsewhere, or allow more time."
      case .sendOnChannel: "See to it that the other end reads, or allow more time."
      case .closeChannel: "What the other end did not take is dropped; see to it that it reads, or allow more time."
      case .ready: "Check that Bluetooth is switched on, or allow more time."
      case .setUp: "Let the set-up do less, or allow more time in timeouts.setUp."
      default: "Try again; bring the device nearer or allow more time."
      }
    case .notFound: "Check the filter and that the device is on and advertises, or scan longer."
    case .notConnected: error.operation.isOfServer ? "Wait until it connects again." : "Connect first."
    case .disconnected where error.operation.isOfServer: "Send again when it has connected and subscribed again."
    case .disconnected:
      error.detail == .releasedLocally
        ? "Connect again if you still need it."
        : "Connect again; if it keeps happening, bring the device nearer."
    case .setUpFailed: "Put right what the set-up says, and connect again."
    case .connectionFailed: "Check that the device is near and not connected elsewhere, and try again."
    case .characteristicNotFound where error.detail == .undeclared: "Declare it in the services of the server."
    case .serviceNotFound, .characteristicNotFound:
      "Compare the UUIDs with what services() lists for this device."
    case .descriptorNotFound: "Compare the UUID with the descriptors that services() lists for the characteristic."
    case .ambiguous where error.operation.isOfServer: "Name it by its part of the declaration, such as a Notifying."
    case .ambiguous where [.readDescriptor, .writeDescriptor].contains(error.operation) && error.choices.isEmpty:
      "Use a descriptor from services() instead of the name."
    case .ambiguous: "Use one of the error's choices, or a characteristic from services(), instead of the name."
    case .notPermitted where error.operation == .send: "Declare it with Notifying or Indicating."
    case .notPermitted where error.detail == .subscription: "Iterate values(of:) instead."
    case .notPermitted: "Use an operation that the characteristic allows."
    case .tooLong where error.operation == .sendOnChannel:
      "Send it with send(inParts:), or ask maximumSendLength first."
    case .tooLong where error.operation == .send: "Send less, or ask maximumUpdateLength(for:) first."
    case .tooLong where error.operation == .startServer || error.operation == .advertise:
      "Advertise less, or let it be shortened with the overflow .shorten."
    case .tooLong: "Send it in parts, or ask maximumWriteLength(for:) first."
    case .empty:
      [.write, .writeDescriptor, .request, .sendOnChannel].contains(error.operation)
        ? "Give at least one byte." : "Read it as a type that may be empty, such as [UInt8]."
    case .undecodable: "Check the type of the characteristic, or read it as [UInt8] to see the bytes."
    case .overflow: "Read faster, or choose another buffering."
    case .busy where error.operation == .openChannel: "Close a channel of this connection and try again."
    case .busy where error.operation == .publishChannel: "Take another PSM, or unpublish one."
    case .busy: "Wait until an operation has ended and try again."
    case .protocolViolation, .controller: "Try again; if it keeps happening, take a trace and report it."
    case .invalidArgument where error.operation == .publishChannel: "Take another PSM."
    case .invalidArgument: error.operation.isOfServer ? "Correct the declaration." : "Check the arguments."
    case .fileFailed: "Choose another file, or make room and see to it that the program may write there."
    case .refused where error.channelResult != nil: channelAdvice
    case .closed: "Open another one if you still need it."
    case .refused: "Go on without, or try again later."
    case .notSubscribed: "Wait for its subscription; see the server's subscriptions."
    case .stopped: "Start the server first."
    default: error.kind.attCode == nil ? "Try again." : "Check what the device demands for this operation."
    }
  }

  /// What to do about a device that refuses a channel.
  private var channelAdvice: String {
    switch error.channelResult {
    case .spsmNotSupported?: "Check the PSM, and that the device publishes it now."
    case .insufficientAuthentication?, .insufficientEncryption?, .encryptionKeySizeTooShort?:
      "Pair with the device first, so that the connection is encrypted."
    case .insufficientAuthorization?: "Let the device's user allow it."
    case .noResources?: "Close a channel to the device, or try again later."
    default: "Check what the device demands for this channel."
    }
  }
}
