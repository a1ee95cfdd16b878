import { describe, expect, it } from "vitest";
import {
  isKeptView,
  keptJson,
  readKeptState,
  withKept,
  type KeptState,
} from "#ui/shell/kept/kept-state.ts";

const nothing: KeptState = readKeptState(undefined);
const workspace = { id: "w-1", slug: "planning", displayName: "Planning" };
const sort = { id: "fee", descending: true };

/** The state as the next start reads it. */
function written(state: KeptState): KeptState {
  return readKeptState(JSON.parse(JSON.stringify(keptJson(state))));
}

describe("the kept state", () => {
  it("is read as it was written", () => {
    const views = new Map<string, unknown>([
      ["w-1 sort planning-application", sort],
      ["w-1 filter planning-application", { text: "status:open", parsed: { status: "open" } }],
    ]);
    const route = { place: "resources", objectType: "planning-application", bars: false } as const;
    const kept = withKept(nothing, "https://p.example", { workspace, route, views, skin: "dark" });
    expect(written(kept)).toEqual(kept);
    expect(kept).toMatchObject({ platform: "https://p.example", skin: "dark" });
    const moved = withKept(kept, "https://p.example", { route: { place: "jobs" } });
    expect(moved.platforms.get("https://p.example")).toEqual({
      workspace,
      route: { place: "jobs" },
      views,
    });
  });

  it.each([
    ["a text", "state"],
    ["a list", [1, 2]],
    ["other kinds", { platform: 1, skin: "pink", platforms: [] }],
    [
      "damaged parts",
      {
        platforms: {
          x: {
            workspace: { id: 1 },
            route: { place: "nowhere" },
            views: {
              "w sort a": { id: "a" },
              "w filter a": { text: "x".repeat(3_000) },
              "w marked a": {},
              "w filter b": { text: "a", parsed: [] },
            },
          },
        },
      },
    ],
  ])("ignores %s", (_, value) => {
    const state = readKeptState(value);
    expect(state).toMatchObject({ platform: undefined, skin: undefined });
    for (const platform of state.platforms.values()) {
      expect(platform).toEqual({ workspace: undefined, route: undefined, views: new Map() });
    }
  });

  it("has a bound, and drops what was used longest ago", () => {
    let state = nothing;
    for (let at = 0; at < 30; at += 1) state = withKept(state, `https://p${at}.example`, {});
    expect(state.platforms.size).toBe(20);
    expect(state.platforms.has("https://p9.example")).toBe(false);
    const views = new Map(Array.from({ length: 300 }, (_, at) => [`w sort t${at}`, sort] as const));
    const kept = withKept(state, "p", { views }).platforms.get("p")?.views;
    expect(kept?.size).toBe(200);
    expect(kept?.has("w sort t99")).toBe(false);
  });

  it("has filters and orders alone", () => {
    expect(isKeptView("w sort t", sort)).toBe(true);
    expect(isKeptView("w marked t", sort)).toBe(false);
    expect(isKeptView("w filters t", ["a"])).toBe(false);
  });
});
