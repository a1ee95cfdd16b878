import type { PageWriter } from "../../extracted-document.ts";
import type { ExtractionLimits } from "../../extraction-limits.ts";
import type { OfficePackage } from "../office.ts";
import { contentOfObject, type EmbeddedFile } from "./linked-objects.ts";

/** Reads a file within a document into the same document, or adds a warning. */
export type FileReader = (
  bytes: Uint8Array,
  file: { filename: string; mediaType: string },
) => Promise<void>;

/** The files of an Office document, except the workbooks of charts, whose text the charts show. */
export function* filesIn(file: OfficePackage): Generator<EmbeddedFile, void, void> {
  const charts = [...file.names].filter((name) => /\/charts\/[^/]+\.xml$/.test(name));
  const ofCharts = new Set(
    charts.flatMap((chart) => [...file.relationships(chart).values()].map(({ target }) => target)),
  );
  for (const name of file.names) {
    const own = /\/embeddings\/([^/]+)$/.exec(name)?.[1];
    if (own === undefined || ofCharts.has(name)) continue;
    yield { name: own, bytes: file.readablePart(name) };
  }
}

/**
 * Reads the files that are within a document on pages after its text, each one once. Names those
 * that can't be read.
 */
export async function readFiles(
  files: Iterable<EmbeddedFile> | AsyncIterable<EmbeddedFile>,
  { limits, writer, read }: { limits: ExtractionLimits; writer: PageWriter; read: FileReader },
): Promise<void> {
  const known = new Set<string>();
  let formulas = 0;
  for await (const { name, bytes } of files) {
    const key = Bun.hash(bytes).toString();
    if (known.has(key)) continue;
    if (known.size === limits.attachments) {
      writer.leaveOut(
        `The first ${limits.attachments} files within this document are read. The file ${name} ` +
          "and those after it were not read.",
      );
      break;
    }
    known.add(key);
    const content = await contentOfObject(name, bytes);
    if (content === "formula") formulas += 1;
    else if (content === "unknown") {
      writer.warn(`The object ${name} within this document was read as its picture only.`);
    } else if (content !== "nothing") {
      await read(content.bytes, { filename: content.name, mediaType: "" });
    }
  }
  if (formulas > 0) writer.leaveOut(formulasUnread(formulas));
}

function formulasUnread(count: number): string {
  const which = count === 1 ? "A formula" : `${count} formulas`;
  const verb = count === 1 ? "was" : "were";
  return (
    `${which} of this document ${verb} not read, because an older formula editor made them. ` +
    "Save the document as a PDF and send that too."
  );
}
