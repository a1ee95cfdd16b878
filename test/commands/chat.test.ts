import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { field } from "#test/support/platform.ts";
import { documentWorld } from "./documents-world.ts";
import { platformDown, type CallSettings } from "./world.ts";

const the = documentWorld();
const question = "How many parking spaces does the plan provide?";
const workflow = ["--workflow", "planning-assistant"];
const conversation = "0f9c2f6e-8f43-4a53-9f9c-0c6f4c9b8a11";
let documentId = "";

beforeAll(async () => {
  const upload = ["docs", "upload", "letter.txt", ...the().context];
  const { json } = await the().json(upload, { currentDirectory: the().files });
  documentId = String(field(json, "documentId"));
  const job = await the().svc(["docs", "job", String(field(json, "jobId")), "--wait"]);
  expect(job.exitCode).toBe(0);
});

const send = (...words: string[]): string[] => ["chat", "send", question, ...workflow, ...words];
const stream = (...words: string[]): string[] => [
  "chat",
  "stream",
  question,
  ...workflow,
  ...words,
];

/** The values of an answer in NDJSON. */
function lines(stdout: string): unknown[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

describe("chat send", () => {
  test("answers with a quote and its place", async () => {
    const { exitCode, stdout, stderr } = await the().svc(send("--conversation-id", conversation), {
      as: "tenant-staff",
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("“The plan provides 24 parking spaces in the rear yard.” [1]");
    expect(stdout).toContain(
      '[1] letter.txt, page 1: "The plan provides 24 parking spaces in the rear yard."\n',
    );
    expect(stderr).toBe(`conversation ${conversation}\n`);
  });

  test("as JSON prints the reply unchanged", async () => {
    const { json, stderr } = await the().json(send("--document-id", documentId));
    expect(stderr).toBe("");
    expect(json).toMatchObject({
      message: { role: "assistant" },
      citations: [
        {
          documentId,
          filename: "letter.txt",
          page: 1,
          quote: "The plan provides 24 parking spaces in the rear yard.",
        },
      ],
      model: "extractive",
    });
  });

  test("waits for a slow model, and says when its answer is incomplete", async () => {
    const reply = (status: string) => () => {
      const message = { role: "assistant", content: "The wall is", status };
      return Promise.resolve(Response.json({ conversation_id: conversation, message }));
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const slow = await the().svc(send(), {
        fetch: async (request) => {
          await vi.advanceTimersByTimeAsync(300_000);
          request.signal.throwIfAborted();
          return await reply("complete")();
        },
      });
      expect(slow).toMatchObject({ exitCode: 0, stdout: "The wall is\n" });
    } finally {
      vi.useRealTimers();
    }
    const cut = await the().svc(send(), { fetch: reply("incomplete") });
    expect(cut).toMatchObject({ exitCode: 1, stdout: "The wall is\n" });
    expect(cut.stderr).toContain("The answer is incomplete\n");
  });

  test("stage, params and documents are sent", async () => {
    const body = Promise.withResolvers<{ url: string; body: unknown }>();
    await the().svc(
      send(
        "--stage",
        "review",
        "--params",
        '{"caseId":"c"}',
        "--conversation-id",
        conversation,
        "--document-id",
        "a",
        "--document-id",
        "b",
      ),
      {
        fetch: async (request) => {
          body.resolve({ url: new URL(request.url).pathname, body: await request.json() });
          return Response.json({}, { status: 500 });
        },
      },
    );
    expect(await body.promise).toEqual({
      url: `/v4/ai/chat/${the().platform.workspaces.tenant}/planning-assistant/review`,
      body: {
        message: question,
        conversation_id: conversation,
        params: { caseId: "c", documentIds: ["a", "b"] },
      },
    });
  });

  const refusals: [string, string[], number, string, string][] = [
    ["no workflow", ["chat", "send", "hi"], 2, "E303", "Required field missing: --workflow"],
    [
      "a blank question",
      ["chat", "send", "  ", ...workflow],
      2,
      "E303",
      "Required field missing: <message>",
    ],
    [
      "malformed params",
      ["chat", "send", "hi", ...workflow, "--params", "{"],
      2,
      "E304",
      "Invalid format: --params is not JSON: Expected '}'",
    ],
    [
      "params that are a list",
      ["chat", "send", "hi", ...workflow, "--params", "[]"],
      2,
      "E304",
      "Invalid format: --params is not a JSON object",
    ],
  ];
  test.each(refusals)(
    "refuses %s before any network call",
    async (_what, words, exit, code, message) => {
      const { exitCode, json } = await the().json(words, { fetch: platformDown });
      expect(exitCode).toBe(exit);
      expect(json).toMatchObject({ error: { code, message, exitCode: exit } });
    },
  );

  test.each(["send", "stream"])("an unknown workflow or stage of %s is E202", async (verb) => {
    const words = ["chat", verb, "hi", "--workflow"];
    expect((await the().json([...words, "no-such"])).json).toMatchObject({
      error: { code: "E202", message: "Workflow no-such with stage chat not found", status: 404 },
    });
    const staged = await the().json([...words, "planning-assistant", "--stage", "no-such"]);
    expect(staged.json).toMatchObject({
      error: {
        code: "E202",
        message: "Workflow planning-assistant with stage no-such not found",
        hint: expect.stringContaining('has no stage "no-such"'),
      },
    });
  });

  test("a missing permission is refused", async () => {
    const viewer = await the().json(send(), { as: "tenant-viewer" });
    expect(viewer).toMatchObject({ exitCode: 1, json: { error: { code: "E204", status: 403 } } });
  });
});

describe("stored conversations", () => {
  test("are listed, shown, renamed, exported and deleted", async () => {
    const id = crypto.randomUUID();
    await the().svc(send("--conversation-id", id));
    const renamed = await the().svc(["chat", "rename", id, "Parking"]);
    expect(renamed).toMatchObject({ exitCode: 0, stdout: "Renamed the conversation to Parking\n" });
    const listed = await the().svc(["chat", "list"]);
    expect(listed.stdout).toMatch(new RegExp(`Parking +planning-assistant +2 +${id}`));
    const quote = "“The plan provides 24 parking spaces in the rear yard.”";
    const shown = await the().svc(["chat", "show", id]);
    expect(shown.stdout).toContain(
      `you\n${question}\n\nassistant\nFrom 1 document:\n\n${quote} [1]`,
    );
    expect(shown.stdout).toContain("[1] letter.txt, page 1:");
    const markdown = await the().svc(["chat", "export", id]);
    expect(markdown.stdout).toContain("# Parking\n\nplanning-assistant, ");
    expect(markdown.stdout).toContain(`## Question\n\n${question}\n`);
    expect(markdown.stdout).toContain(`- [1] letter.txt, page 1: ${quote}\n`);
    const exported = await the().json(["chat", "export", id]);
    expect(exported.json).toMatchObject({
      conversation_id: id,
      messages: [{}, { citations: [{}] }],
    });
    const target = join(await the().emptyConfig(), "talk.md");
    const saved = await the().svc(["chat", "export", id, "--output", target]);
    expect(saved).toMatchObject({ exitCode: 0, stdout: "", stderr: `Wrote ${target}\n` });
    expect(await readFile(target, "utf8")).toBe(markdown.stdout);
    const refused = await the().svc(["chat", "delete", id]);
    expect(refused.stderr).toContain("--force");
    const deleted = await the().svc(["chat", "delete", id, "--force"]);
    expect(deleted.stdout).toBe(`Deleted the conversation ${id} with 2 messages\n`);
    expect((await the().json(["chat", "show", id])).json).toMatchObject({
      error: { code: "E202", status: 404 },
    });
  });
});

describe("chat in the terminal", () => {
  test("asks one question after the other in one conversation", async () => {
    const { exitCode, stdout, stderr } = await the().svc(["chat", ...workflow], {
      terminal: 80,
      stdin: `${question}\nAnd where?\n/quit\n`,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("24 parking spaces in the rear");
    expect(stderr.split("› ")).toHaveLength(4);
    const id = /conversation ([0-9a-f-]{36})/.exec(stderr)?.[1] ?? "";
    const { json } = await the().json(["chat", "show", id]);
    expect(json).toMatchObject({
      messageCount: 4,
      messages: [{}, {}, { content: "And where?" }, {}],
    });
  });

  test("is refused without a terminal", async () => {
    const { exitCode, stderr } = await the().svc(["chat", ...workflow], { fetch: platformDown });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("chat needs a terminal");
    expect(stderr).toContain("svc chat send");
  });
});

describe("chat stream", () => {
  test("prints the streamed answer, then its citations", async () => {
    const { exitCode, stdout, stderr } = await the().svc(stream());
    expect(exitCode).toBe(0);
    expect(stdout).toContain("“The plan provides 24 parking spaces in the rear yard.” [1]\n\n[1] ");
    expect(stderr).toMatch(/^conversation [0-9a-f-]{36}\n$/);
  });

  test("with --format json is one event a line, and ends with finish", async () => {
    const { exitCode, stdout, stderr } = await the().json(stream());
    expect(exitCode).toBe(0);
    const events = lines(stdout);
    expect(events.map((event) => field(event, "type"))).toEqual(
      expect.arrayContaining(["text", "citation"]),
    );
    expect(events.at(-1)).toMatchObject({ type: "finish", complete: true, reason: "done" });
    expect(stderr).toBe("");
  });

  /** A deployment that streams this. */
  const streaming = (...chunks: string[]): CallSettings => ({
    fetch: () =>
      Promise.resolve(
        new Response(new Blob(chunks).stream(), {
          headers: { "content-type": "text/event-stream" },
        }),
      ),
  });
  const delta = (text: string): string =>
    `data: ${JSON.stringify({ type: "text-delta", id: "1", delta: text })}\n\n`;

  test("an answer that breaks off is shown in part, and exits with 1", async () => {
    const { exitCode, stdout, stderr } = await the().svc(stream(), streaming(delta("Half an")));
    expect(exitCode).toBe(1);
    expect(stdout).toBe("Half an\n");
    expect(stderr).toContain(
      "The answer is incomplete: E203 Platform API error: the answer ended before its end mark",
    );
    const json = await the().json(stream(), streaming(delta("Half an")));
    expect(json.exitCode).toBe(1);
    expect(lines(json.stdout)).toMatchObject([
      { type: "text", text: "Half an" },
      { type: "error", code: "E203" },
      { type: "finish", complete: false, reason: "incomplete" },
    ]);
  });

  test("terminal escapes in the text are removed", async () => {
    const hostile = streaming(
      delta("\u001b[31mred\u001b]0;x\u0007 "),
      delta("\u009b2Jend"),
      "data: [DONE]\n\n",
    );
    const { exitCode, stdout } = await the().svc(stream(), { ...hostile, terminal: 80 });
    expect(exitCode).toBe(0);
    expect(stdout).toBe("red end\n");
  });

  test("a line that breaks is resumed where it broke", async () => {
    const id = (text: string, at: number): string => `id: m:${at}\n${delta(text)}`;
    const asked: (string | null)[] = [];
    const { exitCode, stdout } = await the().svc(stream(), {
      fetch: (request) => {
        const from = request.headers.get("last-event-id");
        asked.push(request.method === "GET" ? from : null);
        const chunks =
          request.method === "GET"
            ? [id("more.", 2), 'id: m:3\ndata: {"type":"finish"}\n\n', "data: [DONE]\n\n"]
            : [id("Once ", 1)];
        const headers = { "content-type": "text/event-stream" };
        return Promise.resolve(new Response(new Blob(chunks).stream(), { headers }));
      },
    });
    expect(asked).toEqual([null, "m:1"]);
    expect(stdout).toBe("Once more.\n");
    expect(exitCode).toBe(0);
  });

  test("Ctrl-C keeps the received text, and exits with 130", async () => {
    const aborter = new AbortController();
    const asked: string[] = [];
    const { exitCode, stdout } = await the().svc(stream(), {
      signal: aborter.signal,
      fetch: (request) => {
        asked.push(new URL(request.url).pathname.split("/").at(-1) ?? "");
        return Promise.resolve(
          new Response(
            new ReadableStream({
              start(controller) {
                controller.enqueue(new TextEncoder().encode(delta("So far")));
                setTimeout(() => aborter.abort(), 50);
              },
            }),
            { headers: { "content-type": "text/event-stream" } },
          ),
        );
      },
    });
    // The command asks the platform to stop writing.
    expect(asked).toEqual(["chat", "stop"]);
    expect(exitCode).toBe(130);
    expect(stdout).toBe("So far\n");
  });
});
