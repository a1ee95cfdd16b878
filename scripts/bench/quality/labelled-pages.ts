import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { LabelledText } from "#server/text/classification/text-model.ts";

const root = "/usr/share/man";
const sections = ["1", "2", "3", "4", "5", "7", "8"] as const;
const shortest = 300;

/** Words without the requests of the formatter, and without the section that is to be found. */
function plainText(source: string): string {
  return source
    .split("\n")
    .filter((line) => !/^[.'](?:TH|Dt|\\")/.test(line))
    .join("\n")
    .replaceAll(/\\f[A-Z]|\\[-&]|^[.'][A-Za-z]+ ?/gm, " ")
    .replaceAll(/\([1-8][a-z]*\)/g, "");
}

/**
 * Manual pages labelled by their section, at most so many of each, in an order that is the same
 * on every run. A page that only names another one is left out.
 */
export async function labelledPages(mostOfSection: number): Promise<LabelledText[]> {
  const pages: LabelledText[] = [];
  for (const section of sections) {
    const folder = join(root, `man${section}`);
    const names = await readdir(folder).catch(() => []);
    let count = 0;
    for (const name of byHash(names.filter((each) => each.endsWith(".gz")))) {
      if (count >= mostOfSection) break;
      const bytes = await Bun.file(join(folder, name)).bytes();
      const source = new TextDecoder().decode(Bun.gunzipSync(bytes));
      const text = plainText(source);
      if (source.startsWith(".so") || text.length < shortest) continue;
      pages.push({ label: `section-${section}`, text });
      count += 1;
    }
  }
  const order = new Map(byHash(pages.map(({ text }) => text)).map((text, at) => [text, at]));
  return pages.toSorted((one, other) => (order.get(one.text) ?? 0) - (order.get(other.text) ?? 0));
}

function byHash(texts: readonly string[]): string[] {
  const hash = (text: string): bigint => BigInt(Bun.hash(text));
  return texts.toSorted((one, other) => (hash(one) < hash(other) ? -1 : 1));
}
