import { describe, expect, test } from "vitest";
import { accepted, documentWorld } from "../documents-world.ts";
import { platformDown, type CallSettings } from "../world.ts";

const the = documentWorld();
const noId = "01890000-0000-7000-8000-000000000000";

describe("docs job", () => {
  test.each(["empty.pdf", "corrupt.pdf"])("%s fails its job, with a message", async (name) => {
    const { json } = await the().docs(["upload", name, ...the().context]);
    const { jobId } = accepted.parse(json);
    const job = await the().docs(["job", jobId, "--wait"]);
    expect(job.exitCode).toBe(1);
    expect(job.json).toMatchObject({
      status: "failed",
      stages: expect.arrayContaining([
        expect.objectContaining({ name: "extract", status: "failed" }),
      ]),
      error: { message: expect.stringMatching(/\w/) },
    });
    expect(job.stderr).toBe("The job ended as failed; failed: extract\n");
    // Every state is a success when --wait is not given.
    expect((await the().docs(["job", jobId])).exitCode).toBe(0);
  });

  /** A deployment whose job is always in this state. */
  const stuck = (state: object): CallSettings => ({
    fetch: (request) => {
      expect(request.method).toBe("GET");
      return Promise.resolve(Response.json({ jobId: noId, ...state }));
    },
  });

  test("a wait that ends first exits with 8, and the job continues", async () => {
    const words = ["job", noId, "--wait", "--timeout", "1"];
    const { exitCode, json, stderr } = await the().docs(words, stuck({ status: "running" }));
    expect(exitCode).toBe(8);
    expect(json).toMatchObject({ jobId: noId, status: "running" });
    expect(stderr).toBe("Still running after 1 s; the job continues\n");
  });

  test.each(["completed_with_errors", "failed", "cancelled"])("%s exits with 1", async (status) => {
    const { exitCode, json } = await the().docs(["job", noId, "--wait"], stuck({ status }));
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ status });
  });

  const stages = (...states: string[]) => ({
    stages: states.map((status, index) => ({ name: `s${index}`, status })),
  });
  const bad = stages("DONE", "Errored", "skipped");
  test.concurrent.each<[object, number, string]>([
    [{ status: "Completed", ...stages("COMPLETE", "Success") }, 0, ""],
    [{ status: "successful" }, 0, ""],
    [{ status: "DONE", ...stages("done", "n/a") }, 0, ""],
    [{ state: "Succeeded" }, 0, ""],
    [stages("completed", "skipped"), 0, ""],
    [bad, 1, "The job is in no named state; failed: s1\n"],
    [{}, 8, "The job names no state; no known end came within 1 s\n"],
    [stages("completed", "running"), 8, "The job names no state; no known end came within 1 s\n"],
    [
      { state: "DONE", stages: [{ stage: "scan", state: "ERROR" }] },
      1,
      "The job ended as DONE; failed: scan\n",
    ],
    [{ status: "Completed", ...bad }, 1, "The job ended as Completed; failed: s1\n"],
    [{ status: "archiving", ...bad }, 1, 'The job is "archiving"; failed: s1\n'],
    [
      { status: "running", ...stages("failed", "running") },
      1,
      'The job is "running"; failed: s0\n',
    ],
    [{ status: "Completed-With Errors" }, 1, "The job ended as Completed-With Errors\n"],
    [{ status: "PARTIALLY_SUCCEEDED" }, 1, "The job ended as PARTIALLY_SUCCEEDED\n"],
    [
      { status: "success", ...stages("completedWithErrors") },
      1,
      "The job ended as success; a stage of it did not succeed\n",
    ],
    [
      { status: "completed", stages: [{ status: "done" }, { status: "ERROR" }] },
      1,
      "The job ended as completed; failed: stage 2\n",
    ],
    [{ status: "Canceled" }, 1, "The job ended as Canceled\n"],
    [{ status: "ERROR" }, 1, "The job ended as ERROR\n"],
    [{ status: "In Progress" }, 8, "Still In Progress after 1 s; the job continues\n"],
    [{ status: "pending" }, 8, "Still pending after 1 s; the job continues\n"],
    [
      { status: "archiving" },
      8,
      'The job\'s state "archiving" is not known; no known end came within 1 s\n',
    ],
  ])("a deployment's job %j exits with %i", async (state, expected, words) => {
    const call = ["job", noId, "--wait", "--timeout", "1"];
    const { exitCode, stderr } = await the().docs(call, stuck(state));
    expect({ exitCode, stderr }).toEqual({ exitCode: expected, stderr: words });
  });

  test("an outage is waited out", async () => {
    const { jobId } = await the().upload("outage.txt");
    let calls = 0;
    const { exitCode, json } = await the().docs(["job", jobId, "--wait"], {
      fetch: (request) => {
        calls += 1;
        return calls <= 3 ? platformDown(request) : the().platform.platform.fetch(request);
      },
    });
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({ status: "succeeded" });
  });

  test("a job that could not be read in time is reported, and exits with 8", async () => {
    const { exitCode, json } = await the().docs(["job", noId, "--wait", "--timeout", "1"], {
      fetch: platformDown,
    });
    expect(exitCode).toBe(8);
    expect(json).toMatchObject({
      error: { code: "E203", exitCode: 8, hint: expect.stringContaining("unreachable") },
    });
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

  test("on a terminal the stages are one temporary line", async () => {
    const { jobId } = await the().upload("watched.txt");
    const { stdout, stderr } = await the().svc(["docs", "job", jobId, "--wait"], { terminal: 80 });
    expect(stdout).toMatch(/^status {5}succeeded$/m);
    expect(stderr).toMatch(/^\r\u001b\[K\w+/);
    expect(stderr).toMatch(/\r\u001b\[K$/);
    expect(stderr).not.toContain("\n");
  });

  test("terminal escapes in a state are removed", async () => {
    const title = "\u001b]0;owned\u0007";
    const state = { status: `${title}busy`, stages: [{ name: `${title}read`, status: "running" }] };
    const words = ["docs", "job", noId, "--wait", "--timeout", "1"];
    const { stderr } = await the().svc(words, { terminal: 80, ...stuck(state) });
    expect(stderr).toContain("busy  read ▶");
    expect(stderr).toContain(`The job's state "busy" is not known`);
    expect(stderr).not.toContain("owned");
  });

  test("an unknown job and a wrong ID are refused", async () => {
    const unknown = await the().docs(["job", noId, "--wait"]);
    expect(unknown).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E202", message: `Job ${noId} not found`, status: 404 } },
    });
    const noUuid = await the().docs(["job", ".."], { fetch: platformDown });
    expect(noUuid.json).toMatchObject({ error: { code: "E305" } });
  });

  test.each(["0", "1801", "soon"])("refuses the timeout %s", async (timeout) => {
    const { exitCode, json } = await the().docs(["job", noId, "--wait", "--timeout", timeout]);
    expect(exitCode).toBe(2);
    expect(json).toMatchObject({
      error: {
        code: "E305",
        message: `Invalid input: --timeout "${timeout}" is not a whole number from 1 to 1800`,
      },
    });
  });

  test("--timeout without --wait is refused before any network call", async () => {
    const settings: CallSettings = {
      fetch: () => Promise.reject(new Error("no request expected")),
    };
    const { exitCode, json } = await the().docs(["job", noId, "--timeout", "60"], settings);
    expect({ exitCode, json }).toMatchObject({
      exitCode: 2,
      json: {
        error: {
          code: "E303",
          message: "Required field missing: --wait",
          hint: "--timeout needs --wait",
        },
      },
    });
  });
});
