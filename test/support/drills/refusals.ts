import { join } from "node:path";
import type { DrillSession } from "./session.ts";

/** An upload that a platform refuses before it has read the body. */
export interface RefusedUpload {
  readonly name: string;
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: "form" | "field" | "bytes";
}

/** How often a client read the problem, and what it met instead. */
export interface RefusalCount {
  read: number;
  readonly failures: Record<string, number>;
}

export type UploadClient = (
  uploads: readonly SentUpload[],
  rounds: number,
) => Promise<RefusalCount>;

interface SentUpload extends RefusedUpload {
  readonly url: string;
  /** The file with the whole body. */
  readonly file: string;
}

const boundary = "refused-upload";
const form = { "content-type": `multipart/form-data; boundary=${boundary}` };
const bytes = { "content-type": "application/octet-stream" };
const documents = "/v4/data/documents/upload";

/** One upload for each step of the pipeline that refuses before it reads the body. */
export function refusedUploads({ tenantId, authorization }: DrillSession): RefusedUpload[] {
  const unknown = "0192f000-0000-7000-8000-000000000000";
  const file = (tenant: string): string =>
    `/v4/data/resources/${tenant}/drill-record/${unknown}/files/scan?filename=a`;
  const post = { method: "POST", path: documents, body: "form" } as const;
  const signedIn = { authorization, ...form };
  return [
    { ...post, name: "without a token", status: 401, headers: form },
    {
      ...post,
      name: "from another site",
      status: 403,
      headers: { ...signedIn, origin: "https://a.example" },
    },
    { ...post, name: "to no route", status: 404, headers: signedIn, path: "/v4/data/nothing" },
    { ...post, name: "by another method", status: 405, headers: signedIn, method: "PUT" },
    { ...post, name: "of a long field", status: 413, headers: signedIn, body: "field" },
    { ...post, name: "of another type", status: 415, headers: { authorization, ...bytes } },
    { ...post, name: "without its boundary", status: 400, headers: signedIn, body: "bytes" },
    { ...post, name: "without its fields", status: 422, headers: signedIn },
    {
      ...post,
      name: "of a record that is unknown",
      status: 404,
      headers: { authorization, ...bytes },
      path: file(tenantId),
      body: "bytes",
    },
    {
      ...post,
      name: "in a workspace that is unknown",
      status: 404,
      headers: { authorization, ...bytes },
      path: file(unknown),
      body: "bytes",
    },
  ];
}

/** Sends each upload with a body of about `size` bytes, one after the other. */
export async function sendRefused(
  client: UploadClient,
  uploads: readonly RefusedUpload[],
  options: {
    readonly url: string;
    readonly size: number;
    readonly rounds: number;
    readonly directory: string;
  },
): Promise<RefusalCount> {
  const { url, size, rounds, directory } = options;
  const sent: SentUpload[] = [];
  for (const upload of uploads) {
    const file = join(directory, `${upload.body}-${size}`);
    await Bun.write(file, bodyOf(upload.body, size));
    sent.push({ ...upload, url: url + upload.path, file });
  }
  return client(sent, rounds);
}

function bodyOf(kind: RefusedUpload["body"], size: number): string {
  const filler = "x".repeat(size);
  if (kind === "bytes") return filler;
  const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="files"`;
  const name = kind === "form" ? '; filename="a"' : "";
  return `${disposition}${name}\r\n\r\n${filler}\r\n--${boundary}--\r\n`;
}

/** Uploads by this runtime's `fetch`. */
const fetchClient: UploadClient = async (uploads, rounds) => {
  const count = newCount();
  for (const { url, method, headers, file, name, status } of inTurn(uploads, rounds)) {
    try {
      const body = await Bun.file(file).bytes();
      const response = await fetch(url, { method, headers, body });
      note(count, name, status, await response.text());
    } catch (error) {
      fail(count, `${name}: ${String(error)}`);
    }
  }
  return count;
};

const curlClient: UploadClient = async (uploads, rounds) => {
  const count = newCount();
  for (const { url, method, headers, file, name, status } of inTurn(uploads, rounds)) {
    const fields = Object.entries(headers).flatMap(([field, value]) => [
      "-H",
      `${field}: ${value}`,
    ]);
    const asked = ["-sS", "-X", method, "--data-binary", `@${file}`, ...fields, url];
    const child = Bun.spawn(["curl", ...asked], { stdout: "pipe", stderr: "pipe" });
    const [answer, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    if ((await child.exited) === 0) note(count, name, status, answer);
    else fail(count, `${name}: ${errors.trim()}`);
  }
  return count;
};

/** Python's `http.client`, which sends the whole body before it reads. */
const pythonClient: UploadClient = async (uploads, rounds) => {
  const child = Bun.spawn(["python3", "-c", pythonProgram], {
    stdin: new Blob([JSON.stringify({ uploads, rounds })]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [answer, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`python3 failed: ${errors}`);
  const outcomes: { name: string; status: number; text: string; error?: string }[] =
    JSON.parse(answer);
  const count = newCount();
  for (const { name, status, text, error } of outcomes) {
    if (error === undefined) note(count, name, status, text);
    else fail(count, `${name}: ${error}`);
  }
  return count;
};

const pythonProgram = `
import http.client, json, sys, urllib.parse
given = json.load(sys.stdin)
outcomes = []
for index in range(given["rounds"]):
    upload = given["uploads"][index % len(given["uploads"])]
    url = urllib.parse.urlsplit(upload["url"])
    outcome = {"name": upload["name"], "status": upload["status"], "text": ""}
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
    try:
        with open(upload["file"], "rb") as file:
            body = file.read()
        target = url.path + ("?" + url.query if url.query else "")
        connection.request(upload["method"], target, body=body, headers=upload["headers"])
        outcome["text"] = connection.getresponse().read().decode()
    except Exception as error:
        outcome["error"] = repr(error)
    finally:
        connection.close()
    outcomes.append(outcome)
json.dump(outcomes, sys.stdout)
`;

export const uploadClients = {
  fetch: fetchClient,
  curl: curlClient,
  "http.client": pythonClient,
} as const;

function* inTurn<Each>(each: readonly Each[], rounds: number): Generator<Each> {
  for (let round = 0; round < rounds; round += 1) {
    const one = each[round % each.length];
    if (one !== undefined) yield one;
  }
}

function newCount(): RefusalCount {
  return { read: 0, failures: {} };
}

function fail({ failures }: RefusalCount, why: string): void {
  failures[why] = (failures[why] ?? 0) + 1;
}

function note(count: RefusalCount, name: string, status: number, text: string): void {
  const found = /^\{.*"status":(\d+),.*\}$/.exec(text)?.[1];
  if (Number(found) === status) count.read += 1;
  else fail(count, `${name}: expected ${status}, received ${text.slice(0, 200)}`);
}
