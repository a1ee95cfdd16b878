import { processMemory } from "#test/support/process-use.ts";
import { mebibytes, milliseconds, percentile, renderGroup, type Row } from "./figures.ts";
import { preparePlatform, recordData, type BenchPlatform } from "./platform.ts";

const callers = 60;
/** Each caller waits so long between two of its requests. */
const pauseMs = 250;
const minuteMs = 60_000;
const looksPerMinute = 60;
/** Caches fill in the first minutes. */
const settledAfterMinutes = 3;
/**
 * Records before the first minute: the database is then larger than each cache of its pages
 * (24 MiB). With fewer records these caches grow with the data until the last minute.
 */
const recordsBefore = 40_000;
const recordsAtOnce = 500;
const goalGrowthMiB = 10;
const workflow = "soak";

interface SentRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string | FormData;
}

/** The requests of one kind of caller: one of them in each turn, by its number. */
type Requests = (turn: number) => SentRequest;

interface Answered {
  readonly latenciesMs: number[];
  readonly statuses: Map<number, number>;
}

/**
 * `npm run bench -- soak`: 60 callers of one workspace create, list and search records, upload
 * documents, chat, and poll as the dashboard does. Throws if an answer is a 5xx, if a request has
 * no answer, or if the private memory grows by more than 10 MiB from the third minute on: the rise
 * of the line through the medians of the minutes.
 */
export async function benchSoak(directory: string, minutes: number): Promise<void> {
  const platform = await preparePlatform(directory);
  await addRecords(platform);
  const kinds = await prepareKinds(platform);
  const names = Object.keys(kinds);
  const answered = new Map<string, Answered>(
    names.map((name) => [name, { latenciesMs: [], statuses: new Map() }]),
  );
  const ending = new AbortController();
  try {
    const running = Array.from({ length: callers }, (_, caller) => {
      const name = names[caller % names.length] ?? "";
      const [requests, found] = [kinds[name], answered.get(name)];
      if (requests === undefined || found === undefined) throw new TypeError(`no kind ${name}`);
      return callUntil(ending.signal, platform, found, (turn) => requests(caller + turn * callers));
    });
    const calls = Promise.all(running);
    const watched = watchMemory(platform.running.pid, minutes);
    const memory = await Promise.race([watched, calls.then(() => watched)]);
    ending.abort();
    await calls;
    const rows = [...answered].map(([name, found]) => rowOf(name, found));
    const columns = ["p50", "p99", "answers", "5xx", "by status"];
    console.log(`\n${renderGroup({ name: `soak of ${minutes} minutes`, columns }, rows)}\n`);
    const reasons = reasonsIn(platform.running.stderr());
    if (reasons.length > 0) {
      const group = { name: "reasons of answers with a 5xx", columns: ["answers"] };
      console.log(`${renderGroup(group, reasons)}\n`);
    }
    requireGoals(answered, memory);
  } finally {
    ending.abort();
    await platform.running.stop();
  }
}

/**
 * The median of the private memory in each minute, in bytes. A single look would find what happens
 * to be in use or not yet collected, which differs by tens of MiB from second to second.
 */
async function watchMemory(pid: number, minutes: number): Promise<number[]> {
  const medians: number[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const seen: number[] = [];
    while (seen.length < looksPerMinute) {
      await Bun.sleep(minuteMs / looksPerMinute);
      const { own } = await processMemory(pid);
      seen.push(own);
    }
    const median = percentile(seen, 0.5);
    medians.push(median);
    const range = [Math.min(...seen), Math.max(...seen)].map(mebibytes).join(" to ");
    console.error(`  minute ${minute}: ${mebibytes(median)} private, ${range}`);
  }
  return medians;
}

async function callUntil(
  end: AbortSignal,
  { running, token, tenantId }: BenchPlatform,
  { latenciesMs, statuses }: Answered,
  requestOf: Requests,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "x-tenant-id": tenantId };
  for (let turn = 0; !end.aborted; turn += 1) {
    const { method, path, body } = requestOf(turn);
    const type = typeof body === "string" ? { "content-type": "application/json" } : {};
    const beganMs = performance.now();
    const init = { method, headers: { ...headers, ...type }, ...(body && { body }) };
    const response = await fetch(`${running.url}${path}`, init);
    const answer = await response.text();
    // A caller may have too many answers at once.
    if (response.status >= 400 && response.status < 500 && response.status !== 429) {
      throw new Error(`${method} ${path} is answered with ${response.status}: ${answer}`);
    }
    latenciesMs.push(performance.now() - beganMs);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    await Bun.sleep(pauseMs);
  }
}

async function addRecords({ client, objectType }: BenchPlatform): Promise<void> {
  const resources = client.useResources(objectType);
  for (let first = 0; first < recordsBefore; first += recordsAtOnce) {
    const numbers = Array.from({ length: recordsAtOnce }, (_, at) => 100_000 + first + at);
    await resources.batchCreate(numbers.map((number) => recordData(number)));
  }
}

