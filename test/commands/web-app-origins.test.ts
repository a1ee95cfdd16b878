import { join } from "node:path";
import { expect, test } from "vitest";
import { writeProject } from "#local/managed-files.ts";
import { projectFiles } from "#local/templates/project-files.ts";
import { cleanEnvironment } from "#test/support/environment.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

interface Received {
  readonly host: string | null;
  readonly origin: string | null;
  readonly referer: string | null;
}

/** The server of a web app before a platform that keeps what it received. */
async function served() {
  const received: Received[] = [];
  const platform = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ headers }) {
      const [host, origin, referer] = ["host", "origin", "referer"].map((name) =>
        headers.get(name),
      );
      received.push({ host: host ?? null, origin: origin ?? null, referer: referer ?? null });
      return new Response("the user's records");
    },
  });
  const root = await temporaryDirectory("web-app");
  const facts = { name: "trees", template: "web-app", packageProfile: "external" } as const;
  await writeProject(root, facts, await projectFiles("web-app", facts), false);
  const child = Bun.spawn([process.execPath, join(root, "server.mjs")], {
    cwd: root,
    env: { ...cleanEnvironment(), PORT: "0", BASE_URL_PUBLIC_API: platform.url.origin },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  for await (const chunk of child.stdout) {
    printed += new TextDecoder().decode(chunk);
    if (printed.includes("\n")) break;
  }
  const origin = /http:\S+/.exec(printed)?.[0] ?? "";
  return {
    origin,
    host: new URL(origin).host,
    received,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
      await platform.stop(true);
    },
  };
}

test("a page of another origin gets nothing through the web app's server", async () => {
  await using app = await served();
  const { host, origin } = app;
  const refused: readonly Record<string, string>[] = [
    { origin: "https://evil.test" },
    { origin: "null" },
    { origin: `http://localhost:${new URL(origin).port}` },
    { host: "evil.test" },
    { host: `127.0.0.1.evil.test:${new URL(origin).port}` },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" },
    { origin: "https://evil.test", "sec-fetch-mode": "navigate" },
  ];
  for (const headers of refused) {
    for (const path of ["/v4/data/resources", "/auth/token", "//evil.test/v4/data", "/"]) {
      const answer = await fetch(origin + path, { headers, method: "POST" });
      expect([headers, path, answer.status]).toEqual([headers, path, 403]);
    }
  }
  expect(app.received).toEqual([]);
  const own = { origin, referer: `${origin}/records`, "sec-fetch-site": "same-origin" };
  const answer = await fetch(`${origin}/v4/data`, { headers: own, method: "POST" });
  expect(await answer.text()).toBe("the user's records");
  expect(app.received).toEqual([{ host, origin, referer: `${origin}/records` }]);
});
