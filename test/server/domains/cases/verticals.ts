import type { TestPlatform } from "#test/support/platform.ts";
import { enrolledPortal } from "../verticals/portal.ts";
import { bodies, record } from "./ledger-cases.ts";
import type { RouteTable } from "./route-case.ts";

const product = { product: "portal" };
const entry = { ...product, path: "entries/{reference}" };

async function portal(the: TestPlatform): Promise<Record<string, string>> {
  await enrolledPortal(the);
  return record(the);
}

const noProduct = {
  name: "a product that is not enrolled",
  params: { product: "unknown" },
  status: 404,
  code: "vertical-not-enrolled",
  pointers: [],
} as const;
const noKey = {
  name: "a product that is no key",
  params: { product: "No-Key" },
  pointers: ["#/path/product"],
};
const noRoute = {
  name: "a path that the product does not declare",
  params: { path: "nothing/here" },
  status: 404,
  code: "route-not-found",
  pointers: [],
} as const;
const unknownField = bodies(["a field that the route lacks", { amount: 3 }, "#/amount"]);

/** Spec 4.6: the routes that a product declares over the type `ledger`. */
export const verticalCases: RouteTable = {
  "verticals.show": {
    before: portal,
    foreign: { product: null },
    good: [
      {
        name: "lists the declared routes",
        params: product,
        answers: { product: "portal", displayName: "Portal" },
      },
    ],
    bad: [noKey, noProduct],
  },
  "verticals.read": {
    before: portal,
    foreign: { product: null, path: null },
    good: [
      {
        name: "reads the record of the path, in the names of the route",
        params: entry,
        answers: { id: "{id}", version: 1, data: { number: "{reference}", label: "a title" } },
      },
      {
        name: "lists the records of the fixed filter",
        params: { ...product, path: "entries" },
        query: '?where={"number":"{reference}"}&sort=-label&limit=5',
        answers: { items: [{ id: "{id}", data: { number: "{reference}" } }], hasNextPage: false },
      },
    ],
    bad: [
      noProduct,
      noRoute,
      {
        name: "an order of texts that does not exist",
        params: { ...product, path: "entries" },
        query: "?sort=label&collation=roman",
        pointers: ["#/query/collation"],
      },
      {
        name: "a filter on a property that the route leaves out",
        params: { ...product, path: "entries" },
        query: '?where={"amount":1}',
        pointers: ["#/query/where/amount"],
      },
      {
        name: "a sort by a property that the route leaves out",
        params: { ...product, path: "entries" },
        query: "?sort=amount",
        pointers: ["#/query/sort/amount"],
      },
    ],
  },
  "verticals.send": {
    before: portal,
    needs: "tenant-staff",
    foreign: { product: null, path: null },
    good: [
      {
        name: "creates a record that fulfils the filter",
        status: 201,
        params: { ...product, path: "entries" },
        body: { number: "{fresh}", label: "new" },
        answers: { version: 1, data: { number: "{fresh}", label: "new", state: "open" } },
      },
      {
        name: "executes an action on the record of the path",
        params: { ...product, path: "entries/{reference}/closing" },
        body: { by: "me" },
        answers: { id: "{id}", version: 2, data: { state: "closed" } },
      },
    ],
    bad: [
      noProduct,
      noRoute,
      ...bodies(
        ["a body that its schema refuses", { number: 5 }, "#/number"],
        ["a value that the type refuses", { number: "{other}", label: "x".repeat(21) }, "#/label"],
      ),
      {
        name: "a parameter that the action refuses",
        params: { path: "entries/{reference}/closing" },
        body: {},
        pointers: ["#/by"],
      },
    ],
  },
  "verticals.replace": {
    before: portal,
    needs: "tenant-staff",
    foreign: { product: null, path: null },
    good: [
      {
        name: "replaces the fields of the route, and leaves other properties",
        params: entry,
        body: { number: "{reference}" },
        answers: { version: 2, data: { number: "{reference}" } },
      },
    ],
    bad: [noProduct, noRoute, ...unknownField],
  },
  "verticals.change": {
    before: portal,
    needs: "tenant-staff",
    foreign: { product: null, path: null },
    good: [
      {
        name: "changes one field",
        params: entry,
        body: { label: "changed" },
        answers: { version: 2, data: { number: "{reference}", label: "changed" } },
      },
    ],
    bad: [
      noProduct,
      noRoute,
      ...unknownField,
      {
        name: "another version in If-Match",
        headers: { "if-match": '"2"' },
        body: { label: "changed" },
        status: 412,
        code: "precondition-failed",
        pointers: [],
      },
    ],
  },
  "verticals.remove": {
    before: portal,
    needs: "tenant-staff",
    foreign: { product: null, path: null },
    good: [{ name: "deletes the record of the path", status: 204, params: entry }],
    bad: [noKey, noProduct, noRoute],
  },
};
