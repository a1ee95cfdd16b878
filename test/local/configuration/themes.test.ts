import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readThemes } from "#local/configuration/themes.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

it("reads the files of the folder, and none without it", async () => {
  const home = await temporaryDirectory("themes");
  expect(await readThemes(home)).toEqual([]);
  const folder = join(home, "themes");
  await mkdir(join(folder, "folder.json"), { recursive: true });
  await writeFile(join(folder, "neon.json"), '{"accent":"#ff00aa"}');
  await writeFile(join(folder, "broken.json"), "{");
  await writeFile(join(folder, "large.json"), `"${"a".repeat(20_000)}"`);
  await writeFile(join(folder, "notes.txt"), "no theme");
  expect(await readThemes(home)).toEqual([
    { name: "broken", content: undefined },
    { name: "folder", content: undefined },
    { name: "large", content: undefined },
    { name: "neon", content: { accent: "#ff00aa" } },
  ]);
});
