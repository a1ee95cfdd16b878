import type { JsonObject } from "#contract/values.ts";
import type { Reader } from "../../../database/database.ts";
import type { Work } from "../../../work/work.ts";
import {
  linksOf,
  referenceRules,
  type ReferenceRule,
  type StoredObjectType,
} from "../../object-types/service.ts";
import { keyedRows } from "../store/indexes/keyed-rows.ts";
import { addLinks, linksAt, presentLinks, removeLinks, type SourcedLink } from "../store/links.ts";
import { recordsByIds } from "../store/records.ts";

/** Records or links in one transaction, so that other writes wait a few milliseconds at most. */
const batchSize = 250;

interface Row {
  readonly id: string;
  /** The record's data as JSON text. */
  readonly data: string;
}

/** References of these records that have no link. */
export async function missingLinks(
  reader: Reader,
  type: StoredObjectType,
  rows: readonly Row[],
): Promise<SourcedLink[]> {
  const rules = checkedRules(type);
  const expected = rules.length === 0 ? [] : rows.flatMap((row) => linksOfRow(rules, row));
  const stored = new Set((await presentLinks(reader, keyOf(type), expected)).map(nameOf));
  return expected.filter((link) => !stored.has(nameOf(link)));
}

/** Links whose record does not exist or has no such reference. */
export async function strayLinks(
  reader: Reader,
  type: StoredObjectType,
  links: readonly SourcedLink[],
): Promise<SourcedLink[]> {
  const sources = [...new Set(links.map(({ source }) => source))];
  const rows = [...(await recordsByIds(reader, keyOf(type), sources)).values()];
  const rules = checkedRules(type);
  const founded = new Set(rows.flatMap((row) => linksOfRow(rules, row)).map(nameOf));
  return links.filter((link) => !founded.has(nameOf(link)));
}

/** Pages of the links that the type's references have. */
export async function* linkPages(
  reader: Reader,
  type: StoredObjectType,
): AsyncGenerator<SourcedLink[], void, undefined> {
  for (const { path } of checkedRules(type)) {
    for (let last: SourcedLink | undefined = { path, target: "", source: "" }; last;) {
      const after: SourcedLink = last;
      const page = await linksAt(reader, keyOf(type), { ...after, limit: batchSize });
      if (page.length > 0) yield page;
      last = page.length < batchSize ? undefined : page.at(-1);
    }
  }
}

/** Adds the links that records lack, and removes those that no record has. */
export async function repairLinks(work: Work, type: StoredObjectType): Promise<void> {
  const key = keyOf(type);
  for (let afterId: string | undefined = ""; afterId !== undefined;) {
    const from: string = afterId;
    afterId = await work.write(async (tx) => {
      const rows = await keyedRows(tx, key, [], { afterId: from, limit: batchSize });
      await addLinks(tx, key, await missingLinks(tx, type, rows));
      return rows.at(-1)?.id;
    });
  }
  for await (const page of linkPages(work.read, type)) {
    await work.write(async (tx) => removeLinks(tx, key, await strayLinks(tx, type, page)));
  }
}

/** Links that are being made are incomplete, and a deletion reads only those of rules. */
function checkedRules(type: StoredObjectType): readonly ReferenceRule[] {
  return type.links_state === "ready" ? referenceRules(type) : [];
}

function linksOfRow(rules: readonly ReferenceRule[], { id, data }: Row): SourcedLink[] {
  const links = linksOf(rules, JSON.parse(data) as JsonObject);
  return links.map((link) => ({ ...link, source: id }));
}

function nameOf({ path, target, source }: SourcedLink): string {
  return `${path} ${target} ${source}`;
}

function keyOf({ workspace_id: workspaceId, number }: StoredObjectType) {
  return { workspaceId, number };
}
