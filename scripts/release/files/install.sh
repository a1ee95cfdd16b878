#!/bin/sh
# Installs svc from the folder of this file: no network, no root. Checks first, then installs.
set -eu

version='@VERSION@'
public_key='@PUBLIC_KEY@'
digests='@DIGESTS@'

usage() {
  cat <<EOF
Usage: sh install.sh [--prefix FOLDER] [--target NAME]
       sh install.sh --remove [--prefix FOLDER]

  --prefix FOLDER  where bin/svc comes to be (default: ~/.local)
  --target NAME    another build than the one for this machine, e.g. linux-x64-musl
  --remove         removes what was installed; keeps sign-ins, profiles and data
EOF
}

say() { printf 'svc: %s\n' "$*"; }
fail() { printf 'svc: %s\n' "$*" >&2; exit 1; }

detect_target() {
  case "$(uname -s) $(uname -m)" in
    'Linux x86_64')
      if is_musl; then echo linux-x64-musl
      elif grep -qw avx2 /proc/cpuinfo 2>/dev/null; then echo linux-x64
      else echo linux-x64-baseline
      fi ;;
    'Linux aarch64')
      if is_musl; then fail 'there is no build for musl on arm64'; fi
      echo linux-arm64 ;;
    'Darwin arm64') echo macos-arm64 ;;
    'Darwin x86_64') echo macos-x64 ;;
    *) fail "there is no build for $(uname -s) on $(uname -m)" ;;
  esac
}

is_musl() { [ ! -e /lib64/ld-linux-x86-64.so.2 ] && [ ! -e /lib/ld-linux-aarch64.so.1 ]; }

@PROCESSOR_CHECK@
sha256() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum <"$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then shasum -a 256 <"$1" | cut -d ' ' -f 1
  else fail 'neither sha256sum nor shasum is installed'
  fi
}

# The digest that this file has for a name.
digest_of() { printf '%s\n' "$digests" | sed -n "s/^\([0-9a-f]*\)  $1\$/\1/p"; }

# The bytes of a line of the signature, which has no other spelling of them.
signature_bytes() {
  line=$(sed -n "$1p" "$sums.minisig")
  [ "$(printf '%s' "$line" | base64 -d 2>/dev/null | base64 | tr -d '\n')" = "$line" ] || return 1
  printf '%s' "$line" | base64 -d
}

verified() {
  openssl pkeyutl -verify -pubin -keyform DER -inkey "$work/key.der" -rawin \
    -in "$1" -sigfile "$2" >/dev/null 2>&1
}

# One signature is over the BLAKE2b digest, the other over the first one and the comment. The bytes
# before the first one and before the key are `ED` and `Ed` with the identity of the key.
openssl_checks() {
  printf '%s' "$public_key" | base64 -d >"$work/key"
  {
    printf '\060\052\060\005\006\003\053\145\160\003\041\000'
    tail -c 32 "$work/key"
  } >"$work/key.der"
  signature_bytes 2 >"$work/named" && signature_bytes 4 >"$work/over-comment" || return 1
  [ "$(head -c 2 "$work/named")" = ED ] || return 1
  [ "$(head -c 10 "$work/named" | tail -c 8 | base64)" = \
    "$(head -c 10 "$work/key" | tail -c 8 | base64)" ] || return 1
  tail -c 64 "$work/named" >"$work/signature"
  openssl dgst -blake2b512 -binary -out "$work/digest" "$sums"
  {
    cat "$work/signature"
    sed -n '3s/^trusted comment: //p' "$sums.minisig" | tr -d '\n'
  } >"$work/commented"
  verified "$work/digest" "$work/signature" && verified "$work/commented" "$work/over-comment"
}

# Checks SHA256SUMS with a tool of this machine; without one the digests in this file count alone.
check_signature() {
  sums=$work/SHA256SUMS
  cp "$folder/SHA256SUMS" "$folder/SHA256SUMS.minisig" "$work/" ||
    fail "SHA256SUMS or its signature is missing in $folder"
  grep -qx "$wanted  $archive" "$sums" || fail "SHA256SUMS has another digest for $archive"
  if command -v minisign >/dev/null 2>&1; then
    minisign -V -q -P "$public_key" -m "$sums" >/dev/null 2>&1 ||
      fail 'the signature of SHA256SUMS is not of the release key'
    say 'the signature is good (minisign)'
  elif openssl version 2>/dev/null | grep -q '^OpenSSL 3'; then
    openssl_checks || fail 'the signature of SHA256SUMS is not of the release key'
    say 'the signature is good (OpenSSL)'
  else
    say 'no minisign and no OpenSSL 3 here: checked against the digests in this file only'
  fi
}

dpkg_reads_zstd() {
  command -v dpkg-deb >/dev/null 2>&1 &&
    dpkg --compare-versions "$(dpkg-query -W -f '${Version}' dpkg 2>/dev/null || echo 0)" ge 1.21.18
}

ar_member() { printf '%-16s%-12s%-6s%-6s%-8s%-10s`\n' "$1" 0 0 0 100644 "$2"; }

