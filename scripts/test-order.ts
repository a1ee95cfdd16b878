/** The name of the variable with the path of the file that appears when dist/svc has been built. */
export const buildEndVariable = "SVC_TEST_BUILD_END";

/** Tests that start no program of dist/svc: a run begins with them while it is built. */
export const early: readonly string[] = [
  "test/architecture/",
  "test/lib/",
  "test/server/database/",
  "test/server/domains/alerts/",
  "test/server/domains/audit/",
  "test/server/domains/members/",
  "test/server/domains/object-types/",
  "test/server/domains/records/",
  "test/server/domains/workspaces/",
];

/** True for a test file, by its path in the repository, that may run before dist/svc is built. */
export function isEarly(path: string): boolean {
  return early.some((folder) => path.startsWith(folder));
}

/**
 * The order of test files by their paths: the early ones first, and the longest first among both.
 * Without times of an earlier run, vitest would begin with the largest ones, and a long small one
 * would run alone at the end.
 */
export function inOrder<File>(
  files: readonly File[],
  { pathOf, seconds }: { pathOf: (file: File) => string; seconds: ReadonlyMap<string, number> },
): File[] {
  const secondsOf = (file: File): number => seconds.get(pathOf(file)) ?? 0;
  const rankOf = (file: File): number => (isEarly(pathOf(file)) ? 0 : 1);
  return files.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || secondsOf(other) - secondsOf(one),
  );
}

/** The content of the file at the end of a build: why it failed, if it did. */
export interface BuildEnd {
  readonly error?: string;
}
