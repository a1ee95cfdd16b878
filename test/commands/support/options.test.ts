import { stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown, type CallSettings } from "../world.ts";
import { approved, chatUrl, contextFilesIn, reportIn, support, website } from "./world.ts";

const the = commandWorld();
const description = ["--description", "The upload stops at 40 %"];
const harness = ["--tool", "some-harness"];

describe("--format text|json", () => {
  test("JSON previews until --yes --approved-digest", async () => {
    const { exitCode, json, stderr } = await support(the(), description, { fetch: platformDown });
    expect(json).toEqual({
      status: "consent_required",
      previewText: expect.stringContaining("The upload stops at 40 %"),
      bundleDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      chatUrl,
    });
    expect([exitCode, stderr]).toEqual([0, ""]);
  });

  const text = { variables: { SVC_WEBSITE_URL: website, BROWSER: "none" } };

  test("text without a terminal shows the report and names the flag", async () => {
    const { exitCode, stdout, stderr } = await the().svc(["support", ...description], text);
    expect(exitCode).toBe(2);
    expect(stdout).toContain('"description": "The upload stops at 40 %"');
    expect(stderr).toMatch(
      /^Error E303: Required field missing: --yes\n.*--yes --approved-digest [0-9a-f]{64}\n→/,
    );
    expect(stderr).toContain("Help: `svc support --help`");
  });

  test("text on a terminal asks, and sends after yes only", async () => {
    const words = ["support", ...description, "--no-open"];
    const no = await the().svc(words, { ...text, terminal: 80, stdin: "no\n" });
    expect(no.exitCode).toBe(0);
    expect(no.stdout).toContain('\n  "client": {\n    "name": "svc",\n');
    expect(no.stderr).toContain(`Send this report to ${website}? [y/N]`);
    expect(no.stderr).toContain("Nothing was sent");
    const yes = await the().svc(words, { ...text, terminal: 80, stdin: "yes\n" });
    expect(yes.exitCode).toBe(0);
    expect(yes.stdout).toMatch(/\nhttps:\/\/platform\.test\/support#draft=[\w-]+&token=[\w-]+\n/);
  });
});

test("--source defaults to harness when --tool is given, else the client source", async () => {
  const sourceOf = async (words: readonly string[]) =>
    reportIn(await support(the(), words))["source"];
  expect(await sourceOf([])).toBe("eai-cli");
  expect(await sourceOf(harness)).toBe("harness");
  expect(await sourceOf([...harness, "--source", "eai-cli"])).toBe("eai-cli");
  expect(await sourceOf(["--source", "harness"])).toBe("harness");
  const { exitCode, json } = await support(the(), ["--source", "other"]);
  expect([exitCode, json]).toMatchObject([2, { error: { code: "E304" } }]);
});

describe("--tool, --tool-version, --command, --exit-code, --error-code", () => {
  test("are the report's context", async () => {
    const words = [...harness, "--tool-version", "1.2.3", "--command", "svc docs upload x"];
    const shown = await support(the(), [...words, "--exit-code", "-7", "--error-code", "E203"]);
    expect(reportIn(shown)).toMatchObject({
      tool: { name: "some-harness", version: "1.2.3" },
      command: "svc docs upload x",
      exitCode: -7,
      errorCode: "E203",
    });
  });

  test.each(["-2147483648", "2147483647"])("--exit-code %s is a 32-bit number", async (code) => {
    const shown = await support(the(), ["--exit-code", code]);
    expect(reportIn(shown)["exitCode"]).toBe(Number(code));
  });

  test.each(["-2147483649", "2147483648", "1.5", "x"])("--exit-code %s is none", async (code) => {
    const { exitCode, json } = await support(the(), ["--exit-code", code]);
    expect([exitCode, json]).toMatchObject([2, { error: { code: "E305" } }]);
  });
});

describe("--description has 10 to 6000 characters after redaction", () => {
  test.each(["x".repeat(10), "x ".repeat(2_999) + "xx", "😀".repeat(6_000)])(
    "accepts %#",
    async (text) => {
      const { exitCode } = await support(the(), ["--description", text]);
      expect(exitCode).toBe(0);
    },
  );

  test.each([
    ["nine char", 9],
    ["   padded     ", 6],
    ["x ".repeat(3_000) + "x", 6_001],
  ])("refuses %#", async (text, length) => {
    const { exitCode, json } = await support(the(), ["--description", text]);
    expect([exitCode, json]).toMatchObject([
      2,
      {
        error: { message: `Invalid input: --description has ${length} characters after redaction` },
      },
    ]);
  });

  test("counts what is left of a secret", async () => {
    const words = ["--description", `Bearer ${"x9".repeat(3_500)} is refused`];
    expect((await support(the(), words)).exitCode).toBe(0);
  });
});

describe("--decline", () => {
  test("is local only, and names the chat", async () => {
    const settings: CallSettings = { as: "anonymous", fetch: platformDown };
    const { exitCode, json } = await support(the(), ["--decline", ...description], settings);
    expect(json).toEqual({ status: "declined", chatUrl });
    expect(exitCode).toBe(0);
  });

  test.each([["--yes", "--approved-digest", "0".repeat(64)], ["--create-context-file"]])(
    "cannot combine with %s",
    async (...words) => {
      const { exitCode, json } = await support(the(), ["--decline", ...words]);
      expect([exitCode, json]).toMatchObject([2, { error: { code: "E305" } }]);
    },
  );
});

describe("--create-context-file", () => {
  test("allocates an empty private file in the client's own folder", async () => {
    const config = await the().emptyConfig();
    const { exitCode, json } = await support(the(), ["--create-context-file"], { config });
    const path = String(json["contextFile"]);
    expect([exitCode, json]).toEqual([0, { contextFile: path }]);
    expect(path.startsWith(join(config, "support-context", "context-"))).toBe(true);
    const [file, folder] = [await stat(path), await stat(join(config, "support-context"))];
    expect([file.size, file.mode & 0o777, folder.mode & 0o777]).toEqual([0, 0o600, 0o700]);
  });

  test("files older than 24 hours are removed at the next run, and no newer or linked ones", async () => {
    const config = await the().emptyConfig();
    const allocate = async () => {
      const { json } = await support(the(), ["--create-context-file"], { config });
      return String(json["contextFile"]);
    };
    const [old, young] = [await allocate(), await allocate()];
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
    await utimes(old, hours(24.1), hours(24.1));
    await utimes(young, hours(23.9), hours(23.9));
    await support(the(), ["--decline"], { config });
    expect(await contextFilesIn(config)).toEqual([young.split("/").at(-1)]);

    const foreign = await temporaryDirectory("foreign");
    await Bun.write(join(foreign, "kept.txt"), "kept");
    await utimes(join(foreign, "kept.txt"), hours(48), hours(48));
    const linked = await the().emptyConfig();
    await symlink(foreign, join(linked, "support-context"));
    await support(the(), ["--decline"], { config: linked });
    expect(await contextFilesIn(linked)).toEqual(["kept.txt"]);
  });
});

describe("--approved-digest", () => {
  test("is required with --yes", async () => {
    const { exitCode, json } = await support(the(), ["--yes"]);
    expect([exitCode, json]).toMatchObject([
      2,
      { error: { code: "E303", message: "Required field missing: --approved-digest" } },
    ]);
  });

  test.each(["abc", "g".repeat(64)])("refuses %s", async (digest) => {
    const { exitCode, json } = await support(the(), ["--yes", "--approved-digest", digest]);
    expect([exitCode, json]).toMatchObject([2, { error: { code: "E304" } }]);
  });

  test("a mismatch answers consent_stale, and nothing is sent", async () => {
    const words = ["--yes", "--approved-digest", "0".repeat(64)];
    const { exitCode, json } = await support(the(), words, { fetch: platformDown });
    expect([exitCode, json]).toEqual([1, { status: "consent_stale", chatUrl }]);
    const text = await the().svc(["support", ...words], {
      variables: { SVC_WEBSITE_URL: website },
    });
    expect(text.exitCode).toBe(1);
    expect(text.stderr).toContain("Help: `svc support --help`");
  });
});

describe("--organisation-location", () => {
  test("is sent when the session has no active workspace", async () => {
    const config = await the().emptyConfig();
    const without = await approved(the(), description, { config });
    expect([without.exitCode, without.json]).toEqual([1, { status: "region_required", chatUrl }]);
    for (const location of ["apac", "emea", "americas"]) {
      const words = [...description, "--organisation-location", location];
      expect((await approved(the(), words, { config })).json["status"]).toBe("created");
    }
    const { exitCode, json } = await support(the(), ["--organisation-location", "mars"]);
    expect([exitCode, json]).toMatchObject([2, { error: { code: "E304" } }]);
  });

  test("is left out when the session has one", async () => {
    const bodies: unknown[] = [];
    await approved(the(), [...description, "--organisation-location", "emea"], {
      fetch: async (request) => {
        bodies.push(await request.json());
        return new Response(null, { status: 500 });
      },
    });
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toMatchObject({ workspaceId: the().platform.workspaces.tenant });
    expect(bodies[0]).not.toHaveProperty("organisationLocation");
  });
});

describe("--no-last-error and the last error", () => {
  test("an error is in the next report until it is left out", async () => {
    const config = await the().emptyConfig();
    await the().svc("resources list tree --tenant-id other --token hunter2", { config });
    await the().svc("docs get DOC-2026-000001", { config });
    expect((await stat(join(config, "last-error.json"))).mode & 0o777).toBe(0o600);
    const shown = await support(the(), [], { config });
    expect(reportIn(shown)["lastError"]).toEqual({
      at: expect.stringMatching(/Z$/),
      command: "docs get",
      code: "E303",
      message: "Required field missing: --tenant-id",
      exitCode: 2,
    });
    const again = await support(the(), [], { config });
    expect(again.json["bundleDigest"]).toBe(shown.json["bundleDigest"]);
    const without = await support(the(), ["--no-last-error"], { config });
    expect(reportIn(without)).not.toHaveProperty("lastError");
  });

  test("failing support and errors commands are no last error", async () => {
    const config = await the().emptyConfig();
    await the().svc("errors E999", { config });
    await the().svc("support --yes", { config });
    expect(await Bun.file(join(config, "last-error.json")).exists()).toBe(false);
  });

  test.each([
    [23.9, true],
    [24.1, false],
    [-1, false],
  ])("of %d hours ago: %s", async (hours, isShown) => {
    const config = await the().emptyConfig();
    const at = new Date(Date.now() - hours * 3_600_000).toISOString();
    const entry = { version: 1, at, code: "E201", message: "x", exitCode: 1 };
    await Bun.write(join(config, "last-error.json"), JSON.stringify(entry));
    const shown = await support(the(), [], { config });
    expect(Object.hasOwn(reportIn(shown), "lastError")).toBe(isShown);
  });

  test("keeps no secret", async () => {
    const config = await the().emptyConfig();
    await the().svc(["resources", "list", "Bearer abcdefgh12345678", "--sort", "a,,b"], { config });
    await the().svc(["errors-x", "svc_abcdefghijkl0123456789"], { config });
    await the().svc(["docs", "job", "svc_abcdefghijkl0123456789"], {
      config,
      variables: { SVC_TOKEN: "opaque-token-1" },
    });
    const kept = await Bun.file(join(config, "last-error.json")).text();
    expect(kept).not.toMatch(/abcdefgh|opaque/);
  });
});

describe("--no-open", () => {
  test("opens the draft's address in the browser, except with the option", async () => {
    const folder = await temporaryDirectory("browser");
    const [browser, opened] = [join(folder, "browser"), join(folder, "opened")];
    await writeFile(browser, `#!/bin/sh\necho "$1" > ${opened}\n`, { mode: 0o700 });
    const variables = { BROWSER: browser };
    await approved(the(), description, { variables });
    expect(await Bun.file(opened).exists()).toBe(false);
    const { json } = await support(the(), description);
    const digest = String(json["bundleDigest"]);
    const created = await support(the(), [...description, "--yes", "--approved-digest", digest], {
      variables,
    });
    expect(await Bun.file(opened).text()).toBe(`${String(created.json["url"])}\n`);
  });
});
