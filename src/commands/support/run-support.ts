import { failureDocument } from "#cli/failure.ts";
import { missingField, usageError, usageFormatError } from "#cli/errors.ts";
import type { Output } from "#cli/output/output.ts";
import { shown } from "#cli/shown.ts";
import { CatalogError, exitCodes } from "#contract/errors.ts";
import { supportChatUrl, type OrganisationLocation } from "#contract/platform/support.ts";
import { allocateContextFile, removeOldContextFiles } from "#local/configuration/context-files.ts";
import { readLastError } from "#local/configuration/last-error.ts";
import type { Settings } from "#local/surface.ts";
import type { CommandContext } from "../kit/context.ts";
import { askLine, canAsk } from "../kit/input/confirm.ts";
import { openBrowser } from "../kit/sign-in/browser.ts";
import { harnessBlock, parseHarness, readContext } from "./harness.ts";
import { buildReport, type Report } from "./report.ts";
import { reportRedactor } from "./secrets.ts";
import { createDraft, websiteOrigin, type DraftOutcome } from "./website.ts";

const shortestDescription = 10;
const longestDescription = 6_000;

export interface SupportOptions {
  readonly description?: string;
  readonly source?: "eai-cli" | "harness";
  readonly tool?: string;
  readonly "tool-version"?: string;
  readonly command?: string;
  readonly "exit-code"?: number;
  readonly "error-code"?: string;
  readonly "create-context-file": boolean;
  readonly "context-file"?: string;
  readonly "organisation-location"?: OrganisationLocation;
  readonly "no-last-error": boolean;
  readonly yes: boolean;
  readonly "approved-digest"?: string;
  readonly decline: boolean;
  readonly "no-open": boolean;
}

/** One call of `svc support`, whose settings do not come from a project. */
interface SupportCall {
  readonly options: SupportOptions;
  readonly context: CommandContext;
  readonly settings: Settings;
  readonly website: string;
}

/** The result without a draft; every one names the chat. */
interface Result {
  readonly status: string;
  readonly words: string;
  readonly exitCode: number;
  readonly report?: Report;
}

/** Runs the command with checked options. Resolves to the exit code. */
export async function runSupport(options: SupportOptions, given: CommandContext): Promise<number> {
  checkOptions(options);
  // The project's folder may be hostile: it must not choose where reports and tokens go.
  const context = given.withoutProject();
  const settings = await context.settings();
  const configDirectory = settings.configDirectory.value;
  await removeOldContextFiles(configDirectory, Date.now());
  if (options["create-context-file"]) {
    const contextFile = await allocateContextFile(configDirectory);
    await context.output.data({ contextFile }, () => shown`${contextFile}`);
    return exitCodes.done;
  }
  const website = websiteOrigin(context.environment.variables, settings);
  const call: SupportCall = { options, context, settings, website };
  if (options.decline) {
    const words = "Nothing was sent";
    return noDraft(call, { status: "declined", words, exitCode: exitCodes.done });
  }
  try {
    const report = await reportOf(call, given);
    return options.yes ? await sendApproved(call, report) : await preview(call, report);
  } catch (error) {
    if (!(error instanceof CatalogError) || !isContextError(error)) throw error;
    return failed(call, error);
  }
}

function isContextError({ code }: CatalogError): boolean {
  return code.startsWith("context_");
}

function checkOptions(options: SupportOptions): void {
  const file = options["context-file"];
  if (file !== undefined && sourceOf(options) !== "harness") {
    throw usageError(
      "--context-file needs the harness source",
      "Add `--source harness`, or `--tool` with the harness's name",
    );
  }
  const digest = options["approved-digest"];
  if (digest !== undefined && !/^[0-9a-f]{64}$/i.test(digest)) {
    throw usageFormatError("--approved-digest", "64 hexadecimal digits (SHA-256)");
  }
}

function sourceOf({ source, tool }: SupportOptions): "eai-cli" | "harness" {
  return source ?? (tool === undefined ? "eai-cli" : "harness");
}

async function reportOf(call: SupportCall, given: CommandContext): Promise<Report> {
  const { options, context, settings, website } = call;
  const configDirectory = settings.configDirectory.value;
  const file = options["context-file"];
  const harness = file === undefined ? undefined : parseHarness(await readContext(context, file));
  const redactor = await reportRedactor(given, configDirectory);
  const lastError = options["no-last-error"]
    ? undefined
    : await readLastError(configDirectory, Date.now());
  const description = options.description && redactor.redact(options.description).trim();
  checkDescription(description);
  return buildReport(
    {
      website,
      source: sourceOf(options),
      workspaceId: settings.workspace?.value.id,
      platform: context.environment.platform,
      tool: options.tool,
      toolVersion: options["tool-version"],
      command: options.command,
      exitCode: options["exit-code"],
      errorCode: options["error-code"],
      description,
      lastError,
      harness: harness && harnessBlock(harness, (text) => redactor.redact(text)),
    },
    redactor,
  );
}

