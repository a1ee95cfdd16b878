import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Measured } from "./goals.ts";

/** About what one commit of a few creates adds to the write-ahead log. */
const writeBytes = 64 * 1024;
/** Written before, and then again and again: a log does not grow either, once it is long. */
const fileBytes = 16 * 1024 * 1024;

/**
 * The time of one write and its sync on the disk alone, at a fixed rate: the lower bound for an
 * acknowledged create.
 */
export async function measureDisk(
  directory: string,
  perSecond: number,
  durationMs: number,
): Promise<Measured> {
  const path = join(directory, "disk.bench");
  const file = await open(path, "w");
  try {
    await file.write(new Uint8Array(fileBytes));
    await file.sync();
    const bytes = new Uint8Array(writeBytes).fill(1);
    const latenciesMs: number[] = [];
    const startedAt = performance.now();
    for (let now = startedAt, turn = 0; now - startedAt < durationMs; turn += 1) {
      const dueAt = startedAt + (turn * 1000) / perSecond;
      if (dueAt > now) await Bun.sleep(dueAt - now);
      const before = performance.now();
      await file.write(bytes, 0, writeBytes, (turn * writeBytes) % fileBytes);
      await file.datasync();
      now = performance.now();
      latenciesMs.push(now - before);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    return { perSecond: latenciesMs.length / seconds, latenciesMs, usedMicroseconds: Number.NaN };
  } finally {
    await file.close();
    await rm(path);
  }
}
