import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestPlatform, type TestPlatform } from "#test/support/platform.ts";
import { describeEachDatabase } from "#test/support/postgres.ts";
import { behaviours, hostilePlace, type HostilePlace } from "./hostile-endpoint.ts";
import { asAdmin, change, deliveriesOf, endpoints, newEndpoint, settle } from "./world.ts";

const hourMs = 60 * 60_000;
const changes = ["a", "b", "c"];

describeEachDatabase("24 hostile endpoints", ({ engine }) => {
  let place: HostilePlace;
  let the: TestPlatform;
  let lookUps = 0;
  beforeAll(async () => {
    place = await hostilePlace();
    the = await openTestPlatform(engine, {
      limits: { webhookTimeoutMs: 400 },
      options: {
        webhookHosts: [`127.0.0.1:${place.port}`],
        // The name is public when the endpoint is made, and private when it is connected to.
        resolveHost: async (host) => {
          lookUps += 1;
          const inside = { address: "127.0.0.1", family: 4 };
          const outside = { address: "1.1.1.1", family: 4 };
          return host.startsWith("mixed") ? [outside, inside] : [inside];
        },
      },
    });
  });
  afterAll(async () => {
    await the.close();
    await place[Symbol.asyncDispose]();
  });

  test("reach nothing inside, lose nothing, and do not stop the deliveries of others", async () => {
    const at = `127.0.0.1:${place.port}`;
    const hostile = [
      ...Object.keys(behaviours).map((path) => `http://${at}/${path}`),
      `https://${at}/no-tls`,
      "http://rebinding.test/",
      "http://mixed.test/",
    ];
    expect(hostile).toHaveLength(24);
    const ids = new Map<string, string>();
    for (const url of hostile) {
      ids.set(url, (await newEndpoint(the, { url, kinds: ["record"] })).id);
    }
    const healthy = await newEndpoint(the, { url: `http://${at}/healthy`, kinds: ["record"] });
    for (const subject of changes) await change(the, subject);
    await settle(the);
    expect(place.accepted).toHaveLength(changes.length);
    expect(await deliveriesOf(the, healthy.id)).toMatchObject(
      changes.map(() => ({ status: "delivered", attempts: 1 })),
    );
    expect(place.inwardConnections()).toBe(0);
    expect(lookUps).toBeGreaterThan(0);

    // An endpoint that answered 2xx has the event, whatever the rest of its answer is.
    const admin = await asAdmin(the);
    const goneUrl = `http://${at}/gone`;
    for (const [url, id] of ids) {
      const deliveries = await deliveriesOf(the, id);
      // The first 410 may come before the last change; what is missing follows with the enabling.
      const count = url === goneUrl ? expect.any(Number) : changes.length;
      expect({ url, count: deliveries.length }).toEqual({ url, count });
      for (const { status } of deliveries) expect(status).toMatch(/^(?:pending|delivered)$/);
    }
    const gone = ids.get(goneUrl) ?? "";
    expect((await admin.get(`${endpoints}/${gone}`)).json).toMatchObject({ status: "disabled" });
    expect(await admin.post(`${endpoints}/${gone}/enable`)).toMatchObject({ status: 200 });

    place.mend();
    const urls = [...ids].filter(([url]) => url.startsWith("http://127."));
    for (let round = 0; round < 4; round += 1) {
      the.advance(25 * hourMs);
      await settle(the);
    }
    for (const [url, id] of urls) {
      const states = (await deliveriesOf(the, id)).map(({ status }) => status);
      expect({ url, states }).toEqual({ url, states: changes.map(() => "delivered") });
    }
    expect(new Set(place.accepted).size).toBe(place.accepted.length);
    expect(place.inwardConnections()).toBe(0);
  });
});
