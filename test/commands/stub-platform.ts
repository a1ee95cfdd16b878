import { routes } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { selectWorkspace } from "#local/configuration/profiles.ts";
import { contractAnswer, routeOf } from "#test/support/contract-answers.ts";
import { testBaseUrl } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand, type Called, type CallSettings } from "./world.ts";

/** The id of things in calls, and the one of the workspace. */
export const id = "0198f0a0-1111-7000-8000-000000000001";
export const workspace = "0198f0a0-1111-7000-8000-000000000009";

/** A request by its route's id, with its path's parameters and query, and its body. */
type Sent = readonly [route: string, parts?: Readonly<Record<string, string>>, body?: unknown];

interface StubCall extends Pick<Called, "exitCode" | "stdout" | "stderr"> {
  readonly requests: readonly Sent[];
}

const ids: ReadonlyMap<RouteDefinition, string> = new Map(
  Object.entries(routes).flatMap(([domain, definitions]) =>
    Object.entries<RouteDefinition>(definitions).map(([name, definition]) => [
      definition,
      `${domain}.${name}`,
    ]),
  ),
);

function partsOf(request: Request, { path }: RouteDefinition): Record<string, string> {
  const url = new URL(request.url);
  const names = path.split("/");
  const parameters = url.pathname.split("/").flatMap((value, index) => {
    const name = /^\{(\w+)\}$/.exec(names[index] ?? "")?.[1];
    return name === undefined ? [] : [[name, decodeURIComponent(value)] as const];
  });
  return Object.fromEntries([...parameters, ...url.searchParams]);
}

/** A new configuration directory where the workspace is selected. */
async function selected(): Promise<string> {
  const configDirectory = await temporaryDirectory("config");
  const chosen = { id: workspace, slug: "tenant", displayName: "Tenant", origin: testBaseUrl };
  await selectWorkspace({ configDirectory, profile: "default", workspace: chosen });
  return configDirectory;
}

/**
 * Runs a command against a platform that answers each route by its contract, or as `answers` says
 * by the route's id. Resolves to what was sent, and what was printed.
 */
export async function sent(
  words: string | readonly string[],
  settings: CallSettings & { readonly answers?: Readonly<Record<string, unknown>> } = {},
): Promise<StubCall> {
  const { answers = {}, ...others } = settings;
  const requests: Sent[] = [];
  const list = typeof words === "string" ? words.split(" ") : words;
  const called = await runCommand(list, {
    token: "token",
    config: await selected(),
    fetch: async (request) => {
      const route = routeOf(request);
      const name = (route === undefined ? undefined : ids.get(route)) ?? request.url;
      const text = await request.clone().text();
      const parts = route === undefined ? {} : partsOf(request, route);
      const isJson = request.headers.get("content-type") === "application/json";
      requests.push(isJson ? [name, parts, JSON.parse(text)] : [name, parts]);
      const answer = answers[name];
      if (answer instanceof Response) return answer;
      return answer === undefined ? contractAnswer(request) : Response.json(answer);
    },
    ...others,
  });
  const { exitCode, stdout, stderr } = called;
  return { exitCode, stdout, stderr, requests };
}
