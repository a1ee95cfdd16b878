import { expect, test } from "vitest";
import {
  earlierSecrets,
  formerSecrets,
  lastGrace,
} from "#server/domains/secrets/former-secrets.ts";

const now = new Date("2026-11-27T08:00:00.000Z");
const at = (hour: number): string => `2026-11-27T${String(hour).padStart(2, "0")}:00:00.000Z`;
const last = { secret: "last", until: at(10) };
const older = { secret: "older", until: at(12) };
const ended = { secret: "ended", until: at(8) };

test("former secrets are those whose grace runs, the last one first", () => {
  const earlier = earlierSecrets("last", [older, ended]);
  expect(formerSecrets(last, earlier, now)).toEqual([last, older]);
  expect(formerSecrets({ ...last, until: at(7) }, earlier, now)).toEqual([older]);
  expect(lastGrace(formerSecrets(last, earlier, now))).toBe(at(12));
});

test("the earlier secrets end with another former one, or with none", () => {
  const earlier = earlierSecrets("last", [older]);
  expect(formerSecrets({ ...last, secret: "of the previous build" }, earlier, now)).toHaveLength(1);
  expect(formerSecrets(undefined, earlier, now)).toEqual([]);
  expect(lastGrace([])).toBe(null);
});

test("there is no column without earlier secrets, and none for a sixth one", () => {
  expect(earlierSecrets("last", [])).toBe(null);
  const four = Array.from({ length: 4 }, () => older);
  expect(earlierSecrets("last", four)).not.toBe(null);
  expect(() => earlierSecrets("last", [...four, last])).toThrow(at(10));
});
