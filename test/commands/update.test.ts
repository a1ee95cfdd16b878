import { Database } from "bun:sqlite";
import {
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { version } from "#lib/version.ts";
import { ownNeeds } from "#local/release/needs.ts";
import { fakeExecutable } from "#test/support/fake-executable.ts";
import { fakeRelease } from "#test/support/fake-release.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { sized } from "#test/support/size.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { missingTmpfs, mountTmpfs } from "#test/support/tmpfs.ts";
import { developmentKey } from "../../scripts/release/minisign.ts";
import { commandWorld, runCommand, type CallSettings } from "./world.ts";

const the = commandWorld();
const newer = "99.0.0";
const answerOf = (path: string) => Bun.spawnSync([path, "--version"]).stdout.toString().trim();

type UpdateSettings = CallSettings & { readonly format?: "json" | "text" };

/** An installed executable of this version, and calls of `svc` that come from it. */
async function installation() {
  const folder = await temporaryDirectory("bin");
  const config = await temporaryDirectory("config");
  const executable = join(folder, "svc");
  await writeFile(executable, fakeExecutable(version), { mode: 0o755 });
  const release = { executable, key: developmentKey().publicKey, target: "linux-x64" };
  const update = (words: string, { format = "json", ...settings }: UpdateSettings = {}) =>
    runCommand(`update ${words} --format ${format}`.split(/ +/), {
      config,
      release,
      currentDirectory: folder,
      ...settings,
    });
  const state = async () => ({
    version: answerOf(executable),
    files: (await readdir(folder)).toSorted(),
  });
  return { folder, executable, release, update, state };
}

const untouched = { version, files: ["svc"] };
const updated = { version: newer, files: ["svc", "svc.previous"] };

/** Serves the files of a folder at `https://releases.test/svc/`. */
function served(folder: string): NonNullable<CallSettings["fetch"]> {
  return async (request) => {
    const name = /^https:\/\/releases\.test\/svc\/([\w.+-]+)$/.exec(request.url)?.[1];
    const file = Bun.file(join(folder, name ?? "none"));
    expect(request.headers.get("authorization")).toBeNull();
    return (await file.exists()) ? new Response(file) : new Response("", { status: 404 });
  };
}

/** A package registry with the archive of a release as the package `svc-linux-x64`. */
function registry(folder: string, changes: { integrity?: string; tarball?: string } = {}) {
  const asked: string[] = [];
  const fetch: NonNullable<CallSettings["fetch"]> = async (request) => {
    asked.push(request.url);
    const archive = await readFile(join(folder, `svc-${newer}-linux-x64.tar.gz`));
    const answers = new Map([
      ["https://registry.test/@svc-platform%2fsvc/latest", { version: newer }],
      [
        `https://registry.test/@svc-platform%2fsvc-linux-x64/${newer}`,
        {
          dist: {
            tarball:
              changes.tarball ?? "https://registry.test/@svc-platform/svc-linux-x64/-/archive.tgz",
            integrity: changes.integrity ?? `sha512-${Bun.SHA512.hash(archive, "base64")}`,
          },
        },
      ],
    ]);
    const answer = answers.get(request.url);
    if (answer !== undefined) return Response.json(answer);
    return request.url.endsWith("/archive.tgz")
      ? new Response(archive)
      : new Response("", { status: 404 });
  };
  const settings = { fetch, variables: { SVC_REGISTRY_URL: "https://registry.test" } };
  return { asked, settings };
}

describe("update reads a folder", () => {
  test.each(["SHA256SUMS", "SHA256SUMS.minisig", `svc-${newer}-linux-x64.tar.zst`])(
    "whose %s is a link, a pipe or a device only as a failure",
    async (name) => {
      const { update, state } = await installation();
      const from = await fakeRelease({ version: newer });
      const path = join(from, name);
      const kept = `${path}.kept`;
      await rename(path, kept);
      const places: readonly (() => unknown)[] = [
        () => symlink("/dev/zero", path),
        () => symlink(kept, path),
        () => Bun.spawnSync(["mkfifo", path]),
      ];
      for (const make of places) {
        await make();
        expect(await update(`--from ${from}`)).toMatchObject({
          exitCode: 1,
          json: { error: { code: "E305" } },
        });
        await rm(path);
      }
      expect(await state()).toEqual(untouched);
    },
  );
});

describe("update installs", () => {
  test("from a folder, and --rollback swaps both executables", async () => {
    const { folder, update, state } = await installation();
    const from = await fakeRelease({ version: newer });
    const check = await update(`--check --from ${from}`);
    expect(check).toMatchObject({
      exitCode: 1,
      json: { ok: false, update: { from, current: version, latest: newer, isNewer: true } },
    });
    expect(await state()).toEqual(untouched);
    const done = await update(`--from ${from}`);
    expect(done).toMatchObject({
      exitCode: 0,
      json: {
        ok: true,
        installed: { version: newer, previous: join(folder, "svc.previous") },
      },
    });
    expect(await state()).toEqual(updated);
    expect((await stat(join(folder, "svc"))).mode & 0o777).toBe(0o755);
    expect(answerOf(join(folder, "svc.previous"))).toBe(version);
    expect(await update("--rollback")).toMatchObject({
      exitCode: 0,
      json: { ok: true, installed: { version } },
    });
    expect(await state()).toEqual({ ...updated, version });
    expect(answerOf(join(folder, "svc.previous"))).toBe(newer);
    expect(await update("--rollback")).toMatchObject({ exitCode: 0 });
    expect(await state()).toEqual(updated);
  });

  test("from an address", async () => {
    const { update, state } = await installation();
    const fetch = served(await fakeRelease({ version: newer }));
    expect(await update("--from https://releases.test/svc/", { fetch })).toMatchObject({
      exitCode: 0,
      json: { ok: true, installed: { version: newer } },
    });
    expect(await state()).toEqual(updated);
  });

  test("from the registry, and from SVC_RELEASES_URL when that does not answer", async () => {
    const first = await installation();
    const folder = await fakeRelease({ version: newer });
    const { asked, settings } = registry(folder);
    expect(await first.update("", settings)).toMatchObject({
      exitCode: 0,
      json: { update: { from: "https://registry.test" }, installed: { version: newer } },
    });
    expect(await first.state()).toEqual(updated);
    expect(asked.at(-1)).toBe("https://registry.test/@svc-platform/svc-linux-x64/-/archive.tgz");

    const second = await installation();
    const fallback = {
      fetch: served(folder),
      variables: {
        SVC_REGISTRY_URL: "https://registry.test",
        SVC_RELEASES_URL: "https://releases.test/svc",
      },
    };
    expect(await second.update("", fallback)).toMatchObject({
      exitCode: 0,
      json: { update: { from: "https://releases.test/svc" } },
    });
    expect(await second.state()).toEqual(updated);
  });

  test("and lets the new executable renew the project", async () => {
    const { folder, executable, update } = await installation();
    expect((await runCommand("init trees", { currentDirectory: folder })).exitCode).toBe(0);
    const project = { root: "/p", files: [{ path: "a", action: "written" }], matches: true };
    const script =
      `${fakeExecutable(newer)}[ "$1" = update ] && echo '${JSON.stringify({ project })}'` +
      ` && echo "$SVC_REGISTRY_URL$SVC_RELEASES_URL$*" > ${folder}/asked\nexit 0\n`;
    const from = await fakeRelease({ version: newer, script });
    const done = await update(`--from ${from}`, {
      currentDirectory: join(folder, "trees"),
      variables: { SVC_RELEASES_URL: "https://releases.test", PATH: process.env["PATH"] },
    });
    expect(done).toMatchObject({ exitCode: 0, json: { installed: { executable }, project } });
    expect(await readFile(join(folder, "asked"), "utf8")).toBe("update --format json\n");
  });
});

describe("update installs nothing", () => {
  test("that is older or the same", async () => {
    const { update, state } = await installation();
    for (const latest of [version, "0.0.1"]) {
      const from = await fakeRelease({ version: latest });
      expect(await update(`--from ${from}`)).toMatchObject({
        exitCode: 0,
        json: { ok: true, update: { latest, isNewer: false } },
      });
      expect(await update(`--from ${from}`, { format: "text" })).toMatchObject({
        stdout:
          latest === version
            ? `svc ${version}, the latest version\n`
            : `svc ${version}: newer than ${latest} in ${from}\n`,
      });
    }
    expect(await state()).toEqual(untouched);
  });

  test("that needs more than the machine has, and names the next step", async () => {
    const { update, state } = await installation();
    const home = await temporaryDirectory("home");
    await mkdir(join(home, ".svc", "platform"), { recursive: true });
    using database = new Database(join(home, ".svc", "platform", "svc.db"));
    database.run("create table svc_migrations (name text)");
    database.run("insert into svc_migrations values ('0016-feed')");
    for (const [changes, words] of [
      [{ from: "50.0.0" }, `newer, and this is ${version}`],
      [{ kernels: { [process.platform]: "900.0" } }, "needs the kernel 900.0"],
      [{ schema: "0029-backups" }, "svc serve migrate --data-dir"],
    ] as const) {
      const from = await fakeRelease({ version: newer, needs: { ...ownNeeds, ...changes } });
      const refused = await update(`--from ${from}`, { home });
      expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E205" } } });
      expect(JSON.stringify(refused.json)).toContain(words);
      expect(await state()).toEqual(untouched);
    }
  });

  test("of another key, another machine or another release", async () => {
    const { update, state } = await installation();
    const refused = async (from: string, words: string) => {
      const { exitCode, json } = await update(`--from ${from}`);
      expect({ exitCode, json }).toMatchObject({ exitCode: 1, json: { error: { code: "E302" } } });
      expect(JSON.stringify(json)).toContain(words);
      expect(await state()).toEqual(untouched);
    };
    await refused(await fakeRelease({ version: newer, key: foreignKey() }), "another key");
    await refused(
      await fakeRelease({ version: newer, target: "linux-arm64" }),
      `no svc-${newer}-linux-x64.tar.zst`,
    );
    const mixed = await fakeRelease({ version: newer });
    const other = await fakeRelease({ version: "98.0.0" });
    const name = `svc-${newer}-linux-x64.tar.zst`;
    await rm(join(mixed, name));
    await link(join(other, "svc-98.0.0-linux-x64.tar.zst"), join(mixed, name));
    await refused(mixed, "differs from its signed digest");
  });

  test("whose executable does not run, or is another version", async () => {
    const { update, state } = await installation();
    for (const [script, words] of [
      ["#!/bin/sh\nexit 3\n", "exit code 3"],
      ["#!/nowhere/sh\n", "does not run"],
      [fakeExecutable("98.0.0"), `is not version ${newer}`],
    ] as const) {
      const from = await fakeRelease({ version: newer, script });
      const { exitCode, stdout } = await update(`--from ${from}`);
      expect(exitCode).toBe(1);
      expect(stdout).toContain(words);
      expect(await state()).toEqual(untouched);
    }
  });

  const flippedBits = sized(200, 1_000);
  test("with a flipped bit anywhere", async () => {
    const { update, state } = await installation();
    const from = await fakeRelease({ version: newer });
    const names = [`svc-${newer}-linux-x64.tar.zst`, "SHA256SUMS", "SHA256SUMS.minisig"];
    for (const [part, name] of names.entries()) {
      const path = join(from, name);
      const whole = await readFile(path);
      // The comment in the first line of a signature is not signed.
      const start = name.endsWith(".minisig") ? whole.indexOf("\n") + 1 : 0;
      const count = flippedBits * (part === 0 ? 0.6 : 0.2);
      for (let index = 0; index < count; index += 1) {
        const bytes = Buffer.from(whole);
        const at = start + Math.floor((index * (bytes.byteLength - 1 - start)) / count);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (index % 8));
        await writeFile(path, bytes);
        const { exitCode } = await update(`--no-project-refresh --from ${from}`);
        expect(exitCode, `byte ${at} of ${name}`).toBe(1);
      }
      await writeFile(path, whole);
    }
    expect(await state()).toEqual(untouched);
    expect(await update(`--from ${from}`)).toMatchObject({ exitCode: 0 });
  });

  test("that the registry has changed", async () => {
    const { update, state } = await installation();
    const folder = await fakeRelease({ version: newer });
    for (const changes of [
      { integrity: `sha512-${"A".repeat(86)}==` },
      { tarball: "https://elsewhere.test/archive.tgz" },
    ]) {
      const { exitCode } = await update("", registry(folder, changes).settings);
      expect(exitCode).toBe(1);
    }
    // The registry's digest is right, but the release key has not signed the executable.
    const strange = await fakeRelease({ version: newer, key: foreignKey() });
    const { stdout } = await update("", registry(strange).settings);
    expect(stdout).toContain("another key");
    expect(await state()).toEqual(untouched);
  });

  test("where it may not write, and names the next step", async () => {
    const { release, update, state } = await installation();
    const from = await fakeRelease({ version: newer });
    const executable = "/proc/self/exe";
    const refused = await update(`--from ${from}`, { release: { ...release, executable } });
    expect(refused).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E305", message: expect.stringContaining("could not be replaced") } },
    });
    const managed = "/somewhere/node_modules/@svc-platform/svc-linux-x64/bin/svc";
    const npm = await update(`--from ${from}`, { release: { ...release, executable: managed } });
    expect(npm).toMatchObject({ exitCode: 1, json: { error: { code: "E205" } } });
    expect(await state()).toEqual(untouched);
  });

  test("without a folder, a release, a previous executable or a key", async () => {
    const { folder, update } = await installation();
    expect(await update(`--from ${folder}/none`)).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E305", message: expect.stringContaining("SHA256SUMS") } },
    });
    expect(await update("--from http://releases.test")).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E305", message: expect.stringContaining("must be https") } },
    });
    expect(await update("--rollback")).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E202" } },
    });
    // Another program under the name of the kept executable.
    await writeFile(join(folder, "svc.previous"), "#!/bin/sh\necho hello\n", { mode: 0o755 });
    const foreign = await update("--rollback");
    expect(foreign).toMatchObject({ exitCode: 1, json: { error: { code: "E302" } } });
    expect(JSON.stringify(foreign.json)).toContain("does not print a version");
    expect(await update("--rollback --check")).toMatchObject({ exitCode: 2 });
    for (const words of [`--from ${folder}`, "--rollback"]) {
      expect(await the().json(`update ${words}`)).toMatchObject({
        exitCode: 1,
        json: { error: { code: "E305", message: expect.stringContaining("built from sources") } },
      });
    }
  });
});

/** A key that is not the one of releases. */
function foreignKey() {
  return { ...developmentKey(), id: Buffer.alloc(8, 1) };
}

describeNeeding("update on a full disk", missingTmpfs, () => {
  test("installs nothing, and gives only that reason", async () => {
    const { folder, executable, update } = await installation();
    const from = await fakeRelease({ version: newer });
    {
      await using _mounted = await mountTmpfs(folder, 16_384);
      await writeFile(executable, fakeExecutable(version), { mode: 0o755 });
      await writeFile(join(folder, "rest"), new Uint8Array(12_288));
      const { exitCode, json } = await update(`--from ${from}`, { currentDirectory: "/" });
      expect({ exitCode, json }).toMatchObject({ exitCode: 1, json: { error: { code: "E305" } } });
      expect(JSON.stringify(json)).toContain("no space left");
      expect(JSON.stringify(json)).not.toContain("as the user");
      expect(answerOf(executable)).toBe(version);
    }
  });
});
