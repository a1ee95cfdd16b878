import { readFile, writeFile } from "node:fs/promises";

/** Resident memory of a process now, in bytes; undefined where the system does not say. */
export function residentBytes(pid: number): Promise<number | undefined> {
  return readStatus(pid, "VmRSS");
}

/** The most it has had resident since `forgetPeak`, in bytes. */
export function peakBytes(pid: number): Promise<number | undefined> {
  return readStatus(pid, "VmHWM");
}

/**
 * Follows the peak of a child until it is asked for. `resourceUsage().maxRSS` does not serve:
 * Linux counts in the memory of the process that started it.
 */
export function watchPeak(pid: number): () => number {
  let most = 0;
  const look = async (): Promise<void> => {
    most = Math.max(most, (await peakBytes(pid)) ?? 0);
  };
  const timer = setInterval(() => void look(), 10);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** Resets the measured peak of memory. */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5").catch(() => {});
}

async function readStatus(pid: number, field: string): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

export interface ProcessMemory {
  /** Private memory: neither mapped files nor shared memory. */
  readonly own: number;
  /** All that is resident, pages of mapped files too, which the system takes back at need. */
  readonly resident: number;
  readonly peak: number;
}

/** All in bytes; NaN where the system does not say. */
export async function processMemory(pid: number): Promise<ProcessMemory> {
  const [own, resident, peak] = await Promise.all(
    ["RssAnon", "VmRSS", "VmHWM"].map((field) => readStatus(pid, field)),
  );
  return { own: own ?? Number.NaN, resident: resident ?? Number.NaN, peak: peak ?? Number.NaN };
}

/**
 * Processor time that a process has used, of all its threads, in microseconds; NaN where unknown.
 */
export async function usedMicroseconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // After the name, which may hold anything: user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMicroseconds;
}

/** Waits until the process has done what is left to do, at most half a minute. */
export async function untilIdle(pid: number): Promise<void> {
  for (let looks = 0; looks < 60; looks += 1) {
    const before = await usedMicroseconds(pid);
    await Bun.sleep(500);
    // NaN, where the system has no figure, ends the wait.
    if (!((await usedMicroseconds(pid)) - before > 25_000)) return;
  }
}

/** Linux reports times in hundredths of a second. */
const tickMicroseconds = 10_000;
