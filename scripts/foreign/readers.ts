import { readdir, mkdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import PostalMime from "postal-mime";
import { extractInChild } from "#server/text/extraction/child/extract-in-child.ts";
import { ExtractionError } from "#server/text/extraction/extraction-error.ts";
import { repository } from "../build/executable.ts";
import { finished } from "../build/finished.ts";
import { findChromium, programOf } from "../tools.ts";
import type { Counterpart, ForeignPlace, ForeignTable } from "./counterpart.ts";

/** The variable with a folder of a person's files, which are read instead. */
const folderVariable = "SVC_FOREIGN_DOCUMENTS";
/** The share of another reader's words from which on a file is read. */
const readShare = 0.97;
/** The share of a folder's files that are read; other readers are wrong about some. */
const filesShare = 0.95;
/** A file with fewer words shows nothing. */
const wordsAtLeast = 5;
const programLimitMs = 60_000;

/** Files that other programs wrote, and the words that other readers find in them. */
export const readers: Counterpart = {
  name: "readers",
  about: `files of pandoc and Chromium, or those of ${folderVariable}, next to other readers`,
  tools: [
    programOf("pandoc", "pandoc"),
    programOf("pdftotext", "poppler-utils"),
    programOf("msgconvert", "libemail-outlook-message-perl"),
    { name: "Chromium", debianPackage: "chromium", find: findChromium },
  ],
  async run(place) {
    const folder = process.env[folderVariable];
    return [await (folder === undefined ? writtenByOthers(place) : filesOf(folder, place))];
  },
};

/** Files by their paths, each with the text that another reader finds in it. */
interface ReadFile {
  readonly path: string;
  readonly format: string;
  readonly text: string;
}

const formatsOfPandoc = ["docx", "odt", "rtf", "epub", "html", "pptx"] as const;

/** The pages of this project's documents in each format, with their words in Markdown. */
async function writtenByOthers(place: ForeignPlace): Promise<ForeignTable> {
  const folder = join(repository, "docs");
  const pages = (await readdir(folder)).filter((name) => name.endsWith(".md"));
  const made = join(place.directory, "made");
  await mkdir(made);
  const files: ReadFile[] = [];
  for (const name of pages) {
    const source = join(folder, name);
    const text = await written(["pandoc", "-f", "gfm", "-t", "plain", "--wrap=none", source]);
    for (const format of formatsOfPandoc) {
      const path = join(made, `${name}.${format}`);
      await written(["pandoc", "-f", "gfm", "-s", "-o", path, source]);
      files.push({ path, format, text });
    }
    const path = join(made, `${name}.pdf`);
    const page = join(made, `${name}.html`);
    const options = ["--headless", "--no-sandbox", "--disable-gpu", `--print-to-pdf=${path}`];
    await written([(await findChromium()) ?? "chromium", ...options, page]);
    files.push({
      path,
      format: "pdf",
      text: await written(["pdftotext", "-enc", "UTF-8", path, "-"]),
    });
    place.note(`${name}: ${formatsOfPandoc.length + 1} files`);
  }
  return await tableOf("files that pandoc and Chromium wrote", files, 1, place);
}

async function filesOf(folder: string, place: ForeignPlace): Promise<ForeignTable> {
  const files: ReadFile[] = [];
  for (const name of (await readdir(folder, { recursive: true })).toSorted()) {
    const path = join(folder, name);
    const text = await otherReader(path, place);
    if (text === undefined) continue;
    files.push({ path, format: extname(path).slice(1).toLowerCase(), text });
  }
  return await tableOf(`files of ${folder}`, files, filesShare, place);
}

/** The text that another reader finds in a file; undefined for a format without one. */
async function otherReader(path: string, place: ForeignPlace): Promise<string | undefined> {
  const format = extname(path).slice(1).toLowerCase();
  switch (format) {
    case "pdf":
      return await output(["pdftotext", "-enc", "UTF-8", path, "-"]);
    case "docx":
    case "odt":
    case "rtf":
    case "epub":
    case "fb2":
      return await output(["pandoc", "-f", format, "-t", "plain", "--wrap=none", path]);
    case "msg":
      return await textOfMessage(path, join(place.directory, `${Bun.hash(path)}.eml`));
    default:
      return undefined;
  }
}

async function textOfMessage(path: string, converted: string): Promise<string | undefined> {
  await output(["msgconvert", "--outfile", converted, path]);
  const file = Bun.file(converted);
  if (!(await file.exists())) return undefined;
  const { subject = "", text = "" } = await PostalMime.parse(await file.bytes());
  return `${subject}\n${text}`;
}

/** The output of a program; undefined when it fails. */
async function output(command: readonly string[]): Promise<string | undefined> {
  const child = Bun.spawn([...command], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: programLimitMs,
  });
  const { stdout, exitCode } = await finished(child);
  return exitCode === 0 ? stdout : undefined;
}

