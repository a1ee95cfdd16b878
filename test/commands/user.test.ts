import { describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { commandWorld, type Called } from "./world.ts";

const the = commandWorld();

function text({ json }: Called, name: string): string {
  return String(field(json, name));
}

/** A new member of `tenant`, through `svc user invite` and the invitation's acceptance. */
async function newMember(email: string): Promise<void> {
  const invited = await the().json(["user", "invite", "--email", email]);
  await the().platform.platform.services.invitations.admit(text(invited, "secret"));
}

describe("user invite", () => {
  test("shows the link once, on stderr, and the pending invitation", async () => {
    const words = "user invite --email new@example.org --role tenant-staff --first-name New";
    const { exitCode, stdout, stderr } = await the().svc(words);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("new@example.org");
    expect(stdout).toContain("tenant-staff");
    expect(stdout).toContain("invited");
    expect(stderr).toMatch(/shown this once:\nhttp:\/\/platform\.test\/auth\/invitation\?secret=/);
    const list = await the().svc("user invitations");
    expect(list.stdout).toContain("new@example.org");
    const pending = await the().json("user invitations");
    const [item] = field(pending.json, "items") as { invitationId: string }[];
    const id = item?.invitationId ?? "";
    expect(await the().svc(`user uninvite ${id}`)).toMatchObject({ exitCode: 2 });
    expect((await the().svc(`user uninvite ${id} --force`)).stdout).toContain("new@example.org");
    expect((await the().svc("user invitations")).stderr).toBe("No invitations are pending\n");
  });

  test("refuses wrong words before any request", async () => {
    const settings = { as: "anonymous" } as const;
    const wrong = [
      "user invite --email no-address",
      "user invite --email a@b --redirect-uri here",
      "user invite --email a@b --redirect-uri ftp://x",
      "user invite --email a@b --role king",
      "user invite --email a@b --role tenant-staff --role-definition-id x",
      "user role set --role tenant-staff",
      "user role set --email a@b",
      "user role set --email a@b --member-id x --role tenant-staff",
      "user role set --member-id x --role tenant-staff --message hello",
      "user role set --email a@b --role tenant-staff --role-definition-id x",
    ];
    for (const words of wrong) {
      const called = await the().json(words, settings);
      expect(called, words).toMatchObject({ exitCode: 2, json: { error: { exitCode: 2 } } });
    }
  });

  test("names the needed role, and the own one", async () => {
    const words = "user invite --email x@example.org";
    const refused = await the().svc(words, { as: "tenant-viewer" });
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("needs tenant-admin; you are tenant-viewer");
    expect((await the().json(words, { as: "tenant-viewer" })).json).toMatchObject({
      error: { code: "E204", requiredRole: "tenant-admin", currentRole: "tenant-viewer" },
    });
  });
});

describe("user invite of a member", () => {
  test("keeps the role without --role", async () => {
    await newMember("tenant-kept@example.org");
    await the().svc("user role set --email tenant-kept@example.org --role tenant-builder");
    const again = await the().svc("user invite --email tenant-kept@example.org");
    expect(again).toMatchObject({ exitCode: 0 });
    expect(again.stdout).toContain("tenant-builder");
    expect(again.stderr).toContain("is a member already and stays tenant-builder");
    const raised = await the().svc(
      "user invite --email tenant-kept@example.org --role tenant-admin",
    );
    expect(raised).toMatchObject({ exitCode: 0 });
    expect(raised.stderr).toContain("changed from tenant-builder to tenant-admin");
  });

  test("lowers the role only with --force, and says what changed", async () => {
    await newMember("tenant-lowered@example.org");
    await the().svc("user role set --email tenant-lowered@example.org --role tenant-builder");
    const words = "user invite --email tenant-lowered@example.org --role tenant-viewer";
    expect(await the().svc(words)).toMatchObject({ exitCode: 2 });
    const kept = await the().json("user invite --email tenant-lowered@example.org");
    expect(kept.json).toMatchObject({ member: { role: "tenant-builder" } });
    const forced = await the().svc(`${words} --force`);
    expect(forced).toMatchObject({ exitCode: 0 });
    expect(forced.stderr).toContain("changed from tenant-builder to tenant-viewer");
  });

  test("asks before a workspace-defined role is replaced", async () => {
    await newMember("tenant-custom@example.org");
    await the().svc("user role create carrier --name Carrier --permissions resources.*");
    const roles = await the().json("user roles");
    const items = field(roles.json, "items") as { id: string; key: string }[];
    const id = items.find(({ key }) => key === "carrier")?.id ?? "";
    const given = await the().svc(
      `user invite --email tenant-custom@example.org --role-definition-id ${id} --force`,
    );
    expect(given.stderr).toContain("changed from tenant-viewer to carrier");
    const same = `user invite --email tenant-custom@example.org --role-definition-id ${id}`;
    expect(await the().svc(same)).toMatchObject({ exitCode: 0 });
    const other = "user invite --email tenant-custom@example.org --role tenant-staff";
    expect(await the().svc(other)).toMatchObject({ exitCode: 2 });
  });
});

describe("user accept", () => {
  test("takes the link, the secret, or the secret from stdin, once", async () => {
    const words = "user invite --email outsider@example.org --role tenant-staff";
    const link = text(await the().json(words), "link");
    const joined = await the().svc(["user", "accept", link], { as: "outsider" });
    expect(joined).toMatchObject({ exitCode: 0 });
    expect(joined.stdout).toContain("tenant-staff");
    const again = await the().json(["user", "accept", link], { as: "outsider" });
    expect(again).toMatchObject({ exitCode: 1, json: { error: { code: "E202" } } });
    const left = await the().svc("user leave --force", { as: "outsider" });
    expect(left.stdout).toBe("You left tenant\n");
    const secret = text(await the().json(words), "secret");
    const piped = { as: "outsider", stdin: `${secret}\n` } as const;
    expect((await the().svc("user accept -", piped)).exitCode).toBe(0);
    await the().svc("user leave --force", { as: "outsider" });
    expect(await the().svc("user accept no*secret", { as: "outsider" })).toMatchObject({
      exitCode: 2,
    });
  });

  test("has its opposite in user decline", async () => {
    const secret = text(await the().json("user invite --email no@example.org"), "secret");
    expect(await the().svc(`user decline ${secret}`)).toMatchObject({ exitCode: 2, stdout: "" });
    const declined = await the().svc(`user decline ${secret} --force`, { as: "outsider" });
    expect(declined.stdout).toBe("Declined the invitation\n");
    expect((await the().svc(`user accept ${secret}`, { as: "outsider" })).exitCode).toBe(1);
  });
});

describe("user list", () => {
  test("shows a page, sorted by address, and names the next one", async () => {
    const { stdout, stderr } = await the().svc("user list --limit 2");
    const [head, first, second] = stdout.split("\n");
    expect(head).toMatch(/^E-MAIL\s+NAME\s+ROLE/);
    expect(first).toContain("admin@localhost");
    expect(second).toContain("tenant-admin@example.org");
    expect(stderr).toContain("More: --page 2");
    const all = await the().json("user list");
    expect(all.json).toMatchObject({ page: 1, limit: 25 });
  });

  test("searches, sorts, counts, and prints CSV", async () => {
    const found = await the().svc("user list --search STAFF --count");
    expect(found.stdout).toContain("tenant-staff@example.org");
    expect(found.stderr).toContain("1 member in total");
    const csv = await the().svc("user list --sort -email --columns email,role --format csv");
    expect(csv.stdout.split("\r\n").slice(0, 2)).toEqual([
      "email,role",
      "tenant-viewer@example.org,tenant-viewer",
    ]);
    const none = await the().svc("user list --search nothing-like-this");
    expect(none).toMatchObject({ exitCode: 0, stdout: "", stderr: "No members match\n" });
    expect((await the().svc("user list --sort king")).exitCode).toBe(1);
  });
});

describe("roles", () => {
  test("are listed, defined, given and deleted", async () => {
    await newMember("clerk@example.org");
    const made = await the().json([
      "user",
      "role",
      "create",
      "importer",
      "--name",
      "Importer",
      "--permissions",
      "documents.*,members.list",
    ]);
    expect(made.json).toMatchObject({ key: "importer", kind: "custom" });
    const listed = await the().svc("user roles");
    expect(listed.stdout).toContain("tenant-admin");
    expect(listed.stdout).toContain("importer");
    const given = await the().json([
      "user",
      "role",
      "set",
      "--email",
      "clerk@example.org",
      "--role-definition-id",
      text(made, "id"),
    ]);
    expect(given.json).toMatchObject({ member: { roleName: "importer", status: "active" } });
    const used = await the().json("user role delete importer --force");
    expect(used.json).toMatchObject({ error: { code: "E205" } });
    const memberId = String(field(field(given.json, "member"), "memberId"));
    const set = `user role set --member-id ${memberId} --role tenant-builder`;
    expect((await the().svc(set)).stdout).toContain("tenant-builder");
    expect((await the().svc("user role delete importer")).exitCode).toBe(2);
    expect((await the().svc("user role delete importer --force")).exitCode).toBe(0);
    expect((await the().svc("user role delete importer --force")).exitCode).toBe(1);
    expect((await the().svc("user role delete tenant-staff --force")).exitCode).toBe(1);
  });
});

describe("rules of groups", () => {
  const issuer = "https://login.example.org";

  test("are set, listed, changed and deleted with their role", async () => {
    const set = (words: string) => the().svc(`user rule set ${words} --issuer ${issuer}`);
    const made = await set("planners --role tenant-staff");
    expect(made).toMatchObject({ exitCode: 0 });
    expect(made.stdout).toMatch(/claim +groups\nvalue +planners\nrole +tenant-staff/);
    expect(made.stderr).toContain(`--auth-url ${issuer}`);
    await set("planners --role tenant-viewer --claim realm_access.roles");
    const changed = await the().json(
      `user rule set planners --role tenant-builder --issuer ${issuer}`,
    );
    expect(changed.json).toMatchObject({ created: false, role: "tenant-builder", applies: false });
    const listed = await the().svc("user rules");
    expect(listed.stdout).toMatch(/^groups +planners +tenant-builder +0 +no /m);
    expect(listed.stdout).toMatch(/^realm_access\.roles +planners +tenant-viewer +0 +no /m);
    const two = await the().svc("user rule delete planners --force");
    expect(two).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("2 rules") });
    const ruleId = text(changed, "ruleId");
    expect((await the().svc(`user rule delete ${ruleId}`)).exitCode).toBe(2);
    expect((await the().svc(`user rule delete ${ruleId} --force`)).stdout).toContain(
      "Deleted the rule of planners; 0 memberships have ended",
    );
    expect((await the().svc("user rule delete planners --force")).exitCode).toBe(0);
    expect((await the().svc("user rule delete planners --force")).exitCode).toBe(1);
    expect((await the().svc("user rules")).stderr).toContain("No group has a role");
  });

  test.each([
    ["user rule set planners", 2],
    ["user rule set planners --role tenant-staff --role-definition-id x", 2],
    ["user rule set planners --role owner", 2],
    ["user rule set planners --role tenant-staff", 1],
    [`user rule set planners --role tenant-staff --claim email --issuer ${issuer}`, 2],
  ])("are refused: %s", async (words, exitCode) => {
    expect((await the().svc(words)).exitCode).toBe(exitCode);
  });
});

