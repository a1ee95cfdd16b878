import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Environment } from "#cli/environment.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { field } from "#test/support/platform.ts";
import { plant, publishTrees } from "./resources/trees.ts";
import { commandWorld, platformDown } from "./world.ts";

const the = commandWorld();
const type = "tree";

const create = (species: string): Promise<string> => plant(the(), { species });

/** The cursor of the list before what a test changes. */
async function cursorNow(): Promise<string> {
  return String(field((await the().json(`resources list ${type}`)).json, "feedCursor"));
}

const cursorPath = async (): Promise<string> => join(await temporaryDirectory("watch"), "cursor");

interface Line {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly svccursor?: string;
}

function lines(stdout: string): Line[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

beforeAll(() => publishTrees(the()));

describe("lines", () => {
  test("each change after the cursor is one, with its id, until --count", async () => {
    const cursor = await cursorNow();
    const ids = [await create("oak"), await create("elm")];
    const words = ["watch", type, "--cursor", cursor, "--count", "2"];
    const { exitCode, stdout, stderr } = await the().svc([...words, "--format", "ndjson"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(lines(stdout).map(({ subject }) => subject)).toEqual(ids.map((id) => `${type}/${id}`));
    const text = await the().svc(words);
    for (const { id } of lines(stdout)) expect(text.stdout).toContain(id);
    expect(text.stdout).toContain(`resource.created  ${type}/${ids[0] ?? ""}  v1`);
  });

  test("--where leaves out other records, and --until ends after an event of a type", async () => {
    const cursor = await cursorNow();
    await create("bush");
    const id = await create("cedar");
    const data = JSON.stringify({ species: "bush" });
    await the().json(["resources", "patch", type, id, "--data", data]);
    const { exitCode, stdout } = await the().svc([
      "watch",
      type,
      "--cursor",
      cursor,
      "--where",
      '{"species":"cedar"}',
      "--until",
      "svc.resource.left",
      "--format",
      "ndjson",
    ]);
    expect(exitCode).toBe(0);
    expect(lines(stdout).map((line) => [line.type, line.subject])).toEqual([
      ["svc.resource.created", `${type}/${id}`],
      ["svc.resource.left", `${type}/${id}`],
    ]);
  });

  test("--until ends at a time, with exit code 0", async () => {
    const { exitCode, stdout, stderr } = await the().svc("watch --until 50ms");
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  test("Ctrl-C ends it with 130", async () => {
    const aborter = new AbortController();
    setTimeout(() => aborter.abort(), 50);
    expect((await the().svc("watch", { signal: aborter.signal })).exitCode).toBe(130);
  });
});

describe("--cursor-file", () => {
  test("each call goes on where the last one ended", async () => {
    const path = await cursorPath();
    const watch = ["watch", type, "--cursor-file", path, "--format", "ndjson"];
    expect((await the().svc([...watch, "--until", "200ms"])).exitCode).toBe(0);
    const ids = [await create("one"), await create("two"), await create("three")];
    const first = lines((await the().svc([...watch, "--count", "2"])).stdout);
    expect(await Bun.file(path).text()).toBe(`${first.at(-1)?.svccursor ?? ""}\n`);
    const second = lines((await the().svc([...watch, "--count", "1"])).stdout);
    expect([...first, ...second].map(({ subject }) => subject)).toEqual(
      ids.map((id) => `${type}/${id}`),
    );
  });

  test("a stream that breaks is continued without a loss", async () => {
    const path = await cursorPath();
    const cursor = await cursorNow();
    const ids = [await create("a"), await create("b"), await create("c")];
    let calls = 0;
    const fetch: NonNullable<Environment["fetch"]> = async (request) => {
      calls += 1;
      if (calls === 2) return platformDown(request);
      const response = await the().platform.platform.fetch(request);
      return calls === 1 ? firstEvents(response, 2) : response;
    };
    const { exitCode, stdout } = await the().svc(
      [
        "watch",
        type,
        "--cursor",
        cursor,
        "--cursor-file",
        path,
        "--count",
        "3",
        "--format",
        "json",
      ],
      { fetch },
    );
    expect({ exitCode, calls }).toEqual({ exitCode: 0, calls: 3 });
    expect(lines(stdout).map(({ subject }) => subject)).toEqual(ids.map((id) => `${type}/${id}`));
  });

  test("a file without a cursor is refused before any request", async () => {
    const path = await cursorPath();
    await Bun.write(path, "{}");
    const { exitCode, stderr } = await the().svc(["watch", "--cursor-file", path]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("has no cursor");
  });
});

/** The first events of a stream, which then breaks off. */
function firstEvents(response: Response, count: number): Response {
  let left = count;
  let text = "";
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      text += new TextDecoder().decode(chunk);
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        if (left === 0) break;
        controller.enqueue(new TextEncoder().encode(`${block}\n\n`));
        if (block.includes("data:")) left -= 1;
      }
      if (left === 0) controller.terminate();
    },
  });
  return new Response(response.body?.pipeThrough(cut), response);
}

describe("--exec", () => {
  const settings = { variables: { PATH: process.env["PATH"] }, currentDirectory: "/" };

  test("runs with the event in the environment and on stdin", async () => {
    const cursor = await cursorNow();
    const id = await create("$(exit 9)");
    const exec = `printf '%s|%s|%s|' "$SVC_EVENT_TYPE" "$SVC_EVENT_SUBJECT" "$SVC_EVENT_ID"; cat`;
    const words = ["watch", type, "--cursor", cursor, "--count", "1", "--exec", exec];
    const { exitCode, stdout } = await the().svc(words, settings);
    expect(exitCode).toBe(0);
    const [eventType, subject, eventId, json = ""] = stdout.split("|");
    expect([eventType, subject]).toEqual(["svc.resource.created", `${type}/${id}`]);
    expect(JSON.parse(json)).toMatchObject({ id: eventId });
  });

  test("an event whose command fails comes again, and those before it do not", async () => {
    const path = await cursorPath();
    const cursor = await cursorNow();
    const ids = [await create("good"), await create("bad")];
    const bad = ids[1] ?? "";
    const words = ["watch", type, "--cursor", cursor, "--cursor-file", path, "--exec"];
    const failing = await the().svc(
      [...words, `echo "$SVC_EVENT_SUBJECT"; case $SVC_EVENT_SUBJECT in *${bad}) exit 3;; esac`],
      settings,
    );
    expect(failing.exitCode).toBe(1);
    expect(failing.stdout).toBe(ids.map((id) => `${type}/${id}\n`).join(""));
    expect(failing.stderr).toContain("ended with exit code 3 for the event");
    const again = await the().svc(
      [...words, 'echo "$SVC_EVENT_SUBJECT"', "--count", "1"],
      settings,
    );
    expect(again).toMatchObject({ exitCode: 0, stdout: `${type}/${bad}\n` });
  });
});

describe("changes that are no longer known", () => {
  test("exit with 1 after a line of the reset, and name the next step", async () => {
    const path = await cursorPath();
    await Bun.write(path, "of-another-database");
    const words = ["watch", type, "--cursor-file", path, "--format", "ndjson"];
    const { exitCode, stderr, stdout } = await the().svc(words, {});
    expect(exitCode).toBe(1);
    expect(stderr).toContain("--on-reset reread");
    const data = { reason: "unknown-cursor", cursor: expect.any(String) };
    expect(lines(stdout)).toMatchObject([{ type: "svc.feed.reset", data }]);
    expect(await Bun.file(path).text()).toBe("of-another-database");
    const run = await the().svc([...words, "--exec", "echo changed"], {});
    expect(run).toMatchObject({ exitCode: 1, stdout: "" });
  });

  test("are the records themselves with --on-reset reread, then the watch goes on", async () => {
    const path = await cursorPath();
    const id = await create("yew");
    const words = ["watch", type, "--where", '{"species":"yew"}', "--cursor-file", path];
    await Bun.write(path, "of-another-database");
    const { exitCode, stdout, stderr } = await the().svc(
      [...words, "--on-reset", "reread", "--until", "2s", "--format", "ndjson"],
      {},
    );
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stderr).toContain("the records are read again");
    expect(lines(stdout)).toMatchObject([
      { type: "svc.resource.read", subject: `${type}/${id}`, id: `read.${type}.${id}.1` },
    ]);
    expect(await Bun.file(path).text()).not.toContain("of-another-database");
  });
});

describe("a deployment without realtime", () => {
  const fetch: NonNullable<Environment["fetch"]> = (request) =>
    request.url.includes("/v4/realtime/")
      ? Promise.resolve(new Response(null, { status: 404 }))
      : the().platform.platform.fetch(request);

  test("has its lists compared, one note names it, and a cursor file goes on", async () => {
    const path = await cursorPath();
    const words = ["watch", type, "--cursor-file", path, "--format", "ndjson"];
    const first = await the().svc([...words, "--until", "300ms"], { fetch });
    expect(first).toMatchObject({ exitCode: 0, stdout: "" });
    expect(first.stderr.match(/lists of records are compared/g)).toHaveLength(1);
    const id = await create("larch");
    const next = await the().svc([...words, "--until", "300ms"], { fetch });
    expect(next.exitCode).toBe(0);
    expect(lines(next.stdout)).toContainEqual(
      expect.objectContaining({ subject: `${type}/${id}`, id: `lists.${type}.${id}.1` }),
    );
  });

  test("does not know what came after the cursor of a stream", async () => {
    const cursor = await cursorNow();
    const { exitCode, stderr } = await the().svc(["watch", type, "--cursor", cursor], { fetch });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("unknown-cursor");
  });
});

describe("refusals", () => {
  test("a deployment without realtime has no other kinds than records, and says so", async () => {
    const { exitCode, stderr } = await the().svc("watch --kinds document", {
      fetch: () => Promise.resolve(new Response(null, { status: 404 })),
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("this platform has no stream of changes");
    expect(stderr).toContain("`svc verify calls` reports");
  });

  test("a platform that is not there at the start ends the watch", async () => {
    expect((await the().svc("watch", { fetch: platformDown })).exitCode).toBe(1);
  });

  test.each([
    ["watch --until soon", 2],
    [`watch --where {"height":1}`, 2],
    ["watch --on-reset reread", 2],
    [`watch ${type} --where {"height":1}`, 1],
  ])("%s exits with %i", async (words, exitCode) => {
    expect((await the().svc(words)).exitCode).toBe(exitCode);
  });

  test("a call without a sign-in exits with 4", async () => {
    const config = await the().selectedConfig();
    expect((await the().svc("watch", { as: "anonymous", config })).exitCode).toBe(4);
  });
});
