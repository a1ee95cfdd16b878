import { describe, expect, it } from "vitest";
import type { RequestTrace } from "#client/index.ts";
import { clientOf, errorOf, problem, serve, tenantId, token } from "../servers.ts";

const params = { objectType: "licence" };
const page = { items: [], hasNextPage: false };

describe("attempts", () => {
  it.each([408, 429, 502, 503, 504])("repeat a GET after %i", async (status) => {
    const server = serve((_request, count) =>
      count < 3 ? problem(status, "overloaded") : Response.json(page),
    );
    expect((await clientOf(server).resources.list({ params })).items).toEqual([]);
    expect(server.seen).toHaveLength(3);
  });

  it("end after the third, with the platform's words", async () => {
    const server = serve(() => problem(503, "overloaded", { detail: "try later" }));
    expect(await errorOf(clientOf(server).resources.list({ params }))).toMatchObject({
      code: "E203",
      status: 503,
      message: "Platform API error: HTTP 503: try later",
    });
    expect(server.seen).toHaveLength(3);
  });

  it.each([500, 400, 401, 403, 404, 409, 422])("do not repeat a GET after %i", async (status) => {
    const server = serve(() => problem(status, "x"));
    await errorOf(clientOf(server).resources.list({ params }));
    expect(server.seen).toHaveLength(1);
  });

  it("wait as long as Retry-After asks, within the caller's limit", async () => {
    const server = serve((_request, count) =>
      count === 1 ? problem(429, "rate-limited", {}, { "retry-after": "0" }) : Response.json(page),
    );
    await clientOf(server).resources.list({ params });
    expect(server.seen).toHaveLength(2);
  });

  it.each(["3600", "Wed, 21 Oct 2099 07:28:00 GMT"])(
    "do not outwait the caller: Retry-After %s",
    async (after) => {
      const server = serve(() => problem(503, "overloaded", {}, { "retry-after": after }));
      expect(
        await errorOf(clientOf(server).resources.list({ params, timeoutMs: 2000 })),
      ).toMatchObject({
        code: "E203",
      });
      expect(server.seen).toHaveLength(1);
    },
  );

  it("ignore a Retry-After that means nothing", async () => {
    const server = serve(() => problem(503, "overloaded", {}, { "retry-after": "soon" }));
    await errorOf(clientOf(server).resources.list({ params }));
    expect(server.seen).toHaveLength(3);
  });

  it("stop to pile on when a platform fails all the time", async () => {
    const server = serve(() => problem(503, "overloaded"));
    const client = clientOf(server);
    for (let call = 0; call < 60; call += 1) await errorOf(client.resources.list({ params }));
    const before = server.seen.length;
    for (let call = 0; call < 20; call += 1) await errorOf(client.resources.list({ params }));
    expect(server.seen.length - before).toBe(20);
  });

  it("are reported to onRequest, without query values", async () => {
    const traces: RequestTrace[] = [];
    const server = serve((_request, count) =>
      count === 1
        ? problem(503, "overloaded")
        : Response.json(page, { headers: { "x-request-id": "r9" } }),
    );
    const client = clientOf(server, { onRequest: (trace) => traces.push(trace) });
    await client.resources.list({ params, query: { where: '{"secret":"canary"}' } });
    expect(traces.map(({ attempt, status, requestId }) => [attempt, status, requestId])).toEqual([
      [1, 503, undefined],
      [2, 200, "r9"],
    ]);
    expect(traces[0]?.url).toBe(`${server.url}/v4/data/resources/${tenantId}/licence?…`);
    expect(JSON.stringify(traces)).not.toMatch(/canary/);
  });
});

describe("giving up", () => {
  it("rejects with the caller's own reason, before and during a call", async () => {
    const server = serve(() => new Promise<Response>(() => undefined));
    const reason = new Error("enough");
    const early = AbortSignal.abort(reason);
    expect(await errorOf(clientOf(server).resources.list({ params, signal: early }))).toBe(reason);
    expect(server.seen).toHaveLength(0);
    const controller = new AbortController();
    const call = errorOf(clientOf(server).resources.list({ params, signal: controller.signal }));
    setTimeout(() => controller.abort(reason), 20);
    expect(await call).toBe(reason);
  });

  it("ends a pause between attempts", async () => {
    const server = serve(() => problem(503, "overloaded", {}, { "retry-after": "20" }));
    const controller = new AbortController();
    const call = errorOf(clientOf(server).resources.list({ params, signal: controller.signal }));
    setTimeout(() => controller.abort(new Error("enough")), 50);
    expect(String(await call)).toContain("enough");
  });
});

