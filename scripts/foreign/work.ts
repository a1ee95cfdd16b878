import type { Client } from "#client/index.ts";

/** Records that callers of several workspaces create and read, with what they must see. */
export interface WorkResult {
  /** The requests that were answered with a success. */
  answered: number;
  /** Requests that were refused after all retries, for example with 503. */
  refused: number;
  /** Created records that were acknowledged and are missing. */
  lost: number;
  /** Answers with a record of another workspace. */
  foreign: number;
}

export interface WorkOptions {
  /** A client of each platform, in no workspace; all platforms share one database. */
  readonly platforms: readonly Client[];
  readonly workspaces: number;
  readonly callersOfEach: number;
  readonly durationMs: number;
}

const slug = "note";

/** Runs callers of several workspaces at once, then reads back what was acknowledged. */
export async function workInWorkspaces(options: WorkOptions): Promise<WorkResult> {
  const { platforms, workspaces, callersOfEach, durationMs } = options;
  const result: WorkResult = { answered: 0, refused: 0, lost: 0, foreign: 0 };
  const [first] = platforms;
  if (first === undefined) throw new Error("there is no platform");
  const tenants: string[] = [];
  for (let at = 0; at < workspaces; at += 1) tenants.push(await makeWorkspace(first, at));
  const made = new Map(tenants.map((tenant) => [tenant, new Set<string>()]));
  const endsMs = performance.now() + durationMs;
  const callers = tenants.flatMap((tenant) =>
    Array.from({ length: callersOfEach }, (_, at) => {
      const client = platforms[at % platforms.length] ?? first;
      return callUntil(client.forTenant(tenant), tenant, made.get(tenant) ?? new Set(), {
        endsMs,
        result,
      });
    }),
  );
  await Promise.all(callers);
  for (const [tenant, ids] of made) {
    const stored = new Set<string>();
    for await (const { id, data } of first.forTenant(tenant).useResources(slug).all()) {
      stored.add(id);
      if (data["owner"] !== tenant) result.foreign += 1;
    }
    for (const id of ids) if (!stored.has(id)) result.lost += 1;
  }
  return result;
}

async function makeWorkspace(client: Client, at: number): Promise<string> {
  const name = `Work ${at} ${crypto.randomUUID().slice(0, 8)}`;
  const { id } = await client.workspaces.createRoot({
    body: { displayName: name, slug: name.toLowerCase().replaceAll(" ", "-"), homeRegion: "eu" },
  });
  await client.forTenant(id).objectTypes.create({
    body: {
      name: "Note",
      slug,
      properties: {
        owner: { type: "string", indexed: true },
        text: { type: "text", searchable: true },
      },
    },
  });
  return id;
}

async function callUntil(
  client: Client,
  owner: string,
  made: Set<string>,
  { endsMs, result }: { readonly endsMs: number; readonly result: WorkResult },
): Promise<void> {
  const notes = client.useResources(slug);
  const mine: string[] = [];
  const steps = [
    async () => {
      const { id } = await notes.create({ owner, text: `kettle of ${owner}` });
      made.add(id);
      mine.push(id);
      return [];
    },
    async () => {
      const id = mine.at(-1);
      return id === undefined ? [] : [await notes.get(id)];
    },
    async () => (await notes.list({ limit: 20 })).items,
    async () => (await notes.list({ where: { owner: { $ne: "" } }, limit: 20 })).items,
    async () => (await notes.search("kettle")).results,
  ];
  for (let at = 0; performance.now() < endsMs; at += 1) {
    try {
      const records = (await steps[at % steps.length]?.()) ?? [];
      result.answered += 1;
      if (records.some(({ data }) => data["owner"] !== owner)) result.foreign += 1;
    } catch {
      result.refused += 1;
    }
  }
}
