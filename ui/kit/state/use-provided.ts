import { useContext, type Context } from "react";

/** The value of a context; throws where the provider is missing, which is a bug. */
export function useProvided<Value>(context: Context<Value | undefined>, provider: string): Value {
  const value = useContext(context);
  if (value === undefined) throw new Error(`a ${provider} is missing above this component`);
  return value;
}
