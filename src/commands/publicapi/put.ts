import { publicapiCommand } from "./request.ts";

/** `svc publicapi put <path>` (spec 4.7). */
export const publicapiPutCommand = publicapiCommand("PUT", "Replace through a v4 route", [
  "svc publicapi put /v4/data/resources/<tenantId>/business-request/<id> --data @update.json",
]);
