import { describe, expect, test } from "vitest";
import { isPublicAddress } from "#server/kit/outbound/public-address.ts";

const closedAddresses = `
  0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.168.1.1 192.0.2.1 198.18.0.1
  224.0.0.1 255.255.255.255 :: ::1 fe80::1 fe80::1%eth0 fc00::1 fd12::1 ff02::1 ::127.0.0.1
  ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 2002:7f00:1:: 2001:db8::1 localhost 1 0x7f.1`;

describe("public addresses", () => {
  test.each(["", ...closedAddresses.trim().split(/\s+/)])("%j is not", (address) =>
    expect(isPublicAddress(address)).toBe(false),
  );

  test.each(["8.8.8.8", "93.184.215.14", "172.32.0.1", "2606:4700::6810:84e5", "2a00:1450::1"])(
    "%j is",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});
