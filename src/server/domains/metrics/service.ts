import { countJobs } from "../../jobs/store.ts";
import { keptPromise } from "../../kit/background.ts";
import type { Database, DatabaseLoad } from "../../database/database.ts";
import type { PlatformWork } from "../../work/works.ts";
import type { FeedState } from "../feed/service.ts";
import type { Condition } from "../health/service.ts";
import type { DurationCounts } from "./request-durations.ts";
import { metricText, type Metric, type Series } from "./metric-text.ts";

export interface MetricsParts {
  readonly platformWork: PlatformWork;
  readonly database: Pick<Database, "load">;
  readonly health: { condition(): Promise<Condition> };
  readonly lifetime: { readonly isRetiring: boolean };
  /** The durations of requests with the upper bounds of their buckets, in seconds. */
  readonly durations: { readonly bounds: readonly number[]; all(): readonly DurationCounts[] };
  /** Requests and streams that are under way. */
  readonly underWay: () => { readonly requests: number; readonly streams: number };
  /** The use of the process; its metrics are left out without it. */
  readonly processUsage?: (() => ProcessUsage) | undefined;
  /** The feed of changes, and its streams in this process. */
  readonly feed: {
    readonly state: Pick<FeedState, "retained" | "openTransaction">;
    figures(): { readonly streams: number; readonly events: number };
  };
  /** The times of backups in seconds; undefined without a schedule. */
  readonly backups?: BackupTimes | undefined;
  readonly version: string;
  readonly now: () => Date;
}

interface BackupTimes {
  times(): Promise<Readonly<Record<"verified" | "stored" | "failed", number | undefined>>>;
}

/** The use of a process since it began. */
export interface ProcessUsage {
  readonly userSeconds: number;
  readonly systemSeconds: number;
  readonly residentBytes: number;
  readonly uptimeSeconds: number;
}

/** How long the numbers of jobs are kept, so that frequent scrapes cause no load. */
const jobsKeptMs = 5_000;

/**
 * The platform's metrics, named by OpenTelemetry's conventions or with `svc_` in front. No
 * label has a value that a tenant chooses, so that there are at most 2,000 series.
 */
export class Metrics {
  #jobs: { readonly asked: Promise<JobCounts>; readonly endsAt: number } | undefined;

  constructor(private readonly parts: MetricsParts) {}

  /** The text for Prometheus, without the numbers that the database does not answer. */
  async text(): Promise<string> {
    const { version, durations } = this.parts;
    return metricText([
      info(version),
      ...processMetrics(this.parts.processUsage?.()),
      requestDurations(durations.bounds, durations.all()),
      ...this.#underWay(),
      ...databaseMetrics(this.parts.database.load?.() ?? []),
      ...(await this.#jobMetrics()),
      ...(await this.#feedMetrics()),
      ...(await this.#backupMetrics()),
      ...(await this.#health()),
    ]);
  }

  #underWay(): Metric[] {
    const { requests, streams } = this.parts.underWay();
    return [
      gauge("svc_requests_active", "Requests whose response has not begun.", requests),
      gauge("svc_streams_active", "Event streams that are open.", streams),
    ];
  }

  async #jobMetrics(): Promise<Metric[]> {
    const now = this.parts.now().getTime();
    if (this.#jobs === undefined || this.#jobs.endsAt <= now) {
      const work = this.parts.platformWork("the numbers of jobs");
      this.#jobs = { asked: keptPromise(countJobs(work.read)), endsAt: now + jobsKeptMs };
    }
    // Health reports why the database does not answer.
    const counts = await this.#jobs.asked.catch(() => undefined);
    if (counts === undefined) return [];
    const series = jobStates.map((state): Series => {
      const value = counts.find((each) => each.state === state)?.jobs ?? 0;
      return { labels: { svc_job_state: state }, value };
    });
    const help = "Jobs that wait or run, in the database that platforms share.";
    return [{ name: "svc_jobs", help, type: "gauge", series }];
  }

  async #feedMetrics(): Promise<Metric[]> {
    const { feed, now } = this.parts;
    const { streams, events } = feed.figures();
    const own: Metric[] = [
      gauge("svc_feed_streams", "Streams of changes that are open.", streams),
      {
        name: "svc_feed_events_total",
        help: "Events that streams of changes were given.",
        type: "counter",
        series: [{ value: events }],
      },
    ];
    const { state } = feed;
    const reading = Promise.all([state.retained(), state.openTransaction()]);
    // Health reports why the database does not answer.
    const read = await reading.catch(() => undefined);
    if (read === undefined) return own;
    const [{ bytes, oldestAt }, open] = read;
    const oldestMs = oldestAt === undefined ? now().getTime() : Date.parse(oldestAt);
    const age = Math.max(0, (now().getTime() - oldestMs) / 1000);
    const held = "Age of the oldest open transaction, whose changes no reader has yet.";
    return [
      ...own,
      gauge("svc_feed_retained_bytes", "Bytes of the changes that are kept.", bytes),
      gauge("svc_feed_oldest_seconds", "Age of the oldest change that is kept.", age),
      gauge("svc_feed_held_back_seconds", held, open?.seconds ?? 0),
    ];
  }

  async #backupMetrics(): Promise<Metric[]> {
    const times = await this.parts.backups?.times().catch(() => undefined);
    const series = Object.entries(times ?? {}).flatMap(([state, value]): Series[] =>
      value === undefined ? [] : [{ labels: { svc_backup_state: state }, value }],
    );
    const help = "Start of the newest backup in each state, in seconds since 1970.";
    return [{ name: "svc_backup_timestamp_seconds", help, type: "gauge", series }];
  }

