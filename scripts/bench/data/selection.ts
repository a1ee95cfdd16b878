import type { WireRequest } from "../load.ts";
import type { Row } from "../figures.ts";
import { mix, recordData, typeSlug } from "./dataset.ts";
import { dataRow, type Goal, type Measured } from "./goals.ts";
import { measured, type DataTimes } from "./over-http.ts";
import type { DataPlatform } from "./platform.ts";

/** Windows of each row; those of a group take turns, so that all see the same machine. */
const rounds = 4;
const visits = 2_000;
const notes = 5_000;
const posts = 20_000;
const batchSize = 1_000;
const records = "/v4/data/resources/{tenantId}";

interface Asked {
  readonly name: string;
  readonly connections: number;
  readonly goal?: Goal;
  readonly request: (index: number) => WireRequest;
}

/**
 * Reads of parts of records and of references among the million, and the price of rights of fields:
 * each next to the same request without them.
 */
export async function measureSelection(
  platform: DataPlatform,
  ids: readonly string[],
  { durationMs }: DataTimes,
  onRow: (row: Row) => void,
): Promise<void> {
  const idAt = (index: number): string => ids[mix(index) % ids.length] ?? "";
  await makeVisits(platform, idAt);
  const noteIds = await makeNotes(platform);
  await makePosts(platform);
  const { token } = await platform.client.keys.create({
    body: { name: "Bench", role: "tenant-staff" },
  });
  const get = (path: string) => platform.request("GET", `${records}/${path}`, undefined, 200);
  const wholes = ids.map((id) => get(`${typeSlug}/${id}`));
  const parts = ids.map((id) => get(`${typeSlug}/${id}?fields=reference,status`));
  const pages = Array.from({ length: visits / 100 }, (_, page) => `limit=100&page=${page + 1}`);
  const plain = pages.map((page) => get(`visit?${page}`));
  const expanded = pages.map((page) => get(`visit?${page}&expand=application,former,site`));
  const nearest = ($maxDistance?: number) => (index: number) => {
    const $geometry = pointAt(mix(index));
    const where = JSON.stringify({ place: { $near: { $geometry, $maxDistance } } });
    return get(`post?limit=20&where=${encodeURIComponent(where)}`);
  };
  const pick =
    (all: readonly WireRequest[]) =>
    (index: number): WireRequest =>
      all[mix(index) % all.length] as WireRequest;

  const groups: readonly (readonly Asked[])[] = [
    [
      { name: "get by id, the whole record", connections: 16, request: pick(wholes) },
      { name: "get by id, two of seven fields", connections: 16, request: pick(parts) },
    ],
    [
      { name: "list 100", connections: 1, request: pick(plain) },
      {
        name: "list 100, three references of each expanded",
        connections: 1,
        goal: { p99Ms: 20 },
        request: pick(expanded),
      },
    ],
    [
      { name: "the 20 nearest of 20,000, without a bound", connections: 1, request: nearest() },
      // Each record within the bound is measured, as without the index of places.
      {
        name: "the 20 nearest of 20,000, within 5,000 km",
        connections: 1,
        request: nearest(5_000_000),
      },
    ],
    ...["get by id", "list 20", "durable create"].map((verb) =>
      noteTypes.map(({ slug, name }): Asked => {
        const path = `${records}/${slug}`;
        const known = noteIds[slug] ?? [];
        const asStaff = (method: string, more: string, body: unknown, status: number) =>
          platform.request(method, path + more, body, status, token);
        const request = {
          "get by id": pick(known.map((id) => asStaff("GET", `/${id}`, undefined, 200))),
          "list 20": pick([asStaff("GET", "?limit=20", undefined, 200)]),
          "durable create": (index: number) => asStaff("POST", "", noteData(index), 201),
        }[verb];
        if (request === undefined) throw new Error(`${verb} has no request`);
        return { name: `${verb}, ${name}`, connections: 16, request };
      }),
    ),
  ];
  for (const group of groups) await inTurns(platform, group, durationMs, onRow);
}

