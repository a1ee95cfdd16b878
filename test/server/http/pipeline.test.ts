import { describe, expect, test } from "vitest";
import { Refusal } from "#contract/problems.ts";
import { replies, repliesBytes, repliesEmpty } from "#contract/route.ts";
import { Answer, type Context } from "#server/http/handler.ts";
import { requireMatch } from "#server/work/caller.ts";
import type { HandlerCall } from "#server/http/routing/endpoint.ts";
import { OverloadedError, ScanStoppedError, StorageFullError } from "#server/kit/storage-errors.ts";
import { getNote, note, problemOf, putNote, running } from "./one-route.ts";

describe("a response", () => {
  test.each([
    ["value", { text: "a" }],
    ["promise", Promise.resolve({ text: "a" })],
  ])("is the handler's %s with the route's status", async (_kind, value) => {
    const definition = { ...getNote, reply: replies(note, 202) };
    const response = await running(definition, () => value).send();
    expect(response.status).toBe(202);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.json()).toEqual({ text: "a" });
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

  test("may be bytes, which a browser does not run as a page of this platform", async () => {
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
    const response = await running(getNote, () => ({ text: "ä", version: 1 })).send("HEAD");
    expect(response.status).toBe(200);
    expect(response.headers.get("etag")).toBe('"1"');
    expect(response.headers.get("content-length")).toBe(
      String(Buffer.byteLength('{"text":"ä","version":1}')),
    );
    expect(await response.text()).toBe("");
    const refused = await running(getNote, () => {
      throw new Refusal("not-found", { detail: "none" });
    }).send("HEAD");
    expect(Number(refused.headers.get("content-length"))).toBeGreaterThan(100);
    expect(await refused.text()).toBe("");
  });

  test("with a version is 412 for an If-Match without that version", async () => {
    const { send } = running(getNote, () => ({ text: "a", version: 7 }));
    expect((await send("GET", { "if-match": '"6", "7"' })).status).toBe(200);
    const other = await send("GET", { "if-match": '"6"' });
    expect(await problemOf(other)).toMatchObject({ status: 412, code: "precondition-failed" });
  });

  test("to OPTIONS has the methods of the path, and allows no other site", async () => {
    const response = await running(getNote, () => ({})).send("OPTIONS", {
      origin: "http://a.test",
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("to another method is 405 with the allowed methods", async () => {
    const response = await running(getNote, () => ({})).send("DELETE");
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(await problemOf(response)).toMatchObject({ status: 405, code: "method-not-allowed" });
  });

  test("to an unknown method is also 405", async () => {
    const response = await running(getNote, () => ({})).send("PROPFIND");
    expect(await problemOf(response)).toMatchObject({ status: 405, code: "method-not-allowed" });
  });
});

describe("a request's id", () => {
  test("is the caller's own when it is valid", async () => {
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

  test("of a body without a version is weak, and changes with the body", async () => {
    let items = [1];
    const { send } = running(getNote, () => ({ items }));
    const first = await send();
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\/"[\w-]+"$/);
    const again = await send("GET", { "if-none-match": tag });
    expect(again.status).toBe(304);
    expect(again.headers.get("etag")).toBe(tag);
    expect(again.headers.has("content-type")).toBe(false);
    expect(await again.text()).toBe("");
    items = [2];
    const changed = await send("GET", { "if-none-match": tag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(tag);
    // A weak tag is never the one of If-Match, which such a body has never had.
    expect((await send("GET", { "if-match": tag })).status).toBe(200);
  });

  test.each(['"7"', 'W/"7"', '"6", "7"', "*"])(
    "that If-None-Match %s includes is 304",
    async (field) => {
      const { send } = running(getNote, () => ({ version: 7 }));
      const response = await send("GET", { "if-none-match": field });
      expect(response.status).toBe(304);
      expect(response.headers.get("etag")).toBe('"7"');
      expect(await response.text()).toBe("");
    },
  );

  test.each(['"6"', '"77"', "7", ""])(
    "that If-None-Match %j does not include is 200",
    async (field) => {
      const { send } = running(getNote, () => ({ version: 7 }));
      const response = await send("GET", { "if-none-match": field });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ version: 7 });
    },
  );

  const guarded = (_call: HandlerCall, context: Context) => {
    requireMatch(context.ifMatch, 7);
    return { version: 8 };
  };
  const headers = { "content-type": "application/json" };

  test.each(['"7"', '"6", "7"', "*"])(
    "that If-Match %s includes allows a change",
    async (field) => {
      const { send } = running(putNote, guarded);
      const response = await send("PUT", { ...headers, "if-match": field }, "{}");
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ version: 8 });
    },
  );

  test.each(['"6"', 'W/"7"', '"abc"', "7", '"07"', '"007"', '" 7"'])(
    "that If-Match %s does not include is 412",
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

describe("the Accept field", () => {
  test.each([
    "*/*",
    "application/*",
    "application/json;q=0.5",
    "text/html, */*;q=0.1",
    "application/problem+json",
  ])("may be %s", async (accept) => {
    const response = await running(getNote, () => ({ text: "a" })).send("GET", { accept });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ text: "a" });
  });

  test("without a media type of the route is 406", async () => {
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
  test("has no detail in the response, and all detail in the log", async () => {
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

  test("of a promise is the same", async () => {
    const { send, log } = running(getNote, () => Promise.reject(new Error("late")));
    expect(await problemOf(await send())).toMatchObject({ status: 500, code: "internal-error" });
    expect(log).toMatchObject([{ error: expect.stringContaining("late") }]);
  });

  test.each([
    [new StorageFullError("no room"), 507, "storage-full"],
    [new OverloadedError("10000 wait"), 503, "overloaded"],
    [new ScanStoppedError("too long", "time-limit"), 504, "took-too-long"],
    [new Refusal("conflict", { detail: "taken" }), 409, "conflict"],
  ])("%s has its own status", async (error, status, code) => {
    const { send } = running(getNote, () => Promise.reject(error));
    const response = await send();
    expect(await problemOf(response)).toMatchObject({ status, code });
    if (status === 503) expect(response.headers.get("retry-after")).toBe("1");
    // The time exceeds a client's retry limit, so that it does not repeat a slow read.
    if (status === 504) expect(response.headers.get("retry-after")).toBe("30");
  });

  test("that is a refusal is not logged", async () => {
    const { send, log } = running(getNote, () => Promise.reject(new Refusal("not-found")));
    await send();
    expect(log).toEqual([]);
  });
});
