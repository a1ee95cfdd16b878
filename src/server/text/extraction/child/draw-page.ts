import { crashed, type ChildLine } from "./child-lines.ts";
import type { ChildOptions } from "./child-options.ts";
import type { ChildFile, PictureRequest } from "./child-request.ts";
import { ExtractionError, isExtractionErrorCode } from "../extraction-error.ts";
import { WatchedChild } from "./watched-child.ts";

/** The pages before it are read too: 2,000 pages of text take 20 s. */
const timeoutMs = 60_000;
/** A page of 600 dpi within a PDF takes 620 to 810 MiB while it is unpacked. */
const memoryBytes = 960 * 1024 * 1024;

/** A page as people see it; `text` also stands for lines and areas, which are not drawn. */
export type DrawnPage =
  | { readonly kind: "picture"; readonly mediaType: string; readonly bytes: Uint8Array }
  | { readonly kind: "text" }
  | { readonly kind: "blank" };

/**
 * The picture of a page, drawn by a child process with 60 s and 960 MiB; undefined when the
 * document has no such page. Throws ExtractionError, or the signal's reason.
 */
export async function drawPage(
  { path, filename, mediaType }: ChildFile,
  { page, width }: { readonly page: number; readonly width: number },
  { command, signal }: Pick<ChildOptions, "command" | "signal">,
): Promise<DrawnPage | undefined> {
  signal?.throwIfAborted();
  const request: PictureRequest = { pages: [page], width };
  const words = [...command, path, filename, mediaType, JSON.stringify(request)];
  const child = new WatchedChild(words, { cpuMs: timeoutMs });
  let drawn: DrawnPage | undefined;
  try {
    await child.read(
      { timeoutMs, memoryBytes, signal },
      (line) => (drawn = drawnOf(line, page)),
      () => drawn !== undefined,
    );
    return drawn;
  } finally {
    await child.kill();
  }
}

function drawnOf(line: ChildLine, page: number): DrawnPage | undefined {
  if (line.type === "error") {
    throw isExtractionErrorCode(line.code)
      ? new ExtractionError(line.code, line.message)
      : crashed();
  }
  if (line.type === "end" || line.type === "progress") return undefined;
  if (line.number !== page) throw crashed();
  if (line.type === "blank") return { kind: "blank" };
  if (line.type === "page") return { kind: "text" };
  return { kind: "picture", mediaType: line.mediaType, bytes: Buffer.from(line.data, "base64") };
}
