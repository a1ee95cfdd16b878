import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { accepted, documentWorld } from "../documents-world.ts";
import { platformDown } from "../world.ts";

const the = documentWorld();
const noId = "01890000-0000-7000-8000-000000000000";

describe("docs upload", () => {
  test("is accepted, and its job succeeds", async () => {
    const { exitCode, json, stderr } = await the().docs(["upload", "letter.txt", ...the().context]);
    expect(exitCode).toBe(0);
    expect(stderr).toBe("");
    const { jobId, documentId, documentNumber, status } = accepted.parse(json);
    expect(status).toBe("queued");
    expect(documentNumber).toMatch(/^DOC-\d{4}-\d{6}$/);

    const job = await the().docs(["job", jobId, "--wait"]);
    expect(job.exitCode).toBe(0);
    expect(job.json).toMatchObject({ jobId, status: "succeeded", percentCompleted: 100 });
    const text = await the().svc(["docs", "job", jobId], { as: "tenant-viewer" });
    expect(text.stdout).toContain(
      "stages     store ✓  extract ✓  classify ✓  analyze ✓  index ✓\n",
    );

    const record = await the().docs(["get", documentNumber, "--job-id", jobId]);
    expect(record.json).toMatchObject({
      documentId,
      filename: "letter.txt",
      mediaType: "text/plain",
      processingMode: "full",
      status: "ready",
    });
    const shown = await the().svc(["docs", "get", documentId], { as: "tenant-viewer" });
    expect(shown.stdout).toMatch(/^filename +letter\.txt$/m);

    const again = await the().docs(["upload", "letter.txt", ...the().context]);
    expect(again.json).toMatchObject({ documentId, duplicateOf: documentId, jobId });
    const words = ["docs", "upload", "letter.txt", ...the().context];
    const said = await the().svc(words, { as: "tenant-staff", currentDirectory: the().files });
    expect(said.stderr).toBe(
      "The same bytes are already stored; nothing is processed again. Follow it:\n" +
        `  svc docs job ${jobId} --wait\n`,
    );
  });

  test("as text reports the acceptance and the next command", async () => {
    await Bun.write(join(the().files, "note.md"), "# A note\n\nOnly here.\n");
    const words = ["docs", "upload", "note.md", ...the().context];
    const { stdout, stderr } = await the().svc(words, {
      as: "tenant-staff",
      currentDirectory: the().files,
    });
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/)[0])).toEqual([
      "job",
      "document",
      "number",
      "status",
      "",
    ]);
    expect(stderr).toMatch(
      /^Accepted, not yet processed\. Follow it:\n {2}svc docs job [0-9a-f-]{36} --wait\n$/,
    );
  });

  test("classify is the same request with its own mode", async () => {
    await Bun.write(join(the().files, "classified.txt"), "An objection: I object to this plan.");
    const { json } = await the().docs(["classify", "classified.txt", ...the().context]);
    const { jobId, documentId } = accepted.parse(json);
    await the().docs(["job", jobId, "--wait"]);
    const record = await the().docs(["get", documentId]);
    expect(record.json).toMatchObject({ processingMode: "classification" });
  });

  test("a standalone workflow takes its app from the flag or the settings", async () => {
    const workflow = ["--workflow-key", "planning-assistant"];
    await Bun.write(join(the().files, "alone.txt"), "A standalone text.");
    const byFlag = await the().docs([
      "upload",
      "alone.txt",
      "--vertical-key",
      "planning-portal",
      ...workflow,
    ]);
    expect(byFlag.exitCode).toBe(0);
    for (const name of ["SVC_APP_KEY", "SVC_VERTICAL_KEY"]) {
      const settings = { variables: { [name]: "planning-portal" } };
      const bySetting = await the().docs(["upload", "alone.txt", ...workflow], settings);
      expect(bySetting.json).toMatchObject({
        duplicateOf: accepted.parse(byFlag.json).documentId,
      });
    }
    const unknown = await the().docs([
      "upload",
      "alone.txt",
      "--app-key",
      "planning-portal",
      "--workflow-key",
      "no-such",
    ]);
    expect(unknown.exitCode).toBe(1);
    expect(unknown.json).toMatchObject({ error: { code: "E302", status: 422 } });
  });

  test("metadata is sent with the interface's names", async () => {
    const form = Promise.withResolvers<[name: string, value: string][]>();
    await the().docs(
      [
        "upload",
        "letter.txt",
        ...the().context,
        "--category",
        "letters",
        "--correlation-id",
        "c-1",
        "--async-mode",
        "true",
        "--council-name",
        "Northwind",
      ],
      {
        fetch: async (request) => {
          const fields: [string, string][] = [];
          for (const [name, value] of (await request.formData()).entries()) {
            fields.push([name, typeof value === "string" ? value : value.name]);
          }
          form.resolve(fields);
          return Response.json({ jobId: noId }, { status: 202 });
        },
      },
    );
    const sent = await form.promise;
    expect(Object.fromEntries(sent)).toEqual({
      tenant_id: the().platform.workspaces.tenant,
      storage_target: "resourceapi",
      processing_mode: "full",
      planning_application_id: the().applicationId,
      category: "letters",
      correlation_id: "c-1",
      async_mode: "true",
      council_name: "Northwind",
      files: "letter.txt",
    });
    // Fields come first, so that a refusal writes no file.
    expect(sent.at(-1)?.[0]).toBe("files");
  });

  describe("is refused before the file is looked at, and before any network call", () => {
    const id = ["--planning-application-id", noId];
    const cases: [string, string[], number, string, string][] = [
      ["no context", [], 2, "E303", "Required field missing: document context"],
      [
        "an app key alone",
        ["--vertical-key", "a"],
        2,
        "E305",
        "Invalid input: the app key needs a workflow key",
      ],
      [
        "a workflow key alone",
        ["--workflow-key", "w"],
        2,
        "E305",
        "Invalid input: the workflow key needs an app key",
      ],
      [
        "a case alone",
        ["--assess-case-id", noId],
        2,
        "E305",
        "Invalid input: assess_case_id needs a planning or business context",
      ],
      [
        "a blank context",
        ["--planning-application-id", " "],
        2,
        "E305",
        "Invalid input: planning_application_id is blank",
      ],
      [
        "a blank key",
        ["--vertical-key", " ", "--workflow-key", "w"],
        2,
        "E305",
        "Invalid input: vertical_key is blank",
      ],
      [
        "an empty key",
        ["--vertical-key", "", "--workflow-key", "w"],
        2,
        "E305",
        "Invalid input: --vertical-key is empty",
      ],
      [
        "conflicting aliases",
        ["--vertical-key", "a", "--app-key", "b", "--workflow-key", "w"],
        2,
        "E305",
        "Invalid input: --vertical-key is given twice with different values",
      ],
      [
        "a storage downgrade",
        [...id, "--storage-target", "blob"],
        2,
        "E305",
        'Invalid input: unknown option "--storage-target"',
      ],
      [
        "unsupported metadata",
        [...id, "--owner", "me"],
        2,
        "E305",
        'Invalid input: unknown option "--owner"',
      ],
      [
        "a mode",
        [...id, "--processing-mode", "rag"],
        2,
        "E305",
        'Invalid input: unknown option "--processing-mode"',
      ],
    ];
    describe.each(["upload", "classify"])("%s", (verb) => {
      test.each(cases)("%s", async (_what, words, exit, code, message) => {
        const { exitCode, json } = await the().docs(
          [verb, "none.pdf", "--tenant-id", "tenant", ...words],
          { fetch: platformDown, as: "anonymous" },
        );
        expect(exitCode).toBe(exit);
        expect(json).toMatchObject({ error: { code, message, exitCode: exit } });
      });
    });

    test("a missing context is reported with the names of the flags", async () => {
      const { stderr } = await the().svc("docs upload none.pdf", { fetch: platformDown });
      expect(stderr).toContain(
        "  Name --planning-application-id or --business-request-id, or both --vertical-key and " +
          "--workflow-key of a standalone workflow\n",
      );
    });
  });

  test("a missing file and an empty folder are refused before any network call", async () => {
    const missing = await the().docs(["upload", "none.pdf", ...the().context], {
      fetch: platformDown,
    });
    expect(missing.json).toMatchObject({
      error: { code: "E305", message: "Invalid input: none.pdf does not exist" },
    });
    const empty = await temporaryDirectory("empty");
    const folder = await the().docs(["upload", empty, ...the().context], { fetch: platformDown });
    expect(folder.json).toMatchObject({
      error: { code: "E305", message: `Invalid input: ${empty} names no files` },
    });
    // An unset variable of a shell.
    const unset = await the().docs(["upload", "", ...the().context], { fetch: platformDown });
    expect(unset.json).toMatchObject({
      error: { code: "E305", message: "Invalid input: the path of the file is empty" },
    });
  });

  test("a missing permission keeps its status; an unknown context is refused", async () => {
    const viewer = await the().docs(["upload", "letter.txt", ...the().context], {
      as: "tenant-viewer",
    });
    expect(viewer).toMatchObject({ exitCode: 1, json: { error: { code: "E204", status: 403 } } });
    const nowhere = await the().docs(["upload", "letter.txt", "--planning-application-id", noId]);
    expect(nowhere).toMatchObject({ exitCode: 1, json: { error: { status: 422 } } });
    const others = ["--tenant-id", the().platform.workspaces.other];
    const elsewhere = await the().docs(["upload", "letter.txt", ...the().context, ...others]);
    expect(elsewhere.json).toMatchObject({
      error: { code: "E202", message: `Workspace ${others[1]} not found`, status: 404 },
    });
  });

  test("a connection that breaks after the last byte leaves the outcome unknown", async () => {
    let calls = 0;
    const { exitCode, json } = await the().docs(["upload", "letter.txt", ...the().context], {
      fetch: async (request) => {
        calls += 1;
        await request.arrayBuffer();
        throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
      },
    });
    expect(calls).toBe(1);
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({
      error: {
        code: "E201",
        hint: expect.stringMatching(
          /All bytes had been sent: the outcome is unknown\. Look before/,
        ),
      },
    });
  });
});
