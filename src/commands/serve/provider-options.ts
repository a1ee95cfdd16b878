import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { given } from "#lib/given.ts";
import { BaseUrlError, parseBaseUrl } from "#lib/network/base-url.ts";
import { emailOf } from "../kit/input/email.ts";

/** The options of `svc serve` for an OpenID provider that is not the built-in one. */
export const providerOptions = {
  "auth-url": textOption("url", "OpenID provider to use instead of the built-in one"),
  "auth-audience": {
    ...textOption("text", "The `aud` of its access tokens (default svc-platform)"),
    needs: "auth-url",
  },
  "auth-client-id": {
    ...textOption("id", "The client of `svc login` at the provider (default svc)"),
    needs: "auth-url",
  },
  "auth-scope": {
    ...textOption("scope", "A scope that `svc login` needs for such a token; repeatable"),
    repeatable: true,
    needs: "auth-url",
  },
  "admin-email": textOption(
    "address",
    "With --auth-url: the verified address whose user administers the installation",
  ),
} as const;

interface ProviderOptions {
  readonly "auth-url"?: string;
  readonly "auth-audience"?: string;
  readonly "auth-client-id"?: string;
  readonly "auth-scope": readonly string[];
  readonly "admin-email"?: string;
  readonly demo: boolean;
}

const addressHint = "Expected an address such as https://svc.example.org";

/** The provider that the options name, and the administrator among its users. */
export function providerOf(options: ProviderOptions) {
  const authUrl = options["auth-url"];
  // A token's `iss` must be the same text, including a trailing slash.
  if (authUrl !== undefined) addressIn("--auth-url", authUrl);
  if (authUrl !== undefined && options.demo) {
    throw usageError(
      "--demo needs the built-in provider: the people of the sample data have their accounts there",
      "Leave out --auth-url, or --demo",
    );
  }
  return {
    ...given({ authUrl }),
    authRegistration: {
      ...given({ audience: options["auth-audience"], clientId: options["auth-client-id"] }),
      scopes: options["auth-scope"],
    },
    ...firstUserOf(options),
  };
}

/** The administrator that the options name; the built-in provider has its own first user. */
function firstUserOf(options: ProviderOptions) {
  const address = options["admin-email"];
  if (address === undefined) return {};
  if (options["auth-url"] === undefined) throw usageError("--admin-email needs --auth-url");
  return { firstUser: { email: emailOf("--admin-email", address) } };
}

/** The address in an option. Throws a usage error. */
export function addressIn(flag: string, text: string): URL {
  try {
    return parseBaseUrl(text);
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error;
    throw usageError(`${flag} ${error.message}`, addressHint);
  }
}
