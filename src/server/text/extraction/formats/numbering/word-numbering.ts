import { ownMember } from "#lib/own-member.ts";
import { ExtractionError, tooManyCharacters } from "../../extraction-error.ts";
import type { OfficePackage } from "../office.ts";
import { attribute } from "../xml.ts";
import { countOf, keptPattern, ListCounters, type ListLevel } from "./list-counters.ts";
import type { Numeral } from "./numerals.ts";
import { readStyles, type WordStyle } from "./word-styles.ts";

const levelsAtMost = 9;
const numerals: Readonly<Record<string, Numeral>> = {
  decimalZero: "decimalZero",
  lowerLetter: "lowerLetter",
  upperLetter: "upperLetter",
  lowerRoman: "lowerRoman",
  upperRoman: "upperRoman",
  ordinal: "ordinal",
  none: "none",
  decimalEnclosedCircle: "circle",
  decimalEnclosedCircleChinese: "circle",
  decimalFullWidth: "fullWidth",
  decimalFullWidth2: "fullWidth",
  chineseCounting: "chinese",
  chineseCountingThousand: "chinese",
  taiwaneseCounting: "chinese",
  taiwaneseCountingThousand: "chinese",
  ideographDigital: "chinese",
  japaneseCounting: "chinese",
  japaneseDigitalTenThousand: "chinese",
  russianLower: "russianLower",
  russianUpper: "russianUpper",
  hebrew1: "hebrew",
  hebrew2: "hebrew",
  ganada: "korean",
};

interface Definition {
  readonly levels: Map<number, WordLevel>;
  /** The style whose numbers this definition has. */
  link?: string | undefined;
}

type WordLevel = { -readonly [Key in keyof ListLevel]: ListLevel[Key] } & {
  isBullet?: boolean;
  /** The style of paragraphs of this level. */
  style?: string | undefined;
};

interface Instance {
  definition: string;
  readonly starts: Map<number, number>;
  readonly levels: Map<number, WordLevel>;
}

/** The properties of a paragraph that say if it has a number. */
export interface NumberedParagraph {
  style: string | undefined;
  /** True if the paragraph itself says that it is an item of a list. */
  isItem: boolean;
  list: string | undefined;
  level: number | undefined;
  isHeading: boolean | undefined;
}

/** Numbers the paragraphs of a story in their order. */
export interface StoryNumbers {
  isHeading(paragraph: NumberedParagraph): boolean;
  /** Counts a paragraph, and returns its number with the space after it. */
  next(paragraph: NumberedParagraph): string;
}

/** The lists of a Word document: numbering.xml and the styles (ECMA-376 part 1, 17.9). */
export class WordNumbering {
  readonly #definitions = new Map<string, Definition>();
  readonly #instances = new Map<string, Instance>();
  readonly #styles: (id: string | undefined) => WordStyle;
  #characters = 0;

  /** `warn` receives that the parts with the numbers can't be read, which costs only these. */
  constructor(
    file: OfficePackage,
    related: Iterable<{ type: string; target: string }>,
    private readonly charactersAtMost: number,
    warn: (message: string) => void,
  ) {
    const parts = new Map([...related].map(({ type, target }) => [type, target]));
    let styles: ReturnType<typeof readStyles> = () => ({ isHeading: false });
    try {
      styles = readStyles(file, file.optionalPart(parts.get("styles")));
      const numbering = file.optionalPart(parts.get("numbering"));
      if (numbering !== null) this.#read(file, numbering);
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      warn("The numbers of lists and headings of this document were not read: they are damaged.");
    }
    this.#styles = styles;
  }

  /** Numbers the paragraphs of one story, such as the body or the notes. */
  story(): StoryNumbers {
    const counters = new Map<string, ListCounters>();
    const begun = new Set<string>();
    return {
      isHeading: ({ isHeading, style }) => isHeading ?? this.#styles(style).isHeading,
      next: (paragraph) => {
        const style = this.#styles(paragraph.style);
        const list = paragraph.list ?? style.list;
        const instance = this.#instances.get(list ?? "");
        if (instance === undefined || list === undefined) return "";
        const level = this.#levelOf(paragraph, style, instance);
        return this.#next(list, instance, level, counters, begun);
      },
    };
  }

