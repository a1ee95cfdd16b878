import { access, constants, statfs } from "node:fs/promises";

const folder = "/dev/shm";
/** Databases, executables and PostgreSQL's log of a run of tests take less than half of it. */
const leastFreeBytes = 8 * 1024 ** 3;

/**
 * A folder in memory for files that live as long as a run: a synced write there costs a hundredth
 * of one on a disk. `undefined` where the machine has none with enough room.
 */
export async function memoryFolder(): Promise<string | undefined> {
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= leastFreeBytes ? folder : undefined;
  } catch {
    return undefined;
  }
}
