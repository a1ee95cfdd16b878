import dashboard from "../../../docs/dashboard.md" with { type: "file" };
import documentTypes from "../../../docs/document-types.md" with { type: "file" };
import fileStore from "../../../docs/file-store.md" with { type: "file" };
import library from "../../../docs/library.md" with { type: "file" };
import objectTypes from "../../../docs/object-types.md" with { type: "file" };
import platform from "../../../docs/platform.md" with { type: "file" };
import releases from "../../../docs/releases.md" with { type: "file" };
import security from "../../../docs/security.md" with { type: "file" };
import type { SiteProse } from "#site/prose-page.ts";

const pages = [
  {
    path: "operating",
    title: "Operating a platform",
    summary: "Start, secure, back up, restore, upgrade and watch a platform.",
    file: platform,
  },
  {
    path: "security",
    title: "Security",
    summary: "Promises of the platform and the program, and the tests that hold them.",
    file: security,
  },
  {
    path: "library",
    title: "Client library",
    summary:
      "Typed records, documents and chat for Node, Bun and browsers. Its examples are tests.",
    file: library,
  },
  {
    path: "dashboard",
    title: "The dashboard",
    summary: "The terminal's view of a workspace: places, panes, forms and live data.",
    file: dashboard,
  },
  {
    path: "object-types",
    title: "Object Types",
    summary: "Definitions of typed records: properties, links and actions.",
    file: objectTypes,
  },
  {
    path: "document-types",
    title: "Document types",
    summary: "Fields of documents and the rules that find them; everything in one file.",
    file: documentTypes,
  },
  {
    path: "releases",
    title: "Releases",
    summary: "Make, check, install and update releases, also without a network.",
    file: releases,
  },
  {
    path: "file-store",
    title: "The file store",
    summary: "Where the bytes of documents and files are, on disk or in an S3-compatible store.",
    file: fileStore,
  },
] as const;

/** The pages of docs/ that are written by hand. */
export function proseOf(): Promise<SiteProse[]> {
  return Promise.all(
    pages.map(async ({ file, ...page }) => ({ ...page, markdown: await textOf(file) })),
  );
}

/** A test runner gives another string than a path; the file is then in the repository. */
async function textOf(imported: string): Promise<string> {
  const embedded = Bun.file(imported);
  if (await embedded.exists()) return embedded.text();
  const name = imported.slice(imported.lastIndexOf("/") + 1);
  return Bun.file(new URL(`../../../docs/${name}`, import.meta.url)).text();
}
