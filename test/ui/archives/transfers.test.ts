import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createClient, type Client } from "#client/index.ts";
import { archiveFiles } from "#commands/kit/archives/dashboard-archives.ts";
import { cheapenPassphrases } from "#test/support/cheap-passphrases.ts";
import { newRoot } from "#test/server/domains/members/world.ts";
import { storeQuota } from "#test/support/stored-quota.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { compareWith, importArchive, saveArchive, type Transfer } from "#ui/archives/transfers.ts";

const files = archiveFiles({ resolvePath: (path) => resolve(path) });
const signal = new AbortController().signal;
cheapenPassphrases();
const recordsOf = { name: "Kept", slug: "kept", properties: { text: { type: "string" } } };

/** A body that ends after some bytes, as a connection that breaks. */
function brokenAfter(response: Response, bytes: number): Response {
  const reader = response.body?.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = (await reader?.read()) ?? {};
      controller.enqueue(value?.subarray(0, bytes) ?? new Uint8Array(0));
      controller.error(new TypeError("the connection broke"));
    },
  });
  return new Response(body, response);
}

describePlatform("archives of the dashboard", (the) => {
  let folder: string;
  /** Archives whose next download breaks; each request for a part of the file. */
  let breaks = 0;
  const ranges: string[] = [];
  let client: Client;

  const transfer = (tenantId: string): Transfer => ({
    client,
    tenantId,
    files,
    report: () => {},
    signal,
  });
  const saved = async (name: string, passphraseFile?: string) => {
    const { tenant } = the().workspaces;
    const body = { groups: ["types", "records", "members"] as const };
    const archive = await client.archives.create({
      tenantId: tenant,
      body: { groups: [...body.groups] },
    });
    const path = join(folder, name);
    const target = { path, mayReplace: false };
    const outcome = await saveArchive(transfer(tenant), archive, { target, passphraseFile });
    return { path, outcome, archive };
  };
  const imported = async (path: string, workspace: string) => {
    const archive = await files.open(path, undefined, signal);
    return importArchive(transfer(workspace), archive, await archive.members());
  };

  beforeAll(async () => {
    folder = await temporaryDirectory("archives");
    client = createClient({
      baseUrl: the().baseUrl,
      token: the().users["system-admin"].token,
      fetch: async (request) => {
        const response = await the().platform.fetch(request);
        const range = request.headers.get("range");
        if (range !== null) ranges.push(range);
        if (breaks === 0 || !request.url.endsWith("/content")) return response;
        breaks -= 1;
        return brokenAfter(response, 40);
      },
    });
    const { tenant } = the().workspaces;
    const body = { email: the().users["system-admin"].email, role: "tenant-admin" };
    const members = `/v4/platform/tenants/${tenant}/members`;
    await the().as("tenant-admin").post(members, body);
    const builder = the().as("tenant-builder");
    const headers = { "x-tenant-id": tenant };
    const types = "/v4/data/resources/object-types";
    expect((await builder.post(types, recordsOf, { headers })).status).toBe(201);
    const records = `/v4/data/resources/${tenant}/kept`;
    expect((await builder.post(records, { text: "one" })).status).toBe(201);
    await writeFile(join(folder, "secret.txt"), "correct horse\n");
    await writeFile(join(folder, "wrong.txt"), "another\n");
  });

  test("a download that breaks continues, and compares with its workspace", async () => {
    breaks = 1;
    const { path, outcome } = await saved("plain.svcarchive");
    expect(outcome).toMatchObject({ good: true, lines: [expect.stringContaining("verified")] });
    expect(ranges.at(-1)).toMatch(/^bytes=\d+-$/);
    const { tenant } = the().workspaces;
    const same = { path, passphraseFile: undefined };
    const compared = await compareWith(transfer(tenant), same, "plain");
    expect(compared.lines).toContain("= records/kept: equal (1)");
    const { items } = await client.archives.list({ tenantId: tenant });
    expect(items).toHaveLength(1);
  });

  test("an import has its outcome by part, invites, and keeps within the quota", async () => {
    const { path } = await saved("import.svcarchive");
    const root = await newRoot(the());
    const done = await imported(path, root);
    expect(done.lines).toContain("records/kept: 1 stored");
    expect(done.lines.join("\n")).toMatch(/: invited as tenant-staff/);
    const compared = await compareWith(
      transfer(root),
      { workspaceId: the().workspaces.tenant },
      "tenant",
    );
    // A record's id is unique in a platform on SQLite, so that it was made again.
    const isRenamed = the().engine === "sqlite";
    expect(done.lines.includes("1 record with a new id:")).toBe(isRenamed);
    const words = isRenamed ? "≠ records/kept: different (1)" : "= records/kept: equal (1)";
    expect(compared.lines).toContain(words);

    const full = await newRoot(the());
    await storeQuota(the(), full, { records: 0 });
    the().advance(6_000);
    const refused = await imported(path, full);
    expect(refused.good).toBe(false);
    expect(refused.lines.join("\n")).toMatch(/has 1 records.*quota is 0/);
  });

  test("a wrong passphrase and a damaged file are found before anything is sent", async () => {
    const { path, outcome } = await saved("sealed.svcarchive", join(folder, "secret.txt"));
    expect(outcome.lines[0]).toContain("encrypted");
    await expect(files.open(path, join(folder, "wrong.txt"), signal)).rejects.toThrow("wrong");
    await expect(files.open(path, undefined, signal)).rejects.toThrow("is encrypted");
    const { path: plain } = await saved("damaged.svcarchive");
    const bytes = await readFile(plain);
    const at = Math.floor(bytes.byteLength / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 4;
    await writeFile(plain, bytes);
    await expect(files.open(plain, undefined, signal)).rejects.toThrow("not a sound archive");
  });

  test("an archive that lacks a file is saved, and its outcome says so", async () => {
    const { tenant } = the().workspaces;
    const headers = { "x-tenant-id": tenant };
    const plan = { name: "Plan", slug: "plan", properties: { file: { type: "file" } } };
    const types = "/v4/data/resources/object-types";
    expect((await the().as("tenant-builder").post(types, plan, { headers })).status).toBe(201);
    const path = `/v4/data/resources/${tenant}/plan`;
    const staff = the().as("tenant-staff");
    const made = await staff.post(path, { data: {} });
    const of = `${path}/${String(field(made.json, "id"))}/files/file?filename=plan.txt`;
    const content = { headers: { "content-type": "text/plain" }, rawBody: "The wall is gone." };
    expect((await staff.post(of, undefined, content)).status).toBe(201);
    const sha256 = new Bun.CryptoHasher("sha256").update(content.rawBody).digest("hex");
    const names = await readdir(the().dataDirectory, { recursive: true });
    await rm(join(the().dataDirectory, names.find((name) => name.endsWith(sha256)) ?? ""));
    const { outcome } = await saved("partial.svcarchive");
    expect(outcome).toEqual({
      good: false,
      lines: [expect.stringContaining("verified"), expect.stringMatching(/^A file is missing/)],
    });
    expect(await Bun.file(join(folder, "partial.svcarchive")).exists()).toBe(true);
  });

  test("an archive that is gone is reported, and no file is written", async () => {
    const { archive } = await saved("gone.svcarchive");
    const { tenant } = the().workspaces;
    await client.archives.remove({ tenantId: tenant, params: { archiveId: archive.id } });
    const path = join(folder, "none.svcarchive");
    const outcome = await saveArchive(transfer(tenant), archive, {
      target: { path, mayReplace: false },
      passphraseFile: undefined,
    });
    expect(outcome.good).toBe(false);
    expect(await Bun.file(path).exists()).toBe(false);
  });
});
