import { describe, expect, test } from "vitest";
import { commandWorld, type CallSettings } from "../world.ts";
import { answering } from "./answering.ts";

const the = commandWorld();

const json = { headers: { "content-type": "application/json" } };

describe("the answer", () => {
  test("in a pipe is the response's bytes", async () => {
    const text = '{"big":12345678901234567890,"a":1.0,\n "a":2}';
    const { stdout } = await the().svc("publicapi get /v4/x", answering(text, json));
    expect(stdout).toBe(text);
    const html = "<p>\u0007\u001b[31m</p>";
    const headers = { "content-type": "text/html" };
    expect((await the().svc("publicapi get /v4/x", answering(html, { headers }))).stdout).toBe(
      html,
    );
  });

  test("on a terminal JSON is indented, text is cleaned, and other bytes are refused", async () => {
    const terminal = { terminal: 80 } as const;
    const get = "publicapi get /v4/x";
    const drawn = await the().svc(get, { ...answering('{"a":[1]}', json), ...terminal });
    expect(drawn.stdout).toBe('{\n  "a": [\n    1\n  ]\n}\n');
    const text = answering("\u001b[31mred\u0007\n", { headers: { "content-type": "text/plain" } });
    expect((await the().svc(get, { ...text, ...terminal })).stdout).toBe("red\n");
    const bytes = answering(new Uint8Array([0xff, 0xd8, 0xff]), {
      headers: { "content-type": "image/jpeg" },
    });
    const refused = await the().svc(get, { ...bytes, terminal: 120 });
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain(
      "the response is 3 bytes of image/jpeg, and stdout is a terminal",
    );
  });

  test("with --format json is one JSON value for any response", async () => {
    const get = "publicapi get /v4/x";
    const faithful = await the().json(get, answering('{"a":1}', json));
    expect(faithful.json).toEqual({ a: 1 });
    const big = '{"big":12345678901234567890}';
    expect((await the().json(get, answering(big, json))).stdout).toBe(`${big}\n`);
    // JSON that nests too deep is text, like content that is not JSON.
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect((await the().json(get, answering(deep, json))).json).toEqual({
      status: 200,
      body: deep,
    });
    const refusal = answering(`{"errors":${deep},"detail":"x"}`, { ...json, status: 400 });
    expect((await the().json(get, refusal)).json).toMatchObject({
      error: { code: "E305", message: "Invalid input: HTTP 400", status: 400 },
    });
    const none = await the().json(get, answering(null, { status: 204 }));
    expect(none.json).toEqual({ status: 204, body: null });
    const text = answering("hello", { headers: { "content-type": "text/plain" } });
    expect((await the().json(get, text)).json).toEqual({ status: 200, body: "hello" });
    const bytes = answering(new Uint8Array([0xff, 0x00]), {
      headers: { "content-type": "image/png" },
    });
    expect((await the().json(get, bytes)).json).toEqual({ status: 200, bodyBase64: "/wA=" });
  });

  test("--include-headers shows status and headers, but no cookie", async () => {
    const headers = { "content-type": "application/json", "set-cookie": "a=b", "x-one": "1" };
    const words = "publicapi get /v4/x --include-headers";
    const deployment = answering('{"a":1}', { status: 201, headers });
    const { json: answer } = await the().json(words, deployment);
    expect(answer).toEqual({
      status: 201,
      headers: { "content-type": "application/json", "x-one": "1" },
      body: { a: 1 },
    });
    const text = await the().svc(words, deployment);
    expect(text.stdout).toBe('{"a":1}');
    expect(text.stderr).toBe("201\ncontent-type: application/json\nx-one: 1\n");
  });

  const refusals: [string, CallSettings, number, string][] = [
    ["get /v4/nowhere", {}, 404, "E202"],
    ["get /v4/platform/tenants/{other}/members", {}, 404, "E202"],
    ["post /v4/data/resources/object-types --data {}", { as: "tenant-staff" }, 403, "E204"],
    ["delete /v4/identity/me", {}, 405, "E203"],
    ["get /v4/data/documents/records --param limit=0", {}, 422, "E302"],
  ];
  test.each(refusals)("a refusal of %s keeps its status", async (words, settings, status, code) => {
    const call = words.replace("{other}", the().platform.workspaces.other);
    const { exitCode, json: answer } = await the().json(`publicapi ${call}`, settings);
    expect(exitCode).toBe(1);
    expect(answer).toMatchObject({
      error: { code, status, exitCode: 1, requestId: expect.any(String) },
    });
  });

  test("a missing route is reported", async () => {
    const { stderr } = await the().svc("publicapi get /v4/nowhere");
    expect(stderr.split("\n")[0]).toBe("Error E202: Route not found");
  });

  test("a refused token is reported, but never printed", async () => {
    const token = "secret-canary-0123456789";
    const echo = await the().svc("publicapi get /v4/x", {
      variables: { SVC_TOKEN: token },
      fetch: (request) =>
        Promise.resolve(
          Response.json(
            { code: "token-invalid", detail: `no: ${request.headers.get("authorization")}` },
            { status: 401, headers: { "content-type": "application/problem+json" } },
          ),
        ),
    });
    expect(echo.exitCode).toBe(4);
    expect(echo.stderr).toContain("Error E103: Invalid credentials");
    expect(echo.stdout + echo.stderr).not.toContain(token);
  });
});

test.each(["json", "text"])("a response that breaks off is E203 (%s)", async (format) => {
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error("the line broke")),
  });
  const { exitCode, stdout, stderr } = await the().svc(
    `publicapi get /v4/identity/me --format ${format}`,
    { fetch: async () => new Response(broken) },
  );
  expect(exitCode).toBe(1);
  expect(stdout + stderr).toContain("the content did not arrive whole");
});
