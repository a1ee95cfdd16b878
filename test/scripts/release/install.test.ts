import { readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fakeExecutable } from "#test/support/fake-executable.ts";
import { fakeRelease } from "#test/support/fake-release.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** Debian's essential programs that the script may use; no Zstandard, no OpenSSL, no minisign. */
const baseTools = (
  "sh uname grep cut sed cp rm mkdir mktemp chmod cat find sort ln mv dirname wc tr tar gzip " +
  "dpkg dpkg-deb dpkg-query sha256sum rmdir head tail base64 xargs"
).split(" ");

async function baseFolder(): Promise<string> {
  const folder = await temporaryDirectory("base");
  for (const name of baseTools) {
    const path = Bun.which(name);
    if (path !== null) await symlink(path, join(folder, name));
  }
  return folder;
}

function install(folder: string, prefix: string, words: readonly string[] = [], path?: string) {
  const command = ["/bin/sh", join(folder, "install.sh"), "--prefix", prefix];
  const target = words.includes("--remove") ? [] : ["--target", "linux-x64"];
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command, ...target, ...words], {
    env: { PATH: path ?? process.env["PATH"], HOME: "/nowhere" },
  });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

const answerOf = (path: string): string =>
  Bun.spawnSync([path, "--version"]).stdout.toString().trim();

