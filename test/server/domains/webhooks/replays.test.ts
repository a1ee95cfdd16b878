import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import type { WebhookDelivery } from "#contract/events/webhooks.ts";
import { insertDeliveries } from "#server/domains/webhooks/delivery-store.ts";
import { newDelivery } from "#server/domains/webhooks/outcomes.ts";
import { eventually } from "#test/support/eventually.ts";
import { statement } from "#server/database/statement.ts";
import { field } from "#test/support/platform.ts";
import { describePlatform } from "#test/support/platform.ts";
import {
  asAdmin,
  change,
  deliveriesOf,
  endpoints,
  loopback,
  newEndpoint,
  receiver,
  settle,
  type Received,
} from "./world.ts";

const dayMs = 24 * 60 * 60_000;

describePlatform(
  "replays and rotations of webhooks",
  (the) => {
    test("a replay of a test is the test event again, once", async () => {
      const target = receiver();
      const { id } = await newEndpoint(the(), { url: target.url, kinds: ["record"] });
      const admin = await asAdmin(the());
      const tested = (await admin.post(`${endpoints}/${id}/test`, {})).json as WebhookDelivery;
      await settle(the());
      const replay = { deliveryId: tested.id };
      expect(await admin.post(`${endpoints}/${id}/replay`, replay)).toMatchObject({ status: 202 });
      await settle(the());
      expect(target.received.map(({ body }) => body["type"])).toEqual([
        "svc.webhook.test",
        "svc.webhook.test",
      ]);
      const [first, second] = target.received;
      expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
      await admin.delete(`${endpoints}/${id}`);
    });

    test("a replay of a range of one moment has all of it, in pages and the order of its changes", async () => {
      const { id } = await newEndpoint(the(), { url: receiver().url, kinds: ["record"] });
      const { tenant } = the().workspaces;
      const admin = await asAdmin(the());
      const work = the().platform.platformWork("deliveries of a test");
      const names = Array.from({ length: 1_200 }, (_, at) => `range-${at}`);
      await work.write(async (tx) => {
        const endpoint = { workspace_id: tenant, id };
        const about = { origin: "event", event_id: "e", event_type: "svc.test", event: "{}" };
        const made = names.map((subject, place) =>
          newDelivery(endpoint, { ...about, subject, place }, the().now()),
        );
        await insertDeliveries(tx, made);
        await tx.run(statement`update webhook_deliveries set state = 'failed'
          where endpoint_id = ${id}`);
      });
      const replay = async (from: string) =>
        (await admin.post(`${endpoints}/${id}/replay`, { from })).json;
      const first = await replay("2000-01-01T00:00:00Z");
      expect(first).toMatchObject({ replayed: 1_000, complete: false });
      const rest = await replay(String(field(first, "next")));
      expect(rest).toMatchObject({ replayed: 200, complete: true, next: null });
      const later = new Date(the().now().getTime() + 1).toISOString();
      expect(await replay(later)).toMatchObject({ replayed: 0, complete: true });
      const again = await work.read.all<{ subject: string }>(
        statement`select subject from webhook_deliveries
          where endpoint_id = ${id} and origin = 'replay' order by place`,
      );
      expect(again.map(({ subject }) => subject)).toEqual(names);
      await admin.delete(`${endpoints}/${id}`);
    });

    test("a replay after an erasure has null for the record, and no answer quotes it", async () => {
      const target = receiver(({ text }) => new Response(text, { status: 500 }));
      const { id } = await newEndpoint(the(), { url: target.url, types: ["permit"], body: "full" });
      const admin = await asAdmin(the());
      const secret = "zqreplayed";
      const records = `/v4/data/resources/${the().workspaces.tenant}/permit`;
      const record = String(field((await admin.post(records, { name: secret })).json, "id"));
      await settle(the());
      expect(target.received.map(({ text }) => text)).toEqual([expect.stringContaining(secret)]);
      const quotes = async () => {
        const { read } = the().platform.platformWork("answers of a test");
        const rows = await read.all(
          statement`select * from webhook_deliveries where endpoint_id = ${id}`,
        );
        return JSON.stringify(rows).includes(secret);
      };
      expect(await quotes()).toBe(true);
      expect((await admin.delete(`${records}/${record}?permanent=true`)).status).toBeLessThan(300);
      expect(await quotes()).toBe(false);
      const from = "2000-01-01T00:00:00Z";
      the().advance(60_000);
      await settle(the());
      await admin.post(`${endpoints}/${id}/replay`, { from });
      await settle(the());
      const later = target.received.slice(1);
      expect(later.length).toBeGreaterThan(0);
      expect(JSON.stringify(later)).not.toContain(secret);
      for (const { body } of later) expect(field(body["data"], "record")).toBeNull();
      await admin.delete(`${endpoints}/${id}`);
    });

    test("a delivery is not sent that the role of its endpoint may no longer read", async () => {
      const target = receiver(() => new Response(null, { status: 500 }));
      const wish = { url: target.url, role: "tenant-admin", kinds: ["member"] };
      const { id } = await newEndpoint(the(), wish);
      const admin = await asAdmin(the());
      await change(the(), "someone", { kind: "member" });
      await settle(the());
      expect(target.received).toHaveLength(1);
      const lower = { role: "tenant-viewer", kinds: ["record"] };
      expect(await admin.patch(`${endpoints}/${id}`, lower)).toMatchObject({ status: 200 });
      target.answer = () => new Response(null, { status: 204 });
      the().advance(60_000);
      await settle(the());
      expect(target.received).toHaveLength(1);
      const [delivery] = await deliveriesOf(the(), id);
      expect(delivery).toMatchObject({ status: "failed" });
      await admin.post(`${endpoints}/${id}/replay`, { failed: true });
      await settle(the());
      expect(target.received).toHaveLength(1);
      await admin.delete(`${endpoints}/${id}`);
    });

    test("each secret signs until its grace ends, after any number of rotations", async () => {
      const target = receiver();
      const { id, secret } = await newEndpoint(the(), { url: target.url, kinds: ["record"] });
      const secrets = [secret];
      const rotate = async (graceDays: number) => {
        // A token does not live as long as the clock of this test.
        const admin = await asAdmin(the());
        const answered = await admin.post(`${endpoints}/${id}/rotate`, { graceDays });
        if (answered.status === 200) secrets.push(String(field(answered.json, "secret")));
        return answered;
      };
      let changes = 0;
      /** The secrets that a receiver may verify the next delivery with, by their order. */
      const signing = async (): Promise<number[]> => {
        changes += 1;
        await change(the(), `signed-${changes}`);
        await eventually(async () => {
          await settle(the());
          expect(target.received).toHaveLength(changes);
        });
        const last = target.received.at(-1);
        const { headers = {}, text = "" }: Partial<Received> = last ?? {};
        const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
        const given = headers["webhook-signature"]?.split(" ") ?? [];
        return [...secrets.keys()].filter((each) =>
          given.includes(
            new Webhook(secrets[each] ?? "").sign(headers["webhook-id"] ?? "", at, text),
          ),
        );
      };
      expect(await rotate(7)).toMatchObject({ status: 200 });
      the().advance(dayMs);
      const second = await rotate(2);
      // The first secret has the longest grace.
      const left = Date.parse(String(field(second.json, "rotatesUntil"))) - 6 * dayMs;
      expect(Math.abs(left - the().now().getTime())).toBeLessThan(60_000);
      expect(await signing()).toEqual([0, 1, 2]);
      the().advance(2 * dayMs);
      expect(await signing()).toEqual([0, 2]);
      the().advance(4 * dayMs);
      expect(await signing()).toEqual([2]);
      for (const _ of Array.from({ length: 5 })) await rotate(7);
      expect(await signing()).toEqual([2, 3, 4, 5, 6, 7]);
      expect(await rotate(7)).toMatchObject({ status: 409 });
      expect(await rotate(0)).toMatchObject({ status: 200 });
      expect(await signing()).toEqual([8]);
      await (await asAdmin(the())).delete(`${endpoints}/${id}`);
    });
  },
  { options: loopback },
);
