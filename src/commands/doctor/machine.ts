import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "#lib/files/atomic-write.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import type { Project } from "#local/surface.ts";
import type { CommandContext } from "../kit/context.ts";
import { failedFinding, type Finding } from "./finding.ts";

/** Findings about configuration, rights, address, sign-in and project. */
export async function localFindings(context: CommandContext, fix: boolean): Promise<Finding[]> {
  let settings;
  try {
    settings = await context.settings();
  } catch (error) {
    return [failedFinding("settings", error)];
  }
  const { configDirectory, profile, baseUrl, baseUrlTrusted, project } = settings;
  const folder = configDirectory.value;
  return [
    await rights("configuration folder", folder, 0o700, fix),
    await rights("tokens.json", join(folder, "tokens.json"), 0o600, fix),
    { check: "profile", state: "ok", detail: `${profile.value} (${profile.source})` },
    baseUrlTrusted
      ? { check: "address", state: "ok", detail: `${baseUrl.value} (${baseUrl.source})` }
      : {
          check: "address",
          state: "warning",
          detail: `${baseUrl.value} comes from the project's .env.local only`,
          next: "Sign in to this address only if you know it",
        },
    await signIn(context),
    ...(project === undefined
      ? [{ check: "project", state: "ok", detail: "not in a project" } as const]
      : await projectFindings(project, fix)),
  ];
}

/** Others must not read or write a file with secrets. */
async function rights(check: string, path: string, mode: number, fix: boolean): Promise<Finding> {
  try {
    const facts = await stat(path);
    if ((facts.mode & 0o077) === 0) return { check, state: "ok", detail: path };
    if (fix) {
      await chmod(path, mode);
      return { check, state: "fixed", detail: `${path} is private now` };
    }
    const detail = `${path} can be read by other users`;
    return { check, state: "failed", detail, next: "svc doctor --fix" };
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return { check, state: "ok", detail: "not made yet" };
    if (systemErrorCode(error) === undefined) throw error;
    return { check, state: "failed", detail: `${path}: ${systemErrorWords(error)}` };
  }
}

async function signIn(context: CommandContext): Promise<Finding> {
  const check = "sign-in";
  try {
    const state = await (await context.session()).state();
    if (!state.signedIn) {
      return { check, state: "warning", detail: "not signed in", next: "svc login" };
    }
    const name = state.claims.email ?? state.claims.subject ?? "signed in";
    if (!state.expired || state.renewable) return { check, state: "ok", detail: name };
    return { check, state: "warning", detail: `${name}: expired`, next: "svc login" };
  } catch (error) {
    return failedFinding(check, error);
  }
}

async function projectFindings(project: Project, fix: boolean): Promise<Finding[]> {
  const { root, fault, configDirectory, envFile } = project;
  const findings: Finding[] = [
    fault === undefined
      ? { check: "project", state: "ok", detail: root }
      : { check: "project", state: "failed", detail: fault },
  ];
  if (configDirectory !== undefined) findings.push(await definitions(configDirectory));
  if (envFile !== undefined) {
    findings.push(await rights(".env.local", envFile, 0o600, fix), await ignored(root, fix));
  }
  findings.push(await managed(root, fix));
  return findings;
}

/** Checks that the file of Object Types exists; its code is not executed here. */
async function definitions(folder: string): Promise<Finding> {
  const check = "Object Types";
  for (const name of ["object-types.ts", "object-types.json"]) {
    if (await Bun.file(join(folder, name)).exists()) return { check, state: "ok", detail: name };
  }
  const detail = "src/eai.config has no object-types.ts";
  return { check, state: "warning", detail, next: "`svc types pull` fetches a workspace's types" };
}

/** Checks that Git leaves `.env.local` out of commits. */
async function ignored(root: string, fix: boolean): Promise<Finding> {
  const check = ".gitignore";
  const path = join(root, ".gitignore");
  const file = Bun.file(path);
  const isTooLarge = file.size > 1024 * 1024;
  const text = !isTooLarge && (await file.exists()) ? await file.text() : "";
  if (/^\/?(?:\.env\.local|\.env\*|\.env\.\*|\*\.local)\s*$/m.test(text)) {
    return { check, state: "ok", detail: "leaves .env.local out" };
  }
  const detail = ".env.local is not in .gitignore";
  if (!fix || isTooLarge) {
    return { check, state: "warning", detail, next: "svc doctor --fix" };
  }
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  try {
    await writeFileAtomically(path, `${start}.env.local\n`, { mode: 0o644 });
    return { check, state: "fixed", detail: ".env.local was added" };
  } catch (error) {
    return { check, state: "failed", detail: `${path}: ${systemErrorWords(error)}` };
  }
}

async function managed(root: string, fix: boolean): Promise<Finding> {
  const check = "managed files";
  try {
    const { compareFiles, readManifest, refreshFiles } = await import("#local/managed-files.ts");
    const manifest = await readManifest(root);
    if (manifest === undefined) return { check, state: "ok", detail: "none" };
    const { projectFiles } = await import("#local/templates/project-files.ts");
    const files = await projectFiles(manifest.template, manifest);
    const before = await compareFiles(root, files, manifest);
    const isBroken = ({ kind, state }: (typeof before)[number]) =>
      kind === "managed" && (state === "missing" || state === "outdated");
    const broken = before.filter(isBroken).map(({ path }) => path);
    const names = broken.slice(0, 5).join(", ");
    if (broken.length === 0) return { check, state: "ok", detail: `of ${manifest.template}` };
    if (!fix) {
      const next = "svc doctor --fix, or svc gofer refresh";
      return { check, state: "failed", detail: `missing or outdated: ${names}`, next };
    }
    await refreshFiles(root, manifest, files, { check: false, force: false });
    return { check, state: "fixed", detail: `renewed ${names}` };
  } catch (error) {
    return failedFinding(check, error);
  }
}
