import { expect, test } from "vitest";
import {
  callerGone,
  ConnectionLostError,
  DamagedFileError,
  DetachedFileError,
  DuplicateError,
  isDamaged,
  isStorageAway,
  OverloadedError,
  StorageError,
} from "#server/kit/storage-errors.ts";

test.each([
  [new ConnectionLostError("lost"), true, false],
  [new OverloadedError("full"), true, false],
  [new DetachedFileError("/data"), true, false],
  [new DamagedFileError("other bytes"), false, false],
  [new StorageError("SQLITE_CORRUPT: malformed"), false, true],
  [new StorageError("SQLITE_NOTADB"), false, true],
  [new DuplicateError("twice"), false, false],
  [new Error("SQLITE_CORRUPT"), false, false],
])("%s", (error, isAway, hasDamage) => {
  expect([isStorageAway(error), isDamaged(error)]).toEqual([isAway, hasDamage]);
});

test("a part and its conduct are for callers, the path is for the operator", () => {
  const error = new DetachedFileError("/data/svc.db");
  expect(`${error.part} ${error.conduct}`).not.toContain("/data");
  expect(error.message).toContain("/data/svc.db");
  expect(callerGone().reason).toBe("aborted");
});
