import {
  shapeAt,
  type Form,
  type MapShape,
  type ObjectShape,
  type Shape,
} from "#contract/plain/shape.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";

/** The result of {@link plainValue} for a value that only the reader of any answer can read. */
export const unclear: unique symbol = Symbol("unclear");

/**
 * An answer that is read as it is, without a copy; an answer with any other member than the shape's
 * is unclear.
 */
export function plainValue({ shapes, place }: Form, answer: unknown): unknown {
  return new PlainValues(shapes).isPlain(place, answer) ? answer : unclear;
}

class PlainValues {
  readonly #shapes: readonly Shape[];
  /** True if a shape takes each text, by its place; undefined until it is needed. */
  readonly #freeTexts: (boolean | undefined)[] = [];

  constructor(shapes: readonly Shape[]) {
    this.#shapes = shapes;
  }

  isPlain(place: number, value: unknown): boolean {
    const shape = shapeAt(this.#shapes, place);
    // The shapes of answers have few checks, which may also change a value.
    if (shape.checks !== undefined) return false;
    switch (shape.is) {
      case "any":
        return value !== undefined;
      case "boolean":
        return typeof value === "boolean";
      case "null":
        return value === null;
      case "text":
        return typeof value === "string" && !(value === "" && shape.isNamed === true);
      case "number":
        return shape.whole === undefined ? Number.isFinite(value) : Number.isSafeInteger(value);
      case "one of":
        return (shape.values as readonly unknown[]).includes(value);
      case "optional":
        return value === undefined || this.isPlain(shape.inner, value);
      case "nullable":
        return value === null || this.isPlain(shape.inner, value);
      case "default":
        return value !== undefined && this.isPlain(shape.inner, value);
      case "either":
        return shape.options.some((option) => this.isPlain(option, value));
      case "list":
        return Array.isArray(value) && value.every((item) => this.isPlain(shape.items, item));
      case "map":
        return this.#isMap(shape, value);
      case "object":
        return this.#isObject(shape, value);
      default:
        return false;
    }
  }

  #isMap({ keys, values }: MapShape, value: unknown): boolean {
    if (!isPlainObject(value)) return false;
    // JSON has a value for each member, so only the names can be wrong.
    if (shapeAt(this.#shapes, values).is === "any" && this.#takesEachText(keys)) return true;
    return Object.entries(value).every(
      ([name, member]) => this.isPlain(values, member) && this.isPlain(keys, name),
    );
  }

  #takesEachText(place: number): boolean {
    const shape = shapeAt(this.#shapes, place);
    if (shape.is === "optional" || shape.is === "nullable") {
      return this.#takesEachText(shape.inner);
    }
    return shape.is === "text" && shape.checks === undefined && shape.isNamed !== true;
  }

  /** Each known member is read once, since a page has thousands. */
  #isObject({ members, needed = [] }: ObjectShape, value: unknown): boolean {
    if (!isPlainObject(value)) return false;
    let count = 0;
    for (const name of Object.keys(value)) {
      const place = ownMember(members, name);
      if (place === undefined) return false;
      const member = value[name];
      // Most members are any text. A command reads few answers, so calls are slow here.
      const isFree = (this.#freeTexts[place] ??= this.#takesEachText(place));
      const isRead = isFree && typeof member === "string";
      if (!isRead && !this.isPlain(place, member)) return false;
      count += 1;
    }
    const names = Object.keys(members);
    if (names.length === count) return true;
    const isMissing = (name: string): boolean =>
      !Object.hasOwn(value, name) && !this.isPlain(members[name] ?? -1, undefined);
    const lacksNeeded = needed.some((name) => !Object.hasOwn(value, name));
    return !lacksNeeded && !names.some(isMissing);
  }
}

/** Other objects, e.g. instances of a class, may have members that are no data. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isJsonObject(value) || Object.hasOwn(value, "__proto__")) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
