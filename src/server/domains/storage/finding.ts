import type { CatalogError } from "#contract/errors.ts";
import type { StorageBackend } from "#contract/workspaces/storage.ts";
import type { StorageError } from "../../kit/storage-errors.ts";

export type FindingCode =
  | "database-damaged"
  | "blob-unreachable"
  | "blob-missing"
  | "blob-damaged"
  | "blob-orphaned"
  | "directory-writable"
  | "durability-off"
  | "index-missing"
  | "index-out-of-step"
  | "links-out-of-step"
  | "order-out-of-step"
  | "record-unfit"
  | "reference-dangling"
  | "search-out-of-step"
  | "start-refused";

/** One kind of fault in the storage, with all things that have it and how to repair it. */
export interface Finding {
  readonly code: FindingCode;
  readonly backend: StorageBackend;
  readonly severity: "error" | "warning";
  readonly workspaceId?: string;
  /** An Object Type, one of its properties, or an index. */
  readonly subject?: string;
  readonly count: number;
  /** The first of them, at most five. */
  readonly examples: readonly string[];
  readonly detail: string;
  readonly mend: string;
  /** True if `svc serve doctor --fix` repairs it without data loss. */
  readonly fixable: boolean;
}

const maximumExamples = 5;

/** Counts the things that have one fault, and keeps the first of them as examples. */
export class Tally {
  readonly examples: string[] = [];
  count = 0;

  add(example: string): void {
    this.count += 1;
    if (this.examples.length < maximumExamples) this.examples.push(example);
  }

  /** The finding of this fault; none when nothing was counted. */
  finding(fault: Omit<Finding, "count" | "examples">): Finding[] {
    const { count, examples } = this;
    return count === 0 ? [] : [{ ...fault, count, examples }];
  }
}

export function damagedDatabase(faults: readonly string[]): Finding {
  return {
    code: "database-damaged",
    backend: "documentdb",
    severity: "error",
    count: faults.length,
    examples: faults.slice(0, maximumExamples),
    detail: "The database is damaged",
    mend: "Stop the platform, keep the damaged database, and restore a backup with `svc serve restore`",
    fixable: false,
  };
}

/** The reason for which `svc serve` refuses to start. */
export function refusedStart({ message, hint, suggestion }: CatalogError): Finding {
  return {
    code: "start-refused",
    backend: "documentdb",
    severity: "error",
    count: 1,
    examples: [],
    detail: message,
    mend: hint ?? suggestion,
    fixable: false,
  };
}

export function unreachableBlobs(workspaceId: string, { part, conduct }: StorageError): Finding {
  return {
    code: "blob-unreachable",
    backend: "blob",
    severity: "error",
    workspaceId,
    count: 1,
    examples: [],
    detail: `${part} ${conduct}, so its files were not checked`,
    mend: "Check the file store; the platform's log has the cause",
    fixable: false,
  };
}

/** Settings of the server with which acknowledged writes may be lost. */
export function durabilityOff(risks: readonly string[]): Finding[] {
  const risk = new Tally();
  for (const each of risks) risk.add(each);
  return risk.finding({
    code: "durability-off",
    backend: "postgresql",
    severity: "warning",
    detail: "Acknowledged writes may be lost or damaged in a crash of the server's machine",
    mend: "Set fsync and full_page_writes to on in postgresql.conf, and restart the server",
    fixable: false,
  });
}

export function missingIndex(name: string): Finding {
  return {
    code: "index-missing",
    backend: "documentdb",
    severity: "error",
    subject: name,
    count: 1,
    examples: [],
    detail: "The database lacks an index of the records",
    mend: "Run `svc serve doctor --fix` on the platform's machine, which creates it again",
    fixable: true,
  };
}

/** Records or passages that differ from their entries in the search index. */
export function searchOutOfStep(
  workspaceId: string,
  detail: string,
): Omit<Finding, "count" | "examples"> {
  return {
    code: "search-out-of-step",
    backend: "search",
    severity: "error",
    workspaceId,
    detail,
    mend: "Run `svc provision storage --backend search --rebuild-search`",
    fixable: false,
  };
}

export function linksOutOfStep(
  workspaceId: string,
  objectType: string,
): Omit<Finding, "count" | "examples"> {
  return {
    code: "links-out-of-step",
    backend: "documentdb",
    severity: "error",
    workspaceId,
    subject: objectType,
    detail: "The links of records differ from their references, so deletions may miss them",
    mend: "Run `svc serve doctor --fix`, which makes the links from the records",
    fixable: true,
  };
}

export function orderOutOfStep(
  workspaceId: string,
  objectType: string,
): Omit<Finding, "count" | "examples"> {
  return {
    code: "order-out-of-step",
    backend: "documentdb",
    severity: "error",
    workspaceId,
    subject: objectType,
    detail: "The folded texts differ from the records, so texts sort in a wrong order",
    mend: "Run `svc serve doctor --fix`, which folds the texts again",
    fixable: true,
  };
}