  async #health(): Promise<Metric[]> {
    const { health, lifetime } = this.parts;
    const { health: body, reads, writes } = await health.condition();
    const series = Object.entries(body.components ?? {}).map(([name, { status }]): Series => ({
      labels: { svc_component: name },
      value: status === "ok" ? 1 : 0,
    }));
    const isReady = reads && !lifetime.isRetiring;
    return [
      { name: "svc_component_up", help: "1 for a part that is ok.", type: "gauge", series },
      gauge("svc_ready", "1 while a balancer should send requests.", isReady ? 1 : 0),
      gauge("svc_writes_up", "1 while writes of records succeed.", writes ? 1 : 0),
    ];
  }
}

type JobCounts = Awaited<ReturnType<typeof countJobs>>;
const jobStates = ["queued", "running", "interrupted"];

function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: "gauge", series: [{ value }] };
}

function info(version: string): Metric {
  const labels = { service_name: "svc", service_version: version };
  const help = "The program that these metrics are of.";
  return { name: "target_info", help, type: "gauge", series: [{ labels, value: 1 }] };
}

function processMetrics(usage: ProcessUsage | undefined): Metric[] {
  if (usage === undefined) return [];
  const { userSeconds, systemSeconds, residentBytes, uptimeSeconds } = usage;
  const cpu = (mode: string, value: number): Series => ({ labels: { cpu_mode: mode }, value });
  return [
    {
      name: "process_cpu_time_seconds_total",
      help: "Processor time of the process.",
      type: "counter",
      series: [cpu("user", userSeconds), cpu("system", systemSeconds)],
    },
    gauge("process_memory_usage_bytes", "Resident memory of the process.", residentBytes),
    gauge("process_uptime_seconds", "Time since the process began.", uptimeSeconds),
  ];
}

function requestDurations(bounds: readonly number[], all: readonly DurationCounts[]): Metric {
  return {
    name: "http_server_request_duration_seconds",
    help: "Time from the head of a request to the head of its response.",
    type: "histogram",
    series: all.flatMap((counts) => histogram(bounds, counts)),
  };
}

function histogram(
  bounds: readonly number[],
  { route, method, status, buckets, sumSeconds }: DurationCounts,
): Series[] {
  const labels =
    status === undefined
      ? { otel_metric_overflow: "true" }
      : {
          http_request_method: method,
          http_route: route,
          http_response_status_code: String(status),
          error_type: status >= 500 ? String(status) : undefined,
          url_scheme: "http",
        };
  let count = 0;
  const series = [...bounds.map(String), "+Inf"].map((le, place): Series => {
    count += buckets[place] ?? 0;
    return { suffix: "_bucket", labels: { ...labels, le }, value: count };
  });
  return [
    ...series,
    { suffix: "_sum", labels, value: sumSeconds },
    { suffix: "_count", labels, value: count },
  ];
}

function databaseMetrics(load: readonly DatabaseLoad[]): Metric[] {
  const connections = load.flatMap(({ pool, used, limit }) =>
    used === undefined || limit === undefined
      ? []
      : [connection(pool, "used", used), connection(pool, "idle", Math.max(0, limit - used))],
  );
  const waiting = load.map(({ pool, waiting: value }): Series => ({
    labels: { [poolLabel]: pool },
    value,
  }));
  return [
    {
      name: "svc_database_connections",
      help: "Connections of a pool, or its threads with SQLite; those not used may not be open.",
      type: "gauge",
      series: connections,
    },
    {
      name: "svc_database_waiting",
      help: "Statements and transactions that wait for their turn.",
      type: "gauge",
      series: waiting,
    },
  ];
}

const poolLabel = "svc_database_pool";

function connection(pool: string, state: string, value: number): Series {
  return { labels: { [poolLabel]: pool, svc_connection_state: state }, value };
}
