// Sign-in with OpenID Connect: authorization code with PKCE (RFC 7636). The access token is in the
// memory of this page only; the refresh token is in this tab's storage, so that a reload keeps it.

interface Settings {
  readonly issuer: string;
  readonly authorization: string;
  readonly clientId: string;
  readonly scope: string;
  readonly redirectUri: string;
}

interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The part of the app that the user wanted to see. */
  readonly place: string;
}

const names = { attempt: "sign-in attempt", refresh: "refresh token", left: "signed out" } as const;
let accessToken: string | undefined;
let renewal: Promise<string> | undefined;

/** True after a sign-in, also one of an earlier load of this page. */
export function isSignedIn(): boolean {
  return accessToken !== undefined || sessionStorage.getItem(names.refresh) !== null;
}

/** The access token; `rejected` is one that the platform no longer accepts. */
export async function token(rejected?: string): Promise<string> {
  if (accessToken !== undefined && accessToken !== rejected) return accessToken;
  renewal ??= renewed().finally(() => (renewal = undefined));
  return await renewal;
}

/** Leaves for the provider's page, which comes back to the redirect address. */
export async function signIn(): Promise<void> {
  const settings = await readSettings();
  const attempt: Attempt = {
    state: randomText(),
    nonce: randomText(),
    verifier: randomText(),
    place: location.hash,
  };
  sessionStorage.setItem(names.attempt, JSON.stringify(attempt));
  const address = new URL(settings.authorization);
  const parameters = {
    response_type: "code",
    client_id: settings.clientId,
    redirect_uri: settings.redirectUri,
    scope: settings.scope,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await challengeOf(attempt.verifier),
    code_challenge_method: "S256",
    // After a sign-out the provider asks again, also where it remembers the user.
    ...(sessionStorage.getItem(names.left) === null ? {} : { prompt: "login" }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  location.assign(address);
}

/** Finishes a sign-in if this address is the one that it returns to. */
export async function finishSignIn(): Promise<void> {
  const answer = new URLSearchParams(location.search);
  if (!answer.has("state")) return;
  const stored = sessionStorage.getItem(names.attempt);
  sessionStorage.removeItem(names.attempt);
  const attempt: Attempt | undefined = stored === null ? undefined : JSON.parse(stored);
  history.replaceState(null, "", `/${attempt?.place ?? ""}`);
  const settings = await readSettings();
  const code = checkedCode(answer, attempt, settings.issuer);
  const tokens = await post("/sign-in/token", { code, verifier: attempt?.verifier });
  const idToken = tokens["id_token"];
  if (typeof idToken === "string" && claimsOf(idToken)["nonce"] !== attempt?.nonce) {
    throw new Error("The provider answered another sign-in. Sign in again");
  }
  keep(tokens);
  sessionStorage.removeItem(names.left);
}

/** Ends the sign-in here and at the provider. */
export async function signOut(): Promise<void> {
  const refreshToken = sessionStorage.getItem(names.refresh);
  accessToken = undefined;
  sessionStorage.clear();
  sessionStorage.setItem(names.left, "yes");
  // The sign-in has ended here, whatever the provider answers.
  if (refreshToken !== null) await post("/sign-in/revoke", { token: refreshToken }).catch(() => {});
  location.assign("/");
}

/** The code of an answer. Throws if it is a refusal, or of another sign-in. */
export function checkedCode(
  answer: URLSearchParams,
  attempt: Pick<Attempt, "state"> | undefined,
  issuer: string,
): string {
  const isOurs = attempt !== undefined && answer.get("state") === attempt.state;
  // RFC 9207: a provider may name itself, against mixed-up answers.
  const isTheirs = !answer.has("iss") || answer.get("iss") === issuer;
  if (!isOurs || !isTheirs)
    throw new Error("This is not the sign-in that began here. Sign in again");
  const code = answer.get("code");
  if (code !== null) return code;
  const reason = answer.get("error_description") ?? answer.get("error") ?? "no code";
  throw new Error(`The sign-in failed: ${reason}`);
}

/** The challenge of a verifier (RFC 7636, 4.2). */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return base64Url(new Uint8Array(digest));
}

async function renewed(): Promise<string> {
  const refreshToken = sessionStorage.getItem(names.refresh);
  accessToken = undefined;
  try {
    if (refreshToken === null) throw new Error("no refresh token");
    return keep(await post("/sign-in/token", { refreshToken }));
  } catch {
    sessionStorage.removeItem(names.refresh);
    dispatchEvent(new Event("signed-out"));
    throw new Error("Your sign-in has ended. Sign in again");
  }
}

function keep(tokens: Readonly<Record<string, unknown>>): string {
  const { access_token: access, refresh_token: refresh } = tokens;
  if (typeof access !== "string") throw new Error("The provider sent no access token");
  accessToken = access;
  if (typeof refresh === "string") sessionStorage.setItem(names.refresh, refresh);
  return access;
}

async function readSettings(): Promise<Settings> {
  return await readJson(await fetch("/sign-in/settings"));
}

async function post(path: string, value: object): Promise<Readonly<Record<string, unknown>>> {
  return await readJson(await fetch(path, { method: "POST", body: JSON.stringify(value) }));
}

async function readJson<Value>(answer: Response): Promise<Value> {
  const text = await answer.text();
  const value = text === "" ? {} : JSON.parse(text);
  if (answer.ok) return value;
  throw new Error(
    value.error_description ?? value.error ?? `The sign-in answered ${answer.status}`,
  );
}

function claimsOf(idToken: string): Readonly<Record<string, unknown>> {
  const payload = (idToken.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  return JSON.parse(atob(payload));
}

function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
