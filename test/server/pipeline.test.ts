import { describe, expect, test } from "vitest";
import * as z from "zod";
import { Refusal } from "#contract/problems.ts";
import {
  json,
  replies,
  repliesBytes,
  repliesEmpty,
  repliesEvents,
  type RouteDefinition,
} from "#contract/route.ts";
import { Answer, requireMatch, type Context } from "#server/handler.ts";
import { endpointOf, type HandlerCall } from "#server/pipeline/endpoint.ts";
import { Pipeline, type PipelineParts } from "#server/pipeline.ts";
import { defaultLimits } from "#server/platform/limits.ts";
import type { LogEvent } from "#server/platform.ts";
import { Router } from "#server/router.ts";
import { OverloadedError, StorageFullError } from "#server/stores/database/errors.ts";

const note = z.object({ text: z.string().optional(), version: z.int().optional() });
const base = {
  path: "/v4/notes",
  summary: "",
  source: "",
  access: "public",
  workspace: "none",
} as const;
const getNote = { ...base, method: "GET", reply: replies(note) } as const;
const putNote = { ...base, method: "PUT", body: json(note), reply: replies(note) } as const;

type Body = NonNullable<RequestInit["body"]>;

interface Running {
  readonly log: LogEvent[];
  readonly pipeline: Pipeline;
  readonly drain: () => void;
  send(method?: string, headers?: Record<string, string>, body?: Body): Promise<Response>;
}

/** A pipeline with one route, whose callers are all let in. */
function running(
  definition: RouteDefinition,
  handler: (call: HandlerCall, context: Context) => unknown,
): Running {
  const log: LogEvent[] = [];
  const draining = new AbortController();
  const parts: PipelineParts = {
    router: new Router([endpointOf("notes.one", definition, handler)]),
    guard: { check: () => {} },
    rates: { take: () => {} },
    tokens: {
      verify: () => ({ oid: "o", email: "e", displayName: "d", systemAdmin: false }),
    },
    access: { roleIn: () => "tenant-admin" },
    idempotency: {
      claim: () => Promise.reject(new Error("no key was sent")),
      run: (_holder, work) => work(),
    },
    limits: { ...defaultLimits, jsonBodyBytes: 1000 },
    logger: { info: () => {}, warn: () => {}, error: (event) => log.push(event) },
    draining: draining.signal,
    baseUrlOf: () => "http://platform.test",
    signIn: () => undefined,
  };
  const pipeline = new Pipeline(parts);
  return {
    log,
    pipeline,
    drain: () => draining.abort(),
    send: (method = definition.method, headers = {}, body?) => {
      const init: RequestInit = { method, headers };
      if (body !== undefined) init.body = body;
      return pipeline.fetch(new Request("http://platform.test/v4/notes", init));
    },
  };
}

async function problemOf(response: Response): Promise<unknown> {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  return response.json();
}

