import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, type Called } from "../world.ts";

const the = commandWorld();

let count = 0;
/** The slugs of three types per test; `old` and `other` are stored. */
let names: { readonly old: string; readonly other: string; readonly fresh: string };

beforeEach(async () => {
  count += 1;
  names = { old: `old-${count}`, other: `other-${count}`, fresh: `fresh-${count}` };
  const { exitCode } = await seed([typeOf(names.old), typeOf(names.other)]);
  expect(exitCode).toBe(0);
});

function typeOf(slug: string, extra: object = {}): Record<string, unknown> {
  const name = slug
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
  return { name, slug, properties: { title: { type: "string" } }, ...extra };
}

/** The file's types. The last one is refused, because its link target is missing. */
function brokenManifest(): Record<string, unknown>[] {
  const properties = { title: { type: "string" }, size: { type: "number" } };
  return [
    typeOf(names.fresh),
    typeOf(names.old, { displayName: "Old", properties }),
    typeOf(names.other, { linkTypes: [{ name: "home", targetObjectType: "nowhere" }] }),
  ];
}

/** Seeds these types. `watch` sees every request, and may answer it. */
async function seed(
  types: readonly object[],
  settings: {
    readonly words?: string;
    readonly watch?: (request: Request) => Promise<Response | undefined>;
  } = {},
): Promise<Called> {
  const currentDirectory = await temporaryDirectory("project");
  const file = join(currentDirectory, "src/eai.config/object-types.json");
  await Bun.write(file, JSON.stringify(types));
  return the().json(`types seed ${settings.words ?? ""}`.trim(), {
    as: "tenant-builder",
    currentDirectory,
    fetch: async (request) =>
      (await settings.watch?.(request)) ?? the().platform.platform.fetch(request),
  });
}

async function stored(): Promise<unknown> {
  const { json } = await the().json("resources schema");
  return json;
}

/** Counts the writes to Object Types. */
function writes(): { readonly seen: string[]; watch(request: Request): Promise<undefined> } {
  const seen: string[] = [];
  return {
    seen,
    watch: (request) => {
      if (request.method !== "GET") seen.push(`${request.method} ${new URL(request.url).pathname}`);
      return Promise.resolve(undefined);
    },
  };
}

/** A deployment that has only the routes of the specification. */
async function withoutBatch(request: Request): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith("/batch")) return new Response("{}", { status: 404 });
  if (request.method !== "GET" || !pathname.endsWith("/object-types")) return undefined;
  const response = await the().platform.platform.fetch(request);
  const { atomicBatch: _addition, ...page } = (await response.json()) as Record<string, unknown>;
  return Response.json(page);
}

/** A list with a type that is gone when the platform checks the links to it. */
async function plusNowhere(response: Response): Promise<Response> {
  const page = (await response.json()) as { items: unknown[] };
  const nowhere = { id: crypto.randomUUID(), name: "Nowhere", slug: "nowhere", properties: {} };
  return Response.json({ ...page, items: [...page.items, nowhere] });
}

async function withNowhere(request: Request): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  if (request.method !== "GET" || !pathname.endsWith("/object-types")) return undefined;
  return await plusNowhere(await the().platform.platform.fetch(request));
}

describe("types seed publishes all types or none", () => {
  test("reports a target that exists nowhere before it writes, in a dry run too", async () => {
    for (const words of ["", "--dry-run"]) {
      const { seen, watch } = writes();
      const { exitCode, json } = await seed(brokenManifest(), { words, watch });
      expect(exitCode).toBe(1);
      expect(json).toMatchObject({
        error: {
          code: "E301",
          errors: [
            {
              pointer: "#/2/linkTypes/0/targetObjectType",
              detail: '"nowhere" is neither in the file nor stored in the workspace',
            },
          ],
        },
      });
      expect(seen).toEqual([]);
    }
  });

  test("may link to a stored slug that no new type could have", async () => {
    const legacy = [
      typeOf(names.fresh, { linkTypes: [{ name: "home", targetObjectType: "Legacy_Home" }] }),
    ];
    const { json } = await seed(legacy, {
      words: "--dry-run",
      watch: async (request) => {
        const page = await withNowhere(request);
        if (page === undefined) return undefined;
        return new Response((await page.text()).replaceAll('"nowhere"', '"Legacy_Home"'));
      },
    });
    expect(json).toMatchObject({ results: [{ slug: names.fresh, state: "planned" }] });
  });

  test("--env selects the profile with its name", async () => {
    const { exitCode, json } = await seed([typeOf(names.fresh)], {
      words: "--dry-run --env staging",
    });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ error: { code: "E006" } });
    expect(JSON.stringify(json)).toContain("there is no profile staging for --env");
  });

  test("a refusal changes nothing", async () => {
    const before = await stored();
    const { exitCode, json, stderr } = await seed(brokenManifest(), { watch: withNowhere });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({
      results: expect.arrayContaining([
        expect.objectContaining({ slug: names.fresh, state: "skipped" }),
        expect.objectContaining({ slug: names.old, state: "skipped" }),
        expect.objectContaining({
          slug: names.other,
          state: "failed",
          error: expect.objectContaining({ code: "E302", status: 422 }),
        }),
      ]),
    });
    expect(stderr).toContain("Nothing was published: the workspace did not change.");
    expect(await stored()).toEqual(before);
  });

  test("a concurrent change is a conflict, and nothing is published", async () => {
    const manifest = [typeOf(names.fresh), typeOf(names.old, { displayName: "Mine" })];
    let before: unknown;
    const { exitCode, json } = await seed(manifest, {
      watch: async (request) => {
        if (!request.url.endsWith("/batch")) return undefined;
        await seed([typeOf(names.old, { displayName: "Theirs" })]);
        before = await stored();
        return undefined;
      },
    });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({
      results: [
        { slug: names.fresh, state: "skipped" },
        { slug: names.old, state: "failed", error: { code: "E205", status: 409 } },
      ],
    });
    expect(await stored()).toEqual(before);
  });

  test("sends one request; a dry run and an unchanged file send none", async () => {
    const manifest = [
      typeOf(names.other, { linkTypes: [{ name: "a", targetObjectType: names.fresh }] }),
      typeOf(names.fresh, { linkTypes: [{ name: "b", targetObjectType: names.other }] }),
      typeOf(names.old),
    ];
    const dry = writes();
    const planned = await seed(manifest, { ...dry, words: "--dry-run" });
    expect(planned.json).toMatchObject({ dryRun: true });
    expect(dry.seen).toEqual([]);
    const wet = writes();
    const { exitCode, json } = await seed(manifest, wet);
    expect(exitCode).toBe(0);
    expect(wet.seen).toEqual(["POST /v4/data/resources/object-types/batch"]);
    const states = (field(json, "results") as unknown[]).map((one) => String(field(one, "state")));
    expect(states.toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
      "already_applied",
      "applied",
      "applied",
    ]);
    const again = writes();
    const unchanged = await seed(manifest, again);
    expect(unchanged.exitCode).toBe(0);
    expect(again.seen).toEqual([]);
  });

  test("when there is no space left, nothing was published, and no check is suggested", async () => {
    const { exitCode, stderr } = await seed([typeOf(names.fresh)], {
      watch: async (request) =>
        request.url.endsWith("/batch") ? new Response("{}", { status: 507 }) : undefined,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toBe("");
  });

  test("when the outcome is unknown, a check is suggested", async () => {
    const { exitCode, json, stderr } = await seed([typeOf(names.fresh)], {
      watch: async (request) =>
        request.url.endsWith("/batch") ? new Response("{}", { status: 500 }) : undefined,
    });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ error: { code: "E203", status: 500 } });
    expect(stderr).toBe("Whether types were published is unknown: check with `svc types diff`.\n");
  });
});

