import { publicapiCommand } from "./request.ts";

/** `svc publicapi get <path>` (spec 4.7). */
export const publicapiGetCommand = publicapiCommand("GET", "Read a v4 route", [
  "svc publicapi get /v4/data/documents/records --param limit=5",
  "svc publicapi get /v4/data/documents/records/DOC-2026-000001/content > statement.pdf",
]);
