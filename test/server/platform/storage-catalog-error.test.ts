import { describe, expect, test } from "vitest";
import { storageCatalogError } from "#server/platform/storage-catalog-error.ts";
import {
  DatabaseFaultError,
  FileStoreError,
  SchemaMismatchError,
  StorageError,
  StorageFullError,
} from "#server/kit/storage-errors.ts";

describe("the catalog error of a storage error", () => {
  const places = { dataDirectory: "/data" };
  const noSpace = Object.assign(new Error("write"), { code: "ENOSPC" });

  test.each([
    ["a database whose disk is full", new StorageFullError("database or disk is full")],
    ["a file whose disk is full", noSpace],
  ])("has the hint to free space for %s", (_, error) => {
    expect(storageCatalogError(error, places)).toMatchObject({
      code: "E203",
      hint: "Free disk space, or choose a place on another disk",
      cause: error,
    });
  });

  test("has the database's message and no hint otherwise", () => {
    expect(storageCatalogError(new StorageError("disk I/O error"), places)).toMatchObject({
      code: "E203",
      message: "Platform API error: disk I/O error",
      hint: undefined,
    });
  });

  test.each([undefined, "postgres://svc@host/svc"])(
    "has the next step for a fault of the database at %s",
    (databaseUrl) => {
      const fault = new DatabaseFaultError(
        "no such table: x",
        "has lost a table: restore a backup",
      );
      expect(storageCatalogError(fault, { ...places, databaseUrl })).toMatchObject({
        hint: "The database has lost a table: restore a backup",
      });
      const newer = new SchemaMismatchError("a newer svc made it");
      expect(storageCatalogError(newer, { ...places, databaseUrl })).toMatchObject({
        hint: expect.stringMatching(/^Install the newest svc/),
      });
    },
  );

  test("has the path that the disk refused, where it is known", () => {
    const missing = Object.assign(new Error("mkdir"), { code: "ENOENT", path: "/proc/x" });
    expect(storageCatalogError(missing, places)).toMatchObject({
      message: "Platform API error: the disk refused /proc/x: it does not exist",
    });
    expect(storageCatalogError(noSpace, places)).toMatchObject({
      message: "Platform API error: the disk refused: there is no space left on the device",
    });
  });

  test("has the hint to check --database-url, but not the URL itself", () => {
    // The inspected error has lines of this file.
    const password = crypto.randomUUID();
    const databaseUrl = `postgres://svc:${password}@host/svc`;
    const failure = storageCatalogError(new StorageError("no such database"), {
      ...places,
      databaseUrl,
    });
    expect(failure).toMatchObject({
      code: "E006",
      hint: expect.stringContaining("--database-url"),
    });
    expect(Bun.inspect(failure)).not.toContain(password);
  });

  test.each([
    [new StorageFullError("no space"), "Free disk space, or choose a place on another disk"],
    [new FileStoreError("the access key may not do this", "refuses"), undefined],
  ])("has no hint on the database's URL for %s", (error, hint) => {
    const databaseUrl = "postgres://svc:secret@host/svc";
    expect(storageCatalogError(error, { ...places, databaseUrl })).toMatchObject({
      code: "E203",
      hint,
    });
  });

  test("is the same error for other errors", () => {
    const error = new RangeError("not here");
    expect(storageCatalogError(error, places)).toBe(error);
  });
});
