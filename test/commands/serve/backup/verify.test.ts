import { join } from "node:path";
import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "../../world.ts";
import { copyKey, makeNote, makeNotes, running, start } from "../data-directories.ts";

describe("backups of a place by hand", () => {
  test("are taken, listed, checked and restored with the commands of the help", async () => {
    const the = await start();
    await makeNotes(the);
    await makeNote(the, 1);
    const folder = await temporaryDirectory("place");
    const place = join(folder, "backups");
    const key = ["--backup-key-file", join(folder, "backup.key")];
    const data = ["--data-dir", the.dataDirectory];
    const run = async (...words: readonly string[]) => {
      const ran = await runCommand(["serve", ...words, "--format", "json"]);
      return { ...ran, json: ran.exitCode > 1 ? undefined : JSON.parse(ran.stdout) };
    };
    const none = await run("backup", "verify", "--from", place, ...key, ...data);
    expect(none.exitCode).not.toBe(0);
    const { json: taken } = await run("backup", "take", "--to", place, ...key, ...data);
    expect(taken).toMatchObject({ engine: "sqlite", files: { lost: 0 } });
    const listed = await runCommand([
      "serve",
      "backup",
      "list",
      "--from",
      place,
      "--format",
      "json",
    ]);
    expect(listed.stdout).toContain(`"name":"${taken.name}"`);
    const { json: checked } = await run("backup", "verify", "--from", place, ...key, ...data);
    expect(checked).toMatchObject({ name: taken.name, ok: true, faults: [] });
    const target = join(folder, "restored");
    const restore = ["restore", "--from", place, "--data-dir", target];
    const { json: restored } = await run(...restore, ...key);
    expect(restored).toMatchObject({ name: taken.name, erasures: 0, dropped: { deliveries: 0 } });
    await copyKey(the, target);
    expect(await readdir(target)).toContain("svc.db");
    const again = await run(...restore, ...key);
    expect(again).toMatchObject({ exitCode: 1 });
    expect(running).toContain(the);
  });

  test.each([
    ["a time that is none", ["serve", "--backup-every", "often"], "Expected a time such as 30m"],
    ["no key", ["serve", "--backup-to", "b"], "--backup-key-file"],
    [
      "a key inside the place",
      ["serve", "--backup-to", "b", "--backup-key-file", "b/key"],
      "--backup-key-file is inside",
    ],
    ["a restore of nothing", ["serve", "restore"], "--input or --from"],
  ])("%s is refused", async (_what, words, message) => {
    const directory = await temporaryDirectory("refused");
    const { exitCode, stderr } = await runCommand(words, { currentDirectory: directory });
    expect(exitCode).toBeGreaterThan(0);
    expect(stderr).toContain(message);
  });
});
