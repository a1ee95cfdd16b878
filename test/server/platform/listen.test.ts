import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve, type Served } from "#server/serve.ts";
import { DrillSession, drillType, memberOf } from "#test/support/drills/session.ts";
import { startPlatform, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** Bytes on a new connection; resolves with all that came once it is closed or an answer ends. */
function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString();
      if (/\}$|\r\n\r\n$/.test(answer)) socket.end();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });
}

const health = "/v4/data/resources/health";

beforeAll(async () => void (await svcExecutable()), 300_000);

describe("a request on a connection", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({
      host: "127.0.0.1",
      port: 0,
      dataDirectory: join(await temporaryDirectory("raw"), "data"),
      extractionCommand: [],
      log: () => {},
    });
  });
  afterAll(() => served.stop());

  test.each([
    ["HTTP/1.0 without a Host", `GET ${health} HTTP/1.0\r\n\r\n`],
    ["two Hosts", `GET ${health} HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n`],
    [
      "two Hosts, of which the second is ours",
      "GET / HTTP/1.1\r\nHost: a.example\r\nHost: ::1\r\n\r\n",
    ],
    [
      "a Host that only begins as ours",
      `GET ${health} HTTP/1.1\r\nHost: [::1].evil.example\r\n\r\n`,
    ],
    ["a Host that is no host", `GET ${health} HTTP/1.1\r\nHost: 127.0.0.1, a b\r\n\r\n`],
  ])("with %s is 400", async (_name, text) => {
    const answer = await raw(served.url, text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"malformed-request"');
  });

  test("with an absolute URI is one for the Host, which must be ours", async () => {
    const target = `GET http://evil.example${health} HTTP/1.1\r\n`;
    const own = await raw(served.url, `${target}Host: 127.0.0.1\r\n\r\n`);
    expect(own).toMatch(/^HTTP\/1\.1 200 /);
    // This answer has the platform's own addresses.
    const discovery = "/auth/.well-known/openid-configuration";
    const provider = await raw(
      served.url,
      `GET http://evil.example${discovery} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
    );
    expect(provider).toContain('"issuer":"http://127.0.0.1/auth"');
    expect(provider).not.toContain("evil.example");
    const other = await raw(served.url, `${target}Host: evil.example\r\n\r\n`);
    expect(other).toContain('"code":"origin-refused"');
  });
});

describe.each(["1", "2"])("two requests in one packet, with %s threads", (threads) => {
  test("are both answered, or neither takes effect", async () => {
    await using platform = await startPlatform({ args: [`--threads=${threads}`] });
    const session = await DrillSession.create(platform);
    const { tenantId, authorization } = session;
    const path = `/v4/data/resources/${tenantId}/${drillType.slug}`;
    const creation = (marker: string): string => {
      const body = JSON.stringify({ marker });
      return (
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nauthorization: ${authorization}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      );
    };
    const { json } = await session.expect(201, "POST", "", { marker: "kept" });
    const deletion =
      `DELETE ${path}/${String(memberOf(json, "id"))} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
      `authorization: ${authorization}\r\n\r\n`;
    for (let round = 0; round < 20; round += 1) {
      const answers = await raw(platform.url, creation(`a${round}`) + creation(`b${round}`));
      const created = answers.match(/HTTP\/1\.1 201 /g)?.length ?? 0;
      const removed = await raw(platform.url, deletion + creation(`c${round}`));
      expect(removed).toBe("");
      // A later request: whatever the closed connections have begun is done.
      await session.expect(200, "GET", "?limit=1");
      expect(await session.count({ marker: { $in: [`a${round}`, `b${round}`] } })).toBe(created);
    }
    expect(await session.count({ marker: "kept" })).toBe(1);
    expect(await session.count({ marker: { $startsWith: "c" } })).toBe(0);
  });
});
