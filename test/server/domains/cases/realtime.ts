import { bodies } from "./ledger-cases.ts";
import type { RouteTable } from "./route-case.ts";

/** Spec 4.6: the token of a stream of changes; the stream has its own tests. */
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
};
