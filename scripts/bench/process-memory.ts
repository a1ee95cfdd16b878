import { readFile, writeFile } from "node:fs/promises";

/** Resident memory of a process now, in bytes; undefined where the system does not say. */
export function residentBytes(pid: number): Promise<number | undefined> {
  return readStatus(pid, "VmRSS");
}

/** The most it has had resident since `forgetPeak`, in bytes. */
export function peakBytes(pid: number): Promise<number | undefined> {
  return readStatus(pid, "VmHWM");
}

/** Starts the measuring of the peak anew. */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5").catch(() => {});
}

async function readStatus(pid: number, field: string): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

export interface ProcessMemory {
  /** What nobody else could give it: neither files nor memory that is shared. */
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
