import { expect, test } from "vitest";
import { idpAppRoutes } from "#contract/apps/idp-apps.ts";

test.each([
  ["https://a.test/callback", true],
  ["http://localhost:3000/callback", true],
  ["http://a.test/callback", false],
  ["javascript:alert(1)", false],
  ["a.test", false],
])("%s may be redirected to: %s", (redirect, holds) => {
  const bodies = Object.values(idpAppRoutes).flatMap((route) =>
    "body" in route && route.body.type === "json" ? [route.body.schema] : [],
  );
  const body = { key: "app", displayName: "App", redirectUris: [redirect] };
  expect(bodies.some((schema) => schema.safeParse(body).success)).toBe(holds);
});
