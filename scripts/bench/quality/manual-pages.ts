import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A manual page of this machine, without its NAME section. */
export interface ManualPage {
  /** The file's name, e.g. `ls.1`. */
  readonly name: string;
  /** The description of the NAME section. */
  readonly description: string;
  readonly text: string;
}

const directory = "/usr/share/man";
const sections = ["man1", "man5", "man7", "man8"];
const leastText = 300;
const leastDescription = 8;
const longestSource = 400_000;
/** One family would be most of the pages. */
const pagesOfOneFamily = 200;

/**
 * The manual pages of a language with their own text, in the order of their names, at most `limit`.
 * `language` is a folder of translations; English without one.
 */
export async function manualPages(limit: number, language = ""): Promise<ManualPage[]> {
  const pages: ManualPage[] = [];
  const families = new Map<string, number>();
  const seen = new Set<number | bigint>();
  for (const section of sections) {
    const folder = join(directory, language, section);
    const names = await readdir(folder).catch(() => []);
    for (const name of names.toSorted((one, other) => (one < other ? -1 : 1))) {
      const family = /^[a-z0-9]+/i.exec(name)?.[0] ?? name;
      const known = families.get(family) ?? 0;
      if (known >= pagesOfOneFamily) continue;
      const source = await sourceOf(join(folder, name));
      const hash = Bun.hash(source);
      if (seen.has(hash)) continue;
      seen.add(hash);
      const first = language === "" ? english : translated;
      const page = pageOf(name.replace(/\.gz$/, ""), source, first);
      if (page === undefined) continue;
      families.set(family, known + 1);
      pages.push(page);
    }
  }
  return spread(pages, limit);
}

/** Pages from all over the list. */
function spread(pages: readonly ManualPage[], limit: number): ManualPage[] {
  if (pages.length <= limit) return [...pages];
  return pages.filter(
    (_page, index) =>
      Math.floor((index * limit) / pages.length) !==
      Math.floor(((index - 1) * limit) / pages.length),
  );
}

async function sourceOf(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    return text.length > longestSource ? "" : text;
  } catch {
    return "";
  }
}

/** The first section, which says what a page is about; translations have their own word for it. */
const english = /^\.S[Hh]\s+"?NAME"?[^\n]*\n([^]*?)(?=^\.S[Hh]\s)/m;
const translated = /^\.S[Hh]\s+[^\n]*\n([^]*?)(?=^\.S[Hh]\s)/m;

function pageOf(name: string, source: string, first: RegExp): ManualPage | undefined {
  const section = first.exec(source);
  if (section === null) return undefined;
  const [whole, inside = ""] = section;
  const named = /^\.Nd\s+(.*)$/m.exec(inside)?.[1];
  const line = plain(inside).replace(/\s+/g, " ");
  const description = named === undefined ? /\s[-–—]+\s+(.*)$/.exec(line)?.[1] : plain(named);
  const before = source.slice(0, section.index);
  const text = plain(before + source.slice(section.index + whole.length));
  if (description === undefined || description.length < leastDescription) return undefined;
  return text.length < leastText ? undefined : { name, description: description.trim(), text };
}

const layout =
  /^\.(?:ds|de|ie|el|if|nr|tr|rm|ft|ne|sp|nf|fi|ad|hy|TH|Dd|Dt|Os|\.)(?:\s|$)|^[.']\s*\\"|^\.\./;

/** The words of a source without its macros. */
function plain(source: string): string {
  const lines = source.split("\n").flatMap((line) => {
    if (layout.test(line)) return [];
    const [, macro, rest = ""] = /^[.']\s*([A-Za-z]+)\s*(.*)$/.exec(line) ?? [];
    if (macro === undefined) return [line];
    const words = rest.replaceAll('"', "");
    if (/^S[HSh]$|^Ss$/.test(macro)) return ["", words, ""];
    if (/^(?:TP|PP|P|LP|IP|Pp|br|RS|RE)$/.test(macro)) return ["", words];
    return [words];
  });
  return lines
    .join("\n")
    .replaceAll(/\\f(?:\[[^\]]*\]|\(..|.)|\\[&|^/,]|\\\*(?:\(..|\[[^\]]*\]|.)|\\s[-+]?\d/g, "")
    .replaceAll("\\-", "-")
    .replaceAll(/\\\((?:aq|cq|oq)/g, "'")
    .replaceAll("\\e", "\\")
    .replaceAll("\\ ", " ")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
