import { describe, expect, it } from "vitest";
import { isLoopback } from "#lib/network-fetch.ts";

describe("this machine", () => {
  it.each([
    "http://localhost:1",
    "http://127.0.0.1",
    "http://127.9.8.7",
    "http://[::1]:80",
    "http://a.localhost",
    "http://2130706433",
  ])("%s is", (url) => {
    expect(isLoopback(new URL(url))).toBe(true);
  });
  it.each([
    "http://localhost.example",
    "http://10.0.0.1",
    "http://128.0.0.1",
    "http://[::2]",
    "http://127.0.0.1.example",
    "http://notlocalhost",
  ])("%s is not", (url) => {
    expect(isLoopback(new URL(url))).toBe(false);
  });
});

describe("requests with credentials", () => {
  it("to this machine ignore a proxy, and certificates are checked whatever the environment says", async () => {
    const script = new URL("./network-fetch-probe.ts", import.meta.url).pathname;
    const seenByProxy: string[] = [];
    const proxy = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        seenByProxy.push(request.url);
        return new Response("proxy");
      },
    });
    const child = Bun.spawn([process.execPath, script], {
      env: {
        ...process.env,
        HTTP_PROXY: proxy.url.href,
        http_proxy: proxy.url.href,
        NO_PROXY: "",
        no_proxy: "",
        NODE_TLS_REJECT_UNAUTHORIZED: "0",
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const output = await new Response(child.stdout).text();
    await child.exited;
    await proxy.stop(true);
    expect(output.trim()).toBe("direct refused");
    expect(seenByProxy).toEqual([]);
  });
});
