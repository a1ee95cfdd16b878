import { describe, expect, test } from "vitest";
import { version } from "#lib/version.ts";
import { describePlatform, testBaseUrl } from "#test/support/platform.ts";

const page = { contentType: "text/html; charset=utf-8", text: "<!doctype html><title>A</title>" };
const llms = {
  contentType: "text/plain; charset=utf-8",
  text: "- [A](a.md) [B](/v4/openapi.json)",
};

describePlatform(
  "the reference",
  (the) => {
    const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
      the().platform.fetch(new Request(testBaseUrl + path, { method, headers }));

    test("comes with a strict policy and a tag", async () => {
      const response = await get("/docs/");
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(page.text);
      expect(response.headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'/,
      );
      const tag = response.headers.get("etag") ?? "";
      expect((await get("/docs/", { "if-none-match": tag })).status).toBe(304);
      expect(response.headers.get("x-request-id")).not.toBeNull();
    });

    test("is compressed for clients that accept it", async () => {
      const packed = await get("/docs/api/", { "accept-encoding": "br, gzip" });
      expect(packed.headers.get("content-encoding")).toBe("gzip");
      const bytes = new Uint8Array(await packed.arrayBuffer());
      expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(page.text);
      const plain = await get("/docs/api/", { "accept-encoding": "gzip;q=0" });
      expect(plain.headers.get("content-encoding")).toBeNull();
    });

    test("redirects to the folder of a page, because its links are relative", async () => {
      for (const [path, location] of [
        ["/docs", "docs/"],
        ["/docs/api", "api/"],
      ] as const) {
        const response = await get(path);
        expect([response.status, response.headers.get("location")]).toEqual([308, location]);
      }
    });

    describe("refuses", () => {
      test.each([
        ["/docs/none", 404],
        ["/docs/none/", 404],
        ["/docs/../v4", 404],
        ["/docs/%2e%2e/package.json", 404],
        ["/docsx", 404],
      ])("%s with %i", async (path, status) => {
        expect((await get(path)).status).toBe(status);
      });
      test("other methods", async () => {
        expect((await get("/docs/", {}, "POST")).status).toBe(405);
        expect((await get("/", {}, "DELETE")).status).toBe(405);
      });
    });

    test("names its pages for language models, with links from the root", async () => {
      const response = await get("/llms.txt");
      expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(await response.text()).toBe("- [A](/docs/a.md) [B](/v4/openapi.json)");
      expect((await get("/llms.txt", {}, "POST")).status).toBe(405);
    });

    test("is named at the root, for people and for programs", async () => {
      const shown = await get("/", { accept: "text/html,*/*" });
      expect(shown.headers.get("content-type")).toMatch(/^text\/html/);
      const text = await shown.text();
      expect(text).toContain(version);
      expect(text).toContain('href="/docs/"');
      const json = await get("/");
      expect(await json.json()).toEqual({
        name: "svc",
        version,
        docs: `${testBaseUrl}/docs/`,
        openapi: `${testBaseUrl}/v4/openapi.json`,
      });
    });
  },
  {
    options: {
      documentation: async () =>
        new Map([
          ["index.html", page],
          ["api/index.html", page],
          ["llms.txt", llms],
        ]),
    },
  },
);

describePlatform("a platform without a reference", (the) => {
  test("does not lead to one", async () => {
    const response = await the().platform.fetch(new Request(`${testBaseUrl}/docs/`));
    expect(response.status).toBe(404);
    const llms = await the().platform.fetch(new Request(`${testBaseUrl}/llms.txt`));
    expect(llms.status).toBe(404);
    const home = await the().platform.fetch(new Request(`${testBaseUrl}/`));
    expect(await home.json()).not.toHaveProperty("docs");
  });
});
