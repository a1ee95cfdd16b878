import { describe, expect, test } from "vitest";
import { storageFailure } from "#server/platform/storage-failure.ts";
import { FileStoreError, StorageError, StorageFullError } from "#server/kit/storage-errors.ts";

describe("what a command says of the storage that it works on", () => {
  const places = { dataDirectory: "/data" };
  const noSpace = Object.assign(new Error("write"), { code: "ENOSPC" });

  test.each([
    ["a database whose disk is full", new StorageFullError("database or disk is full")],
    ["a file whose disk is full", noSpace],
  ])("is to make room for %s", (_, error) => {
    expect(storageFailure(error, places)).toMatchObject({
      code: "E203",
      hint: "Make room, or name a place on another disk",
      cause: error,
    });
  });

  test("is what the database said, where nobody knows more", () => {
    expect(storageFailure(new StorageError("disk I/O error"), places)).toMatchObject({
      code: "E203",
      message: "Platform API error: disk I/O error",
      hint: undefined,
    });
  });

  test("names the file that the disk refused, where it is known", () => {
    const missing = Object.assign(new Error("mkdir"), { code: "ENOENT", path: "/proc/x" });
    expect(storageFailure(missing, places)).toMatchObject({
      message: "Platform API error: the disk refused /proc/x: it does not exist",
    });
    expect(storageFailure(noSpace, places)).toMatchObject({
      message: "Platform API error: the disk refused: there is no space left on the device",
    });
  });

  test("is to look at the database's address where one was given, which it never repeats", () => {
    const databaseUrl = "postgres://svc:secret@host/svc";
    const failure = storageFailure(new StorageError("no such database"), {
      ...places,
      databaseUrl,
    });
    expect(failure).toMatchObject({
      code: "E006",
      hint: expect.stringContaining("--database-url"),
    });
    expect(Bun.inspect(failure)).not.toContain("secret");
  });

  test.each([
    [new StorageFullError("no space"), "Make room, or name a place on another disk"],
    [new FileStoreError("the access key may not do this", "refuses"), undefined],
  ])("is not to look at the database's address for %s", (error, hint) => {
    const databaseUrl = "postgres://svc:secret@host/svc";
    expect(storageFailure(error, { ...places, databaseUrl })).toMatchObject({ code: "E203", hint });
  });

  test("is the error itself where it is none of storage", () => {
    const error = new RangeError("not here");
    expect(storageFailure(error, places)).toBe(error);
  });
});
