import { beforeAll, describe, expect, test } from "vitest";
import { runSvc } from "#commands/run.ts";
import { captureEnvironment, captureStream, type CapturedStream } from "#test/cli/world.ts";
import { field, testBaseUrl } from "#test/support/platform.ts";
import { commandWorld, runCommand } from "../../world.ts";

const the = commandWorld();
const all = "resources list crate --all --sort number".split(" ");
const total = 250;

beforeAll(async () => {
  const { tenant } = the().platform.workspaces;
  const admin = the().platform.as("tenant-admin");
  const properties = { number: { type: "integer", indexed: true } };
  const type = { name: "Crate", slug: "crate", properties };
  const headers = { "x-tenant-id": tenant };
  await admin.post("/v4/data/resources/object-types", type, { headers });
  const items = Array.from({ length: total }, (_, number) => ({ number }));
  await admin.post(`/v4/data/resources/${tenant}/crate/batch/create`, items);
});

function numbersIn(stdout: string): unknown[] {
  const lines = stdout === "" ? [] : stdout.trimEnd().split("\n");
  return lines.map((line) => field(field(JSON.parse(line), "data"), "number"));
}

/** Fetches from the platform; `answer` may replace a page of the list, counted from 1. */
function paging(
  answer: (page: number, request: Request) => Response | undefined = () => undefined,
) {
  const queries: URLSearchParams[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith("/crate")) queries.push(searchParams);
    const instead = pathname.endsWith("/crate") ? answer(queries.length, request) : undefined;
    return instead ?? the().platform.platform.fetch(request);
  };
  return { queries, fetch };
}

describe("resources list --all", () => {
  test.each([[], ["--format", "ndjson"], ["--format", "json"], ["--format", "text"]])(
    "every record has its own line (%s %s)",
    async (...format) => {
      const { exitCode, stdout, stderr } = await the().svc([...all, ...format]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(numbersIn(stdout)).toEqual([...Array(total).keys()]);
    },
  );

  test("as CSV there is one header", async () => {
    const { stdout } = await the().svc([...all, "--columns", "number", "--format", "csv"]);
    const numbers = [...Array(total).keys()].map(String);
    expect(stdout.split("\r\n")).toEqual(["number", ...numbers, ""]);
  });

  test("pages use cursors, and the first one is small", async () => {
    const counted = paging();
    await the().svc(all, { fetch: counted.fetch });
    // The second page is requested before the size of the first one is known.
    expect(counted.queries.map((query) => query.get("limit"))).toEqual(["20", "20", "500"]);
    expect(counted.queries.map((query) => query.has("cursor"))).toEqual([false, true, true]);
    const sized = paging();
    const { stdout } = await the().svc([...all, "--limit", "50"], { fetch: sized.fetch });
    expect(sized.queries.map((query) => query.get("limit"))).toEqual(Array(5).fill("50"));
    expect(numbersIn(stdout)).toHaveLength(total);
  });

  test("an empty list has no line, and is reported on stderr", async () => {
    const { exitCode, stdout, stderr } = await the().svc([...all, "--where", '{"number":-1}']);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "No crate records match\n",
    });
  });

  test.each(["text", "json"])(
    "a page that fails ends the list: whole lines, the error and the cursor on stderr (%s)",
    async (format) => {
      const failing = paging((page) =>
        page === 3 ? new Response("{}", { status: 500 }) : undefined,
      );
      const words = [...all, "--limit", "100", "--format", format];
      const broken = await the().svc(words, { fetch: failing.fetch });
      expect(broken.exitCode).toBe(1);
      expect(numbersIn(broken.stdout)).toEqual([...Array(200).keys()]);
      const [hint = "", error = ""] = broken.stderr.split("\n");
      const cursor = /^Complete so far: 200 records\. To continue: --all --cursor (\S+)$/.exec(
        hint,
      )?.[1];
      if (format === "json") {
        expect(JSON.parse(error)).toMatchObject({ error: { code: "E203", status: 500 } });
      } else {
        expect(error).toBe("Error E203: Platform API error: HTTP 500");
      }
      const rest = await the().svc([...all, "--cursor", cursor ?? ""]);
      expect(numbersIn(rest.stdout)).toEqual([...Array(total).keys()].slice(200));
    },
  );

  test("the cursor to continue from is one shell word", async () => {
    const item = { id: "01890000-0000-7000-8000-000000000001", version: 1, data: {} };
    const nextCursor = "\u001b]0;owned\u0007x; reboot";
    const failing = paging((page) =>
      page === 1
        ? Response.json({ items: [item], hasNextPage: true, nextCursor })
        : new Response("{}", { status: 500 }),
    );
    const { stderr } = await the().svc(all, { fetch: failing.fetch });
    const word = "\"$(printf '\\033')\"']0;owned'\"$(printf '\\007')\"'x; reboot'";
    expect(stderr).toContain(`--all --cursor ${word}\n`);
  });

  test("an interruption is 130, after whole lines", async () => {
    const stop = new AbortController();
    const stopping = paging((page) => {
      if (page === 2) stop.abort();
      return undefined;
    });
    const { exitCode, stdout } = await the().svc([...all, "--limit", "50"], {
      fetch: stopping.fetch,
      signal: stop.signal,
    });
    expect(exitCode).toBe(130);
    expect(stdout === "" || stdout.endsWith("\n")).toBe(true);
    expect(numbersIn(stdout).length).toBeLessThanOrEqual(50);
  });

  /** Prints the list to a stdout that does not accept all of it. */
  async function writtenTo(stdout: CapturedStream, limit: number) {
    const { tenant } = the().platform.workspaces;
    const counted = paging();
    const stderr = captureStream();
    const words = [...all, "--limit", String(limit), "--tenant-id", tenant];
    const environment = captureEnvironment(words, {
      variables: {
        BASE_URL_PUBLIC_API: testBaseUrl,
        SVC_TOKEN: the().platform.users["tenant-viewer"].token,
      },
      stdout,
      stderr,
      fetch: counted.fetch,
    });
    return { exitCode: await runSvc(environment), stderr: stderr.text(), counted };
  }

  test("a full disk cuts a line: stderr has the number of whole lines, and the cursor", async () => {
    const stdout = captureStream({ room: 40_000 });
    const { exitCode, stderr } = await writtenTo(stdout, 50);
    expect(exitCode).toBe(1);
    const [, whole = "", cursor = ""] =
      /^The first (\d+) records are complete: .* To continue: --all --cursor (\S+)$/m.exec(
        stderr,
      ) ?? [];
    expect(stderr).toContain("stdout could not be written");
    const kept = stdout.text().split("\n").slice(0, Number(whole)).join("\n");
    expect(numbersIn(kept)).toEqual([...Array(Number(whole)).keys()]);
    const rest = await the().svc([...all, "--cursor", cursor]);
    expect(numbersIn(rest.stdout)).toEqual([...Array(total).keys()].slice(Number(whole)));
  });

  test("a closed reader is a quiet end", async () => {
    const closed = await writtenTo(captureStream({ closed: true }), 10);
    const { exitCode, stderr, counted } = closed;
    expect([exitCode, stderr]).toEqual([0, ""]);
    // The unread page, and at most the next one.
    expect(counted.queries.length).toBeLessThanOrEqual(2);
  });

  test.each([
    ["--all --page 2", "--page and --all exclude each other"],
    ["--cursor x --page 1", "--page and --cursor exclude each other"],
  ])("%s is wrong usage", async (words, message) => {
    const { exitCode, stdout, stderr } = await runCommand(`resources list crate ${words}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(`Error E305: Invalid input: ${message}`);
  });
});
