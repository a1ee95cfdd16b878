import { expect, test } from "vitest";
import { createClient } from "#client/index.ts";
import { archiveFailures } from "#ui/archives/failures.ts";

const tenantId = "01a22422-1b77-7227-acc4-24ca9785e597";
const created_at = "2026-11-20T10:00:00.000Z";
const message = "A file is missing from the file store or damaged, and not in the archive";
const partial = { status: "completed_with_errors", error: { code: "content-missing", message } };

/** The failures that are found for archives of these states, the newest first. */
async function found(...states: readonly object[]) {
  const items = states.map((state, at) => ({
    id: `a-${at}`,
    groups: ["types", "records"],
    created_at,
    ...state,
  }));
  const answer = () => Promise.resolve(Response.json({ items, hasNextPage: false }));
  const client = createClient({ baseUrl: "http://platform.test", token: "t", fetch: answer });
  const [rule] = archiveFailures;
  const { signal } = new AbortController();
  return await rule?.read?.(client, { tenantId, signal });
}

test("an archive that is not complete is a failure, as one that could not be made", async () => {
  const failed = { status: "failed", error: { code: "storage-full", message: "No space" } };
  expect(await found(partial, { status: "running" }, failed, { status: "cancelled" })).toEqual([
    { id: "a-0", words: expect.stringMatching(/^The archive of .*: A file is missing/) },
    { id: "a-2", words: expect.stringMatching(/^The archive of .*: No space$/) },
  ]);
  expect(await found({ ...partial, error: null })).toEqual([
    { id: "a-0", words: expect.stringMatching(/: it is not complete$/) },
  ]);
});

test("a later archive of the same groups makes up for it only if it is complete", async () => {
  expect(await found({ status: "succeeded" }, partial)).toEqual([]);
  expect(await found(partial, partial)).toHaveLength(2);
  expect(await found({ status: "succeeded", groups: ["types"] }, partial)).toHaveLength(1);
});
