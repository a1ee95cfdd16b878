import { CatalogError } from "#contract/errors.ts";
import type { JsonObject } from "#contract/values.ts";
import { readJob } from "#lib/job-outcome.ts";
import { TimeLimit } from "#lib/time/time-limit.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { sleep } from "#lib/time/sleep.ts";
import { failedAnswer, toolAnswer, type ToolAnswer } from "./answer.ts";
import type { AgentHost } from "./host.ts";
import { longestWaitSeconds, waitArgument } from "./tool-arguments.ts";
import { ArgumentFault, toolRequest } from "./tool-request.ts";
import type { AgentTool } from "./tools.ts";

/** Limit of one request to the platform. */
const requestLimitMs = 60_000;
/** Time between two looks at a job. */
const pollIntervalMs = 500;
/** The protocol wants each report above the one before, also while a job stands still. */
const leastStep = 0.005;
/** Largest report of a job that has not ended; the steps of the longest wait stay below 100. */
const greatestProgress = 99;

/** Reports how far a waiting call has come, from 0 to 100. */
type ReportProgress = (percent: number, message: string) => Promise<void>;

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly report?: ReportProgress;
  /** The arguments of the tool, from those of a declared route. */
  readonly argumentsOf?: (given: Readonly<JsonObject>) => JsonObject;
}

/** Calls a tool with the host's rights. Rejects only when `signal` is aborted. */
export async function callTool(
  host: AgentHost,
  tool: AgentTool,
  given: Readonly<JsonObject>,
  { signal, report, argumentsOf }: CallOptions,
): Promise<ToolAnswer> {
  try {
    if (argumentsOf !== undefined) return await callOnce(host, tool, argumentsOf(given), signal);
    const wait = given[waitArgument.name];
    if (wait === undefined || tool.route.events === undefined) {
      return await callOnce(host, tool, given, signal);
    }
    return await callUntilFinal(host, tool, given, { signal, report, waitMs: waitMsOf(wait) });
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ArgumentFault) return failedAnswer(`Invalid arguments: ${error.message}.`);
    // The catalog's message has no stack and no secret.
    if (error instanceof CatalogError) {
      const hint = error.hint === undefined ? "" : ` ${error.hint}.`;
      return failedAnswer(`${error.code}: ${error.message}.${hint}`);
    }
    if (error instanceof DOMException && error.name === "TimeoutError") {
      return failedAnswer(
        "The platform did not answer in time. A change may still have happened: read before " +
          "repeating it.",
      );
    }
    return failedAnswer(
      "The call failed. A change may still have happened: read before repeating it.",
    );
  }
}

function waitMsOf(value: unknown): number {
  const isWhole = typeof value === "number" && Number.isInteger(value);
  if (isWhole && value >= 0 && value <= longestWaitSeconds) return value * 1000;
  throw new ArgumentFault(`waitSeconds must be a whole number from 0 to ${longestWaitSeconds}`);
}

async function callOnce(
  host: AgentHost,
  tool: AgentTool,
  given: Readonly<JsonObject>,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const request = toolRequest(tool, given, host.workspaceId);
  const limit = new TimeLimit(requestLimitMs, signal);
  try {
    const response = await host.send({ ...request, signal: limit.signal });
    return await toolAnswer(tool, response, host.secrets);
  } finally {
    limit.close();
  }
}

/** A job of any deployment: each may name its state and its stages in its own way. */
function jobOf({ status, state, percentCompleted, stages }: Readonly<Record<string, unknown>>) {
  return {
    status,
    state,
    percentCompleted,
    stages: Array.isArray(stages) ? stages.filter(isJsonObject) : [],
  };
}

/** Looks again until the job has ended, or the time has. */
async function callUntilFinal(
  host: AgentHost,
  tool: AgentTool,
  given: Readonly<JsonObject>,
  options: {
    readonly signal: AbortSignal;
    readonly report: ReportProgress | undefined;
    readonly waitMs: number;
  },
): Promise<ToolAnswer> {
  const endsAtMs = performance.now() + options.waitMs;
  let progress = -leastStep;
  for (;;) {
    const answer = await callOnce(host, tool, given, options.signal);
    if (answer.structuredContent === undefined) return answer;
    const { percentCompleted } = answer.structuredContent;
    const {
      outcome,
      isActive,
      word = "in no named state",
    } = readJob(jobOf(answer.structuredContent));
    if (outcome !== "pending" && !isActive) return answer;
    if (performance.now() + pollIntervalMs >= endsAtMs) return answer;
    const percent = typeof percentCompleted === "number" ? percentCompleted : 0;
    progress = Math.max(Math.min(percent, greatestProgress), progress + leastStep);
    await options.report?.(progress, word);
    await sleep(pollIntervalMs, options.signal);
  }
}
