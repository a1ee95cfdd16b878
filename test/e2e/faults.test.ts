import { readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { userEnvironment } from "#test/support/environment.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { peakBytes, watchPeak } from "#test/support/process-use.ts";
import { sized } from "#test/support/size.ts";
import { oneThread, startPlatform, svc, svcExecutable, type SvcResult } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const samples = join(import.meta.dirname, "../../src/server/sample-data/files");
const mebibyte = 1024 * 1024;
const accepted = z.looseObject({
  jobId: z.string(),
  documentId: z.string(),
  documentNumber: z.string(),
});

/** A user with a workspace and a planning application on a platform that may be started again. */
class User {
  applicationId = "";
  #env: Record<string, string> = {};

  private constructor(
    readonly home: string,
    readonly dataDir: string,
  ) {}

  static async create(): Promise<{ user: User; platform: RunningPlatform }> {
    const user = new User(await temporaryDirectory("home"), await temporaryDirectory("platform"));
    const platform = await user.start();
    await Bun.write(
      join(user.home, "src/eai.config/object-types.json"),
      JSON.stringify([
        { name: "PlanningApplication", slug: "planning-application", properties: {} },
      ]),
    );
    const root = ["--allow-root", "--home-region", "eu"];
    await user.done(["workspace", "create", "--name", "Desk", "--slug", "desk", ...root]);
    await user.done(["workspace", "select", "desk"]);
    await user.done(["types", "seed"]);
    const create = ["resources", "create", "planning-application", "--data", "{}"];
    user.applicationId = z.object({ id: z.string() }).parse(await user.done(create)).id;
    return { user, platform };
  }

  /**
   * Starts the platform on the same data; its address changes, so the workspace is selected again.
   */
  async start(): Promise<RunningPlatform> {
    const platform = await startPlatform({ dataDir: this.dataDir, args: [oneThread] });
    this.#env = { BASE_URL_PUBLIC_API: platform.url, SVC_TOKEN: await platform.token() };
    if (this.applicationId !== "") await this.done(["workspace", "select", "desk"]);
    return platform;
  }

  env(): Record<string, string> {
    return userEnvironment(this.home, this.#env);
  }

  svc(words: readonly string[]): Promise<SvcResult> {
    return svc([...words, "--format", "json"], {
      home: this.home,
      env: this.#env,
      timeoutMs: 120_000,
    });
  }

  /** The answer of a call that has to succeed. */
  async done(words: readonly string[]): Promise<unknown> {
    const { stdout, stderr, exitCode } = await this.svc(words);
    expect({ words, stderr, exitCode }).toEqual({ words, stderr: "", exitCode: 0 });
    return JSON.parse(stdout);
  }

  async upload(path: string): Promise<z.output<typeof accepted>> {
    return accepted.parse(await this.done(this.uploadWords(path)));
  }

  uploadWords(path: string): string[] {
    return ["docs", "upload", path, "--planning-application-id", this.applicationId];
  }

  /** The names of the platform's documents. */
  async filenames(): Promise<string[]> {
    const page = await this.done(["publicapi", "get", "/v4/data/documents/records"]);
    const listed = z.object({ items: z.array(z.object({ filename: z.string() })) }).parse(page);
    return listed.items.map(({ filename }) => filename).toSorted();
  }
}

/** Waits until something holds, for at most 20 s. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; waitedMs < 20_000; waitedMs += 10) {
    if (await holds()) return;
    await Bun.sleep(10);
  }
  throw new Error("20 s passed before it came true");
}

async function bytesBelow(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => {
      const facts = await stat(join(directory, name)).catch(() => undefined);
      return facts?.isFile() === true ? facts.size : 0;
    }),
  );
  return sizes.reduce((all, size) => all + size, 0);
}

/** Text that takes the platform some seconds to read and index. */
function longText(): string {
  const line = (number: number): string =>
    `Paragraph ${number} reports the ${number * 7919} bricks that were laid in Mill Road.\n\n`;
  return Array.from({ length: sized(20_000, 60_000) }, (_, number) => line(number)).join("");
}

describe("kill -9 on svc serve", () => {
  test("in the middle of an upload: what was accepted is whole, what was not is not there", async () => {
    const { user, platform } = await User.create();
    const letter = join(samples, "objection-18-quay-street.eml");
    const first = await user.upload(letter);
    await user.done(["docs", "job", first.jobId, "--wait"]);

    const size = sized(64, 192) * mebibyte;
    const large = join(user.home, "large.bin");
    await writeFile(large, "");
    await truncate(large, size);
    const before = await bytesBelow(user.dataDir);
    const uploading = user.svc(user.uploadWords(large));
    await until(async () => (await bytesBelow(user.dataDir)) - before > size / 8);
    await platform.kill();

    const { exitCode, stdout } = await uploading;
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: "E201",
        hint: expect.stringContaining("broke off before its end and was not accepted"),
      },
    });

    await using again = await user.start();
    expect(await user.filenames()).toEqual(["objection-18-quay-street.eml"]);
    const content = await svc(
      ["publicapi", "get", `/v4/data/documents/records/${first.documentId}/content`],
      { home: user.home, env: user.env() },
    );
    expect(Buffer.compare(content.bytes, await readFile(letter))).toBe(0);
    // The half of a file no longer takes space.
    expect(await bytesBelow(user.dataDir)).toBeLessThan(before + 16 * mebibyte);
    const second = await user.upload(large);
    expect(second.documentNumber).not.toBe(first.documentNumber);
    expect(again.stderr()).not.toMatch(/^\s+at /m);
  }, 120_000);

  test("in the middle of jobs: every accepted document is there, and its job ends", async () => {
    const { user, platform } = await User.create();
    const long = join(user.home, "long.txt");
    await writeFile(long, longText());
    const paths = [
      long,
      join(samples, "planning-statement-18-quay-street.pdf"),
      join(samples, "licence-register-2026.xlsx"),
      join(samples, "application-form-millfield-allotments.docx"),
    ];
    const first = await user.upload(long);
    const rest = await Promise.all(paths.slice(1).map((path) => user.upload(path)));
    const documents = [first, ...rest];
    const job = z.object({ status: z.string(), attempt: z.number() });
    await until(async () => {
      const state = job.parse(await user.done(["docs", "job", first.jobId]));
      expect(["queued", "running"]).toContain(state.status);
      return state.status === "running";
    });
    await platform.kill();

    await using again = await user.start();
    expect(await user.filenames()).toEqual(paths.map((path) => basename(path)).toSorted());
    for (const [index, { jobId, documentId }] of documents.entries()) {
      const state = await user.done(["docs", "job", jobId, "--wait", "--timeout", "60"]);
      expect(state).toMatchObject({ status: "succeeded", percentCompleted: 100 });
      // The first job was cut off and taken up again.
      if (index === 0) expect(job.parse(state).attempt).toBe(2);
      const path = paths[index] ?? "";
      const record = await user.done(["docs", "get", documentId]);
      expect(record).toMatchObject({
        filename: basename(path),
        status: "ready",
        indexStatus: "indexed",
      });
      // The same file again is the same document: nothing was lost and nothing is there twice.
      expect(await user.upload(path)).toMatchObject({ duplicateOf: documentId });
    }
    expect(again.stderr()).not.toMatch(/^\s+at /m);
  }, 120_000);
});

