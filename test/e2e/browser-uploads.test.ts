import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "#client/index.ts";
import {
  uploadHtml,
  uploadPage,
  type RoundTrip,
  type UploadKind,
} from "#test/support/browser/upload-page.ts";
import { complaintsOf, launchChromium, missingChromium } from "#test/support/chromium.ts";
import { makeConsumer } from "#test/support/library-consumer.ts";
import { describeNeeding } from "#test/support/needs.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { startPlatform } from "#test/support/svc.ts";

/** The packed library in a page of Chromium, over HTTP/1.1. */

const mebibyte = 1024 * 1024;

describeNeeding("uploads from a page", missingChromium, () => {
  let platform: RunningPlatform;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];
  let missing: string[];
  let tenantId: string;

  beforeAll(async () => {
    let program: string;
    [platform, browser, program] = await Promise.all([
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
    await page.route("**/uploads/page.js", (route) =>
      route.fulfill({ contentType: "text/javascript", body: program }),
    );
    await page.goto(`${platform.url}/uploads/`);
    await page.waitForFunction(`document.title === "ready"`);
    const client = createClient({ baseUrl: platform.url, token: await platform.token() });
    const { items } = await client.identity.tenants();
    tenantId = items.find(({ slug }) => slug === "planning")?.id ?? "";
  }, 120_000);
  afterAll(async () => {
    await Promise.all([browser.close(), platform.stop()]);
  });

  /** The program in one file, as a bundler makes it for a page. */
  async function bundled(): Promise<string> {
    const root = await makeConsumer({ "page.js": uploadPage });
    const built = await Bun.build({ entrypoints: [join(root, "page.js")], target: "browser" });
    return await (built.outputs[0]?.text() ?? "");
  }

  async function roundTrips(
    uploads: readonly (readonly [kind: UploadKind, size: number])[],
  ): Promise<readonly RoundTrip[]> {
    const given = uploads.map(([kind, size]) => ({ kind, size }));
    const input = { token: await platform.token(), tenantId, uploads: given };
    return await page.evaluate<RoundTrip[]>(`roundTrips(${JSON.stringify(input)})`);
  }

  test("come back byte for byte, with their progress and without a word in the console", async () => {
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

  test("are an error when the platform reports another size, or redirects", async () => {
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
});
