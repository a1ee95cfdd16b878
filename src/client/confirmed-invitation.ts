import type { InvitationRequest, Invited } from "#contract/access/members.ts";
import { CatalogError } from "#contract/errors.ts";
import type { Client } from "./surface.ts";

/**
 * Invites a person, or changes a member's role after the user has confirmed it. The confirmation is
 * sent only to a platform that requires it: other deployments may refuse an unknown member.
 */
export async function inviteConfirmed(
  client: Client,
  request: {
    readonly tenantId?: string | undefined;
    readonly body: InvitationRequest;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Invited> {
  try {
    return await client.members.invite(request);
  } catch (error) {
    const isAsked =
      error instanceof CatalogError && error.problem?.["code"] === "confirmation-required";
    if (!isAsked) throw error;
    return client.members.invite({ ...request, body: { ...request.body, force: true } });
  }
}
