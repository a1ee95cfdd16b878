import { expect, test } from "vitest";
import { isLoopbackHost } from "#lib/network/loopback.ts";

test.each(["localhost", "127.0.0.1", "127.255.0.9", "::1", "[::1]", "::ffff:127.0.0.1"])(
  "%s is this machine",
  (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  },
);

// A name that only begins or ends like this machine's name is another machine's.
test.each([
  "",
  "0.0.0.0",
  "::",
  "127.evil.example",
  "127.0.0.1.nip.io",
  "localhost.example",
  "10.0.0.1",
])("%j is not", (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});
