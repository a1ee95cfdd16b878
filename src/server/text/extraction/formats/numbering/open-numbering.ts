import { ownMember } from "#lib/own-member.ts";
import { attribute } from "../xml.ts";
import { countOf, keptPattern, ListCounters, type ListLevel } from "./list-counters.ts";
import type { Numeral } from "./numerals.ts";

type Attributes = Readonly<Record<string, string>>;

/** Numerals by the first sign of their format (OASIS ODF 1.3, 19.500). */
const numerals: Readonly<Record<string, Numeral>> = {
  "1": "decimal",
  "0": "decimalZero",
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
  "①": "circle",
  "１": "fullWidth",
  一: "chinese",
  а: "russianLower",
  А: "russianUpper",
  א: "hebrew",
  가: "korean",
};
const levelStyles = /^(?:list-level-style-(?:number|bullet|image)|outline-level-style)$/;
/** The name under which the levels of headings are kept, which no list can have. */
const outline = "\0";

interface LevelStyle {
  readonly numeral: Numeral;
  readonly start: number;
  readonly prefix: string;
  readonly suffix: string;
  /** The number of levels that it shows. */
  readonly shown: number;
  readonly format?: string | undefined;
}

interface ListStyle {
  readonly own: (LevelStyle | undefined)[];
  levels?: (ListLevel | undefined)[];
}

interface ParagraphStyle {
  readonly parent: string | undefined;
  readonly list: string | undefined;
}

interface OpenList {
  readonly style: string | undefined;
  readonly counters: ListCounters;
  /** The number of the open item is still to be written. */
  isWaiting: boolean;
  start?: number | undefined;
}

/** The lists and numbered headings of an OpenDocument file: their styles, and their counts. */
export class OpenNumbering {
  readonly #lists = new Map<string, ListStyle>();
  readonly #paragraphs = new Map<string, ParagraphStyle>();
  readonly #open: OpenList[] = [];
  readonly #byId = new Map<string, ListCounters>();
  readonly #byStyle = new Map<string, ListCounters>();
  readonly #headings = new ListCounters();
  #style: ListStyle | undefined;

  /** Reads an element of the styles, which come before the text. */
  readStyle(name: string, attributes: Attributes): void {
    const own = attribute(attributes, "name") ?? "";
    if (name === "list-style" || name === "outline-style") {
      this.#style = { own: [] };
      this.#lists.set(name === "list-style" ? own : outline, this.#style);
    } else if (levelStyles.test(name)) {
      const level = countOf(attribute(attributes, "level")) ?? 0;
      if (this.#style === undefined || level < 1 || level > 9) return;
      const isNumber = !/bullet|image/.test(name);
      this.#style.own[level - 1] = isNumber ? levelStyleOf(attributes) : undefined;
    } else if (name === "style" && attribute(attributes, "family") === "paragraph") {
      this.#paragraphs.set(own, {
        parent: attribute(attributes, "parent-style-name"),
        list: attribute(attributes, "list-style-name"),
      });
    }
  }

  startList(attributes: Attributes): void {
    const around = this.#open.at(-1);
    const named = attribute(attributes, "style-name");
    if (around !== undefined) {
      const isSame = named === undefined || named === around.style;
      const counters = isSame ? around.counters : new ListCounters();
      this.#open.push({ style: named ?? around.style, counters, isWaiting: false });
      return;
    }
    const continued = attribute(attributes, "continue-list");
    const goesOn = attribute(attributes, "continue-numbering") === "true";
    const before =
      this.#byId.get(continued ?? "") ?? (goesOn ? this.#byStyle.get(named ?? "") : undefined);
    const counters = before ?? new ListCounters();
    const id = attribute(attributes, "id");
    if (id !== undefined) this.#byId.set(id, counters);
    this.#byStyle.set(named ?? "", counters);
    this.#open.push({ style: named, counters, isWaiting: false });
  }

  endList(): void {
    this.#open.pop();
  }

  startItem(attributes: Attributes): void {
    const list = this.#open.at(-1);
    if (list === undefined) return;
    list.isWaiting = true;
    list.start = countOf(attribute(attributes, "start-value"));
  }

  endItem(): void {
    const list = this.#open.at(-1);
    if (list !== undefined) list.isWaiting = false;
  }

  /** Counts a paragraph, and returns its number with a space after it; "" if it has none. */
  numberOf(name: string, attributes: Attributes): string {
    const styled = this.#listOf(attribute(attributes, "style-name"));
    const list = this.#open.at(-1);
    if (list !== undefined) {
      if (!list.isWaiting) return "";
      list.isWaiting = false;
      const style = list.style ?? styled;
      if (styled === "" || style === undefined) return "";
      return list.counters.next(this.#open.length - 1, this.#levelsOf(style), list.start);
    }
    if (name !== "h" || styled === "") return "";
    if (attribute(attributes, "is-list-header") === "true") return "";
    const level = countOf(attribute(attributes, "outline-level")) ?? 1;
    const restarts = attribute(attributes, "restart-numbering") === "true";
    if (level < 1) return "";
    if (restarts) this.#headings.restart(level - 1);
    const start = restarts ? countOf(attribute(attributes, "start-value")) : undefined;
    return this.#headings.next(level - 1, this.#levelsOf(outline), start);
  }

  /** The list style that a paragraph style names or inherits; "" takes it away. */
  #listOf(name: string | undefined): string | undefined {
    let style = this.#paragraphs.get(name ?? "");
    for (let above = 0; style !== undefined && above < inheritedAtMost; above += 1) {
      if (style.list !== undefined) return style.list;
      style = this.#paragraphs.get(style.parent ?? "");
    }
    return undefined;
  }

  #levelsOf(name: string): (at: number) => ListLevel | undefined {
    const style = this.#lists.get(name);
    if (style === undefined) return () => undefined;
    const levels = (style.levels ??= Array.from(style.own, (own, at) => levelOf(style, own, at)));
    return (at) => levels[at];
  }
}

const inheritedAtMost = 20;

function levelStyleOf(attributes: Attributes): LevelStyle {
  const value = (name: string): string | undefined => attribute(attributes, name);
  return {
    numeral: ownMember(numerals, (value("num-format") ?? "").charAt(0)) ?? "none",
    start: countOf(value("start-value")) ?? 1,
    prefix: value("num-prefix") ?? "",
    suffix: value("num-suffix") ?? "",
    shown: countOf(value("display-levels")) ?? 1,
    format: value("num-list-format"),
  };
}

function levelOf(style: ListStyle, own: LevelStyle | undefined, at: number): ListLevel | undefined {
  if (own === undefined) return undefined;
  const { numeral, start, prefix, suffix, format } = own;
  const first = Math.max(0, at + 1 - own.shown);
  const shown = Array.from({ length: at + 1 - first }, (_, index) => first + index)
    .filter((each) => (style.own[each]?.numeral ?? "none") !== "none")
    .map((each) => `%${each + 1}`);
  const pattern = format?.replaceAll(/%(\d)%/g, "%$1") ?? prefix + shown.join(".") + suffix;
  return { start, numeral, pattern: numeral === "none" ? "" : keptPattern(pattern), after: " " };
}
