/**
 * The processors that run executables for x86-64. The runtimes with and without `-baseline` are the
 * same file, which stops with an illegal instruction on others (tried with those of QEMU).
 */
export const processor = {
  /** The names of both features in `/proc/cpuinfo`. */
  flags: ["sse4_2", "popcnt"],
  words: "SSE4.2 and POPCNT, which Intel's processors have since 2008 and AMD's since 2011",
} as const;
