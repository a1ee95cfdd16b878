import { describe, expect, test } from "vitest";
import { jqProjection, templateProjection } from "#cli/output/projection.ts";
import { svcExecutable } from "#test/support/svc.ts";
import { runCommand } from "../../commands/world.ts";

const answer = {
  items: [
    { id: "a", count: 1, note: "  two  words  " },
    { id: "b", count: 2, note: "" },
  ],
};

async function jq(query: string, ...values: readonly unknown[]): Promise<string> {
  return (await jqProjection(query, {})).text(values.length === 0 ? [answer] : values);
}

describe("--jq", () => {
  test.each([
    [".items[].id", "a\nb\n"],
    [".items[]|{id,count}", '{"id":"a","count":1}\n{"id":"b","count":2}\n'],
    [".items|map(.count)|add", "3\n"],
    [".items[]|[.id,.count]|@tsv", "a\t1\nb\t2\n"],
    ['.items[]|"\\(.id)=\\(.count)"', "a=1\nb=2\n"],
    [".items[].note", "  two  words  \n\n"],
    ["empty", ""],
    [".items|length # how many", "2\n"],
    ["def double: . * 2; .items[].count | double", "2\n4\n"],
    ['.items[]|select(.id|test("B";"i")).id', "b\n"],
    [".missing", "null\n"],
    ['env|has("SVC_TOKEN")', "false\n"],
  ])("%s", async (query, expected) => {
    expect(await jq(query)).toBe(expected);
  });

  test("reads several values in one call, and large ones", async () => {
    expect(await jq(".n", { n: 1 }, { n: 2 })).toBe("1\n2\n");
    const rows = Array.from({ length: 2_000 }, (_, n) => ({ n, text: "ä".repeat(100) }));
    expect((await jq("length", rows)).trim()).toBe("2000");
    expect(await jq(".[-1].text", rows)).toBe(`${"ä".repeat(100)}\n`);
  });

  test.each([".items[", "nonsense", "..a", ".items | }"])("refuses %s", async (query) => {
    await expect(jq(query)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/^Invalid input: --jq: \w/),
    });
  });

  test("an error after some results is an error, and prints none", async () => {
    await expect(jq(".[]|.+1", [1, "a", 2])).rejects.toMatchObject({
      exitCode: 1,
      message: 'Invalid input: --jq: string ("a") and number (1) cannot be added',
    });
  });

  test("a query that does not end is ended by the system", async () => {
    const words = ["errors", "--jq", '"started" | debug, last(range(1e15))'];
    const child = Bun.spawn([await svcExecutable(), ...words], {
      stdio: ["ignore", "ignore", "ignore"],
      timeout: 2_000,
      killSignal: "SIGINT",
    });
    await child.exited;
    expect(child.signalCode).toBe("SIGINT");
  });
});

describe("--template", () => {
  const template = async (source: string, value: unknown = answer) =>
    (await templateProjection(source)).text([value]);

  test.each([
    ["{% for item in items %}{{ item.id }}\\t{{ item.count }}\\n{% endfor %}", "a\t1\nb\t2\n"],
    ["{{ items | size }} items", "2 items\n"],
    ["{{ items[0].note | strip | upcase }}", "TWO  WORDS\n"],
    ["{{ it.items | map: 'id' | join: ',' }}", "a,b\n"],
    ['{{ missing | default: "" }}', ""],
    ["{% if items[0].missing %}yes{% else %}no{% endif %}", "no\n"],
  ])("%s", async (source, expected) => {
    expect(await template(source)).toBe(expected);
  });

  test.each([
    ["{{ missing }}", "missing"],
    ["{% for item in items %}{{ item.nmae }}{% endfor %}", "item.nmae"],
    ["{% for item in itms %}{{ item.id }}{% endfor %}", "itms"],
    ["{{ items.constructor.name }}", "items.constructor"],
  ])("a wrong member is an error: %s", async (source, name) => {
    await expect(template(source)).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining(`--template: undefined variable: ${name}`),
      hint: 'The answer has items; add `| default: ""` where one may be absent',
    });
  });

  test("of a list that is not an object", async () => {
    expect(await template("{{ it | join: '-' }}", [1, 2])).toBe("1-2\n");
  });

  test.each(["{% for %}", "{{ a | nonsense }}", "{% unknown %}", "{% if a %}"])(
    "refuses %s",
    async (source) => {
      await expect(template(source)).rejects.toMatchObject({
        message: expect.stringContaining("--template: "),
      });
    },
  );

  test("reads no file, and ends when it makes too much or takes too long", async () => {
    await expect(template("{% include '/etc/hostname' %}")).rejects.toMatchObject({ exitCode: 1 });
    const long = "{% for a in (1..5000000) %}{{ a }}{% endfor %}";
    const hurried = await templateProjection(long, { renderMs: 100 });
    await expect(hurried.text([answer])).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining("render limit exceeded"),
    });
    const large = "{% for a in (1..100000001) %}{{ a }}{% endfor %}";
    await expect(template(large)).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining("memory alloc limit exceeded"),
    });
  });
});

describe("a command", () => {
  test("prints the text alone, in every format that has JSON", async () => {
    const called = await runCommand(["errors", "E101", "--jq", ".code"]);
    expect(called).toMatchObject({ exitCode: 0, stdout: "E101\n", stderr: "" });
    const rows = await runCommand(["errors", "--format", "ndjson", "--jq", ".code"]);
    expect(rows.stdout).toMatch(/^E001\nE002\n/);
    const lines = await runCommand(["errors", "E101", "--template", "{{ code }}: {{ message }}"]);
    expect(lines.stdout).toBe("E101: Not logged in\n");
  });

  test("reports failures as text on stderr", async () => {
    const called = await runCommand(["errors", "E999", "--jq", ".code"]);
    expect(called).toMatchObject({ exitCode: 1, stdout: "" });
    expect(called.stderr).toContain("Error E202");
  });

  test.each([
    ["--jq . --format csv", "exclude each other"],
    ["--jq . --format text", "exclude each other"],
    ["--jq . --template x", "exclude each other"],
    ["--jq .[", "--jq:"],
  ])("refuses %s before anything is asked", async (words, message) => {
    const settings = { fetch: () => Promise.reject(new Error("asked")) };
    const line = `resources list tree ${words}`.split(" ");
    const { exitCode, stderr } = await runCommand(line, settings);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  test.each([
    ["errors --describe --jq .command", "errors\n"],
    ["--describe --jq .title", "svc\n"],
    ["docs --describe --jq=.oneOf[0].command", "docs upload\n"],
    ["errors --describe --format openai-tools --jq .[0].function.name", "errors\n"],
    ["errors --describe --template {{title}}", "svc errors\n"],
  ])("applies it to a description: %s", async (words, stdout) => {
    expect(await runCommand(words.split(" "))).toMatchObject({ exitCode: 0, stdout, stderr: "" });
  });

  test("keeps its own option with the same name", async () => {
    const { stdout } = await runCommand("app create --help");
    expect(stdout.match(/--template /g)).toHaveLength(1);
  });

  test("control sequences in the result do not reach a terminal", async () => {
    const words = ["errors", "--jq", '"\\u001b[31mred"'];
    expect((await runCommand(words, { terminal: 80 })).stdout).not.toContain("\u001b[31m");
  });
});
