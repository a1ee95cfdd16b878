import { rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "#cli/environment.ts";
import type { Site } from "#lib/site-page.ts";
import { catalogError } from "#contract/errors.ts";
import { demoFolderPrefix, removeAbandonedFolders } from "#lib/files/abandoned-folders.ts";
import { systemErrorWords } from "#lib/system-error.ts";
import { inProcessUrl, startInProcess, startListening } from "../kit/platform/local-platform.ts";
import { announceDemo, demoVariables } from "./running.ts";

const tokenTtlMs = 24 * 60 * 60 * 1000;

export interface Demo {
  /** The environment of a command that runs on the demo platform. */
  environment(argv: readonly string[]): Environment;
  readonly documentsDirectory: string;
  /** The tour's file, question and expected answer. */
  readonly tour: {
    readonly filename: string;
    readonly question: string;
    readonly answerContains: string;
    readonly workflow: string;
    readonly recordData: Readonly<Record<string, unknown>>;
  };
  close(): Promise<void>;
}

interface DemoOptions {
  /** True if other processes reach it. */
  readonly listens: boolean;
  /** Makes the pages at `/docs`. */
  readonly documentation: () => Promise<Site>;
}

/** A platform of this process, whether it opens a port or not. */
async function startPlatform(
  outer: Environment,
  dataDirectory: string,
  { listens, documentation }: DemoOptions,
) {
  if (listens) return startListening(outer, { dataDirectory, documentation });
  const platform = await startInProcess(outer, dataDirectory);
  return { platform, url: inProcessUrl, close: () => platform.close() };
}

/**
 * Starts a signed-in platform with sample data in this process. `close` removes its files. One that
 * `listens` is found by `svc demo -- …` in other shells.
 */
export async function openDemo(outer: Environment, options: DemoOptions): Promise<Demo> {
  const [{ seedSampleData }, { sampleDocuments }, { selectWorkspace }] = await Promise.all([
    import("#server/sample-data/seed.ts"),
    import("#server/sample-data/sample-documents.ts"),
    import("#local/configuration/profiles.ts"),
  ]);
  const directory = await temporaryDirectory();
  const remove = () => rm(directory, { recursive: true, force: true });
  // A second Ctrl-C and an unexpected error end the process without `close`.
  outer.atExit?.(() => rmSync(directory, { recursive: true, force: true }));
  let started: Awaited<ReturnType<typeof startPlatform>> | undefined;
  const close = async (): Promise<void> => {
    await started?.close();
    await remove();
  };
  try {
    started = await startPlatform(outer, join(directory, "data"), options);
    const { platform, url: baseUrl } = started;
    const { token } = await platform.mintToken({ ttlMs: tokenTtlMs });
    const fetch = (request: Request): Promise<Response> => platform.fetch(request);
    const admit = (secret: string) => platform.services.invitations.admit(secret);
    const target = { baseUrl, token, fetch: unlessEnded(outer.signal, fetch), admit };
    const { planningId } = await seedSampleData(target);
    const configDirectory = join(directory, "config");
    await selectWorkspace({
      configDirectory,
      profile: "default",
      workspace: {
        id: planningId,
        slug: "planning",
        displayName: "Planning",
        origin: new URL(baseUrl).origin,
      },
    });
    outer.signal.throwIfAborted();
    const documentsDirectory = join(directory, "documents");
    await mkdir(documentsDirectory);
    for (const document of sampleDocuments) {
      await Bun.write(join(documentsDirectory, document.filename), await document.open());
    }
    const guide = sampleDocuments.find((document) => document.mediaType === "application/pdf");
    if (guide === undefined) throw new TypeError("the sample data has no PDF");
    const running = { baseUrl, token, configDirectory };
    if (options.listens) await announceDemo(directory, running);
    return {
      documentsDirectory,
      tour: {
        filename: guide.filename,
        question: guide.question,
        answerContains: guide.answerContains,
        workflow: "planning-assistant",
        recordData: { reference: "PA-2026-0999" },
      },
      environment: (argv) => ({
        ...outer,
        argv,
        fetch,
        variables: { ...outer.variables, ...demoVariables(running) },
        currentDirectory: argv.length === 0 ? documentsDirectory : outer.currentDirectory,
      }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Sends no further request after a signal: the sample data take seconds. */
function unlessEnded(
  signal: AbortSignal,
  fetch: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    signal.throwIfAborted();
    return await fetch(request);
  };
}

async function temporaryDirectory(): Promise<string> {
  try {
    await removeAbandonedFolders(tmpdir(), demoFolderPrefix);
    const directory = await mkdtemp(join(tmpdir(), demoFolderPrefix));
    await chmod(directory, 0o700);
    return directory;
  } catch (error) {
    const reason = systemErrorWords(error);
    const details = `cannot create a temporary directory in ${tmpdir()}: ${reason}`;
    const hint = "Set TMPDIR to use another folder";
    throw catalogError("E305", { details }, { hint, cause: error });
  }
}
