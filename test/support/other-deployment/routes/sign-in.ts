import { createHash } from "node:crypto";
import { Refused, type Answer } from "../answers.ts";
import type { Call, OtherRoute } from "./call.ts";

/** `{auth_url}` of the deployment, below its own address. */
export const authPath = "/auth";
const refreshToken = "refresh-once-more";

function authorize({ url, state }: Call): Answer {
  const query = url.searchParams;
  const redirectUri = query.get("redirect_uri") ?? "";
  const challenge = query.get("code_challenge") ?? "";
  if (query.get("response_type") !== "code" || query.get("code_challenge_method") !== "S256") {
    throw new Refused(400, "only a code with S256");
  }
  if (!/^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+\//.test(redirectUri)) {
    throw new Refused(400, "redirect_uri is not on this machine");
  }
  const code = `code-${state.codes.size + 1}`;
  state.codes.set(code, { challenge, redirectUri });
  const back = new URL(redirectUri);
  back.searchParams.set("code", code);
  back.searchParams.set("state", query.get("state") ?? "");
  return { kind: "redirect", location: back.href };
}

function tokens({ bytes, headers, state, dialect }: Call): Answer {
  if (!headers.get("content-type")?.startsWith("application/x-www-form-urlencoded")) {
    throw new Refused(415, "send a form");
  }
  const form = new URLSearchParams(bytes.toString("utf8"));
  const granted = { access_token: state.token, token_type: "Bearer" };
  const more = dialect.tokens === "full" ? { expires_in: 3600, refresh_token: refreshToken } : {};
  const answer: Answer = { kind: "value", value: { ...granted, ...more } };
  if (form.get("grant_type") === "refresh_token") {
    if (form.get("refresh_token") === refreshToken) return answer;
    throw new Refused(400, "unknown refresh token");
  }
  const given = form.get("code") ?? "";
  const code = state.codes.get(given);
  state.codes.delete(given);
  const digest = createHash("sha256").update(form.get("code_verifier") ?? "");
  if (
    code === undefined ||
    digest.digest("base64url") !== code.challenge ||
    form.get("redirect_uri") !== code.redirectUri
  ) {
    throw new Refused(400, "the code is not valid");
  }
  return answer;
}

/** The identity provider: two endpoints (spec 5.3), in some dialects with a discovery document. */
export const signInRoutes: readonly OtherRoute[] = [
  { method: "GET", path: `${authPath}/oauth2/v2.0/authorize`, open: true, answer: authorize },
  { method: "POST", path: `${authPath}/oauth2/v2.0/token`, open: true, answer: tokens },
  {
    method: "GET",
    path: `${authPath}/.well-known/openid-configuration`,
    open: true,
    answer: ({ url, dialect }) => {
      if (!dialect.discovery) throw new Refused(404, "no such page");
      const issuer = `${url.origin}${authPath}`;
      const value = {
        issuer,
        authorization_endpoint: `${issuer}/oauth2/v2.0/authorize`,
        token_endpoint: `${issuer}/oauth2/v2.0/token`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
      };
      return { kind: "value", value };
    },
  },
];
