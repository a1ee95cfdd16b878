/**
 * A value, or the promise of one: most requests need only cached values, and no tick to wait for
 * them.
 */
export type Promisable<Value> = Value | Promise<Value>;

/** Passes the value on to `proceed`, at once unless it is a promise. */
export function chained<Value, Result>(
  value: Promisable<Value>,
  proceed: (value: Value) => Promisable<Result>,
): Promisable<Result> {
  return value instanceof Promise ? value.then(proceed) : proceed(value);
}
