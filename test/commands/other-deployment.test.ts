import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dialects } from "#test/support/other-deployment/dialects.ts";
import { otherPlaces, type Place } from "./deployments.ts";
import { commandNamed } from "./described.ts";
import { areas, callsAt, commands } from "./trial-calls.ts";

const start = otherPlaces();

const calls = callsAt("other");

test("every command that calls a route has a call, but for three that other tests run", () => {
  const tried = new Set(calls.map(({ words }) => commandNamed(words.split(" ")).path));
  const calling = commands.filter((command) => command.calls !== undefined);
  // Calls of `svc mcp` come from an agent, below; a sync has two workspaces.
  expect(calling.map(({ path }) => path).filter((path) => !tried.has(path))).toEqual([
    "doctor",
    "resources sync",
    "mcp",
  ]);
});

test("the table has at least 106 calls of the specification", () => {
  expect(calls.filter(({ isAddition }) => !isAddition).length).toBeGreaterThanOrEqual(106);
});

test.each(["other-deployment", "hostile-text"])("each area has a file of %s", async (name) => {
  for (const area of areas) {
    const text = await Bun.file(join(import.meta.dirname, `${name}-${area}.test.ts`)).text();
    expect(text).toMatch(new RegExp(`^describe\\w+\\("${area}"\\);$`, "m"));
  }
});

describe.each(dialects)("$name:", (dialect) => {
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
