import { changes, holds } from "#contract/plain/rules.ts";
import {
  shapeAt,
  type Check,
  type EitherShape,
  type Form,
  type ListShape,
  type MapShape,
  type NumberShape,
  type ObjectShape,
  type OneOfShape,
  type Shape,
} from "#contract/plain/shape.ts";
import type { SchemaIssue } from "#contract/schema-faults.ts";
import { isJsonObject } from "#lib/json/value.ts";

/** An issue after which checks of the same value may go on. */
interface Issue extends SchemaIssue {
  readonly continue?: boolean;
}

export type Outcome =
  | { readonly fits: true; readonly value: unknown }
  | { readonly fits: false; readonly issues: readonly SchemaIssue[] };

/** The value as the platform's schema returns it, or the issues that the schema reports. */
export function checkedValue({ shapes, place }: Form, given: unknown): Outcome {
  return checkedBy(shapes, shapeAt(shapes, place), given);
}

export function checkedBy(shapes: readonly Shape[], shape: Shape, given: unknown): Outcome {
  const check = new ValueCheck(shapes);
  const value = check.readBy(shape, given);
  return check.issues.length === 0 ? { fits: true, value } : { fits: false, issues: check.issues };
}

/** Checks one value by its shape; issues and their order are those of the schema. */
class ValueCheck {
  readonly issues: Issue[] = [];
  readonly #shapes: readonly Shape[];
  readonly #path: (string | number)[] = [];

  constructor(shapes: readonly Shape[]) {
    this.#shapes = shapes;
  }

