import { join } from "node:path";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "#client/index.ts";
import { clientPackage } from "#lib/packages.ts";
import {
  uploadHtml,
  uploadPage,
  type RoundTrip,
  type UploadKind,
  type Watched,
} from "#test/support/browser/upload-page.ts";
import { complaintsOf, launchChromium, missingChromium } from "#test/support/chromium.ts";
import { makeConsumer } from "#test/support/library-consumer.ts";
import { describeNeeding } from "#test/support/needs.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { startPlatform } from "#test/support/svc.ts";

/** The packed library in a page of Chromium, over HTTP/1.1. */

const mebibyte = 1024 * 1024;
/** The limit of what a page loads for records, files and chat, minified and compressed. */
const bundleLimit = 55_000;

/** Compressed size of a script. */
function sizeOf(script = ""): number {
  return Bun.gzipSync(script, { level: 9 }).byteLength;
}

describeNeeding("the library in a page", missingChromium, () => {
  let platform: RunningPlatform;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];
  let missing: string[];
  let tenantId: string;
  let scripts: ReadonlyMap<string, string>;
  /** Compressed sizes of the scripts that the page has loaded, by name. */
  const loaded = new Map<string, number>();

  beforeAll(async () => {
    [platform, browser, scripts] = await Promise.all([
      startPlatform({ hasSamples: true }),
      launchChromium(),
      bundled(),
    ]);
    page = await browser.newPage();
    complaints = complaintsOf(page);
    missing = [];
    page.on("response", (response) => {
      if (response.status() === 404) missing.push(response.url());
    });
    await page.route("**/uploads/", (route) =>
      route.fulfill({ contentType: "text/html", body: uploadHtml("/uploads/page.js") }),
    );
    await page.route("**/uploads/*.js", serveScript);
    await page.goto(`${platform.url}/uploads/`);
    await page.waitForFunction(`document.title === "ready"`);
    const client = createClient({ baseUrl: platform.url, token: await platform.token() });
    const { items } = await client.identity.tenants();
    tenantId = items.find(({ slug }) => slug === "planning")?.id ?? "";
  }, 120_000);
  afterAll(async () => {
    await Promise.all([browser.close(), platform.stop()]);
  });

  async function serveScript(route: Route): Promise<void> {
    const name = new URL(route.request().url()).pathname.split("/").at(-1) ?? "";
    const body = scripts.get(name);
    if (body === undefined) return await route.fulfill({ status: 404 });
    loaded.set(name, sizeOf(body));
    await route.fulfill({ contentType: "text/javascript", body });
  }

  /** The program's scripts by their names, as a bundler makes them for a page, and as one. */
  async function bundled(): Promise<ReadonlyMap<string, string>> {
    // The client alone: the limit is not for the code of the page that tests it.
    const client = `import { createClient } from "${clientPackage}"; window.svc = createClient;`;
    const root = await makeConsumer({ "page.js": uploadPage, "client.js": client });
    const build = async (script: string, splitting: boolean) => {
      const entrypoints = [join(root, script)];
      const format = { minify: true, splitting, modulePreload: false };
      const { outputs } = await Bun.build({ entrypoints, target: "browser", ...format });
      return await Promise.all(
        outputs.map(async (file) => [file.path.replace("./", ""), await file.text()] as const),
      );
    };
    const [parts, whole, alone] = await Promise.all([
      build("page.js", true),
      build("page.js", false),
      build("client.js", false),
    ]);
    expect([whole.length, alone.length]).toEqual([1, 1]);
    return new Map([
      ...parts,
      ["whole.js", whole[0]?.[1] ?? ""],
      ["client.js", alone[0]?.[1] ?? ""],
    ]);
  }

  async function roundTrips(
    uploads: readonly (readonly [kind: UploadKind, size: number])[],
  ): Promise<readonly RoundTrip[]> {
    const given = uploads.map(([kind, size]) => ({ kind, size }));
    const input = { token: await platform.token(), tenantId, uploads: given };
    return await page.evaluate<RoundTrip[]>(`roundTrips(${JSON.stringify(input)})`);
  }

  test("uploads come back byte for byte, with their progress and without a word in the console", async () => {
    const uploads = [
      ["file", 0],
      ["file", 1],
      ["blob", 65_537],
      ["stream", 3 * mebibyte + 1],
      ["document", 5],
      ["document", mebibyte + 7],
      ["file", 12 * mebibyte],
    ] as const;
    const results = await roundTrips(uploads);
    expect(results).toEqual(
      uploads.map(([kind, size]) => ({ kind, size, outcome: "same", progress: "complete" })),
    );
    expect(complaints).toEqual([]);
    expect(missing).toEqual([]);
  });

  test("records, files and chat load at most 55 kB of scripts", async () => {
    const question = "When does the committee decide?";
    const input = { token: await platform.token(), tenantId, question };
    const answer = await page.evaluate(`answered(${JSON.stringify(input)})`);
    expect(answer).toMatchObject({ reason: "done" });
    const total = [...loaded.values()].reduce((sum, size) => sum + size, 0);
    expect(total, [...loaded].join(" ")).toBeLessThanOrEqual(bundleLimit);
    expect(total).toBeGreaterThan(bundleLimit / 4);
    expect(complaints).toEqual([]);
  });

  test("the client as one script has at most 55 kB, and calls every domain", async () => {
    const single = await browser.newPage();
    const words = complaintsOf(single);
    loaded.clear();
    await single.route("**/uploads/", (route) =>
      route.fulfill({ contentType: "text/html", body: uploadHtml("/uploads/whole.js") }),
    );
    await single.route("**/uploads/*.js", serveScript);
    await single.goto(`${platform.url}/uploads/`);
    await single.waitForFunction(`document.title === "ready"`);
    const input = { token: await platform.token(), tenantId };
    const outcomes = await single.evaluate<Record<string, string>>(
      `called(${JSON.stringify(input)})`,
    );
    expect(outcomes).toEqual({
      ...Object.fromEntries(Object.keys(outcomes).map((name) => [name, "read"])),
      invalid: "E302 Validation failed: #/metrics must have at least 1 metric",
    });
    expect(Object.keys(outcomes).length).toBeGreaterThan(15);
    const uploads = [{ kind: "file", size: 65_537 }];
    expect(
      await single.evaluate(`roundTrips(${JSON.stringify({ ...input, uploads })})`),
    ).toMatchObject([{ outcome: "same", progress: "complete" }]);
    expect(words).toEqual([]);
    expect([...loaded.keys()]).toEqual(["whole.js"]);
    expect(sizeOf(scripts.get("client.js"))).toBeLessThanOrEqual(bundleLimit);
    expect(sizeOf(scripts.get("client.js"))).toBeGreaterThan(bundleLimit / 2);
    await single.close();
  });

  test("uploads are an error when the platform reports another size, or redirects", async () => {
    const files = "**/files/plans*";
    await page.route(files, (route) => route.fulfill({ json: { size: 23 } }));
    const [stored] = await roundTrips([["file", 1000]]);
    expect(stored?.outcome).toContain(
      "stored other bytes than the client sent: 23 bytes, not 1000",
    );
    await page.unroute(files);
    await page.route(files, (route) =>
      route.fulfill({ status: 307, headers: { location: `${platform.url}/v4/identity/me` } }),
    );
    const [redirected] = await roundTrips([["file", 1000]]);
    expect(redirected?.outcome).toContain("which is not followed");
  });

  test("changes arrive by one WebSocket, in the order of versions", async () => {
    const input = { token: await platform.token(), tenantId, count: 5 };
    const { versions, version, sockets } = await page.evaluate<Watched>(
      `watched(${JSON.stringify(input)})`,
    );
    expect(versions).toEqual([4, 3, 2, 1, 0].map((before) => version - before));
    expect(sockets).toBe(1);
  });
});
