import { readFile, readlink } from "node:fs/promises";

/** The pattern of a mark in a name: machine, process and the start of the process. */
export const writerMarkPattern = "[\\da-f]{16}\\.\\d+\\.\\d+";

let own: Promise<string | undefined> | undefined;

/**
 * Names this process in the name of an unfinished file, so that a later process finds out whether
 * the writer still runs. Undefined where the system does not show its processes.
 */
export function writerMark(): Promise<string | undefined> {
  own ??= ownMark();
  return own;
}

/** True if the writer has certainly ended; false for a writer on another machine. */
export async function hasWriterEnded(mark: string): Promise<boolean> {
  const [machine, id, startedAt] = mark.split(".");
  if (id === undefined || machine !== (await machineName())) return false;
  const running = await processFacts(id);
  return running === undefined || running.startedAt !== startedAt;
}

async function ownMark(): Promise<string | undefined> {
  const [machine, facts] = await Promise.all([machineName(), processFacts("self")]);
  if (machine === undefined || facts === undefined) return undefined;
  return `${machine}.${facts.id}.${facts.startedAt}`;
}

/** This start of the machine and the space of its process IDs, which containers have apart. */
async function machineName(): Promise<string | undefined> {
  try {
    const [start, space] = await Promise.all([
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
      readlink("/proc/self/ns/pid"),
    ]);
    return Bun.SHA256.hash(`${start}${space}`, "hex").slice(0, 16);
  } catch {
    return undefined;
  }
}

/** Undefined for a process that does not exist. */
async function processFacts(
  id: string,
): Promise<{ readonly id: string; readonly startedAt: string } | undefined> {
  let text: string;
  try {
    text = await readFile(`/proc/${id}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name, in parentheses, may contain spaces and parentheses.
  const [found = ""] = text.split(" ", 1);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, startedAt = ""] = [fields[0], fields[19]];
  return state === "Z" ? undefined : { id: found, startedAt };
}
