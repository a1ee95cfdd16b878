import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import { beforeAll, describe, expect, test } from "vitest";
import { makeContext, uploaded } from "#test/support/document-forms.ts";
import { apiCases, type ApiCase } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";

const unknownId = "01900000-0000-7000-8000-00000000dead";
const quote = "The wall at 18 Quay Street is 2.4 metres high.";
const base = "/v4/ai/chat/{tenant}/conversations/{id}";

/** A relative address as the transport passes it on. */
function pathOf(input: string | URL | Request): string {
  return typeof input === "string" ? input : "url" in input ? input.url : input.href;
}

describePlatform("conversations", (the) => {
  let id: string;

  beforeAll(async () => {
    await uploaded(the(), await makeContext(the()), `${quote}\n`, "wall.txt");
    const send = `/v4/ai/chat/${the().workspaces.tenant}/planning-assistant/chat`;
    const reply = await the().as("tenant-staff").post(send, { message: "How high is the wall?" });
    id = String(field(reply.json, "conversation_id"));
  });
  const before = () => Promise.resolve({ id });

  const routes: readonly [string, string, unknown][] = [
    ["PATCH", base, { title: "Wall" }],
    ["GET", `${base}/stream`, undefined],
    ["POST", `${base}/stop`, undefined],
    ["DELETE", base, undefined],
  ];
  describe("of others:", () => {
    apiCases(
      the,
      routes.flatMap(([method, path, body]): ApiCase[] => [
        {
          name: `${method} ${path} is not for viewers`,
          as: "tenant-viewer",
          method,
          path,
          body,
          before,
          expect: { status: 403, code: "permission-denied" },
        },
        {
          name: `${method} ${path} of another user's is 404`,
          as: "tenant-builder",
          method,
          path,
          body,
          before,
          expect: { status: 404, code: "not-found" },
        },
        {
          name: `${method} ${path} of another workspace is 404`,
          as: "outsider",
          method,
          path: path.replace("{tenant}", "{other}"),
          body,
          before,
          expect: { status: 404, code: "not-found" },
        },
        {
          name: `${method} ${path} that does not exist is 404`,
          as: "tenant-staff",
          method,
          path: path.replace("{id}", unknownId),
          body,
          expect: { status: 404, code: "not-found" },
        },
      ]),
    );
  });

  describe("of the caller:", () => {
    apiCases(the, [
      {
        name: "a title has 1 to 200 characters",
        as: "tenant-staff",
        method: "PATCH",
        path: base,
        body: { title: " ", owner: "me" },
        before,
        expect: { status: 422, code: "validation-failed", pointers: ["#/title", "#/owner"] },
      },
      {
        name: "a title is changed",
        as: "tenant-staff",
        method: "PATCH",
        path: base,
        body: { title: " Wall " },
        before,
        expect: { status: 200, body: { title: "Wall", messageCount: 2 } },
      },
      {
        name: "nothing is stopped when no answer is under way",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/stop`,
        before,
        expect: { status: 200, body: { stopped: false } },
      },
    ]);
  });

  test("without a running answer the stream has only its end mark", async () => {
    const { tenant } = the().workspaces;
    const path = `/v4/ai/chat/${tenant}/conversations/${id}/stream`;
    const response = await the().as("tenant-staff").fetch("GET", path);
    expect(response.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
    expect((await response.text()).replaceAll(/^:.*\n\n/gm, "")).toBe("data: [DONE]\n\n");
  });

  test("the AI SDK's own client reads the stream, and resumes it", async () => {
    const { tenant } = the().workspaces;
    const chatId = crypto.randomUUID();
    const caller = the().as("tenant-staff");
    const transport = new DefaultChatTransport<UIMessage>({
      api: `/v4/ai/chat/stream/${tenant}/planning-assistant/chat`,
      prepareSendMessagesRequest: ({ id: conversation_id, messages }) => {
        const [part] = messages.at(-1)?.parts ?? [];
        return { body: { conversation_id, message: part?.type === "text" ? part.text : "" } };
      },
      prepareReconnectToStreamRequest: ({ id: conversation_id }) => ({
        api: `/v4/ai/chat/${tenant}/conversations/${conversation_id}/stream`,
      }),
      fetch: Object.assign(
        (input: string | URL | Request, init?: RequestInit) =>
          caller.fetch(init?.method ?? "GET", pathOf(input), {
            headers: { "content-type": "application/json" },
            ...(typeof init?.body === "string" ? { rawBody: init.body } : {}),
          }),
        { preconnect: () => undefined },
      ),
    });
    const user = {
      id: "u1",
      role: "user" as const,
      parts: [{ type: "text" as const, text: "How high is the wall?" }],
    };
    const last = async (stream: ReadableStream | null): Promise<UIMessage | undefined> => {
      let message: UIMessage | undefined;
      if (stream === null) return message;
      for await (const state of readUIMessageStream({ stream })) message = state;
      return message;
    };
    const answer = await last(
      await transport.sendMessages({
        trigger: "submit-message",
        chatId,
        messageId: undefined,
        messages: [user],
        abortSignal: undefined,
      }),
    );
    expect(answer).toMatchObject({
      role: "assistant",
      metadata: { conversation_id: chatId, model: "extractive" },
      parts: [
        { type: "text", text: `From 1 document:\n\n“${quote}” [1]`, state: "done" },
        { type: "source-document", filename: "wall.txt" },
        { type: "data-citation", data: { quote, page: 1 } },
      ],
    });
    const again = await last(await transport.reconnectToStream({ chatId }));
    expect(again?.parts).toEqual(answer?.parts);
    expect(again?.id).toBe(answer?.id);
  });

  test("a deleted one is gone", async () => {
    const { tenant } = the().workspaces;
    const caller = the().as("tenant-staff");
    const deleted = await caller.delete(`/v4/ai/chat/${tenant}/conversations/${id}`);
    expect(deleted.json).toEqual({ conversation_id: id, messages: 2 });
    expect((await caller.get(`/v4/ai/chat/${tenant}/conversations/${id}`)).status).toBe(404);
  });
});
