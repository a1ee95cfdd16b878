import {
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
import { useScreen } from "../../screen.tsx";
import { Attention } from "./attention.ts";
import { ConnectionMeter, isDown, type Connection } from "./connection.ts";
import { Freshness } from "./freshness.ts";
import { failureOf, type Failure } from "../../kit/answers/failure.ts";
import { ListStore } from "../../kit/answers/list-store.ts";
import type { DashboardOptions, DashboardSession, WorkspaceChoice } from "../../surface.ts";
import { requiredContext } from "../../kit/state/required-context.ts";

export interface Platform {
  readonly session: DashboardSession;
  readonly tenantId: string | undefined;
  /** Absent until just after the first frame. */
  readonly client: Client | undefined;
  readonly failure: Failure | undefined;
  readonly cache: AnswerCache;
  readonly lists: ListStore;
  readonly connection: Connection;
  readonly attention: Attention;
  readonly freshness: Freshness;
  /** Grows with each refresh of everything visible. */
  readonly refreshCount: number;
  refresh(): void;
  changeSession(session: DashboardSession): void;
  chooseWorkspace(workspace: WorkspaceChoice): void;
  /** Shows another workspace as the default of commands. */
  changeDefault(workspaceId: string): void;
}

const [PlatformContext, usePlatform] = requiredContext<Platform>("PlatformProvider");
export { usePlatform };

const keptAnswers = 24;
/** Period of the attempts while the platform is down. */
const retryMs = 5_000;

export function PlatformProvider(props: {
  readonly options: DashboardOptions;
  readonly children: ReactNode;
}) {
  const { options } = props;
  const [session, setSession] = useState(options.session);
  const [made, setMade] = useState<{ client?: Client; failure?: Failure }>({});
  const [refreshCount, setRefreshCount] = useState(0);
  const [cache] = useState(() => new AnswerCache());
  const [lists] = useState(() => new ListStore());
  const [meter] = useState(() => new ConnectionMeter());
  const { watchInput } = useScreen();
  const [attention] = useState(() => new Attention());
  const [freshness] = useState(() => new Freshness(attention));
  useEffect(() => watchInput(attention.read), [watchInput, attention]);
  useEffect(() => watchInput(meter.show), [watchInput, meter]);
  const connection = useSyncExternalStore(meter.subscribe, meter.connection);
  const { baseUrl, profile, user, signedIn } = session;

  const createClient = useEffectEvent(() =>
    options.createClient(
      { ...session, workspace: undefined },
      { onRequest: (trace) => meter.record(trace), onSend: meter.sent, keptAnswers },
    ),
  );
  // The client serves all workspaces: only another user or platform gets a new one.
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

  const refresh = useCallback(() => setRefreshCount((now) => now + 1), []);
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

  const changeDefault = useCallback((defaultWorkspaceId: string) => {
    setSession((now) => ({ ...now, defaultWorkspaceId }));
  }, []);

  const { client } = made;
  const down = isDown(connection);
  useEffect(() => {
    if (client === undefined || !down) return undefined;
    const timer = setInterval(() => {
      client.health.resources({ timeoutMs: retryMs }).then(refresh, () => {});
    }, retryMs);
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
      attention,
      freshness,
      refreshCount,
      refresh,
      changeSession,
      chooseWorkspace,
      changeDefault,
    }),
    [
      session,
      made,
      cache,
      lists,
      connection,
      attention,
      freshness,
      refreshCount,
      refresh,
      changeSession,
      chooseWorkspace,
      changeDefault,
    ],
  );
  return <PlatformContext value={platform}>{props.children}</PlatformContext>;
}
