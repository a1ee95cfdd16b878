import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import type { CheckedRecord } from "#contract/object-types/record.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { invalid } from "../../kit/faults.ts";
import type { TextPieces } from "../../kit/lists/json-text.ts";
import { TickShare } from "../../kit/turns/tick-share.ts";
import type { StoredRecord } from "./store/record-types.ts";
import type { CompiledType, ReadableType } from "../object-types/service.ts";

/** Bytes of one record's data as JSON. */
const maximumRecordBytes = 1024 * 1024;
/** Ids of other records in one record. */
const maximumReferences = 1_000;

/** Checked data whose faults are shown without the names that the caller may not know. */
export interface ShownRecord extends CheckedRecord {
  readonly shown?: (fault: Fault) => Fault;
}

/** A record's whole data, its names in the definition's order. */
export function dataOf(type: CompiledType, record: Pick<StoredRecord, "data">): JsonObject {
  // Only the platform writes the column, and only objects.
  return type.inOrder(JSON.parse(record.data) as JsonObject);
}

export function resourceOf(type: ReadableType, record: StoredRecord): Resource {
  return {
    id: record.id,
    type: type.slug,
    version: record.version,
    data: dataOf(type, record),
    created_at: record.created_at,
    updated_at: record.updated_at,
    created_by: record.created_by,
    updated_by: record.updated_by,
  };
}

/** {@link resourceOf} for the records of a page, which are parsed in parts of ticks. */
export async function parsedRecords(
  type: ReadableType,
  records: readonly StoredRecord[],
): Promise<{ readonly type: ReadableType; readonly item: Resource }[]> {
  const ticks = new TickShare(type.workspaceId);
  const parsed: { type: ReadableType; item: Resource }[] = [];
  for (const record of records) {
    await ticks.yieldWhenUsed();
    parsed.push({ type, item: resourceOf(type, record) });
  }
  return parsed;
}

/** The JSON text of {@link resourceOf}, made without parsing the data. */
export function resourceText(type: ReadableType, record: StoredRecord): string {
  return recordText(type, record, type.dataText(record.data));
}

/** {@link resourceText} of a record whose data is already in the definition's order. */
export function writtenText(type: ReadableType, record: StoredRecord): string {
  return recordText(type, record, type.isPartial ? type.dataText(record.data) : record.data);
}

function recordText(type: ReadableType, record: StoredRecord, data: string): string {
  return headOf(record, quoted(type.slug)) + data + tailOf(record);
}

/**
 * Adds the JSON text of a list's records with shown data. `more` returns the text of a record's
 * further members, with a comma before each.
 */
export function addResources(
  pieces: TextPieces,
  type: ReadableType,
  records: readonly StoredRecord[],
  more?: (index: number) => string,
): void {
  const slug = quoted(type.slug);
  for (let index = 0; index < records.length; index += 1) {
    const record = records[index];
    if (record === undefined) continue;
    if (index > 0) pieces.add(",");
    pieces.add(headOf(record, slug));
    pieces.add(record.data);
    const tail = tailOf(record);
    pieces.add(more === undefined ? tail : `${tail.slice(0, -1)}${more(index)}}`);
  }
}

/** The text before a record's data in its JSON text; the platform made the id. */
function headOf({ id, version }: StoredRecord, slug: string): string {
  return `{"id":"${id}","type":${slug},"version":${version},"data":`;
}

/** The text after the data; times need no escaping. */
function tailOf({ created_at, updated_at, created_by, updated_by }: StoredRecord): string {
  const creator = quoted(created_by);
  const writer = updated_by === created_by ? creator : quoted(updated_by);
  return `,"created_at":"${created_at}","updated_at":"${updated_at}","created_by":${creator},"updated_by":${writer}}`;
}

function quoted(text: string): string {
  return plainText.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Text that needs no escaping in JSON. */
const plainText = /^[\w .:@/+-]*$/;

/**
 * The body of a creation is the data. `{ "data": { … } }` alone is unwrapped: in a batch always
 * (spec 2.3), else unless the type has a property of that name. `base` is the place of the data,
 * for pointers.
 */
export function unwrapped(
  type: CompiledType,
  body: JsonObject,
  isItem: boolean,
): { data: JsonObject; base: readonly string[] } {
  const { data } = body;
  const isWrapped = Object.keys(body).length === 1 && isJsonObject(data);
  const isOwn =
    !isItem &&
    (Object.hasOwn(type.properties, "data") || type.linkTypes.some(({ name }) => name === "data"));
  return isWrapped && !isOwn ? { data, base: ["data"] } : { data: body, base: [] };
}

/** The data's JSON text, or 422 with every fault, or 413. */
export function textOf(checked: ShownRecord, base: readonly (string | number)[]): string {
  if (checked.faults.length > 0) {
    const { faults, shown } = checked;
    throw invalid(shown === undefined ? faults : faults.map(shown));
  }
  if (checked.references.length > maximumReferences) {
    throw invalid([
      { pointer: pointer(...base), detail: `refers to more than ${maximumReferences} records` },
    ]);
  }
  const text = JSON.stringify(checked.data);
  // A UTF-16 unit is at most three bytes of UTF-8: most records need no counting.
  if (text.length * 3 > maximumRecordBytes) {
    const bytes = Buffer.byteLength(text);
    if (bytes > maximumRecordBytes) {
      throw new Refusal("content-too-large", {
        detail: `Cannot store this record: it has ${bytes} bytes, and ${maximumRecordBytes} is the limit`,
      });
    }
  }
  return text;
}

/** 409 for a unique value that another record has. */
export function duplicateAt(
  place: string,
  detail = "is already the value of another record, and must be unique",
): Refusal {
  const fault: Fault = { pointer: place, detail };
  return new Refusal("already-exists", {
    detail: `Cannot store this record: ${fault.pointer} ${fault.detail}`,
    errors: [fault],
  });
}

/** 409 for a change that was made from another version, with the fields that changed since. */
export function versionConflict(currentVersion: number, changedFields: string[]): Refusal {
  const fields = changedFields.length === 0 ? "" : `: ${changedFields.join(", ")} changed`;
  return new Refusal("version-conflict", {
    detail: `Cannot change this record: its current version is ${currentVersion}${fields}`,
    members: { currentVersion, changedFields },
  });
}
