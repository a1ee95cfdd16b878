import { bodies } from "./ledger-cases.ts";
import type { RouteTable } from "./route-case.ts";

/** Spec 4.6: the token of a stream of changes, and the stream, which has further tests. */
export const realtimeCases: RouteTable = {
  "realtime.negotiate": {
    good: [
      {
        name: "grants a stream of the workspace",
        body: { kinds: "record" },
        answers: { transports: ["sse", "websocket"] },
      },
    ],
    bad: [
      ...bodies(["kinds that are no names", { kinds: "a b" }, "#/kinds"]),
      ...bodies(["a type that does not exist", { types: "unknown" }, "#/types"]),
      ...bodies(["a filter without types", { where: '{"a":1}' }, "#/types"]),
    ],
  },
  "realtime.events": {
    isEndless: true,
    good: [
      { name: "follows the workspace", query: "?tenant_id={tenant}" },
      { name: "follows the workspace of the header", headers: { "x-tenant-id": "{tenant}" } },
    ],
    bad: [
      {
        name: "kinds that are no names",
        query: "?tenant_id={tenant}&kinds=a%20b",
        pointers: ["#/query/kinds"],
      },
      {
        name: "a type that does not exist",
        query: "?tenant_id={tenant}&types=unknown",
        pointers: ["#/query/types"],
      },
      {
        name: "a filter without types",
        query: "?tenant_id={tenant}&where=%7B%22a%22%3A1%7D",
        pointers: ["#/query/types"],
      },
      {
        name: "a workspace that is no id",
        query: "?tenant_id=nonsense",
        pointers: ["#/query/tenant_id"],
      },
      {
        name: "another workspace in the header",
        query: "?tenant_id={tenant}",
        headers: { "x-tenant-id": "{other}" },
        pointers: ["#/header/X-Tenant-Id"],
      },
      {
        name: "no workspace",
        query: "",
        pointers: ["#/query/tenant_id"],
      },
      {
        name: "a cursor that is forged",
        query: "?tenant_id={tenant}&cursor=forged",
        pointers: [],
        status: 410,
        code: "feed-reset",
      },
      {
        name: "a format that streams do not have",
        query: "?tenant_id={tenant}",
        headers: { accept: "application/xml" },
        pointers: [],
        status: 406,
        code: "not-acceptable",
      },
    ],
  },
};
