import { expect, test } from "vitest";
import { proxyHint, ProxyRefusal, proxyRefusalOf } from "#lib/network/proxy-refusal.ts";

function failed(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

test.each([
  [failed("ERR_PROXY_TUNNEL", "tunnel failed: 407 Required"), 407],
  [failed("ERR_PROXY_TUNNEL", "tunnel failed: 503"), 503],
  [failed("ERR_PROXY_TUNNEL", "tunnel failed"), 502],
  [failed("ECONNREFUSED", "refused: 407"), undefined],
  [new Error("x: 407"), undefined],
  ["text", undefined],
])("%s is a refusal with the status %s", (error, status) => {
  expect(proxyRefusalOf(error)?.status).toBe(status);
});

test("the hint names the credentials only where the proxy wants some", () => {
  expect(proxyHint(new ProxyRefusal(407))).toBe(
    "The proxy requires a user and a password (407): HTTPS_PROXY and HTTP_PROXY take http://user:password@host:port",
  );
  expect(proxyHint(new ProxyRefusal(403))).toBe("The proxy refused the connection (403)");
  expect(proxyHint(new Error("other"))).toBe(undefined);
});
