import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../support/temporary.ts";
import { keys } from "../../../support/tty.ts";
import { openFake } from "../../support/open-fake.ts";
import { columnsOf, rowBeside, stepsOf } from "#ui/shell/home/home-screen.tsx";
import { homeRow } from "#ui/shell/home/home-rows.ts";

const sizes = [
  { cols: 80, rows: 24 },
  { cols: 120, rows: 40 },
  { cols: 240, rows: 80 },
] as const;

const row = (id: string) => homeRow({ id, left: [{ text: id }], open: () => {} });

describe("the columns of home", () => {
  const home = {
    left: [{ rows: [row("a"), row("b")] }, { rows: [] }],
    right: [{ rows: [row("c")] }, { rows: [row("d")] }],
  };
  const idsOf = (width: number) =>
    columnsOf(home, { width, height: 20 }).map((slots) =>
      slots.map((slot) => slot?.id ?? "").join(" "),
    );

  it("are one below the other on a narrow screen", () => {
    expect(idsOf(120)).toEqual(["a b", "c  d"]);
    expect(idsOf(78)).toEqual(["a b  c  d"]);
  });

  it("are three on a wide screen, where a part has a column in the middle", () => {
    const middle = (id: string) => ({ rows: [row(id)], isMiddle: true });
    const wide = { left: [...home.left, middle("e")], right: [middle("f"), ...home.right] };
    const idsAt = (width: number) =>
      columnsOf(wide, { width, height: 20 }).map((slots) =>
        slots.map((slot) => slot?.id ?? "").join(" "),
      );
    expect(idsAt(120)).toEqual(["a b  e", "f  c  d"]);
    expect(idsAt(200)).toEqual(["a b", "f  e", "c  d"]);
  });

  it("share the lines that are left among the parts that have further rows", () => {
    const parts = { left: [{ rows: [row("a")], more: [row("b"), row("c"), row("d")] }], right: [] };
    const other = { rows: [row("e")], more: [row("f"), row("g")] };
    const home = { left: [...parts.left, other], right: [] };
    const idsAt = (height: number) =>
      columnsOf(home, { width: 120, height })[0]
        ?.map((slot) => slot?.id ?? "")
        .join(" ");
    expect(idsAt(3)).toBe("a  e");
    expect(idsAt(4)).toBe("a b  e");
    expect(idsAt(6)).toBe("a b c  e f");
    expect(idsAt(9)).toBe("a b c d  e f g");
  });

  it("are left for the nearest row of the other one", () => {
    const columns = columnsOf(home, { width: 120, height: 20 });
    expect(rowBeside(columns, "b", 1)).toBe("c");
    expect(rowBeside(columns, "d", -1)).toBe("b");
    expect(rowBeside(columns, "d", 1)).toBeUndefined();
  });

  it("are the first steps only where each noun is known to have nothing", () => {
    const part = (isFilled: boolean | undefined) => ({ rows: [], isFilled, step: row("step") });
    expect(stepsOf({ left: [part(false)], right: [part(false)] })).toHaveLength(3);
    expect(stepsOf({ left: [part(false)], right: [part(undefined)] })).toBeUndefined();
    expect(stepsOf({ left: [part(false)], right: [part(true)] })).toBeUndefined();
  });
});

describe.each(sizes)("home at $cols x $rows", (size) => {
  it("is where one lands, fills the screen, and opens the list of a figure", async () => {
    await using terminal = openFake({ home: "filled", jobStatus: "failed" }, size);
    await terminal.waitFor(/PLANNING APPLICATION +42/);
    await terminal.waitFor(/overdue +2 ▲/);
    await terminal.waitFor(/due in 7 days +3 !/);
    await terminal.waitFor(/● open +▇+ +14/);
    await terminal.waitForQuiet(150);
    const lines = terminal.screen();
    expect(lines).toHaveLength(size.rows);
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(size.cols);
    expect(lines.at(-2)).toMatch(/┘$/);
    terminal.write("j");
    await terminal.waitFor("▸  overdue");
    terminal.write(keys.enter);
    await terminal.waitFor(/filter due<\d{4}-\d\d-\d\d statu/);
    await terminal.waitFor(/planning-application ─ 2 /);
    terminal.write("0");
    await terminal.waitFor(/overdue +2 ▲/);
  });
});

