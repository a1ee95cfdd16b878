import * as fc from "fast-check";
import { expect, it } from "vitest";
import { firstShown } from "#ui/kit/forms/form-fields.tsx";

it("the current field is always visible, and no room is left below the last", () => {
  const heights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(heights, fc.nat(), fc.integer({ min: 9, max: 40 }), (each, place, room) => {
      const at = place % each.length;
      const top = firstShown(each, at, room);
      const sum = (from: number, to: number) =>
        each.slice(from, to).reduce((all, height) => all + height, 0);
      expect(top).toBeLessThanOrEqual(at);
      expect(sum(top, at + 1)).toBeLessThanOrEqual(room);
      if (top > 0) expect(sum(top - 1, each.length)).toBeGreaterThan(room);
    }),
  );
});
