import { getPriority, platform, setPriority } from "node:os";

const addedNiceness = 10;

/**
 * Lets the threads that answer requests go first on a busy machine. A worker thread calls it for
 * itself; only on Linux does the priority apply to one thread alone.
 */
export function yieldToRequests(): void {
  if (platform() !== "linux") return;
  try {
    setPriority(Math.min(getPriority() + addedNiceness, 19));
  } catch {
    // Forbidden there: the thread keeps its priority.
  }
}
