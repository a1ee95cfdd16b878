import { expect, test } from "vitest";
import { Overlays } from "#ui/shell/overlays/overlays.ts";

test("each opening has a new id, and announces itself", () => {
  let opened = 0;
  const overlays = new Overlays(() => {
    opened += 1;
  });
  overlays.ask({ title: "Name" } as never);
  const first = overlays.shown.get();
  overlays.confirm({ title: "Delete" } as never);
  const second = overlays.shown.get();
  expect([first?.overlay.kind, second?.overlay.kind, opened]).toEqual(["ask", "confirm", 2]);
  expect(second?.id).not.toBe(first?.id);
  overlays.close();
  expect(overlays.shown.get()).toBe(undefined);
});
