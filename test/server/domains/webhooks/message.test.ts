import { expect, test } from "vitest";
import { raw } from "#server/database/statement.ts";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import {
  asAdmin,
  change,
  deliveriesOf,
  endpoints,
  loopback,
  newEndpoint,
  receiver,
  settle,
  verified,
} from "./world.ts";

function permitsOf({ workspaces }: TestPlatform): string {
  return `/v4/data/resources/${workspaces.tenant}/permit`;
}

describePlatform(
  "what webhooks deliver",
  (the) => {
    test("is the record in the version of its change, if the endpoint wants it", async () => {
      const target = receiver();
      const { id } = await newEndpoint(the(), { url: target.url, kinds: ["record"], body: "full" });
      const admin = await asAdmin(the());
      const made = await admin.post(permitsOf(the()), { name: "Old hall", fee: 10 });
      const recordId = String(field(made.json, "id"));
      await admin.patch(`${permitsOf(the())}/${recordId}`, { data: { name: "New hall" } });
      await settle(the());
      const records = target.received.map(({ body }) => field(body["data"], "record"));
      // Deliveries have an order only where the endpoint wants one.
      const versionOf = (record: unknown): number => Number(field(record, "version"));
      records.sort((one, other) => versionOf(one) - versionOf(other));
      expect(records).toMatchObject([
        { version: 1, data: { name: "Old hall", fee: 10 } },
        { version: 2, data: { name: "New hall" } },
      ]);
      await admin.delete(`${endpoints}/${id}`);
    });

    test("is what the filter lets through, and that a record has left it", async () => {
      const target = receiver();
      const where = { name: "Hall" };
      const wanted = { url: target.url, kinds: ["record"], types: ["permit"], where };
      const { id } = await newEndpoint(the(), wanted);
      const admin = await asAdmin(the());
      const made = await admin.post(permitsOf(the()), { name: "Hall" });
      await admin.post(permitsOf(the()), { name: "Tower" });
      const recordId = String(field(made.json, "id"));
      await admin.patch(`${permitsOf(the())}/${recordId}`, { data: { name: "Tower" } });
      await settle(the());
      expect(new Set(target.received.map(({ body }) => body["type"]))).toEqual(
        new Set(["svc.resource.created", "svc.resource.left"]),
      );
      expect(target.received).toHaveLength(2);
      await admin.delete(`${endpoints}/${id}`);
    });

    test("stays out of the database: deliveries have no values of records", async () => {
      const target = receiver(() => new Response(null, { status: 500 }));
      const { id } = await newEndpoint(the(), { url: target.url, kinds: ["record"], body: "full" });
      await (await asAdmin(the())).post(permitsOf(the()), { name: "Confidential Lane" });
      await settle(the());
      const work = the().platform.platformWork("a look at the tables");
      const rows = await work.read.all(raw("select * from webhook_deliveries"));
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain("Confidential");
      const stored = JSON.stringify(await work.read.all(raw("select * from webhook_endpoints")));
      expect(stored).not.toContain("whsec_");
      await (await asAdmin(the())).delete(`${endpoints}/${id}`);
    });

    test("is read by the role that the endpoint has when it is sent", async () => {
      const target = receiver();
      const settings = { kinds: ["record", "role"], role: "tenant-admin" };
      const { id } = await newEndpoint(the(), { url: target.url, ...settings });
      const { tenant } = the().workspaces;
      const work = the().platform.platformWork("changes that webhooks deliver").within(tenant);
      await work.write(async (tx) => {
        tx.event("role", "hidden", tenant, { op: "created" });
        tx.event("record", "shown", tenant, { type: "permit", changed: ["name"] });
      });
      await settle(the());
      const admin = await asAdmin(the());
      expect((await admin.patch(`${endpoints}/${id}`, { kinds: null })).status).toBe(200);
      const lowered = await admin.patch(`${endpoints}/${id}`, { role: "tenant-viewer" });
      expect(lowered.status, lowered.text).toBe(200);
      const first = target.received.splice(0);
      await admin.post(`${endpoints}/${id}/replay`, { from: "2000-01-01T00:00:00Z" });
      await settle(the());
      const typesOf = (all: typeof first) => new Set(all.map(({ body }) => body["type"]));
      expect(typesOf(first)).toEqual(new Set(["svc.resource.updated", "svc.role.created"]));
      expect(typesOf(target.received)).toEqual(new Set(["svc.resource.updated"]));
      expect(target.received.map(({ text }) => text).join("")).not.toContain("hidden");
      await admin.delete(`${endpoints}/${id}`);
    });

    test("is a reset with what to read again where the feed has ended", async () => {
      const target = receiver();
      const { id } = await newEndpoint(the(), { url: target.url, kinds: ["record"] });
      const { tenant } = the().workspaces;
      const work = the().platform.platformWork("a position of another database").within(tenant);
      // Both are one transaction: the worker may look between two, and then deliver the change.
      await work.write(async (tx) => {
        await tx.run(raw("update webhook_endpoints set position = 'gone' where state = 'active'"));
        tx.event("record", "lost", tenant, { type: "permit" });
      });
      await settle(the());
      await change(the(), "later");
      await settle(the());
      expect(target.received.map(({ body }) => body["type"])).toEqual([
        "svc.feed.reset",
        "svc.resource.updated",
      ]);
      expect(field(target.received[0]?.body["data"], "resources")).not.toEqual([]);
      await (await asAdmin(the())).delete(`${endpoints}/${id}`);
    });

    test("is signed with both secrets during the grace of a rotation", async () => {
      const target = receiver();
      // Transactions of other tests on the server may hold back the feed for a moment.
      const received = ({ received: all }: typeof target, count: number) =>
        eventually(async () => {
          await settle(the());
          expect(all).toHaveLength(count);
        });
      const { id, secret } = await newEndpoint(the(), { url: target.url, kinds: ["record"] });
      const admin = await asAdmin(the());
      const rotated = await admin.post(`${endpoints}/${id}/rotate`, { graceDays: 1 });
      const next = String(field(rotated.json, "secret"));
      await change(the(), "rotated");
      await received(target, 1);
      const [request] = target.received;
      if (request === undefined) throw new Error("nothing was delivered");
      expect(verified(secret, request)).toEqual(verified(next, request));
      await admin.post(`${endpoints}/${id}/rotate`, { graceDays: 0 });
      await change(the(), "rotated again");
      await received(target, 2);
      const last = target.received.at(-1);
      expect(() => last && verified(next, last)).toThrow();
      await admin.delete(`${endpoints}/${id}`);
    });

    test("is pulled by a temporary endpoint, and again without an outcome", async () => {
      const { id, secret } = await newEndpoint(the(), { temporary: true, kinds: ["record"] });
      const admin = await asAdmin(the());
      await change(the(), "pulled");
      await settle(the());
      const pull = async (body: object) => {
        const { json } = await admin.post(`${endpoints}/${id}/pull`, body);
        return (json as { items: { deliveryId: string; headers: object; body: string }[] }).items;
      };
      const [item] = await pull({});
      if (item === undefined) throw new Error("nothing was pulled");
      const request = { headers: { ...item.headers }, text: item.body, body: {} };
      expect(verified(secret, request)).toMatchObject({ subject: "permit/pulled" });
      expect(await pull({})).toEqual([]);
      the().advance(61_000);
      expect(await pull({})).toMatchObject([{ deliveryId: item.deliveryId }]);
      const results = [{ deliveryId: item.deliveryId, responseStatus: 200 }];
      expect(await pull({ results })).toEqual([]);
      expect(await deliveriesOf(the(), id)).toMatchObject([{ status: "delivered" }]);
      the().advance(6 * 60_000);
      await the().platform.services.webhooks.worker.sweep();
      expect((await admin.get(`${endpoints}/${id}`)).status).toBe(404);
    });
  },
  { options: loopback },
);

