import { given } from "#lib/given.ts";
import type { IdpApp, IdpAppSecret, IdpReceipt, IdpRegistration } from "#contract/apps/idp-apps.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal, type Fault } from "#contract/problems.ts";
import type { Reader } from "../../database/database.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../kit/lists/pages.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import { lockWorkspace } from "../workspace-lock.ts";
import { equalSecrets, newSecret, tokenDigest } from "../secrets/service.ts";
import { revokeGrantsOfClient } from "../tokens/service.ts";
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
  /** False where the registration lets the secret alone redeem a code. */
  readonly needsPkce: boolean;
  hasSecret(secret: string): boolean;
}

/** Apps of workspaces that sign their users in at the embedded OpenID provider (spec 4.4). */
export class IdpApps {
  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly cursors: ListCursors;
      readonly now: () => Date;
      /** False where another provider signs users in. */
      readonly isProvider: boolean;
    },
  ) {}

  async list(
    { read }: Work,
    workspaceId: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
  ): Promise<ListBody<IdpApp>> {
    const pages = new ListPages(this.parts.cursors, ["idp apps", workspaceId]);
    const start = pages.start(query);
    const { rows: limit, offset } = start;
    return pages.body(start, {
      rows: await appsOf(read, { workspaceId, after: madeAt(start.after), limit, offset }),
      itemOf: idpAppOf,
      positionOf: (row) => [row.created_at, row.client_id],
      total: query.count === true ? await countApps(read, workspaceId) : undefined,
    });
  }

  /** Creates the registration of an app, or confirms and changes the present one. */
  async provision(
    work: Work,
    workspaceId: string,
    request: IdpRegistration & { readonly issuer: string },
  ): Promise<IdpAppSecret> {
    this.#requireProvider();
    const { issuer } = request;
    return work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const present = await findApp(tx, workspaceId, request);
      if (present === undefined) {
        const createdBy = work.caller?.oid ?? "";
        const { row, secret } = await this.#create(tx, workspaceId, request, createdBy);
        const answer = { ...idpAppOf(row), issuer, created: true };
        tx.remember({ ...answer, note: onceWords });
        return { ...answer, clientSecret: secret };
      }
      const row = await this.#confirm(tx, present, request);
      const answer = { ...idpAppOf(row), issuer, created: false };
      tx.remember(answer);
      return answer;
    });
  }

  /** The secret that worked before still works, until the new one is confirmed. */
  async rotate(
    work: Work,
    workspaceId: string,
    request: { readonly clientId: string; readonly issuer: string },
  ): Promise<IdpAppSecret> {
    this.#requireProvider();
    const { clientId, issuer } = request;
    const secret = newSecret("appSecret");
    return work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const present = await requireApp(tx, workspaceId, clientId);
      const at = this.parts.now().toISOString();
      const changes = {
        next_secret_hash: tokenDigest(secret),
        next_secret_created_at: at,
        updated_at: at,
      };
      await updateApp(tx, present, changes);
      const answer = { ...idpAppOf({ ...present, ...changes }), issuer, created: false };
      tx.remember({ ...answer, note: onceWords });
      return { ...answer, clientSecret: secret };
    });
  }

  /** Ends the app's sign-ins at once, and deletes its registration unless it is to be kept. */
  async remove(
    work: Work,
    workspaceId: string,
    clientId: string,
    { keepsRegistration }: { readonly keepsRegistration: boolean },
  ): Promise<IdpReceipt> {
    const ended = await work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const present = await requireApp(tx, workspaceId, clientId);
      const at = this.parts.now().toISOString();
      if (keepsRegistration) {
        await updateApp(tx, present, { state: "deauthorized", updated_at: at });
      } else await deleteApp(tx, present);
      return revokeGrantsOfClient(tx, clientId, at);
    });
    const status = keepsRegistration ? "deauthorized" : "deleted";
    return { clientId, status, endedSessions: ended };
  }

  /** The app as a client of the sign-in; undefined for one that may not sign users in. */
  async client(clientId: string): Promise<SignInApp | undefined> {
    if (!this.parts.isProvider) return undefined;
    const { read } = this.parts.platformWork("the app of a sign-in, in any workspace");
    const row = await activeApp(read, clientId);
    if (row === undefined) return undefined;
    return {
      clientId,
      name: row.display_name,
      workspaceId: row.workspace_id,
      redirectUris: redirectsOf(row.redirect_uris),
      postLogoutRedirectUris: redirectsOf(row.post_logout_redirect_uris),
      needsPkce: row.pkce !== "optional",
      hasSecret: (secret) => secretOf(row, secret) !== undefined,
    };
  }

  async #create(
    tx: Transaction,
    workspaceId: string,
    request: IdpRegistration,
    createdBy: string,
  ): Promise<{ readonly row: IdpAppRecord; readonly secret: string }> {
    const { key, displayName, redirectUris } = request;
    if (key === undefined) throw noSuchApp();
    const faults: Fault[] = [];
    if (redirectUris === undefined) faults.push(faultAt("body", ["redirectUris"], "is required"));
    if (request.clientSecret !== undefined) {
      faults.push(faultAt("body", ["clientSecret"], "is made by the platform for a new app"));
    }
    if (faults.length > 0) throw invalid(faults);
    if ((await countApps(tx, workspaceId)) >= maximumApps) {
      throw new Refusal("conflict", {
        detail: `Cannot register another app: a workspace has at most ${maximumApps}. Delete one first`,
      });
    }
    const secret = newSecret("appSecret");
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
      pkce: request.pkce ?? "required",
      created_by: createdBy,
      created_at: at,
      updated_at: at,
    };
    await insertApp(tx, row);
    return { row, secret };
  }

  async #confirm(
    tx: Transaction,
    present: IdpAppRecord,
    request: IdpRegistration,
  ): Promise<IdpAppRecord> {
    const { key, clientSecret, displayName, redirectUris, postLogoutRedirectUris, pkce } = request;
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
      ...given({ pkce }),
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
    await updateApp(tx, present, changes);
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
  reader: Reader,
  workspaceId: string,
  { clientId, key }: IdpRegistration,
): Promise<IdpAppRecord | undefined> {
  if (clientId !== undefined) return requireApp(reader, workspaceId, clientId);
  return key === undefined ? undefined : appOf(reader, workspaceId, { key });
}

async function requireApp(
  reader: Reader,
  workspaceId: string,
  clientId: string,
): Promise<IdpAppRecord> {
  const found = await appOf(reader, workspaceId, { clientId });
  if (found === undefined) throw noSuchApp();
  return found;
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
    pkce: row.pkce ?? "required",
    rotationPending: row.next_secret_hash !== null,
    created_at: row.created_at,
    secretCreatedAt: row.next_secret_created_at ?? row.secret_created_at,
  };
}

function noSuchApp(): Refusal {
  return new Refusal("not-found", { detail: "This workspace has no app with this client ID" });
}
