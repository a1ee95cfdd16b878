import type { ChildOptions } from "#server/text/extraction/child/child-options.ts";
import { extractInChild } from "#server/text/extraction/child/extract-in-child.ts";
import type { ReadDocument } from "#server/text/extraction/extracted-document.ts";
import { extractionProgram } from "#test/support/svc.ts";
import { withFile } from "../formats/build-files.ts";

export const command = await extractionProgram();

/**
 * Extracts this content in a child, with the product's code unless `options` give another program.
 */
export async function inChild(
  content: string | Uint8Array,
  options: Partial<ChildOptions> = {},
  filename = "file",
): Promise<ReadDocument> {
  return await withFile(content, (path) =>
    extractInChild({ path, filename, mediaType: "" }, { command, ...options }),
  );
}
