import { ExtractionError } from "../extraction-error.ts";
import { extractText } from "../extract-text.ts";

/**
 * What the child says, one JSON value a line: pages and progress as they come, then exactly one
 * `end` or `error`. A child that ends without either has crashed.
 */
export type ChildLine =
  | { type: "progress"; done: number; total: number }
  | { type: "page"; number: number; text: string }
  | {
      type: "end";
      mediaType: string;
      metadata: { title?: string; author?: string; createdAt?: string };
      warnings: string[];
    }
  | { type: "error"; code: string; message: string };

/** Progress is told at most this often: a line a page is enough for a bar, and cheap. */
const progressSteps = 100;

/**
 * The child's whole life: reads the document that `arguments` name (path, file name, media type)
 * and writes its lines. Answers the exit code: 0 when it said how it went, 2 when its arguments are
 * not three.
 */
export async function runExtractionChild(io: {
  arguments: readonly string[];
  write(line: string): Promise<void>;
}): Promise<number> {
  const [path, filename, mediaType] = io.arguments;
  if (path === undefined || filename === undefined || mediaType === undefined) return 2;
  const say = (line: ChildLine): Promise<void> => io.write(`${JSON.stringify(line)}\n`);
  let told = 0;
  try {
    const document = await extractText(path, {
      filename,
      mediaType,
      onPage: (page) => say({ type: "page", ...page }),
      onProgress: async (done, total) => {
        const step = Math.floor((done / Math.max(1, total)) * progressSteps);
        if (step <= told && done < total) return;
        told = step;
        await say({ type: "progress", done, total });
      },
    });
    const { metadata, warnings } = document;
    await say({ type: "end", mediaType: document.mediaType, metadata, warnings });
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    await say({ type: "error", code: error.code, message: error.message });
  }
  return 0;
}
