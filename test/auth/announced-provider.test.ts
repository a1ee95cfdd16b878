import { expect, test } from "vitest";
import { signIn, type SignInOptions } from "#auth/sign-in.ts";
import { afterEveryTest } from "#test/support/cleanup.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { startProvider, type TestProvider } from "./provider.ts";

const servers: Bun.Server<undefined>[] = [];
afterEveryTest(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(true)));
});

/** A platform that only has this metadata; they may depend on its own origin. */
function platformWith(metadata: (origin: string) => unknown): { url: string; asked: string[] } {
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { origin, pathname } = new URL(request.url);
      asked.push(pathname);
      const isMetadata = pathname.startsWith("/.well-known/oauth-protected-resource");
      return isMetadata ? Response.json(metadata(origin)) : new Response(null, { status: 404 });
    },
  });
  servers.push(server);
  return { url: server.url.origin, asked };
}

/** Signs in with a device, as a user does who confirms at once; gives the form of the token. */
async function attempt(
  settings: Partial<SignInOptions["settings"]> & { readonly baseUrl: string },
  provider?: TestProvider,
): Promise<unknown> {
  provider?.confirmDevice();
  const configDirectory = await temporaryDirectory("announced");
  return signIn({
    settings: { configDirectory, profile: "default", ...settings },
    device: true,
    say: () => {},
    openBrowser: () => {},
  }).then(
    () => "signed in",
    (error: unknown) => error,
  );
}

const announcing = (provider: { readonly url: string }) => (origin: string) => ({
  resource: origin,
  authorization_servers: [provider.url],
});

test("the platform names its provider (RFC 9728)", async () => {
  const provider = await startProvider();
  const platform = platformWith(announcing(provider));
  expect(await attempt({ baseUrl: platform.url }, provider)).toBe("signed in");
  expect(platform.asked).toEqual(["/.well-known/oauth-protected-resource"]);
  expect(await attempt({ baseUrl: `${platform.url}/below` }, provider)).toBe("signed in");
  expect(platform.asked[1]).toBe("/.well-known/oauth-protected-resource/below");
});

test("a provider that the user names comes before it", async () => {
  const [named, provider] = await Promise.all([startProvider(), startProvider()]);
  const platform = platformWith(announcing(provider));
  const settings = { baseUrl: platform.url, authUrl: named.url };
  expect(await attempt(settings, named)).toBe("signed in");
  expect(provider.tokenRequests).toEqual([]);
});

test.each([
  ["another resource's", (other: string) => ({ resource: other })],
  ["no resource", () => ({ resource: undefined })],
  ["no server", () => ({ authorization_servers: [] })],
  ["a server with a bad address", () => ({ authorization_servers: ["file:///etc/passwd"] })],
])("metadata with %s are not used", async (_name, change) => {
  const provider = await startProvider();
  const platform = platformWith((origin) => ({
    ...announcing(provider)(origin),
    ...change(provider.url),
  }));
  const failure = await attempt({ baseUrl: platform.url }, provider);
  expect(failure).toMatchObject({
    code: "E104",
    message: expect.stringContaining(`no identity provider answers at ${platform.url}/auth`),
  });
  expect(provider.tokenRequests).toEqual([]);
});

test.each([
  ["a platform that only a project sets names", { baseUrlTrusted: false }, undefined],
  ["the user names for a platform that only a project sets", { baseUrlTrusted: false }, "named"],
  ["only a project names", { authUrlTrusted: false }, "named"],
])("a provider of another origin that %s gets no sign-in", async (_name, trust, named) => {
  const provider = await startProvider();
  const platform = platformWith(announcing(provider));
  const authUrl = named === undefined ? undefined : provider.url;
  const failure = await attempt({ baseUrl: platform.url, authUrl, ...trust }, provider);
  expect(failure).toMatchObject({
    code: "E104",
    message: expect.stringContaining(`the provider's address is not at ${platform.url}`),
    hint: expect.stringContaining("SVC_AUTH_URL"),
  });
  expect(provider.tokenRequests).toEqual([]);
});

test("an issuer with a slash at its end is found without it", async () => {
  const provider = await startProvider();
  provider.faults.issuer = `${provider.url}/`;
  const baseUrl = "http://127.0.0.1:9";
  expect(await attempt({ baseUrl, authUrl: provider.url }, provider)).toBe("signed in");
});
