import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createClient } from "#client/index.ts";
import { routes } from "#contract/index.ts";
import { finished } from "../../scripts/build/finished.ts";
import { cleanEnvironment } from "../support/environment.ts";
import { compile, makeConsumer } from "../support/library-consumer.ts";
import { findNode } from "../support/node.ts";
import { startPlatform } from "../support/svc.ts";

/** docs/library.md, as its reader uses it. */

describe("the page about the library", () => {
  let page = "";
  let examples = "";
  beforeAll(async () => {
    page = await Bun.file(join(import.meta.dirname, "../../docs/library.md")).text();
    examples = Array.from(page.matchAll(/^```ts\n(.*?)^```/gms), ([, code]) => code).join("\n");
  });

  test("has examples that compile, run on a fresh platform, and print the output next to them", async () => {
    const root = await makeConsumer({ "page.ts": examples });
    expect(await compile(root, "page.ts", { checksLibraries: false })).toEqual([0, ""]);
    const platform = await startPlatform({ hasSamples: true });
    const child = Bun.spawn([findNode(), "out/page.js"], {
      cwd: root,
      env: cleanEnvironment({
        BASE_URL_PUBLIC_API: platform.url,
        SVC_TOKEN: await platform.token(),
      }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { stdout, stderr, exitCode } = await finished(child);
    const promised = Array.from(examples.matchAll(/\/\/ → (.*)$/gm), ([, text]) => text);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout.trimEnd().split("\n")).toEqual(promised);
    // A compiler that reads a library and its schemas on a machine that has other things to do.
  }, 120_000);

  test("names every verb, with an example of it", () => {
    const client = createClient({ baseUrl: "http://127.0.0.1:9", token: "t-1" });
    const verbs = [
      ...Object.keys(client.useResources("licence")),
      ...Object.keys(client.useDocuments()),
      ...Object.keys(client.useChat("assistant")),
    ].filter((name) => name !== "responses");
    expect(page).toContain("`responses.<verb>(…)`");
    expect(verbs).toContain("waitForJob");
    expect(verbs.filter((verb) => !new RegExp(`\`${verb}\\(`).test(page))).toEqual([]);
    expect(verbs.filter((verb) => !new RegExp(`\\.${verb}\\(`).test(examples))).toEqual([]);
  });

  test("lists every route by its domain", () => {
    const rows = Object.entries(routes).map(([domain, ofDomain]) => {
      const names = Object.keys(ofDomain).map((name) => `\`${name}\``);
      return `| \`${domain}\` | ${names.join(", ")} |`;
    });
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});
