import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tracedProgram, missingFaults } from "#test/support/drills/failing-disk.ts";
import { DrillSession } from "#test/support/drills/session.ts";
import { startPlatformProcess, type RunningPlatform } from "#test/support/platform-process.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { oneThread, startPlatform, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const note = "n".repeat(20_000);

async function used(): Promise<{ dataDir: string; session: DrillSession }> {
  const dataDir = await temporaryDirectory("failing");
  const platform = await startPlatform({ dataDir, args: [oneThread] });
  const session = await DrillSession.create(platform);
  await session.expect(201, "POST", "", { marker: "before" });
  await platform.stop();
  return { dataDir, session };
}

/** Writes until one is refused, then expects health, `/ready` and `/live` of failing writes. */
async function expectFailingWrites(platform: RunningPlatform, before: DrillSession) {
  const session = before.at(platform);
  let acknowledged = 0;
  let refusal = await session.call("POST", "", { marker: "made", note });
  for (; refusal.status === 201 && acknowledged < 1_000; acknowledged += 1) {
    refusal = await session.call("POST", "", { marker: "made", note });
  }
  const conduct = "cannot write its file: check the disk, its quota and the limit of a file's size";
  expect(refusal).toMatchObject({
    status: 503,
    json: { code: "storage-unavailable", detail: `The database ${conduct}`, retryable: true },
  });
  const health = await session.expect(503, "GET", "/v4/data/resources/health");
  expect(health.json).toMatchObject({ detail: `Writes fail: database (${conduct})` });
  expect((await fetch(`${platform.url}/ready`)).status).toBe(200);
  expect((await fetch(`${platform.url}/live`)).status).toBe(200);
  expect(await session.count({ marker: "made" })).toBe(acknowledged);
}

describeNeeding("a platform whose disk fails", missingFaults, () => {
  test("is 503 with the part and the next step, and reads what it acknowledged", async () => {
    const { dataDir, session } = await used();
    const fault = { name: "log", calls: "pwrite64", file: "svc.db-wal", when: "60+" };
    const path = join(await temporaryDirectory("traced"), "svc");
    const executable = await tracedProgram(path, await svcExecutable(), fault, dataDir);
    const home = await temporaryDirectory("home");
    const platform = await startPlatformProcess({ executable, dataDir, home, args: [oneThread] });
    try {
      await expectFailingWrites(platform, session);
    } finally {
      // The tracer ignores all other signals.
      process.kill(platform.pid, "SIGKILL");
      await platform.exited;
    }
  });
});

describe("a platform whose files may not grow", () => {
  test("is 503 with the part and the next step, and reads what it acknowledged", async () => {
    const { dataDir, session } = await used();
    const files = (await readdir(dataDir)).filter((name) => name.startsWith("svc.db"));
    const sizes = await Promise.all(files.map(async (name) => stat(join(dataDir, name))));
    const kib = Math.ceil(Math.max(...sizes.map(({ size }) => size)) / 1024);
    const preparation = `trap '' XFSZ; ulimit -f ${kib * 2}`;
    const platform = await startPlatform({ dataDir, args: [oneThread], preparation });
    await expectFailingWrites(platform, session);
    await platform.kill();
  });
});
