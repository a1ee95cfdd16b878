import { expect, test } from "vitest";
import { html } from "#lib/text/html.ts";
import { htmlPage } from "#lib/text/html-page.ts";

test("a page escapes its title and keeps its content and the exact style", () => {
  const { text } = htmlPage("<Sign in>", html`<p>${"a&b"}</p>`, "p > a { margin: 0 }");
  expect(text).toContain("<title>&lt;Sign in&gt;</title>");
  expect(text).toContain("<h1>&lt;Sign in&gt;</h1>");
  expect(text).toContain("<p>a&amp;b</p>");
  expect(text).toContain("<style>p > a { margin: 0 }</style>");
});
