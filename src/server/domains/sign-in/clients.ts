import { commandClientId, commandScopes, loopbackRedirectPath } from "#contract/sign-in.ts";

/** An application that may ask for tokens. All are public clients, without a secret. */
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  acceptsRedirect(address: URL): boolean;
}

const commandClient: Client = {
  id: commandClientId,
  name: "the svc command",
  scopes: commandScopes,
  acceptsRedirect: isLoopbackRedirect,
};

export function findClient(id: string | undefined): Client | undefined {
  return id === commandClient.id ? commandClient : undefined;
}

/** Whether the client may ask for each of these scopes, which spaces separate (RFC 6749, 3.3). */
export function isScopeAllowed(client: Client, scope: string): boolean {
  return scope.split(" ").every((name) => client.scopes.includes(name));
}

/** RFC 8252, 7.3 and 8.3: a loopback IP address (no name), any port, exactly this path. */
function isLoopbackRedirect(address: URL): boolean {
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
