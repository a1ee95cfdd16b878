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
  const kibibytes = Number.parseInt(await askPs(pid), 10);
  return Number.isNaN(kibibytes) ? null : kibibytes * 1024;
}

/** Nothing where no process can be started: a machine at its limits has to stay on its feet. */
async function askPs(pid: number): Promise<string> {
  try {
    const asked = Bun.spawn(["/bin/ps", "-o", "rss=", "-p", String(pid)], {
      env: {},
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    return await asked.stdout.text();
  } catch {
    return "";
  }
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
