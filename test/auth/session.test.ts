import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSignIn, writeSignIn } from "#auth/token-file.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { startProvider } from "./provider.ts";
import { tokensOf, signedIn, open, codeOf, key, origin } from "./stored-sign-in.ts";

function jwt(claims: Readonly<Record<string, unknown>>): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part(claims)}.signature`;
}

describe("the stored token", () => {
  it("is given as it is while it is good", async () => {
    const provider = await startProvider();
    const configDirectory = await signedIn(provider, 3_600_000);
    expect(await open(configDirectory).token()).toBe("access-stored");
    expect(provider.tokenRequests).toHaveLength(0);
  });

  it("is renewed within its last minute, once for concurrent calls", async () => {
    const provider = await startProvider();
    const configDirectory = await signedIn(provider, 30_000);
    const session = open(configDirectory);
    expect(await Promise.all([session.token(), session.token(), session.token()])).toEqual([
      "access-1",
      "access-1",
      "access-1",
    ]);
    expect(await session.token()).toBe("access-1");
    expect(provider.tokenRequests).toHaveLength(1);
    expect(await readSignIn(configDirectory, key)).toMatchObject({
      accessToken: "access-1",
      refreshToken: "refresh-1",
    });
    expect((await stat(join(configDirectory, "tokens.json"))).mode & 0o777).toBe(0o600);
  });

  it("that the platform rejects is renewed although it looks good", async () => {
    const provider = await startProvider();
    const session = open(await signedIn(provider, 3_600_000));
    expect(await session.token("access-stored")).toBe("access-1");
    expect(await session.token("access-stored")).toBe("access-1");
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it("is E101 when there is none, and names where else one is signed in", async () => {
    expect(await codeOf(open(await temporaryDirectory()).token())).toBe("E101");
    const configDirectory = await signedIn(undefined, 3_600_000);
    const elsewhere = open(configDirectory, { baseUrl: "http://other.example" });
    const error = await elsewhere.token().catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: "E101",
      exitCode: 4,
      hint: "Signed in to http://platform.example:4400, but not to http://other.example",
    });
    expect(await codeOf(open(configDirectory, { profile: "work" }).token())).toBe("E101");
  });

  it("is E102 when it has run out and nothing can renew it", async () => {
    expect(
      await codeOf(open(await signedIn(undefined, -1000, { refreshToken: undefined })).token()),
    ).toBe("E102");
  });

  it("is E102 after the provider refuses the refresh token, which is not sent again", async () => {
    const provider = await startProvider();
    const configDirectory = await signedIn(provider, -1000, { refreshToken: "stolen" });
    expect(await codeOf(open(configDirectory).token())).toBe("E102");
    expect(await codeOf(open(configDirectory).token())).toBe("E102");
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it.each([
    ["a provider that fails", 503, "E104"],
    ["a provider that refuses the client", 401, "E104"],
  ])("%s is reported with its text", async (_name, status, code) => {
    const provider = await startProvider({
      token: () =>
        Response.json(
          { error: "invalid_client", error_description: "not \u001b[31mknown" },
          { status },
        ),
    });
    const error = await open(await signedIn(provider, -1000))
      .token()
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code });
    expect(Bun.inspect(error, { depth: 9 })).not.toContain("refresh-0");
  });

  it("of the last minute still serves when the provider is away; later it is E201", async () => {
    expect(await open(await signedIn(undefined, 30_000)).token()).toBe("access-stored");
    const error = await open(await signedIn(undefined, -1000))
      .token()
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: "E201",
      message: "Platform API unreachable: http://127.0.0.1:1",
    });
  });

  it("survives an answer that is lost after the provider has rotated", async () => {
    const provider = await startProvider({ loseRefreshAnswers: 1, grace: true });
    const configDirectory = await signedIn(provider, -1000);
    expect(await open(configDirectory).token()).toBe("access-2");
    expect(provider.familyRevoked()).toBe(false);
  });

  it("is not spent when the new one could not be kept", async () => {
    const provider = await startProvider();
    const configDirectory = await signedIn(provider, -1000);
    await mkdir(join(configDirectory, "elsewhere"));
    const session = open(configDirectory);
    await session.state();
    // Root ignores permissions: a folder in the file's place is an obstacle for every user.
    await Bun.$`rm ${join(configDirectory, "tokens.json")} && mkdir ${join(configDirectory, "tokens.json")}`.quiet();
    expect(await codeOf(session.token())).toBe("E006");
    expect(provider.tokenRequests).toHaveLength(0);
  });

  it("goes to the endpoint that issued it, wherever the base URL points", async () => {
    const provider = await startProvider();
    const configDirectory = await temporaryDirectory();
    const other = "http://hostile.example";
    await writeSignIn(
      configDirectory,
      { profile: "default", origin: other },
      tokensOf(provider, -1000),
    );
    expect(await open(configDirectory, { baseUrl: other }).token()).toBe("access-1");
    expect(provider.tokenRequests).toHaveLength(1);
  });
});

describe("SVC_TOKEN", () => {
  it("goes before the stored sign-in and is never renewed", async () => {
    const provider = await startProvider();
    const configDirectory = await signedIn(provider, -1000);
    const session = open(configDirectory, { environmentToken: " script-token\n" });
    expect(await session.token()).toBe("script-token");
    await expect(session.token("script-token")).rejects.toMatchObject({
      code: "E102",
      status: 401,
    });
    expect(provider.tokenRequests).toHaveLength(0);
  });

  it("that has run out is E102 before any call", async () => {
    const configDirectory = await temporaryDirectory();
    const expired = open(configDirectory, { environmentToken: jwt({ exp: 1000 }) });
    expect(await codeOf(expired.token())).toBe("E102");
    expect(await expired.state()).toMatchObject({
      signedIn: true,
      source: "environment",
      expired: true,
      expiresAt: "1970-01-01T00:16:40.000Z",
    });
  });

  it("is not handed to an address that only a project names, unless it was issued there", async () => {
    const configDirectory = await temporaryDirectory();
    const foreign = {
      environmentToken: jwt({ iss: "http://real.example/auth" }),
      baseUrlTrusted: false,
    };
    const own = { environmentToken: jwt({ iss: `${origin}/auth` }), baseUrlTrusted: false };
    const opaque = { environmentToken: "opaque-token", baseUrlTrusted: false };
    expect(await codeOf(open(configDirectory, foreign).token())).toBe("E104");
    expect(await codeOf(open(configDirectory, opaque).token())).toBe("E104");
    expect(await codeOf(open(configDirectory, own).token())).toBe(own.environmentToken);
    expect(await codeOf(open(configDirectory, { ...foreign, baseUrlTrusted: true }).token())).toBe(
      foreign.environmentToken,
    );
  });
});

describe("who is signed in", () => {
  it("is read from local state only", async () => {
    const configDirectory = await signedIn(undefined, 3_600_000, {
      idToken: jwt({
        sub: "user-1",
        email: "ada@example.org",
        name: "Ada",
        iss: "http://127.0.0.1:1/auth",
      }),
    });
    expect(await open(configDirectory).state()).toMatchObject({
      signedIn: true,
      source: "tokens.json",
      claims: { subject: "user-1", email: "ada@example.org", name: "Ada" },
      expired: false,
      renewable: true,
    });
    expect(await open(await temporaryDirectory()).state()).toEqual({
      signedIn: false,
      otherOrigins: [],
    });
  });
});
