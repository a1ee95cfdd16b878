import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { mebibytes, perSecond, renderGroup, type Row } from "./figures.ts";
import { keptChildren } from "./documents/kept-children.ts";
import { scannedPage } from "./documents/scanned-page.ts";
import { textPdf } from "./documents/text-pdf.ts";
import { wordsText } from "./documents/words-text.ts";
import { preparePlatform, type BenchPlatform } from "./platform.ts";
import { forgetPeak, processMemory, untilIdle } from "#test/support/process-use.ts";

export interface DocumentsOptions {
  /** Short texts that are uploaded and indexed, 100,000 for the goal. */
  readonly documents: number;
  /** A folder whose PDF files are read; without it files are made. */
  readonly pdfs?: string | undefined;
}

const goals = { pagesPerSecond: 300, growth: 1.25 } as const;
const madeFiles = 24;
const pagesOfFile = 100;
const madeTexts = 100;
/** Documents of one scanned page each. */
const scannedDocuments = 8;
const filesOfRequest = 50;
/** Requests whose jobs are followed at the same time. */
const jobsAtOnce = 6;
const looks = 10;
/** Cores that the goal names, and programs of the baseline that run at the same time. */
const cores = 2;
const waitMs = 3_600_000;

/**
 * `npm run bench -- documents`: a scanned page; pages of PDF files extracted and indexed per
 * second, next to the PDF library alone; then memory while many documents are indexed.
 */
export async function benchDocuments(directory: string, options: DocumentsOptions): Promise<void> {
  const scan = scannedPage(directory);
  console.log(`${renderGroup(scan, await scan.measure())}\n`);
  const files = await pdfFiles(directory, options.pdfs);
  const scans = Array<string>(scannedDocuments).fill(join(directory, "scan.png"));
  const kept = [
    keptChildren(files),
    keptChildren(await textFiles(directory)),
    keptChildren(scans, "scanned pages"),
  ];
  for (const group of [...kept, ...files.slice(0, 1).map(wordsText)]) {
    console.log(`${renderGroup(group, await group.measure())}\n`);
  }
  const baseline = await readPlainly(files);
  const place = join(directory, "documents");
  await mkdir(place);
  const platform = await preparePlatform(place);
  try {
    await indexPages(platform, files.slice(0, 1));
    const { pages, elapsedMs } = await indexPages(platform, files.slice(1));
    const rate = (pages * 1000) / elapsedMs;
    const rows: Row[] = [
      { name: `the PDF library alone, ${cores} processes`, figures: [perSecond(baseline), ""] },
      {
        name: "svc, extracted and indexed",
        figures: [perSecond(rate), verdict(rate >= goals.pagesPerSecond)],
      },
    ];
    const name = `pages of ${files.length} PDF files (goal ${goals.pagesPerSecond}/s)`;
    console.log(`${renderGroup({ name, columns: ["pages", "goal"] }, rows)}\n`);
    await benchMemory(platform, options.documents);
  } finally {
    await platform.running.stop();
  }
}

async function benchMemory(platform: BenchPlatform, documents: number): Promise<void> {
  const { pid } = platform.running;
  const rows: Row[] = [];
  const own: number[] = [];
  const part = Math.ceil(documents / looks);
  for (let done = 0; done < documents;) {
    const count = Math.min(part, documents - done);
    await forgetPeak(pid);
    const startedAt = performance.now();
    await indexTexts(platform, done, count);
    const rate = (count * 1000) / (performance.now() - startedAt);
    done += count;
    await untilIdle(pid);
    const memory = await processMemory(pid);
    own.push(memory.own);
    const figures = [perSecond(rate), ...[memory.own, memory.peak].map(mebibytes)];
    rows.push({ name: `${done.toLocaleString("en")} documents`, figures });
    console.error(`  ${rows.at(-1)?.name}: ${figures.join(", ")}`);
  }
  // The first fifth fills caches that have a bound.
  const [early = Number.NaN, last = Number.NaN] = [own[1] ?? own[0], own.at(-1)];
  const growth = last / early;
  rows.push({
    name: `last of the second (goal at most ${goals.growth})`,
    figures: [`${growth.toFixed(2)} x`, verdict(growth <= goals.growth), ""],
  });
  const columns = ["indexed", "own memory", "peak"];
  console.log(`${renderGroup({ name: "many documents", columns }, rows)}\n`);
}

