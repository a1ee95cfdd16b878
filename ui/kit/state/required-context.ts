import { createContext, useContext, type Context } from "react";

/** A context and the hook that reads it; the hook throws where the provider is missing, a bug. */
export function requiredContext<Value>(
  provider: string,
): readonly [context: Context<Value | undefined>, use: () => Value] {
  const context = createContext<Value | undefined>(undefined);
  function useRequired(): Value {
    const value = useContext(context);
    if (value === undefined) throw new Error(`a ${provider} is missing above this component`);
    return value;
  }
  return [context, useRequired];
}
