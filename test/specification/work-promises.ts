import { inFile } from "./rows.ts";
import type { Promises } from "./promises.ts";

/** Promises about work without a request, and about what an archive brings. */
export const workPromises: Promises = {
  "Work without a request acts": [
    ...inFile(
      "server/domains/geo/reports/run-report",
      "fails when who has set its schedule may no longer sign in",
      "shows no result of a former question that the reader may not ask",
    ),
    ...inFile(
      "server/domains/webhooks/message",
      "is read by the role that the endpoint has when it is sent",
    ),
  ],
  "Things that an archive brings into a workspace": [
    ...inFile(
      "server/domains/verticals/products",
      "a binding whose id an archive brought into another workspace declares its own routes",
    ),
    ...inFile(
      "server/domains/archives/import/row-bounds",
      "are refused, each list by its own number; rows that are there stay",
    ),
  ],
};
