import { publicapiCommand } from "./request.ts";

/** `svc publicapi get <path>` (spec 4.7). */
export const publicapiGetCommand = publicapiCommand("GET", "Read a v4 route");
