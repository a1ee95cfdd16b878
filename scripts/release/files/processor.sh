# Fails where the processor of this machine lacks what executables for x86-64 need.
require_processor() {
  [ -r /proc/cpuinfo ] || return 0
  for flag in @PROCESSOR_FLAGS@; do
    grep -qw "$flag" /proc/cpuinfo && continue
    printf 'svc: %s\n' "the processor has no $flag: svc needs @PROCESSOR_WORDS@" >&2
    return 1
  done
}