  read(place: number, given: unknown): unknown {
    return this.readBy(shapeAt(this.#shapes, place), given);
  }

  readBy(shape: Shape, given: unknown): unknown {
    const start = this.issues.length;
    const value = this.#plain(shape, given, start);
    return shape.checks === undefined ? value : this.#checked(shape, shape.checks, value, start);
  }

  /** True if an issue since `start` leaves nothing to check. */
  isOver(start = 0): boolean {
    return this.issues.slice(start).some((issue) => issue.continue !== true);
  }

  #plain(shape: Shape, given: unknown, start: number): unknown {
    switch (shape.is) {
      case "any":
        return given;
      case "text":
        return this.#typed("string", typeof given === "string", given);
      case "boolean":
        return this.#typed("boolean", typeof given === "boolean", given);
      case "null":
        return this.#typed("null", given === null, given);
      case "number":
        return this.#number(shape, given);
      case "one of":
        return this.#oneOf(shape, given);
      case "optional":
        if (given === undefined && shapeAt(this.#shapes, shape.inner).is !== "default")
          return given;
        return this.read(shape.inner, given);
      case "nullable":
        return given === null ? given : this.read(shape.inner, given);
      case "default":
        return given === undefined ? shape.value : this.read(shape.inner, given);
      case "either":
        return shape.by === undefined
          ? this.#either(shape.options, given)
          : this.#selected(shape, shape.by, given);
      case "list":
        return this.#list(shape, given);
      case "tuple":
        return this.#tuple(shape.parts, given);
      case "map":
        return this.#map(shape, given);
      case "object":
        return this.#object(shape, given);
      case "changed":
        return changes[shape.by](given as never);
      case "then": {
        const first = this.read(shape.first, given);
        return this.issues.length > start ? first : this.read(shape.next, first);
      }
    }
  }

  #issue(issue: Partial<Issue> & Pick<Issue, "code">, path: readonly PropertyKey[] = []): void {
    this.issues.push({ message: "", ...issue, path: [...this.#path, ...path] });
  }

  #typed(expected: string, fits: boolean, given: unknown): unknown {
    if (!fits) {
      const message = given === undefined ? "received undefined" : "";
      this.#issue({ code: "invalid_type", expected, message });
    }
    return given;
  }

  #at(step: string | number, place: number, given: unknown): unknown {
    this.#path.push(step);
    const value = this.read(place, given);
    this.#path.pop();
    return value;
  }

  #number({ whole }: NumberShape, given: unknown): unknown {
    if (typeof given !== "number" || !Number.isFinite(given)) {
      return this.#typed("number", false, given);
    }
    if (whole === undefined || Number.isSafeInteger(given)) return given;
    if (!Number.isInteger(given)) {
      this.#issue({ code: "invalid_type", expected: "int", continue: false });
      return given;
    }
    const bound =
      given > 0
        ? { code: "too_big", maximum: Number.MAX_SAFE_INTEGER }
        : { code: "too_small", minimum: Number.MIN_SAFE_INTEGER };
    this.#issue({ ...bound, origin: "int", continue: whole === "goes on" });
    return given;
  }

  #oneOf({ values }: OneOfShape, given: unknown): unknown {
    const known: readonly unknown[] = values;
    if (!known.includes(given)) this.#issue({ code: "invalid_value", values });
    return given;
  }

  #either(options: readonly number[], given: unknown): unknown {
    const results: { readonly value: unknown; readonly check: ValueCheck }[] = [];
    for (const option of options) {
      const check = new ValueCheck(this.#shapes);
      const value = check.read(option, given);
      if (check.issues.length === 0) return value;
      results.push({ value, check });
    }
    const [meant, ...others] = results.filter(({ check }) => !check.isOver());
    if (meant === undefined || others.length > 0) {
      this.#issue({ code: "invalid_union", errors: results.map(({ check }) => check.issues) });
      return given;
    }
    for (const issue of meant.check.issues) this.#issue(issue, issue.path);
    return meant.value;
  }

  /** The option of the member's literal value. */
  #selected({ options }: EitherShape, by: string, given: unknown): unknown {
    if (!isJsonObject(given)) return this.#typed("object", false, given);
    const known = options.map((option) => [option, this.#literals(option, by)] as const);
    const found = known.find(([, values]) => values.includes(given[by]));
    if (found !== undefined) return this.read(found[0], given);
    const values = known.flatMap(([, ofOption]) => ofOption);
    this.#issue({ code: "invalid_union", errors: [], options: values }, [by]);
    return given;
  }

  #literals(option: number, name: string): readonly unknown[] {
    const shape = shapeAt(this.#shapes, option);
    const place = shape.is === "object" ? shape.members[name] : undefined;
    const member = place === undefined ? undefined : shapeAt(this.#shapes, place);
    return member?.is === "one of" ? member.values : [];
  }

  #list({ items, checks }: ListShape & Pick<Shape, "checks">, given: unknown): unknown {
    if (!Array.isArray(given)) return this.#typed("array", false, given);
    const cap = checks?.find((check) => "most" in check && given.length > check.most);
    if (cap !== undefined && "most" in cap) {
      // The items of a list that is too long are not read.
      this.#issue({ code: "too_big", maximum: cap.most, origin: "array", continue: false });
      return given;
    }
    return given.map((item: unknown, index) => this.#at(index, items, item));
  }

  #tuple(parts: readonly number[], given: unknown): unknown {
    if (!Array.isArray(given)) return this.#typed("tuple", false, given);
    const size = { minimum: parts.length, maximum: parts.length, origin: "array" };
    if (given.length < parts.length) {
      this.#issue({ code: "too_small", ...size });
      return given;
    }
    if (given.length > parts.length) this.#issue({ code: "too_big", ...size });
    const items: readonly unknown[] = given;
    return parts.map((place, index) => this.#at(index, place, items[index]));
  }

  #map({ keys, values }: MapShape, given: unknown): unknown {
    if (!isPlainObject(given)) return this.#typed("record", false, given);
    const read: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(given)) {
      if (name === "__proto__") continue;
      const check = new ValueCheck(this.#shapes);
      const key = check.read(keys, name);
      if (check.issues.length > 0) {
        this.#issue({ code: "invalid_key", issues: check.issues }, [name]);
      } else {
        read[String(key)] = this.#at(name, values, member);
      }
    }
    return read;
  }

  #object({ members, others }: ObjectShape, given: unknown): unknown {
    if (!isJsonObject(given)) return this.#typed("object", false, given);
    const read: Record<string, unknown> = {};
    for (const [name, place] of Object.entries(members)) {
      const isPresent = name in given;
      if (!isPresent && shapeAt(this.#shapes, place).is === "any") {
        this.#path.push(name);
        this.#typed("nonoptional", false, undefined);
        this.#path.pop();
        continue;
      }
      const value = this.#at(name, place, given[name]);
      if (value !== undefined) read[name] = value;
    }
    const more = Object.keys(given).filter((name) => !Object.hasOwn(members, name));
    if (others === "refused" && more.length > 0) {
      this.#issue({ code: "unrecognized_keys", keys: more, continue: true });
    }
    if (others === "kept") {
      for (const name of more) if (name !== "__proto__") read[name] = given[name];
    }
    return read;
  }

  #checked(shape: Shape, checks: readonly Check[], given: unknown, start: number): unknown {
    let value = given;
    let isOver = this.isOver(start);
    for (const check of checks) {
      const count = this.issues.length;
      if ("least" in check || "most" in check) {
        const size = shape.is === "number" ? undefined : lengthOf(value);
        // A length is checked also for a value of another type that has one.
        const isKnown = size === undefined ? !isOver : !this.#isEnded(start);
        if (isKnown) this.#size(check, size ?? Number(value), originOf(value));
      } else if (isOver) {
        continue;
      } else if ("edit" in check) {
        const text = String(value);
        value = check.edit === "trimmed" ? text.trim() : text.toLowerCase();
      } else if ("pattern" in check) {
        const pattern = patternOf(check);
        if (!pattern.test(String(value))) {
          const { detail, ends } = check;
          const message = detail ?? `Invalid string: must match pattern ${pattern}`;
          this.#issue({ code: "invalid_format", message, continue: ends !== true });
        }
      } else if (!holds(check.rule, value)) {
        const { detail: message, ends, path } = check;
        this.#issue({ code: "custom", message, continue: ends !== true }, path);
      }
      isOver ||= this.isOver(count);
    }
    return value;
  }

  #isEnded(start: number): boolean {
    return this.issues.slice(start).some((issue) => issue.continue === false);
  }

  #size(bound: { least: number } | { most: number }, size: number, origin: string): void {
    if ("least" in bound) {
      if (size >= bound.least) return;
      this.#issue({ code: "too_small", minimum: bound.least, origin, continue: true });
    } else if (size > bound.most) {
      this.#issue({ code: "too_big", maximum: bound.most, origin, continue: true });
    }
  }
}

/** The length of a text in code points, or of a list; undefined for other values. */
function lengthOf(value: unknown): number | undefined {
  if (typeof value === "string") {
    return value.length - (value.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
  }
  return Array.isArray(value) ? value.length : undefined;
}

function originOf(value: unknown): string {
  if (typeof value === "string" || typeof value === "number") return typeof value;
  return Array.isArray(value) ? "array" : "unknown";
}

const patterns = new WeakMap<object, RegExp>();

/** The expression of a check, compiled once. */
function patternOf(check: { readonly pattern: string; readonly flags?: string }): RegExp {
  const known = patterns.get(check);
  if (known !== undefined) return known;
  const made = new RegExp(check.pattern, check.flags);
  patterns.set(check, made);
  return made;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isJsonObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === null ||
    (typeof prototype === "object" && Object.hasOwn(prototype, "isPrototypeOf"))
  );
}
