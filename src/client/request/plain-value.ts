import type {
  ListShape,
  NumberShape,
  ObjectShape,
  Shape,
  TextShape,
} from "#contract/plain/shape.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";

/** The result of `PlainValues` for a value about which only the schema can decide. */
export const unclear: unique symbol = Symbol("unclear");

/**
 * `sent`: a part of a request, which is returned as the schema would return it. `received`: an
 * answer that is read as it is; an answer with any other member than the shape's is unclear.
 */
export type Direction = "sent" | "received";

/** Reads values by the shapes of one domain. */
export class PlainValues {
  readonly #shapes: readonly Shape[];
  readonly #direction: Direction;
  /** True if a shape takes each text, by its place; undefined until it is needed. */
  readonly #freeTexts: (boolean | undefined)[] = [];

  constructor(shapes: readonly Shape[], direction: Direction) {
    this.#shapes = shapes;
    this.#direction = direction;
  }

  /** The value as its schema returns it, without the schema; `place` is that of its shape. */
  read(place: number | undefined, value: unknown): unknown {
    const shape = place === undefined ? undefined : this.#shapes[place];
    return shape === undefined ? unclear : this.#plain(shape, value);
  }

  #plain(shape: Shape, value: unknown): unknown {
    switch (shape.is) {
      case "any":
        return value === undefined ? unclear : value;
      case "boolean":
        return typeof value === "boolean" ? value : unclear;
      case "text":
        return isText(shape, value, this.#direction) ? value : unclear;
      case "number":
        return isNumber(shape, value) ? value : unclear;
      case "one of":
        return shape.values.includes(value) ? value : unclear;
      case "optional":
        return value === undefined ? value : this.read(shape.inner, value);
      case "nullable":
        return value === null ? value : this.read(shape.inner, value);
      case "default":
        if (value !== undefined) return this.read(shape.inner, value);
        return this.#direction === "sent" ? shape.value : unclear;
      case "either":
        return this.#either(shape.options, value);
      case "list":
        return this.#list(shape, value);
      case "map":
        return this.#map(shape, value);
      case "object":
        return this.#object(shape, value);
      case "schema only":
        return unclear;
    }
  }

  #either(options: readonly number[], value: unknown): unknown {
    for (const option of options) {
      const found = this.read(option, value);
      if (found !== unclear) return found;
    }
    return unclear;
  }

  #list(shape: ListShape, value: unknown): unknown {
    if (!Array.isArray(value) || !isWithin(shape, value.length)) return unclear;
    const items: unknown[] = [];
    for (const item of value) {
      const found = this.read(shape.items, item);
      if (found === unclear) return unclear;
      if (this.#direction === "sent") items.push(found);
    }
    return this.#direction === "sent" ? items : value;
  }

  #map({ names, values }: Extract<Shape, { readonly is: "map" }>, value: unknown): unknown {
    if (!isPlainObject(value)) return unclear;
    if (this.#direction === "received" && this.#shapes[values]?.is === "any") {
      // JSON has a value for each member, so only the names can be wrong.
      if (this.#takesEachText(names)) return value;
    }
    const members: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value)) {
      const found = this.read(values, member);
      if (found === unclear || this.read(names, name) === unclear) return unclear;
      members[name] = found;
    }
    return this.#direction === "sent" ? members : value;
  }

  #takesEachText(place: number): boolean {
    const shape = this.#shapes[place];
    if (shape?.is === "optional" || shape?.is === "nullable") {
      return this.#takesEachText(shape.inner);
    }
    return shape?.is === "text" && Object.keys(shape).length === 1;
  }

  #object(shape: ObjectShape, value: unknown): unknown {
    if (!isPlainObject(value)) return unclear;
    return this.#direction === "sent" ? this.#sent(shape, value) : this.#received(shape, value);
  }

  #sent({ members, others }: ObjectShape, value: JsonObject): unknown {
    const sent: Record<string, unknown> = {};
    for (const [name, place] of Object.entries(members)) {
      const found = this.read(place, ownMember(value, name));
      if (found === unclear) return unclear;
      if (found !== undefined) sent[name] = found;
    }
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(members, name)) continue;
      // A schema drops a member without a value, unless it refuses each name that it does not know.
      if (others === "refused" || (others === "dropped" && value[name] !== undefined)) {
        return unclear;
      }
      sent[name] = value[name];
    }
    return sent;
  }

  /** Each known member is read once, since a page has thousands. */
  #received({ members, needed = [] }: ObjectShape, value: JsonObject): unknown {
    let count = 0;
    for (const name of Object.keys(value)) {
      const place = ownMember(members, name);
      if (place === undefined) return unclear;
      const member = value[name];
      // Most members are any text. A command reads few answers, so calls are slow here.
      const isFree = (this.#freeTexts[place] ??= this.#takesEachText(place));
      const isRead = isFree && typeof member === "string";
      if (!isRead && this.read(place, member) === unclear) return unclear;
      count += 1;
    }
    const names = Object.keys(members);
    if (names.length === count) return value;
    const isMissing = (name: string): boolean =>
      !Object.hasOwn(value, name) && this.read(members[name], undefined) === unclear;
    const lacksNeeded = needed.some((name) => !Object.hasOwn(value, name));
    return lacksNeeded || names.some(isMissing) ? unclear : value;
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

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

/** Other objects, e.g. instances of a class, may have members that are no data. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isJsonObject(value) || Object.hasOwn(value, "__proto__")) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
