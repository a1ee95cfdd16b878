import type { Database } from "#server/database/database.ts";
import { raw } from "#server/database/statement.ts";

export interface ScopeResult {
  readonly statements: number;
  /** Statements that ran in the scope of another workspace, or of all. */
  readonly foreign: number;
}

/**
 * Reads, scans and writes in the scopes of many workspaces at once, each of which returns the scope
 * that the server has for it.
 */
export async function statementsInScopes(
  database: Pick<Database, "in">,
  { scopes, rounds }: { readonly scopes: number; readonly rounds: number },
): Promise<ScopeResult> {
  let statements = 0;
  let foreign = 0;
  await Promise.all(
    Array.from({ length: scopes }, async () => {
      const workspace = crypto.randomUUID();
      const view = database.in({ workspaces: [workspace], caller: workspace });
      const own = raw("select current_setting('svc.workspaces', true) as scope");
      type Row = { readonly scope: string };
      for (let round = 0; round < rounds; round += 1) {
        const rows = await Promise.all([
          view.read.first<Row>(own),
          view.scan.first<Row>(own),
          view.write(async (writer) => {
            await writer.first<Row>(own);
            return writer.first<Row>(own);
          }),
        ]);
        statements += rows.length;
        foreign += rows.filter((row) => row?.scope !== `,${workspace},`).length;
      }
    }),
  );
  return { statements, foreign };
}
