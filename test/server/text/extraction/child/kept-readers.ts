import { extractInChild } from "#server/text/extraction/child/extract-in-child.ts";
import { KeptChildren } from "#server/text/extraction/child/kept-children.ts";
import type { ReadDocument } from "#server/text/extraction/extracted-document.ts";

export const open: KeptChildren[] = [];

/** Reads files, each with an answer, in the children of one command. */
export function readerOf(command: readonly string[]) {
  const children = new KeptChildren(command);
  open.push(children);
  return (share: string, path: string, memoryLimitBytes?: number): Promise<ReadDocument> =>
    extractInChild(
      { path, filename: "file", mediaType: "" },
      {
        command,
        kept: { children, share },
        ...(memoryLimitBytes === undefined ? {} : { memoryLimitBytes }),
      },
    );
}
