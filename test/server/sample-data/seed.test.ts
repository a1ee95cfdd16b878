import { expect, test } from "vitest";
import { sampleDocuments } from "#server/sample-data/sample-documents.ts";
import { seedSampleData } from "#server/sample-data/seed.ts";
import type { SampleDataTarget } from "#server/sample-data/caller.ts";
import { describePlatform, field, testBaseUrl, type TestPlatform } from "#test/support/platform.ts";

interface Item {
  readonly id: string;
  readonly version: number;
  readonly data: Readonly<Record<string, unknown>>;
}

describePlatform("the sample data", (the) => {
  test("is created once, and a second run changes nothing", { timeout: 60_000 }, async () => {
    const first = await seed(the());
    const seen = await look(the(), first.planningId, first.licensingId);
    expect(seen.counts).toEqual({
      planning: {
        "assess-case": 5,
        "business-request": 5,
        "planning-application": 42,
        "shared-ai-profile": 1,
        "shared-chatbot-config": 1,
        "shared-workflow-config": 1,
        "tenant-vertical-enrollment": 1,
        "vertical-product-config": 1,
      },
      licensing: {
        licence: 17,
        "shared-ai-profile": 1,
        "shared-chatbot-config": 1,
        "shared-workflow-config": 1,
        "tenant-vertical-enrollment": 1,
        "vertical-product-config": 1,
      },
    });
    expect(seen.members).toEqual([
      "tenant-admin",
      "tenant-builder",
      "tenant-staff",
      "tenant-viewer",
    ]);
    expect(seen.documents).toBe(sampleDocuments.length);

    expect(await seed(the())).toEqual(first);
    expect(await look(the(), first.planningId, first.licensingId)).toEqual(seen);
  });

  test("has the applications of its documents", async () => {
    const { planningId } = await seed(the());
    const page = await the()
      .as("system-admin")
      .get(`/v4/data/resources/${planningId}/planning-application?sort=-reference&limit=3`);
    expect((field(page.json, "items") as Item[]).map(({ data }) => data)).toMatchObject([
      {
        reference: "PA-2026-0042",
        address: "18 Quay Street, Northwind NW4 1QS",
        status: "open",
        officer: "m.okafor@northwind.example",
        applicant: "Harbour Lofts Ltd",
        dwellings: 12,
      },
      {
        reference: "PA-2026-0041",
        address: "The Old Granary, Granary Lane, Northwind NW6 8GL",
        status: "decided",
        decided: "2026-10-02",
        applicant: "Tom Ashdown",
      },
      { reference: "PA-2026-0040", applicant: "Northwind Allotment Society", fee: 293 },
    ]);
  });

  test("that the platform refuses is a catalog error with the reason", async () => {
    const target = targetOf(the());
    const full = {
      type: "/problems/storage-full",
      title: "There is no space left",
      status: 507,
      detail: "There is no space left to store it.",
      code: "storage-full",
      instance: "/",
      requestId: "r-1",
      retryable: true,
    };
    const fetch = (request: Request): Promise<Response> =>
      request.url.includes("/object-types")
        ? Promise.resolve(Response.json(full, { status: 507 }))
        : target.fetch(request);
    await expect(
      seedSampleData({ ...target, fetch, whenRefused: "Make room" }),
    ).rejects.toMatchObject({
      code: "E203",
      message:
        "Platform API error: the sample data cannot be created: There is no space left to store " +
        "it (507 at GET /v4/data/resources/object-types?limit=500)",
      hint: "Make room",
    });
  });

  test("is completed by another run", { timeout: 60_000 }, async () => {
    const { planningId } = await seed(the());
    const admin = the().as("system-admin");
    const path = `/v4/data/resources/${planningId}/assess-case`;
    const where = encodeURIComponent('{"reference":"AC-2026-0003"}');
    const page = await admin.get(`${path}?where=${where}`);
    const [lost] = field(page.json, "items") as Item[];
    expect((await admin.delete(`${path}/${lost?.id ?? ""}`)).status).toBe(204);
    await seed(the());
    const again = await admin.get(`${path}?where=${where}&count=true`);
    expect(again.json).toMatchObject({ total: 1, items: [{ data: lost?.data }] });
  });
});

function targetOf(the: TestPlatform): SampleDataTarget {
  return {
    baseUrl: testBaseUrl,
    token: the.users["system-admin"].token,
    fetch: (request) => the.platform.fetch(request),
    admit: (secret) => the.platform.services.invitations.admit(secret),
  };
}

async function seed(the: TestPlatform): ReturnType<typeof seedSampleData> {
  return seedSampleData(targetOf(the));
}

/** The data that a second run could change. */
async function look(the: TestPlatform, planningId: string, licensingId: string) {
  const admin = the.as("system-admin");
  const countsOf = async (id: string): Promise<Record<string, unknown>> => {
    const schema = await admin.get(`/v4/data/resources/schema/${id}`);
    const types = field(schema.json, "objectTypes") as { slug: string; recordCount: number }[];
    return Object.fromEntries(types.map(({ slug, recordCount }) => [slug, recordCount]));
  };
  const members = await admin.get(`/v4/platform/tenants/${planningId}/members?limit=500`);
  const people = field(members.json, "items") as { role: string }[];
  const documents = await admin.get("/v4/data/documents/records?count=true", {
    headers: { "x-tenant-id": planningId },
  });
  const records = await admin.get(
    `/v4/data/resources/${planningId}/planning-application?limit=500&sort=id`,
  );
  return {
    counts: { planning: await countsOf(planningId), licensing: await countsOf(licensingId) },
    members: [...new Set(people.map(({ role }) => role))].toSorted(),
    memberCount: people.length,
    documents: field(documents.json, "total"),
    versions: (field(records.json, "items") as Item[]).map(({ id, version }) => [id, version]),
  };
}
