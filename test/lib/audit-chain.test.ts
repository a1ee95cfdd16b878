import { expect, test } from "vitest";
import { AuditChain, auditDigest, erasedDigest, firstDigest } from "#lib/audit-chain.ts";

type Entry = Readonly<Record<string, unknown>>;

/** A chain of entries, each with its number and digest. */
function chained(entries: readonly Entry[]): Entry[] {
  let previous = firstDigest;
  return entries.map((entry, index) => {
    const numbered = { sequence: index + 1, ...entry };
    previous = auditDigest(previous, numbered);
    return { ...numbered, digest: previous };
  });
}

function followed(entries: readonly Entry[], known?: { sequence: number; digest: string }) {
  const chain = new AuditChain({ sequence: 0, digest: firstDigest }, known);
  for (const entry of entries) chain.add(entry);
  chain.end();
  return chain;
}

const first = { at: "2026-01-01T00:00:00Z", action: "record.create" };
const second = { action: "record.update", changes: { before: { a: 1 }, after: { b: 2, a: 1 } } };
const digests = chained([first, second]).map(({ digest }) => String(digest));
/** The second entry after its erasure. */
const erased = { ...second, sequence: 2, changes: { erased: "now" }, digest: digests[1] ?? "" };
const erasure = {
  action: "record.erase",
  changes: { after: { erasedEntries: [2], erasedDigests: [erasedDigest(erased)] } },
};
const sound = chained([first, second, erasure]);

test("the digest depends on values, not on the order of members or on absent ones", () => {
  const digest = auditDigest("x", { action: "a", changes: { one: 1, two: [{ b: 1, a: 2 }] } });
  const same = { changes: { two: [{ a: 2, b: 1 }], one: 1 }, action: "a", code: undefined };
  expect(auditDigest("x", same)).toBe(digest);
  expect(auditDigest("x", { action: "a", changes: { one: 2 } })).not.toBe(digest);
  expect(auditDigest("y", same)).not.toBe(digest);
});

test("a sound chain has no fault, and knows its ends", () => {
  const chain = followed(sound);
  expect(chain).toMatchObject({ fault: undefined, entries: 3, since: "2026-01-01T00:00:00Z" });
  expect(chain.last).toEqual({ sequence: 3, digest: sound[2]?.["digest"] });
});

test.each<[string, readonly Entry[], string]>([
  ["a missing entry", sound.toSpliced(1, 1), "entry 2 is missing"],
  ["no digest", [{ sequence: 1 }], "entry 1 has no sequence or no digest"],
  [
    "a changed entry",
    sound.with(1, { ...sound[1], action: "record.delete" }),
    "entry 2 was changed, or does not follow the one before it",
  ],
  [
    "an erased entry that none names",
    sound.with(1, erased).slice(0, 2),
    "entry 2 was changed, and no entry of an erasure names it",
  ],
  [
    "an erased entry that was changed later",
    sound.with(1, { ...erased, actor: "another" }),
    "entry 2 was changed after its erasure",
  ],
  [
    "an erasure without digests",
    chained([
      first,
      second,
      { action: "record.erase", changes: { after: { erasedEntries: [2] } } },
    ]).with(1, erased),
    "entry 2 was changed after its erasure",
  ],
  [
    "an erasure that the platform has not signed",
    sound.with(1, erased).with(2, { ...sound[2], seal: "altered" }),
    "entry 3 names erased entries, and the platform has not signed it",
  ],
])("a chain with %s has a fault", (_case, entries, fault) => {
  expect(followed(entries).fault).toBe(fault);
});

test("an erased entry is sound if a later erasure names it", () => {
  expect(followed(sound.with(1, erased))).toMatchObject({ fault: undefined, erased: 1 });
  const signed = sound.with(1, erased).with(2, { ...sound[2], seal: "valid" });
  expect(followed(signed)).toMatchObject({ fault: undefined, erased: 1 });
});

test("an earlier head must be one of the entries", () => {
  expect(followed(sound, { sequence: 2, digest: "other" }).fault).toBe(
    "entry 2 is not the one of --head",
  );
  expect(followed(sound, { sequence: 2, digest: String(sound[1]?.["digest"]) }).fault).toBe(
    undefined,
  );
});
