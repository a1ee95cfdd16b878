import { describe, expect, it } from "vitest";
import { Router } from "#ui/shell/router.ts";

describe("the route", () => {
  it("goes back in reverse order, and never beyond the first place", () => {
    const router = new Router({ place: "resources" });
    router.go({ place: "jobs" });
    router.go({ place: "jobs" });
    expect(router.trail.get()).toHaveLength(2);
    router.back();
    expect(router.route()).toEqual({ place: "resources" });
    router.back();
    expect(router.trail.get()).toEqual([{ place: "resources" }]);
  });

  it("is remembered up to a depth", () => {
    const router = new Router({ place: "resources" });
    for (let n = 0; n < 200; n += 1) router.go({ place: "jobs", jobId: String(n) });
    expect(router.trail.get().length).toBeLessThanOrEqual(50);
    expect(router.route()).toEqual({ place: "jobs", jobId: "199" });
  });
});
