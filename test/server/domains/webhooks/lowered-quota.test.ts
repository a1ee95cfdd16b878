import { expect, test } from "vitest";
import { noQuota, putQuota, type Quota } from "#server/domains/quotas/store.ts";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { ensureLedger, nextReference } from "../records/routes/ledger.ts";
import {
  callBody,
  inTenant,
  makeSource,
  receivedCalls,
  send,
  sourcesPath,
  standard,
} from "../webhook-sources/senders.ts";
import {
  asAdmin,
  change,
  deliveriesOf,
  endpoints,
  loopback,
  newEndpoint,
  receiver,
  settle,
} from "./world.ts";

describePlatform(
  "what waits while the quota of its workspace is lowered",
  (the) => {
    /** Sets the quota, and waits until two requests are answered so. */
    async function limit(quota: Partial<Quota>, status: number, send: () => Promise<object>) {
      const { tenant } = the().workspaces;
      const work = the().platform.platformWork("the quota of a test");
      await work.write((tx) => putQuota(tx, tenant, { ...noQuota, ...quota }));
      the().advance(61_000);
      // Even the lower quota lets the first request of a minute pass.
      await eventually(async () => {
        for (let count = 0; count < 2; count += 1) {
          expect(await send()).toMatchObject({ status });
        }
      });
    }

    test("is sent all the same, in the order of its records", async () => {
      const target = receiver(() => new Response(null, { status: 503 }));
      const { id } = await newEndpoint(the(), {
        url: target.url,
        kinds: ["record"],
        ordered: true,
      });
      const versions = [1, 2, 3, 4, 5];
      for (const version of versions) {
        for (const name of ["a", "b"]) await change(the(), name, { version });
      }
      await settle(the());
      expect(new Set(target.received.map(({ body }) => body["version"]))).toEqual(new Set([1]));
      const admin = await asAdmin(the());
      const list = () => admin.get(endpoints);
      await limit({ records: 0, documents: 0, bytes: 0, requests: 1 }, 429, list);
      // The second attempts are due now: none of them may have the later answer.
      await settle(the());
      target.received.length = 0;
      target.answer = () => new Response(null, { status: 204 });
      the().advance(10 * 60_000);
      await settle(the());
      await limit({}, 200, list);
      for (const name of ["a", "b"]) {
        const own = target.received.filter(({ body }) => body["subject"] === `permit/${name}`);
        expect(own.map(({ body }) => body["version"])).toEqual(versions);
      }
      const states = (await deliveriesOf(the(), id)).map(({ status }) => status);
      expect(states).toEqual(Array.from({ length: 10 }, () => "delivered"));
      await admin.delete(`${endpoints}/${id}`);
    });

    test("fails where it would store more, and takes effect by a replay", async () => {
      await ensureLedger(the());
      const { source, secret } = await makeSource(the());
      const admin = await asAdmin(the());
      const ledger = `/v4/data/resources/${the().workspaces.tenant}/ledger`;
      const create = () => admin.post(ledger, { reference: nextReference(), title: "one more" });
      await limit({ records: 0 }, 409, create);
      const body = callBody(nextReference());
      const fields = await standard.fields(secret, body, the().now());
      expect((await send(the(), source, body, fields)).status).toBe(202);
      const ended = (status: string) =>
        eventually(async () => {
          const [call] = await receivedCalls(the(), source);
          expect(call).toMatchObject({ status });
          return call;
        });
      const failed = await ended("failed");
      expect(failed).toMatchObject({ error: expect.stringContaining("409 quota-exceeded") });
      await limit({}, 201, create);
      const replay = `${sourcesPath}/${source}/received/${String(field(failed, "id"))}/replay`;
      const again = await the().as("tenant-admin").post(replay, undefined, inTenant(the()));
      expect(again.status, again.text).toBe(202);
      expect(await ended("done")).toMatchObject({ effect: "upsert", error: null });
    });
  },
  { options: loopback },
);
