import type { BlobStore } from "../files/blob-store.ts";
import type { Database } from "../database/database.ts";
import type { BlobRemovals } from "../files/removals.ts";
import type { Secrets } from "./secrets/service.ts";
import type { Changes } from "../kit/changes.ts";
import type { Lifetime } from "../kit/lifetime.ts";
import type { Limits } from "../kit/limits.ts";
import type { Logger } from "../kit/logger.ts";
import type { Room } from "../files/disk-space.ts";

/** What every domain's service is built from. */
export interface PlatformBase {
  readonly database: Database;
  /**
   * The same without the keys of requests: for what is stored ahead of a request's effect or beside
   * it, and stays whatever becomes of the request.
   */
  readonly unkeyedDatabase: Database;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly dataDirectory: string;
  /** Where the contents of files are kept. */
  readonly blobs: BlobStore;
  /** Whether what is written to them finds any. */
  readonly room: { readonly database: Room; readonly files: Room };
  /** Takes out of `blobs` what no row names any more. */
  readonly removals: BlobRemovals;
  /** What `blobs` is. */
  readonly blobProvider: "disk" | "s3";
  /** The program and arguments that start text extraction in a process of its own. */
  readonly extractionCommand: readonly string[];
  /** What other threads are told of. */
  readonly changes: Changes;
  readonly limits: Limits;
  readonly lifetime: Lifetime;
  /** A key for what a domain signs for itself, e.g. `secrets.for("list cursors")`. */
  readonly secrets: Secrets;
}
