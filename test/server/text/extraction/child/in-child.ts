import type { ChildOptions } from "#server/text/extraction/child/child-options.ts";
import { extractInChild } from "#server/text/extraction/child/extract-in-child.ts";
import type { ExtractedDocument } from "#server/text/extraction/extracted-document.ts";
import { svcExecutable } from "#test/support/svc.ts";
import { withFile } from "../formats/build-files.ts";

/** The last compiler of WebAssembly would take a sixth of the time of a page in a picture. */
export const command = ["/usr/bin/env", "BUN_JSC_useOMGJIT=0", await svcExecutable(), "__extract"];

/**
 * Extracts this content in a child, with the product's code unless `options` give another program.
 */
export async function inChild(
  content: string | Uint8Array,
  options: Partial<ChildOptions> = {},
  filename = "file",
): Promise<ExtractedDocument> {
  return await withFile(content, (path) =>
    extractInChild({ path, filename, mediaType: "" }, { command, ...options }),
  );
}
