import { posix } from "node:path";
import { Parser } from "htmlparser2";
import { beforeAll, describe, expect, test } from "vitest";
import { commandTable } from "#commands/registry.ts";
import { errorCatalog } from "#contract/errors.ts";
import { routes } from "#contract/index.ts";
import { problemTypes } from "#contract/problems.ts";
import type { Site } from "#lib/site-page.ts";
import { keyTable } from "#ui/nouns.tsx";
import { madeSite } from "./made-site.ts";

interface Parsed {
  readonly ids: readonly string[];
  readonly links: readonly string[];
  readonly levels: readonly number[];
  readonly text: string;
}

let site: Site;
const parsed = new Map<string, Parsed>();

beforeAll(async () => {
  site = await madeSite();
  for (const [path, { text }] of site) if (path.endsWith(".html")) parsed.set(path, parse(text));
});

function parse(page: string): Parsed {
  const ids: string[] = [];
  const links: string[] = [];
  const levels: number[] = [];
  let text = "";
  const parser = new Parser({
    onopentag(name, attributes) {
      if (attributes["id"] !== undefined) ids.push(attributes["id"]);
      const address = attributes["href"] ?? attributes["src"];
      if (address !== undefined) links.push(address);
      if (/^h[1-6]$/.test(name)) levels.push(Number(name.slice(1)));
    },
    ontext: (words) => (text += words),
  });
  parser.end(page);
  return { ids, links, levels, text };
}

function pageAt(path: string): Parsed {
  const page = parsed.get(`${path}/index.html`);
  if (page === undefined) throw new Error(`no page ${path}`);
  return page;
}

test("every route, command, error and key is on its page", () => {
  const ids = new Set([...parsed.values()].flatMap((page) => page.ids));
  for (const [domain, definitions] of Object.entries(routes)) {
    for (const name of Object.keys(definitions)) expect(ids).toContain(`${domain}_${name}`);
  }
  for (const { path } of commandTable.commands) {
    expect(ids).toContain(`svc-${path.replaceAll(" ", "-")}`);
  }
  for (const code of Object.keys(errorCatalog)) expect(ids).toContain(`error-${code}`);
  for (const code of Object.keys(problemTypes)) expect(ids).toContain(`problem-${code}`);
  const keys = pageAt("keys").text;
  for (const { words } of keyTable) expect(keys).toContain(words);
});

test("the file for language models is small, and its links lead to Markdown pages", () => {
  const { text = "" } = site.get("llms.txt") ?? {};
  expect(text.length).toBeLessThan(5_000);
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(9);
  for (const link of links) expect(link === "/v4/openapi.json" || site.has(link), link).toBe(true);
  for (const [path, { text: page }] of site) {
    if (!path.endsWith(".md")) continue;
    for (const [, link = ""] of page.matchAll(/\]\(([\w-]+\.md)/g)) {
      expect(site.has(link), `${path}: ${link}`).toBe(true);
    }
  }
});

describe("each page", () => {
  test("links only to pages, places and files of the site", () => {
    const broken = [...parsed].flatMap(([path, { links }]) =>
      links.flatMap((link) => {
        if (/^https?:/.test(link)) return [];
        const [file = "", place] = link.split("#");
        const joined = posix.join(posix.dirname(path), file === "" ? posix.basename(path) : file);
        const isFolder = joined.endsWith("/") || joined === ".";
        const target = isFolder ? posix.join(joined, "index.html") : joined;
        if (!site.has(target)) return [`${path}: ${link}`];
        const missing = place !== undefined && parsed.get(target)?.ids.includes(place) !== true;
        return missing ? [`${path}: ${link}`] : [];
      }),
    );
    expect(broken).toEqual([]);
  });

  test("has each id once, one title and no skipped level of headings", () => {
    for (const [path, { ids, levels }] of parsed) {
      expect(ids.length - new Set(ids).size, path).toBe(0);
      expect(
        levels.filter((level) => level === 1),
        path,
      ).toHaveLength(1);
    }
  });

  test("needs no other address, no inline script and no inline style", () => {
    for (const [path, { text }] of site) {
      if (!path.endsWith(".html")) continue;
      expect(text, path).not.toMatch(
        /<script(?![^>]*\bsrc="[./]*site\.js")|<style| style=| on\w+="/,
      );
      expect(text, path).not.toMatch(/(?:src|<link[^>]*href)="(?:https?:)?\/\//);
    }
  });
});

test("the search has an address for each of its titles", async () => {
  const { text = "" } = site.get("search.js") ?? {};
  const list = text.slice("var svcSections=".length, text.indexOf(";\n"));
  const entries = JSON.parse(list) as { path: string }[];
  expect(entries.length).toBeGreaterThan(300);
  for (const { path } of entries) {
    const [folder = "", place] = path.split("#");
    const target = posix.join(folder, "index.html");
    expect(site.has(target), path).toBe(true);
    if (place !== undefined) expect(parsed.get(target)?.ids, path).toContain(place);
  }
});
