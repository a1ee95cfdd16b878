import { expect, test } from "vitest";
import { channelLines, channelState } from "#ui/alerts/channel-words.ts";

const nowMs = Date.parse("2026-11-27T12:00:00Z");

test("a choice is the mails, or the reason why there are none", () => {
  expect(channelState({ mail: true }, nowMs)).toBe("at most one an hour");
  expect(channelState({ mail: false }, nowMs)).toBe("none");
  expect(channelState({ mail: true, sendsMail: false }, nowMs)).toBe("no mail server");
  expect(channelState({ mail: true, mutedUntil: "2026-11-27T11:00:00Z" }, nowMs)).toBe(
    "at most one an hour",
  );
  expect(channelState({ mail: true, mutedUntil: "2026-11-29T12:00:00Z" }, nowMs)).toMatch(/^muted/);
});

test("muted rules have their names", () => {
  const channels = { mail: true, mutedRules: ["r-1", "r-2"] };
  const lines = channelLines(channels, { width: 100, nowMs }, [{ id: "r-1", name: "Refused" }]);
  const text = lines.flatMap((spans) => spans.map((span) => span.text)).join(" ");
  expect(text).toMatch(/muted rules +Refused, r-2/);
});
