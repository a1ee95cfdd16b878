import { expect, test } from "vitest";
import { manPages } from "#cli/pages/man.ts";
import { commandTable } from "#commands/registry.ts";
import { runCommand } from "../../commands/world.ts";

const pages = manPages(commandTable, "9.9.9");

test("every command has a page, and the program has one that names them all", () => {
  expect(pages.size).toBe(commandTable.commands.length + 1);
  for (const { path, options } of commandTable.commands) {
    const page = pages.get(`svc-${path.replaceAll(" ", "-")}.1`) ?? "";
    expect(page).toMatch(/^\.TH SVC/);
    for (const name of Object.keys(options)) expect(page).toContain(name.replaceAll("-", "\\-"));
    expect(pages.get("svc.1")).toContain(`\\fBsvc ${path.replaceAll("-", "\\-")}\\fR`);
  }
});

test("groff reads every page without a warning", async () => {
  if (Bun.which("groff") === null) return;
  const child = Bun.spawn(["groff", "-man", "-Tutf8", "-ww", "-z"], {
    stdin: new Blob([...pages.values()]),
    stdout: "ignore",
    stderr: "pipe",
  });
  expect(await child.stderr.text()).toBe("");
  expect(await child.exited).toBe(0);
});

test("text that roff would read as a request or an escape is printed as it is", () => {
  const command = {
    path: "odd",
    summary: ".SH a \\fB-b\\fR … 'x",
    arguments: [],
    options: {},
    run: () => undefined,
  };
  const page = manPages({ groups: [], commands: [command] }, "1").get("svc-odd.1") ?? "";
  expect(page).toContain("svc\\-odd \\- \\&.SH a \\efB\\-b\\efR \\[u2026] 'x\n");
});

test("svc man prints a page, and refuses unknown words", async () => {
  const { stdout, exitCode } = await runCommand("man docs upload");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^\.TH SVC\\-DOCS\\-UPLOAD 1 /);
  expect((await runCommand("man")).stdout).toMatch(/^\.TH SVC 1 /);
  const unknown = await runCommand("man docs uplod");
  expect(unknown).toMatchObject({ exitCode: 2, stdout: "" });
});
