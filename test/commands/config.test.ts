import { describe, expect, test } from "vitest";
import { commandWorld, platformDown } from "./world.ts";

const the = commandWorld();

/** The messages of an agent that lists its tools. */
const agentLines = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list" },
];

describe("config", () => {
  test("keeps, shows and removes settings, also of another profile", async () => {
    const config = await the().selectedConfig();
    const call = { config, fetch: platformDown };
    expect((await the().svc("config show", call)).stdout).toBe(
      "The profile default has no settings\n",
    );
    const words = ["config", "set", "aliases", '{"open":"licence status:open"}'];
    expect((await the().svc(words, call)).stdout).toBe("Set aliases of the profile default\n");
    await the().svc("config set mouse true --profile other", call);
    expect((await the().json("config show", call)).json).toEqual({
      profile: "default",
      settings: { aliases: { open: "licence status:open" } },
    });
    await the().svc("config unset aliases", call);
    expect((await the().json("config show", call)).json).toMatchObject({ settings: {} });
    expect((await the().json("config show --profile other", call)).json).toMatchObject({
      settings: { mouse: true },
    });
  });

  test.each([
    [["colour", "1"], "E305", '"colour" is not a setting: read_only, mouse, pictures'],
    [["read_only", "yes"], "E304", "<value> is not JSON"],
    [["read_only", '"yes"'], "E305", "read_only must be true or false"],
    [["hotkeys", '{"j":"documents"}'], "E305", "must be alt+ and a small letter or a digit"],
  ])("refuses %j", async (words, code, details) => {
    const { exitCode, stderr } = await the().svc(["config", "set", ...words]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(code);
    expect(stderr).toContain(details);
  });

  test("a read-only profile refuses changes before a request, and reads", async () => {
    const config = await the().selectedConfig();
    const call = { config };
    await the().svc("config set read_only true", call);
    expect((await the().svc("user list", call)).exitCode).toBe(0);
    const data = ["resources", "create", "street-tree", "--data", "{}"];
    const refused = await the().json(data, { ...call, fetch: platformDown });
    expect(refused.json).toMatchObject({
      error: { code: "E204", hint: expect.stringContaining("the profile default is read-only") },
    });
    expect(refused.stderr + JSON.stringify(refused.json)).toContain(
      "`svc config unset read_only` allows changes",
    );
    await the().svc("config unset read_only", call);
    expect((await the().json(data, { ...call, fetch: platformDown })).json).toMatchObject({
      error: { code: "E201" },
    });
  });

  test("an agent of a read-only profile is offered no tool that changes something", async () => {
    const config = await the().selectedConfig();
    const offered = async (): Promise<readonly string[]> => {
      const stdin = agentLines.map((line) => `${JSON.stringify(line)}\n`).join("");
      const { stdout } = await the().svc("mcp --tools resources", { config, stdin });
      const answers = stdout.split("\n").filter((line) => line !== "");
      const last = JSON.parse(answers.at(-1) ?? "") as { result: { tools: { name: string }[] } };
      return last.result.tools.map(({ name }) => name);
    };
    expect(await offered()).toContain("resources_create");
    await the().svc("config set read_only true", { config });
    expect(await offered()).toContain("resources_list");
    expect(await offered()).not.toContain("resources_create");
  });
});
