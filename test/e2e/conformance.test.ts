import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { called, connectAgent } from "#test/support/agent-client.ts";
import { userEnvironment } from "#test/support/environment.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { startPlatform } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { finished } from "../../scripts/build/finished.ts";

/** Scenarios of the public conformance suite that this server passes. */
const passed = [
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-embedded-resource",
  "tools-call-error",
  "resources-list",
  "resources-read-text",
  "resources-templates-read",
  "dns-rebinding-protection",
];

const noSampling = "no tool asks the client for a model's answer";
const noElicitation = "no tool asks the user for input";
const noPrompts = "the server declares no prompts";
const noSessions = "the server keeps no session: each message is complete";

/** The other scenarios, each with the reason why it does not apply. */
const inapplicable: Readonly<Record<string, string>> = {
  "logging-set-level": "the server declares no logging, and sends no log messages",
  "completion-complete": "the server declares no completions",
  "tools-call-audio": "no file is shown as audio; models take text and images",
  "tools-call-mixed-content": "an answer is text or one file",
  "tools-call-with-logging": "the server declares no logging, and sends no log messages",
  "tools-call-with-progress": "needs a job of more than 1 s; test/mcp/call-tool.test.ts has one",
  "tools-call-sampling": noSampling,
  "tools-call-elicitation": noElicitation,
  "json-schema-2020-12": "asks for one fixed schema; test/mcp/tools.test.ts reads all schemas",
  "elicitation-sep1034-defaults": noElicitation,
  "elicitation-sep1330-enums": noElicitation,
  "server-sse-polling": noSessions,
  "server-sse-multiple-streams": noSessions,
  "resources-read-binary": "a resource is JSON or text; files come as answers of tools",
  "resources-subscribe": "the server declares no subscriptions",
  "resources-unsubscribe": "the server declares no subscriptions",
  "prompts-list": noPrompts,
  "prompts-get-simple": noPrompts,
  "prompts-get-with-args": noPrompts,
  "prompts-get-embedded-resource": noPrompts,
  "prompts-get-with-image": noPrompts,
};

const scenarioProgram = resolve(import.meta.dirname, "conformance-program.ts");
const suite = resolve("node_modules/@modelcontextprotocol/conformance/dist/index.js");
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

let platform: RunningPlatform;
let proxy: Bun.Server<undefined>;
let home: string;

beforeAll(async () => {
  platform = await startPlatform({ hasSamples: true });
  home = await temporaryDirectory("home");
  const token = await platform.token();
  const given = await translations(token);
  // The suite sends no token, and the names of the reference server's tools and resources.
  proxy = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set("authorization", `Bearer ${token}`);
      const { method } = request;
      const sent = await request.text();
      const body = sent.startsWith("{") ? translated(sent, given) : sent;
      headers.delete("content-length");
      const init = { method, headers, ...(body === "" ? {} : { body }) };
      return await fetch(platform.url + pathname + search, init);
    },
  });
});
afterAll(async () => {
  await Promise.all([proxy.stop(true), platform.stop()]);
});

interface Translations {
  readonly tools: Readonly<Record<string, { name: string; arguments: Record<string, unknown> }>>;
  readonly resources: Readonly<Record<string, string>>;
}

/** This server's tools and resources that do what the suite expects of the reference server's. */
async function translations(token: string): Promise<Translations> {
  const asker = await connectAgent(platform.url, { token });
  const { items } = await called(asker, "identity_tenants", {});
  await asker.close();
  const workspace = (items as { slug: string; id: string }[]).find(
    ({ slug }) => slug === "planning",
  )!.id;
  const client = await connectAgent(platform.url, { token, workspace });
  const listed = await called(client, "resources_list", {
    objectType: "planning-application",
    limit: 1,
  });
  const [application] = listed["items"] as { id: string }[];
  const sent = async (file: Record<string, string>): Promise<string> => {
    const { documentId, jobId } = await called(client, "documents_upload", {
      body: { processing_mode: "full", planning_application_id: application?.id },
      files: [file],
    });
    await called(client, "documents_job", { jobId, waitSeconds: 30 });
    return String(documentId);
  };
  const [text, image] = await Promise.all([
    sent({ filename: "tree.txt", contentType: "text/plain", text: "Tree 123 is an elm." }),
    sent({ filename: "pixel.png", contentType: "image/png", base64: pixel }),
  ]);
  await client.close();
  const content = (documentId: string) => ({
    name: "documents_content",
    arguments: { tenantId: workspace, documentId },
  });
  const page = `svc://${workspace}/documents/${text}/pages/1`;
  return {
    tools: {
      test_simple_text: { name: "identity_me", arguments: {} },
      test_image_content: content(image),
      test_embedded_resource: content(text),
      test_error_handling: {
        name: "resources_list",
        arguments: { tenantId: workspace, objectType: "no-such-type" },
      },
    },
    resources: { "test://static-text": page, "test://template/123/data": page },
  };
}

interface Message {
  readonly params?: { readonly name?: string; readonly uri?: string };
}

function translated(text: string, { tools, resources }: Translations): string {
  const message = JSON.parse(text) as Message;
  const { name, uri } = message.params ?? {};
  const tool = name === undefined ? undefined : tools[name];
  const resource = uri === undefined ? undefined : resources[uri];
  if (tool !== undefined) return JSON.stringify({ ...message, params: tool });
  if (resource !== undefined) return JSON.stringify({ ...message, params: { uri: resource } });
  return text;
}

async function conformance(program: string, words: readonly string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, program, ...words], {
    cwd: await temporaryDirectory("conformance"),
    env: userEnvironment(home),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  const { stdout, exitCode } = await finished(child);
  expect(exitCode, stdout).toBe(0);
  return stdout;
}

interface Ran {
  readonly scenario: string;
  readonly exitCode: number;
  readonly stdout: string;
}

let results: Promise<readonly Ran[]> | undefined;

/** All scenarios that pass, which run once, in one process. */
async function scenarioResults(): Promise<readonly Ran[]> {
  const address = `http://localhost:${proxy.port}/mcp`;
  const stdout = await conformance(scenarioProgram, [address, ...passed]);
  const lines = stdout.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Ran);
}

test("each scenario of the suite is run, or has a reason why it does not apply", async () => {
  const listed = await conformance(suite, ["list", "--server"]);
  const known = [...listed.matchAll(/^ {2}- (\S+)/gm)].map(([, name = ""]) => name);
  expect([...passed, ...Object.keys(inapplicable)].toSorted()).toEqual(known.toSorted());
});

test.each(passed)("the server passes %s", async (scenario) => {
  results ??= scenarioResults();
  const result = (await results).find((each) => each.scenario === scenario);
  // A scenario that checked nothing has passed "0/0".
  expect(result).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/),
  });
});
