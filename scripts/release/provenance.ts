import { join } from "node:path";
import { finished } from "../build/finished.ts";
import { repository } from "../build/executable.ts";
import { runtimeVersion, type ReleaseTarget } from "./targets.ts";

/** A file of a release, as a statement names it. */
export interface Subject {
  readonly name: string;
  readonly sha256: string;
}

/**
 * An in-toto statement with SLSA's provenance (version 1): the sources and parameters of the files.
 * It has no time and no address of a machine, so that a second build gives the same text.
 */
export async function provenance(
  subjects: readonly Subject[],
  targets: readonly ReleaseTarget[],
  parameters: Readonly<Record<string, unknown>>,
): Promise<string> {
  const commit = await git("rev-parse", "HEAD");
  const changes = await git("status", "--porcelain", "--untracked-files=no");
  const lock = Bun.SHA256.hash(await Bun.file(join(repository, "bun.lock")).bytes(), "hex");
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:svc:release:v1",
        externalParameters: parameters,
        internalParameters: { hasUncommittedChanges: changes !== "" },
        resolvedDependencies: [
          ...(commit === "" ? [] : [{ name: "source", digest: { gitCommit: commit } }]),
          { name: "bun.lock", digest: { sha256: lock } },
          ...targets.map(({ package: name, integrity }) => ({
            name,
            uri: `pkg:npm/${name.replace("@", "%40")}@${runtimeVersion}`,
            digest: { sha512: Buffer.from(integrity.slice(7), "base64").toString("hex") },
          })),
        ],
      },
      runDetails: { builder: { id: "urn:svc:npm-run-release", version: { bun: runtimeVersion } } },
    },
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}

/** The output of git; empty outside a checkout. */
async function git(...words: readonly string[]): Promise<string> {
  const child = Bun.spawn(["git", ...words], {
    cwd: repository,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { stdout, exitCode } = await finished(child);
  return exitCode === 0 ? stdout.trim() : "";
}
