import { attribute } from "../xml.ts";
import { countOf } from "./list-counters.ts";
import { writeNumber, type Numeral } from "./numerals.ts";

const levelsAtMost = 9;

/** How a paragraph is numbered; null for one that says it has no number. */
type Numbering = { readonly type: string; readonly start: number } | null;

/** The numbers of paragraphs of shapes (ECMA-376 part 1, 21.1.2.4): receives their elements. */
export class SlideNumbers {
  /** The numbering of the levels of the open shape. */
  #usual: (Numbering | undefined)[] = [];
  #counts: ({ readonly numbering: Numbering; value: number } | undefined)[] = [];
  #level = 0;
  #own: Numbering | undefined;
  /** The level whose style is read; undefined in a paragraph. */
  #styled: number | undefined;

  open(name: string, attributes: Record<string, string>): void {
    if (name === "txBody") [this.#usual, this.#counts] = [[], []];
    else if (name === "p") [this.#level, this.#own, this.#styled] = [0, undefined, undefined];
    else if (name === "pPr") this.#level = levelOf(attribute(attributes, "lvl"));
    else if (/^lvl\dpPr$/.test(name)) this.#styled = levelOf(name.charAt(3)) - 1;
    else if (name === "buAutoNum") {
      const start = countOf(attribute(attributes, "startAt")) ?? 1;
      this.#set({ type: attribute(attributes, "type") ?? "", start });
    } else if (name === "buNone" || name === "buChar" || name === "buBlip") this.#set(null);
  }

  /** Counts a paragraph that has text, and returns its number with a space after it. */
  next(): string {
    const numbering = this.#own === undefined ? this.#usual[this.#level] : this.#own;
    this.#counts.length = Math.min(this.#counts.length, this.#level + 1);
    if (numbering === undefined || numbering === null) {
      this.#counts[this.#level] = undefined;
      return "";
    }
    const { type, start } = numbering;
    const last = this.#counts[this.#level];
    const goesOn = last?.numbering?.type === type && last.numbering.start === start;
    const value = goesOn ? last.value + 1 : start;
    this.#counts[this.#level] = { numbering, value };
    return `${numberAs(type, value)} `;
  }

  #set(numbering: Numbering): void {
    if (this.#styled === undefined) this.#own = numbering;
    else this.#usual[this.#styled] = numbering;
  }
}

function levelOf(text: string | undefined): number {
  return Math.min(levelsAtMost, countOf(text) ?? 0);
}

const numerals: readonly (readonly [string, Numeral])[] = [
  ["alphaLc", "lowerLetter"],
  ["alphaUc", "upperLetter"],
  ["romanLc", "lowerRoman"],
  ["romanUc", "upperRoman"],
  ["circleNum", "circle"],
  ["ea1", "chinese"],
];

function numberAs(type: string, value: number): string {
  const numeral = numerals.find(([start]) => type.startsWith(start))?.[1] ?? "decimal";
  const number = writeNumber(value, numeral);
  if (type.endsWith("ParenBoth")) return `(${number})`;
  if (type.endsWith("ParenR")) return `${number})`;
  return type.endsWith("Period") ? `${number}.` : number;
}