describe("a member", () => {
  test.each(["nope", "0190a000-0000-7000-8000-000000000001"])(
    "that is not one, %s, is not found by a trial of the removal",
    async (name) => {
      const { exitCode, stderr } = await the().svc(`user remove ${name} --dry-run`);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("E202: Member")]);
    },
  );

  test("is removed after a question, or with --force, never without a terminal", async () => {
    await newMember("gone@example.org");
    const words = "user remove gone@example.org";
    expect(await the().json(words)).toMatchObject({
      exitCode: 2,
      json: { error: { code: "E303", message: "Required field missing: --force" } },
    });
    const no = await the().svc(words, { terminal: 80, stdin: "n\n" });
    expect(no).toMatchObject({ exitCode: 1 });
    expect((await the().svc("user list --search gone")).stdout).toContain("gone@example.org");
    const yes = await the().svc(words, { terminal: 80, stdin: "y\n" });
    expect(yes.stdout).toBe("Removed gone@example.org\n");
    expect((await the().svc(`${words} --force`)).exitCode).toBe(1);
  });

  test("is disabled and enabled in the workspace, and everywhere", async () => {
    await newMember("paused@example.org");
    const who = "paused@example.org";
    expect((await the().svc(`user disable ${who}`)).exitCode).toBe(2);
    expect((await the().svc(`user disable ${who} --force`)).stdout).toBe(`Disabled ${who}\n`);
    expect((await the().svc("user list --search paused")).stdout).toContain("disabled");
    expect((await the().svc(`user enable ${who}`)).stdout).toBe(`Enabled ${who}\n`);
    const refused = await the().svc(`user disable ${who} --everywhere --force`);
    expect(refused.stderr).toContain("needs system-admin");
    const system = { as: "system-admin" } as const;
    const everywhere = await the().svc(`user disable ${who} --everywhere --force`, system);
    expect(everywhere.stdout).toBe(`Disabled ${who} in every workspace\n`);
    expect((await the().svc(`user enable ${who} --everywhere`, system)).exitCode).toBe(0);
    expect((await the().svc(`user revoke-tokens ${who} --force`, system)).exitCode).toBe(0);
  });

  test("that is the last admin stays", async () => {
    const system = { as: "system-admin" } as const;
    const create = "workspace create --name L --slug lonely --allow-root --home-region eu";
    expect((await the().svc(create, system)).exitCode).toBe(0);
    const left = await the().json("user leave --workspace lonely --force", system);
    expect(left.json).toMatchObject({ error: { code: "E205", status: 409 } });
  });

  test("that leaves sees in the question which keys and endpoints end", async () => {
    const system = { as: "system-admin" } as const;
    const create = "workspace create --name M --slug keyed --allow-root --home-region eu";
    expect((await the().svc(create, system)).exitCode).toBe(0);
    const key = "key create Sync --role tenant-staff --workspace keyed";
    expect((await the().svc(key, system)).exitCode).toBe(0);
    const endpoint = "webhook create https://hooks.example.org/svc --workspace keyed";
    expect((await the().svc(endpoint, system)).exitCode).toBe(0);
    const terminal = { ...system, terminal: 80, stdin: "n\n" };
    const asked = await the().svc("user leave --workspace keyed", terminal);
    expect(asked.exitCode).toBe(1);
    expect(asked.stderr.replaceAll(/\s+/g, " ")).toContain(
      "Leave the workspace keyed, and revoke 1 API key: Sync (tenant-staff), and disable 1 " +
        "webhook endpoint: https://hooks.example.org/svc?",
    );
  });
});

describe("user can", () => {
  test("reports why, and which role would do", async () => {
    const words = "user can resources.create members.invite";
    const builder = await the().svc(words, { as: "tenant-builder" });
    expect(builder.exitCode).toBe(1);
    expect(builder.stdout).toContain("you are tenant-builder");
    expect(builder.stdout).toContain("needs tenant-admin; you are tenant-builder");
    expect((await the().svc(words)).exitCode).toBe(0);
    const catalog = await the().svc("user can");
    expect(catalog.stdout).toMatch(/members\.invite\s+tenant-admin/);
    const unknown = await the().svc("user can resources.fly");
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stderr).toContain('"resources.fly", which is not in the capabilities catalog');
  });
});

test("user provision-me confirms the membership", async () => {
  const { stdout } = await the().svc("user provision-me --workspace tenant", {
    as: "tenant-staff",
  });
  expect(stdout).toContain("tenant-staff");
  expect((await the().svc("user provision-me --workspace nowhere")).exitCode).toBe(1);
});
