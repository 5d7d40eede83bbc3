import BluetoothTypes
import RadioPort

/// Names one question of the server to the owner of a value. Each wants exactly one answer; an answer that is late,
/// because the link has gone, is ignored.
package struct ReplyID: Hashable, Sendable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// What the server asks the owner of a value.
package enum OwnerRequest: Hashable, Sendable {
  /// Give the whole value; what is asked for of a long one is cut out here.
  case read(AttributeHandle)
  /// Take the values, all or none: one, or those of one owner that a client has prepared and now executes. The bytes in
  /// the answer do not matter.
  case write([WriteRequest.Part])
}

/// What a client has done to the attributes.
package enum ServerNotice: Hashable, Sendable {
  /// A value that the database keeps has been replaced.
  case stored(AttributeHandle, value: [UInt8])
  /// A client wrote without response to a value of the owner's.
  case command(AttributeHandle, value: [UInt8])
  /// What a client has subscribed to at the value with this handle has changed.
  case subscription(AttributeHandle, SubscriptionModes)
  /// The client has confirmed the indication of this value, or never will. The token is that of the call that sent it.
  case confirmed(AttributeHandle, token: UInt64, Confirmation)
  /// Nobody waits for the answer to this question any more.
  case ended(ReplyID)
}

/// What became of an indication.
package enum Confirmation: Hashable, Sendable {
  case confirmed
  /// It was not sent, as the client has unsubscribed meanwhile.
  case unsubscribed
  /// It was not sent, as its service was withdrawn.
  case withdrawn
  /// It never will be: the link has ended, the radio is off, or the client did not confirm in time.
  case lost(RadioFailure)
}

/// How well a link is protected.
package enum LinkSecurity: Int, Comparable, Sendable {
  case open
  /// In the open, though there is a key to encrypt it with.
  case keyed
  case encrypted
  /// Encrypted, with a key that was made with protection against a man in the middle.
  case authenticated

  package static func < (left: LinkSecurity, right: LinkSecurity) -> Bool { left.rawValue < right.rawValue }
}

/// Why a notification or indication was not taken.
package enum NotifyRefusal: Error, Hashable, Sendable {
  /// The client has not asked for it.
  case notSubscribed
  /// The value is longer than the MTU allows: at most `limit` bytes.
  case tooLong(limit: Int)
  /// The queue is full; try again after the next sign of room.
  case busy
  /// No such link, or no such value.
  case unknown
}

extension AttributePermissions {
  /// The error for reading on a link with this security; `nil` if allowed.
  func refusalOfRead(_ security: LinkSecurity) -> ATTErrorCode? {
    guard contains(.read) else { return .readNotPermitted }
    return refusal(encrypted: .encryptedRead, authenticated: .authenticatedRead, security)
  }

  /// The error for writing on a link with this security; `nil` if allowed.
  func refusalOfWrite(_ security: LinkSecurity) -> ATTErrorCode? {
    guard contains(.write) else { return .writeNotPermitted }
    return refusal(encrypted: .encryptedWrite, authenticated: .authenticatedWrite, security)
  }

  private func refusal(encrypted: Self, authenticated: Self, _ security: LinkSecurity) -> ATTErrorCode? {
    guard contains(authenticated) && security < .authenticated || contains(encrypted) && security < .encrypted else {
      return nil
    }
    return security == .keyed ? .insufficientEncryption : .insufficientAuthentication
  }
}

// With a key the peer has to encrypt; without one there is nothing to encrypt with, so that it has to pair
// (Core 5.4, Vol 3, Part C, 10.3.1).
extension LinkSecurity {
  /// The result for a channel that needs an encrypted link; `nil` if it is allowed.
  var refusalOfChannel: L2CAPConnectionResult? {
    switch self {
    case .open: .insufficientAuthentication
    case .keyed: .insufficientEncryption
    case .encrypted, .authenticated: nil
    }
  }
}
