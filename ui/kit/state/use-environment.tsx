import { createContext, useContext, type ReactNode } from "react";
import type { Terminal } from "../../terminal.ts";

type Environment = Pick<Terminal, "env" | "platform">;

const EnvironmentContext = createContext<Environment>({ env: {}, platform: "" });

export function EnvironmentProvider(props: {
  readonly terminal: Environment;
  readonly children: ReactNode;
}) {
  return <EnvironmentContext value={props.terminal}>{props.children}</EnvironmentContext>;
}

/** The environment variables and the operating system of the dashboard. */
export function useEnvironment(): Environment {
  return useContext(EnvironmentContext);
}

/** Whether the terminal shows colours; NO_COLOR and FORCE_COLOR=0 turn them off. */
export function useColours(): boolean {
  const { env } = useEnvironment();
  return (env["NO_COLOR"] ?? "") === "" && env["FORCE_COLOR"] !== "0";
}