async function inTurns(
  platform: DataPlatform,
  group: readonly Asked[],
  durationMs: number,
  onRow: (row: Row) => void,
): Promise<void> {
  const results = group.map((): Measured[] => []);
  // The first window, a long one, compiles what the others run.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, { connections, request }] of group.entries()) {
      const window = await measured(platform, {
        connections,
        durationMs: round === 0 ? durationMs : durationMs / rounds,
        request,
      });
      if (round > 0) results[at]?.push(window);
    }
  }
  for (const [at, { name, goal }] of group.entries()) {
    onRow(dataRow(name, together(results[at] ?? []), goal));
  }
}

function together(windows: readonly Measured[]): Measured {
  const sum = (of: (one: Measured) => number): number =>
    windows.reduce((all, one) => all + of(one), 0);
  return {
    perSecond: sum(({ perSecond }) => perSecond) / windows.length,
    latenciesMs: windows.flatMap(({ latenciesMs }) => latenciesMs),
    usedMicroseconds: sum(({ usedMicroseconds }) => usedMicroseconds),
  };
}

async function makeVisits({ client }: DataPlatform, idAt: (index: number) => string) {
  const of = { type: "reference", targetObjectType: typeSlug } as const;
  const properties = { application: of, former: of, site: of, note: { type: "string" } as const };
  await client.objectTypes.create({ body: { name: "Visit", slug: "visit", properties } });
  for (let first = 0; first < visits; first += batchSize) {
    const body = Array.from({ length: batchSize }, (_, offset) => {
      const index = 3 * (first + offset);
      const [application, former, site] = [idAt(index), idAt(index + 1), idAt(index + 2)];
      return { application, former, site, note: `visit ${index}` };
    });
    await client.resources.batchCreate({ params: { objectType: "visit" }, body });
  }
}

/** A place in a square of 20 degrees. */
function pointAt(random: number) {
  return {
    type: "Point",
    coordinates: [(random % 20_011) / 1_000, 40 + (random % 19_997) / 1_000],
  };
}

async function makePosts({ client }: DataPlatform): Promise<void> {
  const properties = { place: { type: "geopoint" } } as const;
  await client.objectTypes.create({ body: { name: "Post", slug: "post", properties } });
  for (let first = 0; first < posts; first += batchSize) {
    const body = Array.from({ length: batchSize }, (_, offset) => ({
      place: pointAt(mix(first + offset)),
    }));
    await client.resources.batchCreate({ params: { objectType: "post" }, body });
  }
}

const noteTypes = [
  { slug: "open-note", name: "a type without rights", rights: {} },
  {
    slug: "closed-note",
    name: "a field hidden from the caller",
    rights: { readRoles: ["tenant-admin"] },
  },
];

/** A record of about 250 bytes; the caller writes no field that they may not read. */
function noteData(index: number): Record<string, unknown> {
  const { reference, status, description } = recordData(index);
  return { reference, status, description };
}

/** The ids of the notes, by the slug of their type. */
async function makeNotes({ client }: DataPlatform): Promise<Record<string, string[]>> {
  const made: Record<string, string[]> = {};
  for (const { slug, rights } of noteTypes) {
    const properties = {
      reference: { type: "string", indexed: true },
      status: { type: "string" },
      description: { type: "text" },
      verdict: { type: "text", ...rights },
    } as const;
    const name = slug === "open-note" ? "OpenNote" : "ClosedNote";
    await client.objectTypes.create({ body: { name, slug, properties } });
    const ids = (made[slug] = [] as string[]);
    for (let first = 0; first < notes; first += batchSize) {
      const body = Array.from({ length: batchSize }, (_, offset) => ({
        ...noteData(first + offset),
        verdict: "granted with conditions",
      }));
      const { results } = await client.resources.batchCreate({
        params: { objectType: slug },
        body,
      });
      ids.push(...results.map(({ id }) => id ?? ""));
    }
  }
  return made;
}
