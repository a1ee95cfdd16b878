import { beforeAll, expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";

/** A pattern of about 1,000 steps for each character. */
const pattern = "(?:ab|cd){1,200}x$";
const text = "abcd".repeat(2_000);

describePlatform("the patterns of one request", (the) => {
  const base = () => `/v4/data/resources/${the().workspaces.tenant}/coded`;
  const codes = Array.from({ length: 8 }, (_, index) => `code${index}`);

  beforeAll(async () => {
    const properties = Object.fromEntries(codes.map((name) => [name, { type: "text", pattern }]));
    const type = { name: "Coded", slug: "coded", properties };
    const headers = { "x-tenant-id": the().workspaces.tenant };
    const made = await the()
      .as("tenant-admin")
      .post("/v4/data/resources/object-types", type, { headers });
    expect(made.status).toBe(201);
  });

  const tooLong = /is too long for the patterns of one request/;

  test("share one budget in a batch", async () => {
    const staff = the().as("tenant-staff");
    const items = Array.from({ length: 400 }, () => ({ code0: `${text}x` }));
    const answered = await staff.post(`${base()}/batch/create`, { items });
    expect(answered.text).toMatch(tooLong);
    expect(Number(field(answered.json, "succeeded"))).toBeLessThan(10);
    const alone = await staff.post(base(), { code0: `${text}x` });
    expect(alone.status).toBe(201);
  });

  test("share one budget in a record", async () => {
    const data = Object.fromEntries(codes.map((name) => [name, `${text}x`]));
    const answered = await the().as("tenant-staff").post(base(), data);
    expect(answered.status).toBe(422);
    expect(answered.text).toMatch(tooLong);
  });

  test("refuse a long text without a match in each kind of write", async () => {
    const staff = the().as("tenant-staff");
    const made = await staff.post(base(), { code0: `${text}x` });
    const place = `${base()}/${String(field(made.json, "id"))}`;
    const data = { code0: text };
    for (const refused of [
      await staff.post(base(), data),
      await staff.call("PUT", place, { body: { data, version: 1 } }),
      await staff.call("PATCH", place, { body: { data } }),
    ]) {
      expect(refused.status, refused.text).toBe(422);
      expect(refused.text).toContain("must match the pattern");
    }
  });
});
