import { publicapiCommand } from "./request.ts";

/** `svc publicapi delete <path>` (spec 4.7). */
export const publicapiDeleteCommand = publicapiCommand("DELETE", "Delete through a v4 route");
