import { describe, expect, it } from "vitest";
import { errorFromResponse, type Client } from "#client/index.ts";
import { clientOf, errorOf, problem, serve, tenantId, token } from "./servers.ts";

const params = { objectType: "planning-application" };
const id = "0198f0a0-2222-7000-8000-000000000002";

describe("status to error", () => {
  it.each([
    [400, "malformed-body", "E305"],
    [422, "idempotency-key-reused", "E305"],
    [401, "token-expired", "E102"],
    [401, "token-invalid", "E103"],
    [401, "unauthenticated", "E103"],
    [403, "permission-denied", "E204"],
    [404, "not-found", "E202"],
    [410, "job-expired", "E202"],
    [409, "already-exists", "E205"],
    [412, "precondition-failed", "E205"],
    [413, "content-too-large", "E304"],
    [415, "unsupported-media-type", "E304"],
    [414, "uri-too-long", "E305"],
    [431, "headers-too-large", "E305"],
    [405, "method-not-allowed", "E203"],
    [429, "rate-limited", "E203"],
    [500, "internal-error", "E203"],
    [507, "storage-full", "E203"],
  ])("%i %s is %s and keeps its status and problem", async (status, code, expected) => {
    const error = await errorFromResponse(problem(status, code, { detail: "the reason" }));
    expect(error).toMatchObject({
      name: "PlatformError",
      code: expected,
      status,
      requestId: "req-1",
    });
    expect(error.problem).toMatchObject({ code, detail: "the reason" });
    expect(error.hint).toContain("Request req-1");
  });

  it("says which role a refusal needs, and which permission a role of the workspace lacks", async () => {
    const roles = { requiredRole: "tenant-viewer", currentRole: "record-keeper" };
    const hintOf = async (members: Readonly<Record<string, string>>) =>
      (await errorFromResponse(problem(403, "permission-denied", members))).hint;
    expect(await hintOf(roles)).toBe("needs tenant-viewer; you are record-keeper. Request req-1");
    expect(await hintOf({ ...roles, permission: "members.list" })).toBe(
      "needs the permission members.list or tenant-viewer; you are record-keeper. Request req-1",
    );
  });

  it("says that a page's origin is refused, not that the user lacks a role", async () => {
    const detail = "Cannot answer this request: its Origin field is not of this platform";
    const error = await errorFromResponse(problem(403, "origin-refused", { detail }));
    expect(error).toMatchObject({ code: "E203", status: 403 });
    expect(error.message).toBe(`Platform API error: ${detail}`);
    expect(error.hint).toContain("need the same origin");
  });

  it("names each fault with its pointer, five at most", async () => {
    const errors = [1, 2, 3, 4, 5, 6, 7].map((n) => ({
      pointer: `#/data/p${n}`,
      detail: "is missing",
    }));
    const error = await errorFromResponse(problem(422, "validation-failed", { errors }));
    expect(error.code).toBe("E302");
    expect(error.message).toBe(
      "Validation failed: #/data/p1 is missing; #/data/p2 is missing; #/data/p3 is missing; " +
        "#/data/p4 is missing; #/data/p5 is missing; and 2 more",
    );
  });

  const missing: [string, (client: Client) => Promise<unknown>][] = [
    [`planning-application ${id}`, ({ resources }) => resources.get({ params: { ...params, id } })],
    [
      "Document DOC-2026-000001",
      ({ documents }) => documents.record({ params: { documentId: "DOC-2026-000001" } }),
    ],
    [`Job ${id}`, ({ documents }) => documents.job({ params: { jobId: id } })],
    [`Workspace ${tenantId}`, ({ objectTypes }) => objectTypes.schema()],
    [`Member ${id}`, ({ members }) => members.remove({ params: { memberId: id } })],
    [`Key ${id}`, ({ keys }) => keys.revoke({ params: { keyId: id } })],
    ["App desk", ({ apps }) => apps.provision({ params: { key: "desk" }, body: {} })],
  ];
  it.each(missing)("names the missing %s", async (subject, call) => {
    const server = serve(() => problem(404, "not-found"));
    const message = `${subject} not found`;
    expect(await errorOf(call(clientOf(server)))).toMatchObject({ message });
  });

  it.each([
    ["#/query/job_id", "job_id not found"],
    ["#/documentIds/0", "documentIds/0 not found"],
    ["#/header/X-Tenant-Id", "X-Tenant-Id not found"],
    ["#/path/id", "Licence 7 not found"],
  ])("names what is missing by its place in the request: %s", async (pointer, message) => {
    const errors = [{ pointer, detail: "is not there" }];
    const options = { subject: "Licence 7" };
    const error = await errorFromResponse(problem(404, "not-found", { errors }), options);
    expect(error).toMatchObject({ code: "E202", message });
  });

  it.each([
    [429, "90", /^Try again in 90 s$/],
    [503, "Wed, 21 Oct 2099 07:28:00 GMT", /^Try again after 2099-10-21T07:2\d:\d\dZ$/],
    [429, "soon", /^$/],
    [429, "0", /^$/],
    [404, "90", /^$/],
  ])("%i says when to try again after Retry-After %s", async (status, field, words) => {
    const response = new Response("", { status, headers: { "retry-after": field } });
    expect((await errorFromResponse(response)).hint ?? "").toMatch(words);
  });

  it("reports the current version after a conflict", async () => {
    const body = { currentVersion: 7, changedFields: ["status", "officer"] };
    const error = await errorFromResponse(problem(409, "version-conflict", body));
    expect(error.hint).toBe(
      "The current version is 7; changed since: status, officer. Request req-1",
    );
  });
});

