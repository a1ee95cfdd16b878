import { readFileSync } from "node:fs";
import { platform } from "node:os";

/** The resident memory of a process in bytes; null after its end, and always on Windows. */
export async function readResidentBytes(pid: number): Promise<number | null> {
  if (platform() === "linux") return parseStatus(readStatus(pid));
  if (platform() === "win32") return null;
  const kibibytes = Number.parseInt(await askPs(pid), 10);
  return Number.isNaN(kibibytes) ? null : kibibytes * 1024;
}

/** Empty if the machine cannot start a process. */
async function askPs(pid: number): Promise<string> {
  try {
    const child = Bun.spawn(["/bin/ps", "-o", "rss=", "-p", String(pid)], {
      env: {},
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    return await child.stdout.text();
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