describe("one origin only", () => {
  it.each([301, 302, 303, 307, 308])(
    "a %i is an error, and nothing goes elsewhere",
    async (status) => {
      const other = serve(() => Response.json(page));
      const server = serve(
        () => new Response(null, { status, headers: { location: `${other.url}/v4/x?a=canary` } }),
      );
      const client = clientOf(server);
      for (const call of [
        () => client.resources.list({ params }),
        () => client.resources.create({ params, body: { secret: "canary" } }),
        () => client.request("GET", "/v4/anything"),
        () => client.documents.record.raw({ params: { documentId: "DOC-1" } }),
      ]) {
        const error = await errorOf(call());
        expect(error).toMatchObject({ code: "E203", status });
        expect(String(error)).toContain(
          `HTTP ${status} redirects to ${other.url}, which is not followed`,
        );
      }
      expect(other.seen).toHaveLength(0);
    },
  );

  it("returns a 304 to a conditional request", async () => {
    const server = serve(() => new Response(null, { status: 304 }));
    const response = await clientOf(server).documents.content.raw({
      params: { documentId: "DOC-1" },
      headers: { "if-none-match": '"x"' },
    });
    expect(response.status).toBe(304);
    expect(server.seen[0]?.headers.get("accept-encoding")).toBe("identity");
  });
});

describe("an expired token", () => {
  it("is renewed once, and the call made again", async () => {
    const server = serve(({ headers }) =>
      headers.get("authorization") === "Bearer fresh-token"
        ? Response.json(page)
        : problem(401, "token-expired"),
    );
    const asked: (string | undefined)[] = [];
    const source = async (rejected?: string) => {
      asked.push(rejected);
      return rejected === undefined ? "stale-token" : "fresh-token";
    };
    await clientOf(server, { token: source }).resources.list({ params });
    expect(asked).toEqual([undefined, "stale-token"]);
    expect(server.seen).toHaveLength(2);
  });

  it("is renewed where the answer's length is not known beforehand, too", async () => {
    const server = serve(({ headers }) => {
      if (headers.get("authorization") === "Bearer fresh-token") return Response.json(page);
      const { body, headers: fields } = problem(401, "token-expired");
      return new Response(body?.pipeThrough(new TransformStream()), {
        status: 401,
        headers: fields,
      });
    });
    const source = async (rejected?: string) =>
      rejected === undefined ? "stale-token" : "fresh-token";
    await clientOf(server, { token: source }).resources.list({ params });
    expect(server.seen).toHaveLength(2);
  });

  it("that stays expired is E102, any other refusal E103; neither is tried for ever", async () => {
    const server = serve((_request, count) =>
      problem(401, count <= 2 ? "token-expired" : "token-invalid"),
    );
    const client = clientOf(server, { token: async () => token });
    expect(await errorOf(client.resources.list({ params }))).toMatchObject({
      code: "E102",
      status: 401,
      exitCode: 4,
    });
    expect(await errorOf(client.resources.list({ params }))).toMatchObject({
      code: "E103",
      status: 401,
      exitCode: 4,
    });
    expect(server.seen).toHaveLength(3);
  });
});

describe("deprecation", () => {
  it("is reported once, as one line", async () => {
    const notices: string[] = [];
    const server = serve(() =>
      Response.json(page, {
        headers: {
          deprecation: "@1767225600",
          sunset: "Wed, 31 Dec 2026 23:59:59 GMT",
          link: '<https://example.org/next>; rel="deprecation"',
        },
      }),
    );
    const client = clientOf(server, { onDeprecation: ({ message }) => notices.push(message) });
    await client.resources.list({ params });
    await client.resources.list({ params });
    expect(notices).toEqual([
      "GET /v4/data/resources/{tenantId}/{objectType} is deprecated since 2026-01-01, ends 2026-12-31; see https://example.org/next",
    ]);
  });
});
