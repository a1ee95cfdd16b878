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

/** The features of GPX or KML, of which one element is kept at a time. Throws FormatError. */
export async function* xmlFeatures(
  format: "gpx" | "kml",
  chunks: Chunks,
  options: SourceOptions,
): AsyncGenerator<SourceFeature, void, void> {
  const isGpx = format === "gpx";
  const found = new Elements(isGpx ? gpxRoots : kmlRoots);
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
  #characters = 0;

  constructor(roots: ReadonlySet<string>) {
    this.#parser.on("error", (error) => {
      throw new FormatError(`The file is not XML: ${error.message}`);
    });
    this.#parser.on("doctype", () => {
      throw new FormatError("The file has a document type, which is not read");
    });
    this.#parser.on("opentag", (tag) => {
      const name = localName(tag.name);
      if (this.root === "") this.root = name;
      if (this.#open.length === 0 && !roots.has(name)) return;
      if (this.#open.length >= deepest) throw new FormatError("The file nests too deeply");
      this.#open.push({ name, attributes: tag.attributes, children: [], text: "" });
    });
    const addText = (text: string): void => {
      const last = this.#open.at(-1);
      if (last === undefined) return;
      this.#characters += text.length;
      if (this.#characters > maximumFeatureBytes) throw new FormatError("An element is too long");
      last.text += text;
    };
    this.#parser.on("text", addText);
    this.#parser.on("cdata", addText);
    this.#parser.on("closetag", () => {
      const ended = this.#open.pop();
      if (ended === undefined) return;
      const parent = this.#open.at(-1);
      (parent === undefined ? this.#done : parent.children).push(ended);
      if (parent === undefined) this.#characters = 0;
    });
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  close(): void {
    this.#parser.close();
  }

  /** The elements that have ended since the last call. */
  take(): readonly Element[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