async function prepareKinds({
  client,
  tenantId,
  objectType,
  ids,
}: BenchPlatform): Promise<Readonly<Record<string, Requests>>> {
  await client.objectTypes.create({
    body: {
      name: "Note",
      slug: "note",
      properties: { text: { type: "text", searchable: true } },
    },
  });
  await client
    .useResources("note")
    .batchCreate(Array.from({ length: 100 }, (_, at) => ({ text: textOf(at) })));
  await client.useResources("shared-workflow-config").create({
    workflow_key: workflow,
    display_name: "Soak",
    status: "active",
    stages: [{ id: "chat" }],
    config: {},
  });
  const resources = `/v4/data/resources/${tenantId}`;
  const post = (path: string, body: object): SentRequest => ({
    method: "POST",
    path,
    body: JSON.stringify(body),
  });
  const get = (path: string): SentRequest => ({ method: "GET", path });
  const polled = [
    "/v4/identity/me",
    `${resources}/${objectType}?limit=50`,
    "/v4/data/documents/records?limit=50",
    "/v4/data/documents/jobs?limit=50",
    `/v4/platform/tenants/${tenantId}/users`,
    `/v4/ai/chat/${tenantId}/conversations`,
  ];
  const [application = ""] = ids;
  return {
    creates: (turn) => post(`${resources}/${objectType}`, recordData(1_000_000 + turn)),
    lists: (turn) => get(`${resources}/${objectType}?limit=20&page=${1 + (turn % 200)}`),
    searches: (turn) => post(`${resources}/search`, { query: textOf(turn), limit: 20 }),
    documents: (turn) =>
      turn % 20 < 19
        ? get(`/v4/data/documents/search?query=${encodeURIComponent(wordOf(turn))}`)
        : { method: "POST", path: "/v4/data/documents/upload", body: uploadOf(turn) },
    chat: (turn) =>
      post(`/v4/ai/chat/stream/${tenantId}/${workflow}/chat`, {
        message: `Which statement names the ${wordOf(turn)}?`,
      }),
    "dashboard's polling": (turn) => get(polled[turn % polled.length] ?? ""),
  };

  function uploadOf(turn: number): FormData {
    const form = new FormData();
    form.set("tenant_id", tenantId);
    form.set("storage_target", "resourceapi");
    form.set("processing_mode", "full");
    form.set("planning_application_id", application);
    form.set("files", new File([`${turn}\n${textOf(turn)}\n`.repeat(20)], `${turn}.txt`));
    return form;
  }
}

const words = ["quay", "station", "granary", "orchard", "harbour", "mill", "kiln", "church"];

function wordOf(turn: number): string {
  return words[Math.floor(turn / callers) % words.length] ?? "";
}

function textOf(turn: number): string {
  return `The ${wordOf(turn)} and the ${wordOf(turn + 3 * callers)} are in statement ${turn % 97}.`;
}

function rowOf(name: string, { latenciesMs, statuses }: Answered): Row {
  const times = [0.5, 0.99].map((share) => milliseconds(percentile(latenciesMs, share)));
  const counts = [latenciesMs.length, failedOf(statuses)].map((count) =>
    count.toLocaleString("en"),
  );
  const byStatus = [...statuses].map(([status, count]) => `${status}: ${count}`).join(", ");
  return { name, figures: [...times, ...counts, byStatus] };
}

/** The number of answers that are a 5xx. */
function failedOf(statuses: ReadonlyMap<number, number>): number {
  return [...statuses].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0);
}

/** The reasons in the platform's log, which has 100 failures of each 10 seconds. */
function reasonsIn(log: string): Row[] {
  const counts = new Map<string, number>();
  for (const line of log.split("\n")) {
    if (!line.includes(`"request-failed"`)) continue;
    const { route, error }: { route: string; error: string } = JSON.parse(line);
    const [reason = ""] = error.split("\n");
    const name = `${route}: ${reason.replaceAll(/\d+/g, "N")}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, figures: [count.toLocaleString("en")] }));
}

/** The rise of the line with the least squares through values, from the first to the last one. */
function riseOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let [products, squares] = [0, 0];
  for (const [at, value] of values.entries()) {
    products += (at - middle) * (value - mean);
    squares += (at - middle) ** 2;
  }
  return (products / squares) * (values.length - 1);
}

function requireGoals(answered: ReadonlyMap<string, Answered>, memory: readonly number[]): void {
  const failed = [...answered.values()].reduce((sum, { statuses }) => sum + failedOf(statuses), 0);
  if (failed > 0) throw new Error(`${failed} answers were a 5xx`);
  const settled = memory.slice(settledAfterMinutes - 1);
  const growth = riseOf(settled);
  if (settled.length < 2) return console.log("The growth of memory needs four minutes or more.");
  console.log(`Private memory grew by ${mebibytes(growth)} from the third minute on.`);
  if (growth > goalGrowthMiB * 1024 * 1024) {
    throw new Error(`The private memory grew by more than ${goalGrowthMiB} MiB`);
  }
}
