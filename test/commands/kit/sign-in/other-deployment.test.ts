import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { runSvc } from "#commands/run.ts";
import { captureEnvironment, captureStream } from "#test/cli/world.ts";
import {
  startOtherDeployment,
  type OtherDeployment,
} from "#test/support/other-deployment/deployment.ts";
import { dialects } from "#test/support/other-deployment/dialects.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const running: OtherDeployment[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((deployment) => deployment.close()));
});

/** Runs `svc`; an address of a sign-in page on stderr is opened, as a browser would. */
async function svc(words: string, config: string, url: string) {
  const stderr = captureStream();
  const pages: Promise<Response>[] = [];
  const environment = captureEnvironment(words.split(" "), {
    variables: { BASE_URL_PUBLIC_API: url, SVC_CONFIG_DIR: config, BROWSER: "none" },
    stderr: {
      ...stderr,
      write: async (chunk) => {
        await stderr.write(chunk);
        const address = /http:\S+authorize\?\S+/.exec(String(chunk))?.[0];
        if (address !== undefined) pages.push(fetch(address));
      },
    },
  });
  const exitCode = await runSvc(environment);
  const statuses = (await Promise.all(pages)).map(({ status }) => status);
  return { exitCode, statuses, stdout: environment.stdout.text(), stderr: stderr.text() };
}

describe.each(dialects)("$name:", (dialect) => {
  test("signs in, calls the platform and signs out", async () => {
    const deployment = await startOtherDeployment(dialect);
    running.push(deployment);
    const { url } = deployment;
    const config = await temporaryDirectory("config");
    expect(await svc("login", config, url)).toMatchObject({
      exitCode: 0,
      statuses: [200],
      stdout: `Signed in at ${url}\n`,
    });
    const called = await svc("publicapi get /v4/identity/me", config, url);
    expect(called).toMatchObject({ exitCode: 0 });
    const who = await svc("whoami --format json", config, url);
    expect(JSON.parse(who.stdout)).toMatchObject({
      signedIn: true,
      source: "tokens.json",
      renewable: dialect.tokens === "full",
    });
    expect(await svc("logout", config, url)).toMatchObject({ exitCode: 0 });
    const after = await svc("publicapi get /v4/identity/me", config, url);
    expect(after).toMatchObject({ exitCode: 4 });
  });
});

test("an address without a sign-in page is refused before a browser opens", async () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response("nothing", { status: 404 }) });
  try {
    const config = await temporaryDirectory("config");
    const url = server.url.origin;
    const { exitCode, statuses, stderr } = await svc("login", config, url);
    expect({ exitCode, statuses }).toEqual({ exitCode: 4, statuses: [] });
    expect(stderr).toContain(`no identity provider answers at ${url}/auth`);
    expect(existsSync(join(config, "tokens.json"))).toBe(false);
  } finally {
    await server.stop(true);
  }
});
