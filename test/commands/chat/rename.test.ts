import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("a conversation gets a title", async () => {
  expect(await sent(`chat rename ${id} Wall`)).toMatchObject({
    exitCode: 0,
    requests: [["chat.rename", { tenantId: workspace, conversationId: id }, { title: "Wall" }]],
    stdout: "Renamed the conversation to word\n",
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent(`chat rename ${id}`)).toMatchObject({ exitCode: 2, requests: [] });
});
