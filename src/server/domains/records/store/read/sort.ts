import type { Collation } from "#contract/resources/reads/collation.ts";
import { defaultSort } from "#contract/resources/resources.ts";
import { ascending, descending } from "../../../../database/dialect.ts";
import { byDialect, join, raw, statement, type Statement } from "../../../../database/statement.ts";
import { idOrder, placeOf } from "../record-numbers.ts";
import { noNumber, noText, slotColumn, textKey, type Slot } from "../../../../fields/slots.ts";
import { slotOrderKey, textOrderKey } from "../text-order.ts";
import {
  fieldAt,
  notAProperty,
  containersOf,
  holdsGeometries,
  type Field,
  type FieldSource,
  type Container,
} from "../../../../fields/path-fields.ts";
import { textOrderVersion } from "../../../../text/order/folded-text.ts";
import { nodeAt } from "../../where/compile-where.ts";
import type { Condition, Near } from "../../../../database/where/condition.ts";
import { asDouble } from "../../../../database/where/compile-columns.ts";
import { distanceTo } from "../../../../database/where/geo.ts";
import { JsonNode } from "../../../../database/where/json-node.ts";

/** A value that a record is sorted by; null for none. Flags are 0 and 1. */
export type SortValue = string | number | null;

export interface SortKey {
  readonly name: string;
  readonly isDescending: boolean;
  /** The path in the data; undefined for a system field. */
  readonly path?: readonly string[];
  /** With a slot it is never null. */
  readonly expression: Statement;
  readonly slot?: Slot;
  /** True if its values are keys of texts in the order of people. */
  readonly isCollated: boolean;
  readonly kind: "text" | "number" | "flag";
  /** The record's id, which is unique and in the order of creation. */
  readonly isId: boolean;
  readonly mayBeNull: boolean;
  /** The filter whose distance is the key. */
  readonly nearness?: Nearness;
}

export type ParsedSort =
  | { readonly keys: readonly SortKey[]; readonly fault?: undefined }
  | { readonly fault: string };

/**
 * Parses `-created_at,name`. Records without a value come first, or last when descending. The id
 * ends every order, in the direction of the key before it.
 */
export function parseSort(
  text: string,
  source: FieldSource,
  collation: Collation = "text",
): ParsedSort {
  const keys: SortKey[] = [];
  let isDescending = false;
  for (const part of text.split(",")) {
    isDescending = part.startsWith("-");
    const name = isDescending ? part.slice(1) : part;
    const key = keyOf(name, isDescending, source, collation);
    if (typeof key === "string") return { fault: key };
    if (keys.some((known) => known.name === key.name)) continue;
    keys.push(key);
    if (key.isId) return { keys };
  }
  return { keys: [...keys, idKey(isDescending)] };
}

/**
 * The requested order of a list; else the nearest first for a `$near` filter, as in MongoDB; else
 * the newest first (spec 2.3).
 */
export function parseOrder(
  sort: string | undefined,
  source: FieldSource,
  condition: Condition | undefined,
  collation: Collation | undefined,
): ParsedSort {
  if (sort === undefined && condition === undefined) return newestFirst;
  const nearness = sort === undefined ? nearnessOf(condition) : undefined;
  if (nearness !== undefined) return { keys: nearestFirst(source, nearness) };
  return parseSort(sort ?? defaultSort, source, collation);
}

/** The order of {@link defaultSort}, of a system field that each type has. */
const newestFirst: ParsedSort = { keys: [idKey(true)] };

/** The order of creation, which is the order of ids. */
export function creationOrder(isDescending = false): readonly SortKey[] {
  return [idKey(isDescending)];
}

/** The nearest first; the filter requires a position near enough. */
function nearestFirst(source: FieldSource, nearness: Nearness): readonly SortKey[] {
  const distance: SortKey = {
    name: "$near",
    isDescending: false,
    expression: metresTo(source, nearness),
    kind: "number",
    isId: false,
    isCollated: false,
    mayBeNull: false,
    nearness,
  };
  return [distance, idKey(false)];
}

function idKey(isDescending: boolean): SortKey {
  return {
    name: "id",
    isDescending,
    expression: idOrder,
    kind: "text",
    isId: true,
    isCollated: false,
    mayBeNull: false,
  };
}

