import { expect, test } from "vitest";
import {
  connectingFailure,
  postgresqlFailure,
  sqlState,
} from "#server/database/postgresql/driver-errors.ts";
import { readOnlyMark } from "#server/kit/storage-errors.ts";

const failed = (errno: string | undefined, code?: string, message = "failed"): Error =>
  Object.assign(new Error(message), { errno, ...(code === undefined ? {} : { code }) });

test.each([
  [failed("08006"), "ConnectionLostError"],
  [failed("57P01"), "ConnectionLostError"],
  [failed(undefined, "ERR_POSTGRES_CONNECTION_CLOSED"), "ConnectionLostError"],
  [failed("23505"), "DuplicateError"],
  [failed("23503"), "ForeignKeyError"],
  [failed("57014"), "ScanStoppedError"],
  [failed("53100"), "StorageFullError"],
  [failed("53300"), "StorageError"],
  [failed("42P01"), "StorageError"],
  [failed("XX001"), "StorageError"],
  [failed("26000"), "StorageError"],
  [failed("28P01"), "StorageError"],
  [failed(undefined, "ERR_POSTGRES_TLS_NOT_AVAILABLE"), "StorageError"],
  [failed("P0001", undefined, readOnlyMark), "ReadOnlyError"],
  [failed("22P02"), "Error"],
])("%o is a %s", (error, name) => {
  const failure = postgresqlFailure(error) as Error;
  expect(failure.name).toBe(name);
  if (name !== "Error") expect(failure.cause).toBe(name === "ScanStoppedError" ? undefined : error);
});

test.each([
  ["25006", "cannot execute INSERT in a read-only transaction"],
  ["0A000", "cannot use serializable mode in a hot standby"],
])("%s of a standby says what to do", (state, message) => {
  expect(postgresqlFailure(failed(state, undefined, message))).toMatchObject({
    part: "The database",
    conduct:
      "takes no writes, because it is a standby or read-only: promote it, or name the primary",
  });
});

test("any failure of a new connection is one of the storage", () => {
  expect(connectingFailure(failed("22P02"))).toMatchObject({
    name: "ConnectionLostError",
    message: "Cannot connect to PostgreSQL: failed",
  });
  const cause = new Error("outer", { cause: failed("23505") });
  expect([sqlState(cause), sqlState(new Error("x")), sqlState("x")]).toEqual([
    "23505",
    undefined,
    undefined,
  ]);
});
