import { expect, test } from "vitest";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { makeRecord } from "../records/routes/ledger.ts";
import { enroll, enrolledPortal } from "./portal.ts";

const base = "/v4/verticals";

function tenantOf(the: TestPlatform) {
  return { headers: { "x-tenant-id": the.workspaces.tenant } };
}

describePlatform("the declared routes of a product", (the) => {
  test("leave properties as they are that a replacement does not name", async () => {
    await enrolledPortal(the());
    const { reference, id } = await makeRecord(the(), { title: "before", amount: 5 });
    const staff = the().as("tenant-staff");
    const path = `${base}/portal/entries/${reference}`;
    const replaced = await staff.put(path, { number: reference }, tenantOf(the()));
    expect(replaced.status, replaced.text).toBe(200);
    const read = await staff.get(`/v4/data/resources/${the().workspaces.tenant}/ledger/${id}`);
    expect(field(read.json, "data")).toMatchObject({ reference, amount: 5 });
    expect(field(read.json, "data")).not.toHaveProperty("title");
  });

  test("show no record outside their fixed filter, and none of another workspace", async () => {
    await enrolledPortal(the());
    const { reference } = await makeRecord(the(), { status: "closed" });
    const path = `${base}/portal/entries/${reference}`;
    const hidden = await the().as("tenant-admin").get(path, tenantOf(the()));
    expect(hidden.status).toBe(404);
    const headers = { "x-tenant-id": the().workspaces.other };
    const elsewhere = await the().as("outsider").get(path, { headers });
    expect(field(elsewhere.json, "code")).toBe("vertical-not-enrolled");
  });

  test("are an OpenAPI document, whose paths are those of the product", async () => {
    await enrolledPortal(the());
    const path = `${base}/portal?openapi=true`;
    const { json } = await the().as("tenant-viewer").get(path, tenantOf(the()));
    const { openapi, paths } = field(json, "openapi") as { openapi: string; paths: object };
    expect(openapi).toMatch(/^3\.1/);
    expect(Object.keys(paths)).toEqual(
      ["entries", "entries/{number}", "entries/{number}/closing", "questions"].map(
        (each) => `${base}/portal/${each}`,
      ),
    );
    expect(paths).toMatchObject({
      [`${base}/portal/entries`]: {
        get: { operationId: "getEntries" },
        post: {
          requestBody: { content: { "application/json": { schema: { required: ["number"] } } } },
        },
      },
    });
  });

  test("repeat a creation under its key once", async () => {
    await enrolledPortal(the());
    const staff = the().as("tenant-staff");
    const headers = { ...tenantOf(the()).headers, "idempotency-key": "twice" };
    const body = { number: "under one key" };
    const [one, other] = [
      await staff.post(`${base}/portal/entries`, body, { headers }),
      await staff.post(`${base}/portal/entries`, body, { headers }),
    ];
    expect(other.json).toEqual(one.json);
  });

  test("list texts as people read them, or by code points", async () => {
    await enrolledPortal(the());
    const titles = ["apfel", "Zar", "Äpfel"];
    const made = await Promise.all(titles.map((title) => makeRecord(the(), { title })));
    const where = JSON.stringify({ number: { $in: made.map(({ reference }) => reference) } });
    const listed = async (more: string): Promise<unknown[]> => {
      const path = `${base}/portal/entries?sort=label&where=${where}${more}`;
      const { json } = await the().as("tenant-viewer").get(path, tenantOf(the()));
      const items = field(json, "items");
      return Array.isArray(items) ? items.map((item) => field(field(item, "data"), "label")) : [];
    };
    const asRead = ["apfel", "Äpfel", "Zar"];
    expect(await listed("")).toEqual(asRead);
    expect(await listed("&collation=text")).toEqual(asRead);
    expect(await listed("&collation=binary")).toEqual(["Zar", "apfel", "Äpfel"]);
  });

  test("hold to their filter and their types, whatever a path or a body has", async () => {
    const type = "ledger";
    const choice = { anyOf: Array.from({ length: 300 }, (_, at) => ({ const: at })) };
    await enroll(the(), "strict", [
      { method: "GET", path: "amounts/{amount}", type },
      {
        method: "POST",
        path: "drafts",
        type,
        where: { $and: [{ status: { $eq: "open" } }] },
        body: { type: "object", properties: { many: { type: "array", items: choice } } },
      },
    ]);
    const staff = the().as("tenant-staff");
    await makeRecord(the(), { title: "without an amount" });
    for (const amount of ["none", "0x10", "%20", "1e999", "null", "1%2F2", "..%2f..%2fledger"]) {
      const found = await staff.get(`${base}/strict/amounts/${amount}`, tenantOf(the()));
      expect(found.status, amount).toBe(404);
    }
    const body = { reference: "strict", status: "closed" };
    const made = await staff.post(`${base}/strict/drafts`, body, tenantOf(the()));
    expect(field(made.json, "data"), made.text).toMatchObject({ status: "open" });
    const many = Array.from({ length: 1_000 }, () => 0);
    const large = await staff.post(`${base}/strict/drafts`, { many }, tenantOf(the()));
    expect(large.json).toMatchObject({ code: "content-too-large" });
  });

  test("never give more than the caller's role", async () => {
    await enrolledPortal(the());
    const body = { number: "of a viewer" };
    const refused = await the()
      .as("tenant-viewer")
      .post(`${base}/portal/entries`, body, tenantOf(the()));
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({ requiredRole: "tenant-staff" });
  });

  test("are named with the reason where a declaration is wrong", async () => {
    const type = "ledger";
    await enroll(the(), "faulty", [
      { method: "GET", path: "entries", type },
      { method: "GET", path: "entries", type },
      { method: "POST", path: "entries", type, body: { type: "string", pattern: "(a+)+$" } },
    ]);
    const shown = await the().as("tenant-viewer").get(`${base}/faulty`, tenantOf(the()));
    expect(shown.json).toMatchObject({
      routes: [{ method: "GET", path: "entries" }],
      faults: [
        { pointer: "#/config/routes/1", detail: "is declared twice" },
        { pointer: "#/config/routes/2/body" },
      ],
    });
    await enroll(the(), "unclear", [{ method: "GET", path: "entries" }]);
    const unclear = await the().as("tenant-viewer").get(`${base}/unclear`, tenantOf(the()));
    expect(unclear.json).toMatchObject({
      routes: [],
      faults: [{ pointer: "#/config/routes/0" }],
    });
  });

  test("name the methods of a path that has others", async () => {
    await enrolledPortal(the());
    const refused = await the()
      .as("tenant-staff")
      .delete(`${base}/portal/entries`, tenantOf(the()));
    expect(refused.status).toBe(405);
    expect(refused.headers.get("allow")).toBe("GET, POST");
  });
});