describe("home", () => {
  it("has jobs that failed, which R runs again, and questions for the chat", async () => {
    await using terminal = openFake({ home: "filled", jobStatus: "failed" });
    await terminal.waitFor(/JOBS +1 ✗/);
    await terminal.waitFor("plans.pdf  The file is not a read");
    await terminal.waitFor(/REVIEWS +1 field in 1 document/);
    await terminal.waitFor(/storage +500.0 kB/);
    await terminal.waitFor("Find the deadline in plans.pdf");
    await terminal.waitForQuiet(100);
    terminal.write("l");
    await terminal.waitFor("▸JOBS");
    terminal.write("j");
    await terminal.waitFor("R retry");
    terminal.write("R");
    await terminal.waitFor("plans.pdf runs again");
    await terminal.waitFor(/JOBS +1 ▶/);
    terminal.write("Gkkk");
    await terminal.waitFor("▸  “Find");
    terminal.write(keys.enter);
    await terminal.waitFor("› Find the deadline in plans.pdf");
    await terminal.waitFor("about [plans.pdf]");
  });

  it("names the records that are due next, and opens one", async () => {
    await using terminal = openFake({ home: "filled", jobStatus: "succeeded" });
    await terminal.waitFor(/DUE NEXT/);
    await terminal.waitFor(/● PA-2026-00042 +1 Quay Street/);
    await terminal.waitForQuiet(100);
    terminal.write("l");
    await terminal.waitFor("▸JOBS");
    for (let step = 0; step < 12 && !/▸ .*PA-2026/.test(terminal.text()); step += 1) {
      terminal.write("j");
      await terminal.waitForQuiet(60);
    }
    terminal.write(keys.enter);
    await terminal.waitFor(/PA-2026-\d+ ─ \[fields\]/);
  });

  it("names the last writes, and shows what needs attention elsewhere", async () => {
    await using terminal = openFake({ home: "filled" });
    await terminal.waitFor(/now +PA-2026-00042 +created/);
    await terminal.waitFor(/OTHER WORKSPACES +2/);
    await terminal.waitFor(/licensing +44 2 ▲/);
  });

  it("is the list of first steps in an empty workspace", async () => {
    await using terminal = openFake({ home: "empty" });
    await terminal.waitFor("This workspace is empty. First steps:");
    await terminal.waitFor("c opens licence and creates the first one");
    await terminal.waitFor("u uploads a document");
    await terminal.waitFor("i opens the members and invites one");
    terminal.write(keys.enter);
    await terminal.waitFor("There is no licence yet.");
  });

  it("follows the changes, and writes nothing while there are none", async () => {
    const directory = await temporaryDirectory("home");
    const eventsAt = join(directory, "events");
    const newcomerWhile = join(directory, "newcomer");
    await writeFile(eventsAt, "");
    await using terminal = openFake({
      home: "filled",
      eventsAt,
      newcomerWhile,
      jobStatus: "succeeded",
    });
    await terminal.waitFor(/overdue +2 ▲/);
    await terminal.waitFor(/OTHER WORKSPACES/);
    await terminal.waitForQuiet(1_000);
    const before = terminal.bytesWritten();
    await Bun.sleep(1_500);
    expect(terminal.bytesWritten()).toBe(before);
    await writeFile(newcomerWhile, "");
    await appendFile(eventsAt, "svc.resource.created\n");
    await terminal.waitFor("PA-2027-00001");
  });

  it("writes little for a step of the cursor", async () => {
    await using terminal = openFake({ home: "filled", jobStatus: "succeeded" });
    await terminal.waitFor(/OTHER WORKSPACES/);
    await terminal.waitFor(/overdue +2 ▲/);
    await terminal.waitForQuiet(300);
    const before = terminal.bytesWritten();
    terminal.write("j");
    await terminal.waitFor("▸  overdue");
    await terminal.waitForQuiet(150);
    expect(terminal.bytesWritten() - before).toBeLessThan(400);
  });
});