function verdict(holds: boolean): string {
  return holds ? "holds" : "missed";
}

async function pdfFiles(directory: string, folder: string | undefined): Promise<string[]> {
  if (folder !== undefined) {
    const names = await readdir(folder);
    const found = names.filter((name) => name.toLowerCase().endsWith(".pdf")).toSorted();
    if (found.length < 2) throw new Error(`${folder} has fewer than two PDF files`);
    return found.map((name) => join(folder, name));
  }
  const made = join(directory, "pdfs");
  await mkdir(made);
  const files: string[] = [];
  for (let index = 0; index < madeFiles; index += 1) {
    const path = join(made, `report-${index}.pdf`);
    await Bun.write(path, textPdf(index, pagesOfFile));
    files.push(path);
  }
  return files;
}

async function textFiles(directory: string): Promise<string[]> {
  const paths = Array.from({ length: madeTexts }, (_, at) => join(directory, `note-${at}.txt`));
  await Promise.all(paths.map((path, at) => Bun.write(path, noteOf(at))));
  return paths;
}

/** Pages per second of the library's plain text, without places, tables or an index. */
async function readPlainly(files: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const counts = await Promise.all(
    Array.from({ length: cores }, async (_, first) => {
      const own = files.filter((__, index) => index % cores === first);
      const program = join(import.meta.dirname, "documents/plain-pdf.ts");
      const child = Bun.spawn([process.execPath, program, ...own], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const text = await child.stdout.text();
      if ((await child.exited) !== 0) throw new Error("the PDF library alone has failed");
      return Number(text);
    }),
  );
  const pages = counts.reduce((sum, count) => sum + count, 0);
  return (pages * 1000) / (performance.now() - startedAt);
}

async function indexPages(
  platform: BenchPlatform,
  files: readonly string[],
): Promise<{ readonly pages: number; readonly elapsedMs: number }> {
  const sent = await Promise.all(
    files.map(async (path) => new File([await readFile(path)], path.split("/").at(-1) ?? "a.pdf")),
  );
  const startedAt = performance.now();
  const ids = await Promise.all(sent.map(async (file) => await indexFiles(platform, [file])));
  const elapsedMs = performance.now() - startedAt;
  const documents = platform.client.useDocuments();
  const records = await Promise.all(ids.flat().map(async (id) => await documents.record(id)));
  return { pages: records.reduce((sum, { pages }) => sum + Number(pages ?? 0), 0), elapsedMs };
}

async function indexTexts(platform: BenchPlatform, first: number, count: number): Promise<void> {
  const starts = Array.from(
    { length: Math.ceil(count / filesOfRequest) },
    (_, index) => first + index * filesOfRequest,
  ).values();
  const send = async (): Promise<void> => {
    // The senders share the iterator.
    for (const start of starts) {
      const length = Math.min(filesOfRequest, first + count - start);
      const files = Array.from(
        { length },
        (_, offset) => new File([noteOf(start + offset)], `note-${start + offset}.txt`),
      );
      await indexFiles(platform, files);
    }
  };
  await Promise.all(Array.from({ length: jobsAtOnce }, send));
}

/** Sends files in one request and waits for their job; answers the ids of the documents. */
async function indexFiles(platform: BenchPlatform, files: readonly File[]): Promise<string[]> {
  const documents = platform.client.useDocuments();
  const outcome = await documents.upload(files, { planningApplicationId: platform.ids[0] ?? "" });
  const accepted = await outcome.accepted();
  const { outcome: end } = await documents.waitForJob(accepted.jobId, {
    waitMs,
  });
  if (end !== "succeeded") throw new Error(`a job of ${files.length} documents is ${end}`);
  return (accepted.documents ?? []).map(({ documentId }) => documentId);
}

/** A letter of some sentences, different from all others. */
function noteOf(index: number): string {
  const lines = Array.from(
    { length: 6 },
    (_, line) =>
      `Note ${index}.${line}: the neighbour at ${(index * 31 + line * 7) % 400} Quay Street asks ` +
      `about ${subjects[(index + line) % subjects.length]} of application B-${index}.`,
  );
  return `Letter ${index} to the planning office\n\n${lines.join("\n")}\n`;
}

const subjects = ["the wall", "the drainage", "the trees", "the parking", "the noise", "the roof"];
