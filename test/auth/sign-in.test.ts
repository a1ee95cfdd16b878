import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSession } from "#auth/session.ts";
import { signIn, type SignInOptions, signInWithDevice } from "#auth/sign-in.ts";
import { signOut } from "#auth/sign-out.ts";
import { discover } from "#auth/provider.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { startProvider, type TestProvider } from "./provider.ts";

const baseUrl = "http://127.0.0.1:4400";

/** A browser: asks the provider, then follows its redirect to the callback; gives the last page. */
async function browse(url: string): Promise<{ status: number; page: string; callback: URL }> {
  const asked = await fetch(url, { redirect: "manual" });
  const callback = new URL(asked.headers.get("location") ?? "");
  const answered = await fetch(callback);
  return { status: answered.status, page: await answered.text(), callback };
}

async function optionsFor(provider: TestProvider, change: Partial<SignInOptions> = {}) {
  const configDirectory = await temporaryDirectory("sign-in");
  const said: string[] = [];
  const pages: { status: number; page: string }[] = [];
  const opened: Promise<unknown>[] = [];
  const options: SignInOptions = {
    settings: { configDirectory, profile: "default", baseUrl, authUrl: provider.url },
    say: (words) => void said.push(words),
    openBrowser: (url) => void opened.push(browse(url).then((result) => pages.push(result))),
    ...change,
  };
  return { configDirectory, said, pages, opened, options };
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => "succeeded",
    (error: unknown) => error,
  );
}

