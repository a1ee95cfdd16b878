import type { ComparedPart, ComparedSide } from "#ui/surface.ts";

/** Parts that an import keeps and never merges: two workspaces never have the same ones. */
const keptParts: ReadonlySet<string> = new Set([
  "members",
  "webhook-endpoints",
  "webhook-sources",
  "alert-rules",
]);

/** The outcome of each part; those with kept parts count only for one and the same workspace. */
export function compared(left: ComparedSide, right: ComparedSide): ComparedPart[] {
  const isSame = left.manifest.workspace.id === right.manifest.workspace.id;
  const hasOneLog = isSame && !left.isWorkspace && !right.isWorkspace;
  const [one, other] = [left, right].map(
    ({ manifest }) => new Map(manifest.parts.map((part) => [part.name, part])),
  );
  const names = new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])]);
  return [...names].map((name) => {
    const [first, second] = [one?.get(name), other?.get(name)];
    const counts = { one: first?.count ?? null, other: second?.count ?? null };
    const isCompared = name === "audit" ? hasOneLog : isSame || !keptParts.has(name);
    if (!isCompared) return { name, outcome: "not compared", ...counts };
    if (first === undefined || second === undefined) return { name, outcome: "missing", ...counts };
    return { name, outcome: first.sha256 === second.sha256 ? "equal" : "different", ...counts };
  });
}
