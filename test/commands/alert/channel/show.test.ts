import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("the caller's mails are shown", async () => {
  expect(await sent("alert channel show")).toMatchObject({
    exitCode: 0,
    requests: [["alerts.getChannels", {}]],
    stdout: expect.stringContaining(
      "for          word\nmail         no: this platform has no mail server",
    ),
  });
  expect(await sent("alert channel show --role tenant-staff")).toMatchObject({
    exitCode: 0,
    requests: [["alerts.getChannels", { role: "tenant-staff" }]],
    stdout: expect.stringContaining(
      "for          word\nmail         no: this platform has no mail server",
    ),
  });
});
