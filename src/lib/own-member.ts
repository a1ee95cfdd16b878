/** What a JSON object itself has under a name: a property may be called `constructor`. */
export function ownMember<Value>(
  object: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined;
export function ownMember(object: object, name: string): unknown;
export function ownMember(object: object, name: string): unknown {
  return Object.hasOwn(object, name)
    ? (object as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
