import type { DeliveryAttempt } from "#contract/events/webhooks.ts";
import { raw, statement, type Statement } from "../../../database/statement.ts";
import type { DeliveryRecord } from "../delivery-store.ts";

/**
 * The assignments that add an attempt to the log of a delivery. They append to what the row has
 * now: an erasure during the attempt has removed the earlier answers.
 */
export function loggedAttempt(
  number: number,
  { responseBody, ...attempt }: DeliveryAttempt,
): Statement {
  const answer = responseBody ? line([number, responseBody]) : "";
  return statement`${appended("attempt_log", line([number, attempt]))},
    ${appended("attempt_answers", answer)}`;
}

function line(value: readonly [number, string | DeliveryAttempt]): string {
  return `${JSON.stringify(value)}\n`;
}

function appended(column: string, text: string): Statement {
  return statement`${raw(column)} = coalesce(${raw(column)}, '') || ${text}`;
}

type Log = Pick<DeliveryRecord, "attempt_log" | "attempt_answers">;

/** The attempts of a delivery, the first one first. */
export function attemptsOf({ attempt_log: log, attempt_answers: answers }: Log): DeliveryAttempt[] {
  const bodies = new Map(linesOf<string>(answers));
  return linesOf<DeliveryAttempt>(log).map(([number, attempt]) => ({
    ...attempt,
    responseBody: bodies.get(number) ?? null,
  }));
}

/** Only this file writes the lines. */
function linesOf<Value>(text: string | null): (readonly [number, Value])[] {
  const lines = (text ?? "").split("\n").filter((each) => each !== "");
  return lines.map((each) => JSON.parse(each) as readonly [number, Value]);
}
