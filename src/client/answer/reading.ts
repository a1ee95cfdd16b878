import { fallbackValue } from "#contract/plain/fallbacks.ts";
import {
  shapeAt,
  type Form,
  type MapShape,
  type ObjectShape,
  type Shape,
  type TextShape,
} from "#contract/plain/shape.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import { checkedBy } from "../request/checked-value.ts";
import {
  asObject,
  factsOf,
  listSource,
  memberOf,
  type JsonObject,
  type Shapes,
} from "./members.ts";

/**
 * Reads an answer of any deployment as the contract's type. Only members that the specification
 * names are required (`named` in the contract). Any other member that is missing or has another
 * type is left out, or empty if the type requires it. Unknown members are kept, and
 * `JSON.stringify` of a record gives what was sent.
 */

type Step = string | number;

export type Reading =
  | { readonly fits: true; readonly value: unknown }
  | { readonly fits: false; readonly path: readonly Step[] };

/** The value as the shape's type, or the path of the member that does not fit. */
export function readAnswer({ shapes, place }: Form, answer: unknown): Reading {
  const reader = new Reader(shapes);
  const shape = shapeAt(shapes, place);
  let value = reader.read(shape, answer, 0);
  if (shape.is === "object" && isJsonObject(answer)) {
    const says = value !== misfit && hasAny(shapes, shape, answer);
    const inner = says ? misfit : unwrapped(shapes, shape, answer);
    if (inner !== misfit) value = inner;
  }
  // The reader has checked or replaced each member that the type requires.
  return value === misfit ? { fits: false, path: reader.path } : { fits: true, value };
}

/**
 * The value of an answer that need not say anything: a member that it leaves out is the sent one of
 * the same name, or empty. `JSON.stringify` of an object gives what the platform sent.
 */
export function readUnstated({ shapes, place }: Form, answer: unknown, sent: JsonObject): unknown {
  const shape = shapeAt(shapes, place);
  const given = isJsonObject(answer)
    ? shape.is === "object"
      ? innerOf(shapes, shape, answer)
      : answer
    : {};
  const value = new Reader(shapes, sent).read(shape, given, 0);
  return value === misfit ? undefined : value;
}

/** The wrapped part of an answer that has any member of the contract. */
function innerOf(shapes: Shapes, shape: ObjectShape, answer: JsonObject): JsonObject {
  if (hasAny(shapes, shape, answer)) return answer;
  const inner = wrapped(answer).find((each) => hasAny(shapes, shape, each));
  return inner ?? answer;
}

/** True if an answer has any member of the contract, also inside a wrapper. */
export function saysAnything({ shapes, place }: Form, answer: unknown): boolean {
  const shape = shapeAt(shapes, place);
  if (shape.is !== "object") return answer !== undefined;
  if (Array.isArray(answer)) return true;
  if (!isJsonObject(answer)) return false;
  return [answer, ...wrapped(answer)].some((each) => hasAny(shapes, shape, each));
}

const misfit = Symbol("misfit");

/** True if an answer's shape names a member. */
export function hasMember(form: Form | undefined, name: string): boolean {
  if (form === undefined) return false;
  const shape = shapeAt(form.shapes, form.place);
  return shape.is === "object" && Object.hasOwn(shape.members, name);
}

/** True if an answer has any member of the contract. */
function hasAny(shapes: Shapes, shape: ObjectShape, answer: JsonObject): boolean {
  const names = Object.keys(shape.members);
  return names.some((name) => memberOf(shapes, shape, answer, name) !== undefined);
}

/** Members in which deployments wrap an answer. */
const wrappers = ["data", "result", "item", "resource", "record", "document", "job", "value"];

/** The objects in an answer, those of the known wrappers first. */
function wrapped(answer: JsonObject): JsonObject[] {
  const isFull = (value: unknown): value is JsonObject =>
    isJsonObject(value) && Object.keys(value).length > 0;
  const known = wrappers.map((name) => ownMember(answer, name)).filter(isFull);
  const others = Object.values(answer).filter(isFull);
  return [...known, ...others.filter((value) => !known.includes(value))];
}

function unwrapped(shapes: Shapes, shape: ObjectShape, answer: JsonObject): unknown {
  for (const inner of wrapped(answer)) {
    const isKnown = wrappers.some((name) => answer[name] === inner);
    if (!isKnown && !hasAny(shapes, shape, inner)) continue;
    const value = new Reader(shapes).read(shape, inner, 0);
    if (value !== misfit) return value;
  }
  return misfit;
}

