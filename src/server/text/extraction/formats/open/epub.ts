import { metadataFrom, type FormatReader } from "../../extracted-document.ts";
import { corrupt, encrypted } from "../../extraction-error.ts";
import type { ExtractionLimits } from "../../extraction-limits.ts";
import { writePictures } from "../pictures/embedded-pictures.ts";
import { decodeText } from "../encoding.ts";
import { htmlToText } from "../html.ts";
import { attribute, readXml } from "../xml.ts";
import { openZip, type ZipArchive } from "../zip.ts";

const what = "EPUB book";

/**
 * Reads an EPUB (EPUB 3.3 and 2): its documents in the order of the spine, each apart, then its
 * pictures. A document that is missing, or is no web page, is named as left out.
 */
export const extractEpub: FormatReader = async (bytes, limits, writer) => {
  const archive = openZip(bytes, limits, what);
  const { path, items, spine, metadata } = packageOf(archive, limits);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const locked = lockedParts(archive, limits);
  let done = 0;
  for (const id of spine) {
    const item = items.get(id);
    const name = item === undefined ? "" : resolved(folder, item.href);
    if (locked.has(name)) throw encrypted(what);
    const part = item === undefined ? null : archive.read(name);
    if (part === null || !/html|xml/.test(item?.type ?? "")) {
      writer.leaveOut(`The part ${name === "" ? id : name} of this book was not read.`);
    } else await writer.flow(htmlToText(await decodeText(part), limits).text);
    done += 1;
    await writer.progress(done, spine.length);
  }
  await writePictures(writer, picturesOf(archive, items.values(), folder));
  return metadataFrom(metadata.get("title"), metadata.get("creator"), metadata.get("date"));
};

interface Item {
  readonly href: string;
  readonly type: string;
}

/** The package document: its path, the parts by their ids, their order, and the metadata. */
function packageOf(archive: ZipArchive, limits: ExtractionLimits) {
  let path = "";
  const container = archive.read("META-INF/container.xml");
  if (container === null) throw corrupt(what);
  const openContainer = (name: string, attributes: Record<string, string>): void => {
    if (name === "rootfile" && path === "") path = attribute(attributes, "full-path") ?? "";
  };
  readXml(container, { open: openContainer }, limits, what);
  const bytes = archive.read(path);
  if (bytes === null) throw corrupt(what);
  const items = new Map<string, Item>();
  const spine: string[] = [];
  const metadata = new Map<string, string>();
  let current = "";
  readXml(
    bytes,
    {
      open(name, attributes) {
        current = metadata.has(name) ? "" : name;
        const { id = "", href = "", idref = "" } = attributes;
        if (name === "item") items.set(id, { href, type: attributes["media-type"] ?? "" });
        else if (name === "itemref" && idref !== "") spine.push(idref);
      },
      close: () => (current = ""),
      text(text) {
        if (!/^(?:title|creator|date)$/.test(current)) return;
        metadata.set(current, (metadata.get(current) ?? "") + text);
      },
    },
    limits,
    what,
  );
  return { path, items, spine, metadata };
}

/** The parts that are encrypted; fonts often are, and the text is readable then. */
function lockedParts(archive: ZipArchive, limits: ExtractionLimits): ReadonlySet<string> {
  const bytes = archive.read("META-INF/encryption.xml");
  const names = new Set<string>();
  if (bytes === null) return names;
  const open = (name: string, attributes: Record<string, string>): void => {
    if (name === "CipherReference") names.add(unescaped(attribute(attributes, "URI") ?? ""));
  };
  readXml(bytes, { open }, limits, what);
  return names;
}

function* picturesOf(archive: ZipArchive, items: Iterable<Item>, folder: string) {
  for (const { href, type } of items) {
    if (!type.startsWith("image/")) continue;
    const name = resolved(folder, href);
    yield { name, bytes: archive.read(name) ?? new Uint8Array() };
  }
}

/** The name of a part by a reference from a folder, without its fragment. */
function resolved(folder: string, reference: string): string {
  const parts: string[] = [];
  for (const piece of `${folder}${unescaped(reference.replace(/#.*$/, ""))}`.split("/")) {
    if (piece === "..") parts.pop();
    else if (piece !== "." && piece !== "") parts.push(piece);
  }
  return parts.join("/");
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
