import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isLoopback } from "#lib/network/network-fetch.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { certificate } from "./self-signed.ts";

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

/** The probe's output about a plain and a self-signed server, with these variables added. */
async function probe(variables: Readonly<Record<string, string>>): Promise<string> {
  const script = new URL("./network-fetch-probe.ts", import.meta.url).pathname;
  const child = Bun.spawn([process.execPath, script], {
    env: { ...process.env, ...variables },
    stdout: "pipe",
    stderr: "pipe",
  });
  const output = await new Response(child.stdout).text();
  await child.exited;
  return output.trim();
}

describe("requests with credentials", () => {
  it("to this machine ignore a proxy, and certificates are checked whatever the environment says", async () => {
    const seenByProxy: string[] = [];
    const proxy = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        seenByProxy.push(request.url);
        return new Response("proxy");
      },
    });
    const output = await probe({
      HTTP_PROXY: proxy.url.href,
      http_proxy: proxy.url.href,
      NO_PROXY: "",
      no_proxy: "",
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    });
    await proxy.stop(true);
    expect(output).toBe("direct refused");
    expect(seenByProxy).toEqual([]);
  });

  it("trust the certificates that NODE_EXTRA_CA_CERTS names", async () => {
    const file = join(await temporaryDirectory("certificates"), "issuer.pem");
    await Bun.write(file, certificate);
    expect(await probe({ NODE_EXTRA_CA_CERTS: file })).toBe("direct trusted");
  });
});
