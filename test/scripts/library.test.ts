import { readFile, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { finished } from "../../scripts/build/finished.ts";
import { rewriteSpecifiers } from "../../scripts/build/declarations.ts";
import { cleanEnvironment } from "../support/environment.ts";
import { compile, makeConsumer } from "../support/library-consumer.ts";
import { findNode } from "../support/node.ts";

const repository = resolve(import.meta.dirname, "../..");

const consumerProgram = `
import { createClient, defineObjectTypes, PlatformError, type Resource } from "@svc-platform/client";

const client = createClient({ baseUrl: process.argv[2] ?? "", token: "t-1", tenantId: process.argv[3] ?? "" });
const applications = client.useResources("planning-application");
const page = await applications.list({ limit: 2 });
const first: Resource | undefined = page.items[0];
console.log(JSON.stringify(first?.data), page.hasNextPage);
// The client is typed: there is no such verb.
type Missing = "paint" extends keyof typeof applications ? never : "missing";
const missing: Missing = "missing";
// Records of a project's own Object Types are typed by them.
const objectTypes = defineObjectTypes([
  {
    name: "Licence",
    slug: "licence",
    properties: {
      status: { type: "enum", enum: ["open", "decided"], required: true },
      fee: { type: "number" },
    },
  },
]);
const typed = createClient<typeof objectTypes>({ baseUrl: process.argv[2] ?? "", token: "t-1" });
const licences = typed.useResources("licence", { tenantId: process.argv[3] });
for await (const { data } of licences.all({ pageSize: 1 })) {
  const status: "open" | "decided" = data.status;
  const fee: number | null | undefined = data.fee;
  console.log(status ?? "none", fee ?? "none");
}
type Slip = "staus" extends keyof Parameters<typeof licences.create>[0] ? never : "slip";
const slip: Slip = "slip";
await applications.get("0198e0f0-0000-7000-8000-00000000dead").catch((error: unknown) => {
  console.log(error instanceof PlatformError, error instanceof Error ? error.message : "");
});
export { missing, slip };
`;

/** Uses streams, waits and retries, where a runtime must have the functions that we call. */
const streamsProgram = `
import { createClient } from "@svc-platform/client";

const client = createClient({ baseUrl: process.argv[2], token: "t-1", tenantId: process.argv[3] });
const documents = client.useDocuments();
const text = new Blob(["The wall is two metres high."]);
const content = { size: text.size, stream: () => text.stream() };
const context = { planningApplicationId: "0198e0f0-0000-7000-8000-0000000000bb" };
const sent = await documents.upload({ filename: "wall.txt", content }, context);
console.log((await sent.accepted()).jobId);
let received = "";
const decoder = new TextDecoder();
for await (const chunk of (await documents.content("DOC-2026-000001")).chunks()) {
  received += decoder.decode(chunk, { stream: true });
}
console.log(received);
for await (const event of client.useChat("assistant").stream("How high is the wall?")) {
  console.log(event.type, event.text ?? event.reason);
}
// The first answer is 503, and asked for again after a pause.
console.log((await client.useResources("planning-application").list()).items.length);
`;

describe("the library that the package exports", () => {
  let root = "";
  beforeAll(async () => {
    root = await makeConsumer({ "main.ts": consumerProgram, "streams.mjs": streamsProgram });
  });

  test("has declarations that a strict project can check, without skipping libraries", async () => {
    expect(await compile(root, "main.ts", { checksLibraries: true })).toEqual([0, ""]);
    // A compiler that reads a library and its schemas on a machine that has other things to do.
  }, 120_000);

  test.each([
    ["Bun", process.execPath],
    ["Node", findNode()],
  ])("runs in a separate project, on %s, against a platform", async (_, runtime) => {
    const requests: string[] = [];
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        const { pathname, search } = new URL(request.url);
        requests.push(`${pathname}${search} ${request.headers.get("authorization") ?? ""}`);
        if (pathname.endsWith("dead")) {
          return Response.json(
            { type: "about:blank", title: "Not Found", status: 404, code: "not-found" },
            { status: 404, headers: { "content-type": "application/problem+json" } },
          );
        }
        const item = { id: "0198e0f0-0000-7000-8000-000000000001", version: 1, data: { a: 1 } };
        return Response.json({ items: [item], page: 1, limit: 2, hasNextPage: false });
      },
    });
    const tenant = "0198e0f0-0000-7000-8000-0000000000aa";
    const child = Bun.spawn([runtime, "out/main.js", server.url.origin, tenant], {
      cwd: root,
      env: cleanEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { stdout, stderr, exitCode } = await finished(child);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout.split("\n")[0]).toBe('{"a":1} false');
    expect(stdout.split("\n")[1]).toBe("none none");
    expect(stdout.split("\n")[2]).toMatch(/^true /);
    expect(requests[0]).toBe(
      `/v4/data/resources/${tenant}/planning-application?limit=2 Bearer t-1`,
    );
  });

  test.each([
    ["Bun", process.execPath],
    ["Node", findNode()],
  ])("sends and reads streams, and tries again, on %s", async (_, runtime) => {
    let body = "";
    let lists = 0;
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const { pathname } = new URL(request.url);
        if (pathname.endsWith("/upload")) {
          body = await request.text();
          return Response.json({ jobId: "job-1" }, { status: 202 });
        }
        if (pathname.endsWith("/content")) return new Response("It is two metres high.");
        if (pathname.includes("/chat/stream/")) {
          const events = [{ type: "text-delta", id: "1", delta: "Two metres." }, "[DONE]"].map(
            (event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`,
          );
          const headers = { "content-type": "text/event-stream" };
          return new Response(events.join(""), { headers });
        }
        lists += 1;
        if (lists === 1) return Response.json({ status: 503 }, { status: 503 });
        return Response.json({ items: [] });
      },
    });
    const tenant = "0198e0f0-0000-7000-8000-0000000000aa";
    const child = Bun.spawn([runtime, "streams.mjs", server.url.origin, tenant], {
      cwd: root,
      env: cleanEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { stdout, stderr, exitCode } = await finished(child);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout.trim().split("\n")).toEqual([
      "job-1",
      "It is two metres high.",
      "text Two metres.",
      "finish done",
      "0",
    ]);
    expect(body).toContain("The wall is two metres high.");
    expect(lists).toBe(2);
  });

  test("depends on no other package, so that it can be installed without a network", async () => {
    expect(
      Object.keys(manifest).filter((name) => /^(peer|optional)?dependencies/i.test(name)),
    ).toEqual([]);
    const library = join(root, "node_modules/@svc-platform/client/dist/lib");
    expect((await readdir(join(library, "licences"))).toSorted()).toEqual([
      "eventsource-parser.txt",
      "zod.txt",
    ]);
    const foreign = /(?:\bfrom |\bimport\(|^import )"(?!\.)[^"]*"/gm;
    for (const file of await readdir(library, { recursive: true })) {
      if (!/\.(js|ts)$/.test(file)) continue;
      const text = await readFile(join(library, file), "utf8");
      const code = text.replaceAll(/\/\*.*?\*\/|^\s*\/\/.*$/gms, "");
      expect(code.match(foreign) ?? [], file).toEqual([]);
    }
  });

  test("can be imported where there are no modules of Node, as in a browser", async () => {
    const library = join(root, "node_modules/@svc-platform/client/dist/lib");
    const scripts = (await readdir(library)).filter((name) => name.endsWith(".js"));
    expect(scripts).toContain("index.js");
    for (const name of scripts) {
      const text = await readFile(join(library, name), "utf8");
      expect(text.match(/^import .*"node:.*/m)?.[0], name).toBeUndefined();
      expect(text.match(/^.*\b(?:Buffer|Bun|process)\.\w.*/m)?.[0], name).toBeUndefined();
    }
  });

  test("says of everything that it exports what it is", async () => {
    const types = join(root, "node_modules/@svc-platform/client/dist/lib/types");
    const index = await readFile(join(types, "client/index.d.ts"), "utf8");
    const exported = Array.from(index.matchAll(/\{([^}]*)\} from "(.*)\.js"/g)).flatMap(
      ([, names = "", from = ""]) =>
        names.split(",").map((name) => ({ name: name.trim().replace("type ", ""), from })),
    );
    expect(exported.length).toBeGreaterThan(70);
    const bare: string[] = [];
    for (const { name, from } of exported) {
      const text = await readFile(join(types, "client", `${from}.d.ts`), "utf8");
      const documented = new RegExp(
        `\\*/\\nexport (?:declare )?(?:type|interface|class|const|function) ${name}\\b`,
      );
      if (!documented.test(text)) bare.push(`${name} of ${from}`);
    }
    expect(bare).toEqual([]);
  });

  test("needs nothing of ours: no specifier of a layer, no absolute path", async () => {
    const library = join(root, "node_modules/@svc-platform/client/dist/lib");
    const files = await readdir(library, { recursive: true });
    for (const file of files.filter((name) => /\.(js|ts)$/.test(name))) {
      const text = await readFile(join(library, file), "utf8");
      expect(text.match(/(?:from|import)\s*\(?\s*["'](?:#|\/)[^"']*/)?.[0], file).toBeUndefined();
      expect(text.includes(repository), file).toBe(false);
    }
  });
});

test("specifiers of layers become relative ones that a consumer can resolve", () => {
  const declarations = [
    `import type { Role } from "#contract/access/roles.ts";`,
    `export { a } from "./calls.ts";`,
    `type B = import("#lib/deep/er.ts").B;`,
    `import * as z from "zod";`,
  ].join("\n");
  expect(rewriteSpecifiers(declarations, "client/x/surface.d.ts").split("\n")).toEqual([
    `import type { Role } from "../../contract/access/roles.js";`,
    `export { a } from "./calls.js";`,
    `type B = import("../../lib/deep/er.js").B;`,
    `import * as z from "zod";`,
  ]);
});
