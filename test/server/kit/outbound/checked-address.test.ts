import { expect, test } from "vitest";
import {
  AddressError,
  checkedLookup,
  checkedUrl,
  connectionFault,
} from "#server/kit/outbound/checked-address.ts";

const none = { allowedHosts: new Set<string>() };

test.each([
  ["ftp://example.org/", "must be an http or https URL"],
  ["no url", "must be an http or https URL"],
  ["https://user:word@example.org/", "must have no user name or password"],
  ["http://127.0.0.1/", "names a host whose address is not public"],
  ["http://[::1]:80/", "names a host whose address is not public"],
  ["http://0x7f000001/", "names a host whose address is not public"],
  ["http://2130706433/", "names a host whose address is not public"],
  ["http://169.254.169.254/", "names a host whose address is not public"],
])("%s is refused without a look-up", (address, message) => {
  expect(() => checkedUrl(address, none)).toThrow(new AddressError(message));
});

test("a host that the operator names may have any address", () => {
  const allowed = { allowedHosts: new Set(["127.0.0.1:8080", "::1"]) };
  expect(checkedUrl("http://127.0.0.1:8080/a", allowed).port).toBe("8080");
  expect(checkedUrl("http://[::1]/", allowed).hostname).toBe("[::1]");
  expect(() => checkedUrl("http://127.0.0.1:8081/", allowed)).toThrow(AddressError);
});

function looked(addresses: readonly string[], allowedHosts = new Set<string>()): Promise<string> {
  const resolve = () => Promise.resolve(addresses.map((address) => ({ address, family: 4 })));
  const lookup = checkedLookup(new URL("https://example.org/"), { allowedHosts, resolve });
  return new Promise((answer) => {
    lookup("example.org", {}, (error, address) =>
      answer(error?.message ?? JSON.stringify(address)),
    );
  });
}

test("a connection goes to the address that was checked", async () => {
  expect(await looked(["93.184.216.34"])).toBe('"93.184.216.34"');
});

test("one address that is not public refuses the whole host", async () => {
  const closed = "names a host whose address is not public";
  expect(await looked(["93.184.216.34", "10.0.0.1"])).toBe(closed);
  expect(await looked(["10.0.0.1"], new Set(["example.org"]))).toBe('"10.0.0.1"');
  expect(await looked([])).toBe("names an unknown host");
});

test("a name is checked for each connection, so that one that is bound again gains nothing", async () => {
  const answers = ["93.184.216.34", "127.0.0.1", "::ffff:10.0.0.1", "93.184.216.34"];
  const resolve = () => {
    const address = answers.shift() ?? "";
    return Promise.resolve([{ address, family: address.includes(":") ? 6 : 4 }]);
  };
  const lookup = checkedLookup(new URL("https://example.org/"), { ...none, resolve });
  const connect = (all: boolean): Promise<unknown> =>
    new Promise((settle) => {
      lookup("example.org", { all }, (error, found) => settle(error?.message ?? found));
    });
  const closed = "names a host whose address is not public";
  expect(await connect(false)).toBe("93.184.216.34");
  expect([await connect(false), await connect(true)]).toEqual([closed, closed]);
  expect(await connect(true)).toEqual([{ address: "93.184.216.34", family: 4 }]);
});

test("a failed connection has its code and no other words", () => {
  expect(connectionFault(Object.assign(new Error("to 10.0.0.1"), { code: "ECONNREFUSED" }))).toBe(
    "ECONNREFUSED",
  );
  expect(connectionFault(new Error("to 10.0.0.1"))).toBe("the connection failed");
});
