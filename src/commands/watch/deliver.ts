import { inputError } from "#cli/errors.ts";
import { shown, type Shown } from "#cli/shown.ts";
import type { Output } from "#cli/output/output.ts";
import type { CloudEvent } from "#contract/platform/realtime.ts";
import { membersOf } from "#lib/json/value.ts";
import type { CommandContext } from "../kit/context.ts";
import { runChild } from "../kit/run-child.ts";

/** Prints an event as a line, or gives it to the command of `--exec`; resolves when it is done. */
export async function deliver(
  context: CommandContext,
  event: CloudEvent,
  exec: string | undefined,
): Promise<void> {
  const { environment, output, signal } = context;
  if (exec === undefined) return printLine(output, event);
  const shell = environment.platform === "win32" ? ["cmd.exe", "/d", "/s", "/c"] : ["sh", "-c"];
  const code = await runChild(context, [...shell, exec], {
    currentDirectory: environment.currentDirectory,
    variables: { ...environment.variables, ...eventVariables(event) },
    stdin: `${JSON.stringify(event)}\n`,
  });
  signal.throwIfAborted();
  if (code === 0) return;
  const details = `the command of --exec ended with exit code ${code} for the event ${event.id}`;
  throw inputError(details, "The event comes again with the next call that continues");
}

async function printLine(output: Output, event: CloudEvent): Promise<void> {
  if (output.settings.format === "text" && !output.isProjected) {
    return output.page(lineOf(output, event));
  }
  await output.rows([event]);
}

function lineOf(output: Output, { id, time, type, subject, version, data }: CloudEvent): Shown {
  const changed = membersOf(data)?.get("changed");
  const words = [
    time ?? "-",
    type.replace(/^svc\./, ""),
    subject ?? "-",
    ...(version === undefined ? [] : [`v${version}`]),
    ...(Array.isArray(changed) ? [changed.join(",")] : []),
  ];
  return shown`${words.join("  ")}  ${output.tone("dim", id)}`;
}

/** The environment of the command; a value of the platform never becomes a word of the shell. */
function eventVariables(event: CloudEvent): Record<string, string> {
  const { id, type, subject, time, version, workspaceid, svccursor } = event;
  const values = {
    SVC_EVENT_ID: id,
    SVC_EVENT_TYPE: type,
    SVC_EVENT_SUBJECT: subject,
    SVC_EVENT_TIME: time,
    SVC_EVENT_VERSION: version,
    SVC_EVENT_WORKSPACE: workspaceid,
    SVC_EVENT_CURSOR: svccursor,
  };
  // The environment of a process has no NUL.
  const texts = Object.entries(values).map(([name, value = ""]) => [
    name,
    String(value).replaceAll("\0", ""),
  ]);
  return Object.fromEntries(texts);
}