# Debian's own tools read Zstandard in packages only: the archive becomes the data of one.
unpack_with_dpkg() {
  (cd "$work" && tar -cf - --files-from /dev/null | gzip -n >control.tar.gz)
  {
    printf '!<arch>\n'
    ar_member debian-binary 4
    printf '2.0\n'
    ar_member control.tar.gz "$(wc -c <"$work/control.tar.gz" | tr -d ' ')"
    cat "$work/control.tar.gz"
    [ "$(($(wc -c <"$work/control.tar.gz") % 2))" = 0 ] || echo
    ar_member data.tar.zst "$(wc -c <"$1" | tr -d ' ')"
    cat "$1"
    [ "$(($(wc -c <"$1") % 2))" = 0 ] || echo
  } >"$work/archive.deb"
  dpkg-deb --fsys-tarfile "$work/archive.deb" | tar -xf - -C "$2"
}

# The tar of macOS and of Windows reads Zstandard itself where its library was built with it.
tar_reads_zstd() { tar --version 2>/dev/null | grep -q libzstd; }

unpack() {
  case $1 in
    *.tar.gz) gzip -dc "$1" | tar -xf - -C "$2" ;;
    *) if command -v zstd >/dev/null 2>&1; then zstd -dcq "$1" | tar -xf - -C "$2"
      elif tar_reads_zstd; then tar -xf "$1" -C "$2"
      else unpack_with_dpkg "$1" "$2"
      fi ;;
  esac
}

# The smaller archive where this machine can read it.
choose_archive() {
  for ending in tar.zst tar.gz; do
    name=svc-$version-$target.$ending
    [ -f "$folder/$name" ] || continue
    if [ "$ending" = tar.gz ] || command -v zstd >/dev/null 2>&1 || tar_reads_zstd ||
      dpkg_reads_zstd; then
      echo "$name"
      return
    fi
  done
  fail "$folder has no archive of svc $version for $target that this machine can read"
}

install_share() {
  mkdir -p "$prefix/share/svc"
  (cd "$unpacked/share" && find . -type f) | sort >"$prefix/share/svc/installed"
  cp -R "$unpacked/share/." "$prefix/share/"
}

install_svc() {
  [ -n "$target" ] || target=$(detect_target)
  case $target in linux-x64*) require_processor || exit 1 ;; esac
  archive=$(choose_archive)
  wanted=$(digest_of "$archive")
  [ -n "$wanted" ] || fail "this file has no digest for $archive"
  # The copy is checked and unpacked, so that nothing can change in between.
  cp "$folder/$archive" "$work/$archive"
  [ "$(sha256 "$work/$archive")" = "$wanted" ] || fail "$archive is damaged or not of this release"
  check_signature
  mkdir "$work/unpacked"
  unpack "$work/$archive" "$work/unpacked" || fail "$archive could not be unpacked"
  unpacked=$work/unpacked/svc-$version-$target
  mkdir -p "$prefix/bin"
  staged=$prefix/bin/.svc-install-$$
  cp "$unpacked/bin/svc" "$staged"
  chmod 755 "$staged"
  answer=$("$staged" --version) || fail "svc $version for $target does not run on this machine"
  [ "$answer" = "$version" ] || fail "the executable says that it is version $answer"
  if [ -f "$prefix/bin/svc" ]; then
    ln -f "$prefix/bin/svc" "$prefix/bin/.svc-kept-$$"
    mv -f "$prefix/bin/.svc-kept-$$" "$prefix/bin/svc.previous"
  fi
  mv -f "$staged" "$prefix/bin/svc"
  install_share
  say "svc $version is in $prefix/bin/svc"
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) say "add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
}

remove_svc() {
  [ -e "$prefix/bin/svc" ] || [ -e "$prefix/share/svc/installed" ] ||
    fail "svc is not installed in $prefix"
  if [ -f "$prefix/share/svc/installed" ]; then
    (cd "$prefix/share" && grep -v '\.\.' svc/installed | xargs rm -f svc/installed)
    rmdir "$prefix/share/svc" 2>/dev/null || true
  fi
  rm -f "$prefix/bin/svc" "$prefix/bin/svc.previous"
  say "svc is removed from $prefix; sign-ins, profiles and data are kept"
}

main() {
  folder=$(cd "$(dirname "$0")" && pwd)
  prefix=${HOME:-}/.local
  target=
  staged=
  action=install_svc
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix | --target)
        [ $# -gt 1 ] || fail "$1 needs a value"
        if [ "$1" = --prefix ]; then prefix=$2; else target=$2; fi
        shift ;;
      --prefix=*) prefix=${1#*=} ;;
      --target=*) target=${1#*=} ;;
      --remove) action=remove_svc ;;
      --help) usage; exit 0 ;;
      *) usage >&2; fail "unknown option $1" ;;
    esac
    shift
  done
  [ -n "$prefix" ] || fail '--prefix is empty'
  # A path for other folders too: it is shown for the PATH.
  case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
  [ "$prefix" != /.local ] || fail 'there is no HOME: name a folder with --prefix'
  work=$(mktemp -d)
  trap 'rm -rf "$work"; [ -z "$staged" ] || rm -f "$staged"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  $action
}

main "$@"
