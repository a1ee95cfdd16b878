import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { releasedExecutable } from "#local/release/archive.ts";
import { downloadWarning } from "../../../scripts/release/make.ts";
import { fakeRelease } from "#test/support/fake-release.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { debianPackage, tar, tarGzip, textFile, zip } from "../../../scripts/release/archives.ts";

const files = [
  textFile("svc-1.2.3-linux-x64/package.json", "{}"),
  {
    path: "svc-1.2.3-linux-x64/bin/svc",
    content: new Uint8Array(1000).fill(7),
    mode: 0o755 as const,
  },
];

function run(folder: string, ...command: readonly string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...command], { cwd: folder });
  expect(`${exitCode} ${stderr.toString()}`).toBe("0 ");
  return stdout.toString();
}

describe("archives", () => {
  test("have the same bytes in any order of files, time zone and time", async () => {
    const program =
      `import { tar, tarZstd, tarGzip, zip } from ${JSON.stringify(join(import.meta.dirname, "../../../scripts/release/archives.ts"))};` +
      `const text = (path) => ({ path, content: new TextEncoder().encode(path), mode: 0o644 });` +
      `const files = process.argv[1] === "1" ? [text("a/b"), text("a/c")] : [text("a/c"), text("a/b")];` +
      `const all = [tar(files), await tarGzip(files, 6), await tarZstd(files, 6), zip(files.toSorted((x, y) => x.path < y.path ? -1 : 1))];` +
      `console.log(all.map((bytes) => Bun.SHA256.hash(bytes, "hex")).join());`;
    const outputs = [
      ["1", "UTC"],
      ["2", "Asia/Tokyo"],
    ].map(([order = "", TZ]) =>
      Bun.spawnSync([process.execPath, "-e", program, order], {
        env: { PATH: process.env["PATH"], TZ },
      }).stdout.toString(),
    );
    expect(outputs[0]).toMatch(/^[0-9a-f]{64},/);
    expect(outputs[1]).toBe(outputs[0]);
  });

  test("are read by tar, with their rights", async () => {
    const folder = await temporaryDirectory("tar");
    await writeFile(join(folder, "a.tar"), tar(files));
    await writeFile(join(folder, "a.tar.gz"), await tarGzip(files, 9));
    for (const name of ["a.tar", "a.tar.gz"]) {
      const out = join(folder, `${name}.out`);
      await mkdir(out);
      run(out, "tar", "-xf", join(folder, name));
      const path = join(out, "svc-1.2.3-linux-x64/bin/svc");
      expect(new Uint8Array(await readFile(path))).toEqual(files[1]?.content);
      expect((await stat(path)).mode & 0o777).toBe(0o755);
    }
    expect(Object.keys(await unzipped(zip(files)))).toEqual(files.map(({ path }) => path));
  });

  test.skipIf(Bun.which("dpkg-deb") === null)("of Debian are read by dpkg", async () => {
    const folder = await fakeRelease({ version: "1.2.3", target: "linux-arm64" });
    const archive = join(folder, "svc_1.2.3_arm64.deb");
    const fields = run(folder, "dpkg-deb", "-f", archive, "Package", "Version", "Architecture");
    expect(fields).toBe("Package: svc\nVersion: 1.2.3\nArchitecture: arm64\n");
    run(folder, "dpkg-deb", "-x", archive, "data");
    run(folder, "dpkg-deb", "-e", archive, "data/DEBIAN");
    run(join(folder, "data"), "md5sum", "--check", "--quiet", "DEBIAN/md5sums");
    expect(run(folder, "data/usr/bin/svc", "--version")).toBe("1.2.3\n");
    const unit = await readFile(join(folder, "data/usr/lib/systemd/system/svc.service"), "utf8");
    expect(unit).toContain("ExecStart=/usr/bin/svc serve");
    expect(await readFile(join(folder, "data/usr/share/man/man1/svc-serve.1"), "utf8")).toContain(
      ".TH",
    );
    const completion = "data/usr/share/zsh/vendor-completions/_svc";
    expect(await readFile(join(folder, completion), "utf8")).toContain("#compdef svc");
  });

  test.skipIf(Bun.which("dpkg-deb") === null)(
    "of Debian refuse a processor that can't run svc before they unpack it",
    async () => {
      const folder = await fakeRelease({ version: "1.2.3", target: "linux-x64-baseline" });
      const archive = join(folder, "svc_1.2.3_amd64.deb");
      expect(run(folder, "dpkg-deb", "-f", archive, "Description")).toContain("SSE4.2 and POPCNT");
      run(folder, "dpkg-deb", "-e", archive, "control");
      const script = join(folder, "control/preinst");
      const text = await readFile(script, "utf8");
      expect(run(folder, script, "install")).toBe("");
      await writeFile(join(folder, "cpuinfo"), "flags : sse4_2\n");
      await writeFile(script, text.replaceAll("/proc/cpuinfo", "cpuinfo"));
      const { exitCode, stderr } = Bun.spawnSync([script, "install"], { cwd: folder });
      expect(exitCode).toBe(1);
      expect(stderr.toString()).toMatch(/^svc: the processor has no popcnt: svc needs SSE4\.2/);
    },
  );

  test("a part of odd length is followed by a byte", () => {
    const parts = debianPackage(new Uint8Array(3), new Uint8Array(5));
    expect(parts.byteLength).toBe(8 + 60 + 4 + 60 + 4 + 60 + 6);
  });
});

test("a download above 48 MiB is reported", () => {
  const limit = 48 * 1024 * 1024;
  expect(downloadWarning("svc-1.2.3-linux-x64.tar.zst", limit)).toBeUndefined();
  expect(downloadWarning("svc-1.2.3-linux-x64.tar.zst", limit + 1024 * 1024)).toBe(
    "svc-1.2.3-linux-x64.tar.zst has 49.0 MiB; a download should have at most 48 MiB",
  );
});

describe("the executable of an archive", () => {
  test("is found in each kind of archive", async () => {
    const folder = await fakeRelease({ version: "1.2.3" });
    for (const ending of ["tar.zst", "tar.gz"]) {
      const archive = await readFile(join(folder, `svc-1.2.3-linux-x64.${ending}`));
      const { executable, signature } = releasedExecutable(archive);
      expect(new TextDecoder().decode(executable)).toContain("echo 1.2.3");
      expect(signature).toContain("trusted comment: svc 1.2.3 linux-x64");
    }
  });

  test("is refused without a signature, cut short, or larger than the limit", async () => {
    const small = await tarGzip(files, 9);
    expect(() => releasedExecutable(small)).toThrow("no signed executable");
    expect(() => releasedExecutable(small.subarray(0, 100))).toThrow("damaged");
    expect(() => releasedExecutable(new Uint8Array(9))).toThrow("damaged");
    const bomb = Bun.zstdCompressSync(new Uint8Array(193 * 1024 * 1024));
    expect(() => releasedExecutable(bomb)).toThrow("too large");
    const wrongSize = tar(files);
    wrongSize.set(new TextEncoder().encode("77777777777"), 512 * 2 + 124);
    expect(() => releasedExecutable(Bun.gzipSync(Buffer.from(wrongSize)))).toThrow("damaged");
  });
});

async function unzipped(archive: Uint8Array): Promise<Record<string, Uint8Array>> {
  const { unzipSync } = await import("fflate");
  return unzipSync(archive);
}
