import { describe, expect, test } from "vitest";
import { optionalJson } from "#contract/route.ts";
import type { HandlerCall } from "#server/http/routing/endpoint.ts";
import { note, problemOf, putNote, running, type Body } from "../one-route.ts";

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
  ])("may have the type %s", async (type) => {
    const response = await send('{"text":"é"}', { "content-type": type });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ text: "é" });
  });

  test.each([
    "text/plain",
    "application/json; charset=latin1",
    "application/x-www-form-urlencoded",
  ])("may not have the type %s", async (type) => {
    const response = await send("{}", { "content-type": type });
    expect(await problemOf(response)).toMatchObject({
      status: 415,
      code: "unsupported-media-type",
    });
  });

  test("may be omitted as a whole where the route allows it", async () => {
    const definition = { ...putNote, body: optionalJson(note) };
    const { send: ask } = running(definition, echo);
    expect(await (await ask("PUT", {})).json()).toEqual({});
    expect(await (await ask("PUT", { "content-length": "0" })).json()).toEqual({});
    expect(await (await ask("PUT", headers, '{"text":"a"}')).json()).toEqual({ text: "a" });
    expect((await ask("PUT", { "content-type": "text/plain" }, "{}")).status).toBe(415);
    expect((await ask("PUT", headers, " ")).status).toBe(400);
    const missing = await running(putNote, echo).send("PUT", {});
    expect(await problemOf(missing)).toMatchObject({
      status: 400,
      detail: "Cannot read this body: it is empty",
    });
  });

  test("may not be compressed", async () => {
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
  ])("that cannot be read is 400 and is not repeated: %j", async (body, why) => {
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
    // It would be stored as 9007199254740992.
    ['{"version":9007199254740993}', "#/version"],
    // One of the two would be lost silently.
    ['{"text":"a","text":"b"}', "#/text"],
  ])("that a store cannot hold is 422 with its pointer: %s", async (body, pointer) => {
    expect(await problemOf(await send(body))).toMatchObject({
      status: 422,
      code: "validation-failed",
      errors: [{ pointer }],
    });
  });

  test("keeps text that only looks dangerous", async () => {
    const escaped = String.raw`\u0041 \ud83d\ude00`;
    const text = `{"text":"__proto__ 😀 ${escaped}"}`;
    expect(await (await send(text)).json()).toEqual({ text: "__proto__ 😀 A 😀" });
  });

  test("may have 1,000 bytes but not 1,001, with a length or without", async () => {
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

  test("with a Content-Length above the limit is refused unread", async () => {
    let asked = 0;
    const endless = new ReadableStream({ pull: () => void (asked += 1) }, { highWaterMark: 0 });
    const response = await send(endless, { ...headers, "content-length": "9000000" });
    expect(await problemOf(response)).toMatchObject({ status: 413, code: "content-too-large" });
    expect(asked).toBe(0);
  });
});
