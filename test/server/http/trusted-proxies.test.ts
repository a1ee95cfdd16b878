import { describe, expect, test } from "vitest";
import { TrustedProxies } from "#server/http/trusted-proxies.ts";

const networks = ["10.0.0.0/8", "192.168.7.1", "fd00::/8", "::1/128"];
const proxies = new TrustedProxies(networks);

describe("the address of a caller", () => {
  test.each([
    ["of no proxy is its own", "192.0.2.9", { "x-forwarded-for": "198.51.100.1" }, "192.0.2.9"],
    ["without a field is the proxy's", "10.1.1.1", {}, "10.1.1.1"],
    ["is what the proxy saw", "10.1.1.1", { "x-forwarded-for": "192.0.2.1" }, "192.0.2.1"],
    [
      "is the last one that no proxy has",
      "10.1.1.1",
      { "x-forwarded-for": "198.51.100.1, 192.0.2.1, 10.2.2.2,192.168.7.1" },
      "192.0.2.1",
    ],
    [
      "is the first of a chain of proxies alone",
      "10.1.1.1",
      { "x-forwarded-for": "10.3.3.3, 10.2.2.2" },
      "10.3.3.3",
    ],
    [
      "ends at an entry that is no address",
      "10.1.1.1",
      { "x-forwarded-for": "192.0.2.1, unknown, 10.2.2.2" },
      "10.2.2.2",
    ],
    ["has no port", "10.1.1.1", { "x-forwarded-for": "192.0.2.1:4711" }, "192.0.2.1"],
    ["has no brackets", "::1", { "x-forwarded-for": "[2001:DB8::1]:4711" }, "2001:db8::1"],
    [
      "is IPv4 in one form",
      "::ffff:10.1.1.1",
      { "x-forwarded-for": "::ffff:192.0.2.1" },
      "192.0.2.1",
    ],
    [
      "is IPv4 also where it is written in hexadecimal",
      "10.1.1.1",
      { "x-forwarded-for": "198.51.100.1, ::FFFF:c000:0201, ::ffff:a01:203" },
      "192.0.2.1",
    ],
    [
      "is in the standard field",
      "fd00::5",
      { forwarded: 'for=198.51.100.1, For="[2001:db8::1]:80";proto=https, for=10.2.2.2' },
      "2001:db8::1",
    ],
    [
      "ends at an element of the standard field without one",
      "10.1.1.1",
      { forwarded: "for=192.0.2.1, proto=https" },
      "10.1.1.1",
    ],
    [
      "is in both fields, which agree",
      "10.1.1.1",
      { forwarded: "for=192.0.2.1", "x-forwarded-for": "192.0.2.1" },
      "192.0.2.1",
    ],
    [
      "is the proxy's where a caller has added the other field",
      "10.1.1.1",
      { forwarded: "for=198.51.100.1", "x-forwarded-for": "192.0.2.1" },
      "10.1.1.1",
    ],
  ])("%s", (_name, peer, fields, expected) => {
    expect(proxies.addressOf(peer, new Headers(fields))).toBe(expected);
  });

  test("ignores the fields without trusted proxies", () => {
    const fields = new Headers({ "x-forwarded-for": "192.0.2.1" });
    expect(new TrustedProxies([]).addressOf("127.0.0.1", fields)).toBe("127.0.0.1");
  });

  test("takes time in proportion to the field that a caller sends", () => {
    const fields = new Headers({ "x-forwarded-for": `${"10.0.0.1,".repeat(10_000)}10.0.0.2` });
    expect(proxies.addressOf("10.1.1.1", fields)).toBe("10.0.0.1");
  });
});

test.each(["10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/", "proxy.example.org", "", "fd00::/129"])(
  'refuses the network "%s"',
  (network) => {
    expect(() => new TrustedProxies([network])).toThrow(
      `"${network}" is not a network such as 10.0.0.0/8 or fd00::/8`,
    );
  },
);
