import { Shown, shown } from "#cli/shown.ts";
import { join } from "node:path";
import * as z from "zod";
import type { Environment, OutputStream } from "#cli/environment.ts";
import { documentJob } from "#contract/documents/jobs.ts";
import { documentRecord } from "#contract/documents/records.ts";
import { uploadAccepted } from "#contract/documents/upload.ts";
import { chatReply } from "#contract/documents/chat.ts";
import { exitCodes } from "#contract/errors.ts";
import { membership } from "#contract/access/identity.ts";
import { listBody } from "#contract/lists.ts";
import { resource } from "#contract/resources/resources.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import type { CommandContext } from "../kit/context.ts";
import type { Demo } from "./platform.ts";

const jobTimeoutSeconds = 120;

class StepFailed extends Error {
  override readonly name = "StepFailed";
}

function memoryStream(): OutputStream & { text(): string } {
  const decoder = new TextDecoder();
  let text = "";
  return {
    isTerminal: false,
    columns: 80,
    write: (chunk) => {
      text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
      return Promise.resolve();
    },
    text: () => text,
  };
}

interface Step {
  readonly command: string;
  /** The result, or the failure that ended the tour. */
  readonly outcome: string;
}

/** Runs commands as a script would, and checks their answers. */
class Tour {
  readonly steps: Step[] = [];
  #command = "";

  constructor(
    private readonly demo: Demo,
    private readonly context: CommandContext,
  ) {}

  /** Prints a line of the tour; JSON mode prints only the steps. */
  async say(line: Shown): Promise<void> {
    if (this.context.output.isJson) return;
    await this.context.environment.stdout.write(`${line.toString()}\n`);
  }

  /** Runs `svc <words> --format json`. An exit code other than 0 ends the tour. */
  async svc<Schema extends z.ZodType>(
    words: readonly string[],
    schema: Schema,
  ): Promise<z.output<Schema>> {
    this.#command = `svc ${words.map(shellWord).join(" ")}`;
    await this.say(shown`\n$ ${this.#command}`);
    const stdout = memoryStream();
    const stderr = memoryStream();
    const environment: Environment = {
      ...this.demo.environment([...words, "--format", "json"]),
      stdout,
      stderr,
    };
    const exitCode = await this.context.runSvc(environment);
    this.context.signal.throwIfAborted();
    const answer: unknown = JSON.parse(stdout.text() || "null");
    if (exitCode !== exitCodes.done) {
      const failure = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
      const known = failure.safeParse(answer);
      const reason = known.success
        ? `${known.data.error.code}: ${known.data.error.message}`
        : stderr.text().trim();
      throw new StepFailed(`exit code ${exitCode}: ${reason}`);
    }
    const parsed = schema.safeParse(answer);
    if (!parsed.success) throw new StepFailed(`an unexpected answer: ${parsed.error.message}`);
    return parsed.data;
  }

