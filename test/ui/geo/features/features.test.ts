import { expect, it } from "vitest";
import { keys } from "../../../support/tty.ts";
import { copied, copyInForm } from "../../support/copied.ts";
import { openFake } from "../../support/open-fake.ts";

it("the features of a dataset are filtered, changed, created and drawn on a map", async () => {
  await using terminal = openFake({ role: "tenant-admin" }, { cols: 80, rows: 24 });
  await terminal.waitFor("▸ licence");
  terminal.write("-");
  await terminal.waitFor(/▸ parks/);
  terminal.write("L");
  await terminal.waitFor(/▸ Mill Park +Point +37\.81 S, 144\.96 E/);
  await terminal.waitFor(/\/ filter  c create  e edit  W where: a map  esc back/);
  terminal.write("/");
  await terminal.type("height>2");
  terminal.write(keys.enter);
  await terminal.waitFor("Features of City parks ─ 1 ─ filter height>2");
  await terminal.waitFor("▸ Quay Gardens");
  expect(await copied(terminal)).toMatch(/geo features list parks --where '{"height":{"\$gt":2}}'/);
  terminal.write("W");
  await terminal.waitFor(/City parks on a map ─ 1 places of 1 features ─ filter height>2/);
  await terminal.waitFor(/ o$| o[ ⠀-⣿]*│/m);
  expect(await copied(terminal)).toContain("svc geo map parks --where");
  terminal.write(keys.escape);
  await terminal.waitFor("2 places of 2 features");
  terminal.write("+");
  await terminal.waitFor(/↔ \d+\.\d\d°/);
  terminal.write(keys.enter);
  await terminal.waitFor(/Features of City parks ─ .*filter 14\d\.\d+,-3/);
  terminal.write(keys.escape);
  await terminal.waitFor("Features of City parks ─ 2 ─");
  terminal.write("e");
  await terminal.waitFor("Change Mill Park");
  terminal.write(keys.ctrl("u") + keys.paste('{"name":"Old Mill","kind":"park"}'));
  expect(await copied(terminal, copyInForm)).toContain(
    `geo features update parks p-1 --properties '{"name":"Old Mill"}' --version 1`,
  );
  terminal.write(keys.ctrl("s"));
  await terminal.waitFor("▸ Old Mill");
  terminal.write(keys.enter);
  await terminal.waitFor(/kind +park/);
  await terminal.waitFor("Its geometry as GeoJSON:");
  terminal.write(keys.ctrl("d"));
  await terminal.waitFor("the feature of parks with its geometry");
  terminal.write("y");
  await terminal.waitFor("▸ Quay Gardens");
});
