import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { honours, serve, serveRaw, type SeenRequest } from "#test/client/servers.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand, type Called } from "./world.ts";

/** Commands against small servers that answer wrong, cut short, or without end. */

const workspace = "0198f0a0-1111-7000-8000-000000000001";
const id = "0198f0a0-2222-7000-8000-000000000002";
const page = "<!doctype html><html><title>Welcome to Station Wi-Fi</title></html>";
const html = { "content-type": "text/html; charset=utf-8" };
const raw = (head: string, body = "") => `HTTP/1.1 ${head}\r\n\r\n${body}`;

async function svc(
  server: { readonly url: string },
  words: readonly string[],
  currentDirectory?: string,
): Promise<Called> {
  const config = await temporaryDirectory("config");
  const variables = { BASE_URL_PUBLIC_API: server.url, SVC_CONFIG_DIR: config };
  const place = currentDirectory === undefined ? {} : { currentDirectory };
  return await runCommand(words, { token: "a-token", variables, ...place });
}

const inWorkspace = ["--tenant-id", workspace];

describe("a write", () => {
  const list = (items: readonly object[]) =>
    Response.json({ items, page: 1, limit: 500, hasNextPage: false });
  const writes: readonly [string, string, readonly string[], string][] = [
    [
      "resources create",
      "",
      ["resources", "create", "tree", "--data", '{"a":1}', ...inWorkspace],
      "`svc resources list tree`",
    ],
    [
      "workspace create",
      "/children",
      ["workspace", "create", "--name", "One", "--slug", "one", "--parent", workspace],
      "`svc workspace list --all`",
    ],
    ["types seed", "/object-types", ["types", "seed", ...inWorkspace], "`svc types diff`"],
  ];

  async function project(): Promise<string> {
    const folder = await temporaryDirectory("project");
    await mkdir(join(folder, "src/eai.config"), { recursive: true });
    const types = [{ name: "Tree", slug: "tree", properties: {} }];
    await Bun.write(join(folder, "src/eai.config/object-types.json"), JSON.stringify(types));
    return folder;
  }

  function reads({ path }: SeenRequest): Response {
    const isTypes = path.includes("/object-types");
    return list(isTypes ? [] : [{ id: workspace, slug: "parent", displayName: "Parent" }]);
  }

  describe.each(writes)("%s", (_name, _path, words, look) => {
    test.each([502, 503, 504, 408, 429])(
      "is sent once to a server that answers %i and promises nothing",
      async (status) => {
        const server = serve((request) =>
          request.method === "GET"
            ? reads(request)
            : new Response("", { status, headers: { "retry-after": "0" } }),
        );
        const { exitCode, stderr, stdout } = await svc(server, words, await project());
        expect(exitCode).toBe(1);
        expect(server.seen.filter(({ method }) => method === "POST")).toHaveLength(1);
        // 429 is a refusal: nothing was stored.
        if (status !== 429) expect(stdout + stderr).toContain("unknown");
      },
    );

    test("is sent once where the line is cut, and the message says where to look", async () => {
      const gets = serve(reads);
      let posts = 0;
      const server = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: async (request) => {
          const url = new URL(request.url);
          if (request.method === "GET") return await fetch(gets.url + url.pathname + url.search);
          posts += 1;
          // The connection is closed without a response.
          await server.stop(true);
          return new Response();
        },
      });
      const { exitCode, stderr } = await svc({ url: server.url.origin }, words, await project());
      expect([exitCode, posts]).toEqual([1, 1]);
      expect(stderr.replace(/\s+/g, " ")).toContain(look);
    });

    test("is repeated with its key where the platform honours keys", async () => {
      const server = serve((request) => {
        if (request.method === "GET") return reads(request);
        return new Response("", { status: 503, headers: { ...honours, "retry-after": "0" } });
      });
      expect((await svc(server, words, await project())).exitCode).toBe(1);
      const posts = server.seen.filter(({ method }) => method === "POST");
      expect(posts).toHaveLength(3);
      expect(new Set(posts.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
    });
  });

  const record = ["resources", "delete", "tree", id, "--force", ...inWorkspace];
  const file = ["resources", "file", "delete", "tree", id, "photo", "--force", ...inWorkspace];
  const path = `/v4/data/resources/${workspace}/tree/${id}`;
  const deletions: [string, readonly string[]][] = [
    ["resources delete", record],
    ["resources file delete", file],
    ["publicapi delete", ["publicapi", "delete", path]],
  ];
  test.each(deletions)("%s is not done by a captive portal's page", async (_name, words) => {
    const server = serve(() => new Response(page, { headers: html }));
    const { exitCode, stdout, stderr } = await svc(server, words);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("Error E203: Platform API error: the response is");
    expect(stderr).toContain("The outcome is unknown: look before you send it again");
    const json = await svc(server, [...words, "--format", "json"]);
    expect(json).toMatchObject({ exitCode: 1, json: { error: { code: "E203", exitCode: 1 } } });
  });

  test.each<[string, () => Response, number]>([
    ["204", () => new Response(null, { status: 204 }), 0],
    ["200 without a body", () => new Response(""), 0],
    ["a receipt", () => Response.json({ id, deleted: true, note: "gone" }), 0],
    ["a receipt of another type", () => new Response(`{"id":"${id}"}`), 0],
    ["a receipt that denies it", () => Response.json({ deleted: false }), 1],
    ["a text", () => new Response("Welcome!"), 0],
    ["an error", () => Response.json({ error: { message: "disk full" } }), 1],
  ])("resources delete answered by %s", async (_name, answer, expected) => {
    const { exitCode, stdout } = await svc(serve(answer), record);
    expect(exitCode).toBe(expected);
    expect(stdout).toBe(expected === 0 ? `Deleted tree ${id}\n` : "");
  });

  test.each<[string, string, () => Response]>([
    [
      "of 5 MB",
      "the response to the upload can't be read: it is too large",
      () => Response.json({ jobId: id, filler: "x".repeat(5_000_000) }),
    ],
    ["of a captive portal", "has no job", () => new Response(page, { headers: html })],
    ["without a job", "has no job", () => Response.json({ ok: true }, { status: 202 })],
  ])("docs upload with an answer %s ends with 1 and says why", async (_name, why, answer) => {
    const folder = await temporaryDirectory("files");
    await Bun.write(join(folder, "letter.txt"), "A letter.");
    const server = serve(answer);
    const words = ["docs", "upload", "letter.txt", "--business-request-id", id, ...inWorkspace];
    const { exitCode, stdout, stderr } = await svc(server, words, folder);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr.replace(/\s+/g, " ")).toContain(why);
    expect(stderr.replace(/\s+/g, " ")).toContain("Look before you send it again");
    expect(server.seen).toHaveLength(1);
  });

  test.each(["provision storage", "resources sync-schema"])(
    "%s is done by an answer without results, but not by one that reports a failure",
    async (words) => {
      const call = [...words.split(" "), ...inWorkspace];
      for (const answer of [{}, { ok: true }, { state: "applied" }]) {
        const server = serve(() => Response.json(answer));
        expect(await svc(server, call)).toMatchObject({ exitCode: 0 });
      }
      for (const answer of [{ ok: false }, { error: "no disk" }, { state: "failed" }]) {
        const server = serve(() => Response.json(answer));
        expect(await svc(server, call)).toMatchObject({ exitCode: 1 });
      }
      const refused = { results: [{ backend: "postgresql", state: "half-done" }] };
      const { exitCode, stderr } = await svc(
        serve(() => Response.json(refused)),
        call,
      );
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringContaining("Not done: postgresql is half-done"),
      ]);
    },
  );

  test("refused with 401 and a large body ends", async () => {
    const body = JSON.stringify({ code: "token-expired", filler: "x".repeat(1_000_000) });
    const headers = { "content-type": "application/problem+json" };
    const server = serve(() => new Response(body, { status: 401, headers }));
    const words = ["resources", "create", "tree", "--data", "{}", ...inWorkspace];
    expect((await svc(server, words)).exitCode).toBe(4);
  });
});

