import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("mails begin again, and rules are heard", async () => {
  expect(await sent("alert channel update --mail --muted-until none")).toMatchObject({
    exitCode: 0,
    requests: [["alerts.updateChannels", {}, { mail: true, mutedUntil: null }]],
    stdout: expect.stringContaining(
      "for          word\nmail         no: this platform has no mail server",
    ),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("alert channel update")).toMatchObject({ exitCode: 2, requests: [] });
});
