import { ownMember } from "#lib/own-member.ts";
import { attribute } from "./xml.ts";

/** A form field of a Word document while it is read. */
interface FormField {
  readonly kind: "checkbox" | "list";
  readonly entries: string[];
  /** The choice of the template, and that of the user. */
  usual?: string | undefined;
  chosen?: string | undefined;
}

const boxes = { checked: "☒", empty: "☐" };
/** The private range of the codes of fonts whose characters are signs. */
const privateRange = { first: 0xf000, last: 0xf0ff };

/**
 * The parts of a Word document that it shows without text: symbols of fonts that have no letters,
 * and the choices of form fields, which are properties of the field (ECMA-376 part 1, 17.3.3.30
 * and 17.16).
 */
export class WordSigns {
  #field: FormField | undefined;
  #font = "";

  /** Text of the open run, with the signs of its font. */
  text(value: string): string {
    return textInFont(value, this.#font);
  }

  /** The text that an element within a run shows. */
  open(name: string, attributes: Record<string, string>): string {
    const value = attribute(attributes, "val");
    if (name === "sym") return symbolText(attributes);
    if (name === "rPr") this.#font = "";
    else if (name === "rFonts") this.#font = attribute(attributes, "ascii") ?? "";
    if (name === "checkBox") this.#field = { kind: "checkbox", entries: [] };
    else if (name === "ddList") this.#field = { kind: "list", entries: [] };
    else if (this.#field === undefined) return "";
    else if (name === "listEntry") this.#field.entries.push(value ?? "");
    else if (name === "default") this.#field.usual = value ?? "true";
    else if (name === "checked" || name === "result") this.#field.chosen = value ?? "true";
    return "";
  }

  /** The text that the end of an element shows. */
  close(name: string): string {
    if (name === "r") this.#font = "";
    if (name !== "checkBox" && name !== "ddList") return "";
    const field = this.#field;
    this.#field = undefined;
    if (field === undefined) return "";
    const choice = field.chosen ?? field.usual ?? "0";
    if (field.kind === "list") return field.entries[Number(choice)] ?? "";
    return ["0", "false", "off"].includes(choice) ? boxes.empty : boxes.checked;
  }
}

/** A symbol as its character in Unicode; "" for a sign that has none. */
function symbolText(attributes: Record<string, string>): string {
  const code = Number.parseInt(attribute(attributes, "char") ?? "", 16);
  if (!(code > 0 && code <= 0xffff)) return "";
  const known = signOf(attribute(attributes, "font") ?? "", code);
  const isPrivate = code >= privateRange.first && code <= privateRange.last;
  return known ?? (isPrivate ? "" : String.fromCodePoint(code));
}

/** A sign of a font of signs, "" for one that has no character; undefined for other fonts. */
export function signOf(font: string, code: number): string | undefined {
  const signs = ownMember(fonts, font.toLowerCase());
  const isPrivate = code >= privateRange.first && code <= privateRange.last;
  return signs === undefined
    ? undefined
    : (signs[code - (isPrivate ? privateRange.first : 0)] ?? "");
}

/** Text in a font of signs, which are private characters there. */
export function textInFont(text: string, font: string): string {
  return text.replaceAll(/[\uf000-\uf0ff]/g, (sign) => signOf(font, sign.charCodeAt(0)) ?? sign);
}

/** Signs of the fonts that come with Word, by their codes. */
const fonts: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  symbol: signsFrom(
    [0x20, " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅"],
    [0x41, "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾"],
    [0x61, "αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"],
    [0xa0, "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…"],
    [0xbf, "↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑"],
    [0xf1, "〉∫"],
  ),
  wingdings: signsFrom(
    [0x28, "☎"],
    [0x2a, "✉"],
    [0x6c, "●"],
    [0x6e, "■□"],
    [0x71, "❑"],
    [0x78, "☒"],
    [0xa7, "▪☐"],
    [0xd8, "➢"],
    [0xdf, "←→"],
    [0xfb, "✗✓☒☑"],
  ),
  "wingdings 2": signsFrom([0x2a, "☐"], [0x4f, "✗✓☒☑☒"], [0xa3, "☐"]),
};

/** Each text begins at its code. */
function signsFrom(...texts: readonly (readonly [number, string])[]): Record<number, string> {
  const signs = texts.flatMap(([first, text]) =>
    Array.from(text, (sign, at) => [first + at, sign] as const),
  );
  return Object.fromEntries(signs);
}
