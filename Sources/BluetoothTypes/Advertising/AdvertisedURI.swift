/// The short form of a URI in an advertisement: a character for the scheme, then the rest
/// (Core Specification Supplement 11, Part A, 1.18; Assigned Numbers, 2.7).
enum AdvertisedURI {
  /// The schemes in the order of their numbers; the first, 0x01, stands for no scheme.
  static let schemes: [String] = [
    "", "aaa:", "aaas:", "about:", "acap:", "acct:", "cap:", "cid:", "coap:", "coaps:", "crid:", "data:", "dav:",
    "dict:", "dns:", "file:", "ftp:", "geo:", "go:", "gopher:", "h323:", "http:", "https:", "iax:", "icap:", "im:",
    "imap:", "info:", "ipp:", "ipps:", "iris:", "iris.beep:", "iris.xpc:", "iris.xpcs:", "iris.lwz:", "jabber:",
    "ldap:", "mailto:", "mid:", "msrp:", "msrps:", "mtqp:", "mupdate:", "news:", "nfs:", "ni:", "nih:", "nntp:",
    "opaquelocktoken:", "pop:", "pres:", "reload:", "rtsp:", "rtsps:", "rtspu:", "service:", "session:", "shttp:",
    "sieve:", "sip:", "sips:", "sms:", "snmp:", "soap.beep:", "soap.beeps:", "stun:", "stuns:", "tag:", "tel:",
    "telnet:", "tftp:", "thismessage:", "tn3270:", "tip:", "turn:", "turns:", "tv:", "urn:", "vemmi:", "ws:", "wss:",
    "xcon:", "xcon-userid:", "xmlrpc.beep:", "xmlrpc.beeps:", "xmpp:", "z39.50r:", "z39.50s:",
    "acr:", "adiumxtra:", "afp:", "afs:", "aim:", "apt:", "attachment:", "aw:", "barion:", "beshare:", "bitcoin:",
    "bolo:", "callto:", "chrome:", "chrome-extension:", "com-eventbrite-attendee:", "content:", "cvs:",
    "dlna-playsingle:", "dlna-playcontainer:", "dtn:", "dvb:", "ed2k:", "facetime:", "feed:", "feedready:",
    "finger:", "fish:", "gg:", "git:", "gizmoproject:", "gtalk:", "ham:", "hcp:", "icon:", "ipn:", "irc:", "irc6:",
    "ircs:", "itms:", "jar:", "jms:", "keyparc:", "lastfm:", "ldaps:", "magnet:", "maps:", "market:", "message:",
    "mms:", "ms-help:", "ms-settings-power:", "msnim:", "mumble:", "mvn:", "notes:", "oid:", "palm:", "paparazzi:",
    "pkcs11:", "platform:", "proxy:", "psyc:", "query:", "res:", "resource:", "rmi:", "rsync:", "rtmfp:", "rtmp:",
    "secondlife:", "sftp:", "sgn:", "skype:", "smb:", "smtp:", "soldat:", "spotify:", "ssh:", "steam:", "submit:",
    "svn:", "teamspeak:", "teliaeid:", "things:", "udp:", "unreal:", "ut2004:", "ventrilo:", "view-source:",
    "webcal:", "wtai:", "wyciwyg:", "xfire:", "xri:", "ymsgr:", "example:", "ms-settings-cloudstorage:",
    "bluetooth:", "bl:",
  ]

  /// The whole URI; a scheme that is not in the table stays the character that was sent.
  static func expand(_ data: [UInt8]) -> String? {
    let text = String(decoding: data, as: UTF8.self)
    guard let first = text.unicodeScalars.first else { return nil }
    guard first.value >= 1, first.value <= UInt32(schemes.count) else { return text }
    return schemes[Int(first.value) &- 1] + String(text.unicodeScalars.dropFirst())
  }

  /// The short form with the scheme's character in front; 0x01 where the scheme has none.
  static func shorten(_ uri: String) -> [UInt8] {
    if let colon = uri.firstIndex(of: ":") {
      let scheme = uri[...colon].lowercased()
      if let index = schemes.firstIndex(of: scheme), index > 0 {
        let short = UnicodeScalar(UInt8(truncatingIfNeeded: index &+ 1))
        return Array(String(short).utf8) + uri[uri.index(after: colon)...].utf8
      }
    }
    return [0x01] + uri.utf8
  }
}
