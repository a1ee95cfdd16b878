import { describe, expect, test } from "vitest";
import { describePlatform, testBaseUrl } from "#test/support/platform.ts";

describePlatform("the way to the sign-in", (the) => {
  const fetchPath = (path: string, init: RequestInit = {}) =>
    the().platform.fetch(new Request(testBaseUrl + path, init));
  const message = {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  };

  test("a request without a token, or with a wrong one, is sent to the metadata", async () => {
    const metadata = `${testBaseUrl}/.well-known/oauth-protected-resource/mcp`;
    const without = await fetchPath("/mcp", message);
    expect(without.status).toBe(401);
    expect(without.headers.get("www-authenticate")).toBe(
      `Bearer realm="svc", resource_metadata="${metadata}"`,
    );
    const headers = { ...message.headers, authorization: "Bearer eyJ.not.valid" };
    const wrong = await fetchPath("/mcp", { ...message, headers });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get("www-authenticate")).toMatch(
      /error="invalid_token".*resource_metadata=/,
    );
  });

  test("the metadata name the resource and its authorization server", async () => {
    for (const path of ["", "/mcp"]) {
      const response = await fetchPath(`/.well-known/oauth-protected-resource${path}`);
      expect(await response.json()).toMatchObject({
        resource: testBaseUrl + path,
        authorization_servers: [`${testBaseUrl}/auth`],
        bearer_methods_supported: ["header"],
      });
    }
    const server = await fetchPath("/.well-known/oauth-authorization-server/auth");
    expect(await server.json()).toMatchObject({
      issuer: `${testBaseUrl}/auth`,
      code_challenge_methods_supported: ["S256"],
    });
  });

  test("other methods and other sites are refused", async () => {
    const authorization = `Bearer ${the().users["tenant-viewer"].token}`;
    expect((await fetchPath("/mcp", { headers: { authorization } })).status).toBe(405);
    const headers = { ...message.headers, authorization, origin: "https://evil.example" };
    expect((await fetchPath("/mcp", { ...message, headers })).status).toBe(403);
    expect((await fetchPath("/.well-known/other")).status).toBe(404);
    expect((await fetchPath("/mcpx")).status).toBe(404);
  });

  describe("hostile messages", () => {
    test.each(["", "[]", "null", "{", '{"jsonrpc":"1.0"}', "[".repeat(100_000)])(
      "the body %.10s is an error of the client",
      async (body) => {
        const headers = {
          ...message.headers,
          authorization: `Bearer ${the().users["tenant-viewer"].token}`,
        };
        const response = await fetchPath("/mcp", { method: "POST", headers, body });
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(response.status).toBeLessThan(500);
        expect(await response.text()).not.toMatch(/\bat \/|node_modules/);
      },
    );
  });
});
