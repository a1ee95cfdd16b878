import { expect, test } from "vitest";
import { callerNetwork } from "#server/kit/turns/caller-network.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["in-process", "in-process"],
  ["2001:db8:0:7:1:2:3:4", "2001:db8:0:7::/64"],
  ["2001:DB8::7:1:2:3:4", "2001:db8:0:7::/64"],
  ["2001:db8:0:7::", "2001:db8:0:7::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("callers at %s are limited as %s", (address, network) => {
  expect(callerNetwork(address)).toBe(network);
});
