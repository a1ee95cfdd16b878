import { describe, expect, it } from "vitest";
import type { RequestTrace } from "#client/index.ts";
import { clientOf, errorOf, honours, problem, serve, serveRaw } from "./servers.ts";

const params = { objectType: "licence" };
const id = "0198f0a0-2222-7000-8000-000000000002";

describe("attempts of a write", () => {
  it("repeat a POST that creates with one and the same key", async () => {
    const server = serve((_request, count) =>
      count === 1
        ? problem(503, "overloaded", {}, honours)
        : Response.json({ id, version: 1, data: {} }, { status: 201 }),
    );
    await clientOf(server).useResources("licence").create({ a: 1 });
    const keys = server.seen.map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
    expect(server.seen[1]?.body).toBe('{"a":1}');
  });

  describe("of a POST that creates, where no response has shown that keys are honoured", () => {
    it.each([408, 429, 502, 503, 504])("end after %i", async (status) => {
      const server = serve(() => problem(status, "overloaded", {}, { "retry-after": "0" }));
      await errorOf(clientOf(server).useResources("licence").create({ a: 1 }));
      expect(server.seen).toHaveLength(1);
    });

    it("end where the line breaks, also on a connection that was used before", async () => {
      const answered = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
      const server = serveRaw((request) =>
        request === 1 ? { bytes: answered, holdMs: 5_000 } : { bytes: "", reset: true },
      );
      const client = clientOf(server);
      await (await client.resources.list.raw({ params })).text();
      expect(await errorOf(client.useResources("licence").create({}))).toMatchObject({
        code: "E201",
        hint: expect.stringContaining("The outcome is unknown"),
      });
      expect(server.connections()).toBe(2);
    });

    it.each([
      ["read", 1],
      ["write", 1],
      ["connect", 3],
    ])("know from a failed %s whether anything was sent", async (syscall, attempts) => {
      let calls = 0;
      const fetch = () => {
        calls += 1;
        const facts = { code: "EHOSTUNREACH", syscall };
        return Promise.reject(Object.assign(new Error("unreachable"), facts));
      };
      const client = clientOf({ url: "http://127.0.0.1:1" }, { fetch });
      const error = await errorOf(client.useResources("licence").create({}));
      expect([calls, String(Reflect.get(Object(error), "hint")).includes("unknown")]).toEqual([
        attempts,
        attempts === 1,
      ]);
    });

    it("go on while no server listens: nothing was sent", async () => {
      const traces: RequestTrace[] = [];
      const client = clientOf(
        { url: "http://127.0.0.1:1" },
        { onRequest: (trace) => traces.push(trace) },
      );
      expect(await errorOf(client.useResources("licence").create({}))).toMatchObject({
        code: "E201",
        hint: "No server listens at this address",
      });
      expect(traces).toHaveLength(3);
    });
  });

  it.each([
    ["an announcement", honours],
    ["a replayed response", { "idempotency-replayed": "true" }],
  ])("repeat a POST that creates after a broken line, once %s was seen", async (_name, fields) => {
    const shown = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    const server = serveRaw((request) =>
      request === 1
        ? { bytes: `HTTP/1.1 200 OK\r\n${shown.join("")}Content-Length: 2\r\n\r\n{}` }
        : { bytes: "", reset: true },
    );
    const client = clientOf(server);
    await (await client.resources.list.raw({ params })).text();
    await errorOf(client.useResources("licence").create({}));
    expect(server.connections()).toBe(4);
  });

  it("keep an unknown outcome when a later attempt is refused", async () => {
    const server = serve((_request, count) =>
      count === 1
        ? problem(504, "gateway-timeout", {}, honours)
        : problem(503, "overloaded", {}, { "retry-after": "3600" }),
    );
    expect(await errorOf(clientOf(server).useResources("licence").create({}))).toMatchObject({
      status: 503,
      hint: expect.stringContaining("The outcome is unknown"),
    });
    expect(server.seen).toHaveLength(2);
  });

  const created = () => Response.json({ id, version: 1, data: {} }, { status: 201 });
  const running = (after: string) =>
    problem(409, "request-in-progress", {}, { "retry-after": after });

  it("wait for their earlier attempt while it still runs", async () => {
    const server = serve((_request, count) => {
      if (count === 1) return problem(504, "gateway-timeout", {}, honours);
      return count < 7 ? running("0") : created();
    });
    const record = await clientOf(server).useResources("licence").create({ a: 1 });
    expect(record).toMatchObject({ id, version: 1 });
    expect(server.seen).toHaveLength(7);
    expect(new Set(server.seen.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  });

  it("say that the outcome is unknown when that attempt outlasts the caller's limit", async () => {
    const server = serve((_request, count) =>
      count === 1 ? problem(504, "gateway-timeout", {}, honours) : running("3600"),
    );
    expect(await errorOf(clientOf(server).resources.create({ params, body: {} }))).toMatchObject({
      code: "E201",
      hint: expect.stringContaining("The outcome is unknown: look before you send it again"),
    });
    expect(server.seen).toHaveLength(2);
  });

  it("do not wait for another caller's request with the same key", async () => {
    const server = serve(() => running("0"));
    const call = clientOf(server).resources.create({ params, body: {}, idempotencyKey: "mine" });
    expect(await errorOf(call)).toMatchObject({ code: "E205", status: 409 });
    expect(server.seen).toHaveLength(1);
  });

  it("never repeat PUT, PATCH, DELETE, a POST without a key, nor one where it is switched off", async () => {
    const server = serve(() => problem(503, "overloaded"));
    const client = clientOf(server);
    await errorOf(
      client.resources.update({ params: { ...params, id }, body: { data: {}, version: 1 } }),
    );
    await errorOf(client.resources.delete({ params: { ...params, id } }));
    await errorOf(client.objectTypes.update({ params: { objectTypeId: id }, body: {} }));
    await errorOf(
      client.chat.send({ params: { workflowId: "w", stage: "chat" }, body: { message: "hi" } }),
    );
    await errorOf(
      clientOf(server, { retry: { keyedPosts: false } }).resources.create({ params, body: {} }),
    );
    await errorOf(clientOf(server, { retry: false }).resources.list({ params }));
    expect(server.seen.map(({ method }) => method)).toEqual([
      "PUT",
      "DELETE",
      "PATCH",
      "POST",
      "POST",
      "GET",
    ]);
  });

  describe("of many creations", () => {
    const outcome = () =>
      Response.json({ results: [{ index: 0, status: 201 }], succeeded: 1, failed: 0 });

    it.each([
      ["429", () => problem(429, "rate-limited", {}, honours)],
      [
        "503 that says when",
        () => problem(503, "overloaded", {}, { "retry-after": "0", ...honours }),
      ],
    ])("are repeated after %s: nothing was taken in", async (_name, refusal) => {
      const server = serve((_request, count) => (count === 1 ? refusal() : outcome()));
      await clientOf(server)
        .useResources("licence")
        .batchCreate([{ a: 1 }]);
      expect(server.seen).toHaveLength(2);
    });

    it.each([408, 502, 503, 504])(
      "are never repeated after %i, which may come from a proxy: a key may be passed over",
      async (status) => {
        const server = serve(() => new Response("", { status, headers: honours }));
        await errorOf(
          clientOf(server)
            .useResources("licence")
            .batchCreate([{ a: 1 }]),
        );
        expect(server.seen).toHaveLength(1);
      },
    );

    it("are never repeated where the line breaks", async () => {
      const server = serveRaw(() => ({ bytes: "" }));
      const { batchCreate } = clientOf(server).useResources("licence");
      expect(await errorOf(batchCreate([{ a: 1 }]))).toMatchObject({
        code: "E201",
        hint: expect.stringContaining("The outcome is unknown"),
      });
      expect(server.connections()).toBe(1);
    });
  });
});
