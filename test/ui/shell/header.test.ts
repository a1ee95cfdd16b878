import { describe, expect, it, test } from "vitest";
import { badgeOf, trailWords } from "#ui/shell/header.tsx";
import { durationWords } from "#ui/kit/text/words.ts";

test("the header drops outer names first", () => {
  const trail = ["northwind-council", "planning", "planning-application"];
  expect(trailWords(trail, 80)).toBe("northwind-council › planning › planning-application");
  expect(trailWords(trail, 40)).toBe("… › planning › planning-application");
  expect(trailWords(trail, 26)).toBe("… › planning-application");
  expect(trailWords(trail, 10)).toBe("planning-…");
});

describe("the badge", () => {
  const live = { state: "live", latencyMs: 4 } as const;
  it("is live only while what is visible is", () => {
    expect(badgeOf(live, undefined)).toEqual({ status: "live", words: "live <50 ms" });
    const age = `${durationWords(15_000)} old`;
    expect(badgeOf(live, 15_000)).toEqual({ status: "stale", words: age });
    const offline = { state: "offline", latencyMs: undefined } as const;
    expect(badgeOf(offline, 15_000).words).toBe(`offline · ${age}`);
  });

  it("shows slow answers", () => {
    const slow = { state: "live", latencyMs: 1_200 } as const;
    expect(badgeOf(slow, undefined)).toEqual({ status: "slow", words: "slow 1,200 ms" });
    const waiting = { state: "waiting", latencyMs: undefined, waitedMs: 3_000 } as const;
    expect(badgeOf(waiting, undefined).words).toBe(`waiting ${durationWords(3_000)}`);
  });
});
