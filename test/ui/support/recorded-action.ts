import type { Client } from "#client/index.ts";
import type { Action, CommandWords } from "#ui/kit/places/action.ts";

/** The words of an action's question, the call of the client that it makes, and its message. */
export interface RecordedAction {
  readonly title: string | undefined;
  readonly effects: readonly string[] | undefined;
  readonly command: CommandWords | undefined;
  readonly typed: string | undefined;
  readonly calls: readonly (readonly [name: string, ...inputs: unknown[]])[];
  readonly done: string | { readonly failed: string };
}

type Calls = [name: string, ...inputs: unknown[]][];

/** A client that notes its calls; each of them has this answer. */
export function recordingClient(calls: Calls, answer: unknown, name = ""): Client {
  const target = (): undefined => undefined;
  const client: unknown = new Proxy(target, {
    get: (_target, member) =>
      recordingClient(calls, answer, `${name}${name === "" ? "" : "."}${String(member)}`),
    apply: (_target, _this, inputs: unknown[]) => {
      if (/^use[A-Z]\w*$/.test(name)) return recordingClient(calls, answer, name);
      calls.push([name, ...inputs]);
      return Promise.resolve(answer);
    },
  });
  // Only its calls are read, whatever its type is.
  return client as Client;
}

/** Runs an action in the workspace `w`. */
export async function recorded<Subject, Answer>(
  action: Action<Subject, Answer>,
  subject: Subject,
  answer: unknown = {},
): Promise<RecordedAction> {
  const calls: Calls = [];
  const { question } = action;
  const given = await action.run(recordingClient(calls, answer), subject, "w");
  return {
    title: question?.title(subject),
    effects: question?.effects(subject, "w"),
    command: question?.command?.(subject) ?? question?.platformCommand?.(subject),
    typed: question?.typed?.(subject),
    calls,
    done: action.done(subject, given),
  };
}
