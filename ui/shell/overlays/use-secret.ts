import { useNotices } from "../notices.ts";
import { useOverlays } from "./overlays.ts";
import { useCopy } from "../use-copy.ts";

interface ShownSecret {
  /** The thing that has the secret. */
  readonly name: string;
  readonly secret: string | undefined;
  /** The program that uses it, and how. */
  readonly use: string;
  /** The platform's words where the answer has no secret. */
  readonly note: string | undefined;
}

/** Returns a function that shows a secret once and copies it. */
export function useSecret(): (shown: ShownSecret) => void {
  const overlays = useOverlays();
  const copy = useCopy();
  const { say } = useNotices();
  return ({ name, secret, use, note }) => {
    if (secret === undefined) return say("note", note ?? `the secret of ${name} was shown before`);
    overlays.confirm({
      title: `Copy the secret of ${name}`,
      effects: [`The secret is shown this once: ${use}`, secret],
      onConfirm: () => copy(secret, `the secret of ${name}`),
    });
  };
}