test("SIGTERM in the middle of jobs drains, exits with 0, and leaves them resumable", async () => {
  const { user, platform } = await User.create();
  const long = join(user.home, "long.txt");
  await writeFile(long, longText());
  const paths = [long, join(samples, "licence-register-2026.xlsx")];
  const documents = await Promise.all(paths.map((path) => user.upload(path)));
  expect(await platform.stop()).toBe(0);
  await using _again = await user.start();
  for (const { jobId } of documents) {
    const job = await user.done(["docs", "job", jobId, "--wait", "--timeout", "60"]);
    expect(job).toMatchObject({ status: "succeeded" });
  }
}, 120_000);

describe.runIf(process.platform === "linux")("memory", () => {
  test("a large upload raises client and platform by no more than 64 MiB each", async () => {
    const { user, platform } = await User.create();
    /** Uploads so many MiB, and gives the client's peak. */
    const sent = async (name: string, mib: number): Promise<number> => {
      const file = join(user.home, name);
      await writeFile(file, name);
      await truncate(file, mib * mebibyte);
      const child = Bun.spawn([await svcExecutable(), ...user.uploadWords(file)], {
        cwd: user.home,
        env: user.env(),
        stdio: ["ignore", "ignore", "pipe"],
        timeout: 120_000,
      });
      const peak = watchPeak(child.pid);
      const exitCode = await child.exited;
      const most = peak() / mebibyte;
      expect({ exitCode, stderr: await child.stderr.text() }).toMatchObject({ exitCode: 0 });
      return most;
    };
    const idleClient = await sent("small.bin", 32);
    const idlePlatform = ((await peakBytes(platform.pid)) ?? 0) / mebibyte;
    const client = await sent("large.bin", sized(192, 512));
    const served = ((await peakBytes(platform.pid)) ?? 0) / mebibyte;
    expect(idleClient).toBeGreaterThan(0);
    expect(client - idleClient).toBeLessThan(64);
    expect(served - idlePlatform).toBeLessThan(64);
    await platform.stop();
  }, 180_000);
});
