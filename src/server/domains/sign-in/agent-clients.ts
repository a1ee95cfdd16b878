import { agentClientPrefix, commandScopes } from "#contract/access/sign-in.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { isLoopbackHost } from "#lib/network/loopback.ts";
import { plainLine } from "#lib/text/terminal.ts";
import { grantTypes } from "./discovery.ts";
import { ProtocolError } from "./protocol-error.ts";

const maximumRedirects = 5;
const maximumIdLength = 1_500;
const maximumNameLength = 60;

/** An agent that has registered itself. */
interface Agent {
  /** One line, as the agent gave it. */
  readonly name: string;
  acceptsRedirect(address: string): boolean;
}

interface AgentFacts {
  readonly name: string;
  readonly redirects: readonly string[];
}

/**
 * Dynamic registration (RFC 7591) of agents on the user's own machine: the answer to these
 * metadata. The client id contains what was registered, so nothing is stored: anyone may register,
 * so a stored row would prove nothing.
 */
export function registeredAgent(body: unknown): Readonly<Record<string, unknown>> {
  if (!isJsonObject(body)) throw invalidMetadata("the metadata must be an object");
  const method = body["token_endpoint_auth_method"] ?? "none";
  if (method !== "none") throw invalidMetadata("only public clients can register");
  const facts = { name: nameOf(body["client_name"]), redirects: redirectsOf(body) };
  const id = agentClientPrefix + Buffer.from(JSON.stringify(facts)).toString("base64url");
  if (id.length > maximumIdLength) throw invalidMetadata("the metadata are too long");
  return {
    client_id: id,
    client_name: facts.name,
    redirect_uris: facts.redirects,
    token_endpoint_auth_method: "none",
    grant_types: [grantTypes.code, grantTypes.refresh],
    response_types: ["code"],
    scope: commandScopes.join(" "),
  };
}

/** The agent that a registered id describes; undefined for any other id. */
export function agentOf(id: string): Agent | undefined {
  const facts = factsOf(id);
  if (facts === undefined) return undefined;
  return {
    name: facts.name,
    acceptsRedirect: (address) => facts.redirects.some((known) => sameButPort(known, address)),
  };
}

function factsOf(id: string): AgentFacts | undefined {
  if (!id.startsWith(agentClientPrefix) || id.length > maximumIdLength) return undefined;
  try {
    const text = Buffer.from(id.slice(agentClientPrefix.length), "base64url").toString("utf8");
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return undefined;
    // The holder may have written it by hand, so it is checked again.
    const facts = {
      name: nameOf(value["name"]),
      redirects: redirectsOf({ redirect_uris: value["redirects"] }),
    };
    return facts;
  } catch {
    return undefined;
  }
}

function nameOf(given: unknown): string {
  const name = typeof given === "string" ? plainLine(given).trim() : "";
  return name === "" ? "unnamed" : name.slice(0, maximumNameLength);
}

function redirectsOf(body: Readonly<Record<string, unknown>>): string[] {
  const given = body["redirect_uris"];
  if (!Array.isArray(given) || given.length === 0 || given.length > maximumRedirects) {
    throw new ProtocolError("invalid_redirect_uri", "between one and five addresses are needed");
  }
  return given.map((address: unknown) => {
    if (typeof address === "string" && isOnThisMachine(address)) return address;
    throw new ProtocolError(
      "invalid_redirect_uri",
      "a redirect address must be http on this machine; other apps register in a workspace",
    );
  });
}

/** RFC 8252, 7.3: http on a loopback interface. */
function isOnThisMachine(address: string): boolean {
  if (address.length > 300 || !URL.canParse(address)) return false;
  const { protocol, hostname, hash, username, password } = new URL(address);
  return (
    protocol === "http:" &&
    isLoopbackHost(hostname) &&
    hash === "" &&
    username === "" &&
    password === ""
  );
}

/** The port of a loopback address may differ at each sign-in (RFC 8252, 7.3). */
function sameButPort(known: string, address: string): boolean {
  if (!isOnThisMachine(address)) return false;
  const [registered, asked] = [new URL(known), new URL(address)];
  registered.port = "";
  asked.port = "";
  return registered.href === asked.href;
}

function invalidMetadata(message: string): ProtocolError {
  return new ProtocolError("invalid_client_metadata", message);
}
