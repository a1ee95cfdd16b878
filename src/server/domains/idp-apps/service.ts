import type { IdpApp, IdpAppSecret, IdpReceipt, IdpRegistration } from "#contract/idp-apps.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal, type Fault } from "#contract/problems.ts";
import { appSecretPrefix } from "#contract/sign-in.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { faultAt, invalid } from "../../http/faults.ts";
import type { Principal } from "../../http/handler.ts";
import type { ListCursors } from "../../http/lists/cursors.ts";
import { ListPages, madeAt } from "../../http/lists/pages.ts";
import { lockWorkspace, type Remember } from "../members/service.ts";
import { equalSecrets, randomToken, tokenDigest } from "../secrets/service.ts";
import { revokeGrantsOfClient, type TokenService } from "../tokens/service.ts";
import {
  activeApp,
  appOf,
  appsOf,
  countApps,
  deleteApp,
  insertApp,
  updateApp,
  type IdpAppRecord,
} from "./store.ts";

/** Apps of one workspace: more than an admin can tell apart. */
const maximumApps = 100;
const onceWords =
  "The secret was in the first answer only: rotate it, and confirm the app with the new one";

/** An app as the sign-in needs it. */
export interface SignInApp {
  readonly clientId: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  hasSecret(secret: string): boolean;
}

/** Apps of workspaces that sign their users in at the embedded OpenID provider (spec 4.4). */
export class IdpApps {
  constructor(
    private readonly parts: {
      readonly database: Database;
      /** Reads rows of the workspace of the running request only. */
      readonly own: Reader;
      readonly tokens: Pick<TokenService, "forgetGrants">;
      readonly cursors: ListCursors;
      readonly now: () => Date;
      /** False where another provider signs users in. */
      readonly isProvider: boolean;
    },
  ) {}

  async list(
    workspaceId: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<IdpApp>> {
    const { own } = this.parts;
    const pages = new ListPages(this.parts.cursors, ["idp apps", workspaceId]);
    const start = pages.start(query);
    const { rows: limit, offset } = start;
    return pages.body(start, {
      rows: await appsOf(own, { workspaceId, after: madeAt(start.after), limit, offset }),
      itemOf: idpAppOf,
      positionOf: (row) => [row.created_at, row.client_id],
      total: query.count === true ? await countApps(own, workspaceId) : undefined,
    });
  }

  /** Creates the registration of an app, or confirms and changes the present one. */
  async provision(
    principal: Principal,
    workspaceId: string,
    request: IdpRegistration & { readonly issuer: string },
    remember: Remember<IdpAppSecret>,
  ): Promise<IdpAppSecret> {
    this.#requireProvider();
    const { issuer } = request;
    return this.parts.database.write(async (writer) => {
      await lockWorkspace(writer, workspaceId);
      const present = await findApp(writer, workspaceId, request);
      if (present === undefined) {
        const { row, secret } = await this.#create(writer, principal, workspaceId, request);
        const answer = { ...idpAppOf(row), issuer, created: true };
        remember({ ...answer, note: onceWords });
        return { ...answer, clientSecret: secret };
      }
      const row = await this.#confirm(writer, present, request);
      const answer = { ...idpAppOf(row), issuer, created: false };
      remember(answer);
      return answer;
    });
  }

  /** The secret that worked before still works, until the new one is confirmed. */
  async rotate(
    workspaceId: string,
    request: { readonly clientId: string; readonly issuer: string },
    remember: Remember<IdpAppSecret>,
  ): Promise<IdpAppSecret> {
    this.#requireProvider();
    const { clientId, issuer } = request;
    const secret = newSecret();
    return this.parts.database.write(async (writer) => {
      await lockWorkspace(writer, workspaceId);
      const present = await requireApp(writer, workspaceId, clientId);
      const at = this.parts.now().toISOString();
      const changes = {
        next_secret_hash: tokenDigest(secret),
        next_secret_created_at: at,
        updated_at: at,
      };
      await updateApp(writer, present, changes);
      const answer = { ...idpAppOf({ ...present, ...changes }), issuer, created: false };
      remember({ ...answer, note: onceWords });
      return { ...answer, clientSecret: secret };
    });
  }

  /** Ends the app's sign-ins at once, and deletes its registration unless it is to be kept. */
  async remove(
    workspaceId: string,
    clientId: string,
    { keepsRegistration }: { readonly keepsRegistration: boolean },
  ): Promise<IdpReceipt> {
    const { database, now, tokens } = this.parts;
    const ended = await database.write(async (writer) => {
      await lockWorkspace(writer, workspaceId);
      const present = await requireApp(writer, workspaceId, clientId);
      const at = now().toISOString();
      if (keepsRegistration) {
        await updateApp(writer, present, { state: "deauthorized", updated_at: at });
      } else await deleteApp(writer, present);
      return revokeGrantsOfClient(writer, clientId, at);
    });
    tokens.forgetGrants(new Set(ended));
    const status = keepsRegistration ? "deauthorized" : "deleted";
    return { clientId, status, endedSessions: ended.length };
  }

  /** The app as a client of the sign-in; undefined for one that may not sign users in. */
  async client(clientId: string): Promise<SignInApp | undefined> {
    if (!this.parts.isProvider) return undefined;
    const row = await activeApp(this.parts.database.read, clientId);
    if (row === undefined) return undefined;
    return {
      clientId,
      name: row.display_name,
      workspaceId: row.workspace_id,
      redirectUris: redirectsOf(row.redirect_uris),
      postLogoutRedirectUris: redirectsOf(row.post_logout_redirect_uris),
      hasSecret: (secret) => secretOf(row, secret) !== undefined,
    };
  }

  async #create(
    writer: Writer,
    principal: Principal,
    workspaceId: string,
    request: IdpRegistration,
  ): Promise<{ readonly row: IdpAppRecord; readonly secret: string }> {
    const { key, displayName, redirectUris } = request;
    if (key === undefined) throw noSuchApp();
    const faults: Fault[] = [];
    if (redirectUris === undefined) faults.push(faultAt("body", ["redirectUris"], "is required"));
    if (request.clientSecret !== undefined) {
      faults.push(faultAt("body", ["clientSecret"], "is made by the platform for a new app"));
    }
    if (faults.length > 0) throw invalid(faults);
    if ((await countApps(writer, workspaceId)) >= maximumApps) {
      throw new Refusal("conflict", {
        detail: `Cannot register another app: a workspace has at most ${maximumApps}. Delete one first`,
      });
    }
    const secret = newSecret();
    const at = this.parts.now().toISOString();
    const row: IdpAppRecord = {
      workspace_id: workspaceId,
      client_id: Bun.randomUUIDv7(),
      app_key: key,
      display_name: displayName ?? key,
      redirect_uris: JSON.stringify(redirectUris),
      post_logout_redirect_uris: JSON.stringify(request.postLogoutRedirectUris ?? []),
      secret_hash: tokenDigest(secret),
      secret_created_at: at,
      next_secret_hash: null,
      next_secret_created_at: null,
      state: "active",
      created_by: principal.oid,
      created_at: at,
      updated_at: at,
    };
    await insertApp(writer, row);
    return { row, secret };
  }

