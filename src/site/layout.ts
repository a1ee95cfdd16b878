import { Html, html, noHtml } from "#lib/text/html.ts";

/** A place that the search finds. */
export interface SearchEntry {
  readonly title: string;
  /** The path from the root of the site, perhaps with a fragment. */
  readonly path: string;
  readonly kind: string;
}

/** One page before it has its frame. */
export interface PageFacts {
  /** The path from the root, without slashes at its ends; empty for the first page. */
  readonly path: string;
  readonly title: string;
  readonly section: Section;
  readonly summary: string;
  readonly content: Html;
  /** Headings on this page, for the list at its side. */
  readonly outline: readonly { readonly id: string; readonly title: string }[];
  readonly entries: readonly SearchEntry[];
}

const sections = ["Guides", "API", "Commands", "Reference"] as const;
export type Section = (typeof sections)[number];

/** Joins parts of a page. */
export function joined(parts: readonly Html[]): Html {
  return new Html(parts.map(({ text }) => text).join("\n"));
}

/** A path or a code that takes several lines in a narrow cell, between its words. */
export function breakable(text: string): Html {
  const words = text.split(/(?<=.)(?=\/)|(?<=_)/).map((word) => html`${word}`);
  return new Html(words.map((word) => word.text).join("<wbr />"));
}

/** Text with `code` in backticks. */
export function withCode(text: string): Html {
  const parts = text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return new Html(parts.map((part) => part.text).join(""));
}

/** A table that scrolls on its own where the screen is narrow; keys reach it. */
export function table(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly Html[])[],
): Html {
  if (rows.length === 0) return noHtml;
  const cells = (row: readonly Html[]): Html =>
    joined(
      row.map((cell, index) =>
        index === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`,
      ),
    );
  return html`<div class="scroll" role="group" aria-label="${label}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${joined(heads.map((head) => html`<th scope="col">${head}</th>`))}
        </tr>
      </thead>
      <tbody>
        ${joined(
          rows.map(
            (row) =>
              html`<tr>
                ${cells(row)}
              </tr>`,
          ),
        )}
      </tbody>
    </table>
  </div>`;
}

/** A block of code that keys can scroll. */
export function code(text: string, label = "Code"): Html {
  // The text is escaped; line ends inside it count.
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>`;
}

/** The frame: header with search, navigation, the page and its outline. */
export function layout(page: PageFacts, pages: readonly PageFacts[], version: string): Html {
  const root = page.path === "" ? "./" : "../".repeat(page.path.split("/").length);
  const title = page.path === "" ? "svc documentation" : `${page.title} · svc documentation`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="${page.summary}" />
        <title>${title}</title>
        <link rel="stylesheet" href="${root}style.css" />
        <script src="${root}site.js" defer></script>
      </head>
      <body data-root="${root}">
        <a class="skip" href="#site-content">Skip to the content</a>
        <header class="top">
          <a class="brand" href="${root}"><span aria-hidden="true">◆</span> svc</a>
          <span class="version">${version}</span>
          <div class="search" hidden>
            <label for="site-search">Search</label>
            <input
              id="site-search"
              type="search"
              placeholder="Search"
              autocomplete="off"
              spellcheck="false"
            />
            <kbd aria-hidden="true">/</kbd>
            <div id="site-found" class="found" hidden>
              <p id="site-count" role="status"></p>
              <ul id="site-results"></ul>
            </div>
          </div>
        </header>
        <div class="frame">
          <nav class="side" aria-label="Pages">
            <details open>
              <summary>Pages</summary>
              ${joined(sections.map((section) => navigation(section, page, pages, root)))}
            </details>
          </nav>
          <main id="site-content" tabindex="-1">
            <p class="kind">${page.section}</p>
            <h1>${page.title}</h1>
            <p class="lead">${withCode(page.summary)}</p>
            ${page.content}
          </main>
          ${outline(page)}
        </div>
      </body>
    </html>`;
}

function navigation(
  section: Section,
  current: PageFacts,
  pages: readonly PageFacts[],
  root: string,
): Html {
  const links = pages
    .filter((page) => page.section === section)
    .map((page) => {
      const mark = page === current ? new Html(' aria-current="page"') : noHtml;
      const address = page.path === "" ? root : `${root}${page.path}/`;
      return html`<li><a href="${address}" ${mark}>${page.title}</a></li>`;
    });
  return html`<h2 id="nav-${section.toLowerCase()}">${section}</h2>
    <ul aria-labelledby="nav-${section.toLowerCase()}">
      ${joined(links)}
    </ul>`;
}

function outline({ outline: headings }: PageFacts): Html {
  if (headings.length < 2) return noHtml;
  const links = headings.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`);
  return html`<nav class="outline" aria-label="On this page">
    <h2>On this page</h2>
    <ul>
      ${joined(links)}
    </ul>
  </nav>`;
}
