import { metadataFrom, type DocumentMetadata } from "../extracted-document.ts";
import { corrupt, ExtractionError } from "../extraction-error.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";
import { readXml, type XmlHandler } from "./xml.ts";
import { openZip, type ZipArchive } from "./zip.ts";

export type Relationship = { type: string; target: string };

/** A DOCX or XLSX file: parts, relationships, properties (ECMA-376 part 2). */
export class OfficePackage {
  readonly main: string;
  readonly #archive: ZipArchive;
  readonly #limits: ExtractionLimits;
  readonly #what: string;

  /** Throws `corrupt` if the package has no main part. `what` names the format in messages. */
  constructor(bytes: Uint8Array, limits: ExtractionLimits, what: string) {
    this.#archive = openZip(bytes, limits, what);
    this.#limits = limits;
    this.#what = what;
    const main = [...this.relationships("").values()].find(({ type }) => type === "officeDocument");
    if (main === undefined) throw corrupt(what);
    this.main = main.target;
  }

  /** The names of all parts. */
  get names(): ReadonlySet<string> {
    return this.#archive.names;
  }

  /** The relationships of a part ("" is the package) by ID, with targets as part names. */
  relationships(part: string): Map<string, Relationship> {
    const folder = part.slice(0, part.lastIndexOf("/") + 1);
    const bytes = this.#archive.read(`${folder}_rels/${part.slice(folder.length)}.rels`);
    const relationships = new Map<string, Relationship>();
    if (bytes === null) return relationships;
    const open = (name: string, attributes: Record<string, string>): void => {
      const { Id: id, Target: target, Type: type, TargetMode: mode } = attributes;
      if (name !== "Relationship" || mode === "External") return;
      if (id === undefined || target === undefined || type === undefined) return;
      const kind = type.slice(type.lastIndexOf("/") + 1);
      relationships.set(id, { type: kind, target: resolvePart(folder, target) });
    };
    this.readXml(bytes, { open });
    return relationships;
  }

  /** A part's bytes; throws `corrupt` if the part is missing. */
  part(name: string): Uint8Array {
    const bytes = this.#archive.read(name);
    if (bytes === null) throw corrupt(this.#what);
    return bytes;
  }

  optionalPart(name: string | undefined): Uint8Array | null {
    return name === undefined ? null : this.#archive.read(name);
  }

  /** The pictures of a folder of parts, such as `word/media`. */
  *pictures(folder: string): Generator<{ name: string; bytes: Uint8Array }, void, void> {
    for (const part of this.#archive.names) {
      // A folder may be an entry too.
      if (!part.startsWith(`${folder}/`) || part.endsWith("/")) continue;
      yield { name: part.slice(folder.length + 1), bytes: this.readablePart(part) };
    }
  }

  /** A part that may be damaged or too large has no bytes, and the rest is read. */
  readablePart(part: string): Uint8Array {
    try {
      return this.#archive.read(part) ?? new Uint8Array();
    } catch (error) {
      if (error instanceof ExtractionError) return new Uint8Array();
      throw error;
    }
  }

  readXml(bytes: Uint8Array, handler: XmlHandler): void {
    readXml(bytes, handler, this.#limits, this.#what);
  }

  metadata(): DocumentMetadata {
    const bytes = this.#archive.read("docProps/core.xml");
    if (bytes === null) return {};
    const values = new Map<string, string>();
    let current = "";
    this.readXml(bytes, {
      open: (name) => (current = name),
      close: () => (current = ""),
      text: (text) => values.set(current, (values.get(current) ?? "") + text),
    });
    return metadataFrom(values.get("title"), values.get("creator"), values.get("created"));
  }
}

function resolvePart(folder: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const parts: string[] = [];
  for (const piece of `${folder}${target}`.split("/")) {
    if (piece === "..") parts.pop();
    else if (piece !== "." && piece !== "") parts.push(piece);
  }
  return parts.join("/");
}
