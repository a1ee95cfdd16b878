import { describe, expect, it } from "vitest";
import { current, left, opened, type Trail } from "#ui/shell/router.ts";

describe("the route", () => {
  it("goes back in reverse order, and never beyond the first place", () => {
    const start: Trail = [{ place: "resources" }];
    const there = opened(opened(start, { place: "jobs" }), { place: "jobs" });
    expect(there).toHaveLength(2);
    expect(current(left(there))).toEqual({ place: "resources" });
    expect(left(start)).toEqual(start);
  });

  it("is remembered up to a depth", () => {
    let trail: Trail = [{ place: "resources" }];
    for (let n = 0; n < 200; n += 1) trail = opened(trail, { place: "jobs", jobId: String(n) });
    expect(trail.length).toBeLessThanOrEqual(50);
    expect(current(trail)).toEqual({ place: "jobs", jobId: "199" });
  });
});
