/**
 * A value, or the promise of one: what nearly every request asks for and nearly always is at hand.
 * `await` takes both; {@link chained} takes both without giving way when nothing has to be waited for.
 */
export type Promisable<Value> = Value | Promise<Value>;

/** What `proceed` makes of the value: now when it is there, else when it comes. */
export function chained<Value, Result>(
  value: Promisable<Value>,
  proceed: (value: Value) => Promisable<Result>,
): Promisable<Result> {
  return value instanceof Promise ? value.then(proceed) : proceed(value);
}
