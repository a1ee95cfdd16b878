/**
 * The website's part of `svc support` (spec 7.3), outside `/v4`. No schema library is imported.
 *
 * `POST /support/drafts` with a bearer token and `{ bundle, bundleDigest, workspaceId?,
 * organisationLocation? }` returns 201 with `{ draftId, token, expiresAt }`. `bundle` is the report
 * as JSON text and `bundleDigest` the SHA-256 of its bytes. Without a workspace and a location the
 * answer is 400 with `{ "error": "region_required" }`.
 *
 * `GET /support#draft=<draftId>&token=<token>` is the page of a draft. A browser sends no fragment:
 * the page itself posts `{ token }` to `/support/drafts/<draftId>/open`, which answers once.
 */
export const supportPath = "/support";
export const supportDraftsPath = `${supportPath}/drafts`;

/** Values of the option `--organisation-location`. */
export const organisationLocations = ["apac", "emea", "americas"] as const;
export type OrganisationLocation = (typeof organisationLocations)[number];

/** `error` in the website's 400 for a caller without a workspace and a location. */
export const regionRequired = "region_required";

/** Bytes of a report: description, harness block and facts, with room for escapes. */
export const maximumBundleBytes = 128 * 1024;

/** The body of a request for a draft. */
export interface DraftRequest {
  readonly bundle: string;
  readonly bundleDigest: string;
  readonly workspaceId?: string | undefined;
  readonly organisationLocation?: OrganisationLocation | undefined;
}

/** The address of a draft's page: only the fragment, which browsers do not send, names it. */
export function draftUrl(website: string, draftId: string, token: string): string {
  const fragment = new URLSearchParams({ draft: draftId, token });
  return `${website}${supportPath}#${fragment.toString()}`;
}

/** The chat of the website, for results without a draft. */
export function supportChatUrl(website: string): string {
  return `${website}${supportPath}?chat=open`;
}
