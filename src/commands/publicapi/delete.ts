import { publicapiCommand } from "./request.ts";

/** `svc publicapi delete <path>` (spec 4.7). */
export const publicapiDeleteCommand = publicapiCommand("DELETE", "Delete through a v4 route", [
  "svc publicapi delete /v4/data/resources/<tenantId>/business-request/<id>",
]);