class Reader {
  /** The path of the first required member that does not fit. */
  path: readonly Step[] = [];
  readonly #at: Step[] = [];
  readonly #shapes: Shapes;
  /** The members of the request, for an answer that may leave out every member. */
  readonly #sent: JsonObject | undefined;

  constructor(shapes: Shapes, sent?: JsonObject) {
    this.#shapes = shapes;
    this.#sent = sent;
  }

  read(shape: Shape, given: unknown, position: number): unknown {
    switch (shape.is) {
      case "object":
        return this.#object(shape, given, position);
      case "list":
        return this.#list(this.#part(shape.items), given, position);
      case "map":
        return this.#map(shape, given);
      case "optional": {
        const inner = this.#part(shape.inner);
        if (given === undefined) return given;
        if (given === null) return inner.is === "nullable" ? null : undefined;
        const value = this.#quietly(inner, given, position);
        return value === misfit ? undefined : value;
      }
      case "nullable":
        return given === null ? null : this.read(this.#part(shape.inner), given, position);
      case "default": {
        const value = this.#quietly(this.#part(shape.inner), given, position);
        return value === misfit ? shape.value : value;
      }
      case "either":
        return this.#either(shape, shape.options, given, position);
      case "text":
        return this.#text(shape, given);
      case "number":
        return typeof given === "string" && /^-?\d+(?:\.\d+)?$/.test(given)
          ? Number(given)
          : this.#fit(typeof given === "number" && Number.isFinite(given), given);
      case "boolean":
        return given === "true" || given === "false"
          ? given === "true"
          : this.#fit(typeof given === "boolean", given);
      case "any":
        return given;
      default:
        return this.#strictly(shape, given);
    }
  }

  #part(place: number): Shape {
    return shapeAt(this.#shapes, place);
  }

  #fit(fits: boolean, given: unknown): unknown {
    if (fits) return given;
    if (this.path.length === 0) this.path = [...this.#at];
    return misfit;
  }

  /** Patterns and lengths apply to the embedded platform only; an id may be a number. */
  #text(shape: Shape & TextShape, given: unknown): unknown {
    // JSON may have a number that is too large for one, which then is infinite.
    if (typeof given === "number" && !Number.isFinite(given)) return this.#fit(false, given);
    if (typeof given === "number") return shape.isTime === true ? timeText(given) : String(given);
    // E.g. `roles` for the only role.
    if (Array.isArray(given) && given.length === 1) return this.#text(shape, given[0]);
    if (typeof given !== "string") return this.#fit(false, given);
    if (given === "" && shape.isNamed === true && this.#sent === undefined) {
      return this.#fit(false, given);
    }
    if (shape.checks === undefined) return given;
    const outcome = checkedBy(this.#shapes, shape, given);
    return outcome.fits ? outcome.value : given;
  }

  #strictly(shape: Shape, given: unknown): unknown {
    if (Array.isArray(given) && given.length === 1) return this.#strictly(shape, given[0]);
    const outcome = checkedBy(this.#shapes, shape, given);
    return outcome.fits ? outcome.value : this.#fit(false, given);
  }

  #either(shape: Shape, options: readonly number[], given: unknown, position: number): unknown {
    if (checkedBy(this.#shapes, shape, given).fits) return given;
    // The last option is the loosest one.
    return this.read(this.#part(options.at(-1) ?? -1), given, position);
  }

  /** A part whose failure is no failure of the whole. */
  #quietly(shape: Shape, given: unknown, position: number): unknown {
    const { path } = this;
    const value = this.read(shape, given, position);
    if (value === misfit) this.path = path;
    return value;
  }

  #list(element: Shape, given: unknown, position: number): unknown {
    const listed = isJsonObject(given) ? asList(this.#shapes, element, given) : undefined;
    if (listed !== undefined) return this.#list(element, listed, position);
    if (!Array.isArray(given)) return this.#fit(false, given);
    const items: unknown[] = [];
    let isSame = true;
    for (const [index, item] of given.entries()) {
      this.#at.push(index);
      const value = this.read(element, item, index);
      this.#at.pop();
      if (value === misfit) return misfit;
      isSame &&= value === item;
      items.push(value);
    }
    return isSame ? given : items;
  }

  /** A list of named things is also a record of them. */
  #map({ values }: MapShape, given: unknown): unknown {
    const members = Array.isArray(given) ? byName(given) : given;
    if (!isJsonObject(members)) return this.#fit(false, given);
    const shape = this.#part(values);
    if (shape.is === "any") return members;
    const read: Record<string, unknown> = Object.create(null);
    let isSame = members === given;
    for (const [name, member] of Object.entries(members)) {
      const value = this.#quietly(shape, member, 0);
      isSame &&= value === member;
      if (value !== misfit) read[name] = value;
    }
    return isSame ? members : { ...read };
  }

  #object(shape: ObjectShape, answer: unknown, position: number): unknown {
    const given = asObject(this.#shapes, shape, answer);
    if (given === undefined) return this.#fit(false, answer);
    const read: Record<string, unknown> = { ...given };
    let isSame = true;
    for (const [name, place] of Object.entries(shape.members)) {
      const member = this.#part(place);
      const sent = memberOf(this.#shapes, shape, given, name);
      if (sent === undefined && member.is === "optional" && member.fallback === undefined) continue;
      const value = this.#member(name, member, sent, { read, position });
      if (value === misfit) return misfit;
      if (value === given[name]) continue;
      isSame = false;
      if (value === undefined) delete read[name];
      else read[name] = value;
    }
    if (isSame) return answer === given ? answer : read;
    const source = listSource(this.#shapes, shape, given);
    if (source !== undefined) delete read[source];
    // A list is read in the contract's envelope; a record is shown as it was sent.
    return source === undefined && given === answer ? shownAs(read, answer) : read;
  }

  #member(
    name: string,
    shape: Shape,
    sent: unknown,
    { read, position }: { readonly read: JsonObject; readonly position: number },
  ): unknown {
    const { path } = this;
    this.#at.push(name);
    let value = this.read(shape, sent, position);
    const { fallback } = shape;
    if (value === misfit || (value === undefined && fallback !== undefined)) {
      const empty =
        fallback === undefined
          ? this.#unsent(name, shape, sent)
          : fallbackValue(fallback, read, position);
      if (empty !== undefined) {
        this.path = path;
        value = this.read(shape, empty, position);
      }
    }
    this.#at.pop();
    return value;
  }

  /** The value of a required member that was not sent, or that can't be read. */
  #unsent(name: string, shape: Shape, sent: unknown): unknown {
    if (this.#sent === undefined) return shape.isNamed === true ? undefined : emptyOf(shape, sent);
    const requested = this.#at.length === 1 ? ownMember(this.#sent, name) : undefined;
    return requested ?? (shape.is === "number" ? 0 : emptyOf(shape, undefined));
  }
}

/** A list of named things may be sent as an object. */
function asList(shapes: Shapes, element: Shape, given: JsonObject): readonly unknown[] | undefined {
  if (element.is !== "object") return undefined;
  const { name: text } = factsOf(shapes, element);
  const entries = Object.entries(given);
  if (text === undefined || entries.length === 0) return undefined;
  const items = entries.map(([name, value]) =>
    isJsonObject(value) ? { [text]: name, ...value } : undefined,
  );
  return items.includes(undefined) ? undefined : items;
}

/** Seconds or milliseconds since 1970 as RFC 3339. */
function timeText(time: number): string {
  const date = new Date(Math.abs(time) < 1e11 ? time * 1000 : time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString();
}

/** The empty value of a required member that the specification does not name. */
function emptyOf(shape: Shape, sent: unknown): unknown {
  switch (shape.is) {
    case "text":
      return "";
    case "list":
      // A list with an item that can't be read is not an empty list.
      return Array.isArray(sent) ? undefined : [];
    case "map":
    case "object":
      return {};
    default:
      return undefined;
  }
}

function byName(items: readonly unknown[]): JsonObject | undefined {
  const entries = items.map((item) => {
    const name = isJsonObject(item) ? item["name"] : undefined;
    return typeof name === "string" ? ([name, item] as const) : undefined;
  });
  const named = entries.filter((entry) => entry !== undefined);
  return named.length === items.length ? Object.fromEntries(named) : undefined;
}

/** The value, which `JSON.stringify` writes as it was sent. */
function shownAs(value: object, sent: unknown): object {
  return Object.defineProperty(value, "toJSON", { value: () => sent, enumerable: false });
}
