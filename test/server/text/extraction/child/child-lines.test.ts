import { describe, expect, test } from "vitest";
import { failureOf } from "../formats/build-files.ts";
import { inChild } from "./in-child.ts";

/** A child that runs this script instead. */
const script = (source: string): string[] => [process.execPath, "-e", source];

describe("a child that can't be trusted has crashed", () => {
  const page = (number: number, text = "x"): string =>
    JSON.stringify({ type: "page", number, text });
  const end = JSON.stringify({ type: "end", mediaType: "text/plain", metadata: {}, warnings: [] });
  const says = (...lines: string[]): string[] =>
    script(`await Bun.write(Bun.stdout, ${JSON.stringify(lines.join("\n"))})`);

  test.each([
    ["ends at once", script("process.exit(3)")],
    ["is killed", script("process.kill(process.pid, 'SIGSEGV')")],
    ["is not there", ["/nonexistent/program"]],
    ["says no JSON", says("hello", end, "")],
    ["says something else", says('{"type":"secret"}', end, "")],
    ["forgets the end", says(page(1), "")],
    ["breaks off within its last line", says(page(1), end)],
    ["skips a page", says(page(2), end, "")],
    ["goes on after the end", says(end, page(1), "")],
    ["gives metadata of another shape", says(end.replace("{}", '{"title":1}'), "")],
    ["gives a page with a NUL", says(page(1, "a\0b"), end, "")],
    ["gives half a surrogate pair", says(end.replace("{}", '{"title":"\\ud83d"}'), "")],
    ["invents an error code", says('{"type":"error","code":"oops","message":"x"}', "")],
  ])("when it %s", async (_, program) => {
    const error = await failureOf(inChild("x", { command: program }));
    expect(error.code).toBe("crashed");
    expect(error.message).toContain("stopped unexpectedly");
  });

  test("when it never ends a line", async () => {
    const source = "for (;;) await Bun.write(Bun.stdout, 'x'.repeat(1 << 20))";
    expect((await failureOf(inChild("x", { command: script(source) }))).code).toBe("crashed");
  });

  test("when it writes more pages than a document may have", async () => {
    const source =
      "let out = ''; for (let number = 1; number <= 2001; number += 1) " +
      "out += JSON.stringify({ type: 'page', number, text: '' }) + '\\n';" +
      `await Bun.write(Bun.stdout, out + ${JSON.stringify(`${end}\n`)})`;
    expect((await failureOf(inChild("x", { command: script(source) }))).code).toBe("crashed");
  });
});
