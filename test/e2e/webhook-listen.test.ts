import { expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import { userEnvironment } from "#test/support/environment.ts";
import { afterEveryTest } from "#test/support/cleanup.ts";
import { eventually } from "#test/support/eventually.ts";
import { startPlatform, svc, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const request = {
  reference: "BR-2026-0101",
  business: "Quayside Bakery",
  subject: "Tables on the pavement",
  status: "new",
  received: "2026-11-20",
};

test("webhook listen brings a change to a program on this machine, signed with its secret", async () => {
  const home = await temporaryDirectory("listen");
  const platform = await startPlatform({ hasSamples: true, dataDir: `${home}/data` });
  const env = { BASE_URL_PUBLIC_API: platform.url, SVC_TOKEN: await platform.token() };
  expect((await svc("workspace select planning".split(" "), { home, env })).exitCode).toBe(0);

  const received: { readonly body: string; readonly headers: Record<string, string> }[] = [];
  const program = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(call) {
      received.push({ body: await call.text(), headers: Object.fromEntries(call.headers) });
      return new Response(null, { status: 204 });
    },
  });
  afterEveryTest(() => program.stop(true));

  const target = `http://127.0.0.1:${program.port}/hooks`;
  const words = ["webhook", "listen", "--forward-to", target, "--kind", "record"];
  const listening = Bun.spawn(
    [await svcExecutable(), ...words, "--count", "1", "--format", "json"],
    { env: userEnvironment(home, env), stdio: ["ignore", "pipe", "pipe"], timeout: 50_000 },
  );
  afterEveryTest(() => listening.kill());
  let notes = "";
  const reading = (async () => {
    for await (const chunk of listening.stderr) notes += new TextDecoder().decode(chunk);
  })();
  const secret = await eventually(() => {
    const found = /whsec_[\w+/=]+/.exec(notes)?.[0];
    if (found === undefined) throw new Error(`no secret in ${notes}`);
    return Promise.resolve(found);
  });

  const data = JSON.stringify(request);
  const made = await svc(["resources", "create", "business-request", "--data", data], {
    home,
    env,
  });
  expect(made.exitCode, made.stderr).toBe(0);

  expect(await listening.exited, notes).toBe(0);
  await reading;
  const lines = (await listening.stdout.text()).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { type: "svc.resource.created", responseStatus: 204 },
  ]);
  expect(received).toHaveLength(1);
  const [call] = received;
  const verified = new Webhook(secret).verify(call?.body ?? "", call?.headers ?? {});
  expect(verified).toMatchObject({ type: "svc.resource.created" });
}, 60_000);
