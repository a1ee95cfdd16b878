import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalUuid } from "#lib/uuid.ts";

/** Names the last process that has served the data directory. */
export const workerFilename = "svc.worker";

/** Has the address of that process, for programs of the same user. */
export const addressFilename = "svc.address";
const maximumAddress = 2_000;

/** The process as the owner of leases. */
export interface Worker {
  /** Unique for each start: two platforms may have the same host name and path. */
  readonly id: string;
  /** The process before on this data directory, which is gone: its leases need not expire. */
  readonly earlierId: string | undefined;
}

/** Makes the id of this process. Call it with the lock of the data directory. */
export function newWorker(dataDirectory: string): Worker {
  const path = join(dataDirectory, workerFilename);
  // A power cut may leave zero bytes: then the leases before end by themselves.
  const earlierId = existsSync(path) ? canonicalUuid(readFileSync(path, "utf8").trim()) : undefined;
  const id = crypto.randomUUID();
  writeFileSync(path, `${id}\n`, { mode: 0o600, flush: true });
  return { id, earlierId };
}

/** Keeps the address at which this process serves the data directory. A full disk keeps none. */
export function keepAddress(dataDirectory: string, address: string): void {
  try {
    writeFileSync(join(dataDirectory, addressFilename), `${address}\n`, { mode: 0o600 });
  } catch {
    // A user then signs in by the address of the platform.
  }
}

/** The address of the last process that has served the directory; undefined without one. */
export function keptAddress(dataDirectory: string): string | undefined {
  try {
    const text = readFileSync(join(dataDirectory, addressFilename), "utf8").trim();
    const isAddress = text.length <= maximumAddress && /^https?:\/\//.test(text);
    return isAddress && URL.canParse(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
