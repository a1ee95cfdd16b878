import { SaxesParser } from "saxes";
import { byteOrderMark } from "./encoding.ts";
import { corrupt, ExtractionError, tooDeep } from "../extraction-error.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";

/** Names come without their namespace prefix. */
export type XmlHandler = {
  open?(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
};

const chunkBytes = 64 * 1024;

/**
 * Parses XML as a stream. Refuses a DOCTYPE, which office formats do not need and whose entities
 * make a "billion laughs" attack; with `hasDoctype` its entities are unknown instead. `what` names
 * the format in messages.
 */
export function readXml(
  bytes: Uint8Array,
  handler: XmlHandler,
  limits: ExtractionLimits,
  what: string,
  { hasDoctype = false }: { readonly hasDoctype?: boolean } = {},
): void {
  const parser = new SaxesParser({ position: false, xmlns: false });
  let depth = 0;
  parser.on("doctype", () => {
    if (hasDoctype) return;
    throw new ExtractionError(
      "corrupt",
      `This ${what} was not read: it declares a document type (DOCTYPE), ` +
        `which no ${what} needs and which can hide an attack.`,
    );
  });
  parser.on("opentag", (tag) => {
    depth += 1;
    if (depth > limits.depth) throw tooDeep(limits.depth);
    handler.open?.(localName(tag.name), tag.attributes);
  });
  parser.on("closetag", (tag) => {
    depth -= 1;
    handler.close?.(localName(tag.name));
  });
  if (handler.text !== undefined) {
    const text = handler.text.bind(handler);
    parser.on("text", text);
    parser.on("cdata", text);
  }
  const decoder = new TextDecoder(byteOrderMark(bytes) ?? "utf-8", { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      parser.write(decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true }));
    }
    parser.write(decoder.decode());
    parser.close();
  } catch (error) {
    throw error instanceof ExtractionError ? error : corrupt(what, error);
  }
}

/** The value of an attribute by its local name, with any prefix. */
export function attribute(
  attributes: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  if (Object.hasOwn(attributes, name)) return attributes[name];
  const key = Object.keys(attributes).find((each) => localName(each) === name);
  return key === undefined ? undefined : attributes[key];
}

function localName(name: string): string {
  const colon = name.indexOf(":");
  return colon === -1 ? name : name.slice(colon + 1);
}
