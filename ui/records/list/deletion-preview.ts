import type { Client } from "#client/index.ts";
import { CatalogError } from "#contract/errors.ts";
import type { DeletionPreview } from "#contract/resources/deletions.ts";
import { counted } from "#lib/text/counted.ts";
import { countWords } from "../../kit/text/words.ts";
import type { Platform } from "../../shell/platform/use-platform.ts";
import { requestNames } from "../reference-names.ts";
import type { RecordReference } from "../record-references.ts";
import type { MarkedRecord } from "./use-marks.ts";

/** Records that a question previews; for more it says that others may change with them. */
export const previewedRecords = 20;
/** Affected records that a line names. */
const namedRecords = 3;
const longestList = 100;

interface PreviewRequest {
  readonly client: Client;
  readonly platform: Platform;
  readonly tenantId: string | undefined;
  readonly objectType: string;
  readonly chosen: readonly MarkedRecord[];
  readonly signal: AbortSignal;
}

/** A record that refers to one that cannot be deleted because of it. */
export interface Blocker extends RecordReference {
  readonly property: string;
  readonly name: string;
}

/** The effects of a deletion on other records, as lines for a reader. */
export interface DeletionEffects {
  readonly lines: readonly string[];
  /** The number of chosen records that stay. */
  readonly stay: number;
  /** The references that forbid a deletion, of which those that the user may read are listed. */
  readonly blockedBy: number;
  readonly blockers: readonly Blocker[];
}

type Reference = DeletionPreview["clears"]["references"][number];

const keyOf = ({ type, id }: { readonly type: string; readonly id: string }) => `${type} ${id}`;

/** The effects of a deletion; undefined where the platform has no preview or there are too many. */
export async function deletionEffects(
  request: PreviewRequest,
): Promise<DeletionEffects | undefined> {
  const { client, tenantId, objectType, chosen, signal } = request;
  if (chosen.length > previewedRecords) return undefined;
  const records = client.useResources(objectType, { tenantId });
  const previews: DeletionPreview[] = [];
  try {
    for (const { id } of chosen) previews.push(await records.deletionOf(id, { signal }));
  } catch (error) {
    if (lacksPreview(error)) return undefined;
    throw error;
  }
  return effectsOf(request, previews);
}

/** The record may be gone too: its deletion says so. */
function lacksPreview(error: unknown): boolean {
  const status = error instanceof CatalogError ? error.status : undefined;
  return status !== undefined && [400, 404, 405, 422, 501].includes(status);
}

async function effectsOf(
  request: PreviewRequest,
  previews: readonly DeletionPreview[],
): Promise<DeletionEffects> {
  const own = new Set(request.chosen.map(({ id }) => keyOf({ type: request.objectType, id })));
  const isOther = (record: { readonly type: string; readonly id: string }) =>
    !own.has(keyOf(record));
  // A list leaves out what the user may not read: it counts, and no name is shown.
  const hidden = previews.reduce((sum, { deletes }) => {
    return sum + deletes.total - deletes.records.length;
  }, 0);
  const deleted = new Map(
    previews.flatMap(({ deletes }) =>
      deletes.records.filter(isOther).map((record) => [keyOf(record), record] as const),
    ),
  );
  const cleared = previews.flatMap(({ clears }) => clears.references.filter(isOther));
  const clears = previews.reduce((sum, each) => {
    const ofChosen = each.clears.references.filter((reference) => !isOther(reference)).length;
    return sum + each.clears.total - ofChosen;
  }, 0);
  const blocking = previews.flatMap(({ blockedBy }) => blockedBy.references.filter(isOther));
  const nameOf = await namesOf(request, [...deleted.values(), ...cleared, ...blocking]);
  const named = ({ type, id }: { readonly type: string; readonly id: string }) =>
    `${type} ${nameOf(id)}`;
  const referring = (reference: Reference) => `${reference.property} of ${named(reference)}`;
  return {
    lines: [
      ...line("also deletes", deleted.size + hidden, "record", [...deleted.values()].map(named)),
      ...line("clears", clears, "reference", cleared.map(referring)),
    ],
    stay: previews.filter(({ allowed }) => !allowed).length,
    blockedBy: previews.reduce((sum, { blockedBy }) => sum + blockedBy.total, 0),
    blockers: blocking.map(({ type, id, property }) => {
      return { objectType: type, id, property, name: nameOf(id) };
    }),
  };
}

function line(verb: string, total: number, noun: string, names: readonly string[]): string[] {
  if (total === 0) return [];
  const shown = names.slice(0, namedRecords);
  const rest = total - shown.length;
  const more = rest > 0 && shown.length > 0 ? [`${countWords(rest)} more`] : [];
  const list = [...shown, ...more].join(", ");
  return [`${verb} ${counted(total, noun)}${list === "" ? "" : `: ${list}`}`];
}

async function namesOf(
  { client, tenantId, platform, signal }: PreviewRequest,
  records: readonly { readonly type: string; readonly id: string }[],
): Promise<(id: string) => string> {
  if (records.length === 0) return (id) => id;
  const wanted = records.slice(0, longestList).map(({ type, id }) => ({ objectType: type, id }));
  const names = new Map(await requestNames(platform, { client, tenantId, wanted, signal }));
  return (id) => names.get(id) ?? id;
}