describe("sign-in with a browser", () => {
  it("exchanges the code with its verifier and keeps the tokens for the platform", async () => {
    const provider = await startProvider();
    const { configDirectory, said, pages, opened, options } = await optionsFor(provider);
    expect(await signIn(options)).toMatchObject({
      subject: "user-1",
      email: "ada@example.org",
      name: "Ada",
    });
    await Promise.all(opened);
    const [authorization] = provider.authorizations;
    expect(authorization?.get("response_type")).toBe("code");
    expect(authorization?.get("client_id")).toBe("svc");
    expect(authorization?.get("code_challenge_method")).toBe("S256");
    expect(authorization?.get("scope")).toBe("openid profile email offline_access");
    expect(authorization?.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(said[0]).toContain(`Sign in with your browser: ${provider.url}/oauth2/v2.0/authorize?`);
    expect(pages).toMatchObject([{ status: 200 }]);
    expect(pages[0]?.page).toContain("You are signed in");
    expect((await stat(join(configDirectory, "tokens.json"))).mode & 0o777).toBe(0o600);
    expect(await openSession({ configDirectory, profile: "default", baseUrl }).token()).toBe(
      "access-1",
    );
  });

  it("ignores other requests, accepts one callback, and then closes its port", async () => {
    const provider = await startProvider();
    const hits: number[] = [];
    let callback = "";
    const visited = Promise.withResolvers<void>();
    const { options } = await optionsFor(provider, {
      openBrowser: async (url) => {
        const redirect = new URL(new URL(url).searchParams.get("redirect_uri") ?? "");
        const state = new URL(url).searchParams.get("state") ?? "";
        const asked = await fetch(url, { redirect: "manual" });
        callback = asked.headers.get("location") ?? "";
        const junk: readonly (readonly [string, RequestInit?])[] = [
          [`${redirect.origin}/`],
          [`${redirect.origin}/favicon.ico`],
          [`${redirect.href}`],
          [`${redirect.href}?code=x`],
          [`${redirect.href}?code=x&state=wrong`],
          [`${redirect.href}?code=x&state=${state}&state=other`],
          [`${redirect.href}?code=x&state=${state}`, { method: "POST" }],
          [`${redirect.href}?code=x&state=${state}`, { headers: { host: "evil.example" } }],
          [`${redirect.origin}/callback/../callback2?state=${state}`],
        ];
        for (const [address, init] of junk) hits.push((await fetch(address, init)).status);
        const [first, second] = await Promise.all([fetch(callback), fetch(callback)]);
        hits.push(...[first.status, second.status].toSorted((a, b) => a - b));
        visited.resolve();
      },
    });
    await signIn(options);
    await visited.promise;
    expect(hits).toEqual([404, 404, 400, 400, 400, 400, 404, 404, 404, 200, 409]);
    expect(provider.tokenRequests).toHaveLength(1);
    await expect(fetch(callback)).rejects.toThrow();
  });

  it("accepts the one real callback among a thousand forged ones", async () => {
    const forgedAnswers = Promise.withResolvers<void>();
    // The listener closes after the exchange, which waits until each forged call has its answer.
    const provider = await startProvider({
      token: async () => {
        await forgedAnswers.promise;
        return undefined;
      },
    });
    const statuses: number[] = [];
    const visited = Promise.withResolvers<void>();
    const { options } = await optionsFor(provider, {
      openBrowser: async (url) => {
        const redirect = new URL(url).searchParams.get("redirect_uri") ?? "";
        const asked = await fetch(url, { redirect: "manual" });
        const real = asked.headers.get("location") ?? "";
        const forged = async (at: number): Promise<void> => {
          const state = at % 2 === 0 ? crypto.randomUUID() : `${at}`.repeat(20);
          const answered = await fetch(`${redirect}?code=code-${at}&state=${state}`);
          statuses.push(answered.status);
        };
        const junk = Array.from({ length: 1_000 }, (_, at) => at);
        // Some are on their way while the real one comes, and some come after it.
        for (let start = 0; start < 900; start += 100) {
          await Promise.all(junk.slice(start, start + 100).map(forged));
        }
        const shown = fetch(real);
        await Promise.all(junk.slice(900).map(forged));
        forgedAnswers.resolve();
        statuses.push((await shown).status);
        visited.resolve();
      },
    });
    expect(await signIn(options)).toMatchObject({ subject: "user-1" });
    await visited.promise;
    expect(statuses.filter((status) => status === 400)).toHaveLength(1_000);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it("waits on 127.0.0.1 only, on the port that it was given", async () => {
    const provider = await startProvider();
    const probe = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("") });
    const port = probe.port ?? 0;
    const taken = await optionsFor(provider, { callbackPort: port });
    expect(await failureOf(signIn(taken.options))).toMatchObject({
      code: "E104",
      message: `Authentication failed: port ${port} of 127.0.0.1 is in use`,
    });
    await probe.stop(true);
    const { options, opened } = await optionsFor(provider, { callbackPort: port });
    await signIn(options);
    await Promise.all(opened);
    expect(provider.authorizations[0]?.get("redirect_uri")).toBe(
      `http://127.0.0.1:${port}/callback`,
    );
  });

  it("reports the error of the user or the provider", async () => {
    const provider = await startProvider();
    const page = Promise.withResolvers<string>();
    const { options, configDirectory } = await optionsFor(provider, {
      openBrowser: (url) => {
        const back = new URL(new URL(url).searchParams.get("redirect_uri") ?? "");
        back.searchParams.set("state", new URL(url).searchParams.get("state") ?? "");
        back.searchParams.set("error", "access_denied");
        back.searchParams.set("error_description", "the user said <no>");
        void fetch(back).then(async (answer) => page.resolve(await answer.text()), page.reject);
      },
    });
    expect(await failureOf(signIn(options))).toMatchObject({
      code: "E104",
      exitCode: 4,
      message: "Authentication failed: the user said <no>",
    });
    expect(await page.promise).toContain("You are not signed in");
    expect(provider.tokenRequests).toHaveLength(0);
    expect(await failureOf(stat(join(configDirectory, "tokens.json")))).toMatchObject({
      code: "ENOENT",
    });
  });

  it.each([
    ["another nonce", { nonce: "other" }],
    [
      "a token endpoint that refuses",
      { token: () => Response.json({ error: "invalid_grant" }, { status: 400 }) },
    ],
    ["a token endpoint that talks nonsense", { token: () => new Response("<html>") }],
    [
      "an endless answer",
      {
        token: () =>
          new Response("x".repeat(2_000_000), { headers: { "content-type": "application/json" } }),
      },
    ],
    ["a redirect", { token: () => Response.redirect("http://elsewhere.example/", 307) }],
    ["no S256", { methods: ["plain"] }],
  ])("fails on %s, without tokens or secrets in the error", async (_name, faults) => {
    const provider = await startProvider(faults);
    const { options, configDirectory } = await optionsFor(provider);
    const error = await failureOf(signIn(options));
    expect(error).toMatchObject({ code: expect.stringMatching(/^E(?:104|201)$/) });
    const shown = Bun.inspect(error, { depth: 12 });
    expect(shown).not.toMatch(/code_verifier|access-1|refresh-1|code-[0-9a-f]{8}/);
    expect(await failureOf(stat(join(configDirectory, "tokens.json")))).toMatchObject({
      code: "ENOENT",
    });
  });

  it("ends after its time limit, and when the caller gives up", async () => {
    const provider = await startProvider();
    const silent = { openBrowser: () => undefined };
    const late = await optionsFor(provider, { ...silent, timeoutMs: 30 });
    expect(await failureOf(signIn(late.options))).toMatchObject({ code: "E104" });
    const controller = new AbortController();
    const reason = new Error("enough");
    const given = await optionsFor(provider, { ...silent, signal: controller.signal });
    const work = failureOf(signIn(given.options));
    setTimeout(() => controller.abort(reason), 50);
    expect(await work).toBe(reason);
  });
});

describe("finding the provider", () => {
  it.each([
    ["no server", "http://127.0.0.1:1/auth", "E201"],
    ["plain http to another machine", "http://platform.example/auth", "E104"],
  ])("%s", async (_name, authUrl, code) => {
    const provider = await startProvider();
    const { options } = await optionsFor(provider);
    const work = signIn({ ...options, settings: { ...options.settings, authUrl } });
    expect(await failureOf(work)).toMatchObject({ code });
  });

  it.each([
    ["no document", () => new Response("no", { status: 404 })],
    ["a document of another issuer", () => Response.json({ issuer: "http://127.0.0.1:1/other" })],
    ["a document that is none", () => new Response("<html>")],
  ])("%s is E104", async (_name, discovery) => {
    const provider = await startProvider({ discovery });
    const { options } = await optionsFor(provider);
    expect(await failureOf(signIn(options))).toMatchObject({ code: "E104" });
  });
});

describe("sign-in on another device", () => {
  it("shows the code, waits for it, and keeps the tokens", async () => {
    const provider = await startProvider();
    const { options, said, configDirectory } = await optionsFor(provider, { device: true });
    const done = signIn(options);
    while (provider.tokenRequests.length < 2) await Bun.sleep(5);
    provider.confirmDevice();
    expect(await done).toMatchObject({ email: "ada@example.org" });
    expect(said).toEqual([
      `Open ${provider.url}/device on any device and enter the code WDJB-MJHT`,
    ]);
    expect(await openSession({ configDirectory, profile: "default", baseUrl }).token()).toBe(
      "access-1",
    );
  });

  it("polls more slowly after slow_down, and ends when the code is refused", async () => {
    const answers = ["authorization_pending", "slow_down", "slow_down", "access_denied"];
    const provider = await startProvider({
      token: (_form, count) => Response.json({ error: answers[count - 1] ?? "" }, { status: 400 }),
    });
    const waits: number[] = [];
    const found = await discover(provider.url, "svc", {});
    const work = signInWithDevice(found, {
      scope: "openid",
      say: () => undefined,
      wait: async (durationMs) => void waits.push(durationMs),
    });
    expect(await failureOf(work)).toMatchObject({
      code: "E104",
      message: "Authentication failed: access_denied",
    });
    expect(waits).toEqual([20, 20, 5020, 10_020]);
  });

  it("is refused where the provider has none", async () => {
    const provider = await startProvider({ noDevice: true });
    const { options } = await optionsFor(provider, { device: true });
    expect(await failureOf(signIn(options))).toMatchObject({ code: "E104" });
  });
});

describe("sign-out", () => {
  it("deletes the tokens and has them revoked", async () => {
    const provider = await startProvider();
    const { configDirectory, options, opened } = await optionsFor(provider);
    await signIn(options);
    await Promise.all(opened);
    expect(await signOut({ configDirectory, profile: "default" })).toEqual({ wasSignedIn: true });
    expect(provider.revoked).toEqual(["refresh-1"]);
    expect(await failureOf(readFile(join(configDirectory, "tokens.json")))).toMatchObject({
      code: "ENOENT",
    });
    expect(await signOut({ configDirectory, profile: "default" })).toEqual({ wasSignedIn: false });
  });

  it("works offline, and with a damaged file", async () => {
    const provider = await startProvider();
    const { configDirectory, options, opened } = await optionsFor(provider);
    await signIn(options);
    await Promise.all(opened);
    const nobody = () => Promise.reject(new TypeError("offline"));
    expect(await signOut({ configDirectory, profile: "default", fetch: nobody })).toEqual({
      wasSignedIn: true,
    });
    await Bun.write(join(configDirectory, "tokens.json"), "{");
    expect(await signOut({ configDirectory, profile: "default" })).toEqual({ wasSignedIn: false });
    expect(await failureOf(stat(join(configDirectory, "tokens.json")))).toMatchObject({
      code: "ENOENT",
    });
  });

  it("leaves other profiles signed in", async () => {
    const provider = await startProvider();
    const { configDirectory, options, opened } = await optionsFor(provider);
    await signIn(options);
    await signIn({ ...options, settings: { ...options.settings, profile: "work" } });
    await Promise.all(opened);
    await signOut({ configDirectory, profile: "default" });
    expect(await openSession({ configDirectory, profile: "work", baseUrl }).token()).toBe(
      "access-2",
    );
  });
});

describe("a provider that only a project's .env.local names", () => {
  const untrusted = async (provider: TestProvider, device = false) => {
    const { options, opened, said } = await optionsFor(provider, { device });
    const { origin } = new URL(provider.url);
    const settings = { ...options.settings, baseUrl: origin, baseUrlTrusted: false };
    const failure = await failureOf(signIn({ ...options, settings }));
    await Promise.all(opened);
    return { failure, said };
  };

  it("signs in with every address at its own origin", async () => {
    expect((await untrusted(await startProvider())).failure).toBe("succeeded");
  });

  it.each([
    ["does not announce iss", false, "the provider's sign-in page is not at"],
    ["announces iss, but sends none", true, "the provider's response is invalid"],
  ])("gets no code of another provider's page when it %s", async (_name, announces, words) => {
    const honest = await startProvider();
    const signInPage = `${honest.url}/oauth2/v2.0/authorize`;
    const mixing = await startProvider({ signInPage, announcesIssuer: announces });
    const { failure } = await untrusted(mixing);
    expect(failure).toMatchObject({ code: "E104", message: expect.stringContaining(words) });
    expect(mixing.tokenRequests).toEqual([]);
  });

  it.each([
    ["a browser", false],
    ["a code", true],
  ])("sends no code of %s to another provider's token endpoint", async (_name, device) => {
    const other = await startProvider();
    const tokenEndpoint = `${other.url}/oauth2/v2.0/token`;
    const mixing = await startProvider({ tokenEndpoint });
    mixing.confirmDevice();
    const { failure, said } = await untrusted(mixing, device);
    expect(failure).toMatchObject({
      code: "E104",
      message: expect.stringContaining("the provider's token endpoint is not at"),
    });
    expect({ said, sent: other.tokenRequests }).toEqual({ said: [], sent: [] });
  });

  it("shows no code for another provider's page", async () => {
    const mixing = await startProvider({ devicePage: "https://login.example.org/device" });
    const { failure, said } = await untrusted(mixing, true);
    expect(failure).toMatchObject({ code: "E104" });
    expect(said).toEqual([]);
  });
});
