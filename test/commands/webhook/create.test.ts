import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("an endpoint has its filter and its settings, and its secret is printed", async () => {
  expect(
    await sent(
      "webhook create https://hooks.example.org/svc --kind record --type site --full --role tenant-staff --ordered --description Sync",
    ),
  ).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "webhooks.create",
        {},
        {
          url: "https://hooks.example.org/svc",
          description: "Sync",
          kinds: ["record"],
          types: ["site"],
          body: "full",
          role: "tenant-staff",
          ordered: true,
          temporary: false,
        },
      ],
    ],
    stdout: expect.stringContaining(
      "id              0198f0a0-2222-7000-8000-000000000002\nurl             word",
    ),
  });
});
