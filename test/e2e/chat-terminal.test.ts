import { afterAll, beforeAll, expect, test } from "vitest";
import { userEnvironment } from "#test/support/environment.ts";
import { startModelServer, type ModelTestServer } from "#test/support/model-server.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { startPlatform, svc, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { keys, openTerminal } from "#test/support/tty.ts";

let model: ModelTestServer;
let platform: RunningPlatform;
let home: string;
let env: Record<string, string>;

beforeAll(async () => {
  model = await startModelServer();
  platform = await startPlatform({
    hasSamples: true,
    args: [`--ai-url=${model.url}`, "--ai-chat-model=small"],
    env: { AI_API_KEY: "key" },
  });
  home = await temporaryDirectory("home");
  env = { BASE_URL_PUBLIC_API: platform.url, SVC_TOKEN: await platform.token() };
  await svc(["workspace", "select", "planning"], { home, env });
});
afterAll(async () => {
  await platform.stop();
  await model[Symbol.asyncDispose]();
});

test("Ctrl-C stops an answer, and the conversation goes on", async () => {
  await using terminal = openTerminal({
    command: await svcExecutable(),
    args: ["chat"],
    cwd: home,
    env: userEnvironment(home, env),
  });
  // The only workflow of the workspace.
  await terminal.waitFor("planning-assistant: Ctrl-C stops an answer");
  await terminal.waitFor(/^›/m);
  model.behave("stalls");
  terminal.write(`What is the answer?${keys.enter}`);
  await terminal.waitFor(/Answering, \d+ s/);
  terminal.write(keys.ctrl("c"));
  await terminal.waitFor(/Stopped\n\n›/);
  expect(terminal.text()).not.toContain("Answering");
  model.behave(undefined);
  terminal.write(`And now?${keys.enter}`);
  await terminal.waitFor("The answer is forty-two. [?]");
  await terminal.waitFor(/\[\?\]\n\n›/);
  terminal.write(keys.ctrl("c"));
  expect(await terminal.exitCode).toBe(130);
  const { stdout } = await svc(["chat", "list", "--format", "json"], { home, env });
  const { items } = JSON.parse(stdout) as { items: [{ conversation_id: string }] };
  const id = items[0].conversation_id;
  const conversation = await svc(["chat", "show", id, "--format", "json"], { home, env });
  // If the call to stop had not come, the platform would still wait for the model.
  expect(JSON.parse(conversation.stdout)).toMatchObject({
    messages: [
      { role: "user" },
      { role: "assistant", status: "incomplete" },
      { role: "user", content: "And now?" },
      { role: "assistant", status: "complete" },
    ],
  });
});

test("a workspace with several workflows needs a choice; a conversation has its own", async () => {
  const types = ["resources", "list", "shared-workflow-config"];
  const { stdout } = await svc([...types, "--jq", ".items[0].data"], { home, env });
  const data = JSON.stringify({ ...(JSON.parse(stdout) as object), workflow_key: "another" });
  const create = ["resources", "create", "shared-workflow-config", "--data", data];
  expect(await svc(create, { home, env })).toMatchObject({ exitCode: 0 });
  const command = await svcExecutable();
  const open = (...args: string[]) =>
    openTerminal({ command, args, cwd: home, env: userEnvironment(home, env) });
  await using first = open("chat");
  await first.waitFor("The workspace has another, planning-assistant");
  expect(await first.exitCode).toBe(2);
  const { stdout: id } = await svc(["chat", "list", "--jq", ".items[0].conversation_id"], {
    home,
    env,
  });
  await using second = open("chat", "--conversation-id", id.trim());
  await second.waitFor("planning-assistant: Ctrl-C stops an answer");
  second.write(keys.enter);
  expect(await second.exitCode).toBe(0);
});