function checkDescription(description: string | undefined): void {
  if (description === undefined) return;
  const length = Array.from(description).length;
  if (length >= shortestDescription && length <= longestDescription) return;
  throw usageError(
    `--description has ${length} characters after redaction`,
    `Expected ${shortestDescription} to ${longestDescription} characters`,
  );
}

/** Shows the report. On a terminal it asks for consent, and goes on with it. */
async function preview(call: SupportCall, report: Report): Promise<number> {
  const { context } = call;
  const { output } = context;
  const state = await (await context.session()).state();
  if (!state.signedIn || (state.expired && !state.renewable)) return signedOut(call, report);
  if (!canAsk(context)) return consentRequired(call, report);
  await showReport(output, report);
  const answer = await askLine(context, shown`Send this report to ${call.website}? [y/N] `);
  if (/^y(es)?$/i.test(answer)) return send(call, report);
  const words = "Nothing was sent";
  return noDraft(call, { status: "declined", words, exitCode: exitCodes.done });
}

async function consentRequired(call: SupportCall, report: Report): Promise<number> {
  const { output } = call.context;
  const next = `--yes --approved-digest ${report.bundleDigest}`;
  if (output.isJson) {
    const exitCode = exitCodes.done;
    return noDraft(call, { status: "consent_required", words: "", exitCode, report });
  }
  await showReport(output, report);
  throw missingField("--yes", `To send this report, repeat the command with ${next}`);
}

async function sendApproved(call: SupportCall, report: Report): Promise<number> {
  const approved = call.options["approved-digest"]?.toLowerCase();
  if (approved === report.bundleDigest) return send(call, report);
  const words = "The report is no longer the approved one: nothing was sent. Look at it again";
  return noDraft(call, { status: "consent_stale", words, exitCode: exitCodes.failed });
}

async function send(call: SupportCall, report: Report): Promise<number> {
  const { context, options, settings, website } = call;
  const { environment, signal } = context;
  let token: string;
  try {
    token = await (await context.session()).token();
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return error.exitCode === exitCodes.signInNeeded
      ? signedOut(call, report)
      : failed(call, error);
  }
  const workspaceId = settings.workspace?.value.id;
  const outcome = await createDraft({
    website,
    token,
    request: {
      bundle: report.bundle,
      bundleDigest: report.bundleDigest,
      workspaceId,
      organisationLocation:
        workspaceId === undefined ? options["organisation-location"] : undefined,
    },
    fetch: environment.fetch,
    signal,
  });
  return resultOf(call, report, outcome);
}

async function resultOf(call: SupportCall, report: Report, outcome: DraftOutcome): Promise<number> {
  switch (outcome.status) {
    case "created":
      return created(call, outcome);
    case "signed_out":
      return signedOut(call, report);
    case "failed":
      return failed(call, outcome.error);
    case "region_required": {
      const words =
        "The website needs a location: add --organisation-location apac, emea or americas, " +
        "or choose a workspace with `svc workspace select`";
      return noDraft(call, { status: outcome.status, words, exitCode: exitCodes.failed });
    }
  }
}

/** Prints the report with its indents, also where a terminal wraps its lines. */
async function showReport(output: Output, { previewText }: Report): Promise<void> {
  await output.data({}, () =>
    previewText.split("\n").map((line) => {
      const text = line.trimStart();
      const indent = line.length - text.length;
      return output.hanging(shown`${text}`, indent + 2, indent);
    }),
  );
}

async function created(
  { context, options }: SupportCall,
  { status, url, expiresAt }: Extract<DraftOutcome, { status: "created" }>,
): Promise<number> {
  const { output, environment } = context;
  await output.data({ status, url, expiresAt }, () => [shown`${url}`, shown`expires ${expiresAt}`]);
  if (!options["no-open"] && !(await openBrowser(environment, url))) {
    await output.note(shown`No browser could be opened: open the address above. It works once`);
  }
  return exitCodes.done;
}

async function signedOut(call: SupportCall, report: Report): Promise<number> {
  const { output } = call.context;
  if (!output.isJson) await showReport(output, report);
  const words = "Not signed in: nothing was sent. Run `svc login`";
  return noDraft(call, { status: "signed_out", words, exitCode: exitCodes.signInNeeded, report });
}

async function failed(call: SupportCall, error: CatalogError): Promise<number> {
  const chatUrl = supportChatUrl(call.website);
  const { output } = call.context;
  if (!output.isJson) {
    await output.note(shown`Chat: ${chatUrl}`);
    throw error;
  }
  const document = { status: "failed", ...failureDocument(error, error.exitCode), chatUrl };
  await output.data(document, () => []);
  return error.exitCode;
}

async function noDraft(
  call: SupportCall,
  { status, words, exitCode, report }: Result,
): Promise<number> {
  const { output } = call.context;
  const chatUrl = supportChatUrl(call.website);
  const facts =
    report === undefined
      ? {}
      : { previewText: report.previewText, bundleDigest: report.bundleDigest };
  if (output.isJson) await output.data({ status, ...facts, chatUrl }, () => []);
  else await output.note(shown`${words}\nChat: ${chatUrl}`);
  return exitCode;
}