describe("a foreign error body", () => {
  it.each([
    [400, { error: { code: "x", message: "no luck" } }, "E305", "no luck"],
    [
      422,
      { message: "bad", errors: { title: ["is short", "is odd"] } },
      "E302",
      "title is short; title is odd",
    ],
    [
      422,
      { detail: [{ loc: ["body", "age"], msg: "is not a number" }] },
      "E302",
      "body.age is not a number",
    ],
    [
      400,
      { errors: ["too long", { field: "a", message: "is odd" }] },
      "E302",
      "too long; a is odd",
    ],
    [409, { Message: "taken" }, "E205", "taken"],
    [409, "taken", "E205", "taken"],
    [500, { fault: { faultstring: "x", description: "broken" } }, "E203", "broken"],
  ])("of %i as %j is %s: %s", async (status, body, code, words) => {
    // Some deployments name no type, or another one.
    const response = new Response(JSON.stringify(body), { status });
    const error = await errorFromResponse(response);
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
  });

  it.each([
    [
      "HTML",
      "text/html",
      "<html><head><title>502 Bad Gateway</title></head><body>…</body>",
      "HTTP 502: 502 Bad Gateway",
    ],
    [
      "text",
      "text/plain",
      "upstream \u001b[31mdied\u001b[0m\r\nhere",
      "HTTP 502: upstream died here",
    ],
    ["nothing", "text/plain", "", "HTTP 502"],
    ["JSON that is none", "application/json", "{broken", "HTTP 502"],
    [
      "another JSON shape",
      "application/json",
      '{"error":{"x":1},"message":"no luck"}',
      "HTTP 502: no luck",
    ],
    ["a JSON list", "application/json", "[1,2]", "HTTP 502"],
    ["bytes", "application/octet-stream", "\u0000\u0001", "HTTP 502"],
  ])("%s becomes one harmless line", async (_name, type, body, details) => {
    const error = await errorFromResponse(
      new Response(body, { status: 502, headers: { "content-type": type } }),
    );
    expect(error.message).toBe(`Platform API error: ${details}`);
  });

  it("is read to 64 KiB only", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(16_384).fill(97));
      },
    });
    const error = await errorFromResponse(
      new Response(endless, { status: 500, headers: { "content-type": "text/plain" } }),
    );
    expect(error.message.length).toBeLessThan(600);
    expect(pulled).toBeLessThan(10);
  });

  it("that breaks off still gives the error of its status", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("cut")) });
    expect(await errorFromResponse(new Response(broken, { status: 403 }))).toMatchObject({
      code: "E204",
    });
  });

  it("with a prototype in its JSON changes nothing", async () => {
    const text = '{"__proto__":{"polluted":true},"detail":"x","status":500}';
    await errorFromResponse(
      new Response(text, { status: 500, headers: { "content-type": "application/json" } }),
    );
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

describe("an answer that does not fit", () => {
  it.each([
    ["no JSON", "hello", "the response is not JSON"],
    ["a wrong member", '{"items":[{"id":"x","version":"one","data":{}}]}', "#/items/0/version"],
    ["a missing member", '{"items":[{"id":"x","data":{}}]}', "#/items/0/version"],
    [
      "100,000 levels",
      `{"items":[{"id":"x","version":1,"data":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}]}`,
      "the response nests deeper than 1000 levels",
    ],
    ["another value altogether", "42", "the response does not match the interface at #"],
  ])("%s is E203 and names the place", async (_name, text, words) => {
    const server = serve(
      () => new Response(text, { headers: { "content-type": "application/json" } }),
    );
    const error = await errorOf(clientOf(server).resources.list({ params }));
    expect(error).toMatchObject({ code: "E203", status: 200 });
    expect(String(error)).toContain(words);
  });

  it("beyond 64 MiB after decompression is cut off", async () => {
    const bomb = Bun.gzipSync(new Uint8Array(80 * 1024 * 1024));
    const server = serve(
      () =>
        new Response(bomb, {
          headers: { "content-type": "application/json", "content-encoding": "gzip" },
        }),
    );
    expect(await errorOf(clientOf(server).resources.list({ params }))).toMatchObject({
      code: "E203",
      message: "Platform API error: the response is larger than 64 MiB",
    });
  });
});

describe("no secret in an error", () => {
  const canaries = ["canary-query", "canary-body", "canary-header", token];

  it.each([
    ["403", () => problem(403, "permission-denied", { detail: "no" })],
    [
      "a 500 that echoes the request",
      (echo: string) =>
        new Response(echo, { status: 500, headers: { "content-type": "text/plain" } }),
    ],
    [
      "a problem that echoes the token",
      (echo: string) => problem(400, "malformed-body", { detail: echo }),
    ],
    ["a body that is no answer", () => new Response("17")],
    [
      "a redirect",
      (echo: string) =>
        new Response(null, {
          status: 302,
          headers: { location: `http://elsewhere.invalid/?${encodeURIComponent(echo)}` },
        }),
    ],
  ])("after %s", async (_name, answer) => {
    const server = serve(({ headers }) => answer(`you sent ${headers.get("authorization") ?? ""}`));
    const error = await errorOf(
      clientOf(server).resources.create({
        params,
        body: { note: "canary-body" },
        headers: { "x-note": "canary-header" },
      }),
    );
    const shown = [
      Bun.inspect(error, { depth: 20 }),
      String(error),
      JSON.stringify(error),
      JSON.stringify(Object(error).problem ?? null),
    ].join("\n");
    for (const canary of canaries) expect(shown).not.toContain(canary);
  });

  it("after a broken connection, in any property or cause", async () => {
    const error = await errorOf(
      clientOf({ url: "http://127.0.0.1:1" }).resources.list({
        params,
        query: { where: '{"a":"canary-query"}' },
      }),
    );
    expect(error).toBeInstanceOf(Error);
    expect(Reflect.get(Object(error), "cause")).toBeUndefined();
    const shown = Bun.inspect(error, { depth: 20 });
    for (const canary of canaries) expect(shown).not.toContain(canary);
  });
});