describe("types seed on a deployment that accepts types only one by one", () => {
  test("publishes them one by one", async () => {
    const manifest = [typeOf(names.fresh), typeOf(names.old, { displayName: "Older" })];
    const { exitCode, json } = await seed(manifest, { watch: withoutBatch });
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({ results: [{ state: "applied" }, { state: "applied" }] });
    expect(JSON.stringify(await stored())).toContain('"displayName":"Older"');
  });

  test("creates types that link to each other without the links, then adds these", async () => {
    const [one, two] = [`${names.fresh}-one`, `${names.fresh}-two`];
    const linkTo = (target: string) => ({
      linkTypes: [{ name: "peer", targetObjectType: target }],
    });
    const bodies: string[] = [];
    const { exitCode, json } = await seed([typeOf(one, linkTo(two)), typeOf(two, linkTo(one))], {
      watch: async (request) => {
        if (request.method === "POST") bodies.push(await request.clone().text());
        return await withoutBatch(request);
      },
    });
    expect({ exitCode, json }).toMatchObject({
      exitCode: 0,
      json: { results: [{ state: "applied" }, { state: "applied" }] },
    });
    // The first creation names no type that does not exist yet.
    const created = bodies.filter((body) => body.includes(`"slug":"${one}"`)).at(-1) ?? "";
    const later = bodies.filter((body) => body.includes(`"slug":"${two}"`)).at(-1) ?? "";
    expect([created, later].some((body) => body.includes('"linkTypes":[]'))).toBe(true);
    const types = field(await stored(), "objectTypes") as unknown[];
    for (const [slug, target] of [
      [one, two],
      [two, one],
    ]) {
      expect(types.find((type) => field(type, "slug") === slug)).toMatchObject({
        linkTypes: [{ name: "peer", targetObjectType: target }],
      });
    }
  });

  test("reverts its changes when one is refused, and names the types that stay", async () => {
    const manifest = brokenManifest();
    const { exitCode, json, stderr } = await seed(manifest, {
      watch: async (request) => {
        const page = await withoutBatch(request);
        return page?.status === 200 ? await plusNowhere(page) : page;
      },
    });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({
      results: [
        { slug: names.fresh, state: "applied" },
        { slug: names.old, state: "skipped" },
        { slug: names.other, state: "failed", error: { status: 422 } },
      ],
    });
    expect(stderr).toContain(
      `This platform publishes types one by one, and these stay: ${names.fresh}.`,
    );
    const types = field(await stored(), "objectTypes") as unknown[];
    const old = types.find((type) => field(type, "slug") === names.old);
    expect(old).toMatchObject({ properties: { title: { type: "string" } }, version: 3 });
    expect(old).not.toHaveProperty("displayName");
  });

  const answers: [string, () => Response][] = [
    ["that is not JSON", () => new Response("<html>")],
    ["of a gateway that failed", () => new Response("", { status: 500 })],
  ];
  test.each(answers)("reports an unknown outcome after an answer %s", async (_what, answer) => {
    const { exitCode, stderr } = await seed([typeOf(names.old, { displayName: "Old" })], {
      watch: async (request) =>
        request.method === "PATCH" ? answer() : await withoutBatch(request),
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `Whether ${names.old} was published is unknown: check with \`svc types diff\``,
    );
    expect(stderr).not.toContain("Nothing was published");
  });
});
