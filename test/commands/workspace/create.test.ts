import { describe, expect, test } from "vitest";
import { commandWorld } from "../world.ts";

const the = commandWorld();

describe("workspace create", () => {
  const name = ["workspace", "create", "--name", "Street works"];

  test("creates a child whose first admin is the caller", async () => {
    const { exitCode, json } = await the().json([
      ...name,
      "--slug",
      "street-works",
      "--parent",
      "tenant",
      "--usecase",
      "council",
      "--industry",
      "roads",
      "--domain",
      "roads.example",
      "--starter-template",
      "blank-vertical-template",
    ]);
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({
      slug: "street-works",
      displayName: "Street works",
      parentId: the().platform.workspaces.tenant,
      homeRegion: "eu",
      usecase: "council",
      industry: "roads",
      domain: "roads.example",
      starterTemplate: "blank-vertical-template",
    });
    const info = await the().json("workspace info street-works");
    expect(info.json).toMatchObject({ role: "tenant-admin" });
  });

  test("creates a root in its region", async () => {
    const words = [...name, "--slug", "root-works", "--allow-root", "--home-region", "ca"];
    const { stdout, exitCode } = await the().svc(words, { as: "system-admin" });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^home region  ca$/m);
    const refused = await the().json([...words.slice(0, -1), "au"], { as: "tenant-admin" });
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E204", status: 403 } } });
  });

  test("a slug that is taken is a conflict", async () => {
    const words = [...name, "--slug", "tenant", "--allow-root", "--home-region", "eu"];
    const { exitCode, json } = await the().json(words, { as: "system-admin" });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ error: { code: "E205", status: 409 } });
  });

  const slug = ["--slug", "x"];
  const refusals: [string, string[], number, string][] = [
    ["no name", ["workspace", "create", ...slug], 2, "Required field missing: --name"],
    ["no slug", [...name], 2, "Required field missing: --slug"],
    ["neither parent nor root", [...name, ...slug], 2, "Required field missing: --parent"],
    [
      "a root without its region",
      [...name, ...slug, "--allow-root"],
      2,
      "Required field missing: --home-region",
    ],
    [
      "a child with a region",
      [...name, ...slug, "--parent", "tenant", "--home-region", "eu"],
      2,
      "Invalid input: --home-region cannot go with --parent: a child inherits its parent's region",
    ],
    [
      "a child that is a root",
      [...name, ...slug, "--parent", "tenant", "--allow-root"],
      2,
      "Invalid input: --allow-root cannot go with --parent",
    ],
    [
      "two domains",
      [...name, ...slug, "--parent", "tenant", "--domain", "a.example,b.example"],
      2,
      "Invalid input: --domain takes one domain, not a list",
    ],
    [
      "an unknown region",
      [...name, ...slug, "--allow-root", "--home-region", "us"],
      2,
      'Invalid format: --home-region "us"',
    ],
    [
      "an unknown usecase",
      [...name, ...slug, "--parent", "tenant", "--usecase", "zoo"],
      2,
      'Invalid format: --usecase "zoo"',
    ],
    [
      "an invalid slug",
      [...name, "--slug", "Not Kebab", "--parent", "tenant"],
      1,
      "Validation failed: #/slug must be in kebab-case",
    ],
  ];
  test.each(refusals)("refuses %s before any network call", async (_what, words, code, message) => {
    const { exitCode, json } = await the().json(words, {
      fetch: (request) =>
        new URL(request.url).pathname === "/v4/identity/tenants"
          ? the().platform.platform.fetch(request)
          : Promise.reject(new Error("nothing may be sent")),
    });
    expect(exitCode).toBe(code);
    expect(json).toMatchObject({ error: { message, exitCode: code } });
  });

  test("another user's parent is not found", async () => {
    const words = [...name, ...slug, "--parent", "other"];
    const { exitCode, json } = await the().json(words);
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ error: { message: 'Workspace "other" not found' } });
  });
});
