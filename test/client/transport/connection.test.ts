import { expect, test } from "vitest";
import { bodyFailure, connectionFailure } from "#client/transport/connection.ts";
import { BodyTooLargeError } from "#lib/network/bounded-body.ts";
import { ProxyRefusal } from "#lib/network/proxy-refusal.ts";

const failed = (code: string, more: object = {}): Error =>
  Object.assign(new Error(`secret ${code}`), { code, ...more });

test.each([
  [failed("ECONNREFUSED"), "no server listens at this address", true, false],
  [failed("ECONNRESET"), "the connection was closed before the response ended", false, false],
  [failed("EHOSTUNREACH", { syscall: "read" }), "there is no route to the host", false, false],
  [failed("EHOSTUNREACH"), "there is no route to the host", true, false],
  [failed("CERT_HAS_EXPIRED"), "its TLS certificate has expired", false, true],
  [
    failed("SELF_SIGNED_CERT_IN_CHAIN"),
    "its TLS certificate chain is self-signed: NODE_EXTRA_CA_CERTS can name a file of certificates to trust",
    false,
    true,
  ],
  [new Error("x", { cause: failed("ENOTFOUND") }), "the host name is not known", true, false],
  [new Error("secret"), "the connection failed", false, false],
])("%s", (error, reason, neverSent, hopeless) => {
  expect(connectionFailure(error)).toEqual({ reason, neverSent, hopeless });
});

test("a failure names the proxy of its request", () => {
  const at = (error: Error) => connectionFailure(error, "HTTPS_PROXY").reason;
  expect(at(failed("ECONNREFUSED"))).toBe(
    "the proxy that HTTPS_PROXY names can't be reached: no server listens at this address",
  );
  expect(at(failed("ECONNRESET"))).toMatch(/ \(through the proxy that HTTPS_PROXY names\)$/);
  expect(at(new ProxyRefusal(403))).toBe(
    "the proxy that HTTPS_PROXY names refused the connection (403)",
  );
  expect(connectionFailure(new ProxyRefusal(407)).hopeless).toBe(true);
});

test("a body that can't be read has its reason", () => {
  expect(bodyFailure(new BodyTooLargeError(1))).toBe("it is too large");
  expect(bodyFailure(failed("ZlibError"))).toBe("the compressed response is damaged");
});
