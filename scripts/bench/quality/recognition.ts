import { join } from "node:path";
import { given } from "#lib/given.ts";
import type { PageText } from "#server/text/extraction/extracted-document.ts";
import { unsureOf } from "#server/text/tables/words-text.ts";
import { accuracy } from "../../../test/server/text/ocr/notice.ts";
import { executable } from "../../build/executable.ts";
import { mebibytes, type Group, type Row } from "../figures.ts";
import { scannedPages, type ScannedPage } from "./pages/scanned-pages.ts";

const seed = 1;
const modes = { "one block": "6", automatic: "3" };

/** The line of a page, whose words are JSON in it. */
type Child = Partial<Omit<PageText, "words">> & { readonly words?: string };

interface Read {
  readonly text: string;
  readonly page: PageText;
  readonly seconds: number;
  readonly peak: number;
}

/**
 * Pages as offices scan them: the share of right characters, next to the engine alone in two of its
 * modes; the processor time and the memory of the child that reads a page.
 */
export function recognitionQuality(directory: string): Group {
  return {
    name: "scanned pages of each kind (goal 0.95, 3 s)",
    columns: ["characters", ...Object.keys(modes), "processor", "peak of the child"],
    async measure() {
      const pages = await scannedPages(seed);
      const paths = pages.map(({ name }) => join(directory, name));
      await Promise.all(pages.map(({ picture }, at) => Bun.write(paths[at] ?? "", picture)));
      const reads: Read[] = [];
      for (const path of paths) reads.push(await readPage(path));
      const alone: string[][] = [];
      for (const mode of Object.values(modes)) alone.push(await readAlone(mode, paths));
      const kinds = [...new Set(pages.map(({ kind }) => kind))];
      return [...kinds, undefined].map((kind) => rowOf(kind, pages, reads, alone));
    },
  };
}

/** The figures of one kind, or of all pages. */
function rowOf(
  kind: string | undefined,
  pages: readonly ScannedPage[],
  reads: readonly Read[],
  alone: readonly (readonly string[])[],
): Row {
  const wanted = [...pages.keys()].filter((at) => kind === undefined || pages[at]?.kind === kind);
  const shareOf = (texts: readonly string[]): string =>
    mean(wanted.map((at) => share(texts[at] ?? "", pages[at]?.text ?? ""))).toFixed(3);
  const seconds = mean(wanted.map((at) => reads[at]?.seconds ?? 0));
  return {
    name: kind ?? `all ${pages.length} pages`,
    figures: [
      shareOf(reads.map(({ text }) => text)),
      ...alone.map(shareOf),
      `${seconds.toFixed(1)} s`,
      mebibytes(Math.max(...wanted.map((at) => reads[at]?.peak ?? 0))),
    ],
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function share(text: string, written: string): number {
  const joined = (value: string): string => value.replace(/\s+/g, " ").trim();
  return Math.max(0, accuracy(joined(text), joined(written)));
}

/** The page of a picture, as the child that reads pictures gives it. */
export async function readPage(path: string): Promise<Read> {
  const child = Bun.spawn([executable, "__extract", path, "page", "", '{"pages":[1]}'], {
    env: {},
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = await child.stdout.text();
  await child.exited;
  const use = child.resourceUsage();
  const line = output.split("\n").find((each) => each.includes('"type":"page"')) ?? "{}";
  // The child is this build's own.
  const { number = 1, text = "", tables, words = null } = JSON.parse(line) as Child;
  return {
    text,
    page: { number, text, ...given({ tables, unsure: unsureOf(words) }) },
    seconds: Number(use?.cpuTime.total ?? 0) / 1e6,
    peak: use?.maxRSS ?? 0,
  };
}

async function readAlone(mode: string, paths: readonly string[]): Promise<string[]> {
  const program = join(import.meta.dirname, "pages/engine-alone.ts");
  const child = Bun.spawn([process.execPath, program, mode, ...paths], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = await child.stdout.text();
  return output.split("\n").flatMap((line) => (line === "" ? [] : [String(JSON.parse(line))]));
}
