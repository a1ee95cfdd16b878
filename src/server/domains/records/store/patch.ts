import { sameJson } from "#lib/same-json.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json-value.ts";
import { pointerNames, pointerStep } from "#lib/json-pointer.ts";
import { ownMember } from "#lib/own-member.ts";

/**
 * The changes between two states of a record's data as JSON Patch (RFC 6902) that can be read both
 * ways: before each `replace` and `remove` a `test` says what was there, so that the older state
 * follows from the newer one and no state has to be kept whole.
 */
export type PatchOperation =
  | { readonly op: "test" | "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/** What makes one data the other, as a JSON Patch (RFC 6902) that tests what it replaces. */
export function difference(before: JsonObject, after: JsonObject): PatchOperation[] {
  const operations: PatchOperation[] = [];
  compareObjects(before, after, "", operations);
  return operations;
}

/** The removal of everything: the data as it stood, for whoever wants it back. */
export function removal(data: JsonObject): PatchOperation[] {
  return [
    { op: "test", path: "", value: data },
    { op: "remove", path: "" },
  ];
}

/** The data before a patch, from the data after it; `undefined` stands for no record at all. */
export function reverted(
  after: JsonObject | undefined,
  operations: readonly PatchOperation[],
): JsonObject | undefined {
  let data: unknown = after;
  for (const operation of operations.toReversed()) {
    // What a `replace` or `remove` took away stands in the `test` before it.
    if (operation.op === "test") data = placed(data, pointerNames(operation.path), operation.value);
    else if (operation.op === "add") data = placed(data, pointerNames(operation.path), undefined);
  }
  return isJsonObject(data) ? data : undefined;
}

/** A copy with the value at the place that the names lead to; without it when it is undefined. */
function placed(data: unknown, names: readonly string[], value: unknown): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  const parent = isJsonObject(data) ? data : {};
  const inner = placed(ownMember(parent, name), rest, value);
  if (inner !== undefined) return { ...parent, [name]: inner };
  return Object.fromEntries(Object.entries(parent).filter(([other]) => other !== name));
}

/** The names directly below the data that a patch changes. */
export function changedNames(operations: readonly PatchOperation[]): string[] {
  const names = operations
    .filter(({ op, path }) => op !== "test" && path !== "")
    .map(({ path }) => pointerNames(path)[0] ?? "");
  return [...new Set(names)];
}

function compareObjects(
  before: JsonObject,
  after: JsonObject,
  path: string,
  operations: PatchOperation[],
): void {
  for (const [name, old] of Object.entries(before)) {
    const here = `${path}/${pointerStep(name)}`;
    if (Object.hasOwn(after, name)) compareValues(old, after[name], here, operations);
    else operations.push({ op: "test", path: here, value: old }, { op: "remove", path: here });
  }
  for (const [name, value] of Object.entries(after)) {
    if (Object.hasOwn(before, name)) continue;
    operations.push({ op: "add", path: `${path}/${pointerStep(name)}`, value });
  }
}

function compareValues(
  old: unknown,
  value: unknown,
  path: string,
  operations: PatchOperation[],
): void {
  if (sameJson(old, value)) return;
  if (isJsonObject(old) && isJsonObject(value)) return compareObjects(old, value, path, operations);
  // A list is replaced as a whole: moves inside it would read worse than both lists.
  operations.push({ op: "test", path, value: old }, { op: "replace", path, value });
}
