import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  AtomicFile,
  removeAbandoned,
  saveAtomically,
  writeFileAtomically,
} from "#lib/files/atomic-write.ts";
import { describeNeeding } from "../../support/needs.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { missingTmpfs, mountTmpfs } from "../../support/tmpfs.ts";

const atomicWrite = join(import.meta.dirname, "../../../src/lib/files/atomic-write.ts");

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => "done",
    (error: unknown) => Reflect.get(Object(error), "code") ?? String(error),
  );
}

describe("an atomic write", () => {
  it("makes a private file and replaces it whole", async () => {
    const folder = await temporaryDirectory();
    const path = join(folder, "tokens.json");
    await writeFileAtomically(path, "first");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await writeFileAtomically(path, "second", { mode: 0o644 });
    expect(await readFile(path, "utf8")).toBe("second");
    expect(await readdir(folder)).toEqual(["tokens.json"]);
  });

  it("replaces a symbolic link and leaves its target alone", async () => {
    const folder = await temporaryDirectory();
    const victim = join(folder, "victim");
    await writeFile(victim, "precious");
    await symlink(victim, join(folder, "link"));
    await writeFileAtomically(join(folder, "link"), "new");
    expect(await readFile(victim, "utf8")).toBe("precious");
    expect((await lstat(join(folder, "link"))).isSymbolicLink()).toBe(false);
  });

  it("keeps a link that the caller wants to keep, also one whose file does not exist yet", async () => {
    const [folder, other] = [await temporaryDirectory(), await temporaryDirectory()];
    await writeFile(join(other, "there.json"), "old");
    for (const name of ["there.json", "new.json"]) {
      const link = join(folder, name);
      await symlink(join("..", basename(other), name), link);
      await writeFileAtomically(link, "changed", { keepsLink: true });
      expect(await readlink(link)).toBe(join("..", basename(other), name));
      expect(await readFile(join(other, name), "utf8")).toBe("changed");
    }
    expect((await readdir(folder)).toSorted()).toEqual(["new.json", "there.json"]);
  });

  it("onto a folder, or into none, fails and leaves nothing", async () => {
    const folder = await temporaryDirectory();
    await mkdir(join(folder, "taken"));
    expect(await codeOf(writeFileAtomically(join(folder, "taken"), "x"))).toBe("EISDIR");
    expect(await codeOf(writeFileAtomically(join(folder, "none", "x"), "x"))).toBe("ENOENT");
    expect(await readdir(folder)).toEqual(["taken"]);
  });

  it("never replaces a pipe or a device", async () => {
    const folder = await temporaryDirectory();
    const pipe = join(folder, "pipe");
    await Bun.spawn(["mkfifo", pipe]).exited;
    await symlink(pipe, join(folder, "link"));
    for (const name of ["pipe", "link"]) {
      expect(await codeOf(writeFileAtomically(join(folder, name), "x", { keepsLink: true }))).toBe(
        "EFTYPE",
      );
    }
    expect((await lstat(pipe)).isFIFO()).toBe(true);
    expect((await readdir(folder)).toSorted()).toEqual(["link", "pipe"]);
  });

  it("of a file that others may not read leaves it so", async () => {
    const folder = await temporaryDirectory();
    const path = join(folder, "members.csv");
    await writeFile(path, "old", { mode: 0o600 });
    await writeFileAtomically(path, "new", { mode: 0o666 });
    expect([(await stat(path)).mode & 0o777, await readFile(path, "utf8")]).toEqual([0o600, "new"]);
    // A private file stays private, whatever its old bits are.
    await chmod(path, 0o644);
    await writeFileAtomically(path, "secret");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("of a stream that fails keeps the old file", async () => {
    const folder = await temporaryDirectory();
    const path = join(folder, "plan.pdf");
    await writeFile(path, "old");
    async function* broken() {
      yield new Uint8Array(1000);
      throw new Error("cut");
    }
    expect(await codeOf(saveAtomically(path, broken()))).toBe("Error: cut");
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await readdir(folder)).toEqual(["plan.pdf"]);
  });

  it("of a stream gives its size, and the name appears only at the end", async () => {
    const folder = await temporaryDirectory();
    const path = join(folder, "plan.pdf");
    async function* chunks() {
      yield new Uint8Array(70_000).fill(1);
      expect(await codeOf(stat(path))).toBe("ENOENT");
      yield new Uint8Array(5).fill(2);
    }
    expect(await saveAtomically(path, chunks())).toBe(70_005);
    expect((await readFile(path)).subarray(-6)).toEqual(Buffer.from([1, 2, 2, 2, 2, 2]));
  });

  it("can be discarded, once or twice, and then leaves nothing", async () => {
    const folder = await temporaryDirectory();
    const file = await AtomicFile.create(join(folder, "x"));
    await file.write(new Uint8Array(10));
    await file.discard();
    await file.discard();
    expect(await readdir(folder)).toEqual([]);
  });

  it("removes what a killed process left in the folder an hour ago, also through a link", async () => {
    const folder = await temporaryDirectory();
    const link = join(await temporaryDirectory(), "link");
    await symlink(folder, link);
    const partial = (label = ""): string => join(folder, `.svc-${label}${crypto.randomUUID()}.tmp`);
    const [old, fresh, tokens] = [partial(), partial(), partial("tokens-")];
    for (const path of [old, fresh, tokens]) await writeFile(path, "half of a plan");
    const before = new Date(Date.now() - 61 * 60_000);
    for (const path of [old, tokens]) await utimes(path, before, before);
    await writeFileAtomically(join(link, "plan.pdf"), "whole");
    const names = [fresh, tokens].map((path) => basename(path));
    expect((await readdir(folder)).toSorted()).toEqual([...names, "plan.pdf"].toSorted());
  });

  it("removes at once what a killed writer left, and nothing of a running one", async () => {
    const folder = await temporaryDirectory();
    const path = join(folder, "plan.pdf");
    const running = await AtomicFile.create(path);
    const program = `
      import { AtomicFile } from ${JSON.stringify(atomicWrite)};
      const file = await AtomicFile.create(${JSON.stringify(path)});
      await file.write(new Uint8Array(10));
      console.log("open");
      await new Promise((resolve) => setTimeout(resolve, 60_000));`;
    const writer = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" });
    await writer.stdout.getReader().read();
    expect(await readdir(folder)).toHaveLength(2);
    writer.kill("SIGKILL");
    await writer.exited;
    await removeAbandoned(folder);
    expect(await readdir(folder)).toHaveLength(1);
    await running.commit();
    expect(await readdir(folder)).toEqual(["plan.pdf"]);
  });

  it("never writes through a link that waits under a temporary name", async () => {
    const folder = await temporaryDirectory();
    await symlink("/dev/null", join(folder, "link"));
    await writeFileAtomically(join(folder, "file"), "x");
    expect(await readlink(join(folder, "link"))).toBe("/dev/null");
    expect((await readdir(folder)).toSorted()).toEqual(["file", "link"]);
  });
});

describeNeeding("an atomic write on a full disk", missingTmpfs, () => {
  it("fails, keeps the old file and removes the new one", async () => {
    const folder = await temporaryDirectory();
    await using _disk = await mountTmpfs(folder, 256 * 1024);
    const path = join(folder, "tokens.json");
    await writeFileAtomically(path, "the old tokens");
    for (const size of [259_000, 262_144, 300_000, 5_000_000]) {
      expect(await codeOf(writeFileAtomically(path, "x".repeat(size)))).toBe("ENOSPC");
      expect(await readFile(path, "utf8")).toBe("the old tokens");
      expect(await readdir(folder)).toEqual(["tokens.json"]);
    }
    await writeFileAtomically(path, "the new tokens");
    expect(await readFile(path, "utf8")).toBe("the new tokens");
  });
});