function keyOf(
  name: string,
  isDescending: boolean,
  source: FieldSource,
  collation: Collation,
): SortKey | string {
  const field = declaredField(source, name.split("."));
  const common = { name, isDescending, isId: false, isCollated: false, mayBeNull: false };
  if (field.kind === "column") {
    // Ids are made from the time of creation: the order is the same, and it has an index.
    if (field.column === "id" || field.column === "created_at") return idKey(isDescending);
    const kind = field.valueKind;
    return { ...common, expression: raw(`resources.${field.column}`), kind };
  }
  const [first = ""] = field.path;
  if (!Object.hasOwn(source.properties, first)) return notAProperty(name);
  if (field.kind === "open") return `"${name}" has no order: it is not one plain value`;
  const isCollated = collation === "text" && field.isRead;
  const slot = field.slots.find((candidate) => candidate.kind !== "unique");
  if (slot !== undefined) {
    const expression = isCollated ? slotOrderKey(slot) : raw(`resources.${slotColumn(slot)}`);
    return { ...common, path: field.path, expression, slot, isCollated, kind: field.valueKind };
  }
  const node = nodeAt(field.path);
  const expression =
    field.valueKind === "text"
      ? isCollated
        ? textOrderKey(node.asText())
        : node.asText()
      : field.valueKind === "number"
        ? node.asNumber()
        : node.asFlag();
  const { path, valueKind: kind } = field;
  return { ...common, path, expression, isCollated, kind, mayBeNull: true };
}

/** The key with its direction and the version of its order, for the cursors of a list. */
export function nameOfKey({ name, isDescending, isCollated }: SortKey): string {
  return `${isDescending ? "-" : ""}${name}${isCollated ? `~${textOrderVersion}` : ""}`;
}

/** The field by the current definition: a list of an earlier one has no value in the order. */
function declaredField(source: FieldSource, path: readonly string[]): Field {
  const field = fieldAt(source, path);
  if (field.kind !== "open" || source.mayHoldLists.size === 0) return field;
  return fieldAt({ properties: source.properties, slots: [], mayHoldLists: new Set() }, path);
}

export function orderBy(keys: readonly SortKey[]): Statement {
  return join(
    keys.map((key) => {
      if (!key.mayBeNull) {
        return statement`${key.expression}${raw(key.isDescending ? " desc" : " asc")}`;
      }
      return key.isDescending ? descending(key.expression) : ascending(key.expression);
    }),
  );
}

/** The value that {@link orderBy} sorted a row by, from the selected expression. */
export function sortValue(key: SortKey, selected: unknown): SortValue {
  if (key.slot === undefined) {
    return typeof selected === "string" || typeof selected === "number" ? selected : null;
  }
  if (typeof selected === "number") return selected === noNumber ? null : selected;
  if (typeof selected !== "string" || selected === noText) return null;
  const text = selected.slice(1);
  return key.kind === "flag" ? Number(text === "true") : text;
}

export function isAfter(keys: readonly SortKey[], values: readonly SortValue[]): Statement {
  const bound = keys.map((key, index) => boundValue(key, values[index] ?? null));
  const [first] = keys;
  const isUniform = keys.every((key) => !key.mayBeNull && key.isDescending === first?.isDescending);
  if (isUniform) {
    const operator = raw(first?.isDescending === true ? " < " : " > ");
    const left = join(keys.map((key) => key.expression));
    return statement`(${left})${operator}(${join(bound)})`;
  }
  // A record comes after another one by the first column that differs.
  const alternatives = keys.map((key, index) =>
    join(
      [
        ...keys.slice(0, index).map((before, at) => isEqual(before, bound[at], values[at] ?? null)),
        isBehind(key, bound[index], values[index] ?? null),
      ],
      " and ",
    ),
  );
  return statement`(${join(alternatives, " or ")})`;
}

/** The opposite, for an order with one direction and no nulls. */
export function isUpTo(keys: readonly SortKey[], values: readonly SortValue[]): Statement {
  const operator = raw(keys[0]?.isDescending === true ? " >= " : " <= ");
  const bound = keys.map((key, index) => boundValue(key, values[index] ?? null));
  return statement`(${join(keys.map((key) => key.expression))})${operator}(${join(bound)})`;
}

