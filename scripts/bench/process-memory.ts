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
