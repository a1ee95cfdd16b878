import { afterAll, beforeAll, expect, test } from "vitest";
import { maximumPageBytes } from "#contract/limits.ts";
import { describePlatform } from "#test/support/platform.ts";

const large = 900_000;

describePlatform(
  "many large pages at once",
  (the) => {
    const base = () => `/v4/data/resources/${the().workspaces.tenant}`;
    const unread: Response[] = [];

    beforeAll(async () => {
      const admin = the().as("tenant-admin");
      const headers = { "x-tenant-id": the().workspaces.tenant };
      const properties = { text: { type: "text" } };
      const type = { name: "Large", slug: "large", properties };
      expect((await admin.post("/v4/data/resources/object-types", type, { headers })).status).toBe(
        201,
      );
      for (let number = 0; number < 9; number += 1) {
        const made = await admin.post(`${base()}/large`, { text: "x".repeat(large) });
        expect(made.status).toBe(201);
      }
      const id = await firstId();
      for (let number = 0; number < 10; number += 1) {
        const data = { text: String(number % 10).repeat(large) };
        const changed = { version: number + 1, data };
        const put = await admin.put(`${base()}/large/${id}`, changed);
        expect(put.status).toBe(200);
      }
    });

    afterAll(async () => {
      for (const response of unread) await response.body?.cancel();
    });

    const firstId = async (): Promise<string> => {
      const { json } = await the().as("tenant-viewer").get(`${base()}/large?limit=1`);
      return String((json as { items: { id: string }[] }).items[0]?.id);
    };

    test("a page of history ends at its bytes, and its cursor leads on", async () => {
      const viewer = the().as("tenant-viewer");
      const id = await firstId();
      const versions: number[] = [];
      const sizes: number[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const from = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        const { json, text } = await viewer.get(`${base()}/large/${id}/history?limit=100${from}`);
        const page = json as { items: { version: number }[]; nextCursor: string | null };
        versions.push(...page.items.map(({ version }) => version));
        sizes.push(text.length);
        cursor = page.nextCursor;
      }
      expect(versions).toEqual(Array.from({ length: 11 }, (_, at) => 11 - at));
      expect(sizes.length).toBeGreaterThan(1);
      expect(Math.max(...sizes)).toBeLessThan(maximumPageBytes + 10_000);
    });

    test("are refused for now where their bytes are too many, and come when others have theirs", async () => {
      const viewer = the().as("tenant-viewer");
      const list = `${base()}/large?limit=500`;
      for (let number = 0; number < 2; number += 1) {
        const response = await viewer.fetch("GET", list);
        expect(response.status).toBe(200);
        unread.push(response);
      }
      const refused = await viewer.get(list);
      expect(refused.status).toBe(503);
      expect(refused.json).toMatchObject({ code: "overloaded", retryable: true });
      expect(refused.headers.get("retry-after")).toBe("1");
      const queried = await viewer.post(`${base()}/query`, { types: ["large"], limit: 500 });
      expect(queried.status).toBe(503);
      expect((await viewer.get("/v4/identity/me")).status).toBe(200);
      await Promise.all(unread.splice(0).map((response) => response.text()));
      expect((await viewer.get(list)).status).toBe(200);
    });
  },
  // A quarter is the share of one workspace.
  { limits: { answerBytes: 80_000_000 } },
);
