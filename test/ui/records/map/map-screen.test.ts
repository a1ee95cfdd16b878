import { it } from "vitest";
import { keys } from "../../../support/tty.ts";
import { openOrders } from "../../support/open-fake.ts";

it("shows places on a map, zooms, and lists the records of its visible part", async () => {
  await using terminal = await openOrders();
  terminal.write("W");
  await terminal.waitFor("┌ works-order on a map ─ 1 places of 1 records");
  await terminal.waitFor(/↔ \d+\.\d\d° ─┐/);
  await terminal.waitFor(/ o WO-1 /);
  const wide = /↔ ([\d.]+)°/;
  const before = Number(wide.exec(terminal.text())?.[1]);
  const signs = () => terminal.text().replaceAll(/[^▘-▟▖▌▐▀▄\u2801-\u28ff]/g, "");
  terminal.write("-----b");
  await terminal.waitFor(() => /^[^\u2801-\u28ff]+$/.test(signs()));
  terminal.write("b+++++");
  await terminal.waitFor(() => !/[▘-▟▖▌▐▀▄]/.test(signs()));
  terminal.write("--");
  await terminal.waitFor((screen) => Number(wide.exec(screen)?.[1]) >= before * 4 - 0.05);
  terminal.write("+");
  await terminal.waitFor((screen) => Number(wide.exec(screen)?.[1]) <= before * 2 + 0.05);
  terminal.write(keys.enter);
  await terminal.waitFor('filter {"place":{"$geoWithin":{"$box":');
});
