import { expect, test } from "vitest";
import { webhookRoutes } from "#contract/events/webhooks.ts";

const accepts = (body: unknown): boolean =>
  webhookRoutes.create.body.schema.safeParse(body).success;
const url = "https://hooks.example.org/x";

test("an endpoint has a URL, or is temporary", () => {
  expect([
    accepts({ url }),
    accepts({ temporary: true }),
    accepts({}),
    accepts({ url, temporary: true }),
  ]).toEqual([true, true, false, false]);
});

test.each([
  { url, kinds: [] },
  { url, kinds: ["odd"] },
  { url, types: [""] },
  { url, description: "x".repeat(201) },
  { url, other: 1 },
])("%j is refused", (body) => {
  expect(accepts(body)).toBe(false);
});

test("a replay names its deliveries, and grace has at most some days", () => {
  const { schema } = webhookRoutes.replay.body;
  expect([schema.safeParse({}).success, schema.safeParse({ failed: true }).success]).toEqual([
    false,
    true,
  ]);
  expect(webhookRoutes.rotate.body.schema.parse({})).toEqual({ graceDays: 1 });
  expect(webhookRoutes.rotate.body.schema.safeParse({ graceDays: 99 }).success).toBe(false);
});