describe("a download", () => {
  const get = ["resources", "file", "get", "tree", id, "plan", ...inWorkspace];

  async function folderWith(name: string): Promise<string> {
    const folder = await temporaryDirectory("files");
    await Bun.write(join(folder, name), "the old file");
    return folder;
  }

  test.each([
    ["chunks that are cut", raw("200 OK\r\ntransfer-encoding: chunked", "5\r\nhello\r\n")],
    ["fewer bytes than its length", raw("200 OK\r\ncontent-length: 50", "hello")],
    ["bytes without a length, which may be cut", raw("200 OK\r\nconnection: close", "hello")],
    ["bytes of HTTP/1.0 without a length", "HTTP/1.0 200 OK\r\n\r\nhello"],
  ])("of %s keeps the old file", async (_name, bytes) => {
    const folder = await folderWith("plan.pdf");
    const server = serveRaw(() => ({ bytes, holdMs: 20 }));
    const { exitCode, stdout, stderr } = await svc(
      server,
      [...get, "--output", "plan.pdf"],
      folder,
    );
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("Error E203");
    expect(await Bun.file(join(folder, "plan.pdf")).text()).toBe("the old file");
    expect(await readdir(folder)).toEqual(["plan.pdf"]);
  });

  test("without a length makes a new file, and says that it may be incomplete", async () => {
    const folder = await folderWith("old.pdf");
    const server = serveRaw(() => ({ bytes: "HTTP/1.0 200 OK\r\n\r\nhello", holdMs: 20 }));
    const words = [...get, "--output", "plan.pdf", "--format", "json"];
    const saved = await svc(server, words, folder);
    expect(saved).toMatchObject({ exitCode: 0, json: { size: 5, verified: false } });
    expect(saved.stderr).toMatch(/^Check the size: .* so it may be incomplete\n$/);
    const shown = await svc(server, get, folder);
    expect(shown).toMatchObject({ exitCode: 0, stdout: "hello", stderr: saved.stderr });
  });

  test("in whole chunks replaces the old file", async () => {
    const folder = await folderWith("plan.pdf");
    const bytes = raw("200 OK\r\ntransfer-encoding: chunked", "5\r\nhello\r\n0\r\n\r\n");
    const server = serveRaw(() => ({ bytes, holdMs: 20 }));
    const words = [...get, "--output", "plan.pdf", "--format", "json"];
    const { exitCode, json, stderr } = await svc(server, words, folder);
    expect({ exitCode, json, stderr }).toMatchObject({ exitCode: 0, json: { verified: true } });
    expect(await Bun.file(join(folder, "plan.pdf")).text()).toBe("hello");
  });

  test("of a captive portal's page is not saved as the file", async () => {
    const folder = await folderWith("plan.pdf");
    const server = serve(() => new Response(page, { headers: html }));
    const { exitCode, stderr } = await svc(server, [...get, "--output", "plan.pdf"], folder);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("the response is a web page");
    expect(await Bun.file(join(folder, "plan.pdf")).text()).toBe("the old file");
  });
});

describe("chat stream", () => {
  const words = ["chat", "stream", "When?", "--workflow", "w", ...inWorkspace];
  const events = { "content-type": "text/event-stream" };

  test("ends after 16 MiB of an answer without end", async () => {
    const event = new TextEncoder().encode(`data: ${"x".repeat(64_000)}\n\n`);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(event) });
    const server = serve(() => new Response(endless, { headers: events }));
    const { exitCode, stdout, stderr } = await svc(server, words);
    expect(exitCode).toBe(1);
    expect(stdout.length).toBeGreaterThan(8 * 1024 ** 2);
    expect(stdout.length).toBeLessThanOrEqual(16 * 1024 ** 2);
    expect(stderr).toContain("The answer is incomplete: E203");
    expect(stderr).toContain("it is larger than 16 MiB");
  });

  test.each<[string, () => Response]>([
    ["a page", () => new Response(page, { headers: html })],
    ["nothing", () => new Response("", { headers: events })],
    ["a part", () => new Response("data: Tomorrow\n\n", { headers: events })],
    ["other JSON", () => Response.json({ ok: true })],
  ])("that gets %s is incomplete", async (_name, answer) => {
    const { exitCode, stderr } = await svc(serve(answer), words);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("The answer is incomplete");
  });
});
