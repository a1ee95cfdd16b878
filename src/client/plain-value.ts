import { shapes } from "#contract/route-table.ts";
import type {
  ListShape,
  NumberShape,
  ObjectShape,
  Shape,
  TextShape,
} from "#contract/plain/shape.ts";
import { isJsonObject } from "#lib/json-value.ts";

/** What `plainValue` returns for a value about which only the schema can decide. */
export const unclear: unique symbol = Symbol("unclear");

/**
 * `sent`: a part of a request, which is returned as the schema would return it. `received`: an
 * answer that is read as it is; an answer with any other member than the shape's is unclear.
 */
export type Direction = "sent" | "received";

/** The value as its schema returns it, without the schema. */
export function plainValue(
  place: number | undefined,
  value: unknown,
  direction: Direction,
): unknown {
  const shape = place === undefined ? undefined : shapes[place];
  return shape === undefined ? unclear : plain(shape, value, direction);
}

function plain(shape: Shape, value: unknown, direction: Direction): unknown {
  switch (shape.is) {
    case "any":
      return value === undefined ? unclear : value;
    case "boolean":
      return typeof value === "boolean" ? value : unclear;
    case "text":
      return isText(shape, value, direction) ? value : unclear;
    case "number":
      return isNumber(shape, value) ? value : unclear;
    case "one of":
      return shape.values.includes(value) ? value : unclear;
    case "optional":
      return value === undefined ? value : plainValue(shape.inner, value, direction);
    case "nullable":
      return value === null ? value : plainValue(shape.inner, value, direction);
    case "default":
      if (value !== undefined) return plainValue(shape.inner, value, direction);
      return direction === "sent" ? shape.value : unclear;
    case "either":
      return firstOf(shape.options, value, direction);
    case "list":
      return listOf(shape, value, direction);
    case "map":
      return mapOf(shape, value, direction);
    case "object":
      return objectOf(shape, value, direction);
    case "schema only":
      return unclear;
  }
}

interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

function isWithin({ least = -Infinity, most = Infinity }: Bounds, size: number): boolean {
  return size >= least && size <= most;
}

function isNumber(shape: NumberShape, value: unknown): boolean {
  if (typeof value !== "number" || !Number.isFinite(value)) return false;
  return (shape.isWhole !== true || Number.isSafeInteger(value)) && isWithin(shape, value);
}

const patterns = new WeakMap<TextShape, readonly RegExp[]>();

function isText(shape: TextShape, value: unknown, direction: Direction): boolean {
  if (typeof value !== "string" || !isWithin(shape, value.length)) return false;
  if (value === "" && shape.isNamed === true && direction === "received") return false;
  if (shape.edits?.includes("lower case") === true && value !== value.toLowerCase()) return false;
  if (shape.edits?.includes("trimmed") === true && value !== value.trim()) return false;
  if (shape.patterns === undefined) return true;
  const known = patterns.get(shape);
  const made = known ?? shape.patterns.map(([source, flags]) => new RegExp(source, flags));
  if (known === undefined) patterns.set(shape, made);
  return made.every((pattern) => pattern.test(value));
}

function firstOf(options: readonly number[], value: unknown, direction: Direction): unknown {
  for (const option of options) {
    const found = plainValue(option, value, direction);
    if (found !== unclear) return found;
  }
  return unclear;
}

function listOf(shape: ListShape, value: unknown, direction: Direction): unknown {
  if (!Array.isArray(value) || !isWithin(shape, value.length)) return unclear;
  const items: unknown[] = [];
  for (const item of value) {
    const found = plainValue(shape.items, item, direction);
    if (found === unclear) return unclear;
    items.push(found);
  }
  return direction === "sent" ? items : value;
}

/** Other objects, e.g. instances of a class, may have members that are no data. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isJsonObject(value) || Object.hasOwn(value, "__proto__")) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function mapOf(
  { names, values }: Extract<Shape, { readonly is: "map" }>,
  value: unknown,
  direction: Direction,
): unknown {
  if (!isPlainObject(value)) return unclear;
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const found = plainValue(values, member, direction);
    if (found === unclear || plainValue(names, name, direction) === unclear) return unclear;
    members[name] = found;
  }
  return direction === "sent" ? members : value;
}

function objectOf(shape: ObjectShape, value: unknown, direction: Direction): unknown {
  if (!isPlainObject(value)) return unclear;
  const others = Object.keys(value).filter((name) => !Object.hasOwn(shape.members, name));
  const takesOthers = direction === "sent" && shape.others === "kept";
  if (others.length > 0 && !takesOthers) return unclear;
  const members: Record<string, unknown> = {};
  for (const [name, place] of Object.entries(shape.members)) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === undefined && shape.isWhole === true && direction === "received") return unclear;
    const found = plainValue(place, member, direction);
    if (found === unclear) return unclear;
    if (found !== undefined) members[name] = found;
  }
  if (direction === "received") return value;
  for (const name of others) members[name] = value[name];
  return members;
}
