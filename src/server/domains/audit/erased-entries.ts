import { isJsonObject, parsedJson } from "#lib/json/value.ts";
import { entryOfOperator, type NewEntry } from "./entry.ts";
import type { AuditRow } from "./store.ts";

/** The erased ids and values that the log of a workspace may have. */
export interface Erasure {
  readonly workspaceId: string;
  readonly kind: "record" | "document";
  readonly ids: readonly string[];
  readonly at: string;
  /** The id of the caller; empty for a restored backup. */
  readonly by: string;
  /** A later look for the same ids adds no entry unless it finds some. */
  readonly isFirst: boolean;
  /** True if a value of a property was one of an erased record. */
  isValue(property: string, value: string): boolean;
}

/** The entries that no longer fit their digests, as an entry of an erasure names them. */
export interface ErasedEntries {
  readonly erasedEntries: readonly number[];
  /** Their digests after the erasure, in the same order. */
  readonly erasedDigests: readonly string[];
  readonly signature: string;
}

/** The entry of an erasure, which names the entries that no longer fit their digests. */
export function entryOfErasure(
  { workspaceId, kind, ids, at, by }: Erasure,
  after: ErasedEntries,
): NewEntry {
  const action = kind === "record" ? "resources.erase" : "documents.erase";
  const entry = entryOfOperator(
    action,
    { target: { ids }, after },
    { at: new Date(at), workspaceId },
  );
  return by === "" ? entry : { ...entry, actor: by, actorName: null, address: "" };
}

/** The erased entries that an entry names; undefined for an entry that names none. */
export function erasedIn(row: AuditRow): Partial<ErasedEntries> | undefined {
  if (!row.action.endsWith(".erase")) return undefined;
  const changes = parsedJson(row.changes ?? "null");
  const after = isJsonObject(changes) ? changes["after"] : undefined;
  return isJsonObject(after) && "erasedEntries" in after ? after : undefined;
}

const namedByValue = /^(.*\/by\/([^/]+)\/)([^/]+)$/;

/** The entry without the values of what was erased; undefined where it has none. */
export function withoutValues(row: AuditRow, erasure: Erasure): AuditRow | undefined {
  const changes = parsedJson(row.changes ?? "null");
  const facts = isJsonObject(changes) ? changes : {};
  if ("erased" in facts || row.action.endsWith(".erase")) return undefined;
  const [, start, property, value] = namedByValue.exec(row.path) ?? [];
  const isNamed = erasure.ids.some((id) => row.path.includes(id) || row.changes?.includes(id));
  const isQuoted =
    start !== undefined &&
    (isNamed || erasure.isValue(decoded(property ?? ""), decoded(value ?? "")));
  const hasState = isNamed && ("before" in facts || "after" in facts);
  if (!isQuoted && !hasState) return undefined;
  const { before: _before, after: _after, ...rest } = facts;
  const kept = hasState ? rest : facts;
  return {
    ...row,
    path: isQuoted ? `${start}erased` : row.path,
    changes: JSON.stringify({ ...kept, erased: erasure.at }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
