import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  nameOfPiece,
  writtenHeader,
  writtenPage,
  type LogPiece,
} from "#server/database/sqlite/log/log-pieces.ts";
import { placedLog } from "#server/platform/backup/log/placed-log.ts";
import { shipLog, type ShipEvent } from "#server/platform/backup/log/ship-log.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { backupPlace } from "../stored-backups.ts";

const salt = "00000001aaaaaaaa";
const pieceOf = (line: string, sequence: number): LogPiece => {
  return { line, sequence, since: sequence, until: sequence + 1, salt, from: 0, to: sequence };
};

test("whole pieces are shipped once and in order, and a damaged one is a gap", async () => {
  const { folder: to, place, backupKeyFile } = await backupPlace();
  const shipFrom = await temporaryDirectory("copies");
  const whole = Buffer.concat([
    writtenHeader({ pageBytes: 512, databasePages: 2, pages: 1 }),
    writtenPage(2, Buffer.alloc(512, 7)),
  ]);
  const put = async (piece: LogPiece, content: Uint8Array): Promise<void> => {
    await mkdir(join(shipFrom, piece.line), { recursive: true });
    await writeFile(join(shipFrom, piece.line, nameOfPiece(piece)), content);
  };
  await put(pieceOf("1-a", 1), whole);
  await put(pieceOf("1-a", 2), whole.subarray(0, 300));
  await put(pieceOf("1-a", 3), Buffer.alloc(0));
  await put(pieceOf("2-b", 4), whole);
  await writeFile(join(shipFrom, "state.json"), "{}");
  const stopped = new AbortController();
  const events: ShipEvent[] = [];
  const shipping = shipLog(
    {
      to,
      backupKeyFile,
      recipients: [],
      dataDirectory: await temporaryDirectory("shipped"),
      shipFrom,
      filesFrom: join(shipFrom, "none"),
      keptMs: 1,
    },
    {
      signal: stopped.signal,
      onEvent: (event) => {
        events.push(event);
        if (event.event === "shipped") stopped.abort(new Error("enough"));
      },
    },
  );
  await expect(shipping).rejects.toThrow(/enough|aborted/);
  expect(events).toEqual([
    { event: "gap", line: "1-a" },
    { event: "gap", line: "1-a" },
    { event: "shipped", until: 5, pieces: 2 },
  ]);
  expect((await placedLog(place)).pieces).toEqual([pieceOf("1-a", 1), pieceOf("2-b", 4)]);
  expect((await readdir(shipFrom, { recursive: true })).toSorted()).toEqual([
    "1-a",
    "2-b",
    "state.json",
  ]);
});
