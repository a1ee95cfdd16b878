import { describe, expect, it, test } from "vitest";
import { noSettings, readProfileSettings } from "#ui/shell/profile/profile-settings.ts";

const plugin = { key: "alt+m", command: ["gis-open", "--here"] };

describe("the settings of a profile", () => {
  it("are read with their defaults", () => {
    const stored = {
      read_only: true,
      pictures: "sixel",
      aliases: { open: " licence status:open " },
      hotkeys: { "alt+1": "documents" },
      plugins: [plugin],
      columns: { any: [] },
    };
    expect(readProfileSettings(stored)).toEqual({
      faults: [],
      settings: {
        read_only: true,
        mouse: false,
        pictures: "sixel",
        aliases: { open: "licence status:open" },
        hotkeys: { "alt+1": "documents" },
        plugins: [{ ...plugin, at: [], words: "gis-open", confirm: true, terminal: false }],
      },
    });
    expect(readProfileSettings({})).toEqual({ faults: [], settings: noSettings });
  });

  test.each([
    [{ mouse: "yes" }, "mouse must be true or false"],
    [{ pictures: "iterm" }, 'pictures must be true, false, "kitty" or "sixel"'],
    [{ aliases: [] }, "aliases must be an object of names and texts"],
    [{ aliases: { "A b": "x" } }, 'aliases "A b" must be 1 to 32 small letters, digits, dashes'],
    [{ aliases: { open: 1 } }, "aliases open must be a text"],
    [{ hotkeys: { x: "documents" } }, 'hotkeys "x" must be alt+ and a small letter or a digit'],
    [{ plugins: {} }, "plugins must be a list of at most 50 plugins"],
    [{ plugins: [{ ...plugin, shell: true }] }, 'plugins [0] has "shell", which is not known'],
    [{ plugins: [{ key: "alt+m", command: "rm -rf" }] }, "plugins [0].command must be a list"],
    [{ plugins: [{ key: "alt+m", command: [] }] }, "plugins [0].command must begin with a program"],
    [{ plugins: [{ ...plugin, confirm: 1 }] }, "plugins [0].confirm must be true or false"],
    [{ plugins: [plugin, plugin] }, "plugins has the key alt+m twice"],
    [
      { plugins: [plugin], hotkeys: { "alt+m": "jobs" } },
      "plugins has the key alt+m, which hotkeys",
    ],
  ])("%j is not used", (stored, words) => {
    const { settings, faults } = readProfileSettings(stored);
    expect(faults).toEqual([expect.stringContaining(words)]);
    expect(settings.plugins).toEqual([]);
  });
});
