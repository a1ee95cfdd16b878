import { expect, test } from "vitest";
import { markdownLinks, prosePage } from "#site/prose-page.ts";

test("a page has anchors at its headings, and links within the site", () => {
  const markdown =
    "# Title\n\n## Use it\n\nSee [more](./library.md#calls).\n\n## Use it\n\n### Sub\n";
  const page = prosePage({ path: "a", title: "A", summary: "s", markdown });
  expect(page.content.text).not.toContain("<h1");
  expect(page.content.text).toContain('href="../library/#calls"');
  expect(page.outline).toEqual([
    { id: "use-it", title: "Use it" },
    { id: "use-it-2", title: "Use it" },
  ]);
  expect(page.content.text).toContain('<h3 id="sub">');
  expect(page.entries[0]).toEqual({ title: "A: Use it", path: "a/#use-it", kind: "Guide" });
});

test("links of Markdown name the site's pages, and unknown ones are a fault of the build", () => {
  expect(markdownLinks("a", "[x](platform.md#y) [z](https://a.test/b.md)")).toBe(
    "[x](operating.md#y) [z](https://a.test/b.md)",
  );
  expect(() => markdownLinks("a", "[x](none.md)")).toThrow("the site has no page none.md");
});
