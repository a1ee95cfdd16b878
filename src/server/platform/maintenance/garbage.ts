import { heapSize } from "bun:jsc";
import type { Lifetime } from "../../kit/lifetime.ts";

const lookMs = 20_000;
/** Less garbage is left to the engine. */
const grownBytes = 16 * 1024 * 1024;
/** The engine collects in its own threads for about this long. */
const collectedMs = 1_000;

/**
 * Collects garbage while the platform is busy. The engine waits until the heap has several times
 * its last size, so that the memory of a process that works steadily goes up and down by 80 MiB.
 */
export function collectGarbage(lifetime: Pick<Lifetime, "every">): void {
  let settled = heapSize();
  lifetime.every(lookMs, "garbage-not-collected", async () => {
    const size = heapSize();
    if (size < settled + grownBytes) {
      settled = Math.min(settled, size);
      return;
    }
    Bun.gc(false);
    await Bun.sleep(collectedMs);
    settled = heapSize();
  });
}
