import { shown } from "#cli/shown.ts";
import { catalogError, exitCodes } from "#contract/errors.ts";
import { command } from "./command.ts";
import { requireProject } from "./input/project.ts";

/** `svc dev`: runs the development server of a project (spec 4.7). */
export const devCommand = command({
  path: "dev",
  summary: "Run the project's development server",
  description:
    "Checks the project first, then runs the script `dev` of its package.json with PORT and " +
    "BASE_URL_PUBLIC_API set. No token and no other secret of the environment reaches it. The " +
    "pages of the template reload when a file changes, unless --no-turbo is given.",
  arguments: [],
  formats: false,
  options: {
    port: {
      type: "number",
      minimum: 0,
      maximum: 65_535,
      default: 3000,
      description: "Port of the server; 0 takes a free one",
    },
    turbo: {
      type: "boolean",
      negatable: true,
      default: true,
      description: "Reload pages when a file changes (SVC_DEV_TURBO)",
    },
    "skip-checks": { type: "boolean", description: "Start without the checks" },
  },
  examples: ["svc dev", "svc dev --port 4000 --no-turbo --skip-checks"],
  runsAnother: true,
  async run(input, context) {
    const { environment, output, signal } = context;
    const { port, turbo } = input.options;
    const { root } = await requireProject(context);
    const { checkProject, devScript, devVariables } = await import("./project/dev.ts");
    const script = await devScript(root);
    if (!input.options["skip-checks"]) await checkProject(root, port);
    const { baseUrl, baseUrlTrusted } = await context.settings();
    if (!baseUrlTrusted) {
      await output.note(shown`The address ${baseUrl.value} comes from the project's .env.local`);
    }
    await output.note(shown`Running ${script} in ${root}`);
    const [program = ""] = environment.selfCommand;
    const child = Bun.spawn([program, "run", "dev"], {
      cwd: root,
      env: devVariables(environment.variables, {
        port,
        turbo: turbo !== false,
        baseUrl: baseUrl.value,
      }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stop = () => child.kill("SIGTERM");
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const pass = async (stream: ReadableStream<Uint8Array>, isError: boolean) => {
      for await (const chunk of stream) {
        await (isError ? environment.stderr : environment.stdout).write(chunk);
      }
    };
    try {
      await Promise.all([pass(child.stdout, false), pass(child.stderr, true)]);
      const code = await child.exited;
      if (signal.aborted) return exitCodes.interrupted;
      if (code === 0) return exitCodes.done;
      throw catalogError("E005", {}, { hint: `The script \`dev\` ended with exit code ${code}` });
    } finally {
      signal.removeEventListener("abort", stop);
      stop();
    }
  },
});
