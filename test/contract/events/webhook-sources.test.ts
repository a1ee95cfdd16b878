import { expect, test } from "vitest";
import { mappedEffect, webhookSourceRoutes } from "#contract/events/webhook-sources.ts";

test.each([
  [{ upsert: { type: "site", property: "code", value: "a", data: {} } }, true],
  [{ upsert: { type: "site", property: "code", value: "", data: {} } }, false],
  [{ document: { filename: "a.txt", text: "x", base64: "eA==" } }, false],
  [{ other: {} }, false],
])("the effect %j is known: %s", (effect, holds) => {
  expect(mappedEffect.safeParse(effect).success).toBe(holds);
});

test("a trial has a body or a received call", () => {
  const { schema } = webhookSourceRoutes.test.body;
  const id = "6f1ed002-ab59-4c1e-8d10-000000000001";
  expect(
    [{ body: 1 }, { receivedId: id }, {}, { body: 1, receivedId: id }].map(
      (body) => schema.safeParse(body).success,
    ),
  ).toEqual([true, true, false, false]);
});
