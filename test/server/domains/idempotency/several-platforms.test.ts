import { expect, test } from "vitest";
import { field, type Answered } from "#test/support/platform.ts";
import { describeSeveralPlatforms } from "#test/support/several-platforms.ts";

const badge = {
  name: "Badge",
  slug: "badge",
  properties: { code: { type: "string", unique: true } },
};

describeSeveralPlatforms("an Idempotency-Key", 2, (all) => {
  /** Sends one request to each platform at the same moment. */
  const meet = (path: string, body: unknown, key: string, tenant: string): Promise<Answered[]> => {
    const headers = { "idempotency-key": key, "x-tenant-id": tenant };
    return Promise.all(all().map((the) => the.as("tenant-admin").post(path, body, { headers })));
  };

  test("of requests that meet is in progress for one of them, also with a unique value", async () => {
    const tenant = String(all()[0]?.workspaces.tenant);
    const headers = { "x-tenant-id": tenant };
    const admin = all()[0]?.as("tenant-admin");
    const made = await admin?.post("/v4/data/resources/object-types", badge, { headers });
    expect(made?.status, made?.text).toBe(201);
    const path = `/v4/data/resources/${tenant}/badge`;
    for (const the of all()) await the.as("tenant-admin").get(path);
    const codes: unknown[] = [];
    // On a loaded machine one of two requests may end before the other begins.
    for (let round = 0; round < 20 || (codes.length === 0 && round < 400); round += 1) {
      const body = { code: `code ${round}` };
      const answers = await meet(path, body, `meets-${round}`, tenant);
      const created = answers.filter(({ status }) => status === 201);
      codes.push(...answers.filter(({ status }) => status !== 201).map(({ json }) => json));
      expect(new Set(created.map(({ text }) => text)).size).toBe(1);
      // A retry has the first response on both platforms.
      const again = await meet(path, body, `meets-${round}`, tenant);
      expect(again.map(({ text }) => text)).toEqual(again.map(() => created[0]?.text));
    }
    const others = codes.map((json) => field(json, "code"));
    expect(new Set(others)).toEqual(new Set(["request-in-progress"]));
  });

  test("of another request is reported as reused, not as the conflict of its content", async () => {
    const tenant = String(all()[0]?.workspaces.tenant);
    const path = `/v4/platform/tenants/${tenant}/children`;
    const child = (slug: string, displayName: string) => ({ slug, displayName });
    const send = (at: number, body: unknown) =>
      all()
        [at]?.as("tenant-admin")
        .post(path, body, { headers: { "idempotency-key": "other" } });
    const answers = await Promise.all([
      send(0, child("twin", "One")),
      send(1, child("twin", "Two")),
    ]);
    const refused = answers.filter((answered) => answered?.status !== 201);
    expect(refused.map((answered) => field(answered?.json, "code"))).toEqual([
      expect.stringMatching(/^(?:idempotency-key-reused|request-in-progress)$/),
    ]);
  });
});
