import { expect, test } from "vitest";
import { createClient } from "#client/index.ts";
import { documentFailures } from "#ui/documents/failures.ts";
import { reportedChange } from "#ui/shell/platform/feed/failure-watch.ts";

const tenantId = "01a22422-1b77-7227-acc4-24ca9785e597";
const reason = "no model is configured (svc serve --ai-url)";
const skipped = {
  status: "partial",
  fields: [
    { field: "number", status: "applied" },
    { field: "total", status: "skipped", reason },
  ],
};
const rule = documentFailures.find(({ name }) => name === "document types");

/** The failures that are found for these document types. */
async function found(...items: readonly object[]) {
  const answer = () => Promise.resolve(Response.json({ items, hasNextPage: false }));
  const client = createClient({ baseUrl: "http://platform.test", token: "t", fetch: answer });
  const { signal } = new AbortController();
  return await rule?.read?.(client, { tenantId, signal });
}

test("a document type in use is a failure while some of its fields are not read", async () => {
  const invoice = { key: "invoice", displayName: "Invoice", version: 3, status: "active" };
  expect(await found({ ...invoice, runtime: skipped })).toEqual([
    { id: "invoice 3", words: `Invoice: not all fields can be read here; total: ${reason}` },
  ]);
  expect(await found({ key: "letter", runtimeSync: { state: "partial" } })).toEqual([
    { id: "letter ", words: "letter: not all fields can be read here" },
  ]);
  const applied = { status: "applied", fields: [] };
  const draft = { ...invoice, status: "draft", runtime: skipped };
  expect(await found({ ...invoice, runtime: applied }, draft, { key: "older" })).toEqual([]);
});

test.each([
  ["document-type", true],
  ["analyzer", true],
  ["classifier", undefined],
])("a change of a setting %s lets them be read: %s", (kind, judged) => {
  const change = reportedChange({ type: "svc.setting.updated", data: { kind } });
  expect(rule?.judge?.(change)).toBe(judged);
});
