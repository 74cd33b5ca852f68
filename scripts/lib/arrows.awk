# SPDX-License-Identifier: Apache-2.0
# The rules, each with the name it is reported under:
#   sdk-includes-core          sdk takes no header of core
#   plugin-includes-core       a driver (plugins, conformance/controls, examples/drivers) takes only <attache/sdk/...>
#   core-includes-sdk          core takes <attache/sdk/spi.h>, and in .cpp files child_process, sha256 and base64
#   host-includes-sdk          a host (cli, examples/hosts) takes no header of the sdk (cli/embed, which writes the
#                              descriptor object that spi.h lays out, takes that one)
#   leaves-area                "..." names a file of the same area: sdk, core, one driver, the kit, cli, tests
#                              (tests, bench and examples may also name private headers of what they test)
#   json-in-header             <nlohmann/json.hpp> stands in .cpp files only (tests excepted)
#   boost                      Boost.DLL is for core; Asio and Beast are for the kit (tests excepted)
#   platform-header            system headers stand in *_posix and *_windows files, each its own kind
#   platform-conditional       no #if on the platform in a .cpp file
#   too-long                   500 lines are the most
#   licence                    the first line names the licence
# platform-*: tests, bench, examples and conformance/controls are excepted; they are not part of what is shipped.

function report(rule, text) {
  printf "%s:%d: %s: %s\n", FILENAME, FNR, rule, text
  faults++
}

function area_of(path, part) {
  split(path, part, "/")
  if (part[1] == "plugins") return part[1] "/" part[2]
  if (part[1] == "examples") return part[1] "/" part[2] "/" part[3]
  if (part[1] == "conformance" && part[2] == "controls") return "conformance/controls"
  return part[1]
}

function directory_of(path) { sub("/[^/]*$", "", path); return path }

function normal(path) {
  while (match(path, "(^|/)[^/.][^/]*/\\.\\./"))
    path = substr(path, 1, RSTART - 1) (substr(path, RSTART, 1) == "/" ? "/" : "") substr(path, RSTART + RLENGTH)
  gsub("/\\./", "/", path)
  return path
}

# A quoted include must name a file of its own area: beside the file, in a folder above it, or in an `src` or
# `common` there.
function check_quoted(name,   folder, candidate, root) {
  root = area_of(FILENAME)
  for (folder = directory_of(FILENAME); ; folder = directory_of(folder)) {
    candidate = normal(folder "/" name)
    if (candidate in known) {
      if (area_of(candidate) != root) report("leaves-area", "\"" name "\" is in " area_of(candidate))
      return
    }
    candidate = normal(folder "/src/" name)
    if (candidate in known) return
    if (normal(folder "/common/" name) in known && area_of(folder "/common/x") == root) return
    if (index(folder, "/") == 0) break
  }
  if (role != "test") report("leaves-area", "\"" name "\" is no file of " root)
}

function check_angle(name, header) {
  is_sdk = name ~ /^attache\/sdk\//
  is_core = name ~ /^attache\// && !is_sdk
  if (role == "sdk" && is_core) report("sdk-includes-core", "<" name ">")
  if (role == "driver" && is_core) report("plugin-includes-core", "<" name ">")
  if (role == "host" && is_sdk && !(FILENAME ~ /^cli\/embed\// && name == "attache/sdk/spi.h"))
    report("host-includes-sdk", "<" name ">")
  if (role == "core" && is_sdk && name != "attache/sdk/spi.h" &&
      (header || name !~ /^attache\/sdk\/(child_process|sha256|base64)\.hpp$/))
    report("core-includes-sdk", "<" name ">")
  if (header && role != "test" && name == "nlohmann/json.hpp") report("json-in-header", "<" name ">")
  if (role != "test" && name ~ /^boost\/dll/ && role != "core") report("boost", "<" name "> is for core")
  if (role != "test" && name ~ /^boost\/(asio|beast)/ && role != "kit") report("boost", "<" name "> is for the kit")
  if (shipped && name ~ posix_header && FILENAME !~ /_posix\.[a-z]+$/) report("platform-header", "<" name ">")
  if (shipped && tolower(name) ~ windows_header && FILENAME !~ /_windows\.[a-z]+$/) report("platform-header", "<" name ">")
}

BEGIN {
  count = split(list, names, "\n")
  for (at = 1; at <= count; at++) known[names[at]] = 1
  posix_header = "^(sys|netinet|arpa|linux|net)/|^(unistd|fcntl|spawn|poll|dlfcn|pthread|signal|dirent|pwd|grp|termios|link|sched|netdb)\\.h$"
  windows_header = "^(windows|winsock2|ws2tcpip|io|process|direct|shellapi|aclapi)\\.h$"
}

FNR == 1 {
  if (previous != "" && lines > 500) { printf "%s:%d: too-long: %d lines\n", previous, lines, lines; faults++ }
  split(FILENAME, part, "/")
  role = part[1] == "sdk" ? "sdk" : part[1] == "core" ? "core" : part[1] == "plugins" ? "driver" : \
         part[1] == "cli" ? "host" : part[1] == "conformance" ? "kit" : "test"
  if (FILENAME ~ /^(conformance\/controls|examples\/drivers|sdk\/template)\//) role = "driver"
  if (FILENAME ~ /^examples\/hosts\//) role = "host"
  shipped = role != "test" && FILENAME !~ /^(examples|conformance\/controls)\//
  header = FILENAME ~ /\.(hpp|h)$/
  if ($0 !~ /SPDX-License-Identifier: Apache-2\.0/) report("licence", "no SPDX line first")
}

{ previous = FILENAME; lines = FNR }

/^[ \t]*#[ \t]*include[ \t]*</ {
  name = $0; sub(/^[^<]*</, "", name); sub(/>.*$/, "", name)
  check_angle(name, header)
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
  name = $0; sub(/^[^"]*"/, "", name); sub(/".*$/, "", name)
  if (name ~ /^attache\//) check_angle(name, header)
  else check_quoted(name)
}
/^[ \t]*#[ \t]*(if|ifdef|ifndef|elif)[ \t(!]/ && shipped && !header && /_WIN32|_WIN64|__linux__|__APPLE__|__unix__|__MINGW32__/ {
  report("platform-conditional", $0)
}

END {
  if (lines > 500) { printf "%s:%d: too-long: %d lines\n", previous, lines, lines; faults++ }
  if (faults > 0) { printf "%d faults in %d files\n", faults, count; exit 1 }
}
