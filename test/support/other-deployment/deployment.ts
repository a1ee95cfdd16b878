import { answered, refusal, Refused, type Json } from "./answers.ts";
import type { Dialect } from "./dialects.ts";
import { chatRoutes } from "./routes/chat.ts";
import type { OtherRoute } from "./routes/call.ts";
import { documentRoutes } from "./routes/documents.ts";
import { fileRoutes } from "./routes/files.ts";
import { identityRoutes } from "./routes/identity.ts";
import { objectTypeRoutes } from "./routes/object-types.ts";
import { otherRoutes } from "./routes/other-families.ts";
import { recordRoutes } from "./routes/records.ts";
import { authPath, signInRoutes } from "./routes/sign-in.ts";
import { storageRoutes } from "./routes/storage.ts";
import { seed, type State, type StoredWorkspace } from "./state.ts";
import { listen, type WireAnswer, type WireRequest } from "./wire.ts";

/**
 * A deployment of the v4 interface of another maker: written from the specification alone, with
 * its own choices wherever the specification leaves one. It imports nothing of the product.
 */
export interface OtherDeployment {
  readonly url: string;
  readonly authUrl: string;
  readonly token: string;
  readonly workspaceId: string;
  /** The stored state of that workspace. */
  readonly workspace: StoredWorkspace;
  readonly state: State;
  /** Method and path of each request, in order. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

/** Fixed segments before parameters, so that `/query` is no Object Type. */
const routes: readonly OtherRoute[] = [
  ...signInRoutes,
  ...identityRoutes,
  ...objectTypeRoutes,
  ...storageRoutes,
  ...documentRoutes,
  ...chatRoutes,
  ...otherRoutes,
  ...fileRoutes,
  ...recordRoutes,
].toSorted((one, other) => parametersOf(one) - parametersOf(other));

/** Method and path of every served route, as the specification writes them. */
export const servedRoutes: readonly string[] = routes.map(
  ({ method, path }) => `${method} ${path}`,
);

function parametersOf({ path }: OtherRoute): number {
  return path.split("{").length;
}

function paramsOf(pattern: string, pathname: string): Json | undefined {
  const wanted = pattern.split("/");
  const given = pathname.split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = given[index] ?? "";
    if (!part.startsWith("{")) {
      if (part !== segment) return undefined;
    } else {
      const value = decoded(segment);
      if (value === undefined || value === "") return undefined;
      params[part.slice(1, -1)] = value;
    }
  }
  return params;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function requireBearer({ headers }: WireRequest, { token }: State): void {
  if (headers.get("authorization") !== `Bearer ${token}`) {
    throw new Refused(401, "the token is not known");
  }
}

async function answer(request: WireRequest, state: State, dialect: Dialect): Promise<WireAnswer> {
  try {
    const { pathname } = request.url;
    const found = routes.find(
      ({ method, path }) => method === request.method && paramsOf(path, pathname) !== undefined,
    );
    if (found?.open !== true) requireBearer(request, state);
    if (found === undefined) throw new Refused(dialect.absent, `no ${request.method} here`);
    const params = Object.entries(paramsOf(found.path, pathname) ?? {});
    const call = {
      ...request,
      params: Object.fromEntries(params.map(([name, value]) => [name, String(value)])),
      state,
      dialect,
    };
    const answer = await found.answer(call);
    const reword = dialect.words?.[`${found.method} ${found.path}`];
    return answered(reword?.(answer, call) ?? answer, dialect);
  } catch (error) {
    const refused = error instanceof Refused ? error : new Refused(500, String(error));
    return refusal(refused, dialect);
  }
}

/** Starts a deployment of a dialect on a free port of this machine. */
export async function startOtherDeployment(dialect: Dialect): Promise<OtherDeployment> {
  const { state, workspace } = seed(dialect);
  const seen: string[] = [];
  const server = await listen(dialect, async (request) => {
    seen.push(`${request.method} ${request.url.pathname}`);
    return await answer(request, state, dialect);
  });
  return {
    url: server.url,
    authUrl: `${server.url}${authPath}`,
    token: state.token,
    workspaceId: workspace.id,
    workspace,
    state,
    seen,
    close: server.close,
  };
}
