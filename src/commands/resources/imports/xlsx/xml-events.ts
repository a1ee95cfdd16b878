import { SaxesParser } from "saxes";
import { ZipError } from "./zip-file.ts";

/** Called for each element and text; names are without prefixes. */
export interface XmlEvents {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(value: string): void;
}

/** Parses a stream of XML; yields after each chunk. Throws {@link ZipError} for broken XML. */
export async function* xmlEvents(
  chunks: AsyncIterable<Uint8Array>,
  { open, close, text }: XmlEvents,
): AsyncGenerator<void, void, undefined> {
  const parser = new SaxesParser();
  const failed = (error: Error): never => {
    throw new ZipError(`its XML is broken: ${error.message}`);
  };
  const bare = (name: string): string => name.slice(name.indexOf(":") + 1);
  parser.on("error", failed);
  parser.on("doctype", () => failed(new Error("it declares a document type")));
  if (open !== undefined) {
    // The parser has no namespaces, so that each attribute is a text.
    parser.on("opentag", ({ name, attributes }) => open(bare(name), attributes));
  }
  if (close !== undefined) parser.on("closetag", ({ name }) => close(bare(name)));
  if (text !== undefined) {
    parser.on("text", text);
    parser.on("cdata", text);
  }
  const decoder = new TextDecoder();
  let isEmpty = true;
  for await (const chunk of chunks) {
    isEmpty = false;
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  // A workbook may lack a part.
  if (isEmpty) return;
  parser.write(decoder.decode()).close();
  yield;
}

/** Parses all of a stream. */
export async function readXml(chunks: AsyncIterable<Uint8Array>, events: XmlEvents): Promise<void> {
  for await (const _chunk of xmlEvents(chunks, events)) continue;
}
