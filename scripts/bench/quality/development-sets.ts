import { readFile } from "node:fs/promises";
import { manualPages, type ManualPage } from "./manual-pages.ts";

/** Texts with a description of each, which a search must find them by. */
export interface DevelopmentSet {
  readonly name: string;
  readonly texts: readonly ManualPage[];
}

/** Languages of translated manual pages that most Debian systems have some of. */
const languages = { de: "German", fr: "French", it: "Italian", ru: "Russian", sv: "Swedish" };
const textsAtMost = 400;
const leastTexts = 20;
const packageList = "/var/lib/dpkg/status";
const leastText = 200;
const leastSummary = 12;

/**
 * Sets on which the weights of a search are chosen, from what this machine has: manual pages in six
 * languages, and package descriptions. Sets that decide are others, on which nothing is chosen.
 */
export async function developmentSets(): Promise<DevelopmentSet[]> {
  const sets: DevelopmentSet[] = [
    { name: "manual pages, English", texts: await manualPages(textsAtMost) },
    { name: "package descriptions, English", texts: await packages() },
  ];
  for (const [folder, language] of Object.entries(languages)) {
    const texts = await manualPages(textsAtMost, folder);
    sets.push({ name: `manual pages, ${language}`, texts });
  }
  return sets.filter(({ texts }) => texts.length >= leastTexts);
}

/** The installed packages by their long descriptions; the summary describes each. */
async function packages(): Promise<ManualPage[]> {
  const list = await readFile(packageList, "utf8").catch(() => "");
  const found = list.split("\n\n").flatMap((paragraph) => {
    const name = /^Package: (\S+)/m.exec(paragraph)?.[1];
    const [, description = "", long = ""] =
      /^Description: ([^\n]*)\n((?: [^\n]*\n?)*)/m.exec(`${paragraph}\n`) ?? [];
    const text = long.replaceAll(/^ \.?/gm, "").trim();
    if (name === undefined || text.length < leastText) return [];
    return description.length < leastSummary ? [] : [{ name, description, text }];
  });
  return found.slice(0, textsAtMost);
}