const inward = new Map([
  ["inward.test", "10.0.0.8"],
  ["mixed.test", "8.8.8.8"],
]);
let lookUps = 0;

describePlatform(
  "addresses of webhooks",
  (the) => {
    test.each(["http://127.0.0.1:9/x", "http://[::1]/x", "http://10.1.2.3/", "ftp://a.test/"])(
      "%s is refused",
      async (url) => {
        const answered = await (await asAdmin(the())).post(endpoints, { url });
        expect(answered).toMatchObject({ status: 422, json: { errors: [{ pointer: "#/url" }] } });
      },
    );

    test.each(["inward.test", "mixed.test"])("%s gets no connection inward", async (host) => {
      const url = `http://${host}:9/hook`;
      const { id } = await newEndpoint(the(), { url, kinds: ["record"] });
      await change(the(), "secret");
      await settle(the());
      expect(await deliveriesOf(the(), id)).toMatchObject([
        { status: "pending", error: "The URL names a host whose address is not public" },
      ]);
      await (await asAdmin(the())).delete(`${endpoints}/${id}`);
    });
  },
  {
    options: {
      // The second name is public at its first look-up only, and has a private address then too.
      resolveHost: async (host) => {
        lookUps += 1;
        const address = inward.get(host) ?? "8.8.8.8";
        const addresses = [{ address, family: 4 }];
        return host === "mixed.test" && lookUps > 0
          ? [...addresses, { address: "192.168.1.1", family: 4 }]
          : addresses;
      },
    },
  },
);
