import {
  createContext,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import type { Client } from "#client/index.ts";
import { AnswerCache } from "../../kit/answers/cache.ts";
import { ConnectionMeter, isDown, type Connection } from "./connection.ts";
import { failureOf, type Failure } from "../../kit/answers/failure.ts";
import { ListStore } from "../../kit/answers/list-store.ts";
import type { DashboardOptions, DashboardSession, WorkspaceChoice } from "../../surface.ts";
import { useProvided } from "../../kit/state/use-provided.ts";

/** Everything that screens need to talk to the platform. */
export interface Platform {
  readonly session: DashboardSession;
  /** Id of the open workspace; absent while none is. */
  readonly tenantId: string | undefined;
  /** Absent until it has been made, just after the first frame. */
  readonly client: Client | undefined;
  /** Why no client could be made. */
  readonly failure: Failure | undefined;
  readonly cache: AnswerCache;
  readonly lists: ListStore;
  readonly connection: Connection;
  /** Grows when everything that is visible is to be asked again. */
  readonly pulse: number;
  refresh(): void;
  /** Another user, platform or workspace. */
  changeSession(session: DashboardSession): void;
  chooseWorkspace(workspace: WorkspaceChoice): void;
}

const PlatformContext = createContext<Platform | undefined>(undefined);

/** While the platform does not answer it is looked for this often. */
const searchMs = 5_000;

export function PlatformProvider(props: {
  readonly options: DashboardOptions;
  readonly children: ReactNode;
}) {
  const { options } = props;
  const [session, setSession] = useState(options.session);
  const [made, setMade] = useState<{ client?: Client; failure?: Failure }>({});
  const [pulse, setPulse] = useState(0);
  const [cache] = useState(() => new AnswerCache());
  const [lists] = useState(() => new ListStore());
  const [meter] = useState(() => new ConnectionMeter());
  const connection = useSyncExternalStore(meter.subscribe, meter.connection);
  const { baseUrl, profile, user, signedIn } = session;

  const createClient = useEffectEvent(() =>
    options.createClient(
      { ...session, workspace: undefined },
      { onRequest: (trace) => meter.record(trace), onSend: meter.sent },
    ),
  );
  // A workspace is a view of the same client; only another user or platform makes a new one.
  useEffect(() => {
    let left = false;
    createClient().then(
      (client) => left || setMade({ client }),
      (error: unknown) => left || setMade({ failure: failureOf(error) }),
    );
    return () => {
      left = true;
    };
  }, [baseUrl, profile, user, signedIn]);

  const refresh = useCallback(() => setPulse((now) => now + 1), []);
  const changeSession = useCallback(
    (next: DashboardSession) => {
      cache.clear();
      lists.clear();
      meter.reset();
      setMade({});
      setSession(next);
    },
    [cache, lists, meter],
  );
  const chooseWorkspace = useCallback((workspace: WorkspaceChoice) => {
    setSession((now) => ({ ...now, workspace }));
  }, []);

  const { client } = made;
  const down = isDown(connection);
  useEffect(() => {
    if (client === undefined || !down) return undefined;
    const timer = setInterval(() => {
      client.health.resources({ timeoutMs: searchMs }).then(refresh, () => {});
    }, searchMs);
    return () => clearInterval(timer);
  }, [client, down, refresh]);

  const platform = useMemo<Platform>(
    () => ({
      session,
      tenantId: session.workspace?.id,
      client: made.client,
      failure: made.failure,
      cache,
      lists,
      connection,
      pulse,
      refresh,
      changeSession,
      chooseWorkspace,
    }),
    [session, made, cache, lists, connection, pulse, refresh, changeSession, chooseWorkspace],
  );
  return <PlatformContext value={platform}>{props.children}</PlatformContext>;
}

export function usePlatform(): Platform {
  return useProvided(PlatformContext, "PlatformProvider");
}
