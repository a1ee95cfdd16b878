import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DrillSession, memberOf } from "#test/support/drills/session.ts";
import { eventually } from "#test/support/eventually.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { describeEachDatabase, type TestDatabase } from "#test/support/postgres.ts";
import { sized } from "#test/support/size.ts";
import { oneThread, startPlatform } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const delays = sized([3, 30], [3, 20, 60]);
const records = sized(20, 40);
/** Fewer than records: the mapping of each runs in its own process. */
const calls = sized(6, 12);

/** Kills (-9) in the middle of deliveries and received calls: none of them is lost. */
describeEachDatabase("kill -9 of webhooks", ({ engine, create }) => {
  let database: TestDatabase;
  let dataDir: string;
  let platform: RunningPlatform;
  let session: DrillSession;
  const delivered: string[] = [];
  const receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { type, subject } = (await request.json()) as Record<string, string>;
      if (type === "svc.resource.created") delivered.push(subject?.split("/").at(-1) ?? "");
      return new Response(null, { status: 204 });
    },
  });
  const hook = `127.0.0.1:${receiver.port}`;

  const start = async (): Promise<void> => {
    const places = engine === "sqlite" ? [] : [`--database-url=${database.url}`];
    const args = [oneThread, ...places, "--webhook-host", hook];
    platform = await startPlatform({ dataDir, args });
  };
  const restart = async (): Promise<void> => {
    await platform.kill();
    await start();
    session = session.at(platform);
  };

  beforeAll(async () => {
    database = await create();
    dataDir = await temporaryDirectory("killed-webhooks");
    await start();
    session = await DrillSession.create(platform);
  }, 120_000);
  afterAll(async () => {
    await platform.kill();
    await receiver.stop(true);
    await database.drop();
  });

  // On PostgreSQL another platform may have the lease of a delivery, which ends after a minute.
  test.runIf(engine === "sqlite")(
    "delivers every record that was stored, at least once",
    async () => {
      const body = { url: `http://${hook}/`, kinds: ["record"] };
      await session.expect(201, "POST", "/v4/webhooks/endpoints", body);
      const stored: string[] = [];
      for (const delayMs of delays) {
        const making = Array.from({ length: records }, async (_, at) => {
          const made = await session.call("POST", "", { marker: `${delayMs} ${at}` });
          if (made.status === 201) stored.push(String(memberOf(made.json, "id")));
        });
        const made = Promise.allSettled(making);
        await Bun.sleep(delayMs);
        await restart();
        await made;
      }
      for (let at = 0; at < records; at += 1) {
        const { json } = await session.expect(201, "POST", "", { marker: `last ${at}` });
        stored.push(String(memberOf(json, "id")));
      }
      await eventually(() => {
        const got = new Set(delivered);
        expect(stored.filter((id) => !got.has(id))).toEqual([]);
      });
    },
    120_000,
  );

  test("keeps every call that was answered with 202, with one effect", async () => {
    // A second try makes its own.
    const own = crypto.randomUUID().slice(0, 8);
    const slug = `inbound-${own}`;
    const mapping = `{upsert: {type: "${slug}", property: "name", value: .body.name, data: {}}}`;
    const type = {
      name: `Inbound${own}`,
      slug,
      properties: { name: { type: "string", unique: true } },
    };
    await session.expect(201, "POST", "/v4/data/resources/object-types", type);
    const source = { name: "killed", scheme: { type: "hmac" }, mapping };
    const { json } = await session.expect(201, "POST", "/v4/webhooks/sources", source);
    const [id, secret] = [String(memberOf(json, "source")), String(memberOf(json, "secret"))];
    const accepted = new Set<string>();
    const send = async (name: string): Promise<void> => {
      const body = JSON.stringify({ name });
      const digest = createHmac("sha256", secret).update(body).digest("hex");
      const headers = { "x-hub-signature-256": `sha256=${digest}` };
      const path = `${platform.url}/v4/webhooks/${id}`;
      const answer = await fetch(path, { method: "POST", headers, body });
      if (answer.status === 202) accepted.add(name);
    };
    for (const delayMs of delays) {
      const names = Array.from({ length: calls }, (_, at) => `${delayMs}-${at}`);
      const sent = Promise.allSettled(names.map(send));
      await Bun.sleep(delayMs);
      await restart();
      await sent;
      // The sender repeats all of them, as it does without an answer.
      for (const name of names) await send(name);
    }
    expect(accepted.size).toBe(delays.length * calls);
    const path = `/v4/data/resources/${session.tenantId}/${slug}?limit=500&count=true`;
    await eventually(async () => {
      const list = await session.expect(200, "GET", path);
      expect(memberOf(list.json, "total")).toBe(accepted.size);
    });
  }, 120_000);
});
