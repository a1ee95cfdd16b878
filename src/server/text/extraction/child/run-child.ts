import { ExtractionError } from "../extraction-error.ts";
import { extractText } from "../extract-text.ts";
import type { ChildLine } from "./child-lines.ts";

const progressSteps = 100;

/**
 * The child's program: reads the document of `arguments` (path, file name, media type) and writes
 * its lines. Returns the exit code: 0 after `end` or `error`, 2 for missing arguments.
 */
export async function runExtractionChild(io: {
  arguments: readonly string[];
  write(line: string): Promise<void>;
}): Promise<number> {
  const [path, filename, mediaType] = io.arguments;
  if (path === undefined || filename === undefined || mediaType === undefined) return 2;
  const send = (line: ChildLine): Promise<void> => io.write(`${JSON.stringify(line)}\n`);
  let sentStep = 0;
  try {
    const document = await extractText(path, {
      filename,
      mediaType,
      onPage: (page) => send({ type: "page", ...page }),
      onProgress: async (done, total) => {
        const step = Math.floor((done / Math.max(1, total)) * progressSteps);
        if (step <= sentStep && done < total) return;
        sentStep = step;
        await send({ type: "progress", done, total });
      },
    });
    const { metadata, warnings } = document;
    await send({ type: "end", mediaType: document.mediaType, metadata, warnings });
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    await send({ type: "error", code: error.code, message: error.message });
  }
  return 0;
}
