import { expect, test } from "vitest";
import { matcherOf, readRequests } from "./requests.ts";

test("requests are read from cases, from calls and from verbs, through constants", () => {
  const requests = readRequests(
    "some.test.ts",
    `
    const base = "/v4/things";
    const one = (id: string) => \`\${base}/\${id}\`;
    apiCases([{ name: "a", method: "GET", path: base + "?limit=2" }]);
    send("PUT", one("x"), {});
    user.delete(\`\${base}/\${made.id}/parts\`);
    map.get("/not a request");
    words.push("GET", "nothing");
  `,
  );
  expect(requests).toEqual([
    { method: "GET", path: "/v4/things?limit=2" },
    { method: "PUT", path: "/v4/things/{}" },
    { method: "DELETE", path: "/v4/things/{}/parts" },
    { method: "GET", path: "/not a request" },
    { method: "GET", path: "nothing" },
  ]);
});

test("a request is for a route when method, segments and end are those of the route", () => {
  const isFor = (path: string, method = "GET") =>
    matcherOf("GET", "/v4/things/{thingId}")({ method, path });
  expect(isFor("/v4/things/7")).toBe(true);
  expect(isFor("{}/v4/things/{}?count=true")).toBe(true);
  expect(isFor("/v4/things/7/parts")).toBe(false);
  expect(isFor("/v4/things")).toBe(false);
  expect(isFor("/v4/things/7", "PUT")).toBe(false);
});
