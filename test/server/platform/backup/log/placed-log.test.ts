import { expect, test } from "vitest";
import { nameOfPiece, pieceOfName, type LogPiece } from "#server/database/sqlite/log/log-pieces.ts";
import {
  placedPieces,
  piecesAfter,
  planTo,
  positionOf,
  removeLogBefore,
  storePiece,
  storePosition,
} from "#server/platform/backup/log/placed-log.ts";
import { backupPlace, flipBit } from "../stored-backups.ts";

const salt = "00000001aaaaaaaa";
const line = "1-a";

const pieceAt = (sequence: number, more: Partial<LogPiece> = {}): LogPiece => ({
  line,
  sequence,
  since: sequence * 1_000,
  until: (sequence + 1) * 1_000,
  salt,
  from: sequence * 10,
  to: sequence * 10 + 10,
  ...more,
});

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("pages");
}

test("a name has all of a piece", () => {
  const piece = pieceAt(7);
  expect(pieceOfName(line, nameOfPiece(piece))).toEqual(piece);
  expect(pieceOfName(line, "state.json")).toBeUndefined();
});

test("a backup is continued from the piece with its place to the first gap", () => {
  const again = pieceAt(2, { to: 35 });
  const all = [pieceAt(1), pieceAt(2), again, pieceAt(3), pieceAt(5)];
  expect(piecesAfter(all, { salt, frame: 25 })).toEqual([pieceAt(2), again, pieceAt(3)]);
  expect(piecesAfter(all, { salt, frame: 5 })).toEqual([]);
  expect(piecesAfter(all, { salt: "00000002aaaaaaaa", frame: 25 })).toEqual([]);
});

test("a plan takes the newest state before a time, and knows what it can't know", () => {
  const after = [pieceAt(1), pieceAt(2), pieceAt(5)];
  const to = (atMs: number) => planTo(after, { takenMs: 1_500, atMs });
  expect(to(1_600)).toEqual({ pieces: [], reachedMs: 1_500, isCertain: true });
  expect(to(3_200)).toMatchObject({ pieces: after.slice(0, 2), reachedMs: 3_200 });
  expect(to(4_500)).toMatchObject({ reachedMs: 4_500, isCertain: true });
  // Something may have been committed between the begin of the third piece and the time.
  expect(to(5_500)).toMatchObject({ pieces: after.slice(0, 2), reachedMs: 5_000 });
  expect(to(60_000)).toMatchObject({ pieces: after, reachedMs: 6_000, isCertain: false });
});

test("pieces are listed in order, and removed when they are old", async () => {
  const { objects, place } = await backupPlace();
  for (const sequence of [3, 1, 2]) await storePiece(objects, pieceAt(sequence), bytes());
  expect(await placedPieces(place)).toEqual([1, 2, 3].map((each) => pieceAt(each)));
  expect(await removeLogBefore(place, 3_500, undefined)).toBe(2);
  expect(await placedPieces(place)).toEqual([pieceAt(3)]);
  expect(await Array.fromAsync(place.list("log"))).toHaveLength(2);
});

test("the place of a backup in the log is checked", async () => {
  const { place } = await backupPlace();
  expect(await positionOf(place, "set")).toBeUndefined();
  await storePosition(place, "set", { salt, frame: 7 });
  expect(await positionOf(place, "set")).toEqual({ salt, frame: 7 });
  await flipBit(place, "sets/set/log.json");
  await expect(positionOf(place, "set")).rejects.toThrow("damaged");
});
