import { metadataFrom, type DocumentMetadata } from "../../extracted-document.ts";
import type { ExtractionLimits } from "../../extraction-limits.ts";
import { readXml } from "../xml.ts";

const what = "OpenDocument file";
const paragraphs = new Set(["p", "h"]);
const letter = /\p{L}/u;

/** LibreOffice writes this in the place of a page's number. */
const pageNumber = "<number>";
const aroundPages = /^(?:(?:header|footer)(?:-left|-first)?|master-page)$/;

/** The headers, footers and master slides of styles.xml that have more than a page's number. */
export function headersIn(bytes: Uint8Array, limits: ExtractionLimits): string[] {
  const texts: string[] = [];
  /** The texts of a master page and of the header within it. */
  const open: string[] = [];
  let inParagraph = 0;
  const add = (text: string): void => {
    const last = open.pop();
    if (last !== undefined) open.push(last + text);
  };
  // A field of a paragraph may be called header too.
  const isAround = (name: string): boolean => inParagraph === 0 && aroundPages.test(name);
  readXml(
    bytes,
    {
      open(name) {
        if (isAround(name)) open.push("");
        else if (paragraphs.has(name)) inParagraph += 1;
        else if (name === "tab") add("\t");
      },
      close(name) {
        if (isAround(name)) texts.push((open.pop() ?? "").trim());
        else if (paragraphs.has(name)) {
          inParagraph -= 1;
          add("\n");
        }
      },
      text(value) {
        if (inParagraph > 0) add(value.replaceAll(/\s+/g, " ").replaceAll(pageNumber, ""));
      },
    },
    limits,
    what,
    { hasDoctype: true },
  );
  return texts.filter((text) => letter.test(text));
}

/** The metadata of meta.xml, or of a flat file, whose body begins after them. */
export function metadataIn(bytes: Uint8Array, limits: ExtractionLimits): DocumentMetadata {
  const values = new Map<string, string>();
  let current = "";
  let isBody = false;
  readXml(
    bytes,
    {
      open(name) {
        isBody ||= name === "body";
        current = name;
      },
      close: () => (current = ""),
      text(text) {
        if (!isBody) values.set(current, (values.get(current) ?? "") + text);
      },
    },
    limits,
    what,
    { hasDoctype: true },
  );
  const author = values.get("initial-creator") ?? values.get("creator");
  return metadataFrom(values.get("title"), author, values.get("creation-date"));
}
