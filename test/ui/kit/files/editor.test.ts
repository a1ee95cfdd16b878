import { mkdtemp, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { editText } from "#ui/kit/files/editor.ts";

it("an editor removes the folders that killed ones left a week ago, and its own", async () => {
  const [left = "", running = ""] = await Promise.all(
    ["left-", "open-"].map((name) => mkdtemp(join(tmpdir(), `svc-edit-${name}`))),
  );
  await writeFile(join(left, "record.json"), '{"title":"a record"}');
  const old = new Date(Date.now() - 8 * 24 * 3_600_000);
  await utimes(left, old, old);
  const where = join(tmpdir(), `where-${crypto.randomUUID()}`);
  const shown = `f() { printf %s "$1" > '${where}'; printf changed > "$1"; }; f`;
  const bytes = await editText(shown, "before", ".json", false);
  expect(Buffer.from(bytes).toString()).toBe("changed");
  const own = await Bun.file(where).text();
  expect(own).toContain("svc-edit-");
  for (const path of [left, own]) await expect(stat(path)).rejects.toThrow("ENOENT");
  await stat(running);
  await Promise.all([running, where].map((path) => rm(path, { recursive: true })));
});
