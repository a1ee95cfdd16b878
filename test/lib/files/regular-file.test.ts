import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRegularFile } from "#lib/files/regular-file.ts";
import { systemErrorCode } from "#lib/system-error.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

async function outcome(path: string, followsLinks?: boolean): Promise<string | undefined> {
  return readRegularFile(path, 10, followsLinks === undefined ? {} : { followsLinks }).then(
    (bytes) => new TextDecoder().decode(bytes),
    systemErrorCode,
  );
}

test("only regular files of a bounded size are read, and never wait", async () => {
  const folder = await temporaryDirectory();
  const at = (name: string): string => join(folder, name);
  await writeFile(at("text"), "0123456789");
  await writeFile(at("large"), "0123456789a");
  await mkdir(at("folder"));
  expect(Bun.spawnSync(["mkfifo", at("pipe")]).success).toBe(true);
  await symlink(at("text"), at("link"));
  await symlink("/dev/zero", at("zero"));
  expect(await outcome(at("text"))).toBe("0123456789");
  expect(await outcome(at("link"))).toBe("0123456789");
  expect(await outcome(at("link"), false)).toBe("ELOOP");
  expect(await outcome(at("large"))).toBe("EFBIG");
  expect(await outcome(at("none"))).toBe("ENOENT");
  for (const name of ["pipe", "zero", "folder"]) expect(await outcome(at(name))).toBe("EFTYPE");
});
