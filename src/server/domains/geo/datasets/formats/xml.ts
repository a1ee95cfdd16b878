import { SaxesParser } from "saxes";
import type { Element } from "./element.ts";
import { gpxFeature, gpxRoots } from "./gpx.ts";
import { kmlFeature, kmlRoots } from "./kml.ts";
import {
  FormatError,
  maximumFeatureBytes,
  type Chunks,
  type SourceFeature,
  type SourceOptions,
} from "./source.ts";

interface OpenElement extends Element {
  readonly children: Element[];
  text: string;
}

const deepest = 64;
/** The characters that an element counts as, in addition to its own: empty ones need memory too. */
const elementCharacters = 32;

/** The features of GPX or KML, of which one element is kept at a time. Throws FormatError. */
export async function* xmlFeatures(
  format: "gpx" | "kml",
  chunks: Chunks,
  options: SourceOptions,
  limitBytes: number = maximumFeatureBytes,
): AsyncGenerator<SourceFeature, void, void> {
  const isGpx = format === "gpx";
  const found = new Elements(isGpx ? gpxRoots : kmlRoots, limitBytes);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const featureOf = isGpx ? gpxFeature : kmlFeature;
  try {
    for await (const chunk of chunks) {
      found.write(decoder.decode(chunk, { stream: true }));
      for (const element of found.take()) yield featureOf(element, options);
    }
    found.write(decoder.decode());
    found.close();
  } catch (error) {
    if (error instanceof FormatError) throw error;
    if (error instanceof TypeError) throw new FormatError("The file is not UTF-8");
    throw error;
  }
  for (const element of found.take()) yield featureOf(element, options);
  if (found.root !== format) throw new FormatError(`The file is not ${format.toUpperCase()}`);
}

/** Collects the elements with given names. Entities of a document type are not read. */
class Elements {
  root = "";
  readonly #parser = new SaxesParser();
  readonly #open: OpenElement[] = [];
  #done: Element[] = [];
  /** The characters of the feature that has begun. */
  #characters = 0;
  /** The characters that the parser has without an event: a long attribute, comment or text. */
  #pending = 0;

  constructor(
    roots: ReadonlySet<string>,
    private readonly limitBytes: number,
  ) {
    this.#parser.on("error", (error) => {
      throw new FormatError(`The file is not XML: ${error.message}`);
    });
    this.#parser.on("doctype", () => {
      throw new FormatError("The file has a document type, which is not read");
    });
    this.#parser.on("comment", () => this.#parsed());
    this.#parser.on("processinginstruction", () => this.#parsed());
    this.#parser.on("opentag", (tag) => {
      this.#parsed();
      const name = localName(tag.name);
      if (this.root === "") this.root = name;
      if (this.#open.length === 0 && !roots.has(name)) return;
      if (this.#open.length >= deepest) throw new FormatError("The file nests too deeply");
      const attributes = Object.entries(tag.attributes).flat();
      this.#count(elementCharacters + attributes.reduce((sum, { length }) => sum + length, 0));
      this.#open.push({ name, attributes: tag.attributes, children: [], text: "" });
    });
    const addText = (text: string): void => {
      this.#parsed();
      const last = this.#open.at(-1);
      if (last === undefined) return;
      this.#count(text.length);
      last.text += text;
    };
    this.#parser.on("text", addText);
    this.#parser.on("cdata", addText);
    this.#parser.on("closetag", () => {
      this.#parsed();
      const ended = this.#open.pop();
      if (ended === undefined) return;
      const parent = this.#open.at(-1);
      (parent === undefined ? this.#done : parent.children).push(ended);
      if (parent === undefined) this.#characters = 0;
    });
  }

  write(text: string): void {
    this.#pending += text.length;
    if (this.#pending > this.limitBytes) throw tooLong();
    this.#parser.write(text);
  }

  close(): void {
    this.#parser.close();
  }

  #parsed(): void {
    this.#pending = 0;
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters > this.limitBytes) throw tooLong();
  }

  /** The elements that have ended since the last call. */
  take(): readonly Element[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }
}

function tooLong(): FormatError {
  return new FormatError("An element is too long");
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
