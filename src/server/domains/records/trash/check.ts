import type { JsonObject } from "#contract/values.ts";
import { sameJson } from "#lib/json/same.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { keysOf } from "../../../fields/slots.ts";
import { linksOf, type CompiledType } from "../../object-types/service.ts";
import { releaseFiles, restoreFile, type KeptFile } from "../store/record-files.ts";
import { presentIds, takenKeys } from "../store/records.ts";
import { checkedKeeping } from "../write/merged-data.ts";
import type { RestoreConflict } from "./conflicts.ts";

/** A record that is restored, with the data that it gets. */
export interface Restoring {
  readonly type: CompiledType;
  readonly id: string;
  readonly data: JsonObject;
}

/** The data of an old state, checked under the current type; names that it lacks now stay. */
export function checkedState(
  { type, id, data: state }: Restoring,
  conflicts: RestoreConflict[],
): JsonObject {
  const files = fileNames(type);
  const given = Object.fromEntries(Object.entries(state).filter(([name]) => !files.includes(name)));
  const options = { isCreation: false, base: [], stored: state };
  const { data, faults } = checkedKeeping(type, given, options);
  for (const { pointer, detail } of faults) {
    conflicts.push({ type: type.slug, id, property: pointer, reason: "invalid", detail });
  }
  return data;
}

/** Adds a conflict for each unique value that another record has. */
export async function checkUnique(
  reader: Reader,
  records: readonly Restoring[],
  conflicts: RestoreConflict[],
): Promise<void> {
  for (const [type, ofType] of Map.groupBy(records, (record) => record.type)) {
    for (const [at, column] of type.columns.entries()) {
      if (column.slot.kind !== "unique") continue;
      const keyed = ofType.flatMap(({ id, data }) => {
        const key = keysOf(type.columns, data)[at];
        return key === null || key === undefined ? [] : [{ id, key: String(key) }];
      });
      const keys = keyed.map(({ key }) => key);
      const taken = await takenKeys(reader, type, column, keys);
      for (const { id, key } of keyed) {
        const holder = taken.get(key);
        if (holder === undefined || holder === id) continue;
        conflicts.push({
          type: type.slug,
          id,
          property: column.slot.property,
          reason: "value-taken",
          detail: `is the value of record ${holder}, and must be unique`,
        });
      }
    }
  }
}

/** Adds a conflict for each reference with an `onDelete` whose target does not exist. */
export async function checkTargets(
  writer: Writer,
  types: readonly CompiledType[],
  records: readonly Restoring[],
  conflicts: RestoreConflict[],
): Promise<void> {
  const restored = new Set(records.map(({ id }) => id));
  for (const [type, ofType] of Map.groupBy(records, (record) => record.type)) {
    for (const rule of type.rules) {
      const target = types.find(({ slug }) => slug === rule.targetObjectType);
      const links = ofType
        .flatMap(({ id, data }) => linksOf([rule], data).map((link) => ({ ...link, id })))
        .filter((link) => !restored.has(link.target));
      if (links.length === 0) continue;
      const ids = [...new Set(links.map((link) => link.target))];
      const present =
        target === undefined ? new Set<string>() : await presentIds(writer, target, ids);
      for (const link of links) {
        if (present.has(link.target)) continue;
        conflicts.push({
          type: type.slug,
          id: link.id,
          property: rule.path,
          reason: "target-missing",
          detail: `refers to ${rule.targetObjectType} ${link.target}, which does not exist`,
        });
      }
    }
  }
}

/** Gives a record the kept files of its state; those that it has now are kept in turn. */
export async function restoreFiles(
  writer: Writer,
  { type, id, data }: Restoring,
  current: JsonObject,
  given: {
    readonly kept: KeptFile;
    readonly now: string;
    readonly conflicts: RestoreConflict[];
  },
): Promise<void> {
  for (const property of fileNames(type)) {
    const wanted = ownMember(data, property);
    if (!isJsonObject(wanted) || sameJson(wanted, ownMember(current, property))) continue;
    await releaseFiles(writer, type.workspaceId, id, [property], given.kept);
    const sha256 = String(wanted["sha256"]);
    if (await restoreFile(writer, type, { id, property, sha256 }, given.now)) continue;
    const detail = "had a file whose bytes are no longer kept";
    const reason = "file-missing";
    given.conflicts.push({ type: type.slug, id, property, reason, detail });
  }
}

function fileNames({ properties }: CompiledType): string[] {
  return Object.keys(properties).filter((name) => properties[name]?.type === "file");
}
