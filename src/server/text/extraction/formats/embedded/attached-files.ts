import type { getDocument } from "pdfjs-dist";
import type { EmbeddedFile } from "./linked-objects.ts";

type PdfDocument = Awaited<ReturnType<typeof getDocument>["promise"]>;

/** The name of an attached file, and the key with which the library gives its content. */
export interface AttachedFile {
  readonly key: string;
  readonly name: string;
}

/**
 * Data that say the same as the pages: those of an electronic invoice (Factur-X 1.07, 6.2) and the
 * formulas of LaTeX; and the settings with which Acrobat made the file.
 */
const repeating = /^(?:factur-x|zugferd-invoice|xrechnung|order-x|mathml-\d+)\.xml$|\.joboptions$/i;

/** The files of the document as a whole. A damaged list of them is no reason to lose the text. */
export async function attachedFiles(document: PdfDocument): Promise<AttachedFile[]> {
  const list: unknown = await document.getAttachments().catch(() => null);
  if (!(list instanceof Map)) return [];
  return [...list].flatMap(([key, file]) => fileNamed(key, file));
}

/** The file that an annotation of a page is. */
export function fileOfNote(annotation: object): AttachedFile[] {
  return fileNamed(Reflect.get(annotation, "fileId"), Reflect.get(annotation, "file"));
}

function fileNamed(key: unknown, file: unknown): AttachedFile[] {
  if (typeof key !== "string" || typeof file !== "object" || file === null) return [];
  const name: unknown = Reflect.get(file, "filename");
  const known = typeof name === "string" && name !== "" ? name : "attachment";
  return repeating.test(known) ? [] : [{ key, name: known }];
}

/** The contents, one after another; `onDamaged` receives the names of those that have none. */
export async function* contentsOf(
  document: PdfDocument,
  files: readonly AttachedFile[],
  onDamaged: (name: string) => void,
): AsyncGenerator<EmbeddedFile, void, void> {
  for (const { key, name } of files) {
    const bytes: unknown = await document.getAttachmentContent(key).catch(() => null);
    if (bytes instanceof Uint8Array) yield { name, bytes };
    else onDamaged(name);
  }
}
