import { describe, expect, it } from "vitest";
import type { Client } from "#client/index.ts";
import { certificate, privateKey } from "../lib/network/self-signed.ts";
import { clientOf, errorOf, serve, serveRaw } from "./servers.ts";

const params = { objectType: "licence" };
const id = "0198f0a0-2222-7000-8000-000000000002";

describe("no answer", () => {
  it("is E201 with the origin only, after three attempts of a GET", async () => {
    const server = serveRaw(() => ({ bytes: "", reset: true }));
    const error = await errorOf(
      clientOf(server).resources.list({ params, query: { where: '{"a":"canary"}' } }),
    );
    expect(error).toMatchObject({
      code: "E201",
      message: `Platform API unreachable: ${server.url}`,
    });
    expect(Bun.inspect(error)).not.toContain("canary");
    expect(server.connections()).toBe(3);
  });

  it("to a PUT has an unknown outcome, and is not retried", async () => {
    const server = serveRaw(() => ({ bytes: "", reset: true }));
    const error = await errorOf(
      clientOf(server).resources.update({
        params: { ...params, id },
        body: { data: {}, version: 1 },
      }),
    );
    expect(error).toMatchObject({ code: "E201" });
    expect(Reflect.get(Object(error), "hint")).toContain("The outcome is unknown");
    expect(server.connections()).toBe(1);
  });

  const changes: [string, (client: Client) => Promise<unknown>][] = [
    [
      "PUT",
      ({ resources }) =>
        resources.update({ params: { ...params, id }, body: { data: {}, version: 1 } }),
    ],
    ["DELETE", ({ resources }) => resources.delete({ params: { ...params, id } })],
    ["PATCH", ({ objectTypes }) => objectTypes.update({ params: { objectTypeId: id }, body: {} })],
    ["POST", ({ resources }) => resources.create({ params, body: {} })],
  ];
  const ends = [
    { end: "reset", bytes: "", reset: true },
    { end: "closed", bytes: "" },
    { end: "closed within the head", bytes: "HTTP/1.1 20", holdMs: 20 },
  ];
  const broken = changes.flatMap(([method, write]) =>
    ends.map(({ end, ...answer }) => ({ method, write, end, answer })),
  );
  it.each(broken)(
    "to a $method on a reused connection that is $end is not repeated",
    async ({ write, answer }) => {
      const answered = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
      const server = serveRaw((request) =>
        request === 1 ? { bytes: answered, holdMs: 5_000 } : answer,
      );
      const client = clientOf(server);
      await (await client.resources.list.raw({ params })).text();
      expect(await errorOf(write(client))).toMatchObject({ code: "E201" });
      expect(server.connections()).toBe(2);
    },
  );

  const reads: [string, (client: Client) => Promise<unknown>][] = [
    ["query", ({ resources }) => resources.query({ body: { types: ["licence"] } })],
    ["search", ({ resources }) => resources.search({ body: { query: "quay" } })],
    [
      "aggregate",
      ({ resources }) =>
        resources.aggregate({
          params,
          body: { groupBy: ["status"], metrics: { n: { op: "count" } } },
        }),
    ],
    ["indexPlan", ({ storage }) => storage.indexPlan({ body: { objectTypes: ["licence"] } })],
  ];
  it.each(reads)(
    "to the POST of %s, which only reads, has a known outcome",
    async (_name, read) => {
      const server = serveRaw(() => ({ bytes: "", reset: true }));
      expect(await errorOf(read(clientOf(server)))).toMatchObject({
        code: "E201",
        hint: "The connection was closed before the response ended",
      });
    },
  );

  it.each([
    ["that breaks off", 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"id":', "E201"],
    ["that is no JSON", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "E203"],
    ["that is a number", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n17", "E203"],
    ["of a gateway", "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", "E203"],
  ])(
    "to a write %s leaves its outcome unknown, and that of a read is none",
    async (_name, bytes, code) => {
      const server = serveRaw(() => ({ bytes, holdMs: 20 }));
      const { resources } = clientOf(server, { retry: false });
      const body = { data: {}, version: 1 };
      expect(await errorOf(resources.update({ params: { ...params, id }, body }))).toMatchObject({
        code,
        hint: expect.stringMatching(
          /The outcome is unknown: look before you send it again: `svc resources get licence \S+`$/,
        ),
      });
      const read = await errorOf(resources.get({ params: { ...params, id } }));
      expect(read).toMatchObject({ code });
      expect(String(Reflect.get(Object(read), "hint"))).not.toContain("outcome");
    },
  );

  it("to a PUT without a listening server has a known outcome", async () => {
    const error = await errorOf(
      clientOf({ url: "http://127.0.0.1:1" }).resources.update({
        params: { ...params, id },
        body: { data: {}, version: 1 },
      }),
    );
    expect(error).toMatchObject({ code: "E201", hint: "No server listens at this address" });
  });

  it.each([
    ["a refused connection", "http://127.0.0.1:1", "No server listens at this address"],
    ["an unknown host", "https://host.invalid", "The host name is not known"],
  ])("%s is named", async (_name, url, hint) => {
    expect(await errorOf(clientOf({ url }).resources.list({ params }))).toMatchObject({
      code: "E201",
      hint,
    });
  });

  it("TLS where none is spoken is named, and not tried again", async () => {
    const server = serveRaw(() => ({ bytes: "HTTP/1.1 400 Bad Request\r\n\r\n" }));
    const url = server.url.replace("http:", "https:");
    expect(await errorOf(clientOf({ url }).resources.list({ params }))).toMatchObject({
      code: "E201",
      hint: "The TLS handshake failed",
    });
    expect(server.connections()).toBe(1);
  });

  it("a certificate that is not trusted is named, and how it could be", async () => {
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: { key: privateKey, cert: certificate },
      fetch: () => new Response("{}"),
    });
    const url = `https://127.0.0.1:${server.port}`;
    expect(await errorOf(clientOf({ url }).resources.list({ params }))).toMatchObject({
      code: "E201",
      hint: "Its TLS certificate is self-signed: NODE_EXTRA_CA_CERTS can name a file of certificates to trust",
    });
    await server.stop(true);
  });

  it("within the time limit ends the call", async () => {
    const server = serve(() => new Promise<Response>(() => undefined));
    expect(await errorOf(clientOf(server).resources.list({ params, timeoutMs: 40 }))).toMatchObject(
      {
        code: "E201",
        hint: "No response came within the time limit",
      },
    );
    expect(server.seen).toHaveLength(1);
  });

  it.each([0, -1, Number.NaN, Infinity, 2 ** 31])(
    "within %d ms is refused before anything is sent: no timer can wait as long",
    async (timeoutMs) => {
      const server = serve(() => new Promise<Response>(() => undefined));
      expect(await errorOf(clientOf(server).resources.list({ params, timeoutMs }))).toMatchObject({
        code: "E305",
        message: "Invalid input: timeoutMs must be between 1 and 2147483647",
      });
      expect(server.seen).toHaveLength(0);
    },
  );

  it("with only a part of its body within the time limit also ends the call", async () => {
    const server = serve(
      () =>
        new Response(
          new ReadableStream({
            pull: () => new Promise(() => undefined),
            start: (c) => c.enqueue(new TextEncoder().encode('{"items"')),
          }),
          { headers: { "content-type": "application/json" } },
        ),
    );
    expect(await errorOf(clientOf(server).resources.list({ params, timeoutMs: 60 }))).toMatchObject(
      { code: "E201" },
    );
  });

  it.each([
    [
      "a body shorter than its length",
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"items":[]',
    ],
    [
      "a chunked body that is cut",
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nb\r\n{"items":[]\r\n',
    ],
  ])("%s is never taken for a whole answer", async (_name, bytes) => {
    const server = serveRaw(() => ({ bytes }));
    expect(
      await errorOf(clientOf(server, { retry: false }).resources.list({ params })),
    ).toMatchObject({ code: "E201" });
  });
});