  #next(
    list: string,
    instance: Instance,
    level: number,
    counters: Map<string, ListCounters>,
    begun: Set<string>,
  ): string {
    const definition = this.#definitionOf(instance);
    const counter = counters.get(definition.id) ?? new ListCounters();
    counters.set(definition.id, counter);
    const levelAt = (at: number): WordLevel | undefined =>
      instance.levels.get(at) ?? definition.levels.get(at);
    const key = `${list} ${level}`;
    // The lists of a definition go on after each other, unless one says where it begins.
    if (instance.starts.has(level) && !begun.has(key)) counter.restart(level);
    begun.add(key);
    const text = counter.next(level, (at) => {
      const found = levelAt(at);
      const own = instance.starts.get(at);
      return found === undefined || own === undefined ? found : { ...found, start: own };
    });
    if (levelAt(level)?.isBullet === true) return "";
    this.#characters += text.length;
    if (this.#characters > this.charactersAtMost) throw tooManyCharacters(this.charactersAtMost);
    return text;
  }

  /** The level of a paragraph with a numbered style is the one that names the style. */
  #levelOf(paragraph: NumberedParagraph, style: WordStyle, instance: Instance): number {
    if (paragraph.level !== undefined) return paragraph.level;
    if (paragraph.list !== undefined) return style.level ?? 0;
    const { levels } = this.#definitionOf(instance);
    for (const each of [instance.levels, levels]) {
      for (const [at, { style: named }] of each) {
        if (named !== undefined && named === style.origin) return at;
      }
    }
    return style.level ?? 0;
  }

  /** A definition may be that of a style, which names its list. */
  #definitionOf(instance: Instance): Definition & { readonly id: string } {
    const id = instance.definition;
    const own = this.#definitions.get(id);
    if (own?.link === undefined || own.levels.size > 0) return { levels: noLevels, ...own, id };
    const linked = this.#instances.get(this.#styles(own.link).list ?? "")?.definition ?? id;
    return { levels: noLevels, ...this.#definitions.get(linked), id: linked };
  }

  #read(file: OfficePackage, bytes: Uint8Array): void {
    let definition: Definition | undefined;
    let instance: Instance | undefined;
    let at = 0;
    let level: WordLevel | undefined;
    file.readXml(bytes, {
      open: (name, attributes) => {
        const value = attribute(attributes, "val");
        if (name === "abstractNum") {
          definition = { levels: new Map() };
          this.#definitions.set(attribute(attributes, "abstractNumId") ?? "", definition);
        } else if (name === "num") {
          instance = { definition: "", starts: new Map(), levels: new Map() };
          this.#instances.set(attribute(attributes, "numId") ?? "", instance);
        } else if (name === "abstractNumId" && instance !== undefined) {
          instance.definition = value ?? "";
        } else if (name === "numStyleLink" && definition !== undefined) definition.link = value;
        else if (name === "lvlOverride") at = levelIn(attributes);
        else if (name === "startOverride") instance?.starts.set(at, countOf(value) ?? 0);
        else if (name === "lvl") {
          at = levelIn(attributes);
          level = { start: 0, numeral: "decimal", pattern: "", after: " " };
          (instance ?? definition)?.levels.set(at, level);
        } else if (level !== undefined) readLevel(level, name, value);
      },
      close: (name) => {
        if (name === "lvl") level = undefined;
        else if (name === "abstractNum") definition = undefined;
        else if (name === "num") instance = undefined;
      },
    });
  }
}

const noLevels: Map<number, WordLevel> = new Map();

export function levelIn(attributes: Record<string, string>): number {
  return Math.min(levelsAtMost - 1, countOf(attribute(attributes, "ilvl")) ?? 0);
}

function readLevel(level: WordLevel, name: string, value: string | undefined): void {
  if (name === "start") level.start = countOf(value) ?? 0;
  else if (name === "numFmt") {
    level.isBullet = value === "bullet";
    level.numeral = ownMember(numerals, value ?? "") ?? "decimal";
  } else if (name === "lvlText") level.pattern = keptPattern(value ?? "");
  else if (name === "suff") level.after = value === "nothing" ? "" : " ";
  else if (name === "isLgl") level.isDecimal = value !== "0" && value !== "false";
  else if (name === "lvlRestart") level.restartsAfter = countOf(value);
  else if (name === "pStyle") level.style = value;
}
