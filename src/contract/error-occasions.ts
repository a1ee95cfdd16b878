import type { ErrorCode } from "./errors.ts";

/** The occasion of each error of the catalog, for `svc errors` and the reference. */
export const errorOccasions: Readonly<Record<ErrorCode, string>> = {
  E001: "A command needs a project, and no folder up to the home directory is one.",
  E002: "No setting names the platform, and none runs at the default address.",
  E003: "A configuration file that a command names or links to does not exist.",
  E004: "`src/eai.config/object-types.ts` is missing, does not load or has no Object Types.",
  E005: "A file of the project is a folder, or a folder is a file.",
  E006: "A setting, `.env.local`, `profiles.json` or `tokens.json` can't be read or is wrong.",
  E101: "The command needs a sign-in, and this profile has none at this platform.",
  E102: "The access token expired and can't be renewed, or the platform refused it (401).",
  E103: "The identity provider refused the credentials or the refresh token (401).",
  E104: "The identity provider refused the sign-in, or the token belongs to another platform.",
  E201: "No answer came: the connection failed, broke or exceeded its time limit.",
  E202: "A workspace, type, record, document or code does not exist, or is not visible (404).",
  E203: "The platform failed (5xx), limited the rate (429) or sent an unreadable answer.",
  E204: "The caller's role does not allow the call (403).",
  E205: "A version is no longer current, or a name is taken (409 or 412).",
  E301: "An Object Type definition breaks the rules of definitions.",
  E302: "The platform or the client found faults in the values (400 or 422).",
  E303: "An argument, an option or a value is missing.",
  E304: "A word or a file has another format than the command accepts (also 413 and 415).",
  E305: "A value can't be used, options exclude each other, or the command was interrupted.",
  TYPES_DEFINE_UNSUPPORTED: "`svc types define` is called, with any words, before sign-in.",
  RESOURCE_INDEX_APPLY_UNSUPPORTED:
    "`svc resources indexes-apply` is called, with any words, before sign-in.",
  context_invalid:
    "The context of `svc support` is not JSON, or a field is unknown, wrong or over its limit.",
  context_unreadable: "The context of `svc support` does not exist or can't be read.",
  context_too_large: "The context of `svc support` has more than 64 KiB.",
};
