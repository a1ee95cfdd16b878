type Cleanup = () => Promise<void> | void;

const afterTests: Cleanup[] = [];
const afterFiles: Cleanup[] = [];

/**
 * Runs after each test of every file, last registered first. A module registers its cleanup once:
 * the files of a worker share their modules, so a hook of vitest would serve the first file only.
 */
export function afterEveryTest(cleanup: Cleanup): void {
  afterTests.unshift(cleanup);
}

/** Runs after the last test of every file, last registered first. */
export function afterEveryFile(cleanup: Cleanup): void {
  afterFiles.unshift(cleanup);
}

/** Runs the cleanups of `afterEveryTest`; `setup.ts` calls it. */
export async function cleanUpTest(): Promise<void> {
  for (const cleanup of afterTests) await cleanup();
}

/** Runs the cleanups of `afterEveryFile`; `setup.ts` calls it. */
export async function cleanUpFile(): Promise<void> {
  for (const cleanup of afterFiles) await cleanup();
}
