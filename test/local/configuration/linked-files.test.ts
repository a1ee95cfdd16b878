import { lstat, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { updateDashboardState } from "#local/configuration/dashboard-state.ts";
import { rememberLastError } from "#local/configuration/last-error.ts";
import { selectWorkspace } from "#local/configuration/profiles.ts";
import { isFirstUse } from "#local/configuration/used-addresses.ts";
import { folderStore } from "#local/env/store.ts";
import { writeEnvFile } from "#local/env/lines.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const workspace = { id: "1", slug: "planning", displayName: "Planning", origin: "https://a.test" };
const setting = { name: "MARK", value: "changed", isSecret: false };

const lastError = {
  at: "2026-11-27T00:00:00.000Z",
  command: "whoami",
  code: "E201",
  message: "changed",
  exitCode: 1,
};

describe("a symbolic link under the name of a file that the client rewrites", () => {
  it.each<[name: string, before: string, write: (folder: string) => Promise<unknown>]>([
    [
      "profiles.json",
      '{"version":1,"profiles":{}}',
      (configDirectory) => selectWorkspace({ configDirectory, profile: "default", workspace }),
    ],
    [
      "dashboard.json",
      '{"version":1,"profiles":{}}',
      (configDirectory) =>
        updateDashboardState({ configDirectory, profile: "default" }, () => "changed"),
    ],
    ["addresses.json", '{"version":1,"addresses":[]}', (folder) => isFirstUse(folder, "changed")],
    ["last-error.json", "{}", (folder) => rememberLastError(folder, lastError)],
    [
      "env/label.json",
      '{"version":1,"settings":[]}',
      (f) => folderStore(f).write("env", "label", [setting]),
    ],
    [".env.local", "A=1", (folder) => writeEnvFile(join(folder, ".env.local"), "A=2")],
  ])("%s stays one", async (name, before, write) => {
    const [folder, dotfiles] = [await temporaryDirectory("config"), await temporaryDirectory()];
    const [link, file] = [join(folder, name), join(dotfiles, "kept")];
    await mkdir(join(folder, "env"));
    await writeFile(file, before);
    await symlink(file, link);
    await write(folder);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(file, "utf8")).not.toBe(before);
  });
});
