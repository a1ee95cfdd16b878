import { isJsonObject } from "#lib/json/value.ts";

/**
 * The condition of a platform's parts in the words of any deployment: the specification names no
 * member of a health answer or a storage status.
 */

const downWords =
  /^(?:down|fail(?:ed|ing|ure)?|un(?:healthy|available|reachable|well|ready)|not[ _-]?(?:ok|ready|healthy|available)|off(?:line)?|err(?:or(?:ed)?)?|crit(?:ical)?|fatal|red|outage|major[ _-]outage|out[ _-]of[ _-]service|dead|stopped|crash(?:ed|ing)|broken|disconnected|lost|timed?[ _-]?out|ko|nok|false|inactive|not[ _-]?serving|exception|panic(?:ked)?|refused|(?:connection|conn)[ _-]?(?:refused|reset|lost|failed)|e(?:conn\w+|timedout|hostunreach|notfound|ai_again))$/i;
const degradedWords =
  /^(?:degraded|warn(?:ing)?|partial(?:[ _-]outage)?|impaired|limited|yellow|amber|orange)$/i;

/** Members that are true for a part that works. */
const goodFlags =
  /^(?:ok|healthy|is_?healthy|up|is_?up|alive|ready|available|success|succeeded|passed|pass|connected|reachable|online)$/i;
const badFlags = /^(?:down|degraded|failed|failing|unhealthy|unavailable|offline|error)$/i;
/** Members whose items are faults. */
const faultLists = /^(?:issues|errors|faults|failures|failed|problems|unhealthy|down)$/i;
/** Members that name their object. */
const nameMembers = ["name", "backend", "component", "service", "part", "id", "key"];
/** Members whose value is the state of the object that has them. */
const stateMembers = /^(?:status|state|health|condition|result|value|text|overall)$/i;
/** Members that hold the parts, and are no part. */
const groups =
  /^(?:components|parts|checks|backends|services|details|data|dependencies|entries|results|status)$/i;
/** Groups in which a boolean is the state of the part that it is named after. */
const partGroups = /^(?:components|parts|checks|backends|services|dependencies|entries)$/i;
const longestWalk = 6;

/** A part that is not well; the platform as a whole has no name. */
export interface UnwellPart {
  readonly name: string;
  readonly state: "down" | "degraded";
  /** The state in the deployment's own words. */
  readonly word: string;
  readonly detail: string | undefined;
}

/** `down` or `degraded` for a word that means it; undefined for other words. */
function unwellState(word: string): UnwellPart["state"] | undefined {
  const text = word.trim();
  if (downWords.test(text)) return "down";
  return degradedWords.test(text) ? "degraded" : undefined;
}

/** The parts of an answer that are not well, with the whole last. */
export function unwellParts(answer: unknown, name = "", depth = 0, group = ""): UnwellPart[] {
  if (depth > longestWalk) return [];
  if (typeof answer === "string") return unwellWord(answer, name);
  if (Array.isArray(answer)) {
    return answer.flatMap((item: unknown) => unwellParts(item, name, depth + 1));
  }
  if (!isJsonObject(answer)) return [];
  const own = nameMembers.map((member) => answer[member]).find(isText) ?? name;
  const detail = [answer["detail"], answer["message"], answer["reason"]].find(isText);
  const inner: UnwellPart[] = [];
  const whole: UnwellPart[] = [];
  for (const [member, value] of Object.entries(answer)) {
    if (nameMembers.includes(member)) continue;
    if (value === false && partGroups.test(group)) {
      inner.push({ name: member, state: "down", word: "false", detail: undefined });
      continue;
    }
    const found = memberParts(member, value, own, depth);
    const isWhole = stateMembers.test(member) || typeof value === "boolean";
    (isWhole ? whole : inner).push(...found);
  }
  const [first] = whole;
  // A part is named once, and the whole only after its parts.
  return first === undefined ? inner : [...inner, { ...first, detail: first.detail ?? detail }];
}

/** Words of a part that works, where its member has the part's name. */
const goodWords =
  /^(?:ok(?:ay)?|healthy|up|alive|ready|available|pass(?:ed|ing)?|connected|reachable|online|active|operational|running|serving|normal|good|green)$/i;

/** True if an answer states any condition; `{}` and an answer with a version alone state none. */
export function statesCondition(answer: unknown, depth = 0): boolean {
  if (depth > longestWalk) return false;
  if (typeof answer === "string") return answer.trim() !== "";
  if (unwellParts(answer).length > 0) return true;
  if (Array.isArray(answer))
    return answer.some((item: unknown) => statesCondition(item, depth + 1));
  if (!isJsonObject(answer)) return false;
  return Object.entries(answer).some(([member, value]) => {
    const isState = stateMembers.test(member) || goodFlags.test(member);
    if (isState && (isText(value) || typeof value === "boolean")) return true;
    if (typeof value === "boolean") return badFlags.test(member) || value;
    if (typeof value === "string") return goodWords.test(value.trim());
    if (!Array.isArray(value)) return statesCondition(value, depth + 1);
    if (faultLists.test(member)) return true;
    return value.some((item: unknown) => isJsonObject(item) && statesCondition(item, depth + 1));
  });
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function unwellWord(word: string, name: string): UnwellPart[] {
  const state = unwellState(word);
  return state === undefined ? [] : [{ name, state, word, detail: undefined }];
}

function memberParts(member: string, value: unknown, own: string, depth: number): UnwellPart[] {
  if (typeof value === "boolean") {
    const isState = goodFlags.test(member) || stateMembers.test(member);
    const isBad = value ? badFlags.test(member) : isState;
    const word = `${member}: ${value}`;
    return isBad ? [{ name: own, state: "down", word, detail: undefined }] : [];
  }
  if (Array.isArray(value) && faultLists.test(member)) {
    return value.map((fault: unknown) => faultOf(member, fault, own));
  }
  if (typeof value === "object") {
    return unwellParts(value, groups.test(member) ? own : member, depth + 1, member);
  }
  if (typeof value !== "string") return [];
  const isState = stateMembers.test(member) || goodFlags.test(member);
  return unwellWord(value, isState ? own : member);
}

function faultOf(member: string, fault: unknown, own: string): UnwellPart {
  const members = isJsonObject(fault) ? fault : {};
  const name = nameMembers.map((each) => members[each]).find(isText);
  const detail = [members["detail"], members["message"], fault].find(isText);
  return { name: name ?? own, state: "degraded", word: member, detail };
}
