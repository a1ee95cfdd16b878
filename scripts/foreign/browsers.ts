import { existsSync } from "node:fs";
import { createClient } from "#client/index.ts";
import { startPlatformProcess, type RunningPlatform } from "#test/support/platform-process.ts";
import type { RoundTrip, UploadKind, Uploads, Watched } from "#test/support/browser/upload-page.ts";
import type { Row } from "../bench/figures.ts";
import { freePort } from "../server-program.ts";
import { findChromium, programOf } from "../tools.ts";
import { openChromium } from "./browsers/chromium.ts";
import { openFirefox } from "./browsers/firefox.ts";
import { buildPages, bundlers, oneScriptBytes, type Bundler } from "./browsers/pages.ts";
import { startNginx } from "./browsers/nginx.ts";
import type { Browser } from "./browsers/browser.ts";
import type { Counterpart } from "./counterpart.ts";

/** The limit of a page of records, files and chat, minified and compressed. */
const pageLimitBytes = 55_000;

/** A page of each bundler in each browser, over HTTP/1.1 and, through nginx with TLS, HTTP/2. */
export const browsers: Counterpart = {
  name: "browsers",
  about:
    "uploads of 0 bytes to 300 MB and changes by WebSocket, from pages in Chromium and Firefox",
  tools: [
    { name: "Chromium", debianPackage: "chromium", find: findChromium },
    programOf("firefox-esr", "firefox-esr"),
    { name: "nginx", debianPackage: "nginx", find: findNginx },
  ],
  packages: ["vite@8.3.8", "esbuild@0.28.2"],
  async run(place) {
    const { directory, executable, packages, note } = place;
    const pages = await buildPages(directory, packages);
    const ports = { plain: await freePort(), tls: await freePort() };
    const secure = `https://127.0.0.1:${ports.tls}`;
    const start = (name: string, more: readonly string[]) =>
      startPlatformProcess({
        executable,
        dataDir: `${directory}/${name}`,
        home: directory,
        args: ["--demo", ...more],
      });
    await using plain = await start("plain", []);
    await using behindTls = await start("tls", [`--base-url=${secure}`]);
    const platforms = { plain: plain.url, tls: behindTls.url };
    const nginx = (await findNginx()) ?? "nginx";
    await using _proxy = await startNginx({ nginx, directory, pages, ports, platforms });
    const ways = [
      await wayTo("HTTP/1.1", `http://127.0.0.1:${ports.plain}`, plain),
      await wayTo("HTTP/2", secure, behindTls),
    ];
    const openers = { Chromium: openChromium, Firefox: openFirefox };
    const rows: Row[] = [];
    const failures: string[] = [];
    for (const [name, open] of Object.entries(openers)) {
      await using browser = await open(directory);
      for (const { protocol, origin, input } of ways) {
        for (const bundler of bundlers) {
          const cell = `${name}, ${protocol}, ${bundler}`;
          const { figures, faults } = await tryCell(browser, { origin, bundler, input });
          note(`${cell}: ${figures.join(", ")}`);
          rows.push({ name: cell, figures });
          failures.push(...faults.map((fault) => `${cell}: ${fault}`));
        }
      }
    }
    const bytes = await oneScriptBytes(directory, packages);
    const oneScript = {
      name: "The client as one script",
      columns: ["bytes, minified and compressed"],
      rows: [{ name: "esbuild", figures: [String(bytes)] }],
      failures: bytes > pageLimitBytes ? [`one script has more than ${pageLimitBytes} bytes`] : [],
    };
    return [{ name: "Uploads from a page", columns, rows, failures }, oneScript];
  },
};

async function findNginx(): Promise<string | undefined> {
  const found = Bun.which("nginx") ?? "/usr/sbin/nginx";
  return existsSync(found) ? found : undefined;
}

const columns = [
  "protocol",
  "byte for byte",
  "of",
  "megabytes",
  "seconds",
  "console",
  "404",
  "changes by WebSocket",
];
const watchedChanges = 50;

const sizes = [
  0, 1, 2, 1023, 1024, 65_535, 65_536, 65_537, 1_000_000, 1_048_575, 1_048_577, 5_000_000,
  8_388_608, 16_777_217, 300_000_000,
];

/** Twenty uploads: files of every size, and the other kinds of sources at some. */
const uploads: Uploads["uploads"] = [
  ...sizes.map((size) => ({ kind: "file" as const, size })),
  ...(["blob", "stream", "document"] as const).map((kind: UploadKind) => ({
    kind,
    size: 3_000_001,
  })),
  { kind: "document", size: 1 },
  { kind: "document", size: 20_000_000 },
];

interface Way {
  readonly protocol: string;
  readonly origin: string;
  readonly input: Uploads;
}

async function wayTo(protocol: string, origin: string, platform: RunningPlatform): Promise<Way> {
  const token = await platform.token();
  const { items } = await createClient({ baseUrl: platform.url, token }).identity.tenants();
  const tenantId = items.find(({ slug }) => slug === "planning")?.id ?? "";
  return { protocol, origin, input: { token, tenantId, uploads } };
}

async function tryCell(
  browser: Browser,
  {
    origin,
    bundler,
    input,
  }: { readonly origin: string; readonly bundler: Bundler; readonly input: Uploads },
): Promise<{ readonly figures: readonly string[]; readonly faults: readonly string[] }> {
  const startedAtMs = performance.now();
  await using page = await browser.open(`${origin}/${bundler}/`);
  const answer = await page.evaluate(
    `roundTrips(${JSON.stringify(input)}).then((results) => JSON.stringify(results))`,
  );
  const protocol = await page.evaluate(
    `performance.getEntriesByType("resource").at(-1).nextHopProtocol`,
  );
  const results: RoundTrip[] = JSON.parse(answer);
  const same = results.filter(
    ({ outcome, progress }) => outcome === "same" && progress === "complete",
  );
  const bytes = same.reduce((sum, { size }) => sum + size, 0);
  const wrong = results.filter((result) => !same.includes(result));
  const { token, tenantId } = input;
  const toWatch = JSON.stringify({ token, tenantId, count: watchedChanges });
  const followed = await page.evaluate(
    `watched(${toWatch}).then((result) => JSON.stringify(result))`,
  );
  const { versions, sockets }: Watched = JSON.parse(followed);
  const isWhole = sockets === 1 && versions.length === watchedChanges;
  const complaints = page.complaints();
  const missing = page.missing();
  return {
    figures: [
      protocol,
      String(same.length),
      String(uploads.length),
      (bytes / 1e6).toFixed(0),
      ((performance.now() - startedAtMs) / 1000).toFixed(0),
      String(complaints.length),
      String(missing.length),
      `${versions.length}`,
    ],
    faults: [
      ...wrong.map(
        (each) => `${each.kind} of ${each.size} bytes: ${each.outcome} ${each.progress}`,
      ),
      ...complaints.map((text) => `console: ${text}`),
      ...missing.map((url) => `404 for ${url}`),
      ...(isWhole ? [] : [`${versions.length} changes by ${sockets} sockets`]),
    ],
  };
}
