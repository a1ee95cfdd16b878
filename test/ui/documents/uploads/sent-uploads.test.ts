import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "vitest";
import { temporaryDirectory } from "../../../support/temporary.ts";
import { keys } from "../../../support/tty.ts";
import { openFake } from "../../support/open-fake.ts";

it("sends a folder after one question, three files at a time, and again what failed", async () => {
  const directory = await temporaryDirectory("folder-upload");
  await mkdir(join(directory, "plans", "old"), { recursive: true });
  for (const name of ["a.txt", "b.txt", "c.txt", "old/d.txt"]) {
    await writeFile(join(directory, "plans", name), name);
  }
  await using terminal = openFake({ refusedUploads: 4 }, { cols: 80, rows: 24 });
  await terminal.waitFor("▸ licence");
  terminal.write("3");
  await terminal.waitFor("▸ plans.pdf");
  terminal.write("u");
  await terminal.waitFor("Upload a file");
  terminal.write(keys.ctrl("u") + keys.paste(`${directory}/`));
  await terminal.waitFor(/▸ plans\/ +folder/);
  terminal.write(keys.ctrl("o"));
  await terminal.waitFor("Upload 4 files of plans/");
  await terminal.waitFor("d.txt, 9 B");
  terminal.write("y");
  await terminal.waitFor("sent 0 files; 4 files did not arrive");
  await terminal.waitFor(/✗ not sent .*\.txt/);
  terminal.write("U");
  await terminal.waitFor("sent 4 files; their jobs are in the list");
});