describe("install.sh", () => {
  test("installs, keeps the executable before, and removes all that it wrote", async () => {
    const prefix = await temporaryDirectory("prefix");
    const first = await fakeRelease({ version: "1.2.3" });
    const second = await fakeRelease({ version: "1.3.0" });
    expect(install(first, prefix)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(answerOf(join(prefix, "bin/svc"))).toBe("1.2.3");
    expect(install(second, prefix)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(answerOf(join(prefix, "bin/svc"))).toBe("1.3.0");
    expect(answerOf(join(prefix, "bin/svc.previous"))).toBe("1.2.3");
    const share = await readdir(join(prefix, "share"), { recursive: true });
    for (const name of [
      "man/man1/svc.1",
      "bash-completion/completions/svc",
      "zsh/site-functions/_svc",
      "fish/vendor_completions.d/svc.fish",
    ]) {
      expect(share).toContain(name);
    }
    await writeFile(join(prefix, "share/man/man1/other.1"), "of another program");
    expect(install(second, prefix, ["--remove"])).toMatchObject({ exitCode: 0, stderr: "" });
    const left = await readdir(prefix, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual(["other.1"]);
    expect(install(second, prefix, ["--remove"])).toMatchObject({ exitCode: 1 });
  });

  test("takes a folder below the current one, and shows its whole path", async () => {
    const folder = await fakeRelease({ version: "1.2.3" });
    const cwd = await temporaryDirectory("here");
    const run = (...words: readonly string[]) => {
      const command = ["/bin/sh", join(folder, "install.sh"), "--target=linux-x64", ...words];
      const env = { PATH: process.env["PATH"], HOME: "/nowhere" };
      const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, env });
      return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
    };
    const { exitCode, stdout } = run("--prefix=own/place");
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`export PATH="${cwd}/own/place/bin:$PATH"`);
    expect(answerOf(join(cwd, "own/place/bin/svc"))).toBe("1.2.3");
    expect(run("--remove", "--prefix", "own/place")).toMatchObject({ exitCode: 0, stderr: "" });
    for (const words of [["--prefix="], ["--prefix", ""]]) {
      expect(run(...words)).toMatchObject({ exitCode: 1, stderr: "svc: --prefix is empty\n" });
    }
  });

  test.skipIf(Bun.which("dpkg-deb") === null)(
    "unpacks the small archive with the tools that each Debian has",
    async () => {
      const folder = await fakeRelease({ version: "1.2.3" });
      await rm(join(folder, "svc-1.2.3-linux-x64.tar.gz"));
      const prefix = await temporaryDirectory("prefix");
      const installed = install(folder, prefix, [], await baseFolder());
      expect(installed).toMatchObject({ exitCode: 0, stderr: "" });
      expect(installed.stdout).toContain("checked against the digests in this file only");
      expect(answerOf(join(prefix, "bin/svc"))).toBe("1.2.3");
    },
  );

  test("unpacks the small archive with a tar that reads Zstandard itself", async () => {
    const folder = await fakeRelease({ version: "1.2.3" });
    await rm(join(folder, "svc-1.2.3-linux-x64.tar.gz"));
    const path = await baseFolder();
    for (const name of ["dpkg", "dpkg-deb", "dpkg-query", "tar"]) {
      await rm(join(path, name), { force: true });
    }
    // The tar of macOS and Windows is like this: it names its library and needs no other program.
    const [tar, zstd] = [Bun.which("tar") ?? "", Bun.which("zstd") ?? ""];
    const script = [
      "#!/bin/sh",
      'case $1 in --version) echo "bsdtar 3.7.7 - libarchive 3.7.7 libzstd/1.5.5"; exit 0 ;; esac',
      `exec ${tar} --use-compress-program=${zstd} "$@"`,
      "",
    ].join("\n");
    await writeFile(join(path, "tar"), script, { mode: 0o755 });
    const prefix = await temporaryDirectory("prefix");
    expect(install(folder, prefix, [], path)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(answerOf(join(prefix, "bin/svc"))).toBe("1.2.3");
  });

  test("takes the other archive where there is neither zstd nor dpkg", async () => {
    const folder = await fakeRelease({ version: "1.2.3" });
    const path = await baseFolder();
    for (const name of ["dpkg", "dpkg-deb", "dpkg-query"])
      await rm(join(path, name), { force: true });
    const prefix = await temporaryDirectory("prefix");
    expect(install(folder, prefix, [], path)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(answerOf(join(prefix, "bin/svc"))).toBe("1.2.3");
  });

  test("installs nothing that has a flipped bit or does not run", async () => {
    const folder = await fakeRelease({ version: "1.2.3" });
    const prefix = await temporaryDirectory("prefix");
    const names = ["svc-1.2.3-linux-x64.tar.zst", "SHA256SUMS", "SHA256SUMS.minisig"];
    const random = seededRandom(7);
    let refused = 0;
    for (const name of names) {
      const path = join(folder, name);
      const whole = await readFile(path);
      // The first line of a signature is a comment that nothing signs.
      const from = name.endsWith(".minisig") ? whole.indexOf("\n") + 1 : 0;
      for (let count = 0; count < 12; count += 1) {
        const bytes = Buffer.from(whole);
        const bit = from * 8 + Math.floor(random() * (bytes.byteLength - 1 - from) * 8);
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        await writeFile(path, bytes);
        const { exitCode, stdout } = install(folder, prefix);
        const isChecked = name.endsWith(".zst") || !stdout.includes("in this file only");
        if (isChecked) expect(exitCode, `bit ${bit} of ${name}`).toBe(1);
        refused += exitCode === 0 ? 0 : 1;
      }
      await writeFile(path, whole);
    }
    expect(refused).toBeGreaterThanOrEqual(12);
    expect(await readdir(prefix)).toEqual([]);

    const silent = await fakeRelease({ version: "1.2.3", script: "#!/bin/sh\nexit 3\n" });
    expect(install(silent, prefix)).toMatchObject({
      exitCode: 1,
      stderr: "svc: svc 1.2.3 for linux-x64 does not run on this machine\n",
    });
    const other = await fakeRelease({ version: "1.2.3", script: fakeExecutable("1.0.0") });
    expect(install(other, prefix)).toMatchObject({
      exitCode: 1,
      stderr: "svc: the executable says that it is version 1.0.0\n",
    });
    expect(await readdir(join(prefix, "bin"))).toEqual([]);
  });

  test("installs nothing on a processor that can't run it, and says what svc needs", async () => {
    const folder = await fakeRelease({ version: "1.2.3" });
    const [old, recent] = ["sse4_1", "sse4_1 sse4_2 popcnt"].map((flags) => `flags : ${flags}\n`);
    const script = join(folder, "install.sh");
    const text = await readFile(script, "utf8");
    const cpuinfo = join(folder, "cpuinfo");
    await writeFile(script, text.replaceAll("/proc/cpuinfo", cpuinfo));
    const prefix = await temporaryDirectory("prefix");
    await writeFile(cpuinfo, old ?? "");
    const refused = install(folder, prefix);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(
      /^svc: the processor has no sse4_2: svc needs SSE4\.2 and POPCNT/,
    );
    expect(await readdir(prefix)).toEqual([]);
    await writeFile(cpuinfo, recent ?? "");
    expect(install(folder, prefix)).toMatchObject({ exitCode: 0, stderr: "" });
    const list = Bun.spawnSync([
      "tar",
      "-xzOf",
      join(folder, "svc-1.2.3-linux-x64.tar.gz"),
      "svc-1.2.3-linux-x64/REQUIREMENTS.txt",
    ]);
    expect(list.stdout.toString()).toContain("needs SSE4.2 and POPCNT");
  });

  test("refuses unknown options and machines", async () => {
    const folder = await fakeRelease({ version: "1.2.3" });
    const prefix = await temporaryDirectory("prefix");
    expect(install(folder, prefix, ["--fast"])).toMatchObject({ exitCode: 1 });
    expect(install(folder, prefix, ["--target", "macos-x64"])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("no archive of svc 1.2.3 for macos-x64"),
    });
    expect(await readdir(prefix)).toEqual([]);
  });
});

describe("install.ps1", () => {
  test("has the digest of its archive, and no other archive's name", async () => {
    const folder = await fakeRelease({ version: "1.2.3", target: "windows-x64" });
    const text = await readFile(join(folder, "install.ps1"), "utf8");
    const zip = await readFile(join(folder, "svc-1.2.3-windows-x64.zip"));
    expect(text).toContain(`${Bun.SHA256.hash(zip, "hex")}  svc-1.2.3-windows-x64.zip`);
    // The smaller one first, where this Windows reads it.
    const small = await readFile(join(folder, "svc-1.2.3-windows-x64.tar.zst"));
    expect(text).toContain(`${Bun.SHA256.hash(small, "hex")}  svc-1.2.3-windows-x64.tar.zst`);
    expect(text.indexOf('.tar.zst"')).toBeLessThan(text.indexOf('.zip"'));
    expect(text).not.toMatch(/@[A-Z_]+@/);
    expect(text).toContain("$version = '1.2.3'");
  });
});

/** The same numbers in each run (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
