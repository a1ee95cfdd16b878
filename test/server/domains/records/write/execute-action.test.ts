import { describe, expect, test } from "vitest";
import { apiCases, type ApiCase } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { newMember } from "../../members/world.ts";
import { makeRecord } from "../routes/ledger.ts";

const path = "/v4/data/resources/{tenant}/ledger/{id}/actions/close";
const by = { parameters: { by: "Ann" } };

function asked(
  name: string,
  body: object,
  wanted: Partial<ApiCase> & Pick<ApiCase, "expect">,
): ApiCase {
  return {
    name,
    as: "tenant-staff",
    method: "POST",
    path,
    body,
    before: (the) => makeRecord(the, { title: "case", amount: 5 }),
    ...wanted,
  };
}

describePlatform("actions", (the) => {
  test("a role without resources.get gets no data of the record", async () => {
    const platform = the();
    const { tenant } = platform.workspaces;
    const admin = platform.as("tenant-admin");
    const role = await admin.post(`/v4/platform/tenants/${tenant}/role-definitions`, {
      key: `actor-${crypto.randomUUID().slice(0, 8)}`,
      displayName: "Actor",
      permissions: ["resources.executeAction"],
    });
    const roleDefinitionId = String(field(role.json, "id"));
    const { call } = await newMember(platform, tenant, { roleDefinitionId });
    const { id } = await makeRecord(platform, { title: "hidden title", amount: 5 });
    const place = `/v4/data/resources/${tenant}/ledger/${id}`;
    expect((await call.get(place)).status).toBe(403);
    const headers = { "idempotency-key": crypto.randomUUID() };
    for (const _ of ["first", "repeated"]) {
      const acted = await call.post(`${place}/actions/flag`, {}, { headers });
      expect(acted.status).toBe(200);
      expect(acted.json).toEqual({ id, type: "ledger", version: 2, data: {} });
    }
    const refused = await call.post(`${place}/actions/restart`, {});
    expect(refused).toMatchObject({ status: 409, json: { code: "conflict" } });
    expect(refused.text).not.toContain("status is");
    expect(refused.json).not.toHaveProperty("currentState");
  });

  describe("who may", () => {
    const escalate = path.replace("close", "escalate");
    apiCases(the, [
      asked(
        "a builder's action is refused to staff",
        {},
        {
          path: escalate,
          expect: {
            status: 403,
            code: "permission-denied",
            body: { requiredRole: "tenant-builder", currentRole: "tenant-staff" },
          },
        },
      ),
      asked(
        "a builder's action is a builder's",
        {},
        {
          as: "tenant-builder",
          path: escalate,
          expect: { status: 200, body: { version: 2, data: { urgent: true } } },
        },
      ),
      asked(
        "a viewer's action is a viewer's",
        {},
        {
          as: "tenant-viewer",
          path: path.replace("close", "flag"),
          expect: { status: 200, body: { version: 2, data: { urgent: true } } },
        },
      ),
    ]);
  });

  apiCases(the, [
    asked("moves the state, sets the values of the action, and keeps the rest", by, {
      expect: {
        status: 200,
        headers: { etag: '"2"' },
        body: {
          type: "ledger",
          version: 2,
          data: { title: "case", amount: 5, status: "closed", decidedBy: "Ann", urgent: false },
        },
      },
      after: async (platform, answered) => {
        const { tenant } = platform.workspaces;
        const place = `/v4/data/resources/${tenant}/ledger/${String(field(answered.json, "id"))}`;
        const stored = await platform.as("tenant-viewer").get(place);
        expect(stored.json).toEqual(answered.json);
        const history = await platform.as("tenant-viewer").get(`${place}/history`);
        expect(history.json).toMatchObject({
          items: [
            { version: 2, operation: "close", actor: platform.users["tenant-staff"].oid },
            { version: 1, operation: "create" },
          ],
        });
      },
    }),
    asked(
      "takes the version that it was decided from",
      { ...by, version: 1 },
      {
        expect: { status: 200, body: { version: 2 } },
      },
    ),
    asked(
      "refuses a version that is not current",
      { ...by, version: 2 },
      {
        expect: { status: 409, code: "version-conflict", body: { currentVersion: 1 } },
      },
    ),
    asked("refuses another version in If-Match", by, {
      headers: { "if-match": '"7"' },
      expect: { status: 412, code: "precondition-failed" },
    }),
    asked("refuses a state that it does not start from", by, {
      before: (platform) => makeRecord(platform, { status: "closed" }),
      expect: {
        status: 409,
        code: "conflict",
        body: {
          property: "status",
          currentState: "closed",
          allowedStates: ["open", "review"],
          detail: 'Cannot close this record: its status is "closed", not "open" or "review"',
        },
      },
    }),
    asked("finds no action that the type has not", by, {
      path: path.replace("close", "reopen"),
      expect: { status: 404, code: "not-found" },
    }),
    asked(
      "refuses parameters that do not fit",
      { parameters: { by: "far too long a name", x: 1 } },
      {
        expect: {
          status: 422,
          code: "validation-failed",
          pointers: ["#/parameters/by", "#/parameters/x"],
        },
      },
    ),
    asked(
      "refuses a parameter that is missing",
      {},
      {
        expect: { status: 422, pointers: ["#/parameters/by"] },
      },
    ),
    asked(
      "refuses what it does not know",
      { by: "Ann" },
      {
        expect: { status: 422, pointers: ["#/by"] },
      },
    ),
  ]);

  test("runs once of twenty at the same time", async () => {
    const { id } = await makeRecord(the());
    const place = `/v4/data/resources/${the().workspaces.tenant}/ledger/${id}`;
    const user = the().as("tenant-staff");
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => user.post(`${place}/actions/close`, by)),
    );
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(field((await user.get(place)).json, "version")).toBe(2);
  });

  test("with an Idempotency-Key answers a retry like the first request", async () => {
    const { id } = await makeRecord(the());
    const place = `/v4/data/resources/${the().workspaces.tenant}/ledger/${id}/actions/close`;
    const headers = { "idempotency-key": crypto.randomUUID() };
    const user = the().as("tenant-staff");
    const first = await user.post(place, by, { headers });
    const second = await user.post(place, by, { headers });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.json).toEqual(first.json);
  });

  test("is refused in a definition that sets a value without a parameter", async () => {
    const made = await the()
      .as("tenant-builder")
      .post(
        "/v4/data/resources/object-types",
        {
          name: "Odd",
          slug: "odd",
          properties: { note: { type: "string" } },
          actions: [{ name: "go", set: { note: { $parameter: "text" } } }],
        },
        { headers: { "x-tenant-id": the().workspaces.tenant } },
      );
    expect(made.json).toMatchObject({ status: 422, errors: [{ pointer: "#/actions/0/set/note" }] });
  });
});
