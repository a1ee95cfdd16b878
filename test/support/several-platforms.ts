import { afterAll, beforeAll } from "vitest";
import { describeNeeding } from "./needs.ts";
import {
  createTestPlatform,
  openTestPlatform,
  type TestPlatform,
  type TestPlatformOptions,
} from "./platform.ts";
import { missingPostgres } from "./postgres.ts";
import { temporaryDirectory } from "./temporary.ts";

/**
 * Tests with several platforms in this process, which serve one PostgreSQL database: each has its
 * own memory, its own connections and its own data directory.
 *
 *     describeSeveralPlatforms("a quota", 3, (all) => {
 *       test("…", async () => {
 *         const [first, second] = all();
 */
export function describeSeveralPlatforms(
  name: string,
  count: number,
  body: (all: () => readonly TestPlatform[]) => void,
  wanted: Omit<TestPlatformOptions, "database" | "isInThread"> = {},
): void {
  describeNeeding(`${name} on ${count} platforms`, missingPostgres, () => {
    const platforms: TestPlatform[] = [];
    beforeAll(async () => {
      const first = await openTestPlatform("postgresql", wanted);
      platforms.push(first);
      const { databaseUrl: url, workspaces, users } = first;
      const keyFile = `${first.dataDirectory}/svc.key`;
      const database = {
        engine: "postgresql",
        url,
        path: undefined,
        drop: async () => {},
      } as const;
      while (platforms.length < count) {
        const dataDirectory = await temporaryDirectory("data");
        const options = { ...wanted.options, dataDirectory, keyFile };
        const residents = { workspaces, users };
        platforms.push(await createTestPlatform({ ...wanted, database, options, residents }));
      }
    });
    // The first one drops the database.
    afterAll(async () => {
      for (const platform of platforms.toReversed()) await platform.close();
    });
    body(() => platforms);
  });
}
