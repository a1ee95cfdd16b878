import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { documentWorld } from "./documents-world.ts";
import { platformDown, type CallSettings } from "./world.ts";

/** Options of part 4.7 whose effect is in the request: what each command sends with all of them. */

const the = documentWorld();
const memberId = "01890000-0000-7000-8000-000000000000";

interface Sent {
  readonly call: string;
  readonly workspace: string | null;
  readonly body: unknown;
}

/** Runs the words against the platform, and gives the requests that they made. */
async function sent(words: readonly string[], settings: CallSettings = {}) {
  const seen: Sent[] = [];
  const called = await the().json(words, {
    currentDirectory: the().files,
    ...settings,
    fetch: async (request) => {
      const text = await request.clone().text();
      const { pathname, search } = new URL(request.url);
      seen.push({
        call: `${request.method} ${decodeURIComponent(pathname + search)}`,
        workspace: request.headers.get("x-tenant-id"),
        body: text.startsWith("{") ? JSON.parse(text) : text,
      });
      return settings.fetch === undefined
        ? await the().platform.platform.fetch(request)
        : await settings.fetch(request);
    },
  });
  return { ...called, seen };
}

test("user invite and user role set send every option", async () => {
  const { tenant } = the().platform.workspaces;
  const person = ["--first-name", "Mary", "--last-name", "Okafor", "--message", "Welcome"];
  const words = [...person, "--redirect-uri", "https://portal.example/start"];
  const body = {
    firstName: "Mary",
    lastName: "Okafor",
    message: "Welcome",
    redirectUri: "https://portal.example/start",
  };
  const invited = await sent(["user", "invite", "--email", "mary@example.org", ...words]);
  expect(invited).toMatchObject({ exitCode: 0 });
  const call = `POST /v4/platform/tenants/${tenant}/members/invite`;
  const viewer = { email: "mary@example.org", role: "tenant-viewer", ...body };
  const lookUp = `GET /v4/platform/tenants/${tenant}/users/by-email?email=mary@example.org`;
  expect(invited.seen).toMatchObject([{ call: lookUp }, { call, body: viewer }]);

  const role = ["--role", "tenant-builder", "--workspace", "tenant"];
  const set = await sent([
    ..."user role set --email ada@example.org".split(" "),
    ...role,
    ...words,
  ]);
  const builder = { email: "ada@example.org", role: "tenant-builder", ...body };
  expect(set.seen.at(-1)).toMatchObject({ call, body: builder });

  const custom = ["--role-definition-id", memberId, "--tenant", tenant];
  const defined = await sent(["user", "invite", "--email", "eve@example.org", ...custom]);
  expect(defined.seen.at(-1)).toMatchObject({ call, body: { roleDefinitionId: memberId } });

  const byId = `user role set --member-id ${memberId} --role tenant-staff`;
  const changed = await sent(byId.split(" "));
  expect(changed.seen).toMatchObject([
    {
      call: `PATCH /v4/platform/tenants/${tenant}/members/${memberId}/roles`,
      body: { role: "tenant-staff" },
    },
  ]);
});

test("workflow request sends its name and reason", async () => {
  const words = ["workflow", "request", "triage", "--display-name", "First look"];
  const { exitCode, seen } = await sent([...words, "--reason", "Many letters"]);
  expect(exitCode).toBe(0);
  expect(seen).toMatchObject([
    {
      call: "POST /v4/workflows/runtime-requests",
      body: { workflow_key: "triage", display_name: "First look", reason: "Many letters" },
    },
  ]);
});

test("chat stream sends its stage and conversation", async () => {
  const { tenant } = the().platform.workspaces;
  const conversation = "0f9c2f6e-8f43-4a53-9f9c-0c6f4c9b8a12";
  const words = ["chat", "stream", "How many?", "--workflow", "planning-assistant"];
  const { seen } = await sent([...words, "--stage", "draft", "--conversation-id", conversation], {
    fetch: platformDown,
  });
  expect(seen[0]).toMatchObject({
    call: `POST /v4/ai/chat/stream/${tenant}/planning-assistant/draft`,
    body: { message: "How many?", conversation_id: conversation },
  });
  const [plain] = (await sent(words, { fetch: platformDown })).seen;
  expect(plain?.call).toBe(`POST /v4/ai/chat/stream/${tenant}/planning-assistant/chat`);
});

