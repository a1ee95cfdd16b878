import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import { proxyHint } from "#lib/network/proxy-refusal.ts";
import { readBoundedText } from "#lib/network/bounded-body.ts";
import { parseBaseUrl, BaseUrlError, baseUrlText } from "#lib/network/base-url.ts";
import { membersOf, parsedJson } from "#lib/json/value.ts";
import { isLoopback, networkFetch } from "#lib/network/network-fetch.ts";
import type { CommandContext } from "../kit/context.ts";

const addressVariable = "SVC_SOURCE_HOST_URL";
const tokenVariables = ["SVC_SOURCE_HOST_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"] as const;
const defaultAddress = "https://api.github.com";
const limitMs = 30_000;
const maximumBytes = 8 * 1024 * 1024;

export const hostWords =
  `The source host is ${defaultAddress}, or the address in ${addressVariable} with the same API. ` +
  `The token comes from ${tokenVariables.join(", ")}; a project's files can't set either.`;

export const repoOption = {
  ...textOption("owner/name", "Repository on the source host"),
  required: true,
} as const;

/** The repository's path in the API. Throws E305, wrong usage, for another form. */
export function repositoryPath(repo: string): string {
  const isName = (part: string | undefined) =>
    part !== undefined && /^[A-Za-z0-9._-]{1,100}$/.test(part) && !/^\.+$/.test(part);
  const [owner, name, ...rest] = repo.split("/");
  if (isName(owner) && isName(name) && rest.length === 0) return `/repos/${owner}/${name}`;
  throw usageError(`--repo "${repo}" is not owner/name`);
}

export interface HostAnswer {
  readonly status: number;
  readonly body: ReadonlyMap<string, unknown>;
}

export interface SourceHost {
  readonly address: string;
  /** Throws E103, E201, E202, E203 or E204 for a failure, except for the statuses allowed. */
  call(
    method: "GET" | "POST" | "PATCH",
    path: string,
    options?: { readonly body?: object; readonly allowed?: readonly number[] },
  ): Promise<HostAnswer>;
}

/** The source host of this call, with its token. Throws E002 without a token. */
export function openHost({ environment, signal }: CommandContext): SourceHost {
  const { variables } = environment;
  const token = tokenVariables.map((name) => variables[name] ?? "").find((text) => text !== "");
  if (token === undefined) throw catalogError("E002", { var: tokenVariables[0] });
  const address = hostAddress(variables[addressVariable] || defaultAddress);
  const send = environment.fetch ?? networkFetch;
  return {
    address,
    call: async (method, path, { body, allowed = [] } = {}) => {
      const request = new Request(address + path, {
        method,
        redirect: "manual",
        headers: {
          accept: "application/vnd.github+json",
          authorization: `Bearer ${token}`,
          "user-agent": "svc",
          "x-github-api-version": "2022-11-28",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
      });
      let response: Response;
      let text: string;
      try {
        response = await send(request);
        text = await readBoundedText(response, maximumBytes, { limitMs });
      } catch (error) {
        if (signal.aborted) throw error;
        const hint = proxyHint(error) ?? "Check the address";
        throw catalogError("E201", { url: address }, { cause: error, hint });
      }
      const { status } = response;
      const answer = membersOf(parsedJson(text)) ?? new Map<string, unknown>();
      if (response.ok || allowed.includes(status)) return { status, body: answer };
      throw hostFailure(status, answer, path);
    },
  };
}

function hostAddress(text: string): string {
  try {
    const url = parseBaseUrl(text);
    // The token would travel in the clear.
    if (url.protocol === "https:" || isLoopback(url)) return baseUrlText(url);
    throw new BaseUrlError("must be https");
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error;
    throw catalogError("E006", { details: `${addressVariable} ${error.message}` });
  }
}

function hostFailure(
  status: number,
  body: ReadonlyMap<string, unknown>,
  path: string,
): CatalogError {
  const message = body.get("message");
  const words = typeof message === "string" ? `: ${message.slice(0, 200)}` : "";
  if (status === 401) {
    return catalogError("E103", {}, { status, hint: "The source host refused the token" });
  }
  if (status === 403) {
    return catalogError("E204", {}, { status, hint: `The source host refused ${path}${words}` });
  }
  if (status === 404) {
    const resource = `${path.slice(1)} on the source host`;
    return catalogError("E202", { resource }, { status, hint: "Or the token may not see it" });
  }
  return catalogError(
    "E203",
    { details: `the source host answered ${status}${words}` },
    { status },
  );
}
