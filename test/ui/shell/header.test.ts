import { describe, expect, it, test } from "vitest";
import { badgeOf, placeLine, trailWords } from "#ui/shell/header.tsx";
import { clockWords, durationWords } from "#ui/kit/text/words.ts";

test("the header drops outer names first", () => {
  const trail = ["northwind-council", "planning", "planning-application"];
  expect(trailWords(trail, 80)).toBe("northwind-council › planning › planning-application");
  expect(trailWords(trail, 40)).toBe("… › planning › planning-application");
  expect(trailWords(trail, 26)).toBe("… › planning-application");
  expect(trailWords(trail, 10)).toBe("planning-…");
});

describe("the places of a narrow screen", () => {
  const places = [
    { key: "0", words: "Home", short: "Home", open: false, badge: "" },
    { key: "1", words: "Resources", short: "Recs", open: true, badge: "" },
    { key: "9", words: "Alerts", short: "Alert", open: false, badge: "2" },
  ];
  const textOf = (width: number) => placeLine(places, width).map(({ text }) => text);

  it("have their short names where the whole ones do not fit", () => {
    expect(textOf(33)).toEqual([" 0 Home ", "[1 Resources]", " 9 Alerts 2 "]);
    expect(textOf(32)).toEqual([" 0 Home", "[1 Recs]", " 9 Alert 2"]);
    expect(textOf(24)).toEqual([" 0", "[1 Recs]", " 9 Alert 2"]);
  });

  it("drop the names of the last ones first where badges take their room", () => {
    const quiet = (key: string, short: string) => {
      const words = `${short} and more`;
      return { key, short, words, open: false, badge: "" };
    };
    const all = [...places, quiet("2", "Docs"), quiet("3", "Jobs")];
    const line = placeLine(all, 38).map(({ text }) => text);
    expect(line).toEqual([" 0 Home", "[1 Recs]", " 9 Alert 2", " 2 Docs", " 3"]);
  });

  it("show a badge in a colour that calls for attention", () => {
    expect(placeLine(places, 80).map(({ token }) => token)).toEqual(["quiet", "selected", "warn"]);
  });
});

describe("the badge", () => {
  const live = { state: "live", latencyMs: 4 } as const;
  it("is live only while what is visible is", () => {
    expect(badgeOf(live, undefined)).toEqual({ status: "live", words: "live <50 ms" });
    const atMs = Date.parse("2026-11-27T13:42:05Z");
    const age = `as of ${clockWords(atMs)}`;
    expect(badgeOf(live, atMs)).toEqual({ status: "stale", words: age });
    const offline = { state: "offline", latencyMs: undefined } as const;
    expect(badgeOf(offline, atMs)).toEqual({ status: "stale", words: `offline · ${age}` });
    expect(badgeOf(offline, undefined)).toEqual({ status: "offline", words: "offline" });
  });

  it("says where the platform has no stream of changes", () => {
    expect(badgeOf(live, undefined, "polling").words).toBe("live <50 ms · polls");
    expect(badgeOf(live, undefined, "opening").words).toBe("live <50 ms");
  });

  it("shows slow answers", () => {
    const slow = { state: "live", latencyMs: 1_200 } as const;
    expect(badgeOf(slow, undefined)).toEqual({ status: "slow", words: "slow 1,200 ms" });
    const waiting = { state: "waiting", latencyMs: undefined, waitedMs: 3_000 } as const;
    expect(badgeOf(waiting, undefined).words).toBe(`waiting ${durationWords(3_000)}`);
  });
});
