import RadioPort
import SystemRadio

/// The packets between a radio and its controller, written to a file as they pass, for Wireshark and other tools.
///
/// ```swift
/// let capture = try await central.startCapture(to: "session.btsnoop")
/// …
/// await capture.stop()
/// ```
/// The file has the btsnoop format with H4 packets (data link 1002). Each packet is in it as soon as it has passed, so
/// that a program that crashes leaves a good file. It holds all that devices and programs tell each other, keys
/// included; a new file can be read by the user only. In a simulated world the times begin with the year 2000, and equal runs make
/// equal files.
///
/// The file may be a named pipe that another program reads meanwhile, as Wireshark does. It must read when the capture
/// begins. The radio does not wait for it: the capture ends, and ``failure`` says so, when the reader leaves, or does not
/// keep up until the pipe is full.
///
/// The writing goes on until ``stop()``, also if nobody holds this object.
public final class PacketCapture: Sendable {
  /// The file.
  public let path: String
  private let radio: any BasicRadio
  private let capture: RadioCapture
  private let observation: RadioObservation
  private let language: Language

  private init(
    path: String,
    radio: any BasicRadio,
    capture: RadioCapture,
    observation: RadioObservation,
    language: Language
  ) {
    self.path = path
    self.radio = radio
    self.capture = capture
    self.observation = observation
    self.language = language
  }

  static func start(on radio: any BasicRadio, path: String, language: Language) async throws -> PacketCapture {
    do {
      let (capture, observation) = try await radio.startCapture(to: path)
      return PacketCapture(path: path, radio: radio, capture: capture, observation: observation, language: language)
    } catch {
      throw Self.error(error, language)
    }
  }

  /// How many packets the file holds.
  public var packetCount: Int { capture.packetCount }

  /// Why nothing is written any more, such as a disk that is full or a pipe that nobody reads any more, if that was not
  /// asked for. What the file holds up to there is good.
  public var failure: BluetoothError? { capture.failure.map { Self.error($0, language) } }

  /// Ends the writing and closes the file. Doing so again does nothing.
  public func stop() async {
    await radio.endCapture(observation)
    capture.close()
  }

  private static func error(_ failure: RadioFailure, _ language: Language) -> BluetoothError {
    BluetoothError(BluetoothError.kind(of: failure), .capture, underlying: failure, language: language)
  }
}

extension BasicRadio {
  fileprivate func startCapture(to path: String) throws(RadioFailure) -> (RadioCapture, RadioObservation) {
    try RadioCapture.begin(on: self, path: path)
  }

  fileprivate func endCapture(_ observation: RadioObservation) { endObservation(observation) }
}

extension Central {
  /// Writes all packets between the radio and its controller to a file from now on, those of other users of the radio
  /// included. The packets by which the radio was switched on stand in front, with their own times.
  ///
  /// - Parameter path: The file; what it held before is lost.
  /// - Throws: ``BluetoothError`` of the kinds `.unsupported` if the radio does not show its packets, as that of an
  ///   operating system does not, and `.fileFailed`.
  @discardableResult
  public func startCapture(to path: String) async throws -> PacketCapture {
    try await PacketCapture.start(on: core.access.radio, path: path, language: configuration.language)
  }
}

extension PeripheralServer {
  /// Writes all packets between the radio and its controller to a file from now on, those of other users of the radio
  /// included. The packets by which the radio was switched on stand in front, with their own times.
  ///
  /// - Parameter path: The file; what it held before is lost.
  /// - Throws: ``BluetoothError`` of the kinds `.unsupported` if the radio does not show its packets, as that of an
  ///   operating system does not, and `.fileFailed`.
  @discardableResult
  public func startCapture(to path: String) async throws -> PacketCapture {
    try await PacketCapture.start(on: core.access.radio, path: path, language: configuration.language)
  }
}
