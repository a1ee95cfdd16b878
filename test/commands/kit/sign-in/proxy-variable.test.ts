import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { proxyVariable } from "#commands/kit/sign-in/proxy-variable.ts";
import type { ProbeCase, ProbeResult } from "./proxy-probe.ts";

const both = { http_proxy: "http://p:1", HTTPS_PROXY: "http://p:2" };

describe("the variable that names a proxy", () => {
  it.each([
    ["http://api.example/v4", both, "http_proxy"],
    ["https://api.example/v4", both, "HTTPS_PROXY"],
    ["https://api.example/v4", { ...both, https_proxy: "http://p:3" }, "https_proxy"],
    ["https://api.example/v4", { http_proxy: "http://p:1" }, undefined],
    ["https://api.example/v4", { HTTPS_PROXY: "" }, undefined],
    ["http://127.0.0.1:4400", both, undefined],
    ["http://localhost:4400", both, undefined],
    ["http://api.example", { ...both, no_proxy: "*" }, undefined],
    ["http://api.example", { ...both, NO_PROXY: "other, .EXAMPLE" }, undefined],
    ["http://api.example:8080", { ...both, no_proxy: "api.example:8080" }, undefined],
    ["http://api.example:8081", { ...both, no_proxy: "api.example:8080," }, "http_proxy"],
  ])("of %s with %j is %s", (url, variables, name) => {
    expect(proxyVariable(new URL(url), variables)).toBe(name);
  });
});

const platform = "http://api.invalid";
const without = (no_proxy: string, url = platform): ProbeCase => ({
  url,
  variables: { http_proxy: "refusing", no_proxy },
});

describe("the runtime", () => {
  const cases: readonly ProbeCase[] = [
    { url: platform, variables: { HTTP_PROXY: "refusing" } },
    { url: platform, variables: { http_proxy: "", HTTP_PROXY: "refusing" } },
    { url: platform, variables: { http_proxy: '""' } },
    { url: platform, variables: { https_proxy: "refusing" } },
    { url: platform, variables: { ALL_PROXY: "refusing" } },
    { url: "https://api.invalid", variables: { all_proxy: "refusing" } },
    { url: "https://api.invalid", variables: { https_proxy: "refusing", no_proxy: "invalid:443" } },
    { url: platform, variables: { http_proxy: "refusing", no_proxy: "", NO_PROXY: "invalid" } },
    { url: platform, variables: { http_proxy: "refusing", no_proxy: "x", NO_PROXY: "invalid" } },
    ...["invalid", ".invalid", "*.invalid", "..invalid", "pi.invalid", "a,*", "x API.INVALID"].map(
      (list) => without(list),
    ),
    ...["api.invalid:80", "api.invalid:81", "api.invalid."].map((list) => without(list)),
    // No connection to a broadcast or multicast address leaves this machine.
    ...["255.0.0.0/8", "10.2.0.0/16", "255.255.255.255", "255"].map((list) =>
      without(list, "http://255.255.255.255"),
    ),
    ...["ff02::1", "[ff02::1]", "[ff02::1]:81", "ff00::/8", "fd00::/8"].map((list) =>
      without(list, "http://[ff02::1]"),
    ),
  ];
  const failures: readonly ProbeCase[] = [
    { url: platform, variables: { http_proxy: "asking" } },
    { url: "https://api.invalid", variables: { HTTPS_PROXY: "asking" } },
    { url: "https://api.invalid", variables: { HTTPS_PROXY: "refusing" } },
    { url: platform, variables: { http_proxy: "http://127.0.0.1:1" } },
    { url: platform, variables: { http_proxy: "socks5://127.0.0.1:1" } },
    { url: platform, variables: { http_proxy: "refusing", no_proxy: "invalid" } },
  ];
  let results: ProbeResult[] = [];
  beforeAll(async () => {
    const child = Bun.spawn([process.execPath, join(import.meta.dirname, "proxy-probe.ts")], {
      stdin: new Blob([JSON.stringify([...cases, ...failures])]),
      stdout: "pipe",
    });
    results = JSON.parse(await child.stdout.text()) as ProbeResult[];
  });

  it("uses a proxy exactly where the client names one", () => {
    const differing = cases.filter((_case, index) => {
      const { isProxied, variable } = results[index] ?? {};
      return isProxied === undefined || isProxied !== (variable !== undefined);
    });
    expect(differing).toEqual([]);
    expect(results.slice(0, cases.length).filter(({ isProxied }) => isProxied)).toHaveLength(12);
  });

  it("names a proxy that requires a password, one that refuses, and one that is not there", () => {
    const credentials = "HTTPS_PROXY and HTTP_PROXY take http://user:password@host:port";
    expect(results.slice(cases.length).map(({ hint }) => hint)).toEqual([
      `The proxy that http_proxy names requires a user and a password (407): ${credentials}`,
      `The proxy that HTTPS_PROXY names requires a user and a password (407): ${credentials}`,
      "The proxy that HTTPS_PROXY names refused the connection (502)",
      "The proxy that http_proxy names can't be reached: no server listens at this address",
      "The proxy that http_proxy names can't be reached: the proxy's address is not http or https",
      "The host name is not known",
    ]);
  });
});
