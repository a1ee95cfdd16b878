import { expect, test } from "vitest";
import { routes } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { fixedListQuery, listBody, listQuery } from "#contract/lists.ts";
import * as z from "zod";

test.each([
  [
    { page: "2", limit: "500" },
    { page: 2, limit: 500 },
  ],
  [{ count: "true" }, { count: true }],
  [{ count: "false" }, { count: false }],
  [{ sort: "-created_at,name" }, { sort: "-created_at,name" }],
])("the query %j is read", (query, read) => {
  expect(listQuery.parse(query)).toEqual(read);
});

test.each([
  { page: "0" },
  { page: "1e3" },
  { limit: "501" },
  { limit: 1.5 },
  { count: "yes" },
  { sort: "a b" },
  { sort: "a,b,c,d,e,f,g,h,i" },
  { where: "x".repeat(16_385) },
])("the query %j is refused", (query) => {
  expect(listQuery.safeParse(query).success).toBe(false);
});

test("a list with a fixed order takes no order and no filter", () => {
  expect(Object.keys(fixedListQuery.shape)).toEqual(["page", "limit", "cursor", "count"]);
  expect(listBody(z.number()).safeParse({ items: ["x"] }).success).toBe(false);
});

/** Lists that are not of one workspace, and answers that only have the form of a list. */
const withoutFeed: Readonly<Record<string, string>> = {
  "capabilities.catalog": "is of the contract",
  "geoDatasets.get": "is one dataset with the number of its features",
  "geoReports.result": "is the state of stored rows, which its report's list names",
  "geoReports.run": "counts by area at one moment",
  "geoReports.startResult": "is the state of a job",
  "members.memberships": "is of a workspace and its children",
  "starterTemplates.list": "is of the installation",
  "starterTemplates.read": "is of the installation",
  "storage.indexPlan": "is a plan of a change",
  "webhooks.pull": "takes deliveries, of which each has its cursor",
};

test("each list of one workspace has a cursor of the feed", () => {
  const pages = new Set(["items", "nextCursor", "collections", "features", "objectTypes"]);
  const lacking = Object.entries(routes).flatMap(([domain, definitions]) =>
    Object.entries<RouteDefinition>(definitions).flatMap(([name, { method, asks, reply }]) => {
      if (reply.type !== "json" || !("shape" in reply.schema)) return [];
      const members = Object.keys(reply.schema.shape as object);
      const isPage = members.some((member) => pages.has(member));
      const isRead = method === "GET" || asks === true || members.includes("items");
      return isPage && isRead && !members.includes("feedCursor") ? [`${domain}.${name}`] : [];
    }),
  );
  expect(lacking.toSorted()).toEqual(Object.keys(withoutFeed));
});
