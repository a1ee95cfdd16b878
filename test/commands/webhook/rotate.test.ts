import { expect, test } from "vitest";
import { id, sent } from "../stub-platform.ts";

test("a secret is replaced, with days in which the former one works", async () => {
  expect(await sent(`webhook rotate ${id} --grace-days 2`)).toMatchObject({
    exitCode: 0,
    requests: [["webhooks.rotate", { endpointId: id }, { graceDays: 2 }]],
    stdout:
      "secret               word\npublic key           word\nformer secret until  2026-01-02T03:04:05.006Z\n",
  });
  expect(await sent(`webhook rotate ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["webhooks.rotate", { endpointId: id }, { graceDays: 1 }]],
    stdout:
      "secret               word\npublic key           word\nformer secret until  2026-01-02T03:04:05.006Z\n",
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent(`webhook rotate ${id} --grace-days 99`)).toMatchObject({
    exitCode: 2,
    requests: [],
  });
});
