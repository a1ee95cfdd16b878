import * as z from "zod";
import { archivedRule } from "#contract/events/alerts.ts";
import { archivedSource } from "#contract/events/webhook-sources.ts";
import { archivedEndpoint } from "#contract/events/webhooks.ts";
import { given } from "#lib/given.ts";
import { statement } from "../../../database/statement.ts";
import type { Work } from "../../../work/work.ts";
import { memberLine } from "./archived-lines.ts";
import type { Line } from "./copy-rows.ts";
import type { ImportUses } from "./import-uses.ts";
import { rowId } from "./line-shapes.ts";
import type { RefusedLines } from "./refused-lines.ts";

const membersAtMost = 1_000;
const endpointLine = archivedEndpoint.extend({ id: rowId });
const ruleLine = archivedRule.extend({ id: rowId });
const settings = z.looseObject({});

/** Makes endpoints and sources of webhooks and rules of alerts again, all of them disabled. */
export class SettingsImport {
  /** The active members of the archive. */
  readonly members: { email: string; role: string }[] = [];
  /** The addresses of the archive's members by the ids of their accounts. */
  readonly #emails = new Map<string, string>();

  constructor(
    private readonly parts: {
      readonly workspaceId: string;
      readonly work: Work;
      readonly uses: Pick<ImportUses, "webhooks" | "webhookSources" | "alerts">;
      readonly refused: RefusedLines;
    },
  ) {}

  async noteMembers(part: string, lines: readonly Line[]): Promise<number> {
    for (const line of this.parts.refused.parsed(part, memberLine, lines)) {
      const { oid, email, role, status } = line;
      if (oid !== undefined) this.#emails.set(oid, email);
      const isListed = status === "active" && this.members.length < membersAtMost;
      if (isListed) this.members.push({ email, role });
    }
    return lines.length;
  }

  endpoints(part: string, lines: readonly Line[]): Promise<number> {
    const { workspaceId, work, uses } = this.parts;
    const forms = lines.map(
      ({ id, description, kinds, types, where_filter, rules, body, ...line }) => {
        const filter = orAbsent({ kinds, types, where: where_filter, rules });
        return { id, description, ...filter, body, role: line["role"], ordered: isSet(line) };
      },
    );
    return this.#storeEach(part, endpointLine, forms, ({ id, ...endpoint }) =>
      uses.webhooks.endpoints.storeArchived(work, { workspace_id: workspaceId, id }, endpoint),
    );
  }

  sources(part: string, lines: readonly Line[]): Promise<number> {
    const { workspaceId, work, uses } = this.parts;
    const forms = lines.map(({ name, scheme, mapping, created_at }) => {
      return { name, scheme, mapping, created_at };
    });
    return this.#storeEach(part, archivedSource, forms, (source) =>
      uses.webhookSources.sources.storeArchived(work, workspaceId, source),
    );
  }

  async rules(part: string, lines: readonly Line[]): Promise<number> {
    const { workspaceId: id, work, uses } = this.parts;
    const forms: unknown[] = [];
    for (const line of lines) {
      const { id: ruleId, name, kind, to_role: role, to_user: user } = line;
      const own = settings.safeParse(line["settings"]).data ?? {};
      const userId = typeof user === "string" ? await this.#memberHere(user) : undefined;
      forms.push({ id: ruleId, name, kind, ...own, ...orAbsent({ role, userId }) });
    }
    const asking = { oid: work.scope.caller, scope: { id, role: "tenant-admin" } } as const;
    return this.#storeEach(part, ruleLine, forms, (rule) =>
      uses.alerts.rules.storeArchived(work, asking, rule),
    );
  }

  /** The account of a member here: the same one, or the one of the same address. */
  async #memberHere(oid: string): Promise<string> {
    const { workspaceId, work } = this.parts;
    const email = this.#emails.get(oid)?.toLowerCase() ?? "";
    const row = await work.read.first<{ oid: string }>(statement`select oid from members
      where workspace_id = ${workspaceId} and (oid = ${oid} or email_key = ${email})
      order by case when oid = ${oid} then 0 else 1 end limit 1`);
    return row?.oid ?? oid;
  }

  async #storeEach<Schema extends z.ZodType>(
    part: string,
    schema: Schema,
    lines: readonly unknown[],
    store: (value: z.output<Schema>) => Promise<boolean>,
  ): Promise<number> {
    const { refused } = this.parts;
    let stored = 0;
    for (const value of refused.parsed(part, schema, lines)) {
      if (await refused.attempt(part, value, () => store(value))) stored += 1;
    }
    return stored;
  }
}

function isSet({ is_ordered: isOrdered }: Line): boolean {
  return isOrdered === 1;
}

/** The values that a line has: a column of an archive is null without one. */
function orAbsent(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return given(
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? undefined])),
  );
}
