import type { Site, SitePage } from "#lib/site-page.ts";
import { apiPages } from "./api-pages.ts";
import { agentPage } from "./agent-page.ts";
import { commandPages } from "./command-pages.ts";
import { errorPage } from "./error-page.ts";
import { keyPage } from "./key-page.ts";
import { startPage } from "./start-page.ts";
import { layout, type PageFacts } from "./layout.ts";
import { textPages } from "./llms-text.ts";
import { prosePage } from "./prose-page.ts";
import type { SiteInput } from "./site-input.ts";
import { sectionsOf } from "./search/sections.ts";
import { siteScript } from "./script.ts";
import { siteStyle } from "./style.ts";

/** The whole reference: pages that need no network and run one script. */
export function buildSite(input: SiteInput): Site {
  const pages: readonly PageFacts[] = [
    startPage(input),
    ...input.prose.map(prosePage),
    ...apiPages(input.openApi),
    ...commandPages(input.commands),
    agentPage(input.tools),
    errorPage(input.exitCodes),
    keyPage(input.keys),
  ];
  const site = new Map<string, SitePage>();
  for (const page of pages) {
    site.set(fileOf(page.path), {
      contentType: "text/html; charset=utf-8",
      text: layout(page, pages, input.version).text,
    });
  }
  site.set("style.css", { contentType: "text/css; charset=utf-8", text: siteStyle });
  site.set("site.js", { contentType: "text/javascript; charset=utf-8", text: siteScript });
  site.set("search.js", {
    contentType: "text/javascript; charset=utf-8",
    text: `var svcSections=${JSON.stringify(pages.flatMap(sectionsOf))};\n${input.searchSource}`,
  });
  for (const [path, text] of textPages(input)) {
    const type = path.endsWith(".md") ? "markdown" : "plain";
    site.set(path, { contentType: `text/${type}; charset=utf-8`, text });
  }
  return site;
}

function fileOf(path: string): string {
  return path === "" ? "index.html" : `${path}/index.html`;
}
