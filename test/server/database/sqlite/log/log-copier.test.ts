import { readdirSync, statSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SqliteConnection } from "#server/database/sqlite/sqlite-connection.ts";
import { copyState } from "#server/database/sqlite/log/copy-state.ts";
import { LogCopier, noteClosed } from "#server/database/sqlite/log/log-copier.ts";
import { applyPiece, pieceOfName, type LogPiece } from "#server/database/sqlite/log/log-pieces.ts";
import { piecesAfter } from "#server/platform/backup/log/placed-log.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const pragmas = ["busy_timeout = 5000"];

/** A database whose log no checkpoint of SQLite itself ends. */
async function openWritten() {
  const folder = await temporaryDirectory("log-copies");
  const path = join(folder, "svc.db");
  const copies = join(folder, "copies");
  const connect = (): SqliteConnection => {
    const writer = new SqliteConnection(path, { readonly: false });
    for (const pragma of ["journal_mode = wal", "wal_autocheckpoint = 0", "synchronous = off"]) {
      writer.execute(`pragma ${pragma}`);
    }
    return writer;
  };
  const writer = connect();
  writer.execute("create table notes (id integer primary key, body text)");
  const copier = (limitBytes = 1e9): LogCopier =>
    new LogCopier({ path, folder: copies, limitBytes, pragmas });
  return { folder, path, copies, connect, writer, copier };
}

type Written = Awaited<ReturnType<typeof openWritten>>;

let next = 0;

/** Adds, changes and removes rows, some of several pages. */
function write(writer: SqliteConnection, count: number): void {
  for (let index = 0; index < count; index += 1) {
    next += 1;
    const body = `${next} `.repeat((next * 37) % 3000);
    writer.run("replace into notes (id, body) values (?, ?)", [next % 50, body]);
    if (next % 7 === 0) writer.run("delete from notes where id = ?", [(next * 3) % 50]);
  }
}

function rowsOf(path: string): unknown {
  const reader = new SqliteConnection(path, { readonly: true });
  try {
    const check = reader.run("pragma integrity_check", []).rows;
    return { check, rows: reader.run("select * from notes order by id", []).rows };
  } finally {
    reader.close();
  }
}

const piecesOf = ({ copies }: Written): { piece: LogPiece; path: string }[] =>
  readdirSync(copies, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: line }) =>
      readdirSync(join(copies, line))
        .toSorted()
        .map((name) => ({ piece: pieceOfName(line, name), path: join(copies, line, name) })),
    )
    .flatMap(({ piece, path }) => (piece === undefined ? [] : [{ piece, path }]));

/** The rows of a copied state after all pieces that continue it. */
async function continued(written: Written, target: string, state: { salt: string; frame: number }) {
  const all = piecesOf(written);
  const after = piecesAfter(
    all.map(({ piece }) => piece),
    state,
  );
  for (const piece of after) {
    const path = all.find((each) => each.piece === piece)?.path ?? "";
    await applyPiece(target, Bun.file(path).stream());
  }
  return { rows: rowsOf(target), pieces: after.length };
}

async function copied({ path, folder }: Written) {
  const target = join(folder, `base-${crypto.randomUUID()}.db`);
  const state = await copyState(path, target);
  if (state === undefined) throw new Error("the database has no log");
  return { target, state };
}

/** Moves the whole log into the file, so that the next write begins it again. */
const moveLog = (checkpoints: SqliteConnection) => (): void => {
  checkpoints.run("pragma wal_checkpoint(passive)", []);
};

test("pieces continue a copied state through restarts of the log and checkpoints", async () => {
  const written = await openWritten();
  const { writer, path, connect } = written;
  write(writer, 20);
  const copier = written.copier();
  const checkpoints = connect();
  write(writer, 5);
  const { target, state } = await copied(written);
  expect(rowsOf(target)).toEqual(rowsOf(path));
  const salts = new Set<string>();
  for (let round = 0; round < 6; round += 1) {
    write(writer, 15);
    copier.copy();
    write(writer, 3);
    copier.follow();
    moveLog(checkpoints)();
    write(writer, 2);
    copier.end(moveLog(checkpoints), round === 3 ? 0 : 60_000);
    for (const { piece } of piecesOf(written)) salts.add(piece.salt);
  }
  writer.execute("pragma wal_checkpoint(truncate)");
  copier.end(() => void checkpoints.run("pragma wal_checkpoint(truncate)", []), 60_000);
  expect(statSync(`${path}-wal`).size).toBe(0);
  write(writer, 4);
  copier.copy();
  // The round that took too long has not ended its log.
  expect(salts.size).toBe(5);
  const later = await copied(written);
  const end = await continued(written, target, state);
  expect(end.rows).toEqual(rowsOf(path));
  expect(end.pieces).toBeGreaterThan(12);
  write(writer, 4);
  copier.copy();
  expect((await continued(written, later.target, later.state)).rows).toEqual(rowsOf(path));
});

test("a line goes on after a kill and after a close, and no other way", async () => {
  const written = await openWritten();
  const { path, copies, connect } = written;
  let { writer } = written;
  write(writer, 10);
  const killed = written.copier();
  const { line } = killed.line;
  const { target, state } = await copied(written);
  write(writer, 10);
  killed.copy();
  write(writer, 10);
  // Nothing of the first copier ends: its process was killed.
  const next = written.copier();
  expect(next.line.line).toBe(line);
  next.copy();
  next.end(moveLog(connect()), 60_000);
  write(writer, 5);
  const afterEnd = written.copier();
  expect(afterEnd.line.line).toBe(line);
  afterEnd.copy();
  expect((await continued(written, target, state)).rows).toEqual(rowsOf(path));

  const calm = await openWritten();
  ({ writer } = calm);
  write(writer, 10);
  const first = calm.copier();
  const base = await copied(calm);
  write(writer, 10);
  first.close();
  writer.close();
  noteClosed(calm.copies, calm.path);
  writer = calm.connect();
  write(writer, 3);
  const second = calm.copier();
  expect(second.line.line).toBe(first.line.line);
  second.copy();
  expect((await continued(calm, base.target, base.state)).rows).toEqual(rowsOf(calm.path));
  second.close();
  writer.close();
  noteClosed(calm.copies, calm.path);
  const foreign = calm.connect();
  write(foreign, 1);
  foreign.close();
  writer = calm.connect();
  expect(calm.copier().line.line).not.toBe(first.line.line);
  expect(copies).not.toBe(calm.copies);
});

test("pieces that wait too long end their line, and a damaged piece is refused", async () => {
  const written = await openWritten();
  const { writer } = written;
  write(writer, 10);
  const copier = written.copier(64 * 1024);
  const { line } = copier.line;
  write(writer, 3);
  copier.copy();
  const { target } = await copied(written);
  const [first] = piecesOf(written);
  await appendFile(first?.path ?? "", "x");
  await expect(applyPiece(target, Bun.file(first?.path ?? "").stream())).rejects.toThrow("whole");
  write(writer, 200);
  copier.copy();
  expect(copier.line.line).not.toBe(line);
  expect(piecesOf(written)).toEqual([]);
});
