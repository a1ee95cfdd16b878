/** The treatment of each request of a command by a hostile or broken server. */
export interface Attack {
  readonly name: string;
  /**
   * The answer proves that a write was done, that a route without an answer was called, that bytes
   * of a file came, or nothing. Other commands may claim no success.
   */
  readonly proves: "a write" | "a receipt" | "bytes" | "nothing";
  /** The raw bytes of an answer; the connection is closed after the last one. */
  answer(request: AttackedRequest): Iterable<string | Uint8Array>;
}

export interface AttackedRequest {
  readonly method: string;
  readonly target: string;
  /** Address of another server, which must get no token. */
  readonly elsewhere: string;
}

const page = "<!doctype html><html><title>Welcome to Station Wi-Fi</title></html>";
const megabyte = "x".repeat(1_000_000);
/** No answer is read further than this. */
const endless = 400;

function whole(status: string, type: string, body: string, fields = ""): string[] {
  const length = Buffer.byteLength(body);
  return [
    `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n` +
      `connection: close\r\n${fields}\r\n${body}`,
  ];
}

const json = (body: string, status = "200 OK"): string[] => whole(status, "application/json", body);
const problemOf = (status: string, body: string): string[] =>
  whole(status, "application/problem+json", body, "retry-after: 0\r\n");

function* endlessJson(): Generator<string> {
  yield "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n" + '{"items":[{"id":"';
  for (let at = 0; at < endless; at += 1) yield megabyte;
}

function compressedBomb(): Uint8Array[] {
  const bomb = Bun.gzipSync(new Uint8Array(300_000_000));
  const head =
    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n" +
    `content-length: ${bomb.length}\r\nconnection: close\r\n\r\n`;
  return [Buffer.from(head), bomb];
}

let bomb: Uint8Array[] | undefined;

const hidden = "\x1b]52;c;cm0=\x07\x1b[2J\x9b31m\u202e";
const hostileProblem = JSON.stringify({
  type: hidden,
  title: hidden,
  status: 422,
  detail: `no ${hidden}`,
  code: hidden,
  errors: [{ pointer: hidden, detail: hidden }],
});

type Listed = readonly [name: string, proves: Attack["proves"], answer: Attack["answer"]];

const listed: readonly Listed[] = [
  ["a captive portal's page", "nothing", () => whole("200 OK", "text/html; charset=utf-8", page)],
  ["a page that claims to be JSON", "bytes", () => json(page)],
  // Frameworks answer a handler that returns nothing with null.
  // The interface leaves most bodies open: deployments answer with a text, or a bare list.
  ["a text", "a write", () => whole("200 OK", "text/plain", "Welcome!")],
  ["null", "a receipt", () => json("null")],
  ["a list", "a write", () => json("[]")],
  ["a number beyond every bound", "bytes", () => json("1e999")],
  [
    "half of a body",
    "nothing",
    () => json('{"items":[{"id":"a"').map((text) => text.replace(/length: \d+/, "length: 90")),
  ],
  [
    "a cut chunk",
    "nothing",
    () => [
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n40\r\n{"id":',
    ],
  ],
  ["no byte", "nothing", () => []],
  ["noise", "nothing", () => ["\x00\x01\x02 nothing that HTTP knows\r\n\r\n"]],
  ["a status that does not exist", "nothing", () => json("{}", "999 Odd")],
  [
    "a redirect to another server",
    "nothing",
    ({ elsewhere, target }) =>
      whole("307 Temporary Redirect", "text/plain", "", `location: ${elsewhere}${target}\r\n`),
  ],
  [
    "a redirect to itself",
    "nothing",
    ({ target }) => whole("308 Permanent Redirect", "text/plain", "", `location: ${target}\r\n`),
  ],
  ["400 MB of one text", "bytes", endlessJson],
  ["300 MB of compressed zeros", "bytes", () => (bomb ??= compressedBomb())],
  ["100,000 nested lists", "bytes", () => json("[".repeat(100_000) + "]".repeat(100_000))],
  [
    // An object whose members the interface leaves open, like those of most answers.
    "members of every object",
    "a write",
    () => json('{"__proto__":{"id":"a"},"constructor":{"prototype":{}}}'),
  ],
  [
    "a header of 1 MB",
    "a write",
    () => whole("200 OK", "application/json", "{}", `x-long: ${megabyte}\r\n`),
  ],
  ["502", "nothing", () => whole("502 Bad Gateway", "text/html", page)],
  [
    "503 with a wait",
    "nothing",
    () => problemOf("503 Service Unavailable", '{"status":503,"code":"unavailable"}'),
  ],
  [
    "429 with a wait",
    "nothing",
    () => problemOf("429 Too Many Requests", '{"status":429,"code":"rate-limited"}'),
  ],
  ["401", "nothing", () => problemOf("401 Unauthorized", '{"status":401,"code":"token-expired"}')],
  [
    "control sequences in a problem",
    "nothing",
    () => problemOf("422 Unprocessable Content", hostileProblem),
  ],
];

export const attacks: readonly Attack[] = listed.map(([name, proves, answer]) => ({
  name,
  proves,
  answer,
}));
