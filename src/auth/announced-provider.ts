import * as oauth from "oauth4webapi";
import { commandClientIdMember, resourceMetadataPath } from "#contract/platform/agents.ts";
import { filledText, membersOf, parsedJson } from "#lib/json/value.ts";
import { requestSettings, type ProviderOptions } from "./provider.ts";

/** The provider that a platform names for its users. */
export interface AnnouncedProvider {
  readonly authUrl: string;
  /** The client of this program at the provider. */
  readonly clientId: string | undefined;
  readonly scopes: readonly string[];
}

/**
 * The provider in the platform's Protected Resource Metadata (RFC 9728, 3.1); undefined without
 * valid metadata, also where the platform does not answer.
 */
export async function announcedProvider(
  baseUrl: string,
  options: ProviderOptions,
): Promise<AnnouncedProvider | undefined> {
  const { origin, pathname } = new URL(baseUrl);
  const address = `${origin}${resourceMetadataPath}${pathname === "/" ? "" : pathname}`;
  const send = requestSettings(new URL(baseUrl), options)[oauth.customFetch];
  try {
    const response = await send(address, {
      method: "GET",
      headers: { accept: "application/json" },
    });
    return response.status === 200 ? providerIn(await response.text(), origin) : undefined;
  } catch {
    options.signal?.throwIfAborted();
    return undefined;
  }
}

function providerIn(text: string, origin: string): AnnouncedProvider | undefined {
  const members = membersOf(parsedJson(text));
  // Metadata of another resource must not be used (RFC 9728, 3.3).
  if (URL.parse(filledText(members?.get("resource")) ?? "")?.origin !== origin) return undefined;
  const [authUrl] = textsOf(members?.get("authorization_servers"));
  if (authUrl === undefined || !/^https?:$/.test(URL.parse(authUrl)?.protocol ?? "")) {
    return undefined;
  }
  return {
    authUrl,
    clientId: filledText(members?.get(commandClientIdMember)),
    scopes: textsOf(members?.get("scopes_supported")),
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string" && one !== "") : [];
}