  async #confirm(
    writer: Writer,
    present: IdpAppRecord,
    request: IdpRegistration,
  ): Promise<IdpAppRecord> {
    const { key, clientSecret, displayName, redirectUris, postLogoutRedirectUris } = request;
    if (key !== undefined && key !== present.app_key) {
      throw invalid([faultAt("body", ["key"], "is not the key of this client")]);
    }
    const proven = clientSecret === undefined ? undefined : secretOf(present, clientSecret);
    if (clientSecret !== undefined && proven === undefined) {
      throw invalid([faultAt("body", ["clientSecret"], "is not a secret of this client")]);
    }
    const { next_secret_hash: next, next_secret_created_at: nextAt } = present;
    const changes = {
      ...(displayName === undefined ? {} : { display_name: displayName }),
      ...(redirectUris === undefined ? {} : { redirect_uris: JSON.stringify(redirectUris) }),
      ...(postLogoutRedirectUris === undefined
        ? {}
        : { post_logout_redirect_uris: JSON.stringify(postLogoutRedirectUris) }),
      ...(proven !== "next" || next === null || nextAt === null
        ? {}
        : {
            secret_hash: next,
            secret_created_at: nextAt,
            next_secret_hash: null,
            next_secret_created_at: null,
          }),
      state: "active",
      updated_at: this.parts.now().toISOString(),
    };
    await updateApp(writer, present, changes);
    return { ...present, ...changes };
  }

  #requireProvider(): void {
    if (this.parts.isProvider) return;
    throw new Refusal("conflict", {
      detail: "Another identity provider signs users in here: register the app with that provider",
    });
  }
}

async function findApp(
  writer: Writer,
  workspaceId: string,
  { clientId, key }: IdpRegistration,
): Promise<IdpAppRecord | undefined> {
  if (clientId !== undefined) return requireApp(writer, workspaceId, clientId);
  return key === undefined ? undefined : appOf(writer, workspaceId, { key });
}

async function requireApp(
  writer: Writer,
  workspaceId: string,
  clientId: string,
): Promise<IdpAppRecord> {
  const found = await appOf(writer, workspaceId, { clientId });
  if (found === undefined) throw noSuchApp();
  return found;
}

function newSecret(): string {
  return `${appSecretPrefix}${randomToken()}`;
}

/** The place of a secret; undefined for one that is not the app's. */
function secretOf(row: IdpAppRecord, secret: string): "present" | "next" | undefined {
  const hash = tokenDigest(secret);
  if (equalSecrets(hash, row.secret_hash)) return "present";
  const { next_secret_hash: next } = row;
  return next !== null && equalSecrets(hash, next) ? "next" : undefined;
}

function redirectsOf(stored: string): string[] {
  return JSON.parse(stored) as string[];
}

function idpAppOf(row: IdpAppRecord): IdpApp {
  return {
    clientId: row.client_id,
    key: row.app_key,
    displayName: row.display_name,
    redirectUris: redirectsOf(row.redirect_uris),
    postLogoutRedirectUris: redirectsOf(row.post_logout_redirect_uris),
    status: row.state,
    rotationPending: row.next_secret_hash !== null,
    created_at: row.created_at,
    secretCreatedAt: row.next_secret_created_at ?? row.secret_created_at,
  };
}

function noSuchApp(): Refusal {
  return new Refusal("not-found", { detail: "This workspace has no app with this client ID" });
}
