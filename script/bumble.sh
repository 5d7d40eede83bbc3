# Brings Bumble, the peer of the interop tests. Sourced, not run.

# prepare_bumble FOLDER: makes a virtual environment with Bumble there, once; fails, and says why, where it can't.
prepare_bumble() {
  local venv=$1 version=0.0.236
  [ -e "$venv/bumble-$version" ] && return 0
  if ! command -v python3 >/dev/null 2>&1; then
    printf 'No python3: the tests against Bumble are skipped.\n' >&2
    return 1
  fi
  printf 'Installing Bumble %s from PyPI for the interop tests …\n' "$version" >&2
  rm -rf "$venv"
  if ! { python3 -m venv "$venv" && "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
      "bumble==$version"; } >&2; then
    printf 'Bumble can not be installed: the tests against it are skipped. (Debian: apt-get install python3-venv)\n' >&2
    rm -rf "$venv"
    return 1
  fi
  touch "$venv/bumble-$version"
}
