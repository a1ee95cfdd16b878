import { describe, expect, test } from "vitest";
import { given } from "#lib/given.ts";
import { dialects } from "#test/support/other-deployment/dialects.ts";
import { commandNamed, expectAsDescribed } from "./described.ts";
import type { Called } from "./world.ts";
import { otherPlaces, type Place } from "./deployments.ts";
import { callsAt, commands, filledWords, type TrialCall } from "./trial-calls.ts";

const start = otherPlaces();

const calls = callsAt("other");

test("every command that calls a route has a call, but an agent's and the machine's", () => {
  const tried = new Set(calls.map(({ words }) => commandNamed(words.split(" ")).path));
  const calling = commands.filter((command) => command.calls !== undefined);
  // Calls of `svc mcp` come from an agent, below.
  expect(calling.map(({ path }) => path).filter((path) => !tried.has(path))).toEqual([
    "doctor",
    "mcp",
  ]);
});

/** Runs a call as text and as JSON, each time in a fresh place. */
async function expectCall(
  open: () => Promise<Place>,
  { words, after, stdin, isTyped }: TrialCall,
  exitCode: number,
): Promise<void> {
  const settings = given({ stdin, terminal: isTyped === true ? 80 : undefined });
  for (const format of isTyped === true ? ["text"] : ["text", "json"]) {
    const { names, run } = await open();
    for (const earlier of after) {
      const first = await run(filledWords(earlier, names));
      expect({ earlier, ...shown(first) }).toMatchObject({ exitCode: 0 });
    }
    const called = await run([...filledWords(words, names), "--format", format], settings);
    expect({ words, format, ...shown(called) }).toMatchObject({ exitCode });
    expect(called.stdout + called.stderr).not.toMatch(/undefined|\[object |\bNaN\b|\n {4}at /);
    if (exitCode !== 0) expectAbsence(words, format, called);
    if (format === "json" && exitCode !== 0) expectAsDescribed(words.split(" "), called);
    else if (format === "json" && !words.startsWith("chat stream")) {
      expect(() => called.json, called.stdout).not.toThrow();
    }
  }
}

/** A failure for want of a route points to the command that reports what the platform has. */
function expectAbsence(words: string, format: string, called: Called): void {
  const { stdout, stderr } = called;
  const text = format === "json" ? stdout : stderr;
  // A name that is not in a served list, or a document of which only the id is known, comes first.
  const isSought = /^(?:workspace restore|user role delete|docs open) /.test(words);
  if (!isSought) expect({ words, text }).toEqual({ words, text: expect.stringMatching(lacking) });
}

const lacking = /`svc verify calls` reports|"status": (?:404|405|501)/;

function shown({ exitCode, stdout, stderr }: Awaited<ReturnType<Place["run"]>>) {
  return { exitCode, stdout, stderr };
}

describe.each(dialects)("$name:", (dialect) => {
  test.each(calls)("svc $words", async (call) => {
    const lacks = call.needs !== undefined && dialect.without.includes(call.needs);
    // Earlier calls of an addition are additions too.
    const made = call.isAddition ? { ...call, after: [] } : call;
    await expectCall(() => start(dialect), made, lacks || call.isAddition ? 1 : 0);
  });

  test("svc mcp", async () => {
    const { run, names } = await start(dialect);
    const { job, record } = names;
    const call = async (name: string, given: Record<string, unknown>) =>
      await calledTool(run, name, { ...given });
    const objectType = "street-tree";
    const listed = await call("resources_list", { objectType });
    expect(listed).toContain('"species"');
    expect(await call("resources_get", { objectType, id: record })).toContain('"elm"');
    expect(await call("resources_create", { objectType, body: { species: "fir" } })).toContain(
      "id",
    );
    const waited = await call("documents_job", { jobId: job, waitSeconds: 20 });
    expect(waited.toLowerCase()).toContain(dialect.done);
    expect(await call("documents_list", {})).toContain("`svc verify calls`");
  });
});

/** The text of a tool's answer, as an agent gets it from `svc mcp`. */
async function calledTool(
  run: Place["run"],
  name: string,
  given: Record<string, unknown>,
): Promise<string> {
  const clientInfo = { name: "test-agent", version: "1.0.0" };
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const messages = [
    { id: 1, method: "initialize", params: hello },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name, arguments: given } },
  ];
  const lines = messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
  const { exitCode, stdout, stderr } = await run(["mcp"], { stdin: `${lines.join("\n")}\n` });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return answers.find(({ id }) => id === 2)?.result.content[0].text;
}