  async done(outcome: string, ok = true): Promise<void> {
    const { output } = this.context;
    this.steps.push({ command: this.#command, outcome });
    const sign = ok ? output.tone("good", "✓") : output.tone("danger", "✗");
    await this.say(shown`${sign} ${outcome}`);
  }

  /** Prints all steps as one JSON value in JSON mode. */
  async end(ok: boolean): Promise<void> {
    const { output } = this.context;
    if (output.isJson) await output.data({ ok, steps: this.steps }, () => []);
  }

  expect(holds: boolean, words: string): void {
    if (!holds) throw new StepFailed(words);
  }
}

async function visit(tour: Tour, demo: Demo): Promise<void> {
  const me = await tour.svc(
    ["whoami"],
    z.looseObject({ signedIn: z.literal(true), email: z.string() }),
  );
  await tour.done(`signed in as ${me.email}`);

  const workspaces = await tour.svc(
    ["workspace", "list", "--all"],
    z.looseObject({ items: z.array(membership) }),
  );
  const slugs = workspaces.items.map((item) => item.slug);
  tour.expect(slugs.includes("planning"), "the workspace `planning` is missing");
  await tour.done(`${slugs.length} workspaces: ${slugs.join(", ")}`);

  await tour.svc(["workspace", "select", "planning"], z.looseObject({}));
  await tour.done("the next commands work in `planning`");

  const type = "planning-application";
  const list = await tour.svc(["resources", "list", type, "--limit", "3"], listBody(resource));
  const [example] = list.items;
  if (example === undefined) throw new StepFailed("there are no sample records");
  tour.expect(list.items.length === 3, `expected 3 records, got ${list.items.length}`);
  const references = list.items.map((item) => String(item.data["reference"]));
  await tour.done(`newest first: ${references.join(", ")}`);

  const data = { ...example.data, ...demo.tour.recordData };
  const created = await tour.svc(
    ["resources", "create", type, "--data", JSON.stringify(data)],
    resource,
  );
  tour.expect(created.version === 1, "a new record has version 1");
  await tour.done(`created ${String(created.data["reference"])} with ID ${created.id}`);

  const path = join(demo.documentsDirectory, demo.tour.filename);
  const accepted = await tour.svc(
    ["docs", "upload", path, "--planning-application-id", created.id],
    uploadAccepted,
  );
  const documentId = accepted.documentId;
  if (documentId === undefined) throw new StepFailed("the upload names no document");
  await tour.done(`accepted as ${accepted.documentNumber ?? documentId}, not yet processed`);

  const job = await tour.svc(
    ["docs", "job", accepted.jobId, "--wait", "--timeout", String(jobTimeoutSeconds)],
    documentJob,
  );
  const stages = (job.stages ?? []).map((stage) => `${stage.name} ${stage.status}`);
  tour.expect(job.status === "succeeded", `the job ended as ${job.status}`);
  await tour.done(stages.join(", "));

  const record = await tour.svc(["docs", "get", documentId], documentRecord);
  tour.expect(record.filename === demo.tour.filename, "the record has another file name");
  const label = record.classification?.label ?? "nothing";
  const fieldCount = Object.keys(record.fields ?? {}).length;
  await tour.done(
    `${record.pages ?? 0} pages, classified as ${label}, ${fieldCount} fields extracted`,
  );

  await askAbout(tour, demo, documentId);
}

async function askAbout(tour: Tour, demo: Demo, documentId: string): Promise<void> {
  const { question, workflow } = demo.tour;
  const ask = ["chat", "send", question, "--workflow", workflow, "--document-id", documentId];
  const reply = await tour.svc(ask, chatReply);
  const [citation] = reply.citations ?? [];
  if (citation === undefined) throw new StepFailed("the answer cites nothing");
  tour.expect(citation.documentId === documentId, "the answer cites another document");
  tour.expect(
    reply.message.content.includes(demo.tour.answerContains),
    `the answer does not contain "${demo.tour.answerContains}"`,
  );
  await tour.say(Shown.block(reply.message.content));
  const source = citation.filename ?? citation.documentId;
  await tour.done(`quoted verbatim from ${source}, page ${citation.page ?? 1}`);
}

/** Runs the main steps as commands. Returns exit code 0 only when every step succeeded. */
export async function takeTour(demo: Demo, context: CommandContext): Promise<number> {
  const tour = new Tour(demo, context);
  await tour.say(shown`A tour of svc on a platform with sample data in a temporary directory.`);
  try {
    await visit(tour, demo);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    await tour.done(error.message, false);
    if (!context.output.isJson) {
      await context.output.note(shown`The tour stopped here. Help: \`svc demo --help\``);
    }
    await tour.end(false);
    return exitCodes.failed;
  }
  await tour.say(shown`\nEvery step succeeded. On a terminal, \`svc demo\` opens the dashboard.`);
  await tour.end(true);
  return exitCodes.done;
}
