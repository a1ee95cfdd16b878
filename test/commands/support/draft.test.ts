import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown } from "../world.ts";
import { answering, approved, chatUrl, reportIn, support, website } from "./world.ts";

const the = commandWorld();
const description = ["--description", "The upload stops at 40 %"];

describe("created", () => {
  test("the link carries only the draft ID and a one-time token in its fragment", async () => {
    const { exitCode, json } = await approved(the(), description);
    expect(exitCode).toBe(0);
    expect(json).toEqual({
      status: "created",
      url: expect.any(String),
      expiresAt: expect.stringMatching(/Z$/),
    });
    const url = new URL(String(json["url"]));
    expect(url.origin + url.pathname + url.search).toBe(`${website}/support`);
    const fragment = new URLSearchParams(url.hash.slice(1));
    expect([...fragment.keys()]).toEqual(["draft", "token"]);

    const open = () =>
      the()
        .platform.as("nobody")
        .post(`/support/drafts/${fragment.get("draft")}/open`, { token: fragment.get("token") });
    const opened = await open();
    expect(opened).toMatchObject({
      status: 200,
      json: { report: { description: "The upload stops at 40 %", source: "eai-cli" } },
    });
    expect((await open()).status).toBe(404);
  });

  test("what is sent is what was shown", async () => {
    const site = answering(() => new Response(null, { status: 500 }));
    const shown = await support(the(), description);
    await approved(the(), description, { fetch: site.fetch });
    const body: unknown = await site.seen[0]?.json();
    const sent = body as { bundle: string; bundleDigest: string };
    expect(JSON.parse(sent.bundle)).toEqual(reportIn(shown));
    expect(sent.bundleDigest).toBe(shown.json["bundleDigest"]);
    expect(Bun.CryptoHasher.hash("sha256", sent.bundle, "hex")).toBe(sent.bundleDigest);
    expect(sent.bundle).not.toContain(the().platform.users["tenant-admin"].token);
  });
});

describe("signed_out", () => {
  test("adds previewText and bundleDigest", async () => {
    const { exitCode, json } = await support(the(), description, {
      as: "anonymous",
      fetch: platformDown,
    });
    expect(exitCode).toBe(4);
    expect(json).toEqual({
      status: "signed_out",
      previewText: expect.stringContaining("The upload stops"),
      bundleDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      chatUrl,
    });
  });

  test("also when the website refuses the token", async () => {
    const { fetch } = answering(() => new Response(null, { status: 401 }));
    const { exitCode, json } = await approved(the(), description, { fetch });
    expect([exitCode, json]).toMatchObject([4, { status: "signed_out" }]);
  });

  test("text prints the report, the chat and the help hint", async () => {
    const { exitCode, stdout, stderr } = await the().svc(["support", ...description], {
      as: "anonymous",
      variables: { SVC_WEBSITE_URL: website },
    });
    expect(exitCode).toBe(4);
    expect(stdout).toContain("The upload stops");
    expect(stderr.split("\n")).toEqual([
      "Not signed in: nothing was sent. Run `svc login`",
      `Chat: ${chatUrl}`,
      "Help: `svc support --help`",
      "",
    ]);
  });
});

describe("region_required", () => {
  test("is a website 400 with error region_required", async () => {
    const { fetch } = answering(() => Response.json({ error: "region_required" }, { status: 400 }));
    const { exitCode, json } = await approved(the(), description, { fetch });
    expect([exitCode, json]).toEqual([1, { status: "region_required", chatUrl }]);
  });
});

