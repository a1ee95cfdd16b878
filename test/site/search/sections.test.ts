import { expect, test } from "vitest";
import { html, Html } from "#lib/text/html.ts";
import { sectionsOf } from "#site/search/sections.ts";

const page = {
  path: "guide",
  title: "Guide",
  section: "Guides" as const,
  summary: "About it.",
  outline: [],
  content: new Html(
    `<p>Intro &amp; more</p><h2 id="one">One</h2><p>first<wbr>text</p><details class="try">form</details><h3 id="two">Two</h3>end`,
  ),
  entries: [
    { title: "The second", path: "guide/#two", kind: "Guide" },
    { title: "Elsewhere", path: "guide/#three", kind: "Guide" },
  ],
};

test("a page is cut at its headings, and entries name places", () => {
  expect(sectionsOf(page)).toEqual([
    { title: "Guide", path: "guide", kind: "Guides", text: "About it. Intro & more" },
    { title: "Guide: One", path: "guide/#one", kind: "Guides", text: "firsttext" },
    { title: "The second", path: "guide/#two", kind: "Guides", text: "end" },
    { title: "Elsewhere", path: "guide/#three", kind: "Guides", text: "" },
  ]);
  expect(sectionsOf({ ...page, path: "", content: html``, entries: [] })).toHaveLength(1);
});
