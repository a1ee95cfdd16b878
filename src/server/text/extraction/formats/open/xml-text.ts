import type { FormatReader } from "../../extracted-document.ts";
import { ExtractionError } from "../../extraction-error.ts";
import type { ExtractionLimits } from "../../extraction-limits.ts";
import { writePictures, type EmbeddedPicture } from "../pictures/embedded-pictures.ts";
import { decodeText } from "../encoding.ts";
import { attribute, readXml } from "../xml.ts";

/** Elements without text for readers. */
const unread = new Set(["script", "style", "metadata", "binary-data", "binData"]);
/** Elements within a line, where the text around them does not show it. */
const inline = new Set("a b em i r span strong sub sup t tspan tab br u".split(" "));
/** The characters that breaks and tabs of Office's XML stand for. */
const signs: Readonly<Record<string, string>> = { tab: "\t", br: "\n" };
/** Elements of a drawing that are neither text nor the name of something. */
const shapes = new Set("path rect circle ellipse line polyline polygon use".split(" "));
const dataPicture = /^data:image\/[\w.+-]+;base64,/;

/**
 * Reads the text of XML without its tags: a line for each element, or for one that has other text
 * around it a part of that line. Elements without any text show their attributes, `name: value`;
 * those with a prefix are marks of a format.
 */
export const extractXml: FormatReader = async (bytes, limits, writer) => {
  const read = await textOf(bytes, limits, { what: "XML file", hasAttributes: true });
  if (read === undefined) {
    writer.warn("This file is not well-formed XML; its text was read as it is.");
    await writer.flow(await decodeText(bytes));
  } else await writer.flow(read.text);
  return {};
};

/** Reads the text of a drawing (SVG 2), and the pictures in it. Names shapes without any text. */
export const extractDrawing: FormatReader = async (bytes, limits, writer) => {
  const read = await textOf(bytes, limits, { what: "drawing", hasAttributes: false });
  if (read === undefined) {
    throw new ExtractionError("corrupt", "This drawing was not read: it is not well-formed XML.");
  }
  const { text, pictures, hasShapes } = read;
  await writer.flow(text);
  await writePictures(writer, pictures);
  if (text === "" && hasShapes) {
    writer.leaveOut("This drawing has no text; letters that are drawn as shapes were not read.");
  }
  return {};
};

interface XmlText {
  readonly text: string;
  readonly pictures: readonly EmbeddedPicture[];
  readonly hasShapes: boolean;
}

/** Undefined for text that is not well-formed. */
async function textOf(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  { what, hasAttributes }: { readonly what: string; readonly hasAttributes: boolean },
): Promise<XmlText | undefined> {
  const reader = new TextReader(hasAttributes);
  const decoded = Buffer.from(withoutEncoding(await decodeText(bytes)));
  try {
    readXml(decoded, reader, limits, what, { hasDoctype: true });
  } catch (error) {
    if (error instanceof ExtractionError && error.code === "corrupt") return undefined;
    throw error;
  }
  return reader.end();
}

/** The declaration names the encoding of the file, which is decoded already. */
function withoutEncoding(text: string): string {
  return text.trimStart().replace(/^(<\?xml[^>]{0,200}?)\s+encoding\s*=\s*["'][^"']*["']/, "$1");
}

interface OpenElement {
  readonly name: string;
  readonly attributes: string;
  readonly parts: { readonly text: string; readonly isInline: boolean }[];
  hasText: boolean;
}

/** Collects the text of elements from the inside to the outside. */
class TextReader {
  readonly #open: OpenElement[] = [element("", "")];
  readonly #pictures: EmbeddedPicture[] = [];
  #hasShapes = false;
  #skipped = 0;

  constructor(private readonly hasAttributes: boolean) {}

  open(name: string, attributes: Record<string, string>): void {
    if (this.#skipped > 0 || unread.has(name)) {
      this.#skipped += 1;
      return;
    }
    this.#hasShapes ||= shapes.has(name);
    const source = name === "image" ? attribute(attributes, "href") : undefined;
    const start = source === undefined ? null : dataPicture.exec(source);
    if (source !== undefined && start !== null) {
      const content = Buffer.from(source.slice(start[0].length), "base64");
      this.#pictures.push({ name: `picture ${this.#pictures.length + 1}`, bytes: content });
    }
    const isShown = this.hasAttributes && start === null;
    this.#open.push(element(name, isShown ? shown(attributes) : ""));
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    const closed = this.#open.pop();
    const parent = this.#open.at(-1);
    if (closed === undefined || parent === undefined) return;
    const sign = signs[closed.name];
    const text = sign ?? linesOf(closed);
    const isEmpty = sign === undefined && text === "";
    parent.parts.push({
      text: isEmpty ? closed.attributes : text,
      isInline: inline.has(closed.name),
    });
  }

  text(value: string): void {
    const parent = this.#open.at(-1);
    if (this.#skipped > 0 || parent === undefined) return;
    parent.hasText ||= value.trim() !== "";
    parent.parts.push({ text: value.replaceAll(/\s+/g, " "), isInline: true });
  }

  end(): XmlText {
    const text = this.#open.map(linesOf).join("\n").trim();
    return { text, pictures: this.#pictures, hasShapes: this.#hasShapes };
  }
}

function element(name: string, attributes: string): OpenElement {
  return { name, attributes, parts: [], hasText: false };
}

function shown(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .filter(([name, value]) => !/^xmlns|:/.test(name) && value.trim() !== "")
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** The parts of an element on one line if it has text outside them, otherwise on a line each. */
function linesOf({ name, parts, hasText }: OpenElement): string {
  let text = "";
  for (const part of parts) {
    const isOwnLine = !part.isInline && (!hasText || part.text.includes("\n"));
    text += isOwnLine && part.text !== "" ? `\n${part.text}\n` : part.text;
  }
  return inline.has(name) ? text : text.replaceAll(/ *\n\s*/g, "\n").trim();
}