describe("failed", () => {
  const secret = "hunter2-of-the-website";
  const answers: readonly [string, () => Response][] = [
    ["another 400", () => Response.json({ error: secret }, { status: 400 })],
    ["the error in a 500", () => Response.json({ error: "region_required" }, { status: 500 })],
    ["403", () => new Response(secret, { status: 403 })],
    ["404", () => new Response(secret, { status: 404 })],
    ["413", () => new Response(secret, { status: 413 })],
    ["429", () => new Response(secret, { status: 429, headers: { "retry-after": "1" } })],
    ["503", () => new Response(secret, { status: 503 })],
    ["a redirect", () => Response.redirect(`https://thief.test/${secret}`, 307)],
    ["no JSON", () => new Response(secret, { status: 201 })],
    [
      "a token with a slash",
      () =>
        Response.json(
          { draftId: "a", token: `/${secret}`, expiresAt: "2030-01-01" },
          { status: 201 },
        ),
    ],
    ["no expiry", () => Response.json({ draftId: "a", token: secret }, { status: 201 })],
  ];
  test.each(answers)("%s returns a safe message and exit 1, once", async (_name, answer) => {
    const site = answering(answer);
    const { exitCode, json, stdout, stderr } = await approved(the(), description, {
      fetch: site.fetch,
    });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({
      status: "failed",
      error: { code: "E203", message: expect.stringContaining("support website"), exitCode: 1 },
      chatUrl,
    });
    expect(stdout + stderr).not.toContain(secret);
    expect(site.seen).toHaveLength(1);
  });

  test("text names the error, the chat and the help hint", async () => {
    const { json } = await support(the(), description);
    const words = ["--yes", "--approved-digest", String(json["bundleDigest"])];
    const { exitCode, stdout, stderr } = await the().svc(["support", ...description, ...words], {
      variables: { SVC_WEBSITE_URL: website },
      fetch: platformDown,
    });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr.split("\n")).toEqual([
      `Chat: ${chatUrl}`,
      "Error E203: Platform API error: the support website can't be reached",
      "→ Contact support if it persists",
      "Help: `svc support --help`, `svc errors E203`",
      "",
    ]);
  });

  test("a draft request ends after 10 seconds, and is not repeated", async () => {
    const { json } = await support(the(), description);
    const words = ["--yes", "--approved-digest", String(json["bundleDigest"])];
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const site = answering(() => new Promise<Response>(() => {}));
      let isDone = false;
      const pending = support(the(), [...description, ...words], { fetch: site.fetch }).finally(
        () => {
          isDone = true;
        },
      );
      await vi.waitUntil(() => site.seen.length > 0, { interval: 5, timeout: 5_000 });
      await vi.advanceTimersByTimeAsync(9_000);
      expect(isDone).toBe(false);
      await vi.advanceTimersByTimeAsync(1_500);
      const { exitCode, json: failure } = await pending;
      expect(exitCode).toBe(1);
      expect(failure).toMatchObject({
        status: "failed",
        error: { message: expect.stringContaining("did not answer within 10 seconds") },
      });
      expect(site.seen).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("the website address", () => {
  const call = (address: string | undefined, base?: string) =>
    support(the(), ["--decline"], {
      variables: {
        SVC_WEBSITE_URL: address,
        ...(base === undefined ? {} : { BASE_URL_PUBLIC_API: base }),
      },
    });

  test.each([
    ["https://help.test", "https://help.test"],
    ["https://help.test/", "https://help.test"],
    ["https://help.test:8443", "https://help.test:8443"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["http://[::1]:3000", "http://[::1]:3000"],
  ])("%s is an origin", async (address, origin) => {
    expect((await call(address)).json["chatUrl"]).toBe(`${origin}/support?chat=open`);
  });

  test.each([
    "http://help.test",
    "http://127.0.0.1.help.test",
    "https://help.test/path",
    "https://help.test?x=1",
    "https://help.test/#x",
    "https://user:pass@help.test",
    "ftp://help.test",
    "javascript:alert(1)",
    "help.test",
  ])("%s is none", async (address) => {
    const { exitCode, json, stdout } = await call(address);
    expect([exitCode, json]).toMatchObject([1, { error: { code: "E006" } }]);
    expect(stdout).not.toContain("pass@");
  });

  test("is the platform's own where that is HTTPS or this machine", async () => {
    const secure = await call(undefined, "https://data.test/api");
    expect(secure.json["chatUrl"]).toBe("https://data.test/support?chat=open");
    const { exitCode, json } = await call(undefined, "http://data.test");
    expect([exitCode, json]).toMatchObject([1, { error: { code: "E006" } }]);
  });

  test("a project's .env.local cannot change it, nor break the command", async () => {
    const project = await temporaryDirectory("project");
    const env = "SVC_WEBSITE_URL=https://thief.test\nBASE_URL_PUBLIC_API=https://thief.test\n";
    await Bun.write(join(project, ".env.local"), `${env}DB_PASSWORD=tulip-seven\n`);
    const words = ["--description", "Our database says tulip-seven is wrong"];
    const shown = await support(the(), words, {
      currentDirectory: project,
      variables: { SVC_WEBSITE_URL: undefined, BASE_URL_PUBLIC_API: "https://data.test" },
    });
    expect(shown.json["status"]).toBe("consent_required");
    expect(shown.json["chatUrl"]).toBe("https://data.test/support?chat=open");
    expect(shown.stdout).not.toMatch(/thief|tulip/);
    const own = await support(the(), [], {
      currentDirectory: project,
      variables: { SVC_WEBSITE_URL: undefined, BASE_URL_PUBLIC_API: undefined },
    });
    expect(own.json["chatUrl"]).toBe("http://127.0.0.1:4400/support?chat=open");
  });
});
