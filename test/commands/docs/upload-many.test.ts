import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { FetchFunction } from "#lib/network/fetch-function.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { documentWorld } from "../documents-world.ts";
import { platformDown } from "../world.ts";

const the = documentWorld();

/** A folder of files, each with its own text. */
async function folderOf(...names: string[]): Promise<string> {
  const folder = await temporaryDirectory("many");
  for (const name of names) {
    await Bun.write(join(folder, name), `The file ${name} in ${folder}, and nothing else.`);
  }
  return folder;
}

const isUpload = (request: Request): boolean => request.url.endsWith("/documents/upload");

/** The platform, with the names of the files that reach it. */
function watched(sent: string[], onUpload?: FetchFunction): FetchFunction {
  return async (request) => {
    if (!isUpload(request)) return the().platform.platform.fetch(request);
    const file = (await request.clone().formData()).get("files");
    if (file instanceof File) sent.push(file.name);
    return (await onUpload?.(request)) ?? the().platform.platform.fetch(request);
  };
}

const outcomes = (json: unknown) =>
  (json as { files: { path: string; outcome: string }[] }).files.map(({ path, outcome }) => [
    path,
    outcome,
  ]);

describe("docs upload of several files", () => {
  test("sends files, folders and globs once each, and follows every job", async () => {
    const folder = await folderOf("b.txt", "a.txt", "deep/c.txt", "notes/d.md", ".hidden.txt");
    await symlink("a.txt", join(folder, "link.txt"));
    await mkdir(join(folder, "empty"));
    const sent: string[] = [];
    const words = ["upload", "a.txt", "deep", "**/*.md", ".", ...the().context, "--wait"];
    const all = await the().docs(words, { currentDirectory: folder, fetch: watched(sent) });
    expect(all.exitCode).toBe(0);
    expect(outcomes(all.json)).toEqual([
      ["a.txt", "accepted"],
      ["deep/c.txt", "accepted"],
      ["notes/d.md", "accepted"],
      ["b.txt", "accepted"],
    ]);
    expect(all.json).toMatchObject({
      accepted: 4,
      failed: 0,
      files: Array.from({ length: 4 }, () => expect.objectContaining({ jobStatus: "succeeded" })),
    });
    expect(sent.toSorted()).toEqual(["a.txt", "b.txt", "c.txt", "d.md"]);
  });

  test("a bad file does not stop the others, and its job fails the run", async () => {
    const folder = await folderOf("good.txt");
    await Bun.write(join(folder, "bad.pdf"), `%PDF-1.7 and nothing else in ${folder}`);
    const words = ["docs", "upload", ".", ...the().context, "--wait"];
    const { exitCode, stdout } = await the().svc(words, {
      as: "tenant-staff",
      currentDirectory: folder,
    });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^bad\.pdf +accepted +DOC-\S+ +failed /m);
    expect(stdout).toMatch(/^good\.txt +accepted +DOC-\S+ +succeeded /m);
  });

  test("a file whose name is not UTF-8 is reported and does not stop the others", async () => {
    const folder = await folderOf("good.txt", "Zürich.txt");
    const named = (bytes: string) =>
      Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(bytes, "latin1")]);
    await writeFile(named("Stra\xdfe.txt"), "The bytes of a Latin-1 name");
    await mkdir(named("M\xe4rz"));
    const sent: string[] = [];
    const { exitCode, json } = await the().docs(["upload", ".", ...the().context], {
      currentDirectory: folder,
      fetch: watched(sent),
    });
    expect(sent.toSorted()).toEqual(["Zürich.txt", "good.txt"]);
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ accepted: 2, failed: 2 });
    const { files } = json as { files: { path: string; error?: { message: string } }[] };
    const failed = files.filter(({ error }) => error !== undefined);
    const words = "has a name that is not UTF-8: rename it to upload it";
    expect(failed.map(({ path, error }) => [path, error?.message])).toEqual([
      ["M\\xE4rz", `Invalid input: M\\xE4rz ${words}`],
      ["Stra\\xDFe.txt", `Invalid input: Stra\\xDFe.txt ${words}`],
    ]);
    const glob = await the().docs(["upload", "*.txt", ...the().context], {
      currentDirectory: folder,
    });
    expect(glob.json).toMatchObject({ sentBefore: 2, failed: 1 });
  });

  test("works where the configuration folder can't be written", async () => {
    const folder = await folderOf("one.txt", "two.txt");
    const config = await the().selectedConfig();
    // The folder of the journals can't be made, even by root.
    await Bun.write(join(config, "uploads"), "");
    const { exitCode, stdout, stderr } = await the().svc(
      ["docs", "upload", ".", ...the().context],
      { as: "tenant-staff", currentDirectory: folder, config },
    );
    expect([exitCode, stdout.match(/accepted/g)?.length]).toEqual([0, 2]);
    expect(stderr).toContain("The journal of uploads can't be written");
  });

  test("an interrupted run goes on and sends no accepted file again", async () => {
    const folder = await folderOf("1.txt", "2.txt", "3.txt", "4.txt", "5.txt");
    const words = ["upload", ".", ...the().context];
    const first: string[] = [];
    const interrupt = new AbortController();
    const broken = await the().svc(["docs", ...words], {
      as: "tenant-staff",
      currentDirectory: folder,
      signal: interrupt.signal,
      fetch: watched(first, async (request) => {
        const answer = await the().platform.platform.fetch(request);
        if (first.length >= 3) interrupt.abort();
        return answer;
      }),
    });
    expect(broken.exitCode).toBe(130);
    expect(broken.stderr).toMatch(
      /^Interrupted\. \d of 5 files accepted\. Run the same command again: accepted files are not sent twice\./,
    );
    const second: string[] = [];
    const rest = await the().docs(words, { currentDirectory: folder, fetch: watched(second) });
    expect(rest.exitCode).toBe(0);
    // The platform's records also have the file whose answer was lost.
    expect([...first, ...second].toSorted()).toEqual(["1.txt", "2.txt", "3.txt", "4.txt", "5.txt"]);
    const listed = await the().docs(["list", "--limit", "50"]);
    const { items } = listed.json as { items: { filename: string }[] };
    for (const name of ["1.txt", "2.txt", "3.txt", "4.txt", "5.txt"]) {
      expect(items.filter(({ filename }) => filename === name)).toHaveLength(1);
    }
    // A complete run is forgotten: the same words are a new upload, and the bytes are known.
    const third = await the().docs(words, { currentDirectory: folder });
    expect(third.json).toMatchObject({ accepted: 0, duplicates: 5 });
  });

  test("an interrupted wait says that the jobs go on, and is continued", async () => {
    const folder = await folderOf("1.txt", "2.txt");
    const words = ["upload", ".", ...the().context, "--wait"];
    const interrupt = new AbortController();
    const { exitCode, stderr } = await the().svc(["docs", ...words], {
      as: "tenant-staff",
      currentDirectory: folder,
      signal: interrupt.signal,
      fetch: async (request) => {
        if (request.url.includes("/documents/jobs/")) interrupt.abort();
        return await the().platform.platform.fetch(request);
      },
    });
    expect(exitCode).toBe(130);
    expect(stderr).toContain("The jobs of the accepted files go on: `svc docs list`");
    const again: string[] = [];
    const rest = await the().docs(words, { currentDirectory: folder, fetch: watched(again) });
    expect(rest).toMatchObject({ exitCode: 0, json: { sentBefore: 2 } });
    expect(again).toEqual([]);
    const third = await the().docs(words, { currentDirectory: folder });
    expect(third.json).toMatchObject({ sentBefore: 0, duplicates: 2 });
  });

  test("a complete run of other files keeps those of an interrupted one", async () => {
    const folder = await folderOf("1.txt", "2.txt");
    const other = await folderOf("other.txt");
    const words = ["upload", ".", ...the().context];
    const refuse = watched([], async (request) => {
      const file = (await request.clone().formData()).get("files");
      if (!(file instanceof File) || file.name !== "2.txt") {
        return await the().platform.platform.fetch(request);
      }
      return Response.json({ title: "none" }, { status: 404 });
    });
    const broken = await the().docs(words, { currentDirectory: folder, fetch: refuse });
    expect(broken.json).toMatchObject({ accepted: 1, failed: 1 });
    expect((await the().docs(words, { currentDirectory: other })).exitCode).toBe(0);
    const sent: string[] = [];
    const rest = await the().docs(words, { currentDirectory: folder, fetch: watched(sent) });
    expect([rest.exitCode, sent]).toEqual([0, ["2.txt"]]);
  });

  test("a lost answer is looked up by the bytes, and never sent again blindly", async () => {
    const folder = await folderOf("lost.txt", "other.txt");
    const words = ["upload", ".", ...the().context];
    const lose = watched([], async (request) => {
      const file = (await request.clone().formData()).get("files");
      if (!(file instanceof File) || file.name !== "lost.txt") return undefined as never;
      await the().platform.platform.fetch(request);
      throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
    });
    const lost = await the().docs(words, { currentDirectory: folder, fetch: lose });
    expect(lost.exitCode).toBe(1);
    expect(outcomes(lost.json)[0]).toEqual(["lost.txt", "unknown"]);
    const blind = await the().docs(words, {
      currentDirectory: folder,
      fetch: (request) =>
        isUpload(request) || !request.url.includes("/documents/records")
          ? Promise.reject(new Error("no upload expected"))
          : Promise.resolve(Response.json({ title: "none" }, { status: 404 })),
    });
    expect(blind.exitCode).toBe(1);
    expect(outcomes(blind.json)[0]).toEqual(["lost.txt", "unknown"]);
    const sent: string[] = [];
    const found = await the().docs(words, { currentDirectory: folder, fetch: watched(sent) });
    expect(found.exitCode).toBe(0);
    expect(outcomes(found.json)[0]).toEqual(["lost.txt", "sent-before"]);
    expect(sent).not.toContain("lost.txt");
  });

  test("a busy platform is asked again later; a refused context is asked once", async () => {
    const folder = await folderOf("busy.txt", "calm.txt");
    const sent: string[] = [];
    const busy = watched(sent, () => {
      const isFirst = sent.length === 1;
      const answer = Response.json({ title: "busy" }, { status: 429 });
      return isFirst ? Promise.resolve(answer) : (Promise.resolve(undefined) as never);
    });
    const words = ["upload", ".", ...the().context];
    const patient = await the().docs(words, { currentDirectory: folder, fetch: busy });
    expect(patient.json).toMatchObject({ accepted: 2, failed: 0 });
    expect(sent).toHaveLength(3);

    const refused: string[] = [];
    const noId = "01890000-0000-7000-8000-000000000000";
    const names = Array.from({ length: 20 }, (_, index) => `${index}.txt`);
    const many = await folderOf(...names);
    const wrong = await the().docs(["upload", ".", "--planning-application-id", noId], {
      currentDirectory: many,
      fetch: watched(refused),
    });
    expect(wrong).toMatchObject({ exitCode: 1, json: { error: { code: "E302", status: 422 } } });
    expect(refused.length).toBeLessThanOrEqual(3);
  });

  test("refuses paths without files before any network call", async () => {
    const folder = await folderOf("one.txt");
    const cases = [
      [["one.txt", "none.txt"], "none.txt does not exist"],
      [["*.pdf"], "*.pdf names no files"],
      [["one.txt", ""], "the path of the file is empty"],
    ] as const;
    for (const [paths, message] of cases) {
      const { json } = await the().docs(["upload", ...paths, ...the().context], {
        currentDirectory: folder,
        fetch: platformDown,
      });
      expect(json).toMatchObject({ error: { code: "E305", message: `Invalid input: ${message}` } });
    }
  });

  test("on a terminal the progress is one temporary line", async () => {
    const folder = await folderOf("seen.txt", "shown.txt");
    const words = ["docs", "upload", ".", ...the().context, "--wait"];
    const { stderr, stdout } = await the().svc(words, { terminal: 100, currentDirectory: folder });
    expect(stdout).toContain("seen.txt");
    expect(stderr).toContain("Sending: 2 of 2 files, 100 %");
    expect(stderr).toContain("Jobs: 2 of 2 ended");
    expect(stderr).not.toContain("\n");
  });
});
