@main struct HalcyonCommand { static func main() {} }
