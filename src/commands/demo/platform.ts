import { rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "#cli/environment.ts";
import { catalogError } from "#contract/errors.ts";
import { systemErrorWords } from "#lib/system-error.ts";
import type { Platform } from "#server/platform.ts";
import { inProcessUrl, startInProcess } from "../local-platform.ts";

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

/** Starts a signed-in platform with sample data in this process. `close` removes its files. */
export async function openDemo(outer: Environment): Promise<Demo> {
  const [{ seedSampleData }, { sampleDocuments }, { selectWorkspace }] = await Promise.all([
    import("#server/sample-data/seed.ts"),
    import("#server/sample-data/sample-documents.ts"),
    import("#local/profiles.ts"),
  ]);
  const directory = await temporaryDirectory();
  const remove = () => rm(directory, { recursive: true, force: true });
  // A second Ctrl-C and an unexpected error end the process without `close`.
  outer.atExit?.(() => rmSync(directory, { recursive: true, force: true }));
  let platform: Platform | undefined;
  const close = async (): Promise<void> => {
    await platform?.close();
    await remove();
  };
  try {
    platform = await startInProcess(outer, join(directory, "data"));
    const { token } = await platform.mintToken({ ttlMs: tokenTtlMs });
    const started = platform;
    const fetch = (request: Request): Promise<Response> => started.fetch(request);
    const { planningId } = await seedSampleData({ baseUrl: inProcessUrl, token, fetch });
    const configDirectory = join(directory, "config");
    await selectWorkspace({
      configDirectory,
      profile: "default",
      workspace: {
        id: planningId,
        slug: "planning",
        displayName: "Planning",
        origin: new URL(inProcessUrl).origin,
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
        variables: {
          ...outer.variables,
          BASE_URL_PUBLIC_API: inProcessUrl,
          SVC_TOKEN: token,
          SVC_CONFIG_DIR: configDirectory,
          SVC_PROFILE: undefined,
          SVC_APP_KEY: "planning-portal",
        },
        currentDirectory: argv.length === 0 ? documentsDirectory : outer.currentDirectory,
      }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function temporaryDirectory(): Promise<string> {
  try {
    const directory = await mkdtemp(join(tmpdir(), "svc-demo-"));
    await chmod(directory, 0o700);
    return directory;
  } catch (error) {
    const details = `cannot create a temporary directory in ${tmpdir()}: ${systemErrorWords(error)}`;
    const hint = "Set TMPDIR to use another folder";
    throw catalogError("E305", { details }, { hint, cause: error });
  }
}
