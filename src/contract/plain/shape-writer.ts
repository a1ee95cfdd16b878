import { shapeAt, type ObjectShape, type Shape } from "./shape.ts";
import type { ShapeTexts } from "./shape-reader.ts";

/** Longest text of a shape that is written again in each place that uses it. */
const repeatedLength = 14;

const signs = { kept: "+", refused: "!", dropped: "-" } as const satisfies Record<
  ObjectShape["others"],
  string
>;

/** Writes shapes as the texts that {@link ShapeReader} reads. */
export class ShapeWriter {
  readonly #shapes: readonly Shape[];
  /** The number of places that use a shape. */
  readonly #uses: readonly number[];
  readonly #entries: string[] = [];
  readonly #values: string[] = [];
  readonly #numbers = new Map<number, number>();
  readonly #numbersByText = new Map<string, number>();
  readonly #open = new Set<number>();
  #written = { entries: 0, values: 0 };

  constructor(shapes: readonly Shape[], roots: readonly number[]) {
    this.#shapes = shapes;
    const uses: number[] = shapes.map(() => 0);
    for (const place of [...roots, ...shapes.flatMap(partsOf)])
      uses[place] = (uses[place] ?? 0) + 1;
    this.#uses = uses;
  }

  /** The text of a shape: a number if it has an entry. */
  textOf(place: number): string {
    const number = this.#numbers.get(place);
    if (number !== undefined) return `${number},`;
    if (this.#open.has(place)) {
      const reserved = this.#entries.push("") - 1;
      this.#numbers.set(place, reserved);
      return `${reserved},`;
    }
    this.#open.add(place);
    const text = this.#textOf(shapeAt(this.#shapes, place));
    this.#open.delete(place);
    const reserved = this.#numbers.get(place);
    if (reserved !== undefined) this.#entries[reserved] = text;
    else if ((this.#uses[place] ?? 0) <= 1 || text.length <= repeatedLength) return text;
    const made = reserved ?? this.#numbersByText.get(text) ?? this.#entries.push(text) - 1;
    this.#numbers.set(place, made);
    this.#numbersByText.set(text, made);
    return `${made},`;
  }

  /** The entries and values since the last call, with these parts of routes. */
  take(parts: Readonly<Record<string, string>>): Omit<ShapeTexts, "common"> {
    const { entries, values } = this.#written;
    this.#written = { entries: this.#entries.length, values: this.#values.length };
    return {
      parts,
      entries: this.#entries.slice(entries).join("\n"),
      values: this.#values.slice(values).map((text): unknown => JSON.parse(text)),
    };
  }

  #textOf({ checks, isNamed, names, fallback, ...shape }: Shape): string {
    const more = shape.is === "object" ? shape.needed : undefined;
    const by = shape.is === "either" ? shape.by : undefined;
    const marks = { checks, fallback, needed: more, by };
    const text = this.#plainText(shape);
    const called = names === undefined ? text : `@${this.#value(names)}${text}`;
    const named = isNamed === true ? `.${called}` : called;
    const hasMarks = Object.values(marks).some((mark) => mark !== undefined);
    return hasMarks ? `&${this.#value(marks)}${named}` : named;
  }

  #plainText(shape: Shape): string {
    switch (shape.is) {
      case "text":
        return shape.isTime === true ? "d" : "s";
      case "number":
        return shape.whole === undefined ? "n" : shape.whole === "ends" ? "e" : "i";
      case "boolean":
        return "b";
      case "any":
        return "a";
      case "null":
        return "z";
      case "one of":
        return `|${this.#value(shape.values)}`;
      case "optional":
        return `?${this.textOf(shape.inner)}`;
      case "nullable":
        return `~${this.textOf(shape.inner)}`;
      case "list":
        return `*${this.textOf(shape.items)}`;
      case "default":
        return `=${this.#value(shape.value)}${this.textOf(shape.inner)}`;
      case "map":
        return `{${this.textOf(shape.keys)}${this.textOf(shape.values)}`;
      case "either":
        return `/${shape.options.map((option) => this.textOf(option)).join("")})`;
      case "tuple":
        return `t${shape.parts.map((part) => this.textOf(part)).join("")})`;
      case "then":
        return `>${this.textOf(shape.first)}${this.textOf(shape.next)}`;
      case "changed":
        return `c${this.#value(shape.by)}`;
      case "object": {
        const members = Object.entries(shape.members).map(([name, place]) => {
          if (!/^[\w$-]+$/.test(name)) throw new TypeError(`A member has the name ${name}`);
          const text = this.textOf(place);
          return text === "?s" ? `${name},` : `${name}${/^\w/.test(text) ? ":" : ""}${text},`;
        });
        return `${signs[shape.others]}(${members.join("").replace(/,$/, "").replaceAll(",,", ",")})`;
      }
    }
  }

  /** The number of a value, with the comma that ends it. */
  #value(value: unknown): string {
    const text = JSON.stringify(value);
    const known = this.#values.indexOf(text);
    return `${known === -1 ? this.#values.push(text) - 1 : known},`;
  }
}

function partsOf(shape: Shape): readonly number[] {
  switch (shape.is) {
    case "object":
      return Object.values(shape.members);
    case "list":
      return [shape.items];
    case "map":
      return [shape.keys, shape.values];
    case "tuple":
      return shape.parts;
    case "either":
      return shape.options;
    case "then":
      return [shape.first, shape.next];
    case "optional":
    case "nullable":
    case "default":
      return [shape.inner];
    default:
      return [];
  }
}
