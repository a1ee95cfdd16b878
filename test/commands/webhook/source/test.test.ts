import { expect, test } from "vitest";
import { id, sent } from "../../stub-platform.ts";

test("a mapping is tried with a body or a received call", async () => {
  expect(await sent('webhook source test abc --body {"a":1}')).toMatchObject({
    exitCode: 1,
    requests: [["webhookSources.test", { source: "abc" }, { headers: {}, body: { a: 1 } }]],
    stdout: "word\n",
  });
  expect(await sent(`webhook source test abc --call ${id}`)).toMatchObject({
    exitCode: 1,
    requests: [["webhookSources.test", { source: "abc" }, { headers: {}, receivedId: id }]],
    stdout: "word\n",
  });
});

test.each(["webhook source test abc", "webhook source test abc --body {"])(
  "%s is refused before any request",
  async (words) => {
    expect(await sent(words)).toMatchObject({ exitCode: 2, requests: [] });
  },
);
