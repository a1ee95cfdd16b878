import { useContext, type Context } from "react";

/** What the provider of a context gives. One that is not there is a fault of this program. */
export function useProvided<Value>(context: Context<Value | undefined>, provider: string): Value {
  const value = useContext(context);
  if (value === undefined) throw new Error(`a ${provider} is missing above this component`);
  return value;
}
