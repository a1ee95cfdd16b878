import { commandClientId, commandScopes, loopbackRedirectPath } from "#contract/sign-in.ts";

/** An application that may ask for tokens. All are public clients: none keeps a secret. */
export interface Client {
  readonly id: string;
  /** What the pages call it. */
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

/** The client with this id; undefined for an unknown one. */
export function findClient(id: string | undefined): Client | undefined {
  return id === commandClient.id ? commandClient : undefined;
}

/** RFC 8252, 7.3 and 8.3: a loopback address (not a name), any port, exactly our path. */
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
