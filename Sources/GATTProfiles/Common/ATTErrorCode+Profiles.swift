import BluetoothTypes

// What services mean by error codes of their own. The numbers are shared: which one is meant follows from the service.

extension ATTErrorCode {
  /// 0x80 of the glucose service: the procedure before is not done yet (Glucose Service 1.0.1, 1.6). Other services with
  /// a record access control point, such as the pulse oximeter's, use `procedureAlreadyInProgress`, 0xFE.
  public static let glucoseProcedureAlreadyInProgress = ATTErrorCode(rawValue: 0x80)
  /// 0x81 of the glucose service: notifications and indications have to be switched on first (Glucose Service 1.0.1,
  /// 1.6). Other services use `clientCharacteristicConfigurationImproperlyConfigured`, 0xFD.
  public static let glucoseConfigurationImproperlyConfigured = ATTErrorCode(rawValue: 0x81)
  /// 0x80 of the environmental-sensing service: the write is not allowed (Environmental Sensing Service 1.0, 1.6).
  public static let environmentalSensingWriteRequestRejected = ATTErrorCode(rawValue: 0x80)
  /// 0x81 of the environmental-sensing service: the condition of a trigger is not supported (Environmental Sensing
  /// Service 1.0, 1.6).
  public static let environmentalSensingConditionNotSupported = ATTErrorCode(rawValue: 0x81)
  /// 0x80 of the user-data service: no user has given consent (User Data Service 1.1, 1.6).
  public static let userDataAccessNotPermitted = ATTErrorCode(rawValue: 0x80)
}
