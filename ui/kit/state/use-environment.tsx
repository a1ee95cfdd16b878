import { createContext, useContext, type ReactNode } from "react";
import type { Terminal } from "../../terminal.ts";

type Surroundings = Pick<Terminal, "env" | "platform">;

const EnvironmentContext = createContext<Surroundings>({ env: {}, platform: "" });

export function EnvironmentProvider(props: {
  readonly terminal: Surroundings;
  readonly children: ReactNode;
}) {
  return <EnvironmentContext value={props.terminal}>{props.children}</EnvironmentContext>;
}

/** The variables and the system that the dashboard was started with. */
export function useEnvironment(): Surroundings {
  return useContext(EnvironmentContext);
}

/** Whether the terminal shows colours at all: NO_COLOR, FORCE_COLOR=0. */
export function useColours(): boolean {
  const { env } = useEnvironment();
  return (env["NO_COLOR"] ?? "") === "" && env["FORCE_COLOR"] !== "0";
}
