// The parts of the sign-in (OpenID Connect, code and PKCE) that a page can't do: it reads the
// provider's addresses, and adds the app's secret to the requests of the page. It keeps no token.

const longestBody = 64 * 1024;

/** Answers the requests of the page below /sign-in/. */
export function signIn({ environment, platform, own }) {
  return async (pathname, request, response) => {
    try {
      const provider = await findProvider(environment, platform, own);
      if (request.method === "GET" && pathname === "/sign-in/settings") {
        return sendJson(response, 200, provider.settings);
      }
      // A browser names the origin of each POST.
      if (request.method !== "POST" || request.headers.origin !== own.origin) {
        return sendJson(response, 403, { error_description: "A POST of the app is expected" });
      }
      const sent = JSON.parse(await bodyOf(request));
      if (pathname === "/sign-in/token") {
        return await passForm(response, provider.token, provider, grantOf(sent, provider.settings));
      }
      if (pathname === "/sign-in/revoke" && provider.revocation !== undefined) {
        const form = { token: String(sent.token), token_type_hint: "refresh_token" };
        return await passForm(response, provider.revocation, provider, form);
      }
      sendJson(response, 404, { error_description: "There is no such address" });
    } catch (error) {
      sendJson(response, 502, { error_description: error.message });
    }
  };
}

function grantOf({ code, verifier, refreshToken }, { redirectUri }) {
  if (refreshToken !== undefined) {
    return { grant_type: "refresh_token", refresh_token: String(refreshToken) };
  }
  return {
    grant_type: "authorization_code",
    code: String(code),
    code_verifier: String(verifier),
    redirect_uri: redirectUri,
  };
}

/** The client of `svc provision entra`, or the one that the platform announces (RFC 9728). */
async function findProvider(environment, platform, own) {
  const {
    SVC_AUTH_ISSUER: issuer,
    SVC_AUTH_CLIENT_ID: clientId,
    SVC_AUTH_CLIENT_SECRET: secret,
    SVC_AUTH_SCOPE: scope = "openid profile email offline_access",
  } = environment;
  if (issuer && clientId) {
    const redirectUri = `${own.origin}/auth/callback`;
    return { ...(await discovered(issuer, { clientId, scope, redirectUri })), secret };
  }
  const base = platform.href.replace(/\/$/, "");
  const announced = await readJson(`${base}/.well-known/oauth-protected-resource`);
  return await discovered(announced.authorization_servers[0], {
    clientId: announced.svc_client_id,
    scope: announced.scopes_supported.join(" "),
    redirectUri: `${own.origin}/callback`,
  });
}

/** The provider's addresses; `settings` is what the page may know. */
async function discovered(issuer, client) {
  const document = await readJson(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  if (document.issuer !== issuer) throw new Error(`${issuer} is not the issuer that it names`);
  return {
    settings: { issuer, authorization: document.authorization_endpoint, ...client },
    token: document.token_endpoint,
    revocation: document.revocation_endpoint,
  };
}

async function readJson(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => {
    throw new Error(`${new URL(url).origin} can't be reached`);
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return await answer.json();
}

async function passForm(response, url, { settings, secret }, form) {
  const body = new URLSearchParams({ ...form, client_id: settings.clientId });
  if (secret) body.set("client_secret", secret);
  const answer = await fetch(url, { method: "POST", body, signal: AbortSignal.timeout(30_000) });
  const text = await answer.text();
  response.writeHead(answer.status, {
    "content-type": "application/json",
    "cache-control": "no-store",
  });
  response.end(text);
}

async function bodyOf(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > longestBody) throw new Error("The request is too large");
  }
  return text;
}

function sendJson(response, status, value) {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(value));
}
