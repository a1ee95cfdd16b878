import { readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { replaceExecutable } from "#local/release/swap.ts";
import { cleanEnvironment } from "#test/support/environment.ts";
import { fakeExecutableBytes } from "#test/support/fake-executable.ts";
import { sized } from "#test/support/size.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const updater = join(import.meta.dirname, "../support/updating-process.ts");
const lanes = 4;
const killsOfLane = sized(20, 50);
const longestPauseMs = 300;

/** Kills updates of one executable; returns the versions that were in place after each kill. */
async function killedUpdates(lane: number): Promise<{ answers: string[]; folder: string }> {
  const folder = await temporaryDirectory("killed");
  const executable = join(folder, "svc");
  await writeFile(executable, fakeExecutableBytes("1.0.0"), { mode: 0o755 });
  const answers: string[] = [];
  for (let kill = 0; kill < killsOfLane; kill += 1) {
    const child = Bun.spawn([process.execPath, updater, executable, "2.0.0", "1.0.0"], {
      env: cleanEnvironment(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    await child.stdout.getReader().read();
    // Most pauses are within the steps of one update, the long ones for a busy machine.
    await Bun.sleep(((kill * lanes + lane) / (killsOfLane * lanes)) ** 3 * longestPauseMs);
    child.kill("SIGKILL");
    await child.exited;
    const { stdout } = Bun.spawnSync([executable, "--version"]);
    answers.push(stdout.toString().trim());
  }
  return { answers, folder };
}

describe("an update that is killed", () => {
  test("at any moment leaves a working executable each time", async () => {
    const killed = await Promise.all(
      Array.from({ length: lanes }, (_, lane) => killedUpdates(lane)),
    );
    const answers = killed.flatMap((lane) => lane.answers);
    expect(answers).toHaveLength(lanes * killsOfLane);
    expect(answers.filter((answer) => answer !== "1.0.0" && answer !== "2.0.0")).toEqual([]);
    // The kills came before and after the swap.
    expect(new Set(answers).size).toBe(2);
  }, 180_000);

  test("leaves files that a later update removes", async () => {
    const folder = await temporaryDirectory("stale");
    const executable = join(folder, "svc");
    await writeFile(executable, fakeExecutableBytes("1.0.0"), { mode: 0o755 });
    const left = `.svc-update-${crypto.randomUUID()}`;
    const recent = `.svc-update-${crypto.randomUUID()}`;
    for (const name of [left, recent]) await writeFile(join(folder, name), "half of it");
    const longAgo = new Date(Date.now() - 7_200_000);
    await utimes(join(folder, left), longAgo, longAgo);
    await replaceExecutable(executable, fakeExecutableBytes("2.0.0"), "2.0.0");
    expect((await readdir(folder)).toSorted()).toEqual([recent, "svc", "svc.previous"].toSorted());
    expect((await stat(executable)).mode & 0o777).toBe(0o755);
  });
});
