import { beforeAll, describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { commandWorld, type Called } from "../../world.ts";

const the = commandWorld();
const root = "/v4/data/resources";
let other = "";
let count = 0;

/** A change of the network between the command and the platform. */
interface Fault {
  /** The answer instead of the platform's one; `forward` sends the request. */
  answer(
    asked: { readonly request: Request; readonly isSource: boolean; readonly path: string },
    forward: () => Promise<Response>,
  ): Promise<Response> | undefined;
}

beforeAll(async () => {
  const body = { displayName: "Mirror", slug: "faulty-mirror", homeRegion: "eu" };
  const made = await the().platform.as("system-admin").post("/v4/platform/tenants", body);
  other = String(field(made.json, "id"));
});

const data = (code: string, others: object = {}) => ({ code, title: `Title ${code}`, ...others });

/** A new type with records in both workspaces, and calls of `resources sync` of it. */
async function place(source: readonly object[], target: readonly object[] = []) {
  const { tenant } = the().platform.workspaces;
  const slug = `permit-${(count += 1)}`;
  const properties = {
    code: { type: "string", unique: true, required: true },
    title: { type: "string" },
    note: { type: "string" },
    address: {
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  };
  const post = async (path: string, body: object, workspace: string) => {
    const headers = { "x-tenant-id": workspace };
    const answer = await the().platform.as("system-admin").post(path, body, { headers });
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  for (const [workspace, rows] of [
    [tenant, source],
    [other, target],
  ] as const) {
    await post(`${root}/object-types`, { name: `Permit${count}`, slug, properties }, workspace);
    for (const row of rows) await post(`${root}/${workspace}/${slug}`, { data: row }, workspace);
  }
  const sync = (flags: string, fault?: Fault): Promise<Called> => {
    const words = `resources sync ${slug} --key code --to ${other} ${flags} --format json`;
    return the().svc(words.split(/ +/), {
      as: "system-admin",
      fetch: (request) => {
        const forward = async () => await the().platform.platform.fetch(request);
        const { pathname } = new URL(request.url);
        const [isSource, path] = [pathname.includes(tenant), pathname.split(slug)[1] ?? "?"];
        return fault?.answer({ request, isSource, path }, forward) ?? forward();
      },
    });
  };
  const stored = async () => {
    const list = `${root}/${other}/${slug}?limit=500&sort=code`;
    const { json } = await the().platform.as("system-admin").get(list);
    const items = field(json, "items");
    return Array.isArray(items) ? items.map((item) => field(item, "data")) : [];
  };
  return { sync, stored };
}

interface Row {
  readonly id: string;
  readonly version: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The members of a list, and of the answer to a batch. */
interface Body {
  readonly items: readonly Row[];
  readonly results: readonly object[];
}

async function changed(answer: Promise<Response>, change: (body: Body) => object) {
  const response = await answer;
  const body: Body = JSON.parse(await response.text());
  return Response.json(change(body), { status: response.status });
}

const refused = (status: number, headers: Record<string, string> = {}) =>
  Promise.resolve(
    Response.json(
      { title: "Busy", status },
      { status, headers: { "content-type": "application/problem+json", ...headers } },
    ),
  );

const five = ["A", "B", "C", "D", "E"].map((code) => data(code));

describe("a fault of the source", () => {
  test.each<{ name: string; fault: Fault; done: object }>([
    {
      name: "a page that repeats records is counted once",
      fault: {
        answer: ({ isSource, path, request }, forward) =>
          isSource && path === "" && request.method === "GET"
            ? changed(forward(), (body) => ({ ...body, items: [...body.items, ...body.items] }))
            : undefined,
      },
      done: { created: 5, refused: 0 },
    },
    {
      name: "two records of one key are named",
      fault: {
        answer: ({ isSource, path }, forward) =>
          isSource && path === ""
            ? changed(forward(), (body) => ({
                ...body,
                items: body.items.flatMap((item) => [item, { ...item, id: `other-${item.id}` }]),
              }))
            : undefined,
      },
      done: { created: 5, refused: 5 },
    },
    {
      name: "unknown and missing optional members change nothing",
      fault: {
        answer: ({ isSource, path }, forward) =>
          isSource && path === ""
            ? changed(forward(), ({ items }) => ({
                items: items.map(({ id, version, data: own }) => ({
                  id,
                  version,
                  data: { ...own, strange: [1] },
                  color: "red",
                })),
                more: { than: "known" },
              }))
            : undefined,
      },
      done: { created: 5, refused: 0 },
    },
  ])("$name", async ({ fault, done }) => {
    const { sync, stored } = await place(five);
    const called = await sync("--yes", fault);
    expect(called.json, called.stdout).toMatchObject(done);
    expect(called.exitCode).toBe(field(called.json, "refused") === 0 ? 0 : 1);
    expect(await stored()).toEqual(five);
  });

  test.each<{ name: string; body: (body: Body) => object; says: string }>([
    {
      name: "a cursor that never ends",
      body: (body) => ({ ...body, nextCursor: "again", hasNextPage: true }),
      says: "a next page that is not new",
    },
    {
      name: "rows without ids",
      body: ({ items }) => ({ items: items.map(({ id: _id, ...item }) => item) }),
      says: "E203",
    },
    { name: "a list of another form", body: () => ({ rows: 5 }), says: "E203" },
  ])("$name is an error, and deletes nothing", async ({ body, says }) => {
    const { sync, stored } = await place(five, [data("A"), data("X")]);
    let first: Promise<string> | undefined;
    const called = await sync("--delete --yes", {
      answer: ({ isSource, path }, forward) => {
        if (!isSource || path !== "") return undefined;
        first ??= forward().then((answer) => answer.text());
        return first.then((text) => {
          const page: Body = JSON.parse(text);
          return Response.json(body(page));
        });
      },
    });
    expect(called.exitCode).toBe(1);
    expect(called.stdout).toContain(says);
    expect(await stored()).toContainEqual(data("X"));
  });

  test("a page that lost a record while others were deleted deletes nothing of it", async () => {
    const { sync, stored } = await place(five, [...five, data("X")]);
    const fault: Fault = {
      answer: ({ isSource, path, request }, forward) =>
        isSource && path === "" && !request.url.includes("where")
          ? changed(forward(), (body) => ({ ...body, items: body.items.slice(1) }))
          : undefined,
    };
    const called = await sync("--delete --yes", fault);
    expect(called.json).toMatchObject({ missing: 1, deleted: 1, unchanged: 4 });
    expect(await stored()).toEqual(five);
  });

  test("a value that the source hides stays in the target, and one that is empty goes", async () => {
    const source = [data("A", { note: "secret" }), data("B")];
    const target = [data("A", { note: "kept" }), data("B", { note: "old" })];
    const { sync, stored } = await place(source, target);
    const hidden: Fault = {
      answer: ({ isSource, path }, forward) =>
        isSource && path === ""
          ? changed(forward(), (body) => ({
              ...body,
              items: body.items.map(({ data: { note: _note, ...shown }, ...item }) => ({
                ...item,
                data: shown,
              })),
            }))
          : undefined,
    };
    const called = await sync("--yes", hidden);
    expect(called.json).toMatchObject({
      updated: 1,
      unchanged: 1,
      leftOut: expect.arrayContaining([
        {
          property: "note",
          reason: "1 value of the target stay: the source does not show them",
        },
      ]),
    });
    expect(await stored()).toEqual([data("A", { note: "kept" }), data("B")]);
    const refusing: Fault = {
      answer: (asked, forward) =>
        asked.request.url.includes("exists") ? refused(400) : hidden.answer(asked, forward),
    };
    expect((await sync("--yes", refusing)).json).toMatchObject({ updated: 0, unchanged: 2 });
  });
});

describe("a fault of the target", () => {
  test("a run that ends half way is continued by the same command", async () => {
    const many = Array.from({ length: 620 }, (_none, at) => data(`N-${1000 + at}`));
    const { sync, stored } = await place(many);
    const ends: Fault["answer"][] = [
      ({ path }) => (path === "/batch" ? Promise.reject(new TypeError("closed")) : undefined),
      // The answer is lost after the platform has written.
      ({ path }, forward) => (path === "/batch" ? forward().then(() => refused(500)) : undefined),
      ({ path }) => (path === "/batch" ? refused(503, { "retry-after": "3000" }) : undefined),
    ];
    for (const answer of ends) {
      const called = await sync("--yes", { answer });
      expect(called.exitCode, called.stdout).toBe(1);
      expect(called.stderr).toContain("The same command continues");
    }
    const last = await sync("--yes");
    expect(last.exitCode).toBe(0);
    const [created, unchanged] = ["created", "unchanged"].map((name) =>
      Number(field(last.json, name)),
    );
    expect((created ?? 0) + (unchanged ?? 0)).toBe(620);
    expect(unchanged).toBeGreaterThanOrEqual(500);
    expect(await stored()).toHaveLength(500);
    expect((await sync("--yes")).json).toMatchObject({ created: 0, updated: 0, unchanged: 620 });
  });

  test.each([429, 503])("%s with Retry-After in the middle is waited for", async (status) => {
    const { sync, stored } = await place(five);
    let left = 2;
    const called = await sync("--yes", {
      answer: () => ((left -= 1) >= 0 ? refused(status, { "retry-after": "0" }) : undefined),
    });
    expect(called.json, called.stdout).toMatchObject({ created: 5 });
    expect(await stored()).toEqual(five);
  });

  const withoutBatch: Fault = {
    answer: ({ path }) =>
      path === "/batch"
        ? Promise.resolve(new Response("nothing here", { status: 404 }))
        : undefined,
  };

  test("a target without the common batch plans unchecked, and is written by kind", async () => {
    const changes = [data("A"), data("B", { address: { street: "Oak" } }), data("C")];
    const before = [data("B", { address: { street: "Elm", city: "Ghent" } }), data("X")];
    const { sync, stored } = await place(changes, before);
    const plan = await sync("--delete", withoutBatch);
    expect(plan.json, plan.stdout).toMatchObject({
      dryRun: true,
      checked: false,
      created: 2,
      updated: 1,
      missing: 1,
      deleted: 0,
    });
    expect(await stored()).toEqual(before);
    const done = await sync("--delete --yes", withoutBatch);
    expect(done.json, done.stdout).toMatchObject({ created: 2, updated: 1, deleted: 1 });
    expect(await stored()).toEqual(changes);
    expect((await sync("")).json).toMatchObject({ checked: true, unchanged: 3, updated: 0 });
  });

  test("a record that changed since the comparison is refused, and named", async () => {
    const { sync, stored } = await place([data("A"), data("B")], [{ code: "A", title: "Old" }]);
    const called = await sync("--yes", {
      answer: (asked) =>
        asked.request.method === "PATCH" ? refused(412) : withoutBatch.answer(asked, fail),
    });
    expect(called.exitCode).toBe(1);
    expect(called.json).toMatchObject({
      created: 1,
      updated: 0,
      refused: 1,
      faults: [{ key: "A", reason: expect.stringContaining("Busy") }],
    });
    expect(await stored()).toEqual([{ code: "A", title: "Old" }, data("B")]);
  });

  test("a deletion that the target refuses is no success", async () => {
    const { sync, stored } = await place([data("A")], [data("A"), data("X"), data("Y")]);
    const called = await sync("--delete --yes", {
      answer: ({ path }, forward) =>
        path === "/batch"
          ? changed(forward(), ({ results }) => ({
              results: results.map((result, index) =>
                index === 0
                  ? { index, status: 412, error: { status: 412, detail: "is in use" } }
                  : result,
              ),
              succeeded: 1,
              failed: 1,
            }))
          : undefined,
    });
    expect(called.exitCode).toBe(1);
    expect(called.json).toMatchObject({
      missing: 2,
      deleted: 1,
      kept: [{ key: "X", reason: "is in use" }],
    });
    expect(await stored()).toHaveLength(1);
  });

  test("outcomes of fewer records than were sent are an error", async () => {
    const { sync } = await place(five);
    const called = await sync("--yes", {
      answer: ({ path }, forward) =>
        path === "/batch"
          ? changed(forward(), (body) => ({ ...body, results: body.results.slice(2) }))
          : undefined,
    });
    expect(called.exitCode).toBe(1);
    expect(called.stdout).toContain("3 outcomes of 5 records");
  });
});

const fail = (): Promise<Response> => Promise.reject(new Error("not forwarded"));
