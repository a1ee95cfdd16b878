import { expect, test } from "vitest";
import { nameOfPiece, pieceOfName, type LogPiece } from "#server/database/sqlite/log/log-pieces.ts";
import {
  logAfter,
  packLogBefore,
  placedLog,
  piecesAfter,
  planTo,
  positionOf,
  removeLogBefore,
  storeEnd,
  storePiece,
  storePosition,
} from "#server/platform/backup/log/placed-log.ts";
import { packedPlace } from "#server/platform/backup/place/packed-objects.ts";
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
  const to = (atMs: number, endMs?: number) =>
    planTo({ pieces: after, endMs }, { takenMs: 1_500, atMs });
  expect(to(1_600)).toEqual({ pieces: [], reachedMs: 1_500, isCertain: true });
  expect(to(3_200)).toMatchObject({ pieces: after.slice(0, 2), reachedMs: 3_200 });
  expect(to(4_500)).toMatchObject({ reachedMs: 4_500, isCertain: true });
  // Something may have been committed between the begin of the third piece and the time.
  expect(to(5_500)).toMatchObject({ pieces: after.slice(0, 2), reachedMs: 5_000 });
  expect(to(60_000)).toMatchObject({ pieces: after, reachedMs: 6_000, isCertain: false });
  // The end of the line shows that nothing was committed since.
  expect(to(60_000, 90_000)).toMatchObject({ pieces: after, reachedMs: 60_000, isCertain: true });
  expect(to(60_000, 50_000)).toMatchObject({ reachedMs: 50_000, isCertain: false });
});

test("pieces are packed into few objects, which are read as before and removed when all are old", async () => {
  const { objects, place } = await backupPlace();
  for (const sequence of [3, 1, 2, 4]) await storePiece(objects, pieceAt(sequence), bytes());
  const pieces = async () => (await placedLog(place)).pieces;
  const count = async () => (await Array.fromAsync(place.list("log"))).length;
  // A stopped run has left a pack without its list.
  await place.put("log/packs/half", Buffer.from("half"));
  expect(await packLogBefore(place, 4_500, undefined)).toBe(6);
  expect(await pieces()).toEqual([1, 2, 3, 4].map((each) => pieceAt(each)));
  expect(await count()).toBe(4);
  const packed = await packedPlace(place, "log");
  const [first = ""] = (await Array.fromAsync(packed.list("log"))).map(({ name }) => name);
  expect((await packed.read(first))?.byteLength).toBeGreaterThan(0);
  const [pack = ""] = (await Array.fromAsync(place.list("log/packs"))).map(({ name }) => name);
  await flipBit(place, pack.replace(".json", ""), 0.01);
  await expect((await packedPlace(place, "log")).read(first)).rejects.toThrow("damaged");
  expect(await removeLogBefore(place, 3_500, undefined)).toBe(0);
  expect(await removeLogBefore(place, 4_500, undefined)).toBe(3);
  expect(await pieces()).toEqual([pieceAt(4)]);
  expect(await removeLogBefore(place, 6_000, undefined)).toBe(1);
  expect(await count()).toBe(0);
});

test("the end of a line counts only with all of its pieces, and is removed when it is old", async () => {
  const { objects, place } = await backupPlace();
  await storePiece(objects, pieceAt(1), bytes());
  const end = { line, sequence: 1, until: 9_000, salt, frame: 20 };
  const endMs = async (frame: number) => logAfter(await placedLog(place), { salt, frame }).endMs;
  await storeEnd(place, end);
  expect(await endMs(15)).toBe(9_000);
  // A backup after the last commit is continued by no piece.
  await removeLogBefore(place, 5_000, undefined);
  expect([await endMs(20), await endMs(19)]).toEqual([9_000, undefined]);
  await storePiece(objects, pieceAt(1), bytes());
  await storeEnd(place, { ...end, sequence: 2 });
  expect(await endMs(15)).toBeUndefined();
  await flipBit(place, `log/${line}/end.json`);
  expect((await placedLog(place)).ends).toEqual([]);
  await storeEnd(place, end);
  await removeLogBefore(place, 9_001, undefined);
  expect(await placedLog(place)).toEqual({ pieces: [], ends: [] });
});

test("the place of a backup in the log is checked", async () => {
  const { place } = await backupPlace();
  expect(await positionOf(place, "set")).toBeUndefined();
  await storePosition(place, "set", { salt, frame: 7 });
  expect(await positionOf(place, "set")).toEqual({ salt, frame: 7 });
  await flipBit(place, "sets/set/log.json");
  await expect(positionOf(place, "set")).rejects.toThrow("damaged");
});
