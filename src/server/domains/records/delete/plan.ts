import type { JsonObject } from "#contract/values.ts";
import type { Reader } from "../../../database/database.ts";
import { linksOf, type CompiledType, type ReferenceRule } from "../../object-types/service.ts";
import { allKeyedRows, dataOfRow } from "../store/indexes/keyed-rows.ts";
import { countLinksTo, linksTo } from "../store/links.ts";
import type { StoredRecord } from "../store/record-types.ts";
import { recordsByIds } from "../store/records.ts";
import { dataOf } from "../record.ts";

/** Records that one deletion may delete or change besides the ones it names. */
export const maximumAffected = 1_000;
/** The limit of one transaction, because other writes wait for it. */
const maximumTotal = 5_000;

/** A record with the place of the deleted record, in the request, that it goes with. */
export interface Affected {
  readonly type: CompiledType;
  readonly record: StoredRecord;
  readonly data: JsonObject;
  readonly root: number;
}

/** References of a record that a deletion clears. */
export interface Clearing extends Affected {
  readonly rule: ReferenceRule;
  readonly targets: ReadonlySet<string>;
}

export interface Blocker {
  readonly type: CompiledType;
  readonly id: string;
  readonly path: string;
}

export interface DeletionPlan {
  /** The named records and those that cascade, in the order in which they were found. */
  readonly deleted: readonly Affected[];
  readonly cleared: readonly Clearing[];
  /** The references that forbid the deletion, by the root. */
  readonly blocked: ReadonlyMap<number, Blocked>;
  /** The roots that would delete or change too many other records. */
  readonly tooLarge: ReadonlySet<number>;
}

export interface Blocked {
  readonly total: number;
  /** The list has at most {@link maximumAffected} of them. */
  readonly blockers: readonly Blocker[];
}

interface Found extends Affected {
  readonly rule: ReferenceRule;
  readonly target: string;
}

/**
 * Everything that a deletion of these records does by the `onDelete` of references to them. `types`
 * are all types of the workspace. A record that is deleted too forbids nothing.
 */
export async function planDeletion(
  reader: Reader,
  types: readonly CompiledType[],
  roots: readonly Affected[],
): Promise<DeletionPlan> {
  const deleted = new Map(roots.map((root) => [root.record.id, root]));
  const clear: Found[] = [];
  const restrict: Found[] = [];
  const unread = new Map<number, number>();
  const size = new PlanSize();
  for (let wave: readonly Affected[] = roots; wave.length > 0;) {
    const next: Affected[] = [];
    for (const [target, nodes] of Map.groupBy(wave, ({ type }) => type)) {
      for (const { type, rule } of rulesTo(types, target.slug)) {
        const { uses, rest } = await usesOf(reader, { type, rule }, nodes);
        const [root = 0] = nodes.map((node) => node.root);
        if (rest > 0 && rule.onDelete !== "restrict") size.tooLarge.add(root);
        if (rest > 0) unread.set(root, (unread.get(root) ?? 0) + rest);
        for (const use of uses) {
          if (rule.onDelete === "restrict") restrict.push(use);
          else if (deleted.has(use.record.id) || !size.hasRoomFor(use)) continue;
          else if (rule.onDelete === "clear") clear.push(use);
          else {
            deleted.set(use.record.id, use);
            next.push(use);
          }
        }
      }
    }
    wave = next;
  }
  const stays = ({ record }: Found): boolean => !deleted.has(record.id);
  return {
    deleted: [...deleted.values()],
    cleared: clearingsOf(clear.filter(stays)),
    blocked: blockedOf(restrict.filter(stays), unread),
    tooLarge: size.tooLarge,
  };
}

/** Counts the records that deletions affect, for each of them and for all. */
class PlanSize {
  readonly tooLarge = new Set<number>();
  readonly #counts = new Map<number, number>();
  #total = 0;

  hasRoomFor({ root }: Affected): boolean {
    const count = (this.#counts.get(root) ?? 0) + 1;
    this.#counts.set(root, count);
    this.#total += 1;
    if (count > maximumAffected || this.#total > maximumTotal) this.tooLarge.add(root);
    return !this.tooLarge.has(root);
  }
}

function rulesTo(
  types: readonly CompiledType[],
  slug: string,
): { readonly type: CompiledType; readonly rule: ReferenceRule }[] {
  return types.flatMap((type) =>
    type.rules
      .filter(({ targetObjectType }) => targetObjectType === slug)
      .map((rule) => ({ type, rule })),
  );
}

/** The references to these records by a rule, and the number of those that were not read. */
async function usesOf(
  reader: Reader,
  { type, rule }: { readonly type: CompiledType; readonly rule: ReferenceRule },
  nodes: readonly Affected[],
): Promise<{ readonly uses: Found[]; readonly rest: number }> {
  const roots = new Map(nodes.map(({ record, root }) => [record.id, root]));
  const uses: Found[] = [];
  const note = (record: StoredRecord, data: JsonObject): void => {
    for (const { target } of linksOf([rule], data)) {
      const root = roots.get(target);
      if (root !== undefined) uses.push({ type, record, data, root, rule, target });
    }
  };
  const limit = maximumAffected + 1;
  if (type.stored.links_state !== "ready") {
    // The links of the type are not complete yet, so its records are read.
    const sources: string[] = [];
    for await (const row of allKeyedRows(reader, type, [])) {
      if (linksOf([rule], dataOfRow(row)).some(({ target }) => roots.has(target))) {
        sources.push(row.id);
      }
      if (sources.length === limit) break;
    }
    for (const record of (await recordsByIds(reader, type, sources)).values()) {
      note(record, dataOf(type, record));
    }
    return { uses, rest: sources.length === limit ? 1 : 0 };
  }
  const targets = [...roots.keys()];
  const links = await linksTo(reader, type, { path: rule.path, targets }, limit);
  if (links.length === 0) return { uses, rest: 0 };
  const sources = [...new Set(links.map(({ source }) => source))];
  // A link may be out of date: a write of the previous build does not change it.
  for (const record of (await recordsByIds(reader, type, sources)).values()) {
    note(record, dataOf(type, record));
  }
  if (links.length < limit) return { uses, rest: 0 };
  return { uses, rest: (await countLinksTo(reader, type, rule.path, targets)) - links.length };
}

/** One clearing for each record, path and root. */
function clearingsOf(found: readonly Found[]): Clearing[] {
  const groups = Map.groupBy(found, ({ record, rule, root }) =>
    JSON.stringify([record.id, rule.path, root]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [{ ...first, targets: new Set(group.map(({ target }) => target)) }];
  });
}

function blockedOf(
  found: readonly Found[],
  unread: ReadonlyMap<number, number>,
): ReadonlyMap<number, Blocked> {
  const blocked = new Map<number, Blocked>();
  for (const [root, uses] of Map.groupBy(found, (use) => use.root)) {
    const blockers = new Map(
      uses.map(({ type, record: { id }, rule: { path } }) => [`${id} ${path}`, { type, id, path }]),
    );
    const total = blockers.size + (unread.get(root) ?? 0);
    blocked.set(root, { total, blockers: [...blockers.values()] });
  }
  return blocked;
}
