import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkedPath } from "#client/request/request.ts";
import { sized } from "#test/support/size.ts";
import { clientOf, errorOf, problem, serve, tenantId } from "../servers.ts";

describe("any v4 route", () => {
  it("keeps path, query, body, status and workspace as they are", async () => {
    const server = serve(() => problem(403, "permission-denied"));
    const client = clientOf(server);
    const response = await client.request("post", "/v4/geo/resolve-location?x=1", {
      query: [
        ["tag", "a b&c"],
        ["tag", "ü"],
      ],
      body: '{"query":"quay"}',
    });
    expect(response.status).toBe(403);
    expect(response.bodyUsed).toBe(false);
    const [request] = server.seen;
    expect(request?.method).toBe("POST");
    expect(request?.path).toBe("/v4/geo/resolve-location?x=1&tag=a+b%26c&tag=%C3%BC");
    expect(request?.body).toBe('{"query":"quay"}');
    expect(request?.headers.get("content-type")).toBe("application/json");
    expect(request?.headers.get("x-tenant-id")).toBe(tenantId);
  });

  it("sends the given idempotency key", async () => {
    const server = serve(() => Response.json({}));
    const options = { body: "{}", idempotencyKey: "one-2" };
    await clientOf(server).request("POST", "/v4/x", options);
    expect(server.seen[0]?.headers.get("idempotency-key")).toBe("one-2");
  });

  it.each(["", "a b", "a\nb", "ä", "x".repeat(256)])(
    "refuses the idempotency key %j, which no header can carry",
    async (idempotencyKey) => {
      const server = serve(() => Response.json({}));
      const failed = await errorOf(clientOf(server).request("POST", "/v4/x", { idempotencyKey }));
      expect(failed).toMatchObject({ code: "E305" });
      expect(server.seen).toHaveLength(0);
    },
  );

  it("streams bytes with their length", async () => {
    const server = serve(() => Response.json({}));
    const content = new Blob([new Uint8Array(100_000).fill(120)]);
    await clientOf(server).request("PUT", "/v4/x/y", {
      body: content,
      contentType: "application/pdf",
    });
    expect(server.seen[0]?.headers.get("content-length")).toBe("100000");
    expect(server.seen[0]?.headers.get("content-type")).toBe("application/pdf");
    expect(server.seen[0]?.body.length).toBe(100_000);
  });

  it.each([
    ["", "E305"],
    ["v4/x", "E305"],
    ["/v3/x", "E305"],
    ["/V4/x", "E305"],
    ["/v4", "E305"],
    ["//evil.example/v4/x", "E305"],
    ["/v4//x", "E305"],
    ["/v4/../admin", "E305"],
    ["/v4/a/../../x", "E305"],
    ["/v4/./x", "E305"],
    ["/v4/%2e%2e/x", "E305"],
    ["/v4/%2E%2e/x", "E305"],
    ["/v4/.%2e/x", "E305"],
    ["/v4/%252e%252e/x", "E305"],
    ["/v4/a%2fb", "E305"],
    ["/v4/a%5cb", "E305"],
    ["/v4/a%252fb", "E305"],
    ["/v4/a\\b", "E305"],
    ["/v4/\\..\\x", "E305"],
    ["/v4/x\r\nHost: evil", "E305"],
    ["/v4/x%0d%0aSet-Cookie:a", "E305"],
    ["/v4/x%00", "E305"],
    ["/v4/\t../x", "E305"],
    ["/v4/．．/x", "E305"],
    ["/v4/%EF%BC%8E%EF%BC%8E/x", "E305"],
    ["/v4/%E2%80%A4%E2%80%A4/x", "E305"],
    ["/v4/x#fragment", "E305"],
    ["/v4/x?a=b#c", "E305"],
    ["/v4/x?a=b c", "E305"],
    ["/v4/x%", "E305"],
    ["/v4/x%zz", "E305"],
    ["/v4/%ff", "E305"],
    ["/v4/ü", "E305"],
    ["http://evil.example/v4/x", "E305"],
    [`/v4/${"a".repeat(9000)}`, "E305"],
  ])("refuses the path %j before the network", async (path, code) => {
    const server = serve(() => Response.json({}));
    expect(await errorOf(clientOf(server).request("GET", path))).toMatchObject({ code });
    expect(server.seen).toHaveLength(0);
  });

  it.each([
    "/v4/x",
    "/v4/a-b_c.d~e/",
    "/v4/a%20b",
    "/v4/data/resources/object-types?page=2",
    "/v4/x/..y",
    "/v4/%C3%BC",
    "/v4/a:b@c!$&'()*+,;=",
  ])("sends the path %j as it is", async (path) => {
    const server = serve(() => Response.json({}));
    await clientOf(server).request("GET", path);
    expect(server.seen[0]?.path).toBe(path);
  });

  it("never lets a path through that reaches outside /v4/", () => {
    const piece = fc.constantFrom(
      "..",
      ".",
      "/",
      "\\",
      "%2e",
      "%2E",
      "%2f",
      "%5c",
      "%252e",
      "v4",
      "a",
      "?",
      "#",
      "@",
      ":",
      "\r",
      "\n",
      "\t",
      " ",
      "．",
      "․",
      "%EF%BC%8E",
      "//",
      ";",
      "&",
      "http:",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.boolean(), (pieces, prefixed) => {
        const path = `${prefixed ? "/v4/" : ""}${pieces.join("")}`;
        let checked: string;
        try {
          checked = checkedPath(path);
        } catch {
          return;
        }
        const url = new URL(checked, "http://platform.example");
        expect(url.host).toBe("platform.example");
        expect(url.pathname.startsWith("/v4/")).toBe(true);
        expect(decodeURIComponent(decodeURIComponent(url.pathname))).not.toMatch(
          /(?:^|\/)\.\.(?:\/|$)|\\/,
        );
      }),
      { numRuns: sized(5_000, 20_000) },
    );
  });

  it("refuses methods, bodies and content types that can't be sent", async () => {
    const client = clientOf({ url: "http://127.0.0.1:9" });
    expect(await errorOf(client.request("TRACE", "/v4/x"))).toMatchObject({ code: "E305" });
    expect(await errorOf(client.request("GET", "/v4/x", { body: "{}" }))).toMatchObject({
      code: "E305",
    });
    expect(
      await errorOf(client.request("POST", "/v4/x", { body: "{}", contentType: "a\r\nb" })),
    ).toMatchObject({ code: "E305" });
    expect(
      await errorOf(client.request("POST", "/v4/x", { headers: { "X-Tenant-Id": "x" } })),
    ).toMatchObject({ code: "E305" });
  });
});
