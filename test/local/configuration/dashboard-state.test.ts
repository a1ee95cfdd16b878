import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDashboardState, updateDashboardState } from "#local/configuration/dashboard-state.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

async function place(profile = "default") {
  return { configDirectory: await temporaryDirectory("config"), profile };
}

describe("dashboard.json", () => {
  it("keeps the state of each profile, readable for its user alone", async () => {
    const own = await place();
    const other = { ...own, profile: "work" };
    expect(await readDashboardState(own)).toBeUndefined();
    await Promise.all([
      updateDashboardState(own, () => ({ skin: "dark" })),
      updateDashboardState(other, () => ({ skin: "light" })),
    ]);
    await updateDashboardState(own, (state) => ({ before: state }));
    expect(await readDashboardState(own)).toEqual({ before: { skin: "dark" } });
    expect(await readDashboardState(other)).toEqual({ skin: "light" });
    const { mode } = await stat(join(own.configDirectory, "dashboard.json"));
    expect(mode & 0o777).toBe(0o600);
    expect((await readdir(own.configDirectory)).toSorted()).toEqual([
      "dashboard.json",
      "dashboard.lock",
    ]);
  });

  it.each(["", "{", "[]", "null", '{"profiles":7}', "\0\xff"])(
    "is as none when it has %j, and is written again",
    async (text) => {
      const own = await place();
      await writeFile(join(own.configDirectory, "dashboard.json"), text);
      expect(await readDashboardState(own)).toBeUndefined();
      await updateDashboardState(own, () => ({ skin: "dark" }));
      expect(await readDashboardState(own)).toEqual({ skin: "dark" });
    },
  );

  it("has a bound: a large file is not read, and other profiles make room", async () => {
    const own = await place();
    await writeFile(join(own.configDirectory, "dashboard.json"), " ".repeat(2 * 1024 * 1024));
    expect(await readDashboardState(own)).toBeUndefined();
    const large = { text: "x".repeat(700_000) };
    await updateDashboardState({ ...own, profile: "a" }, () => large);
    await updateDashboardState({ ...own, profile: "b" }, () => large);
    expect(await readDashboardState({ ...own, profile: "b" })).toEqual(large);
    expect(await readDashboardState({ ...own, profile: "a" })).toBeUndefined();
  });
});
