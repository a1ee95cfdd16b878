import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown, type CallSettings } from "./world.ts";

const the = commandWorld();

/** A deployment that always sends one response, and records the requests. */
function answering(
  body: string | Uint8Array<ArrayBuffer> | null,
  init: ResponseInit = {},
): { seen: { method: string; url: URL; headers: Headers; body: string }[] } & CallSettings {
  const seen: { method: string; url: URL; headers: Headers; body: string }[] = [];
  return {
    seen,
    fetch: async (request) => {
      const { method, headers } = request;
      seen.push({ method, url: new URL(request.url), headers, body: await request.text() });
      return new Response(body, init);
    },
  };
}

const json = { headers: { "content-type": "application/json" } };

describe("the address", () => {
  const refused: [string, string][] = [
    ["/v3/data", "it does not start with /v4/"],
    ["v4/data", "it does not start with /v4/"],
    ["https://elsewhere.test/v4/data", "it does not start with /v4/"],
    ["//elsewhere.test/v4/data", "it does not start with /v4/"],
    ["/v4/../admin", "it has a dot segment"],
    ["/v4/%2e%2e/admin", "it has a dot segment"],
    ["/v4/a%2fb", "a segment has an encoded delimiter or control character"],
    ["/v4/a\\b", "it has a character that must be percent-encoded"],
    ["/v4/a b", "it has a character that must be percent-encoded"],
    ["/v4//a", "it has an empty segment"],
    ["/v4/a#b", "it has a character that must be percent-encoded"],
    ["/v4/a?b c", "its query has a character that must be percent-encoded"],
  ];
  test.each(refused)("%s is refused before any network call", async (path, reason) => {
    const { exitCode, json: answer } = await the().json(["publicapi", "get", path], {
      fetch: platformDown,
      as: "anonymous",
    });
    expect(exitCode).toBe(1);
    expect(answer).toMatchObject({
      error: { code: "E305", message: `Invalid input: the request can't be sent: ${reason}` },
    });
  });

  test("--param adds to the query, in order, and may repeat", async () => {
    const deployment = answering("{}", json);
    const words = [
      "publicapi",
      "get",
      "/v4/x?a=1",
      "--param",
      "b=2 3",
      "--param",
      "a=ü&=",
      "--param",
      "c=",
    ];
    await the().svc(words, deployment);
    expect(deployment.seen[0]?.url.search).toBe("?a=1&b=2+3&a=%C3%BC%26%3D&c=");
    const bad = await the().json(["publicapi", "get", "/v4/x", "--param", "novalue"]);
    expect(bad.json).toMatchObject({
      error: { code: "E304", message: 'Invalid format: --param "novalue"' },
    });
  });

  test("--json is the old name of --format json", async () => {
    const { stdout, stderr } = await the().svc("publicapi get /v4/identity/me --json");
    expect(JSON.parse(stdout)).toMatchObject({ email: "tenant-admin@example.org" });
    expect(stderr).toBe("--json is deprecated: use --format json\n");
  });
});

describe("the workspace", () => {
  const { get, sent } = {
    get: ["publicapi", "get"],
    sent: async (words: readonly string[], settings: CallSettings = {}): Promise<string | null> => {
      const deployment = answering("{}", json);
      await the().svc(words, { ...settings, ...deployment });
      return deployment.seen[0]?.headers.get("x-tenant-id") ?? null;
    },
  };

  test("is the selected one, the one that the address names, or the one of --tenant-id", async () => {
    const { tenant, other } = the().platform.workspaces;
    expect(await sent([...get, "/v4/data/documents/records"])).toBe(tenant);
    expect(await sent([...get, `/v4/data/resources/${other}/tree`])).toBe(other);
    expect(await sent([...get, "/v4/x", "--tenant-id", other])).toBe(other);
    expect(await sent([...get, "/v4/x", "--tenant-id", other.toUpperCase()])).toBe(other);
    expect(await sent([...get, "/v4/x"], { config: await the().emptyConfig() })).toBeNull();
  });

  test("a missing workspace is reported with the name of the flag", async () => {
    const { exitCode, json: answer } = await the().json([...get, "/v4/data/documents/records"], {
      config: await the().emptyConfig(),
    });
    expect(exitCode).toBe(2);
    expect(answer).toMatchObject({
      error: {
        code: "E303",
        message: "Required field missing: --tenant-id",
        status: 422,
        hint: "Or choose a workspace once: `svc workspace select <workspace>`",
      },
    });
  });

  test("--tenant-id changes no selection, and takes an exact UUID only", async () => {
    const config = await the().emptyConfig();
    await the().svc("workspace select tenant", { config });
    const { other } = the().platform.workspaces;
    await the().svc([...get, "/v4/identity/me", "--tenant-id", other], { config });
    const { json: after } = await the().json("whoami", { config });
    expect(after).toMatchObject({ settings: { workspace: { value: { slug: "tenant" } } } });
    const slug = await the().json([...get, "/v4/identity/me", "--tenant-id", "tenant"]);
    expect(slug.json).toMatchObject({
      error: { code: "E304", message: 'Invalid format: --tenant-id "tenant"' },
    });
  });
});

describe("the body", () => {
  test("--data is sent unchanged", async () => {
    const deployment = answering("{}", json);
    const data = '{"n": 12345678901234567890, "n": 1.0}';
    await the().svc(["publicapi", "post", "/v4/x", "--data", data], deployment);
    await the().svc("publicapi patch /v4/x --data -", { ...deployment, stdin: data });
    expect(deployment.seen.map(({ method, body }) => [method, body])).toEqual([
      ["POST", data],
      ["PATCH", data],
    ]);
    expect(deployment.seen[0]?.headers.get("content-type")).toBe("application/json");
  });

  test("--file is sent as its bytes", async () => {
    const directory = await temporaryDirectory("files");
    await Bun.write(join(directory, "body.json"), '{"a":1}');
    await Bun.write(join(directory, "body.bin"), "bytes");
    const deployment = { ...answering("{}", json), currentDirectory: directory };
    await the().svc("publicapi put /v4/x --file body.json", deployment);
    await the().svc("publicapi put /v4/x --file body.bin", deployment);
    const result = deployment.seen.map(({ headers, body }) => [headers.get("content-type"), body]);
    expect(result).toEqual([
      ["application/json", '{"a":1}'],
      ["application/octet-stream", "bytes"],
    ]);
  });

  const refused: [string, string, string][] = [
    ["post /v4/x --data {", "E304", "Invalid format: --data is not JSON: Expected '}'"],
    ["post /v4/x --file none.json", "E305", "Invalid input: none.json does not exist"],
    ["post /v4/x --file /", "E305", "Invalid input: / is not a file"],
    ["get /v4/x --data {}", "E305", "Invalid input: the request can't be sent: GET takes no body"],
  ];
  test.each(refused)("svc publicapi %s is refused", async (words, code, message) => {
    const { exitCode, json: answer } = await the().json(`publicapi ${words}`, {
      fetch: platformDown,
    });
    expect(exitCode).toBe(1);
    expect(answer).toMatchObject({ error: { code, message } });
  });

  test("and its file exclude each other", async () => {
    const { exitCode, json: answer } = await the().json("publicapi post /v4/x --data {} --file x", {
      fetch: platformDown,
    });
    expect(exitCode).toBe(2);
    expect(answer).toMatchObject({
      error: { code: "E305", message: "Invalid input: --data and --file exclude each other" },
    });
  });
});

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
