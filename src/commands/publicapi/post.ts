import { publicapiCommand } from "./request.ts";

/** `svc publicapi post <path>` (spec 4.7). */
export const publicapiPostCommand = publicapiCommand("POST", "Send to a v4 route", [
  "svc publicapi post /v4/identity/me/provision",
]);