/** The output of a program that must not fail, since its file would not be tried. */
async function written(command: readonly string[]): Promise<string> {
  const text = await output(command);
  if (text === undefined) throw new Error(`${command.join(" ")} failed`);
  return text;
}

interface Figures {
  files: number;
  read: number;
  refused: number;
  shares: number;
}

async function tableOf(
  name: string,
  files: readonly ReadFile[],
  goal: number,
  place: ForeignPlace,
): Promise<ForeignTable> {
  const byFormat = new Map<string, Figures>();
  const below: string[] = [];
  for (const { path, format, text } of files) {
    const wanted = wordsOf(text);
    if (wanted.size < wordsAtLeast) continue;
    const figures = byFormat.get(format) ?? { files: 0, read: 0, refused: 0, shares: 0 };
    byFormat.set(format, figures);
    figures.files += 1;
    const own = await textOf(path, place.executable);
    if (own === undefined) figures.refused += 1;
    const share = shareOf(wanted, own ?? "");
    figures.shares += share;
    if (share >= readShare) figures.read += 1;
    else below.push(`${basename(path)}: ${share.toFixed(3)}`);
  }
  for (const line of below) place.note(line);
  const rows = [...byFormat].map(([format, { files: count, read, refused, shares }]) => ({
    name: format,
    figures: [`${count}`, `${read}`, `${refused}`, (shares / count).toFixed(3)],
  }));
  const failures = [...byFormat]
    .filter(([, figures]) => figures.read < figures.files * goal)
    .map(([format, figures]) => `${figures.files - figures.read} ${format} files lack words`);
  const columns = ["files", `${readShare} of words`, "refused", "mean share"];
  return { name, columns, rows, failures };
}

async function textOf(path: string, executable: string): Promise<string | undefined> {
  try {
    const file = { path, filename: basename(path), mediaType: "application/octet-stream" };
    const { pages } = await extractInChild(file, {
      command: [executable, "__extract"],
      readsPictures: false,
    });
    return pages.map(({ text }) => text).join("\n");
  } catch (error) {
    if (error instanceof ExtractionError) return undefined;
    throw error;
  }
}

const wordPattern = /[\p{L}\p{N}]+/gu;

function wordsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const joined = text.normalize("NFKC").toLowerCase().replaceAll("\u00ad", "");
  for (const [word] of joined.matchAll(wordPattern)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** The share of the wanted words that a text has, also with other spaces between letters. */
function shareOf(wanted: ReadonlyMap<string, number>, text: string): number {
  const own = wordsOf(text);
  const joined = [...text.normalize("NFKC").toLowerCase().matchAll(wordPattern)].join("");
  let all = 0;
  let found = 0;
  for (const [word, count] of wanted) {
    all += count;
    if (own.has(word) || (word.length > 2 && joined.includes(word))) found += count;
  }
  return found / Math.max(1, all);
}
