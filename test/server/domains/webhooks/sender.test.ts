import { expect, test } from "vitest";
import { dueEndpoints, insertDelivery } from "#server/domains/webhooks/delivery-store.ts";
import { newDelivery } from "#server/domains/webhooks/outcomes.ts";
import { roomFor } from "#server/domains/webhooks/sender.ts";
import { updateEndpoint } from "#server/domains/webhooks/store.ts";
import { describePlatform } from "#test/support/platform.ts";
import { newEndpoint } from "./world.ts";

const endpoint = (id: string, workspace: string, failures = 0) => ({
  id,
  workspace_id: workspace,
  failures,
});
const many = (count: number, failures: number) =>
  Array.from({ length: count }, (_, at) => endpoint(`${at}`, `${Math.floor(at / 16)}`, failures));

test("endpoints that fail take half of the attempts, however many they are", () => {
  const failing = many(128, 1);
  expect(roomFor(endpoint("next", "other", 1), failing)).toBe(0);
  expect(roomFor(endpoint("next", "other", 1), failing.slice(1))).toBe(1);
  expect(roomFor(endpoint("well", "other"), failing)).toBe(4);
});

test("an endpoint, a workspace and the platform have a share each", () => {
  const own = endpoint("a", "w");
  expect(roomFor(own, [own, own, own])).toBe(1);
  expect(roomFor(endpoint("a", "w", 3), [endpoint("a", "w", 3)])).toBe(0);
  expect(roomFor(endpoint("b", "w"), Array(15).fill(own))).toBe(1);
  expect(roomFor(endpoint("b", "w"), many(255, 0))).toBe(1);
});

describePlatform("endpoints with due deliveries", (the) => {
  test("come after those that answer, if they fail", async () => {
    const { tenant } = the().workspaces;
    const work = the().platform.platformWork("endpoints of a test").within(tenant);
    // The platform itself sends nothing of the future.
    const later = new Date(the().now().getTime() + 60 * 60_000);
    const made = async (changes: object) => {
      const { id } = await newEndpoint(the(), { url: "https://hooks.example/" });
      const key = { workspace_id: tenant, id };
      const about = { place: 1, event_id: id, event_type: "t", subject: null, event: "{}" };
      await work.write(async (tx) => {
        await updateEndpoint(tx, key, changes);
        await insertDelivery(tx, newDelivery(key, { ...about, origin: "event" }, later));
      });
      return id;
    };
    await made({ failures: 7 });
    const answering = await made({ failures: 0, last_delivered_at: the().now().toISOString() });
    const due = await dueEndpoints(work.read, later.toISOString(), 1);
    expect(due.map(({ id }) => id)).toEqual([answering]);
  });
});
