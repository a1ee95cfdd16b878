import { isJsonObject } from "#lib/json/value.ts";
import { unwellParts } from "../platform/condition.ts";

/**
 * Values of members that another deployment does not send. The contract's schemas use them by name,
 * so that a client that has the contract as plain data has the same ones.
 */

/** Names of a person's address at other deployments. */
export const emailNames = ["mail", "userPrincipalName", "upn"] as const;

type Members = Readonly<Record<string, unknown>>;

/** The address of a member whose account is an object in it. */
function accountEmail({ user }: Members): unknown {
  if (!isJsonObject(user)) return undefined;
  return ["email", ...emailNames].map((name) => user[name]).find((one) => typeof one === "string");
}

/** The state in another deployment's terms; a successful answer without any means `ok`. */
function condition(answer: Members): string {
  const unwell = unwellParts(answer);
  if (unwell.some(({ state }) => state === "down")) return "down";
  return unwell.length === 0 ? "ok" : "degraded";
}

/** True if a diagnosis without a verdict has neither findings nor a part that is not well. */
function isHealthy(answer: Members): boolean {
  const found = answer["findings"];
  return unwellParts(answer).length === 0 && !(Array.isArray(found) && found.length > 0);
}

/** The result of a sync whose answer has only a word. */
function syncResults({ state, status }: Members): unknown {
  const word = state ?? status;
  return typeof word === "string" ? [{ backend: "all", state: word }] : [];
}

/** The backends of an answer that has only a word for each. */
function storageBackends(answer: Members): unknown {
  const words = Object.entries(answer).filter(([, word]) => typeof word === "string");
  return words.map(([backend, status]) => ({ backend, status }));
}

/** Members of a plan that names no Object Types. */
const planNames = ["plan", "indexes", "status", "state"];

function plannedTypes(answer: Members): unknown {
  return planNames.some((name) => answer[name] !== undefined) ? [] : undefined;
}

const failureWords = /fail|error|invalid|reject|conflict|denied|missing|not.?found/i;

/** The HTTP status of an item's result that has none. */
function itemStatus({ error, errors, ok, success, status }: Members): number {
  const isFailure =
    (error !== undefined && error !== null) ||
    (Array.isArray(errors) && errors.length > 0) ||
    ok === false ||
    success === false ||
    (typeof status === "string" && failureWords.test(status));
  return isFailure ? 400 : 200;
}

/** The number of results that failed, or succeeded. */
function resultsOf({ results }: Members, failed: boolean): number {
  const items: readonly unknown[] = Array.isArray(results) ? results : [];
  const isFailed = (item: unknown): boolean =>
    isJsonObject(item) && typeof item["status"] === "number" && item["status"] >= 400;
  return items.filter((item) => isFailed(item) === failed).length;
}

function isReady({ status, state }: Members): boolean {
  const word = status ?? state;
  return typeof word === "string" && /^(?:available|ready)$/i.test(word);
}

const readinessNames = new Set(["ready", "status", "state"]);

/** A verdict on all workflows, or a word or flag for each key; undefined for other answers. */
function readiness(answer: Members): unknown {
  const held = answer["data"] ?? answer["workflows"] ?? answer["items"] ?? answer;
  if (typeof held !== "object" || held === null) return undefined;
  const members = Object.entries(held);
  if (members.some(([name]) => readinessNames.has(name))) return [held];
  const rows = members.map(([workflow_key, value]) =>
    typeof value === "boolean"
      ? { workflow_key, ready: value }
      : typeof value === "string" && { workflow_key, status: value },
  );
  return rows.length > 0 && !rows.includes(false) ? rows : undefined;
}

/** Members in which deployments send the text of an answer. */
const answerNames = ["content", "text", "answer", "reply", "response", "output"];

/** The message of a reply that has only a text, also inside an object, or OpenAI's choices. */
function chatMessage(reply: Members): unknown {
  const said = [...answerNames, "message"].map((name) => reply[name]);
  const text = said.find((value) => typeof value === "string");
  if (text !== undefined) return { role: "assistant", content: text };
  for (const inner of said) {
    const found = isJsonObject(inner) ? chatMessage(inner) : undefined;
    if (found !== undefined) return found;
  }
  const { choices } = reply;
  const [first] = Array.isArray(choices) ? choices : [];
  const { message } = typeof first === "object" && first !== null ? first : {};
  return typeof message === "object" && message !== null ? message : undefined;
}

/** Each gets the other members that were read, and the position in a list. */
const fallbacks = {
  position: (_answer: Members, position: number): unknown => position,
  /** Other deployments send the thing itself. A value within itself takes seconds to write. */
  itself: (answer: Members): unknown => ({ ...answer }),
  "account email": accountEmail,
  condition,
  healthy: isHealthy,
  "sync results": syncResults,
  "storage backends": storageBackends,
  "planned types": plannedTypes,
  "item status": itemStatus,
  succeeded: (answer: Members): unknown => resultsOf(answer, false),
  failed: (answer: Members): unknown => resultsOf(answer, true),
  ready: isReady,
  readiness,
  "chat message": chatMessage,
} satisfies Record<string, (answer: Members, position: number) => unknown>;

/** The name of a fallback, or the value itself. */
export type Fallback = keyof typeof fallbacks | { readonly value: string | number };

/** The value of a member that was not sent; undefined if it can't be found. */
export function fallbackValue(fallback: Fallback, answer: Members, position: number): unknown {
  return typeof fallback === "string" ? fallbacks[fallback](answer, position) : fallback.value;
}
