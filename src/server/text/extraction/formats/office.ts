import type { DocumentMetadata } from "../extracted-document.ts";
import { corrupt } from "../extraction-error.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";
import { normalizeWords } from "../normalize-text.ts";
import { readXml } from "./xml.ts";
import type { ZipArchive } from "./zip.ts";

/**
 * What DOCX and XLSX share (ECMA-376 part 2, Open Packaging Conventions): parts, relationships,
 * properties.
 */
export type Relationship = { type: string; target: string };

/** The relationships of a part ("" is the package) by id, targets resolved to part names. */
export function readRelationships(
  archive: ZipArchive,
  part: string,
  limits: ExtractionLimits,
  what: string,
): Map<string, Relationship> {
  const slash = part.lastIndexOf("/");
  const folder = slash === -1 ? "" : part.slice(0, slash + 1);
  const bytes = archive.read(`${folder}_rels/${part.slice(slash + 1)}.rels`);
  const relationships = new Map<string, Relationship>();
  if (bytes === null) return relationships;
  const open = (name: string, attributes: Record<string, string>): void => {
    const { Id: id, Target: target, Type: type, TargetMode: mode } = attributes;
    if (name !== "Relationship" || mode === "External") return;
    if (id === undefined || target === undefined || type === undefined) return;
    const kind = type.slice(type.lastIndexOf("/") + 1);
    relationships.set(id, { type: kind, target: resolvePart(folder, target) });
  };
  readXml(bytes, { open }, limits, what);
  return relationships;
}

/** The part that the package names as its document; without one the file is not of this format. */
export function mainPart(archive: ZipArchive, limits: ExtractionLimits, what: string): string {
  for (const relationship of readRelationships(archive, "", limits, what).values()) {
    if (relationship.type === "officeDocument") return relationship.target;
  }
  throw corrupt(what);
}

/** A part's bytes; a part that is named but missing means a damaged file. */
export function readPart(archive: ZipArchive, name: string, what: string): Uint8Array {
  const bytes = archive.read(name);
  if (bytes === null) throw corrupt(what);
  return bytes;
}

/** Title, author and creation time from the package's core properties. */
export function readCoreProperties(
  archive: ZipArchive,
  limits: ExtractionLimits,
  what: string,
): DocumentMetadata {
  const bytes = archive.read("docProps/core.xml");
  if (bytes === null) return {};
  const values = new Map<string, string>();
  let current = "";
  readXml(
    bytes,
    {
      open: (name) => (current = name),
      close: () => (current = ""),
      text: (text) => values.set(current, (values.get(current) ?? "") + text),
    },
    limits,
    what,
  );
  return metadataFrom(values.get("title"), values.get("creator"), values.get("created"));
}

/** Metadata with only what is there: blank values and times that are no times are left out. */
export function metadataFrom(
  title: string | undefined,
  author: string | undefined,
  created: string | undefined,
): DocumentMetadata {
  const metadata: DocumentMetadata = {};
  const [titleWords, authorWords] = [normalizeWords(title ?? ""), normalizeWords(author ?? "")];
  if (titleWords !== "") metadata.title = titleWords;
  if (authorWords !== "") metadata.author = authorWords;
  const time = created === undefined ? Number.NaN : Date.parse(created);
  if (!Number.isNaN(time)) metadata.createdAt = new Date(time).toISOString();
  return metadata;
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
