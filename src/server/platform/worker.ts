import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalUuid } from "#lib/uuid.ts";

/** Names the last process that has served the data directory. */
export const workerFilename = "svc.worker";

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
