import { attribute } from "../xml.ts";
import { hasTextFrom, simpleNumber } from "./list-counters.ts";
import { levelIn, type NumberedParagraph, type StoryNumbers } from "./word-numbering.ts";
import { isOutlined } from "./word-styles.ts";

interface OpenParagraph extends NumberedParagraph {
  readonly buffer: string[];
  /** The place of its number in the buffer. */
  readonly at: number;
  readonly isInCell: boolean;
  inProperties: boolean;
  isDeleted: boolean;
}

/** The open paragraphs of a Word document, whose numbers are known when they end. */
export class WordParagraphs {
  readonly #open: OpenParagraph[] = [];

  constructor(private readonly numbers: StoryNumbers) {}

  /** True within a paragraph, and so within a text box of one. */
  get areOpen(): boolean {
    return this.#open.length > 0;
  }

  /** Begins a paragraph in a buffer, with a place for its number. */
  start(buffer: string[], isInCell: boolean): void {
    this.#open.push({
      buffer,
      at: buffer.push("") - 1,
      isInCell,
      inProperties: false,
      isDeleted: false,
      style: undefined,
      isItem: false,
      list: undefined,
      level: undefined,
      isHeading: undefined,
    });
  }

  /** Reads the start of an element within the properties of a paragraph (17.3.1). */
  property(name: string, attributes: Record<string, string>): void {
    const paragraph = this.#open.at(-1);
    if (paragraph === undefined) return;
    if (name === "pPr") paragraph.inProperties = true;
    if (!paragraph.inProperties) return;
    const value = attribute(attributes, "val");
    if (name === "pStyle") paragraph.style = value;
    else if (name === "numPr") paragraph.isItem = true;
    else if (name === "numId") paragraph.list = value;
    else if (name === "ilvl") paragraph.level = levelIn({ ilvl: value ?? "" });
    else if (name === "outlineLvl") paragraph.isHeading = isOutlined(value);
    else if (name === "del" || name === "moveFrom") paragraph.isDeleted = true;
  }

  endProperties(): void {
    const paragraph = this.#open.at(-1);
    if (paragraph !== undefined) paragraph.inProperties = false;
  }

  /** Ends a paragraph, and returns what divides it from the next one. */
  end(): string {
    const paragraph = this.#open.pop();
    if (paragraph === undefined) return "\n\n";
    const { buffer, at, isItem, isInCell, isDeleted } = paragraph;
    const isBlank = !hasTextFrom(buffer, at);
    const number = isBlank && isDeleted ? "" : this.numbers.next(paragraph);
    // The number of an empty cell may be all that its row has.
    if (!isBlank || isInCell) buffer[at] = number;
    const isListItem = isItem && paragraph.list !== "0" && !this.numbers.isHeading(paragraph);
    return isListItem && (number === "" || simpleNumber.test(number)) ? "\n" : "\n\n";
  }
}
