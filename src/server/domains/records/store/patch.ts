import { sameJson } from "#lib/json/same.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { pointerNames, pointerStep } from "#lib/json/pointer.ts";
import { ownMember } from "#lib/own-member.ts";

/**
 * A change of a record's data as JSON Patch (RFC 6902) that can be reverted: before each `replace`
 * and `remove` a `test` has the old value. So history stores no whole data.
 */
export type PatchOperation =
  | { readonly op: "test" | "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/** The patch that makes `before` equal to `after`. */
export function difference(before: JsonObject, after: JsonObject): PatchOperation[] {
  const operations: PatchOperation[] = [];
  compareObjects(before, after, "", operations);
  return operations;
}

/** The patch of a deletion, with the whole data. */
export function removal(data: JsonObject): PatchOperation[] {
  return [
    { op: "test", path: "", value: data },
    { op: "remove", path: "" },
  ];
}

/** The data before a patch, from the data after it; `undefined` means no record. */
export function reverted(
  after: JsonObject | undefined,
  operations: readonly PatchOperation[],
): JsonObject | undefined {
  let data: unknown = after;
  for (const operation of operations.toReversed()) {
    // The `test` before a `replace` or `remove` has the old value.
    if (operation.op === "test") data = placed(data, pointerNames(operation.path), operation.value);
    else if (operation.op === "add") data = placed(data, pointerNames(operation.path), undefined);
  }
  return isJsonObject(data) ? data : undefined;
}

/**
 * The data with a patch reverted where its values are still those of the patch; values that were
 * changed since stay.
 */
export function revertedWhereSame(
  data: JsonObject,
  operations: readonly PatchOperation[],
): JsonObject {
  let next: unknown = data;
  for (const [index, operation] of operations.entries()) {
    const change = operations[index + 1];
    if (operation.op !== "test" || change === undefined) continue;
    const names = pointerNames(operation.path);
    const after = change.op === "replace" ? change.value : undefined;
    if (sameJson(valueAt(next, names) ?? null, after ?? null)) {
      next = placed(next, names, operation.value);
    }
  }
  return isJsonObject(next) ? next : data;
}

function valueAt(data: unknown, names: readonly string[]): unknown {
  let value = data;
  for (const name of names) value = isJsonObject(value) ? ownMember(value, name) : undefined;
  return value;
}

/** A copy with the value at this path; without the member when the value is undefined. */
function placed(data: unknown, names: readonly string[], value: unknown): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  const parent = isJsonObject(data) ? data : {};
  const inner = placed(ownMember(parent, name), rest, value);
  if (inner !== undefined) return { ...parent, [name]: inner };
  return Object.fromEntries(Object.entries(parent).filter(([other]) => other !== name));
}

/** The top-level names that a patch changes. */
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
  // A list is replaced as a whole: moves inside it are harder to read than both lists.
  operations.push({ op: "test", path, value: old }, { op: "replace", path, value });
}
