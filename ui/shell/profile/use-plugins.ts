import { isJsonObject } from "#lib/json/value.ts";
import { systemErrorWords } from "#lib/system-error.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import { subjectPart } from "../../kit/places/subject.ts";
import { usePart } from "../../kit/state/part.ts";
import type { WorkOutcome } from "../../kit/state/work.ts";
import { useScreen } from "../../screen.tsx";
import { useHost } from "../host.ts";
import { useNotices } from "../notices.ts";
import { useOverlays } from "../overlays/overlays.ts";
import { usePlatform } from "../platform/use-platform.ts";
import { useRouter, type Route } from "../router.ts";
import { settingsPart } from "./settings-part.ts";
import type { Plugin } from "./profile-settings.ts";
import { rowEnvironment } from "./row-environment.ts";

const longestRunMs = 120_000;
const mostOutput = 64 * 1024;

function nounOf(route: Route): string {
  return route.place === "resources" ? (route.objectType ?? "resources") : route.place;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The output of a program, at most 64 KiB of it; it is killed at the abort and after 2 minutes. */
async function outputOf(
  { command, words }: Plugin,
  options: { readonly env: Variables; readonly cwd: string },
  signal: AbortSignal,
): Promise<WorkOutcome> {
  try {
    const limit = AbortSignal.timeout(longestRunMs);
    const child = Bun.spawn([...command], {
      ...options,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      signal: AbortSignal.any([signal, limit]),
      maxBuffer: mostOutput,
    });
    const [out, problems, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    const lines = `${out}${problems}`.trimEnd().split("\n");
    const said = lines[0] === "" ? [] : lines;
    if (signal.aborted) return { good: true, lines: ["stopped"] };
    if (limit.aborted) return { good: false, lines: [`${words} took too long`, ...said] };
    return code === 0
      ? { good: true, lines: said.length === 0 ? [`${words}: done`] : said }
      : { good: false, lines: [`${words} ended with ${code}`, ...said] };
  } catch (error) {
    return { good: false, lines: [`${words} could not be run: ${systemErrorWords(error)}`] };
  }
}

/** Handlers of the plugins' keys: each runs its program with the fields of the selected row. */
export function usePlugins(): Readonly<Record<string, () => void>> {
  const { plugins } = usePart(settingsPart);
  const subject = usePart(subjectPart);
  const { route } = useRouter();
  const { session, tenantId } = usePlatform();
  const { terminal, currentDirectory } = useHost();
  const overlays = useOverlays();
  const screen = useScreen();
  const { say, note, sayFailure } = useNotices();

  const onTerminal = async ({ command, words }: Plugin, env: Variables): Promise<void> => {
    let outcome = "";
    await screen.suspend(async () => {
      try {
        const stdio = ["inherit", "inherit", "inherit"] as const;
        const child = Bun.spawn([...command], { env, cwd: currentDirectory, stdio: [...stdio] });
        const code = await child.exited;
        if (code !== 0) outcome = `${words} ended with ${code}`;
      } catch (error) {
        outcome = `${words} could not be run: ${systemErrorWords(error)}`;
      }
    });
    if (outcome !== "") say("failed", outcome);
  };

  const run = (plugin: Plugin, row: Readonly<Record<string, unknown>>): void => {
    const env = {
      ...terminal.env,
      ...rowEnvironment(row),
      SVC_NOUN: nounOf(route()),
      SVC_TENANT_ID: tenantId ?? "",
      BASE_URL_PUBLIC_API: session.baseUrl,
    };
    note("command", plugin.command.map(shellWord).join(" "));
    if (plugin.terminal) return void onTerminal(plugin, env).catch(sayFailure);
    overlays.work({
      title: plugin.words,
      counted: "running",
      wordsOf: () => "",
      stop: "stops the program",
      run: (_, signal) => outputOf(plugin, { env, cwd: currentDirectory }, signal),
    });
  };

  const start = (plugin: Plugin): void => {
    const noun = nounOf(route());
    if (plugin.at.length > 0 && !plugin.at.includes(noun)) {
      return say("note", `${plugin.words}: works at ${plugin.at.join(", ")}`);
    }
    const row = subject.get();
    if (!isJsonObject(row)) return say("note", `${plugin.words}: nothing is selected`);
    if (!plugin.confirm) return run(plugin, row);
    overlays.confirm({
      title: plugin.words,
      effects: [`runs on this machine with the fields of the selected row of ${noun}`],
      command: plugin.command.map(shellWord).join(" "),
      onConfirm: () => run(plugin, row),
    });
  };
  return Object.fromEntries(
    plugins.map((plugin) => [`own ${plugin.key}`, () => start(plugin)] as const),
  );
}
