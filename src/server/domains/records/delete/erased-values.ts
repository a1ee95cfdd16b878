import type { Reader } from "../../../database/database.ts";
import { pointerNames } from "#lib/json/pointer.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { notedWords } from "../../../text/search/searched-texts.ts";
import { writesAfter } from "../store/erased-records.ts";
import type { PatchOperation } from "../store/patch.ts";

/** The values of erased records that other places may quote. */
export interface ErasedValues {
  readonly words: Set<string>;
  /** Their texts, numbers and booleans, each as {@link namedValue}. */
  readonly values: Set<string>;
}

const writesAtATime = 200;

/** A value of a property, as the path of an upsert names it. */
export function namedValue(property: string, text: string): string {
  return `${property}\n${text}`;
}

/** Adds all values that a record has and had, by its history. */
export async function addValues(
  reader: Reader,
  workspaceId: string,
  id: string,
  into: ErasedValues,
): Promise<void> {
  for (let after = 0; ;) {
    const writes = await writesAfter(reader, workspaceId, id, after, writesAtATime);
    for (const { changes } of writes) {
      // Only the platform writes the column.
      const patch = changes === null ? [] : (JSON.parse(changes) as PatchOperation[]);
      for (const operation of patch) {
        if (operation.op !== "remove") add(into, pointerNames(operation.path), operation.value);
      }
    }
    after = Number(writes.at(-1)?.version ?? after);
    if (writes.length < writesAtATime) return;
  }
}

function add(into: ErasedValues, path: readonly string[], value: unknown): void {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) add(into, [...path, String(index)], each);
  } else if (isJsonObject(value)) {
    for (const [name, each] of Object.entries(value)) add(into, [...path, name], each);
  } else if (value !== null && value !== undefined) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (path.length === 1) into.values.add(namedValue(path[0] ?? "", text));
    if (typeof value === "string") for (const word of notedWords(text)) into.words.add(word);
  }
}
