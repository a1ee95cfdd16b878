import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown, type CallSettings } from "./world.ts";
import { answering } from "./publicapi/answering.ts";

const the = commandWorld();

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
    expect(exitCode).toBe(2);
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
    expect(exitCode).toBe(2);
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
