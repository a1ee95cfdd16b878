import { readFile, writeFile } from "node:fs/promises";
import { withFileLock } from "#lib/files/lock.ts";

/** A process that takes a lock: to count up ten times, or to hold it until it is killed. */
const [lock = "", counter = "", mode = ""] = process.argv.slice(2);

if (mode === "hold") {
  await withFileLock(lock, async () => {
    console.log("held");
    await Bun.sleep(60_000);
  });
} else {
  for (let turn = 0; turn < 10; turn += 1) {
    await withFileLock(lock, async () => {
      const value = Number(await readFile(counter, "utf8"));
      await Bun.sleep(1);
      await writeFile(counter, String(value + 1));
    });
  }
}