describe("an answer", () => {
  test("is the handler's value with the route's status, waited for or not", async () => {
    for (const value of [{ text: "a" }, Promise.resolve({ text: "a" })]) {
      const definition = { ...getNote, reply: replies(note, 202) };
      const response = await running(definition, () => value).send();
      expect(response.status).toBe(202);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(await response.json()).toEqual({ text: "a" });
    }
  });

  test("takes status and fields from an Answer", async () => {
    const handler = () =>
      new Answer({ text: "a" }, { status: 207, headers: { location: "/v4/x" } });
    const response = await running(getNote, handler).send();
    expect(response.status).toBe(207);
    expect(response.headers.get("location")).toBe("/v4/x");
  });

  test("may be empty", async () => {
    const response = await running({ ...getNote, reply: repliesEmpty }, () => undefined).send();
    expect(response.status).toBe(204);
    expect(response.headers.get("content-type")).toBeNull();
    expect(await response.text()).toBe("");
  });

  test("may be bytes, which no browser shows as a page of this platform", async () => {
    const handler = () =>
      new Response("<script>", { headers: { "content-type": "text/html", etag: '"x"' } });
    const response = await running({ ...getNote, reply: repliesBytes }, handler).send();
    expect(await response.text()).toBe("<script>");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/html",
      etag: '"x"',
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    });
  });

  test("to HEAD has the fields of GET and no body", async () => {
    const response = await running(getNote, () => ({ text: "a", version: 1 })).send("HEAD");
    expect(response.status).toBe(200);
    expect(response.headers.get("etag")).toBe('"1"');
    expect(await response.text()).toBe("");
  });

  test("to OPTIONS says what the address takes, and allows no other site anything", async () => {
    const response = await running(getNote, () => ({})).send("OPTIONS", {
      origin: "http://a.test",
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("to another method is 405 with the methods that are taken", async () => {
    const response = await running(getNote, () => ({})).send("DELETE");
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(await problemOf(response)).toMatchObject({ status: 405, code: "method-not-allowed" });
  });

  test("to a method that no route has is 405 as well", async () => {
    const response = await running(getNote, () => ({})).send("PROPFIND");
    expect(response.status).toBe(405);
  });
});

describe("a request's id", () => {
  test("is the caller's own when it is sane", async () => {
    const { send } = running(getNote, (_call, context) => ({ text: context.requestId }));
    const response = await send("GET", { "x-request-id": "deploy-7:step.2" });
    expect(response.headers.get("x-request-id")).toBe("deploy-7:step.2");
    expect(await response.json()).toEqual({ text: "deploy-7:step.2" });
  });

  test.each(["", "a b", "<script>", "x".repeat(129), 'a"b'])(
    "is a new one for %j",
    async (given) => {
      const response = await running(getNote, () => ({})).send("GET", { "x-request-id": given });
      expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe("an entity tag", () => {
  test("is the record's version", async () => {
    const response = await running(getNote, () => ({ version: 7 })).send();
    expect(response.headers.get("etag")).toBe('"7"');
  });

  test.each(['"7"', 'W/"7"', '"6", "7"', "*"])("that is named by %s answers 304", async (field) => {
    const { send } = running(getNote, () => ({ version: 7 }));
    const response = await send("GET", { "if-none-match": field });
    expect(response.status).toBe(304);
    expect(response.headers.get("etag")).toBe('"7"');
    expect(await response.text()).toBe("");
  });

  test.each(['"6"', '"77"', "7", ""])("that is not named by %j answers in full", async (field) => {
    const { send } = running(getNote, () => ({ version: 7 }));
    expect((await send("GET", { "if-none-match": field })).status).toBe(200);
  });

  const guarded = (_call: HandlerCall, context: Context) => {
    requireMatch(context.ifMatch, 7);
    return { version: 8 };
  };
  const headers = { "content-type": "application/json" };

  test.each(['"7"', '"6", "7"', "*"])("that fits If-Match %s lets a change in", async (field) => {
    const { send } = running(putNote, guarded);
    expect((await send("PUT", { ...headers, "if-match": field }, "{}")).status).toBe(200);
  });

  test.each(['"6"', 'W/"7"', '"abc"', "7"])(
    "that does not fit If-Match %s is 412",
    async (field) => {
      const response = await running(putNote, guarded).send(
        "PUT",
        { ...headers, "if-match": field },
        "{}",
      );
      expect(await problemOf(response)).toMatchObject({
        status: 412,
        code: "precondition-failed",
        currentVersion: 7,
      });
    },
  );
});

describe("what is asked for", () => {
  test.each([
    "*/*",
    "application/*",
    "application/json;q=0.5",
    "text/html, */*;q=0.1",
    "application/problem+json",
  ])("may be %s", async (accept) => {
    expect((await running(getNote, () => ({})).send("GET", { accept })).status).toBe(200);
  });

  test("may not be only what the address does not have", async () => {
    const response = await running(getNote, () => ({})).send("GET", { accept: "text/html" });
    expect(await problemOf(response)).toMatchObject({ status: 406, code: "not-acceptable" });
  });

  test("may be events where the route has them", async () => {
    async function* events() {
      yield { data: { text: "a" } };
    }
    const definition = { ...getNote, events: note };
    const { send } = running(definition, (_call, { wantsEvents }) =>
      wantsEvents ? { events: events() } : { text: "b" },
    );
    const stream = await send("GET", { accept: "text/event-stream" });
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    expect(await stream.text()).toContain('data: {"text":"a"}');
    expect(await (await send("GET", { accept: "*/*" })).json()).toEqual({ text: "b" });
  });
});

describe("a failure", () => {
  test("tells nothing but where to look, and is logged with all that is known", async () => {
    const { send, log } = running(getNote, () => {
      throw new TypeError("the password is swordfish");
    });
    const response = await send("GET", { "x-request-id": "r-1", traceparent: "00-aa-bb-01" });
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toContain("swordfish");
    expect(text).not.toContain("pipeline.test.ts");
    expect(JSON.parse(text)).toMatchObject({ code: "internal-error", requestId: "r-1" });
    expect(log).toMatchObject([
      {
        event: "request-failed",
        requestId: "r-1",
        route: "notes.one",
        traceparent: "00-aa-bb-01",
        error: expect.stringContaining("swordfish"),
      },
    ]);
  });

  test("that was not waited for is the same", async () => {
    const { send } = running(getNote, () => Promise.reject(new Error("late")));
    expect((await send()).status).toBe(500);
  });

  test.each([
    [new StorageFullError("no room"), 507, "storage-full"],
    [new OverloadedError("10000 wait"), 503, "overloaded"],
    [new Refusal("conflict", { detail: "taken" }), 409, "conflict"],
  ])("%s has its own status", async (error, status, code) => {
    const { send } = running(getNote, () => Promise.reject(error));
    const response = await send();
    expect(await problemOf(response)).toMatchObject({ status, code });
    if (status === 503) expect(response.headers.get("retry-after")).toBe("1");
  });

  test("of a refusal is no log line", async () => {
    const { send, log } = running(getNote, () => Promise.reject(new Refusal("not-found")));
    await send();
    expect(log).toEqual([]);
  });
});

describe("a platform that shuts down", () => {
  test("takes nothing new", async () => {
    const platform = running(getNote, () => ({}));
    platform.drain();
    const response = await platform.send();
    expect(response.headers.get("retry-after")).toBe("5");
    expect(response.headers.get("connection")).toBe("close");
    expect(await problemOf(response)).toMatchObject({
      status: 503,
      code: "draining",
      retryable: true,
    });
  });

  test("lets a handler that runs give its answer, and tells it", async () => {
    let isTold = false;
    const started = Promise.withResolvers<void>();
    const platform = running(getNote, async (_call, context) => {
      context.signal.addEventListener("abort", () => (isTold = true));
      started.resolve();
      await Bun.sleep(20);
      return { text: "done" };
    });
    const answer = platform.send();
    await started.promise;
    platform.drain();
    expect(await (await answer).json()).toEqual({ text: "done" });
    expect(isTold).toBe(true);
  });

  test("ends streams without [DONE] and lets go of what they hold", async () => {
    let isReturned = false;
    async function* endless(signal: AbortSignal) {
      try {
        yield { data: { text: "first" } };
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      } finally {
        isReturned = true;
      }
    }
    const definition = { ...getNote, reply: repliesEvents(note) };
    const platform = running(definition, (_call, { signal }) => ({ events: endless(signal) }));
    const response = await platform.send();
    setTimeout(platform.drain, 10);
    const text = await response.text();
    expect(text).toContain("first");
    expect(text).not.toContain("[DONE]");
    expect(isReturned).toBe(true);
  });
});

describe("what is kept of a request", () => {
  test("is nothing, once it is answered or its stream is over", async () => {
    const listening = (_call: HandlerCall, { signal }: Context) => {
      signal.addEventListener("abort", () => {});
      return { text: "a" };
    };
    const plain = running(getNote, listening);
    await plain.send();
    expect(plain.pipeline.held).toBe(0);
    const failing = running(getNote, (call, context) => {
      listening(call, context);
      throw new Error("no");
    });
    await failing.send();
    expect(failing.pipeline.held).toBe(0);

    async function* events() {
      yield { data: { text: "a" } };
    }
    const streaming = running({ ...getNote, reply: repliesEvents(note) }, () => ({
      events: events(),
    }));
    const whole = await streaming.send();
    const left = await streaming.send();
    expect(streaming.pipeline.held).toBe(2);
    await whole.text();
    await left.body?.cancel();
    expect(streaming.pipeline.held).toBe(0);
  });

  test("ends with its caller", async () => {
    const gone = new AbortController();
    let reason: unknown;
    const started = Promise.withResolvers<void>();
    const { pipeline } = running(getNote, async (_call, { signal }) => {
      signal.addEventListener("abort", () => (reason = signal.reason));
      started.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw new Error("the work was stopped");
    });
    const request = new Request("http://platform.test/v4/notes", { signal: gone.signal });
    const answer = pipeline.fetch(request);
    await started.promise;
    gone.abort("gone");
    expect((await answer).status).toBe(499);
    expect(reason).toBe("gone");
  });
});

describe("over a real connection", () => {
  test("a reader that goes away ends the stream and frees what it holds", async () => {
    const released = Promise.withResolvers<void>();
    async function* endless(signal: AbortSignal) {
      try {
        for (let n = 0; !signal.aborted; n += 1) {
          yield { data: { text: String(n) } };
          await Bun.sleep(1);
        }
      } finally {
        released.resolve();
      }
    }
    const definition = { ...getNote, reply: repliesEvents(note) };
    const { pipeline } = running(definition, (_call, { signal }) => ({ events: endless(signal) }));
    await using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => pipeline.fetch(request),
    });
    const leaving = new AbortController();
    const address = `${server.url.origin}/v4/notes`;
    const response = await fetch(address, { signal: leaving.signal });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
    });
    const reader = response.body?.getReader();
    await reader?.read();
    expect(pipeline.held).toBe(1);
    leaving.abort();
    await released.promise;
    expect(pipeline.held).toBe(0);
  });

  test("a caller that goes away stops the handler that works for it", async () => {
    const started = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const { pipeline, log } = running(getNote, async (_call, { signal }) => {
      signal.addEventListener("abort", () => stopped.resolve());
      started.resolve();
      await stopped.promise;
      throw new Error("stopped");
    });
    await using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => pipeline.fetch(request),
    });
    const leaving = new AbortController();
    const call = fetch(`${server.url.origin}/v4/notes`, { signal: leaving.signal });
    await started.promise;
    leaving.abort();
    await expect(call).rejects.toThrow();
    await stopped.promise;
    await pipeline.idle();
    expect(log).toEqual([]);
  });
});

