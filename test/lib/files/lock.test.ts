import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { FileLockError, withFileLock } from "#lib/files/lock.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const holder = new URL("./lock-holder.ts", import.meta.url).pathname;

function startHolder(lock: string, counter: string, mode: "count" | "hold") {
  return Bun.spawn([process.execPath, holder, lock, counter, mode], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
}

describe("a file lock", () => {
  it("lets one caller in at a time, also within one process", async () => {
    const path = join(await temporaryDirectory(), "lock");
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 10 }, () =>
        withFileLock(path, async () => {
          inside += 1;
          most = Math.max(most, inside);
          await Bun.sleep(2);
          inside -= 1;
        }),
      ),
    );
    expect(most).toBe(1);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("lets one process in at a time: no increment is lost", async () => {
    const folder = await temporaryDirectory();
    const counter = join(folder, "counter");
    await writeFile(counter, "0");
    const processes = Array.from({ length: 6 }, () =>
      startHolder(join(folder, "lock"), counter, "count"),
    );
    expect(await Promise.all(processes.map((one) => one.exited))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await readFile(counter, "utf8")).toBe("60");
  });

  it("is free as soon as its holder is killed", async () => {
    const folder = await temporaryDirectory();
    const path = join(folder, "lock");
    const child = startHolder(path, join(folder, "counter"), "hold");
    const reader = child.stdout.getReader();
    await reader.read();
    await expect(withFileLock(path, async () => "in", { timeoutMs: 50 })).rejects.toBeInstanceOf(
      FileLockError,
    );
    child.kill("SIGKILL");
    await child.exited;
    expect(await withFileLock(path, async () => "in", { timeoutMs: 5000 })).toBe("in");
  });

  it("on a file that is none is an error, and says so", async () => {
    const path = join(await temporaryDirectory(), "lock");
    await writeFile(path, "something else, and long enough to be looked at".repeat(50));
    await expect(withFileLock(path, async () => "in")).rejects.toMatchObject({ reason: "damaged" });
    const other = join(dirname(path), "other.lock");
    await mkdir(`${other}-journal`);
    await expect(withFileLock(other, async () => "in")).rejects.toMatchObject({ code: "EACCES" });
  });

  it("is given back when the work fails, and a waiting caller can give up", async () => {
    const path = join(await temporaryDirectory(), "lock");
    await expect(withFileLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    const first = withFileLock(path, () => Bun.sleep(200));
    const reason = new Error("enough");
    await Bun.sleep(10);
    await expect(
      withFileLock(path, async () => "in", { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
    await first;
    expect(await withFileLock(path, async () => "in")).toBe("in");
  });
});