test("docs index reads the storage path, then submits the job", async () => {
  const { documentId, jobId } = await the().upload("index.txt");
  expect(await the().docs(["job", jobId, "--wait"])).toMatchObject({ exitCode: 0 });
  const { exitCode, json, seen } = await sent(["docs", "index", documentId]);
  expect(exitCode).toBe(0);
  expect(seen).toMatchObject([
    { call: `GET /v4/data/documents/records/${documentId}?storage_target=resourceapi` },
    {
      call: "POST /v4/data/documents/rag-index",
      body: { documentId, storagePath: expect.stringMatching(/\w/) },
    },
  ]);
  expect(json).toMatchObject({ jobId: expect.stringMatching(/\w/) });
});

test("content-understanding apply takes a timeout of 1 to 1800", async () => {
  const digest = "0".repeat(64);
  const { tenant } = the().platform.workspaces;
  await Bun.write(join(the().files, "manifest.json"), JSON.stringify({ version: 1 }));
  await Bun.write(join(the().files, "plan.json"), JSON.stringify({ digest, tenantId: tenant }));
  const words = "content-understanding apply --file manifest.json --plan plan.json --tenant-id";
  const apply = (timeout: string) => sent([...words.split(" "), tenant, "--timeout", timeout]);
  for (const timeout of ["0", "1801", "1.5"]) {
    const { exitCode, json, seen } = await apply(timeout);
    expect({ exitCode, seen }).toEqual({ exitCode: 2, seen: [] });
    const message = `Invalid input: --timeout "${timeout}" is not a whole number from 1 to 1800`;
    expect(json).toMatchObject({ error: { code: "E305", message } });
  }
  for (const timeout of ["1", "1800"]) {
    const { seen } = await apply(timeout);
    expect(seen[0]?.call).toBe("POST /v4/data/documents/content-understanding/operations");
  }
});

test("verify calls probes the given values", async () => {
  const { json: made } = await sent(
    "workspace create --name Wood --slug wood --parent tenant".split(" "),
  );
  const child = String(field(made, "id"));
  const words = ["--workflow", "planning-assistant", "--stage", "draft", "--tenant-record", child];
  const chat = ["--include-chat", "--chat-message", "Is anybody there?"];
  const user = ["--user-email", "ada@example.org"];
  const { seen } = await sent([
    "verify",
    "calls",
    ...words,
    ...chat,
    ...user,
    "--tenant-id",
    "tenant",
  ]);
  const calls = seen.map(({ call }) => call);
  expect(calls).toContain(`GET /v4/platform/tenants/${child}/members`);
  expect(calls).toContain(`GET /v4/platform/tenants/${child}/users/by-email?email=ada@example.org`);
  const { tenant } = the().platform.workspaces;
  const asked = seen.find(
    ({ call }) => call === `POST /v4/ai/chat/${tenant}/planning-assistant/draft`,
  );
  expect(asked?.body).toMatchObject({ message: "Is anybody there?" });
});

describe("any v4 route", () => {
  const withBody = ["--data", '{"a":1}'];
  const methods: readonly [method: string, words: readonly string[]][] = [
    ["get", []],
    ["delete", []],
    ["post", withBody],
    ["patch", withBody],
    ["put", withBody],
    ["post", ["--file", "body.json"]],
    ["patch", ["--file", "body.json"]],
    ["put", ["--file", "body.json"]],
  ];
  test.each(methods)("svc publicapi %s %j sends its options", async (method, given) => {
    const { other } = the().platform.workspaces;
    await Bun.write(join(the().files, "body.json"), '{"a":1}');
    const words = ["publicapi", method, "/v4/x", ...given, "--param", "b=2", "--param", "b=3"];
    const { seen, json } = await sent([...words, "--tenant-id", other, "--include-headers"], {
      fetch: async () => Response.json({ ok: true }, { headers: { "x-tree": "elm" } }),
    });
    expect(seen).toEqual([
      {
        call: `${method.toUpperCase()} /v4/x?b=2&b=3`,
        workspace: other,
        body: given.length === 0 ? "" : { a: 1 },
      },
    ]);
    expect(json).toMatchObject({ headers: { "x-tree": "elm" }, body: { ok: true } });
  });
});
