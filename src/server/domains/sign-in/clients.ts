import { commandClientId, commandScopes, loopbackRedirectPath } from "#contract/access/sign-in.ts";
import { isStorable } from "../../kit/storable-text.ts";
import type { SignInApp } from "../idp-apps/service.ts";
import { agentOf } from "./agent-clients.ts";
import { grantTypes } from "./discovery.ts";
import { ProtocolError } from "./protocol-error.ts";

/** An application that may ask for tokens: the command, or an app of a workspace. */
export interface Client {
  readonly id: string;
  /** The sentence of the sign-in page. */
  readonly purpose: string;
  readonly scopes: readonly string[];
  readonly grantTypes: readonly string[];
  /** Only its members sign in, and its tokens are valid in it only; undefined for the command. */
  readonly workspaceId: string | undefined;
  acceptsRedirect(address: string): boolean;
  /** Addresses that a sign-out may return to. */
  readonly postLogoutRedirectUris: readonly string[];
  /** True for every public client: nothing else binds a code to it. */
  readonly needsPkce: boolean;
  /** Undefined for a public client, which has no secret. */
  readonly hasSecret: ((secret: string) => boolean) | undefined;
}

const commandClient: Client = {
  id: commandClientId,
  purpose: "Sign in to let the svc command on this machine act for you.",
  scopes: commandScopes,
  grantTypes: Object.values(grantTypes),
  workspaceId: undefined,
  acceptsRedirect: isLoopbackRedirect,
  postLogoutRedirectUris: [],
  needsPkce: true,
  hasSecret: undefined,
};

/** Finds apps by their client ids. */
export interface SignInApps {
  client(clientId: string): Promise<SignInApp | undefined>;
}

export async function findClient(
  apps: SignInApps,
  id: string | undefined,
): Promise<Client | undefined> {
  if (id === undefined) return undefined;
  if (id === commandClient.id) return commandClient;
  const agent = agentOf(id);
  if (agent !== undefined) {
    return {
      ...commandClient,
      id,
      purpose: `Sign in to let the agent “${agent.name}” on this machine act for you.`,
      grantTypes: [grantTypes.code, grantTypes.refresh],
      acceptsRedirect: (address) => agent.acceptsRedirect(address),
    };
  }
  const app = await apps.client(id);
  if (app === undefined) return undefined;
  return {
    id,
    purpose: `Sign in to let the app “${app.name}” act for you in its workspace.`,
    scopes: commandScopes,
    grantTypes: [grantTypes.code, grantTypes.refresh],
    workspaceId: app.workspaceId,
    // Character by character (RFC 9700, 2.1).
    acceptsRedirect: (address) => app.redirectUris.includes(address),
    postLogoutRedirectUris: app.postLogoutRedirectUris,
    needsPkce: app.needsPkce,
    hasSecret: (secret) => app.hasSecret(secret),
  };
}

/** True if the client may ask for each of these scopes, which spaces separate (RFC 6749, 3.3). */
export function isScopeAllowed(client: Client, scope: string): boolean {
  return scope.split(" ").every((name) => client.scopes.includes(name));
}

/** The client of a token request, with its secret if it has one (RFC 6749, 2.3). */
export async function authenticatedClient(
  apps: SignInApps,
  form: ReadonlyMap<string, string>,
  authorization: string | null,
): Promise<Client> {
  const basic = authorization === null ? undefined : basicCredentials(authorization);
  if (basic !== undefined && form.has("client_secret")) {
    throw new ProtocolError("invalid_request", "the client has two forms of authentication");
  }
  const named = form.get("client_id");
  if (basic !== undefined && named !== undefined && named !== basic.id) {
    throw new ProtocolError("invalid_request", "the client is named in two ways");
  }
  const client = await findClient(apps, basic?.id ?? named);
  if (client === undefined) throw new ProtocolError("invalid_client", "the client is unknown");
  const secret = basic?.secret ?? form.get("client_secret");
  const isAuthentic =
    client.hasSecret === undefined
      ? secret === undefined
      : secret !== undefined && client.hasSecret(secret);
  if (!isAuthentic) throw new ProtocolError("invalid_client", "the client's secret is not correct");
  return client;
}

/** RFC 6749, 2.3.1: both parts are form-encoded, then base64. */
function basicCredentials(header: string): { readonly id: string; readonly secret: string } {
  const malformed = new ProtocolError("invalid_client", "the Authorization header is not valid");
  const [, encoded = ""] = /^basic +([A-Za-z0-9+/=]{1,4096})$/i.exec(header) ?? [];
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 1) throw malformed;
  try {
    const decoded = (part: string): string => decodeURIComponent(part.replaceAll("+", " "));
    const id = decoded(text.slice(0, colon));
    if (!isStorable(id)) throw malformed;
    return { id, secret: decoded(text.slice(colon + 1)) };
  } catch {
    throw malformed;
  }
}

/** RFC 8252, 7.3 and 8.3: a loopback IP address (no name), any port, exactly this path. */
function isLoopbackRedirect(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const address = new URL(text);
  return (
    address.protocol === "http:" &&
    (address.hostname === "127.0.0.1" || address.hostname === "[::1]") &&
    address.pathname === loopbackRedirectPath &&
    address.search === "" &&
    address.hash === "" &&
    address.username === "" &&
    address.password === ""
  );
}
