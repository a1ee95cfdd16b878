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
  /** The longest time without an acknowledged creation, in milliseconds. */
  longestGapMs: number;
}

export interface WorkOptions {
  /** A client of each platform, in no workspace; all platforms share one database. */
  readonly platforms: readonly Client[];
  readonly workspaces: number;
  readonly callersOfEach: number;
  readonly durationMs: number;
}

const slug = "note";

/** The pause of a caller after a refusal. */
const pauseMs = 50;
const patienceMs = 60_000;

/** Runs callers of several workspaces at once, then reads back what was acknowledged. */
export async function workInWorkspaces(options: WorkOptions): Promise<WorkResult> {
  const { platforms, workspaces, callersOfEach, durationMs } = options;
  const result: WorkResult = { answered: 0, refused: 0, lost: 0, foreign: 0, longestGapMs: 0 };
  const [first] = platforms;
  if (first === undefined) throw new Error("there is no platform");
  const tenants: string[] = [];
  for (let at = 0; at < workspaces; at += 1) {
    tenants.push(await patiently(() => makeWorkspace(first, at)));
  }
  const made = new Map(tenants.map((tenant) => [tenant, new Set<string>()]));
  let acknowledgedMs = performance.now();
  const endsMs = acknowledgedMs + durationMs;
  const acknowledged = (): void => {
    const now = performance.now();
    result.longestGapMs = Math.max(result.longestGapMs, now - acknowledgedMs);
    acknowledgedMs = now;
  };
  const callers = tenants.flatMap((tenant) =>
    Array.from({ length: callersOfEach }, (_, at) => {
      const client = platforms[at % platforms.length] ?? first;
      return callUntil(client.forTenant(tenant), tenant, made.get(tenant) ?? new Set(), {
        endsMs,
        result,
        acknowledged,
      });
    }),
  );
  await Promise.all(callers);
  for (const [tenant, ids] of made) {
    const stored = await patiently(() => storedRecords(first, tenant));
    for (const owner of stored.values()) if (owner !== tenant) result.foreign += 1;
    for (const id of ids) if (!stored.has(id)) result.lost += 1;
  }
  return result;
}

/** The ids of all records of a workspace, with their owners. */
async function storedRecords(client: Client, tenant: string): Promise<Map<string, unknown>> {
  const stored = new Map<string, unknown>();
  for await (const { id, data } of client.forTenant(tenant).useResources(slug).all()) {
    stored.set(id, data["owner"]);
  }
  return stored;
}

/** Repeats work that is refused, since a server may be away for a while. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const endsMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > endsMs) throw error;
      await Bun.sleep(500);
    }
  }
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

interface Watched {
  readonly endsMs: number;
  readonly result: WorkResult;
  readonly acknowledged: () => void;
}

async function callUntil(
  client: Client,
  owner: string,
  made: Set<string>,
  { endsMs, result, acknowledged }: Watched,
): Promise<void> {
  const notes = client.useResources(slug);
  const mine: string[] = [];
  const steps = [
    async () => {
      const { id } = await notes.create({ owner, text: `kettle of ${owner}` });
      acknowledged();
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
      await Bun.sleep(pauseMs);
    }
  }
}