function boundValue(key: SortKey, value: SortValue): Statement {
  if (key.slot !== undefined) {
    if (key.slot.kind === "number") return asDouble(typeof value === "number" ? value : noNumber);
    if (value === null) return statement`${noText}`;
    return statement`${textKey(key.kind === "flag" ? value === 1 : String(value))}`;
  }
  if (key.isId) return placeOf(String(value));
  if (typeof value !== "number") return statement`${value}`;
  return key.kind === "flag" || key.name === "version" ? statement`${value}` : asDouble(value);
}

function isEqual(key: SortKey, bound: Statement | undefined, value: SortValue): Statement {
  if (value === null && key.slot === undefined) return statement`${key.expression} is null`;
  return statement`${key.expression} = ${bound ?? null}`;
}

function isBehind(key: SortKey, bound: Statement | undefined, value: SortValue): Statement {
  const { expression, isDescending } = key;
  if (!key.mayBeNull) {
    return statement`${expression}${raw(isDescending ? " < " : " > ")}${bound ?? null}`;
  }
  if (value === null) {
    return isDescending ? raw("1 = 0") : statement`${expression} is not null`;
  }
  return isDescending
    ? statement`(${expression} < ${bound ?? null} or ${expression} is null)`
    : statement`${expression} > ${bound ?? null}`;
}

/** The key of a slot with an index that has this order. */
export function orderSlot(
  keys: readonly SortKey[],
): { readonly slot: Slot; readonly isCollated: boolean } | undefined {
  const [first, second, ...more] = keys;
  if (first?.slot === undefined || second?.isId !== true || more.length > 0) return undefined;
  return first.isDescending === second.isDescending
    ? { slot: first.slot, isCollated: first.isCollated }
    : undefined;
}

/** The index that SQLite must use, or none; PostgreSQL chooses by its statistics. */
export function usingIndex(name: string | undefined): Statement {
  const words = name === undefined ? " not indexed" : ` indexed by ${name}`;
  return byDialect({ sqlite: raw(words), postgresql: raw("") });
}

/** The position that all matching records are near, and the field with their positions. */
export interface Nearness {
  readonly path: readonly string[];
  readonly near: Near;
}

/**
 * The first `$near` that every record must pass. One inside `$or`, `$nor` or `$not`, where MongoDB
 * allows none, only filters.
 */
function nearnessOf(condition: Condition | undefined): Nearness | undefined {
  if (condition === undefined) return undefined;
  if (condition.kind === "field") {
    const { path, test } = condition;
    return test.kind === "near" ? { path, near: test.near } : undefined;
  }
  if (condition.kind !== "and") return undefined;
  for (const part of condition.conditions) {
    const found = nearnessOf(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Metres to the nearest of a field's points, those in lists included. */
function metresTo(source: FieldSource, { path, near }: Nearness): Statement {
  const field = fieldAt(source, path);
  if (field.kind === "column") return statement`null`;
  const values = holdsGeometries(source, path) ? "geometries" : "points";
  const distanceOf = (node: JsonNode): Statement => distanceTo(node, near, values);
  let aliases = 0;
  const leastOfItems = (node: JsonNode, value: (item: JsonNode) => Statement): Statement => {
    aliases += 1;
    return node.leastOfItems(`near${aliases}`, value);
  };
  const ofPath = (
    node: JsonNode,
    names: readonly string[],
    containers: readonly Container[],
  ): Statement => {
    const [name, ...rest] = names;
    if (name === undefined) {
      const among = leastOfItems(node, distanceOf);
      return statement`coalesce(${distanceOf(node)}, ${among})`;
    }
    const [container, ...restContainers] = containers;
    const inObject = ofPath(node.member(name), rest, restContainers);
    if (container === "object") return inObject;
    const inItems = leastOfItems(node, (item) => ofPath(item.member(name), rest, restContainers));
    return container === "list" ? inItems : statement`coalesce(${inObject}, ${inItems})`;
  };
  const [first = "", ...rest] = field.path;
  const node = JsonNode.column("resources.data").member(first);
  return ofPath(node, rest, containersOf(source, field.path));
}
