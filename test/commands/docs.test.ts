import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { documentWorld } from "./documents-world.ts";
import { platformDown, type CallSettings } from "./world.ts";

const the = documentWorld();
const noId = "01890000-0000-7000-8000-000000000000";
const accepted = z.looseObject({
  jobId: z.string(),
  documentId: z.string(),
  documentNumber: z.string(),
  status: z.string(),
});

/** What staff gets for `svc docs <words>` in the folder with the files. */
async function docs(words: readonly string[], settings: CallSettings = {}) {
  const staff: CallSettings = { as: "tenant-staff", currentDirectory: the().files };
  return the().json(["docs", ...words], { ...staff, ...settings });
}

/** Uploads text that no other test has uploaded, and gives the answer. */
async function upload(name: string, ...words: readonly string[]) {
  await Bun.write(join(the().files, name), `A note called ${name}, about nothing else at all.`);
  const { exitCode, json } = await docs(["upload", name, ...the().context, ...words]);
  expect(exitCode).toBe(0);
  return accepted.parse(json);
}

describe("docs upload", () => {
  test("is accepted, and its job is followed to the end", async () => {
    const { exitCode, json, stderr } = await docs(["upload", "letter.txt", ...the().context]);
    expect(exitCode).toBe(0);
    expect(stderr).toBe("");
    const { jobId, documentId, documentNumber, status } = accepted.parse(json);
    expect(status).toBe("queued");
    expect(documentNumber).toMatch(/^DOC-\d{4}-\d{6}$/);

    const job = await docs(["job", jobId, "--wait"]);
    expect(job.exitCode).toBe(0);
    expect(job.json).toMatchObject({ jobId, status: "succeeded", percentCompleted: 100 });
    const text = await the().svc(["docs", "job", jobId], { as: "tenant-viewer" });
    expect(text.stdout).toContain(
      "stages     store ✓  extract ✓  classify ✓  analyze ✓  index ✓\n",
    );

    const record = await docs(["get", documentNumber, "--job-id", jobId]);
    expect(record.json).toMatchObject({
      documentId,
      filename: "letter.txt",
      mediaType: "text/plain",
      processingMode: "full",
      status: "ready",
    });
    const shown = await the().svc(["docs", "get", documentId], { as: "tenant-viewer" });
    expect(shown.stdout).toMatch(/^filename +letter\.txt$/m);

    const again = await docs(["upload", "letter.txt", ...the().context]);
    expect(again.json).toMatchObject({ documentId, duplicateOf: documentId, jobId });
    const words = ["docs", "upload", "letter.txt", ...the().context];
    const said = await the().svc(words, { as: "tenant-staff", currentDirectory: the().files });
    expect(said.stderr).toBe(
      "The same bytes are there already; nothing is processed again. " +
        `Follow it: svc docs job ${jobId} --wait\n`,
    );
  });

  test("as text says that acceptance is not success, and how to go on", async () => {
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
      /^Accepted, not yet processed\. Follow it: svc docs job [0-9a-f-]{36} --wait\n$/,
    );
  });

  test("classify is the same request with its own mode", async () => {
    await Bun.write(join(the().files, "classified.txt"), "An objection: I object to this plan.");
    const { json } = await docs(["classify", "classified.txt", ...the().context]);
    const { jobId, documentId } = accepted.parse(json);
    await docs(["job", jobId, "--wait"]);
    const record = await docs(["get", documentId]);
    expect(record.json).toMatchObject({ processingMode: "classification" });
  });

  test("a standalone workflow takes its app from the flag or the settings", async () => {
    const workflow = ["--workflow-key", "planning-assistant"];
    await Bun.write(join(the().files, "alone.txt"), "One of its own.");
    const byFlag = await docs([
      "upload",
      "alone.txt",
      "--vertical-key",
      "planning-portal",
      ...workflow,
    ]);
    expect(byFlag.exitCode).toBe(0);
    for (const name of ["SVC_APP_KEY", "SVC_VERTICAL_KEY"]) {
      const settings = { variables: { [name]: "planning-portal" } };
      const bySetting = await docs(["upload", "alone.txt", ...workflow], settings);
      expect(bySetting.json).toMatchObject({
        duplicateOf: accepted.parse(byFlag.json).documentId,
      });
    }
    const unknown = await docs([
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

  test("metadata goes along with the names that the interface has", async () => {
    const form = Promise.withResolvers<[name: string, value: string][]>();
    await docs(
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
    // Fields come first, so that a refusal writes no upload data.
    expect(sent.at(-1)?.[0]).toBe("files");
  });

  describe("is refused before the file is looked at, and before any network call", () => {
    const id = ["--planning-application-id", noId];
    const cases: [string, string[], number, string, string][] = [
      ["no context", [], 1, "E303", "Required field missing: document context"],
      [
        "an app key alone",
        ["--vertical-key", "a"],
        1,
        "E305",
        "Invalid input: the app key has no workflow key beside it",
      ],
      [
        "a workflow key alone",
        ["--workflow-key", "w"],
        1,
        "E305",
        "Invalid input: the workflow key has no app key beside it",
      ],
      [
        "a case alone",
        ["--assess-case-id", noId],
        1,
        "E305",
        "Invalid input: assess_case_id needs a planning or business context",
      ],
      [
        "a blank context",
        ["--planning-application-id", " "],
        1,
        "E305",
        "Invalid input: planning_application_id is blank",
      ],
      [
        "a blank key",
        ["--vertical-key", "", "--workflow-key", "w"],
        1,
        "E305",
        "Invalid input: vertical_key is blank",
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
    for (const verb of ["upload", "classify"]) {
      test.each(cases)(`${verb}: %s`, async (_what, words, exit, code, message) => {
        const { exitCode, json } = await docs(
          [verb, "none.pdf", "--tenant-id", "tenant", ...words],
          {
            fetch: platformDown,
            as: "nobody",
          },
        );
        expect(exitCode).toBe(exit);
        expect(json).toMatchObject({ error: { code, message, exitCode: exit } });
      });
    }

    test("the missing context is said in the words of the flags", async () => {
      const { stderr } = await the().svc("docs upload none.pdf", { fetch: platformDown });
      expect(stderr).toContain(
        "  Name --planning-application-id or --business-request-id, or both --vertical-key and " +
          "--workflow-key of a standalone workflow\n",
      );
    });
  });

  test("a missing file and a folder are refused before any network call", async () => {
    const missing = await docs(["upload", "none.pdf", ...the().context], { fetch: platformDown });
    expect(missing.json).toMatchObject({
      error: { code: "E003", message: "Configuration file not found: none.pdf" },
    });
    const folder = await docs(["upload", ".", ...the().context], { fetch: platformDown });
    expect(folder.json).toMatchObject({
      error: { code: "E305", message: "Invalid input: . is not a file" },
    });
  });

  test("a role that is too low keeps its status; a context that is not there is refused", async () => {
    const viewer = await docs(["upload", "letter.txt", ...the().context], { as: "tenant-viewer" });
    expect(viewer).toMatchObject({ exitCode: 1, json: { error: { code: "E204", status: 403 } } });
    const nowhere = await docs(["upload", "letter.txt", "--planning-application-id", noId]);
    expect(nowhere).toMatchObject({ exitCode: 1, json: { error: { status: 422 } } });
  });

  test("the line that breaks after the last byte leaves the outcome unknown", async () => {
    let calls = 0;
    const { exitCode, json } = await docs(["upload", "letter.txt", ...the().context], {
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

describe("docs job", () => {
  test("a document that can't be read ends its job as failed, in words", async () => {
    for (const name of ["empty.pdf", "corrupt.pdf"]) {
      const { json } = await docs(["upload", name, ...the().context]);
      const { jobId } = accepted.parse(json);
      const job = await docs(["job", jobId, "--wait"]);
      expect(job.exitCode).toBe(1);
      expect(job.json).toMatchObject({
        status: "failed",
        stages: expect.arrayContaining([
          expect.objectContaining({ name: "extract", status: "failed" }),
        ]),
        error: { message: expect.stringMatching(/\w/) },
      });
      expect(job.stderr).toBe("The job ended as failed. Help: `svc docs job --help`\n");
      // Without --wait the state is the answer, whatever it is.
      expect((await docs(["job", jobId])).exitCode).toBe(0);
    }
  });

  /** A deployment whose job is always in this state. */
  const stuck = (state: object): CallSettings => ({
    fetch: (request) => {
      expect(request.method).toBe("GET");
      return Promise.resolve(Response.json({ jobId: noId, ...state }));
    },
  });

  test("a wait that ends first exits with 8, and the job goes on", async () => {
    const words = ["job", noId, "--wait", "--timeout", "1"];
    const { exitCode, json, stderr } = await docs(words, stuck({ status: "running" }));
    expect(exitCode).toBe(8);
    expect(json).toMatchObject({ jobId: noId, status: "running" });
    expect(stderr).toBe("Still running after 1 s; the job goes on\n");
  });

  test.each(["completed_with_errors", "failed", "cancelled"])(
    "%s is no success",
    async (status) => {
      const { exitCode, json } = await docs(["job", noId, "--wait"], stuck({ status }));
      expect(exitCode).toBe(1);
      expect(json).toMatchObject({ status });
    },
  );

  test("an outage is waited out", async () => {
    const { jobId } = await upload("outage.txt");
    let calls = 0;
    const { exitCode, json } = await docs(["job", jobId, "--wait"], {
      fetch: (request) => {
        calls += 1;
        return calls <= 3 ? platformDown(request) : the().platform.platform.fetch(request);
      },
    });
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({ status: "succeeded" });
  });

  test("nothing that could be read before the wait ended is said so, and exits with 8", async () => {
    const { exitCode, json } = await docs(["job", noId, "--wait", "--timeout", "1"], {
      fetch: platformDown,
    });
    expect(exitCode).toBe(8);
    expect(json).toMatchObject({ error: { code: "E203", exitCode: 8 } });
  });

  test("Ctrl-C ends the wait with 130", async () => {
    const aborter = new AbortController();
    setTimeout(() => aborter.abort(), 50);
    const { exitCode, stderr, stdout } = await the().svc(["docs", "job", noId, "--wait"], {
      signal: aborter.signal,
      ...stuck({ status: "running" }),
    });
    expect(exitCode).toBe(130);
    expect(stdout).toBe("");
    expect(stderr).toBe("Interrupted. Help: `svc docs job --help`\n");
  });

  test("on a terminal the stages are one line that is taken back", async () => {
    const { jobId } = await upload("watched.txt");
    const { stdout, stderr } = await the().svc(["docs", "job", jobId, "--wait"], { terminal: 80 });
    expect(stdout).toMatch(/^status {5}succeeded$/m);
    expect(stderr).toMatch(/^\r\u001b\[K\w+/);
    expect(stderr).toMatch(/\r\u001b\[K$/);
    expect(stderr).not.toContain("\n");
  });

  test("an unknown job, an ID that is none, and a time that is none", async () => {
    const unknown = await docs(["job", noId, "--wait"]);
    expect(unknown).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E202", message: `Job ${noId} not found`, status: 404 } },
    });
    const noUuid = await docs(["job", "x"], { fetch: platformDown });
    expect(noUuid.json).toMatchObject({ error: { code: "E305" } });
    for (const timeout of ["0", "1801", "soon"]) {
      const { exitCode, json } = await docs(["job", noId, "--wait", "--timeout", timeout]);
      expect(exitCode).toBe(2);
      expect(json).toMatchObject({
        error: {
          code: "E305",
          message: `Invalid input: --timeout "${timeout}" is not a whole number from 1 to 1800`,
        },
      });
    }
  });
});

describe("docs get", () => {
  const bad = [
    "../x",
    "a b",
    "https://x.test/DOC-1",
    "DOC-2026-000001/content",
    "DOC-2026-000001?x=1",
    "%2e%2e",
    "",
  ];
  test.each(bad)("%j is refused before any request", async (id) => {
    const { exitCode, json } = await docs(["get", id], { fetch: platformDown });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({
      error: {
        code: "E305",
        message:
          "Invalid input: a document ID is DOC-… or a UUID, bare: no spaces, no address, no path",
      },
    });
  });

  test("what is not there is E202; another storage target is refused", async () => {
    const missing = await docs(["get", "DOC-2026-999999"]);
    expect(missing.json).toMatchObject({
      error: { code: "E202", message: "Document DOC-2026-999999 not found", status: 404 },
    });
    const storage = await docs(["get", "DOC-2026-000001", "--storage-target", "blob"]);
    expect(storage).toMatchObject({ exitCode: 2, json: { error: { code: "E304" } } });
  });

  test("a job that did not make the document is no way to it", async () => {
    const { documentId } = await upload("crossed.txt");
    const { exitCode, json } = await docs(["get", documentId, "--job-id", noId]);
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ error: { code: "E202", status: 404 } });
  });

  test("a document of another workspace is as if it were not there", async () => {
    const { documentId } = await upload("ours.txt");
    const { other } = the().platform.workspaces;
    const { exitCode, json } = await docs(["get", documentId, "--tenant-id", other], {
      as: "outsider",
    });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ error: { code: "E202", status: 404 } });
  });

  test("a hostile file name is shown harmlessly", async () => {
    const { stdout } = await the().svc("docs get DOC-2026-000001", {
      fetch: () =>
        Promise.resolve(
          Response.json({
            documentId: noId,
            documentNumber: "DOC-2026-000001",
            filename: "plan\u001b[2J\u202efdp.exe",
          }),
        ),
    });
    expect(stdout).toMatch(/^filename +planfdp\.exe$/m);
  });
});
