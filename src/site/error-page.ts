import { errorOccasions } from "#contract/error-occasions.ts";
import { errorCatalog, type ErrorCode } from "#contract/errors.ts";
import { problemTypes } from "#contract/problems.ts";
import { html } from "#lib/text/html.ts";
import { breakable, joined, table, withCode, type PageFacts } from "./layout.ts";

const headings = [
  { id: "exit-codes", title: "Exit codes" },
  { id: "catalog", title: "Errors of the commands and of the library" },
  { id: "problems", title: "Problems of the platform" },
];

/** Exit codes, the error catalog and the problem types. */
export function errorPage(exitCodes: Readonly<Record<string, string>>): PageFacts {
  const codes = Object.keys(errorCatalog) as ErrorCode[];
  const problems = Object.entries(problemTypes);
  const [exits, catalog, wire] = headings.map(
    ({ id, title }) => html`<h2 id="${id}">${title}</h2>`,
  );
  return {
    path: "errors",
    title: "Errors and exit codes",
    section: "Reference",
    summary:
      "Every error has a code, a message and the next step; `svc errors <code>` explains it too.",
    content: joined([
      exits ?? html``,
      table(
        "Exit codes",
        ["Code", "Meaning"],
        Object.entries(exitCodes).map(([exitCode, words]) => [
          html`<code>${exitCode}</code>`,
          withCode(words),
        ]),
      ),
      catalog ?? html``,
      table(
        "Errors",
        ["Code", "Message", "Next step", "Raised when"],
        codes.map((code) => [
          html`<code id="error-${code}">${breakable(code)}</code>`,
          withCode(errorCatalog[code].message),
          withCode(errorCatalog[code].suggestion),
          withCode(errorOccasions[code]),
        ]),
      ),
      wire ?? html``,
      html`<p>
        A refusal is <code>application/problem+json</code> (RFC 9457). Its <code>code</code> is one
        of these, and <code>errors</code> points to each fault of a request.
      </p>`,
      table(
        "Problems",
        ["Code", "Status", "Title"],
        problems.map(([code, { status, title }]) => [
          html`<code id="problem-${code}">${code}</code>`,
          html`${String(status)}`,
          html`${title}`,
        ]),
      ),
    ]),
    outline: headings,
    entries: [
      ...codes.map((code) => ({
        title: `${code}: ${errorCatalog[code].message}`,
        path: `errors/#error-${code}`,
        kind: "Error",
      })),
      ...problems.map(([code, { status, title }]) => ({
        title: `${status} ${code}: ${title}`,
        path: `errors/#problem-${code}`,
        kind: "Problem",
      })),
    ],
  };
}
