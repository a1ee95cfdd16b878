import { publicapiCommand } from "./request.ts";

/** `svc publicapi patch <path>` (spec 4.7). */
export const publicapiPatchCommand = publicapiCommand("PATCH", "Change through a v4 route", [
  `svc publicapi patch /v4/identity/me/profile --data '{"displayName":"M. Okafor"}'`,
]);
