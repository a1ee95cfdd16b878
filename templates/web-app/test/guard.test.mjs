import assert from "node:assert/strict";
import { test } from "node:test";
import { ownAddress, requestCheck } from "../server/guard.mjs";

const check = (own, headers, method = "GET") => requestCheck(own)({ method, headers });

test("requests of other pages are refused", () => {
  const own = ownAddress({}, 3000);
  const { host, origin } = own;
  assert.equal(check(own, { host, origin }, "POST"), undefined);
  assert.equal(check(own, { host: "evil.test:3000" }), "Host");
  assert.equal(check(own, { host, origin: "https://evil.test" }, "POST"), "Origin");
  assert.equal(check(own, { host, origin: "null" }, "POST"), "Origin");
  assert.equal(check(own, { host, "sec-fetch-site": "cross-site" }), "Sec-Fetch-Site");
  const link = { host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
  assert.equal(check(own, link), undefined);
});

test("behind a proxy, the public address counts", () => {
  const own = ownAddress({ APP_URL: "https://trees.example" }, 3000);
  assert.equal(check(own, { host: "trees.example", origin: "https://trees.example" }), undefined);
  assert.equal(check(own, { host: "trees.example", origin: "http://trees.example" }), "Origin");
});
