import type { NumberShape, ObjectShape, Shape } from "./shape.ts";

/** Shapes as texts; see {@link ShapeReader}. */
export interface ShapeTexts {
  /** The parts of each route, by domain: a line for each route, in their order. */
  readonly parts: Readonly<Record<string, string>>;
  /** Shapes that others name by their number, one a line. */
  readonly entries: string;
  /** Values that the texts name by their number. */
  readonly values: readonly unknown[];
  /** The text for {@link commonSign}. */
  readonly common: string;
}

/** The sign in place of the members that every list has. */
export const commonSign = "%";

const leaves: Readonly<Record<string, Shape>> = {
  s: { is: "text" },
  d: { is: "text", isTime: true },
  n: { is: "number" },
  i: { is: "number", whole: "goes on" } satisfies NumberShape,
  e: { is: "number", whole: "ends" } satisfies NumberShape,
  b: { is: "boolean" },
  a: { is: "any" },
  z: { is: "null" },
};

const others: Readonly<Record<string, ObjectShape["others"]>> = {
  "+": "kept",
  "!": "refused",
  "-": "dropped",
};

/**
 * Reads shapes from their texts when they are first used. A text is a code, then its parts: `?` and
 * `~` an optional and a nullable shape, `*` a list, `.` a named value, `+(a,b:s)` an object whose
 * `a` is an optional text and `b` a text. A number names an entry, or a value after `@` (names),
 * `&` (marks), `|` (choices), `=` (a default) and `c` (a change).
 */
export class ShapeReader {
  readonly shapes: Shape[] = [];
  readonly #entries: string[] = [];
  readonly #values: unknown[] = [];
  readonly #ofEntries: (number | undefined)[] = [];
  readonly #ofLeaves = new Map<string, number>();
  #common = "";
  #text = "";
  #at = 0;

  /** Adds texts whose numbers go on from those before. */
  add({ entries, values, common }: ShapeTexts): void {
    this.#common = common;
    if (entries !== "") this.#entries.push(...entries.split("\n"));
    this.#values.push(...values);
  }

  /** The place of the shape that a text describes. */
  placeOf(text: string): number {
    const [outer, at] = [this.#text, this.#at];
    this.#text = text.replaceAll(commonSign, this.#common);
    this.#at = 0;
    const place = this.#place();
    this.#text = outer;
    this.#at = at;
    return place;
  }

  #place(): number {
    const code = this.#text[this.#at] ?? "";
    if (code >= "0" && code <= "9") return this.#placeOfEntry(this.#number());
    this.#at += 1;
    const leaf = leaves[code];
    if (leaf === undefined) return this.shapes.push(this.#shape(code)) - 1;
    const known = this.#ofLeaves.get(code);
    if (known !== undefined) return known;
    const place = this.shapes.push(leaf) - 1;
    this.#ofLeaves.set(code, place);
    return place;
  }

  #placeOfEntry(number: number): number {
    const known = this.#ofEntries[number];
    if (known !== undefined) return known;
    // A shape may contain itself.
    const place = this.shapes.push({ is: "any" }) - 1;
    this.#ofEntries[number] = place;
    const made = this.placeOf(this.#entries[number] ?? "");
    this.shapes[place] = this.#shapeAt(made);
    return place;
  }

  #shapeAt(place: number): Shape {
    return this.shapes[place] ?? { is: "any" };
  }

  #shape(code: string): Shape {
    const kind = others[code];
    if (kind !== undefined) return { is: "object", members: this.#members(), others: kind };
    switch (code) {
      case "?":
        return { is: "optional", inner: this.#place() };
      case "~":
        return { is: "nullable", inner: this.#place() };
      case "*":
        return { is: "list", items: this.#place() };
      case ".":
        return { ...this.#shapeAt(this.#place()), isNamed: true };
      case "@": {
        const names = this.#value() as readonly string[];
        return { ...this.#shapeAt(this.#place()), names };
      }
      case "&": {
        const marks = this.#value() as object;
        return { ...this.#shapeAt(this.#place()), ...marks };
      }
      case "|":
        return { is: "one of", values: this.#value() as readonly string[] };
      case "=":
        return { is: "default", value: this.#value(), inner: this.#place() };
      case "{":
        return { is: "map", keys: this.#place(), values: this.#place() };
      case "/":
        return { is: "either", options: this.#places() };
      case "t":
        return { is: "tuple", parts: this.#places() };
      case ">":
        return { is: "then", first: this.#place(), next: this.#place() };
      case "c":
        return { is: "changed", by: this.#value() as "text" };
      default:
        throw new TypeError(`The contract has no shape ${this.#text}`);
    }
  }

  /** A number, with the comma that ends it. */
  #number(): number {
    const [digits = ""] = /^\d*/.exec(this.#text.slice(this.#at)) ?? [];
    this.#at += digits.length;
    this.#skip(",");
    return Number(digits);
  }

  #value(): unknown {
    return this.#values[this.#number()];
  }

  #skip(sign: string): boolean {
    const found = this.#text[this.#at] === sign;
    if (found) this.#at += 1;
    return found;
  }

  #places(): readonly number[] {
    const places: number[] = [];
    while (!this.#skip(")")) places.push(this.#place());
    return places;
  }

  #members(): Readonly<Record<string, number>> {
    const members: Record<string, number> = {};
    this.#skip("(");
    while (!this.#skip(")")) {
      const [name = ""] = /^[\w$-]*/.exec(this.#text.slice(this.#at, this.#at + 100)) ?? [];
      this.#at += name.length;
      const isUsual = this.#skip(",") || this.#text[this.#at] === ")";
      if (!isUsual) this.#skip(":");
      members[name] = isUsual ? this.#usual() : this.#place();
      this.#skip(",");
    }
    return members;
  }

  /** The place of an optional text. */
  #usual(): number {
    const known = this.#ofLeaves.get("?s");
    if (known !== undefined) return known;
    const place = this.placeOf("?s");
    this.#ofLeaves.set("?s", place);
    return place;
  }
}
