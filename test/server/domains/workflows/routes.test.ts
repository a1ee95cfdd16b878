import { beforeAll, describe, expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { file, formOf, uploadPath } from "#test/support/document-forms.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { withAppTypes } from "../apps/world.ts";

const requests = "/v4/workflows/runtime-requests";
const wish = { tenant_id: "{tenant}", workflow_key: "wish", display_name: "Wish", reason: "Need" };
const status = "/v4/workflows/runtime/ready/status?tenant_id={tenant}";
const readiness = "/v4/integrations/builder/readiness?tenant_id={tenant}&workflow_keys=ready,none";

/** The stored facts about a workflow of this key, and its status with a part of the reason. */
const cases: readonly [
  key: string,
  stored: Readonly<Record<string, object>>,
  status: string,
  reason: string,
][] = [
  ["none", {}, "unsupported", "no workflow"],
  ["draft", { workflow: { status: "draft" } }, "blocked", "draft"],
  ["unbound", { workflow: {} }, "operator_required", "No app is bound"],
  ["lost", { workflow: {}, binding: {} }, "operator_required", "not enrolled"],
  ["off", { workflow: {}, binding: { status: "draft" }, app: {} }, "blocked", "binding"],
  ["new", { workflow: {}, binding: {}, app: {} }, "operator_required", "pending"],
  ["shut", { workflow: {}, binding: {}, app: { status: "suspended" } }, "blocked", "suspended"],
  [
    "paid",
    { workflow: { config: { requiredPlan: "pro" } }, binding: {}, app: { status: "active" } },
    "paid_upgrade_required",
    "pro",
  ],
  ["unpaid", { workflow: { config: { requiredPlan: "pro" } } }, "paid_upgrade_required", "no app"],
  [
    "busy",
    { workflow: { config: { questionsPerDay: 0 } }, binding: {}, app: { status: "active" } },
    "rate_limited",
    "allows 0",
  ],
  [
    "ready",
    { workflow: {}, binding: {}, app: { status: "active", config: { plan: "pro" } } },
    "available",
    "bound to the app",
  ],
];

describePlatform("workflows", (the) => {
  beforeAll(async () => {
    const { tenant } = the().workspaces;
    await withAppTypes(the(), tenant);
    const put = async (type: string, data: object) => {
      const path = `/v4/data/resources/${tenant}/${type}`;
      expect((await the().as("tenant-admin").post(path, data)).status).toBe(201);
    };
    for (const [key, { workflow, binding, app }] of cases) {
      const keys = { workflow_key: key, vertical_key: `app-${key}` };
      if (workflow !== undefined) {
        await put("shared-workflow-config", { workflow_key: key, ...workflow });
      }
      if (binding !== undefined) await put("vertical-product-config", { ...keys, ...binding });
      if (app !== undefined) {
        await put("tenant-vertical-enrollment", { vertical_key: keys.vertical_key, ...app });
      }
    }
  });

  describe("have a status with its reason", () => {
    test.each(cases)("%s", async (key, _stored, expected, reason) => {
      const path = `/v4/workflows/runtime/${key}/status?tenant_id=${the().workspaces.tenant}`;
      const { json } = await the().as("tenant-viewer").get(path);
      expect(json).toMatchObject({
        workflow_key: key,
        status: expected,
        reason: expect.stringContaining(reason),
      });
    });

    test.each([
      ["none", 404, "not-found"],
      ["draft", 403, "workflow-unavailable"],
      ["off", 403, "workflow-unavailable"],
      ["shut", 403, "workflow-unavailable"],
      ["paid", 403, "workflow-unavailable"],
      ["unpaid", 403, "workflow-unavailable"],
      ["busy", 429, "rate-limited"],
    ])("that chats and uploads enforce: %s", async (key, status, code) => {
      const { tenant } = the().workspaces;
      const staff = the().as("tenant-staff");
      const runtime = await staff.get(`/v4/workflows/runtime/${key}/status?tenant_id=${tenant}`);
      const told = { detail: field(runtime.json, "reason") };
      const refused = { ...told, workflowStatus: field(runtime.json, "status") };
      const question = { message: "Where?" };
      for (const path of ["chat", "chat/stream"]) {
        const asked = await staff.post(`/v4/ai/${path}/${tenant}/${key}/chat`, question);
        expect(asked).toMatchObject({ status, json: { code, ...refused } });
        expect(asked.headers.has("retry-after")).toBe(status === 429);
      }
      const rawBody = formOf(
        ["tenant_id", tenant],
        ["storage_target", "resourceapi"],
        ["processing_mode", "store_only"],
        ["vertical_key", `app-${key}`],
        ["workflow_key", key],
        ["files", file("a.txt", "A letter.", "text/plain")],
      );
      const sent = await staff.post(uploadPath, undefined, { rawBody });
      const pointers = [{ pointer: "#/workflow_key", ...told }];
      const unknown = { code: "document-context-missing", errors: pointers };
      expect(sent).toMatchObject({
        status: key === "none" ? 422 : status,
        json: { code, ...refused, ...(key === "none" ? unknown : {}) },
      });
      const byUrl = { url: "https://example.org/a.txt", vertical_key: `app-${key}` };
      const headers = { "x-tenant-id": tenant };
      const analyzed = await staff.post(
        "/v4/data/documents/classify-by-url",
        { ...byUrl, workflow_key: key },
        { headers },
      );
      expect(analyzed).toMatchObject({ status: sent.status, json: refused });
    });

    test("that names the time until a question is a day old", async () => {
      const { tenant } = the().workspaces;
      const admin = the().as("tenant-admin");
      const put = async (type: string, data: object) => {
        const path = `/v4/data/resources/${tenant}/${type}`;
        expect((await admin.post(path, data)).status).toBe(201);
      };
      const keys = { workflow_key: "daily", vertical_key: "app-daily" };
      await put("shared-workflow-config", {
        workflow_key: "daily",
        config: { questionsPerDay: 1 },
      });
      await put("vertical-product-config", keys);
      await put("tenant-vertical-enrollment", { vertical_key: "app-daily", status: "active" });
      const ask = () =>
        the().as("tenant-staff").post(`/v4/ai/chat/${tenant}/daily/chat`, { message: "Where?" });
      expect((await ask()).status).toBe(200);
      the().advance(10 * 60 * 1000);
      const refused = await ask();
      expect(refused.status).toBe(429);
      const left = 24 * 60 * 60 - Number(refused.headers.get("retry-after"));
      expect(left).toBeGreaterThanOrEqual(10 * 60);
      expect(left).toBeLessThan(20 * 60);
    });

    test("that an operator's advice does not refuse", async () => {
      const { tenant } = the().workspaces;
      const path = `/v4/ai/chat/${tenant}/new/chat`;
      expect((await the().as("tenant-staff").post(path, { message: "Where?" })).status).toBe(200);
    });

    test("that one usable app is enough for", async () => {
      const { tenant } = the().workspaces;
      const admin = the().as("tenant-admin");
      const types = `/v4/data/resources/${tenant}`;
      await admin.post(`${types}/shared-workflow-config`, { workflow_key: "twice" });
      const path = `/v4/workflows/runtime/twice/status?tenant_id=${tenant}`;
      const bind = async (app: string): Promise<unknown> => {
        const keys = { workflow_key: "twice", vertical_key: app };
        expect((await admin.post(`${types}/vertical-product-config`, keys)).status).toBe(201);
        return (await admin.get(path)).json;
      };
      expect(await bind("app-none")).toMatchObject({ status: "operator_required" });
      expect(await bind("app-ready")).toMatchObject({ status: "available" });
      expect(await bind("app-shut")).toMatchObject({ status: "available" });
    });

    test("that counts the questions of a day", async () => {
      const { tenant } = the().workspaces;
      const admin = the().as("tenant-admin");
      const types = `/v4/data/resources/${tenant}`;
      const limited = { workflow_key: "counted", config: { questionsPerDay: 1 } };
      await admin.post(`${types}/shared-workflow-config`, limited);
      const keys = { vertical_key: "app-ready", workflow_key: "counted" };
      await admin.post(`${types}/vertical-product-config`, keys);
      const path = `/v4/workflows/runtime/counted/status?tenant_id=${tenant}`;
      expect(field((await admin.get(path)).json, "status")).toBe("available");
      const asked = await admin.post(`/v4/ai/chat/${tenant}/counted/chat`, { message: "Where?" });
      expect(asked.status).toBe(200);
      const told = (await admin.get(path)).json;
      expect(told).toMatchObject({ status: "rate_limited" });
      const refused = await admin.post(`/v4/ai/chat/${tenant}/counted/chat`, { message: "When?" });
      expect(refused).toMatchObject({ status: 429, json: { detail: field(told, "reason") } });
    });

    test("whose limit holds for questions at once", async () => {
      const { tenant } = the().workspaces;
      const admin = the().as("tenant-admin");
      const types = `/v4/data/resources/${tenant}`;
      const limited = { workflow_key: "at-once", config: { questionsPerDay: 3 } };
      await admin.post(`${types}/shared-workflow-config`, limited);
      const ask = (_one: unknown, index: number) => {
        const base = index % 2 === 0 ? "/v4/ai/chat" : "/v4/ai/chat/stream";
        return admin.post(`${base}/${tenant}/at-once/chat`, { message: "Where?" });
      };
      const asked = await Promise.all(Array.from({ length: 10 }, ask));
      expect(asked.filter(({ status }) => status === 200)).toHaveLength(3);
      expect(asked.filter(({ status }) => status === 429)).toHaveLength(7);
    });
  });

  apiCases(the, [
    {
      name: "are ready or not",
      as: "tenant-viewer",
      method: "GET",
      path: readiness,
      expect: {
        status: 200,
        body: {
          items: [
            { workflow_key: "ready", ready: true, status: "available" },
            { workflow_key: "none", ready: false, status: "unsupported" },
          ],
        },
      },
    },
    {
      name: "are all of the workspace without keys",
      as: "tenant-viewer",
      method: "GET",
      path: "/v4/integrations/builder/readiness?tenant_id={tenant}",
      expect: {
        status: 200,
        body: { items: expect.arrayContaining([expect.objectContaining({ workflow_key: "new" })]) },
      },
    },
    ...[status, readiness].flatMap((path) => [
      {
        name: `are not told to a stranger: ${path}`,
        as: "outsider" as const,
        method: "GET",
        path,
        expect: { status: 404, code: "not-found" as const },
      },
      {
        name: `are not told without a token: ${path}`,
        as: "nobody" as const,
        method: "GET",
        path,
        expect: { status: 401, code: "unauthenticated" as const },
      },
      {
        name: `need a workspace: ${path}`,
        method: "GET",
        path: path.replace("tenant_id={tenant}", "tenant_id=x"),
        expect: { status: 422, pointers: ["#/query/tenant_id"] },
      },
    ]),
    {
      name: "are requested by staff",
      as: "tenant-staff",
      method: "POST",
      path: requests,
      body: wish,
      expect: { status: 201, body: { workflow_key: "wish", status: "accepted" } },
    },
    {
      name: "are requested once: a second request has the id of the first",
      as: "tenant-admin",
      method: "POST",
      path: requests,
      body: { ...wish, reason: "Again" },
      expect: { status: 201, body: { workflow_key: "wish" } },
      after: async (platform, { json }) => {
        const { tenant: tenant_id } = platform.workspaces;
        const again = await platform.as("tenant-staff").post(requests, { ...wish, tenant_id });
        expect(field(again.json, "requestId")).toBe(field(json, "requestId"));
      },
    },
    {
      name: "are not requested by viewers",
      as: "tenant-viewer",
      method: "POST",
      path: requests,
      body: wish,
      expect: { status: 403, body: { requiredRole: "tenant-staff" } },
    },
    {
      name: "are not requested without a token",
      as: "nobody",
      method: "POST",
      path: requests,
      body: wish,
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      name: "are not requested from another workspace",
      as: "outsider",
      method: "POST",
      path: requests,
      body: wish,
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "that are available are not requested",
      method: "POST",
      path: requests,
      body: { ...wish, workflow_key: "ready" },
      expect: { status: 409, code: "conflict" },
    },
    {
      name: "are requested with the members of the specification only",
      method: "POST",
      path: requests,
      body: { tenant_id: "x", workflow_key: "", reason: " ", more: 1 },
      expect: {
        status: 422,
        pointers: ["#/tenant_id", "#/workflow_key", "#/reason", "#/more"],
      },
    },
  ]);
});
