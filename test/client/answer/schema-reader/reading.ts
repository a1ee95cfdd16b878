import type * as z from "zod";
import { fallbackOf, isNamed } from "#contract/deployments.ts";
import { fallbackValue } from "#contract/plain/fallbacks.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import {
  asObject,
  defOf,
  factsOf,
  isObject,
  listSource,
  memberOf,
  type JsonObject,
  type ObjectSchema,
  type Schema,
} from "./members.ts";

/**
 * The reader of answers by the contract's schemas, to which the client's reader of plain shapes is
 * compared.
 */

type Step = string | number;

export type Reading<Value> =
  | { readonly fits: true; readonly value: Value }
  | { readonly fits: false; readonly path: readonly Step[] };

/** The value as the schema's type, or the path of the member that does not fit. */
export function readAnswer<Type extends z.ZodType>(
  schema: Type,
  answer: unknown,
): Reading<z.output<Type>> {
  const reader = new Reader();
  let value = reader.read(schema, answer, 0);
  if (isObject(schema) && isJsonObject(answer) && (value === misfit || !hasAny(schema, answer))) {
    const inner = unwrapped(schema, answer);
    if (inner !== misfit) value = inner;
  }
  if (value === misfit) return { fits: false, path: reader.path };
  // The reader has checked or replaced each member that the type requires.
  return { fits: true, value: value as z.output<Type> };
}

const misfit = Symbol("misfit");

