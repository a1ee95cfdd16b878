import { ownMember } from "#lib/own-member.ts";
import { countOf } from "./list-counters.ts";
import { writeNumber, type Numeral } from "./numerals.ts";

const types: Readonly<Record<string, Numeral>> = {
  "1": "decimal",
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
  "lower-alpha": "lowerLetter",
  "lower-latin": "lowerLetter",
  "upper-alpha": "upperLetter",
  "upper-latin": "upperLetter",
  "lower-roman": "lowerRoman",
  "upper-roman": "upperRoman",
};
const styled = /list-style(?:-type)?\s*:\s*([a-z-]+)/i;

/** An open list; one without numbers has no numeral. */
interface WebList {
  readonly numeral: Numeral | undefined;
  next: number;
}

/** The numbers of ordered lists of HTML, whose start, kind and values are attributes. */
export class WebNumbers {
  readonly #lists: WebList[] = [];
  /** Elements for navigation that are open: their lists show no numbers. */
  #navigation = 0;

  /** The number of an item with the space after it; "" for other elements. */
  open(name: string, attributes: Readonly<Record<string, string>>): string {
    if (name === "nav") this.#navigation += 1;
    else if (name === "ul" || name === "menu") this.#lists.push({ numeral: undefined, next: 1 });
    else if (name === "ol") {
      const type = styled.exec(attributes.style ?? "")?.[1]?.toLowerCase() ?? attributes.type;
      const isPlain = this.#navigation > 0 || type === "none" || "reversed" in attributes;
      const numeral = isPlain ? undefined : (ownMember(types, type ?? "") ?? "decimal");
      this.#lists.push({ numeral, next: countOf(attributes.start) ?? 1 });
    }
    return name === "li" ? this.#item(attributes.value) : "";
  }

  close(name: string): void {
    if (name === "nav") this.#navigation -= 1;
    else if (name === "ol" || name === "ul" || name === "menu") this.#lists.pop();
  }

  #item(value: string | undefined): string {
    const list = this.#lists.at(-1);
    if (list?.numeral === undefined) return "";
    const count = countOf(value) ?? list.next;
    list.next = count + 1;
    return `${writeNumber(count, list.numeral)}. `;
  }
}
