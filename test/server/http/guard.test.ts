import { describe, expect, test } from "vitest";
import { Refusal } from "#contract/problems.ts";
import { Exchange, type ExchangeHost, type Peer } from "#server/http/exchange.ts";
import { Guard, type GuardOptions } from "#server/http/guard.ts";

const loopbackOnly: GuardOptions = {
  baseUrl: () => undefined,
  allowedHosts: [],
  acceptsAddresses: false,
};
const configured: GuardOptions = { ...loopbackOnly, baseUrl: () => "https://data.example.org" };

function check(
  options: GuardOptions,
  headers: Record<string, string>,
  method = "GET",
  peer?: Peer,
): string {
  const host: ExchangeHost = {
    hold: () => {},
    release: () => {},
    configuredUrl: undefined,
    enterWorkspace: () => {
      throw new Error("not here");
    },
    claimKey: () => Promise.resolve(),
    workOf: () => {
      throw new Error("not here");
    },
  };
  const request = new Request("http://127.0.0.1:4400/v4/identity/me", { method, headers });
  try {
    new Guard(options).check(new Exchange(host, request, peer));
    return "accepted";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return `${error.status} ${error.code}`;
  }
}

const refused = "403 origin-refused";

describe("the Host", () => {
  test.each([
    "127.0.0.1:4400",
    "127.0.0.1",
    "localhost:4400",
    "LOCALHOST",
    "[::1]:4400",
    "127.8.8.8",
  ])("%s is of this machine", (host) => {
    expect(check(loopbackOnly, { host })).toBe("accepted");
  });

  test.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evil.example:4400",
    "192.168.1.5",
    "0.0.0.0",
    "[::ffff:192.168.1.5]",
    "",
  ])("%j is of another machine", (host) => {
    expect(check(loopbackOnly, { host })).toBe(refused);
  });

  test.each([
    "[::1].evil.example",
    "[::1]evil.example",
    "[::1",
    "127.0.0.1, evil.example",
    "127.0.0.1:4400, evil.example",
    "127.0.0.1:4400:1",
    "localhost:port",
    "a b",
    "user@localhost",
  ])("%j is no host", (host) => {
    for (const options of [loopbackOnly, { ...loopbackOnly, acceptsAddresses: true }]) {
      expect(check(options, { host })).toBe("400 malformed-request");
    }
  });

  test("may be of the configured URL or an allowed name", () => {
    expect(check(configured, { host: "data.example.org" })).toBe("accepted");
    expect(check(configured, { host: "DATA.example.org:443" })).toBe("accepted");
    expect(check(configured, { host: "other.example.org" })).toBe(refused);
    expect(
      check({ ...loopbackOnly, allowedHosts: ["Proxy.Example"] }, { host: "proxy.example" }),
    ).toBe("accepted");
  });

  test("may be a numeric address where the platform listens beyond this machine", () => {
    const open = { ...loopbackOnly, acceptsAddresses: true };
    expect(check(open, { host: "192.168.1.5:4400" })).toBe("accepted");
    expect(check(open, { host: "[fe80::1]:4400" })).toBe("accepted");
    expect(check(open, { host: "rebound.example:4400" })).toBe(refused);
  });

  test("is missing only in a call inside the process", () => {
    expect(check(loopbackOnly, {})).toBe("accepted");
    const peer = { address: "127.0.0.1" };
    expect(check(loopbackOnly, {}, "GET", peer)).toBe("400 malformed-request");
  });
});

describe("the Origin", () => {
  const host = "127.0.0.1:4400";
  test("may be the platform's own URL", () => {
    expect(check(loopbackOnly, { host, origin: "http://127.0.0.1:4400" }, "POST")).toBe("accepted");
    expect(
      check(configured, { host: "data.example.org", origin: "https://data.example.org" }, "POST"),
    ).toBe("accepted");
  });

  test.each([
    "http://evil.example",
    "null",
    // Another program of this machine has the same site and another origin.
    "http://127.0.0.1:3000",
    "http://localhost:4400",
    "https://127.0.0.1:4400",
  ])("%s is refused", (origin) => {
    expect(check(loopbackOnly, { host, origin }, "POST")).toBe(refused);
    expect(check(loopbackOnly, { host, origin }, "OPTIONS")).toBe(refused);
  });
});

describe("Sec-Fetch-Site", () => {
  const host = "127.0.0.1:4400";
  test("may be the same origin or none", () => {
    expect(check(loopbackOnly, { host, "sec-fetch-site": "same-origin" })).toBe("accepted");
    expect(check(loopbackOnly, { host, "sec-fetch-site": "none" })).toBe("accepted");
  });

  test.each(["cross-site", "same-site"])("%s may only be a followed link", (site) => {
    const fields = { host, "sec-fetch-site": site };
    expect(check(loopbackOnly, { ...fields, "sec-fetch-mode": "navigate" })).toBe("accepted");
    expect(check(loopbackOnly, { ...fields, "sec-fetch-mode": "navigate" }, "POST")).toBe(refused);
    expect(check(loopbackOnly, { ...fields, "sec-fetch-mode": "no-cors" })).toBe(refused);
    expect(check(loopbackOnly, { ...fields, "sec-fetch-mode": "cors" })).toBe(refused);
  });
});
