import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CatalogError } from "#contract/errors.ts";
import { serve, type Served, type ServeOptions } from "#server/serve.ts";
import { eventually } from "#test/support/eventually.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const healthPath = "/v4/data/resources/health";

async function start(options: Partial<ServeOptions>): Promise<Served & AsyncDisposable> {
  const served = await serve({
    host: "127.0.0.1",
    port: 0,
    dataDirectory: join(await temporaryDirectory("balancer"), "data"),
    extractionCommand: [],
    log: () => {},
    ...options,
  });
  return { ...served, [Symbol.asyncDispose]: () => served.stop() };
}

describe("the address of a caller", () => {
  /** The status of a sign-in request with this `X-Forwarded-For`. */
  const statusOf = (served: Served, forwarded: string): Promise<number> => {
    const { hostname, port, host } = new URL(served.url);
    const head = [
      "GET /auth/oauth2/v2.0/userinfo HTTP/1.1",
      `Host: ${host}`,
      `X-Forwarded-For: ${forwarded}`,
    ];
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(`${head.join("\r\n")}\r\n\r\n`);
      });
      let answer = "";
      socket.on("data", (chunk) => {
        answer += chunk.toString();
        if (answer.includes("\r\n\r\n")) socket.end();
      });
      socket.on("close", () => resolve(Number(answer.split(" ")[1])));
      socket.on("error", reject);
    });
  };
  const statuses = async (served: Served, chain: readonly string[]): Promise<number[]> => {
    const found: number[] = [];
    for (const forwarded of chain) found.push(await statusOf(served, forwarded));
    return found;
  };
  const chain = ["192.0.2.1, 10.0.0.1", "192.0.2.2, 10.0.0.2", "192.0.2.3", "192.0.2.3"];
  const options = {
    baseUrl: "https://data.example.org",
    limits: { signInRequests: 2, signInWindowSeconds: 60 },
  };

  test.each([1, 2])("is what trusted proxies report, with %i threads", async (threads) => {
    const trustedProxies = ["127.0.0.1", "10.0.0.0/8"];
    await using served = await start({ ...options, threads, trustedProxies });
    expect(await statuses(served, chain)).toEqual([401, 401, 401, 401]);
    expect(await statuses(served, ["198.51.100.9, 192.0.2.3"])).toEqual([429]);
  });

  test("is the proxy's own where the operator does not trust the proxy", async () => {
    await using served = await start({ ...options, trustedProxies: ["10.0.0.0/8"] });
    expect(await statuses(served, chain)).toEqual([401, 401, 429, 429]);
  });
});

test("a platform that stops is first not ready, while it serves requests", async () => {
  await using served = await start({ drainDelayMs: 700 });
  expect((await fetch(`${served.url}/ready`)).status).toBe(200);
  const stopping = served.stop();
  const ready = await fetch(`${served.url}/ready`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: "draining" }]);
  expect((await fetch(`${served.url}/live`)).status).toBe(200);
  expect((await fetch(served.url + healthPath)).status).toBe(200);
  // Then it refuses, before it closes the port.
  const refused = await eventually(async () => {
    const answer = await fetch(served.url + healthPath);
    expect(answer.status).toBe(503);
    return answer;
  });
  expect(await refused.json()).toMatchObject({ code: "draining" });
  await stopping;
  await expect(fetch(`${served.url}/live`)).rejects.toThrow();
});

test("metrics without a token have a separate address, which answers nothing else", async () => {
  const host = "127.0.0.1";
  await using served = await start({ metricsBind: { host, port: 0 } });
  const { metricsUrl = "" } = served;
  const answer = await fetch(metricsUrl);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await answer.text()).toContain("\nsvc_ready 1\n");
  expect((await fetch(new URL(healthPath, metricsUrl))).status).toBe(404);
  expect((await fetch(`${served.url}/metrics`)).status).toBe(401);
  const taken = { host, port: Number(new URL(metricsUrl).port) };
  const error: unknown = await start({ metricsBind: taken }).catch((reason: unknown) => reason);
  if (!(error instanceof CatalogError)) throw new Error("it started");
  expect(error).toMatchObject({ code: "E205", hint: expect.stringContaining("--metrics-bind") });
});
