import { join } from "node:path";
import { expect, test } from "vitest";
import { SqliteConnection } from "#server/database/sqlite/sqlite-connection.ts";
import { raw } from "#server/database/statement.ts";
import { moveData, verifyMove } from "#server/platform/move/move-data.ts";
import { diagnose } from "#server/platform/maintenance/offline-doctor.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { everyWorkspace } from "#server/kit/scope.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { missingPostgres } from "#test/support/postgres.ts";
import { svcExecutable } from "#test/support/svc.ts";
import {
  addNote,
  addPlan,
  fill,
  found,
  notes,
  passKey,
  postgresqlPlace,
  sqlitePlace,
  startAt,
  urlOf,
  type Place,
} from "./moved-platforms.ts";

async function epochOf(place: Place): Promise<unknown> {
  const database = await openPlatformDatabase({
    url: urlOf(place),
    isExclusive: false,
    poolSize: 1,
  });
  try {
    return await database.in(everyWorkspace).read.first(raw("select epoch from feed_epochs"));
  } finally {
    await database.close();
  }
}

/** Moves, and stops the first tries at the given numbers of reports of progress. */
async function moveWithStops(from: Place, to: Place, stops: readonly number[]) {
  for (const stop of stops) {
    const stopped = new AbortController();
    let reports = 0;
    const tried = moveData({
      from,
      to,
      preparesOnly: false,
      signal: stopped.signal,
      onProgress: () => {
        reports += 1;
        if (reports === stop) stopped.abort();
      },
    });
    await expect(tried).rejects.toThrow("abort");
  }
  return moveData({ from, to, preparesOnly: false });
}

/** Moves with another process, which is killed after the source has become read-only. */
async function moveWithKill({ dataDirectory }: Place, to: Place): Promise<void> {
  const words = ["--from", `sqlite:${dataDirectory}`, "--to", "postgres"];
  const program = Bun.spawn(
    [await svcExecutable(), "serve", "move", ...words, "--data-dir", to.dataDirectory],
    { env: { ...Bun.env, SVC_DATABASE_URL: to.databaseUrl }, stdout: "ignore", stderr: "ignore" },
  );
  const source = new SqliteConnection(join(dataDirectory, "svc.db"), { readonly: true });
  try {
    while (source.run("select 1 from data_moves where name = 'to'", []).rows.length === 0) {
      expect(program.exitCode).toBeNull();
      await Bun.sleep(5);
    }
  } finally {
    source.close();
    program.kill("SIGKILL");
    await program.exited;
  }
  expect(program.signalCode).toBe("SIGKILL");
}

describeNeeding("the move of a platform", missingPostgres, () => {
  test("there and back, stopped on the way, gives the same rows, files and indexes", async () => {
    const [first, second, third] = [
      await sqlitePlace(),
      await postgresqlPlace(),
      await sqlitePlace(),
    ];
    const source = await startAt(first);
    await fill(source);
    const plan = await addPlan(source, await addNote(source, 1_000));
    // The platform serves during the move, and writes between its parts.
    await moveData({ from: first, to: second, preparesOnly: true });
    await addNote(source, 1_001);
    await moveWithKill(first, second);
    const closed = await source
      .as("tenant-staff")
      .post(notes(source), { text: "no", number: 8_000 });
    expect(closed.status).toBe(503);
    const there = await moveData({ from: first, to: second, preparesOnly: false });
    expect(there.tables.every(({ digest, sourceDigest }) => digest === sourceDigest)).toBe(true);
    expect(there.tables.find(({ table }) => table === "resources")?.rows).toBe(302);
    const refused = await source
      .as("tenant-staff")
      .post(notes(source), { text: "no", number: 9_000 });
    expect(refused).toMatchObject({ status: 503, json: { code: "storage-unavailable" } });
    expect(refused.headers.get("retry-after")).toBe("30");
    expect(await found(source, "late")).toBe(2);
    expect(await verifyMove({ from: first, to: second })).toMatchObject({
      ok: true,
      files: { files: 1, lost: 0 },
    });
    const epoch = await epochOf(first);
    await source.close();
    await expect(startAt(first, source)).rejects.toThrow(/read-only/);

    await passKey(first, second);
    const moved = await startAt(second, source);
    expect(await found(moved, "late")).toBe(2);
    expect(await found(moved, "Ärger")).toBe(100);
    expect((await moved.as("tenant-viewer").get(plan)).text).toBe("A plan.");
    expect(await epochOf(second)).not.toEqual(epoch);
    await addNote(moved, 1_002);
    const back = await moveWithStops(second, third, [150]);
    expect(back.tables.every(({ digest, sourceDigest }) => digest === sourceDigest)).toBe(true);
    const late = await moved.as("tenant-staff").post(notes(moved), { text: "no", number: 9_000 });
    expect(late.status).toBe(503);
    expect(await found(moved, "late")).toBe(3);
    await moved.close();

    await passKey(second, third);
    const last = await startAt(third, source);
    expect(await found(last, "late")).toBe(3);
    expect(await found(last, "Ärger")).toBe(100);
    expect((await last.as("tenant-viewer").get(plan)).text).toBe("A plan.");
    await addNote(last, 1_003);
    await last.close();
    for (const [place, codes] of [
      // Its data have moved on.
      [second, ["start-refused"]],
      [third, []],
    ] as const) {
      const diagnosis = await diagnose({ ...place, fix: false, withDigests: true });
      // The server of the tests does not sync.
      const findings = diagnosis.findings.filter(({ code }) => code !== "durability-off");
      expect(findings.map(({ code }) => code)).toEqual(codes);
    }
  });
});
