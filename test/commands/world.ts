import { afterAll, beforeAll } from "vitest";
import type { Environment, InputStream } from "#cli/environment.ts";
import { runSvc } from "#commands/run.ts";
import { selectWorkspace } from "#local/configuration/profiles.ts";
import { captureEnvironment, captureStream } from "#test/cli/world.ts";
import { openTestPlatform, testBaseUrl } from "#test/support/platform.ts";
import type { TestPlatform, TestPlatformOptions, TestUser } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** The settings of a call of `svc`; by default an admin with `tenant` selected, in pipes. */
export interface CallSettings {
  /** The user whose token the call has; `anonymous` has no token. */
  readonly as?: TestUser | "anonymous";
  /** The configuration directory; by default one where `tenant` is selected. */
  readonly config?: string;
  readonly stdin?: string;
  /** A terminal of this width; `stdin` is then the typed text. */
  readonly terminal?: number;
  readonly variables?: Readonly<Record<string, string | undefined>>;
  readonly currentDirectory?: string;
  readonly fetch?: Environment["fetch"];
  readonly release?: Environment["release"];
  readonly signal?: AbortSignal;
}

export interface Called {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as one JSON value. */
  readonly json: unknown;
}

/** A platform in this process, and calls of `svc` to it. */
export interface CommandWorld {
  readonly platform: TestPlatform;
  /** Runs words given as a list, or as one text that is split at spaces. */
  svc(words: string | readonly string[], settings?: CallSettings): Promise<Called>;
  /** Runs `svc` with `--format json`. */
  json(words: string | readonly string[], settings?: CallSettings): Promise<Called>;
  /** A new, empty configuration directory. */
  emptyConfig(): Promise<string>;
  /** A new configuration directory where `tenant` is selected. */
  selectedConfig(): Promise<string>;
}

/** A fetch whose platform is down. */
export const platformDown: NonNullable<Environment["fetch"]> = () =>
  Promise.reject(Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" }));

/** A terminal's input that stays open after the typed text. */
function keyboard(text: string): InputStream {
  const open = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start(controller) {
        if (text !== "") controller.enqueue(new TextEncoder().encode(text));
      },
    });
  return { isTerminal: true, stream: open, unseen: (work) => work() };
}

/** Runs `svc` in this process, with nothing of the real one in its environment. */
export async function runCommand(
  words: string | readonly string[],
  settings: CallSettings & { readonly token?: string | undefined } = {},
): Promise<Called> {
  const { terminal, stdin, token } = settings;
  const isTerminal = terminal !== undefined;
  const columns = terminal ?? 80;
  const captured = captureEnvironment(typeof words === "string" ? words.split(" ") : words, {
    variables: {
      BASE_URL_PUBLIC_API: testBaseUrl,
      SVC_CONFIG_DIR: settings.config,
      SVC_TOKEN: token,
      TERM: "xterm-256color",
      NO_COLOR: "1",
      ...settings.variables,
    },
    stdout: captureStream({ isTerminal, columns }),
    stderr: captureStream({ isTerminal, columns }),
    ...(settings.currentDirectory === undefined
      ? {}
      : { currentDirectory: settings.currentDirectory }),
    ...(settings.fetch === undefined ? {} : { fetch: settings.fetch }),
    ...(settings.release === undefined ? {} : { release: settings.release }),
    ...(settings.signal === undefined ? {} : { signal: settings.signal }),
    ...(stdin === undefined ? {} : { stdin }),
  });
  const environment = isTerminal ? { ...captured, stdin: keyboard(stdin ?? "") } : captured;
  const exitCode = await runSvc(environment);
  const [stdout, stderr] = [captured.stdout.text(), captured.stderr.text()];
  return {
    exitCode,
    stdout,
    stderr,
    get json(): unknown {
      return JSON.parse(stdout);
    },
  };
}

/**
 * One platform for all tests of a file:
 *
 *     const the = commandWorld();
 *     test("…", async () => {
 *       const { json } = await the().json("workspace list");
 */
export function commandWorld(
  options: Omit<TestPlatformOptions, "database"> = {},
): () => CommandWorld {
  let world: CommandWorld | undefined;
  beforeAll(async () => {
    const platform = await openTestPlatform("sqlite", options);
    const workspace = { id: platform.workspaces.tenant, slug: "tenant", displayName: "tenant" };
    const selectedConfig = async (): Promise<string> => {
      const configDirectory = await temporaryDirectory("config");
      await selectWorkspace({
        configDirectory,
        profile: "default",
        workspace: { ...workspace, origin: testBaseUrl },
      });
      return configDirectory;
    };
    const selected = await selectedConfig();
    const svc: CommandWorld["svc"] = (words, settings = {}) => {
      const user = settings.as ?? "tenant-admin";
      return runCommand(words, {
        config: selected,
        fetch: (request) => platform.platform.fetch(request),
        token: user === "anonymous" ? undefined : platform.users[user].token,
        ...settings,
      });
    };
    world = {
      platform,
      svc,
      json: (words, settings) =>
        svc([...(typeof words === "string" ? words.split(" ") : words), "--format", "json"], {
          ...settings,
        }),
      emptyConfig: () => temporaryDirectory("config"),
      selectedConfig,
    };
  });
  afterAll(async () => {
    await world?.platform.close();
    // The module of a test file stays loaded, and would keep the memory of its platform.
    world = undefined;
  });
  return () => {
    if (world === undefined) throw new Error("the platform exists only while the tests run");
    return world;
  };
}
