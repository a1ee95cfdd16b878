import { expect, test } from "vitest";
import { Output, OutputClosed, OutputFailed } from "#cli/output/output.ts";
import { shown } from "#cli/shown.ts";

const settings = { format: "text", colour: false, simple: false } as const;

/** A stream that keeps its text; each write fails with `code`, if one is given. */
function captured(more: { isTerminal?: boolean; columns?: number; code?: string }) {
  const { isTerminal = false, columns = 80, code } = more;
  const chunks: string[] = [];
  const write = async (chunk: string | Uint8Array): Promise<void> => {
    if (code !== undefined) throw Object.assign(new Error("failed"), { code });
    chunks.push(String(chunk));
  };
  return { isTerminal, columns, write, text: () => chunks.join("") };
}

function opened(more: Parameters<typeof captured>[0] = {}, own: object = {}) {
  const [stdout, stderr] = [captured(more), captured(more)];
  return { stdout, stderr, output: new Output({ stdout, stderr }, { ...settings, ...own }) };
}

test("an answer is text, JSON, or a line for each row", async () => {
  const value = { items: [1, 2], total: 2 };
  const { output, stdout } = opened();
  await output.data(value, ({ total }) => shown`total ${total}`);
  output.setFormat("json");
  await output.data(value.total, () => shown``);
  output.setFormat("ndjson", ["items"]);
  await output.data(value, () => shown``);
  expect(stdout.text()).toBe("total 2\n2\n1\n2\n");
});

test("fields without a value are left out, and simple output has tabs", () => {
  const rows = [
    ["id", "a"],
    ["state", undefined],
    ["since", "now"],
  ] as const;
  const text = (output: Output): string[] => output.fields(rows).map(String);
  expect(text(opened().output)).toEqual(["id     a", "since  now"]);
  expect(text(opened({}, { simple: true }).output)).toEqual(["id\ta", "since\tnow"]);
});

test("the status line is written on a terminal, and removed before other output", async () => {
  const { output, stdout, stderr } = opened({ isTerminal: true });
  await output.progress("working");
  await output.page(shown`done`);
  expect([stderr.text(), stdout.text()]).toEqual(["\r\x1b[Kworking\r\x1b[K", "done\n"]);
  const piped = opened();
  await piped.output.progress("working");
  expect(piped.stderr.text()).toBe("");
});

test("a closed pipe is a quiet end, and a full disk is a failure", async () => {
  await expect(opened({ code: "EPIPE" }).output.page(shown`a`)).rejects.toThrow(OutputClosed);
  const full = opened({ code: "ENOSPC" }).output.page(shown`abc`);
  await expect(full).rejects.toThrow(OutputFailed);
});

test("colour and long lines depend on the terminal", () => {
  expect(opened({}, { colour: true }).output.tone("good", "ok").toString()).toBe(
    "\x1b[32mok\x1b[39m",
  );
  const narrow = opened({ isTerminal: true, columns: 30 }).output;
  expect(narrow.hanging(shown`one two three four five six seven`, 4, 2).toString()).toBe(
    "  one two three four five\n    six seven",
  );
  expect(narrow.noteColumns).toBe(30);
  expect(opened().output.noteColumns).toBe(Infinity);
});