/** True if an answer has any member of the contract. */
function hasAny(schema: ObjectSchema, answer: JsonObject): boolean {
  const names = Object.keys(schema._zod.def.shape);
  return names.some((name) => memberOf(answer, schema, name) !== undefined);
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

function unwrapped(schema: ObjectSchema, answer: JsonObject): unknown {
  for (const inner of wrapped(answer)) {
    if (!wrappers.some((name) => answer[name] === inner) && !hasAny(schema, inner)) continue;
    const value = new Reader().read(schema, inner, 0);
    if (value !== misfit) return value;
  }
  return misfit;
}

class Reader {
  /** The path of the first required member that does not fit. */
  path: readonly Step[] = [];
  readonly #at: Step[] = [];
  /** The members of the request, for an answer that may leave out every member. */
  readonly #sent: JsonObject | undefined;

  constructor(sent?: JsonObject) {
    this.#sent = sent;
  }

  read(schema: Schema, given: unknown, position: number): unknown {
    if (isObject(schema)) return this.#object(schema, given, position);
    const def = defOf(schema);
    switch (def.type) {
      case "array":
        return this.#array(def.element, given, position);
      case "record":
        return this.#record(def.valueType, given);
      case "optional": {
        if (given === undefined || given === null) return given === null ? orNull(def) : given;
        const value = this.#quietly(def.innerType, given, position);
        return value === misfit ? undefined : value;
      }
      case "nullable":
        return given === null ? null : this.read(def.innerType, given, position);
      case "default": {
        const value = this.#quietly(def.innerType, given, position);
        return value === misfit ? def.defaultValue : value;
      }
      case "union":
        return this.#union(schema, def.options, given, position);
      case "string":
        return this.#text(schema, given);
      case "number":
        return typeof given === "string" && /^-?\d+(?:\.\d+)?$/.test(given)
          ? Number(given)
          : this.#fit(typeof given === "number" && Number.isFinite(given), given);
      case "boolean":
        return given === "true" || given === "false"
          ? given === "true"
          : this.#fit(typeof given === "boolean", given);
      case "unknown":
        return given;
      default:
        return this.#strictly(schema, given);
    }
  }

  #fit(fits: boolean, given: unknown): unknown {
    if (fits) return given;
    if (this.path.length === 0) this.path = [...this.#at];
    return misfit;
  }

  /** Patterns and lengths apply to the embedded platform only; an id may be a number. */
  #text(schema: Schema, given: unknown): unknown {
    // JSON may have a number that is too large for one, which then is infinite.
    if (typeof given === "number" && !Number.isFinite(given)) return this.#fit(false, given);
    if (typeof given === "number") return isTime(schema) ? timeText(given) : String(given);
    // E.g. `roles` for the only role.
    if (Array.isArray(given) && given.length === 1) return this.#text(schema, given[0]);
    if (typeof given !== "string") return this.#fit(false, given);
    if (given === "" && isNamed(schema) && this.#sent === undefined) return this.#fit(false, given);
    const parsed = (schema as z.ZodType).safeParse(given);
    return parsed.success ? parsed.data : given;
  }

  #strictly(schema: Schema, given: unknown): unknown {
    if (Array.isArray(given) && given.length === 1) return this.#strictly(schema, given[0]);
    const parsed = (schema as z.ZodType).safeParse(given);
    return parsed.success ? parsed.data : this.#fit(false, given);
  }

  #union(schema: Schema, options: readonly Schema[], given: unknown, position: number): unknown {
    const exact = (schema as z.ZodType).safeParse(given);
    if (exact.success) return given;
    // The last option is the loosest one.
    return this.read(options.at(-1) ?? schema, given, position);
  }

  /** A part whose failure is no failure of the whole. */
  #quietly(schema: Schema, given: unknown, position: number): unknown {
    const { path } = this;
    const value = this.read(schema, given, position);
    if (value === misfit) this.path = path;
    return value;
  }

  #array(element: Schema, given: unknown, position: number): unknown {
    const listed = isJsonObject(given) ? asList(element, given) : undefined;
    if (listed !== undefined) return this.#array(element, listed, position);
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
  #record(valueType: Schema, given: unknown): unknown {
    const members = Array.isArray(given) ? byName(given) : given;
    if (!isJsonObject(members)) return this.#fit(false, given);
    if (defOf(valueType).type === "unknown") return members;
    const read: Record<string, unknown> = Object.create(null);
    let isSame = members === given;
    for (const [name, member] of Object.entries(members)) {
      const value = this.#quietly(valueType, member, 0);
      isSame &&= value === member;
      if (value !== misfit) read[name] = value;
    }
    return isSame ? members : { ...read };
  }

  #object(schema: ObjectSchema, answer: unknown, position: number): unknown {
    const given = asObject(schema, answer);
    if (given === undefined) return this.#fit(false, answer);
    const read: Record<string, unknown> = { ...given };
    let isSame = true;
    for (const [name, member] of Object.entries(schema._zod.def.shape)) {
      const sent = memberOf(given, schema, name);
      const isOptional = defOf(member).type === "optional" && fallbackOf(member) === undefined;
      if (sent === undefined && isOptional) continue;
      const value = this.#member(name, member, sent, { read, position });
      if (value === misfit) return misfit;
      if (value === given[name]) continue;
      isSame = false;
      if (value === undefined) delete read[name];
      else read[name] = value;
    }
    if (isSame) return answer === given ? answer : read;
    const source = listSource(schema, given);
    if (source !== undefined) delete read[source];
    // A list is read in the contract's envelope; a record is shown as it was sent.
    return source === undefined && given === answer ? shownAs(read, answer) : read;
  }

  #member(
    name: string,
    schema: Schema,
    sent: unknown,
    { read, position }: { readonly read: JsonObject; readonly position: number },
  ): unknown {
    const { path } = this;
    this.#at.push(name);
    let value = this.read(schema, sent, position);
    const fallback = fallbackOf(schema);
    if (value === misfit || (value === undefined && fallback !== undefined)) {
      const empty =
        fallback === undefined
          ? this.#unsent(name, schema, sent)
          : fallbackValue(fallback, read, position);
      if (empty !== undefined) {
        this.path = path;
        value = this.read(schema, empty, position);
      }
    }
    this.#at.pop();
    return value;
  }

  /** The value of a required member that was not sent, or that can't be read. */
  #unsent(name: string, schema: Schema, sent: unknown): unknown {
    if (this.#sent === undefined) return isNamed(schema) ? undefined : emptyOf(schema, sent);
    const requested = this.#at.length === 1 ? ownMember(this.#sent, name) : undefined;
    return requested ?? (defOf(schema).type === "number" ? 0 : emptyOf(schema, undefined));
  }
}

/** A list of named things may be sent as an object. */
function asList(element: Schema, given: JsonObject): readonly unknown[] | undefined {
  if (!isObject(element)) return undefined;
  const { name: text } = factsOf(element);
  const entries = Object.entries(given);
  if (text === undefined || entries.length === 0) return undefined;
  const items = entries.map(([name, value]) =>
    isJsonObject(value) ? { [text]: name, ...value } : undefined,
  );
  return items.includes(undefined) ? undefined : items;
}

function isTime(schema: Schema): boolean {
  return (schema as z.ZodType).meta()?.["format"] === "date-time";
}

/** Seconds or milliseconds since 1970 as RFC 3339. */
function timeText(time: number): string {
  const date = new Date(Math.abs(time) < 1e11 ? time * 1000 : time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString();
}

function orNull({ innerType }: { readonly innerType: z.core.$ZodType }): null | undefined {
  return defOf(innerType).type === "nullable" ? null : undefined;
}

/** The empty value of a required member that the specification does not name. */
function emptyOf(schema: Schema, sent: unknown): unknown {
  switch (defOf(schema).type) {
    case "string":
      return "";
    case "array":
      // A list with an item that can't be read is not an empty list.
      return Array.isArray(sent) ? undefined : [];
    case "record":
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
