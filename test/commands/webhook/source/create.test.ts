import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("a source has its scheme, and a mapping of nothing", async () => {
  expect(
    await sent("webhook source create GitHub --scheme hmac --role tenant-staff"),
  ).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "webhookSources.create",
        {},
        {
          name: "GitHub",
          scheme: { type: "hmac", header: "x-hub-signature-256", prefix: "sha256=" },
          role: "tenant-staff",
          mapping: "empty",
        },
      ],
    ],
    stdout: expect.stringContaining("source               word\nname                 word"),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("webhook source create GitHub --scheme odd")).toMatchObject({
    exitCode: 2,
    requests: [],
  });
});
