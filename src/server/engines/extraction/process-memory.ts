import { readFileSync } from "node:fs";
import { platform } from "node:os";

/**
 * The memory that another process holds resident, in bytes; null when it has ended or can't be
 * asked. Linux tells it in a file, other Unix systems through `ps`; on Windows there is no answer,
 * and only the clock guards.
 */
export async function readResidentBytes(pid: number): Promise<number | null> {
  if (platform() === "linux") return parseStatus(readStatus(pid));
  if (platform() === "win32") return null;
  const asked = Bun.spawn(["/bin/ps", "-o", "rss=", "-p", String(pid)], {
    env: {},
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const kibibytes = Number.parseInt(await asked.stdout.text(), 10);
  return Number.isNaN(kibibytes) ? null : kibibytes * 1024;
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

function parseStatus(status: string): number | null {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}
