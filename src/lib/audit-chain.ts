import { hash } from "node:crypto";
import { isJsonObject } from "./json/value.ts";

/** The digest before the first entry of a log. */
export const firstDigest = "";

/** The members of an audit entry that its digest covers, in this order. */
const chainedMembers = [
  "sequence",
  "at",
  "requestId",
  "actor",
  "actorName",
  "action",
  "outcome",
  "status",
  "code",
  "method",
  "path",
  "address",
  "changes",
] as const;

/** An audit entry as far as its digest covers it; a missing member counts as null. */
export type ChainedEntry = { readonly [Name in (typeof chainedMembers)[number]]?: unknown };

/**
 * The digest of an entry, which covers the digest of the entry before it: SHA-256, in base64url,
 * of `previous` and the entry's members as JSON with sorted keys.
 */
export function auditDigest(previous: string, entry: ChainedEntry): string {
  const text = JSON.stringify([previous, ...chainedMembers.map((name) => sorted(entry[name]))]);
  return hash("sha256", text, "base64url");
}

/** The digest of an entry after an erasure, which also covers the digest from before it. */
export function erasedDigest(entry: ChainedEntry & { readonly digest: string }): string {
  return auditDigest(entry.digest, entry);
}

/** The value with the keys of its objects in one order, since databases and clients change it. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map(sorted);
  const members: Readonly<Record<string, unknown>> = { ...value };
  const names = Object.keys(members).filter((name) => members[name] !== undefined);
  return names.toSorted().map((name) => [name, sorted(members[name])]);
}

/** An entry as the next one refers to it. */
export interface AuditLink {
  readonly sequence: number;
  readonly digest: string;
}

/** The part of a log that is gone. */
export interface AuditRemoval {
  readonly entries: number;
  /** The time of the last removed entry; null where the platform does not know it. */
  readonly until: string | null;
  readonly keptDays: number | null;
}

/** Follows a chain; stops at the first entry that does not fit. */
export class AuditChain {
  entries = 0;
  /** The removed part before the first entry; undefined for an export. */
  removed: AuditRemoval | undefined;
  /** The time of the first entry. */
  since: string | undefined;
  /** The time since which the platform signs its logs; undefined for an export. */
  signedSince: string | undefined;
  fault: string | undefined;
  /** Entries whose values an erasure has removed. */
  erased = 0;
  /** The digests of erased entries, as they are now, that no later entry has named yet. */
  readonly #unnamed = new Map<number, string>();
  #last: AuditLink | undefined;

  constructor(
    start: AuditLink | undefined,
    /** An earlier end of the log, which must still be one of its entries. */
    private readonly known: AuditLink | undefined,
  ) {
    this.#last = start;
  }

  get last(): AuditLink | undefined {
    return this.#last;
  }

  add(entry: Readonly<Record<string, unknown>>): void {
    const { sequence, digest } = entry;
    if (this.fault !== undefined) return;
    if (typeof sequence !== "number" || typeof digest !== "string") {
      this.fault = `entry ${this.entries + 1} has no sequence or no digest`;
      return;
    }
    const last = this.#last;
    if (last !== undefined && sequence !== last.sequence + 1) {
      this.fault = `entry ${last.sequence + 1} is missing`;
    } else if (last !== undefined && auditDigest(last.digest, entry) !== digest) {
      if (isErased(entry)) this.#unnamed.set(sequence, erasedDigest({ ...entry, digest }));
      else this.fault = `entry ${sequence} was changed, or does not follow the one before it`;
    } else if (this.known?.sequence === sequence && this.known.digest !== digest) {
      this.fault = `entry ${sequence} is not the one of --head`;
    }
    if (this.fault !== undefined) return;
    this.#acceptErased(entry, sequence);
    if (this.fault !== undefined) return;
    this.#last = { sequence, digest };
    if (this.entries === 0 && typeof entry["at"] === "string") this.since = entry["at"];
    this.entries += 1;
  }

  /** Accepts the erased entries that an entry of an erasure names as they are now. */
  #acceptErased(entry: Readonly<Record<string, unknown>>, sequence: number): void {
    for (const [named, digest] of erasedEntries(entry)) {
      const found = this.#unnamed.get(named);
      if (found === undefined) continue;
      if (found !== digest) {
        this.fault = `entry ${named} was changed after its erasure`;
      } else if (entry["seal"] !== undefined && entry["seal"] !== "valid") {
        this.fault = `entry ${sequence} names erased entries, and the platform has not signed it`;
      }
      if (this.fault !== undefined) return;
      this.#unnamed.delete(named);
      this.erased += 1;
    }
  }

  /** Call it after the last entry: each erased one needs a later entry that names it. */
  end(): void {
    const [first] = this.#unnamed.keys();
    if (first === undefined) return;
    this.fault ??= `entry ${first} was changed, and no entry of an erasure names it`;
  }
}

/** True if an erasure has removed values of the entry, so that its digest no longer fits. */
function isErased({ changes }: Readonly<Record<string, unknown>>): boolean {
  return isJsonObject(changes) && typeof changes["erased"] === "string";
}

/** The entries that an entry of an erasure names, with their digests after it. */
function erasedEntries({
  action,
  changes,
}: Readonly<Record<string, unknown>>): [number, string | undefined][] {
  if (typeof action !== "string" || !action.endsWith(".erase")) return [];
  const after = isJsonObject(changes) ? changes["after"] : undefined;
  const [named, digests] = isJsonObject(after)
    ? [after["erasedEntries"], after["erasedDigests"]]
    : [];
  if (!Array.isArray(named)) return [];
  return named.flatMap((each: unknown, at): [number, string | undefined][] => {
    const digest: unknown = Array.isArray(digests) ? digests[at] : undefined;
    return typeof each === "number"
      ? [[each, typeof digest === "string" ? digest : undefined]]
      : [];
  });
}
