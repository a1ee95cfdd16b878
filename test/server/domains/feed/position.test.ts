import { expect, test } from "vitest";
import {
  boundedBy,
  placeOf,
  positionOf,
  snapshotOf,
  snapshotText,
} from "#server/domains/feed/position.ts";

test("is read as it was written, on both engines", () => {
  const seen = snapshotOf("900000000000:900000000123:900000000001,900000000100");
  const upTo = snapshotOf("900000000100:900000000200:");
  for (const place of [
    { epoch: "a1", number: 7, index: 3, seen: undefined, upTo: undefined },
    { epoch: "a1", number: 7, index: undefined, seen: undefined, upTo: undefined },
  ]) {
    expect(placeOf(positionOf(place), "sqlite")).toEqual(place);
    expect(placeOf(positionOf({ ...place, seen, upTo }), "postgresql")).toEqual({
      ...place,
      seen,
      upTo,
    });
  }
  expect(snapshotText(seen)).toBe("900000000000:900000000123:900000000001,900000000100");
});

test("is none for another text, and for one of the other engine", () => {
  for (const text of ["", "a1", "a1~x", "a1~1~?", "a1~1~1:2:3~4:5:6~7"]) {
    expect(placeOf(text, "sqlite")).toBeUndefined();
    expect(placeOf(text, "postgresql")).toBeUndefined();
  }
  expect(placeOf("a1~1", "postgresql")).toBeUndefined();
});

test("fits into a header field with the most transactions, beyond which rows may repeat", () => {
  const running = (count: number) =>
    Array.from({ length: count }, (_, at) => String(1_000 + at * 9));
  const many = snapshotOf(`1000:9000:${running(200).join(",")}`);
  expect(many.running).toHaveLength(200);
  const position = positionOf({ epoch: "0123456789ab", number: 1, seen: many, upTo: many });
  expect(position.length).toBeLessThan(3_000);
  expect(snapshotOf(`1000:9000:${running(201).join(",")}`)).toEqual({
    xmin: 1_000n,
    xmax: 1_000n,
    running: [],
  });
});

test("ends with the newest row, because a crash gives later numbers again", () => {
  const text = (snapshot: string, newest: bigint) =>
    snapshotText(boundedBy(snapshotOf(snapshot), newest));
  expect(text("90:100:90,95", 97n)).toBe("90:98:90,95");
  expect(text("90:100:90,95", 92n)).toBe("90:93:90");
  expect(text("90:100:90,95", 50n)).toBe("51:51:");
  expect(text("100:100:", 99n)).toBe("100:100:");
});
