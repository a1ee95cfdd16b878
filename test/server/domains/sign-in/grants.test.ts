import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, test } from "vitest";
import { describePlatform, testBaseUrl } from "#test/support/platform.ts";
import { newApp, clientOf, redirectUri as appRedirect } from "../idp-apps/world.ts";
import { FormBrowser } from "./form-browser.ts";
import { redirectUri, StrictClient } from "./strict-client.ts";

const password = "correct horse battery staple";

describePlatform("attacks on codes", (the) => {
  const fetchPage = (request: Request) => the().platform.fetch(request);
  const email = "tenant-staff@example.org";
  let strict: StrictClient;

  beforeAll(async () => {
    await the().platform.services.signIn.setPassword(the().users["tenant-staff"].oid, password);
    strict = await StrictClient.discover(testBaseUrl, fetchPage);
  });

  async function signedIn(address: URL): Promise<URL> {
    const browser = new FormBrowser(testBaseUrl, fetchPage);
    await browser.visit(address);
    const { left, text } = await browser.press("sign-in", { email, password });
    if (left === undefined) throw new Error(`not signed in: ${text}`);
    return left;
  }

  async function redeem(form: Readonly<Record<string, string>>, address?: string) {
    const response = await the().platform.fetch(
      new Request(`${testBaseUrl}/auth/oauth2/v2.0/token`, {
        method: "POST",
        headers: { host: new URL(testBaseUrl).host },
        body: new URLSearchParams({
          grant_type: "authorization_code",
          client_id: "svc",
          redirect_uri: redirectUri,
          ...form,
        }),
      }),
      address === undefined ? undefined : { address },
    );
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  describe("a code that was intercepted gets no token", () => {
    test.each([
      ["another verifier", () => ({ code_verifier: oauth.generateRandomCodeVerifier() })],
      ["an empty verifier", () => ({ code_verifier: "" })],
      ["the challenge as verifier", (challenge: string) => ({ code_verifier: challenge })],
      [
        "the challenge and the method plain",
        (challenge: string) => ({ code_verifier: challenge, code_challenge_method: "plain" }),
      ],
      ["another redirect address", () => ({ redirect_uri: "http://127.0.0.1:49153/callback" })],
      ["another client", () => ({ client_id: "other" })],
    ])("with %s", async (_name, change) => {
      const begun = await strict.begin();
      const came = await signedIn(begun.address);
      const challenge = await oauth.calculatePKCECodeChallenge(begun.verifier);
      const code = came.searchParams.get("code") ?? "";
      const stolen = await redeem({ code, code_verifier: begun.verifier, ...change(challenge) });
      expect([400, 401]).toContain(stolen.status);
      expect(stolen.body).not.toHaveProperty("access_token");
      // The user whose code it is still signs in.
      expect(await strict.finish(came, begun)).toHaveProperty("access_token");
    });

    test("without a verifier, also by an app with its secret", async () => {
      const app = await newApp(the());
      const client = await clientOf(the(), app);
      const begun = await client.begin();
      const came = await signedIn(begun.address);
      const { status, body } = await redeem({
        code: came.searchParams.get("code") ?? "",
        client_id: app.clientId,
        client_secret: app.secret,
        redirect_uri: appRedirect,
      });
      expect({ status, body }).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    });
  });

  test.each([
    ["no challenge", { code_challenge: "", code_challenge_method: "" }],
    ["the method plain", { code_challenge_method: "plain" }],
    ["no method, which means plain", { code_challenge_method: "" }],
    ["a short challenge", { code_challenge: "abc" }],
    ["an implicit response", { response_type: "token" }],
    ["a hybrid response", { response_type: "code id_token" }],
    ["a response in the fragment", { response_mode: "fragment" }],
  ])("a sign-in cannot be started with %s", async (_name, change) => {
    const { address } = await strict.begin(change);
    const response = await fetchPage(new Request(address.href, { redirect: "manual" }));
    const left = new URL(response.headers.get("location") ?? "");
    expect(left.searchParams.get("error")).toMatch(
      /^(?:invalid_request|unsupported_response_type)$/,
    );
    expect(left.searchParams.has("code")).toBe(false);
  });

  describe("a mixed-up answer is refused by a strict client", () => {
    test.each([
      ["another state", (url: URL) => url.searchParams.set("state", "other")],
      ["no state", (url: URL) => url.searchParams.delete("state")],
      ["two states", (url: URL) => url.searchParams.append("state", "other")],
      ["another issuer", (url: URL) => url.searchParams.set("iss", "https://evil.example")],
      ["no issuer", (url: URL) => url.searchParams.delete("iss")],
      ["two codes", (url: URL) => url.searchParams.append("code", "other")],
    ])("with %s", async (_name, change) => {
      const begun = await strict.begin();
      const came = await signedIn(begun.address);
      change(came);
      await expect(strict.finish(came, begun)).rejects.toThrow();
    });

    test("of another sign-in, by its nonce and its verifier", async () => {
      const [mine, other] = [await strict.begin(), await strict.begin()];
      const came = await signedIn(other.address);
      came.searchParams.set("state", mine.state);
      await expect(strict.finish(came, mine)).rejects.toMatchObject({ error: "invalid_grant" });
      // The verifier is that of the other sign-in; the nonce still differs.
      const both = { ...mine, verifier: other.verifier };
      await expect(strict.finish(came, both)).rejects.toThrow(/nonce/);
    });
  });

  test("a thousand guessed codes get no token and stop no sign-in", async () => {
    const begun = await strict.begin();
    const came = await signedIn(begun.address);
    const guess = (at: number) => {
      const code = Buffer.from(`${at}`.padStart(32, "x")).toString("base64url");
      return redeem({ code, code_verifier: begun.verifier }, "192.0.2.99");
    };
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, at) => guess(at)));
    const given = answers.filter(({ body }) => "access_token" in body);
    expect(given).toEqual([]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]));
    const tokens = await strict.finish(came, begun);
    expect(await strict.isAccepted(tokens.access_token)).toBe(true);
  });
});
