import type { StorageBackend } from "#contract/storage.ts";
import type { StorageError } from "../../kit/storage-errors.ts";

export type FindingCode =
  | "database-damaged"
  | "blob-unreachable"
  | "blob-missing"
  | "blob-damaged"
  | "blob-orphaned"
  | "index-missing"
  | "index-out-of-step"
  | "record-unfit"
  | "reference-dangling"
  | "search-out-of-step";

/** One fault of the storage, of all the things that have it, with what mends it. */
export interface Finding {
  readonly code: FindingCode;
  readonly backend: StorageBackend;
  readonly severity: "error" | "warning";
  readonly workspaceId?: string;
  /** What has the fault: an Object Type, a property of it, an index. */
  readonly subject?: string;
  /** How many things have it. */
  readonly count: number;
  /** The first of them, at most five. */
  readonly examples: readonly string[];
  readonly detail: string;
  /** What to do about it. */
  readonly mend: string;
  /** Whether `svc serve doctor --fix` mends it without losing anything. */
  readonly fixable: boolean;
}

/** The finding of a file store that does not answer, or refuses to. */
export function unreachableBlobs(workspaceId: string, { part, conduct }: StorageError): Finding {
  return {
    code: "blob-unreachable",
    backend: "blob",
    severity: "error",
    workspaceId,
    count: 1,
    examples: [],
    detail: `${part} ${conduct}, so its files were not looked at`,
    mend: "Look at the file store, and at the platform's log for why",
    fixable: false,
  };
}

/** The finding of an index of the records that the database should have. */
export function missingIndex(name: string): Finding {
  return {
    code: "index-missing",
    backend: "documentdb",
    severity: "error",
    subject: name,
    count: 1,
    examples: [],
    detail: "The database lacks an index of the records",
    mend: "Run `svc serve doctor --fix` on the platform's machine, which makes it again",
    fixable: true,
  };
}

const maximumExamples = 5;

/** Counts the things that have one fault, and keeps the first of them. */
export class Tally {
  readonly examples: string[] = [];
  count = 0;

  add(example: string): void {
    this.count += 1;
    if (this.examples.length < maximumExamples) this.examples.push(example);
  }
}
