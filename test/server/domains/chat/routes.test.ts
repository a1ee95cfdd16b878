import { beforeAll, describe, expect, test } from "vitest";
import { chatReply } from "#contract/documents/chat.ts";
import { apiCases, type ApiCase } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { makeContext, uploaded } from "#test/support/document-forms.ts";
import type { Context } from "#test/support/document-forms.ts";

const send = "/v4/ai/chat/{tenant}/planning-assistant/chat";
const stream = "/v4/ai/chat/stream/{tenant}/planning-assistant/chat";
const unknownId = "01900000-0000-7000-8000-00000000dead";
const question = { message: "How high is the wall?" };
const quote = "The wall at 18 Quay Street is 2.4 metres high.";

describePlatform("chat", (the) => {
  let context: Context;
  let made: Record<string, string>;

  beforeAll(async () => {
    context = await makeContext(the());
    const accepted = await uploaded(the(), context, `${quote}\n`, "wall.txt");
    made = {
      id: accepted.documentId ?? "",
      application: context.application,
      foreign: context.foreign,
    };
  });
  const before = async () => made;

  describe("answers:", () => {
    apiCases(the, [
      {
        name: "staff get a reply with its citation",
        as: "tenant-staff",
        method: "POST",
        path: send,
        body: question,
        before,
        expect: {
          status: 200,
          body: {
            message: { role: "assistant", content: `From 1 document:\n\n“${quote}” [1]` },
            citations: [{ id: "1", filename: "wall.txt", page: 1, quote }],
            finishReason: "stop",
            model: "extractive",
          },
        },
      },
      {
        name: "a viewer may not ask",
        as: "tenant-viewer",
        method: "POST",
        path: send,
        body: question,
        expect: { status: 403, code: "permission-denied" },
      },
      {
        name: "an outsider sees no such workspace",
        as: "outsider",
        method: "POST",
        path: send,
        body: question,
        expect: { status: 404, code: "not-found", excludes: ["Quay"] },
      },
      {
        name: "nor does one whose own workspace it is find this document there",
        as: "outsider",
        method: "POST",
        path: "/v4/ai/chat/{other}/planning-assistant/chat",
        body: { ...question, params: { documentIds: ["{id}"] } },
        before,
        expect: { status: 404, code: "not-found", excludes: ["Quay"] },
      },
      {
        name: "named documents and records of this workspace",
        as: "tenant-staff",
        method: "POST",
        path: send,
        body: {
          ...question,
          params: { documentIds: ["{id}"] },
          runtime_context: { applicationId: "{application}" },
        },
        before,
        expect: { status: 200, body: { citations: [{ quote }] } },
      },
      ...[send, stream].flatMap((path) => [
        {
          name: `an unknown document is 404 with its place (${path})`,
          method: "POST",
          path,
          body: { ...question, params: { documentIds: ["{id}", unknownId] } },
          before,
          expect: {
            status: 404,
            code: "not-found" as const,
            pointers: ["#/params/documentIds/1"],
          },
        },
        {
          name: `another workspace's record is 404 with its place (${path})`,
          method: "POST",
          path,
          body: { ...question, runtime_context: { applicationId: "{foreign}" } },
          before,
          expect: {
            status: 404,
            code: "not-found" as const,
            pointers: ["#/runtime_context/applicationId"],
          },
        },
        {
          name: `an empty message is 422 (${path})`,
          method: "POST",
          path,
          body: { message: "  " },
          expect: { status: 422, pointers: ["#/message"] },
        },
        {
          name: `ids that are none are 422 (${path})`,
          method: "POST",
          path,
          body: {
            ...question,
            params: { documentIds: ["https://x/y"] },
            conversation_id: unknownId,
          },
          expect: { status: 422, pointers: ["#/params/documentIds/0"] },
        },
      ]),
      {
        name: "an unknown workflow is named",
        method: "POST",
        path: "/v4/ai/chat/{tenant}/nothing/chat",
        body: question,
        expect: {
          status: 404,
          body: { detail: 'This workspace has no workflow "nothing": it can be requested' },
        },
      },
      {
        name: "so is one that is asleep",
        method: "POST",
        path: "/v4/ai/chat/{tenant}/sleeping/chat",
        body: question,
        expect: {
          status: 403,
          body: { detail: 'The workflow "sleeping" is draft, not active' },
        },
      },
      ...["/v4/ai/chat", "/v4/ai/chat/stream"].flatMap((base): ApiCase[] => [
        {
          name: "a stage that the workflow does not list is refused",
          method: "POST",
          path: `${base}/{tenant}/casework/chat`,
          body: question,
          expect: {
            status: 404,
            body: { detail: 'The workflow "casework" has no stage "chat": it has intake, review' },
          },
        },
        {
          name: "a workflow that lists no stages has only the default one",
          method: "POST",
          path: `${base}/{tenant}/planning-assistant/review`,
          body: question,
          expect: {
            status: 404,
            body: {
              detail: 'The workflow "planning-assistant" has no stage "review": it has chat',
            },
          },
        },
      ]),
      {
        name: "a listed stage is accepted",
        method: "POST",
        path: "/v4/ai/chat/{tenant}/casework/review",
        body: question,
        expect: { status: 200 },
      },
    ]);
  });

  test("streams the AI SDK's message stream, up to [DONE]", async () => {
    const { tenant } = the().workspaces;
    const response = await the()
      .as("tenant-staff")
      .fetch("POST", `/v4/ai/chat/stream/${tenant}/planning-assistant/chat`, { body: question });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "x-vercel-ai-ui-message-stream": "v1",
      "cache-control": "no-cache",
    });
    const data = (await response.text())
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line) => line.slice("data: ".length));
    expect(data.at(-1)).toBe("[DONE]");
    expect(data.slice(0, -1).map((line) => field(JSON.parse(line), "type"))).toEqual([
      "start",
      "text-start",
      "text-delta",
      "text-delta",
      "source-document",
      "data-citation",
      "text-end",
      "finish",
    ]);
  });

  test("stores conversations for each user", async () => {
    const { tenant } = the().workspaces;
    const path = send.replace("{tenant}", tenant);
    const first = await the().as("tenant-staff").post(path, question);
    const { conversation_id } = chatReply.parse(first.json);
    await the().as("tenant-staff").post(path, { message: "And the roof?", conversation_id });
    const list = `/v4/ai/chat/${tenant}/conversations`;
    const detail = await the().as("tenant-staff").get(`${list}/${conversation_id}`);
    expect(detail.json).toMatchObject({
      conversation_id,
      title: question.message,
      messageCount: 4,
      messages: [{ role: "user" }, { citations: [{ quote }] }, { role: "user" }, {}],
    });
    const page = await the().as("tenant-staff").get(`${list}/${conversation_id}?limit=1`);
    expect(page.json).toMatchObject({ messages: [{ role: "assistant" }], hasNextPage: true });
    const listed = await the().as("tenant-staff").get(`${list}?count=true&limit=1`);
    expect(listed.json).toMatchObject({ items: [{ conversation_id }], hasNextPage: true });

    const asAnother = the().as("tenant-builder");
    expect((await asAnother.get(`${list}/${conversation_id}`)).status).toBe(404);
    expect((await asAnother.get(list)).json).toMatchObject({ items: [] });
    expect((await asAnother.post(path, { ...question, conversation_id })).status).toBe(404);
    expect((await the().as("tenant-viewer").get(list)).status).toBe(403);
    const elsewhere = `/v4/ai/chat/${the().workspaces.other}/conversations/${conversation_id}`;
    expect((await the().as("outsider").get(elsewhere)).status).toBe(404);
  });
});