describe("a JSON body", () => {
  const echo = (call: HandlerCall) => call.body;
  const headers = { "content-type": "application/json" };
  const send = (body: Body, fields: Record<string, string> = headers) =>
    running(putNote, echo).send("PUT", fields, body);

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    'Application/JSON;charset="UTF-8"',
    "application/merge-patch+json",
  ])("may come as %s", async (type) => {
    expect((await send('{"text":"é"}', { "content-type": type })).status).toBe(200);
  });

  test.each([
    "text/plain",
    "application/json; charset=latin1",
    "application/x-www-form-urlencoded",
  ])("may not come as %s", async (type) => {
    const response = await send("{}", { "content-type": type });
    expect(await problemOf(response)).toMatchObject({
      status: 415,
      code: "unsupported-media-type",
    });
  });

  test("may not come compressed", async () => {
    const response = await send("{}", { ...headers, "content-encoding": "gzip" });
    expect(response.headers.get("accept-encoding")).toBe("identity");
    expect(response.status).toBe(415);
  });

  test.each([
    ["", "it is empty"],
    ["  ", "it is empty"],
    ['{"secret-text', "it is not JSON"],
    ["{'text':1}", "it is not JSON"],
    [new Uint8Array([0x7b, 0xff, 0x7d]), "it is not UTF-8"],
    ["[".repeat(65) + "]".repeat(65), "it nests deeper than 64 levels"],
  ])("that can't be read is 400 and never comes back: %j", async (body, why) => {
    const response = await send(body);
    const problem = await problemOf(response);
    expect(problem).toMatchObject({
      status: 400,
      code: "malformed-body",
      detail: `Cannot read this body: ${why}`,
    });
    expect(JSON.stringify(problem)).not.toContain("secret-text");
  });

  test.each([
    ['{"text":"a","__proto__":{"isAdmin":true}}', "#/__proto__"],
    [String.raw`{"text":"a","\u005f_proto__":1}`, "#/__proto__"],
    [String.raw`{"text":"a\u0000b"}`, "#/text"],
    [String.raw`{"text":"\ud800"}`, "#/text"],
    ['{"text":1}', "#/text"],
  ])("that no store may get is pointed to: %s", async (body, pointer) => {
    expect(await problemOf(await send(body))).toMatchObject({
      status: 422,
      code: "validation-failed",
      errors: [{ pointer }],
    });
  });

  test("keeps text that only looks dangerous", async () => {
    const text = String.raw`{"text":"__proto__ 😀 \u0041 \ud83d\ude00"}`;
    expect(await (await send(text)).json()).toEqual({ text: "__proto__ 😀 A 😀" });
  });

  test("of 1,000 bytes is taken, of 1,001 is not, with a length or without", async () => {
    const body = (size: number) => `{"text":"${"x".repeat(size - 11)}"}`;
    const streamed = (text: string) =>
      new ReadableStream({
        start(controller) {
          for (const part of text.match(/.{1,100}/g) ?? []) {
            controller.enqueue(new TextEncoder().encode(part));
          }
          controller.close();
        },
      });
    expect((await send(body(1000))).status).toBe(200);
    expect((await send(streamed(body(1000)))).status).toBe(200);
    expect(await problemOf(await send(body(1001)))).toMatchObject({ status: 413 });
    expect(await problemOf(await send(streamed(body(1001))))).toMatchObject({
      status: 413,
      code: "content-too-large",
    });
  });

  test("that says it is too long is refused unread", async () => {
    const response = await send("{}", { ...headers, "content-length": "9000000" });
    expect(response.status).toBe(413);
  });
});
