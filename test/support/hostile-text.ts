/** Text that acts on a terminal in each known way; `marked` ends up in what is shown of it. */
export const hostile: string =
  "marked\x1b]52;c;cm0=\x07\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\" +
  "\x1b]0;title\x07\x1b[45m\x1b[4m\x1b[2J\x1b[1;1H\x1bP1$r0m\x1b\\\x1b_x\x1b\\\x1bc" +
  "\x9b45m\x9d52;c;cm0=\x9c\x90q\x9c\x85\u202egnp\u2066\u200b\u2060\ufeff\u{e0041}" +
  "\x00\x08\x7f\u2028\r\nforged line\rforged again\x1b";

/** The pieces of it: a piece may open a sequence that the next one, or the text after it, ends. */
const pieces = hostile.slice("marked".length).split(/(?=[\x1b\x90\x9b-\x9f\u202e\0\r])/);

function shuffled(seed: number): string {
  let state = seed;
  const left = [...pieces];
  let text = "";
  while (left.length > 0) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += left.splice(Math.floor((state / 2_147_483_648) * left.length), 1).join("");
  }
  return `marked${text}`;
}

/** Five hundred hostile texts; the first one has its pieces in the usual order. */
const hostileTexts: readonly string[] = [
  hostile,
  ...Array.from({ length: 499 }, (_, seed) => shuffled(seed + 1)),
];

/** One of the hostile texts for a value, the same one each time: names stay equal. */
export function hostileFor(value: string): string {
  const place = Number(Bun.hash(value) % BigInt(hostileTexts.length));
  return hostileTexts[place] ?? hostile;
}

/** Characters that a header's value can carry over the wire. */
const hostileHeader = "marked\x1b]52;c;cm0=\x07\x1b]8;;x\x07\x1b[45m\x9b2J\x08\x7f\xad";

export interface Poison {
  /** Whether a text is replaced, by the name of its member. */
  takes(name: string): boolean;
  /** The text that is added; the usual one unless given. */
  readonly text?: (value: string) => string;
}

/** Texts by which programs find, compare or count are left as they are: the rest is shown. */
export const shownTexts: Poison = {
  takes: (name) =>
    !/(?:^|_|[a-z])(?:id|ids|at|url|role|status|state|slug|type|types|version|cursor|digest|sha256|key|oid|index|mode|backend|op|path)$/i.test(
      name,
    ),
};

export const allTexts: Poison = { takes: () => true };

/** Members whose names come from outside too. */
const namedFromOutside = new Set([
  "data",
  "properties",
  "components",
  "removed",
  "group",
  "fields",
]);

/** The JSON value with hostile text in each text, and with hostile names. */
function poisoned(value: unknown, poison: Poison, name = ""): unknown {
  if (typeof value === "string") {
    return poison.takes(name) ? value + (poison.text?.(value) ?? hostile) : value;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => poisoned(item, poison, name));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => [
    key,
    poisoned(member, poison, key),
  ]);
  const made: Record<string, unknown> = Object.fromEntries(members);
  const [first] = Object.values(made);
  if (namedFromOutside.has(name)) made[`named ${hostile}`] = first ?? hostile;
  return made;
}

/** Each event of a stream with poisoned JSON, or with hostile text. */
function poisonedEvents(text: string, poison: Poison): string {
  return text.replace(/^data: ?(.*)$/gm, (_line, data: string) => {
    if (data === "[DONE]") return "data: [DONE]";
    const value = parsed(data);
    if (value === undefined) return `data: ${data}${hostile.replaceAll(/[\r\n\x85\u2028]/g, " ")}`;
    return `data: ${JSON.stringify(poisoned(value, poison))}`;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The response with hostile texts in its body and its headers. */
export async function poisonedResponse(response: Response, poison: Poison): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  headers.delete("content-encoding");
  headers.set("x-request-id", hostileHeader);
  headers.set("x-hostile", hostileHeader);
  headers.set("deprecation", "@1700000000");
  headers.set("link", `<https://docs.example/${hostileHeader}>; rel="deprecation"`);
  const { status } = response;
  if (status === 204 || status === 304) return new Response(null, { status, headers });
  const type = response.headers.get("content-type") ?? "";
  const bytes = await response.bytes();
  const text = new TextDecoder().decode(bytes);
  if (type.includes("event-stream")) {
    return new Response(poisonedEvents(text, poison), { status, headers });
  }
  const value = type.includes("json") ? parsed(text) : undefined;
  if (value !== undefined) {
    return new Response(JSON.stringify(poisoned(value, poison)), { status, headers });
  }
  return new Response(type.startsWith("text/") ? text + hostile : bytes, { status, headers });
}

const invisible =
  /[\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

/** Characters that a terminal acts on or hides, without the program's own sequences. */
export function foreignSequences(raw: string, own: RegExp): string[] {
  const rest = raw.replaceAll(own, "");
  const found = new RegExp(
    `[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029]|${invisible.source}`,
    "gu",
  );
  return [...rest.matchAll(found)].map(({ index }) =>
    JSON.stringify(rest.slice(Math.max(0, index - 40), index + 20)),
  );
}
