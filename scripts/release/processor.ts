/**
 * What the runtime for x86-64 needs, with and without `-baseline`: it is the same file, and stops
 * with an illegal instruction on other processors (tried with those of QEMU).
 */
export const processor = {
  /** The names in /proc/cpuinfo. */
  flags: ["sse4_2", "popcnt"],
  words: "SSE4.2 and POPCNT, which Intel's processors have since 2008 and AMD's since 2011",
} as const;
