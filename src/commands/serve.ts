import { Shown, shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { inputError, usageError } from "#cli/errors.ts";
import { baseUrlText } from "#lib/network/base-url.ts";
import { command } from "./kit/command.ts";
import type { CommandContext } from "./kit/context.ts";
import { dataPlaceOptions, dataPlacesOf, requireKeyFile } from "./serve/data-places.ts";
import { backupKeyOptions, backupScheduleOf, placeWords } from "./serve/backup-place.ts";
import { modelEndpointOf, modelOptions } from "./serve/model-endpoint.ts";
import { addressIn, providerOf, providerOptions } from "./serve/provider-options.ts";
import { secretTextOf } from "./serve/secret-text.ts";

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** The address in `--base-url` without a trailing slash; throws a usage error for a bad one. */
function publicAddress(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const url = addressIn("--base-url", given);
  if (url.pathname === "/") return baseUrlText(url);
  throw usageError(
    "--base-url has a path, but the platform's paths begin at /",
    "Expected an address such as https://svc.example.org",
  );
}

/** The networks in `--trusted-proxy`; throws a usage error for other text. */
async function proxiesOf(given: readonly string[] | undefined) {
  if (given === undefined || given.length === 0) return undefined;
  const { TrustedProxies } = await import("#server/http/trusted-proxies.ts");
  try {
    void new TrustedProxies(given);
    return given;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageError(`--trusted-proxy: ${error.message}`);
  }
}

/** The host and the port in `127.0.0.1:9464` or `[::1]:9464`; throws a usage error for others. */
function bindAddress(flag: string, given: string | undefined) {
  if (given === undefined) return undefined;
  const [, bracketed, plain, digits] =
    /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(given) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host !== undefined && port <= 65_535) return { host, port };
  throw usageError(`${flag} "${given}" is not an address such as 127.0.0.1:9464`);
}

const maximumDefaultThreads = 4;

/** The folder in `--ocr-data`. Throws E305 unless it has language data. */
async function languageFolder(
  context: CommandContext,
  option: string | undefined,
): Promise<string | undefined> {
  if (option === undefined) return undefined;
  const folder = context.resolvePath(option);
  const names = await readdir(folder).catch((): string[] => []);
  if (names.some((name) => /\.traineddata(?:\.gz)?$/.test(name))) return folder;
  throw inputError(
    `--ocr-data ${option} has no language data`,
    "Expected a folder with files such as deu.traineddata",
  );
}

