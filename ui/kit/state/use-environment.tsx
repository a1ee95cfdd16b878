import { createContext, useContext } from "react";
import type { Terminal } from "../../terminal.ts";

type Environment = Pick<Terminal, "env" | "platform">;

export const EnvironmentContext = createContext<Environment>({ env: {}, platform: "" });

/** The environment variables and the operating system of the dashboard. */
export function useEnvironment(): Environment {
  return useContext(EnvironmentContext);
}

/** Whether the terminal shows colours; NO_COLOR and FORCE_COLOR=0 turn them off. */
export function useColours(): boolean {
  const { env } = useEnvironment();
  return (env["NO_COLOR"] ?? "") === "" && env["FORCE_COLOR"] !== "0";
}
