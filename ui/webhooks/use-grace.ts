import { useOverlays } from "../shell/overlays/overlays.ts";

const graces = [
  { days: 1, words: "1 day", note: "usual" },
  { days: 3, words: "3 days", note: undefined },
  { days: 7, words: "7 days", note: "the longest" },
  { days: 0, words: "none", note: "the former secret ends at once" },
] as const;

/** Returns a function that asks how long the former secret works too, in days. */
export function useGrace(): (name: string, onDays: (days: number) => void) => void {
  const overlays = useOverlays();
  return (name, onDays) =>
    overlays.choose({
      title: `The former secret of ${name} works for`,
      placeholder: "how long both secrets work",
      choices: graces.map(({ days, words, note }) => ({
        id: String(days),
        words,
        note,
        choose: () => onDays(days),
      })),
    });
}