/** `svc serve`: the embedded platform, in the foreground, until SIGTERM or SIGINT. */
export default command({
  path: "serve",
  summary: "Run the embedded platform on this machine",
  description:
    "Keeps everything in one directory. The first start creates the first user and shows a " +
    "one-time password once. After SIGTERM, running work ends within 10 seconds or stays " +
    "resumable.",
  isServer: true,
  arguments: [],
  options: {
    host: { type: "string", default: "127.0.0.1", description: "Address to listen on" },
    port: {
      type: "number",
      minimum: 0,
      maximum: 65_535,
      default: 4400,
      description: "Port to listen on; 0 takes a free one",
    },
    "data-dir": dataPlaceOptions["data-dir"],
    "database-url": {
      ...dataPlaceOptions["database-url"],
      description: "postgres://… instead of SQLite in the data directory; also SVC_DATABASE_URL",
    },
    "database-url-file": dataPlaceOptions["database-url-file"],
    "key-file": {
      ...dataPlaceOptions["key-file"],
      description:
        "The key that encrypts the secrets in the database; made at the first start. Default " +
        "svc.key in the data directory; required with PostgreSQL; also SVC_KEY_FILE",
    },
    "files-url": {
      type: "string",
      placeholder: "url",
      description:
        "s3://bucket/prefix?endpoint=… instead of files in the data directory; credentials from " +
        "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    },
    "backup-to": textOption("place", `Take backups by a schedule. ${placeWords}`),
    "backup-every": {
      ...textOption("time", "Time from the start of a backup to that of the next, e.g. 6h"),
      default: "24h",
    },
    "backup-keep": {
      ...textOption("time", "How long backups are kept, e.g. 30d; the newest always stays"),
      default: "30d",
    },
    ...backupKeyOptions,
    "base-url": textOption("url", "Public address behind a proxy, e.g. https://svc.example.org"),
    ...providerOptions,
    "smtp-url": {
      type: "string",
      placeholder: "url",
      description:
        "Mail server for invitations and forgotten passwords, " +
        "smtp[s]://user:password@host:port?from=address; also SVC_SMTP_URL. Without it the " +
        "inviter passes on a link",
      excludes: ["smtp-url-file"],
    },
    "smtp-url-file": textOption("file", "Read the mail server's URL from this file"),
    ...modelOptions,
    "audit-days": {
      type: "number",
      minimum: 1,
      maximum: 36_500,
      default: 400,
      description: "Days for which the audit log is kept",
    },
    "trash-days": {
      type: "number",
      minimum: 0,
      maximum: 3650,
      default: 7,
      description: "Days for which deleted records, documents and files can be restored",
    },
    "feed-days": {
      type: "number",
      minimum: 1,
      maximum: 365,
      default: 7,
      description: "Days for which the feed of changes is kept",
    },
    "feed-bytes": {
      type: "number",
      minimum: 1024 * 1024,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 256 * 1024 * 1024,
      description: "Bytes of the feed that are kept for each workspace",
    },
    streams: {
      type: "number",
      minimum: 1,
      maximum: 1_000_000,
      default: 30_000,
      description: "Event streams that may be open at this platform at the same time",
    },
    "workspace-streams": {
      type: "number",
      minimum: 1,
      maximum: 1_000_000,
      default: 15_000,
      description: "Event streams of one workspace that may be open at the same time",
    },
    "user-streams": {
      type: "number",
      minimum: 1,
      maximum: 1_000_000,
      default: 1_000,
      description: "Event streams of one user or key that may be open at the same time",
    },
    "fetch-host": {
      type: "string",
      placeholder: "host",
      repeatable: true,
      description:
        "Host, or host:port, on a private network that `classify-by-url` may fetch from; " +
        "repeatable",
    },
    "webhook-host": {
      type: "string",
      placeholder: "host",
      repeatable: true,
      description:
        "Host, or host:port, on a private network or of this machine that webhooks may be sent " +
        "to; repeatable",
    },
    "ocr-data": textOption(
      "dir",
      "Folder of Tesseract's <language>.traineddata for text in pictures; English is built in",
    ),
    threads: {
      type: "number",
      minimum: 1,
      maximum: 16,
      description:
        "Threads that answer requests; default one per processor, at most 4. With SQLite on Linux",
    },
    "signing-key-days": {
      type: "number",
      minimum: 1,
      maximum: 3650,
      default: 90,
      description: "Replace the key that signs tokens at this age",
    },
    "require-factor": {
      type: "string",
      values: ["administrators", "everyone"],
      placeholder: "who",
      description: "Who must have a second factor; administrators are also those of a workspace",
      excludes: ["auth-url"],
    },
    "trusted-proxy": {
      type: "string",
      placeholder: "network",
      repeatable: true,
      description:
        "Network of proxies, e.g. 10.0.0.0/8, whose X-Forwarded-For or Forwarded names the " +
        "caller; repeatable. Default with --base-url: a proxy on this machine",
    },
    "drain-delay": {
      type: "number",
      minimum: 0,
      maximum: 600,
      default: 0,
      description:
        "Seconds from the 503 at /ready to the stop, in which a balancer turns to other platforms",
    },
    "metrics-bind": {
      type: "string",
      placeholder: "host:port",
      description:
        "Answer GET /metrics for Prometheus on this address without a token; at the platform's " +
        "own address it needs an administrator's token",
    },
    "ready-needs-writes": {
      type: "boolean",
      description: "Answer /ready with 503 also while writes fail, not only reads",
    },
    demo: {
      type: "boolean",
      description: "Add the sample data if they are missing, and send no mail",
    },
  },
  answerLine: ({ z }) =>
    z.strictObject({
      url: z.string(),
      authUrl: z.string(),
      dataDir: z.string(),
      pid: z.int(),
    }),
  examples: ["svc serve", "svc serve --port 0 --data-dir ./data --format json"],
  trials: [],
  async run({ options }, context) {
    const { environment, output, signal } = context;
    const { mayShare, serve } = await import("#server/serve.ts");
    const places = requireKeyFile(await dataPlacesOf(context, options));
    const isShared = mayShare(places.databaseUrl);
    if (options.threads !== undefined && options.threads > 1 && !isShared) {
      throw usageError("--threads needs SQLite on Linux", "Leave it out to use one thread");
    }
    const defaultThreads = Math.min(availableParallelism(), maximumDefaultThreads);
    const served = await serve({
      host: options.host,
      port: options.port,
      ...places,
      backups: await backupScheduleOf(context, options, places.dataDirectory),
      threads: options.threads ?? (isShared ? defaultThreads : 1),
      baseUrl: publicAddress(options["base-url"]),
      trustedProxies: await proxiesOf(options["trusted-proxy"]),
      drainDelayMs: options["drain-delay"] * 1000,
      ...providerOf(options),
      smtpUrl: await smtpUrlOf(context, options),
      modelEndpoint: await modelEndpointOf(context, options),
      extractionCommand: [...environment.selfCommand, "__extract"],
      limits: {
        auditDays: options["audit-days"],
        feedDays: options["feed-days"],
        feedBytes: options["feed-bytes"],
        streams: options.streams,
        streamsPerWorkspace: options["workspace-streams"],
        streamsPerCaller: options["user-streams"],
        trashDays: options["trash-days"],
        signingKeySeconds: options["signing-key-days"] * 24 * 60 * 60,
      },
      factorRule: options["require-factor"],
      fetchHosts: options["fetch-host"],
      webhookHosts: options["webhook-host"],
      metricsBind: bindAddress("--metrics-bind", options["metrics-bind"]),
      processUsage: environment.processUsage,
      readyNeedsWrites: options["ready-needs-writes"],
      ocrFolder: await languageFolder(context, options["ocr-data"]),
      sampleData: options.demo,
      documentation: async () => {
        const { documentation } = await import("./kit/site/documentation.ts");
        return documentation(context);
      },
      log: (line) => output.note(Shown.block(line)),
    });
    const { url, authUrl, firstSignIn } = served;
    if (output.isJson) {
      const dataDir = places.dataDirectory;
      await output.rows([{ url, authUrl, dataDir, pid: environment.processId }]);
    }
    await output.note(shown`listening on ${url}`);
    if (served.metricsUrl !== undefined) await output.note(shown`metrics on ${served.metricsUrl}`);
    if (firstSignIn !== undefined) {
      const { email, oneTimePassword } = firstSignIn;
      const isShown = await output.note(
        shown`first user: ${email}\none-time password (shown this once): ${oneTimePassword}`,
      );
      if (!isShown) await served.platform.withdrawFirstPassword();
      if (output.stderrIsTerminal) {
        const { defaultBaseUrl } = await import("#local/configuration/settings.ts");
        const address = url === defaultBaseUrl ? "" : `BASE_URL_PUBLIC_API=${url} `;
        await output.note(output.tone("dim", `Next, in another terminal: ${address}svc login`));
      }
    }
    await aborted(signal);
    await served.stop();
  },
});

/**
 * The mail server in `--smtp-url`, in the file of `--smtp-url-file`, or in `SVC_SMTP_URL`. The last
 * two keep a password out of the list of processes. Throws a usage error that quotes no password.
 */
async function smtpUrlOf(
  context: CommandContext,
  options: { readonly "smtp-url"?: string; readonly "smtp-url-file"?: string },
): Promise<string | undefined> {
  const found = await secretTextOf(context, {
    flag: "--smtp-url",
    given: options["smtp-url"],
    file: options["smtp-url-file"],
    variable: "SVC_SMTP_URL",
  });
  if (found === undefined) return undefined;
  const { source, text } = found;
  const { smtpServerOf } = await import("#server/kit/mail/smtp-mailer.ts");
  try {
    smtpServerOf(text);
    return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageError(
      `${source}: ${error.message}`,
      "Expected smtp://user:password@mail.example.org:587?from=svc@example.org",
    );
  }
}
