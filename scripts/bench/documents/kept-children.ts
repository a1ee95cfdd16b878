import { extractInChild } from "#server/text/extraction/child/extract-in-child.ts";
import { KeptChildren } from "#server/text/extraction/child/kept-children.ts";
import { executable } from "../../build/executable.ts";
import type { Group } from "../figures.ts";

const atOnce = 2;
const command = [executable, "__extract"];

/** The gain from extraction processes that the documents of a workspace share. */
export function keptChildren(files: readonly string[], what = "files"): Group {
  return {
    name: `extraction of ${files.length} ${what}, ${atOnce} at once`,
    columns: ["files", "of the first"],
    async measure() {
      const children = new KeptChildren(command);
      const alone = await filesPerSecond(files);
      const kept = await filesPerSecond(files, { children, share: "bench" });
      await children.close();
      return [
        { name: "a process for each file", figures: [`${alone.toFixed(1)}/s`, "1.00 x"] },
        {
          name: "kept processes",
          figures: [`${kept.toFixed(1)}/s`, `${(kept / alone).toFixed(2)} x`],
        },
      ];
    },
  };
}

async function filesPerSecond(
  files: readonly string[],
  kept?: { readonly children: KeptChildren; readonly share: string },
): Promise<number> {
  const startedAt = performance.now();
  const waiting = files.values();
  const work = async (): Promise<void> => {
    for (const path of waiting) {
      await extractInChild({ path, filename: "report", mediaType: "" }, { command, kept });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return (files.length * 1000) / (performance.now() - startedAt);
}
