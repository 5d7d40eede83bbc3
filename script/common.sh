# What the scripts beside this file share: find the project and the toolchain. Sourced, not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

command -v swift >/dev/null 2>&1 ||
  fail "Swift is not on the PATH. Install Swift 6.2 or later (swift.org/install) and run this again."

swift_version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
case "$swift_version" in
  "" | [0-5].* | 6.[01]) fail "Halcyon needs Swift 6.2 or later; this is Swift ${swift_version:-of an unknown version}." ;;
esac
