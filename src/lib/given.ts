/** The members of an object that are given: those whose value is not undefined. */
type Given<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
};

/**
 * Returns a copy without the members whose value is undefined, for options that are missing or have
 * a value: `{ url, ...given({ fetch }) }`.
 */
export function given<Members extends object>(members: Members): Given<Members>;
export function given(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
