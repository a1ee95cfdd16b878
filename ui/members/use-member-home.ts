import { useKeyOffer } from "../kit/keys/use-keys.ts";
import { homeRow, type HomePart } from "../shell/home/home-rows.ts";
import { useRouter } from "../shell/router.ts";
import { memberKeys } from "./keys.ts";

/** The first step with members: home shows no figures of them, since the places do. */
export function useMemberHome(): HomePart {
  const { go } = useRouter();
  const offer = useKeyOffer();
  const step = homeRow({
    id: "step members",
    left: [{ text: `   ↵ ${offer(memberKeys.invite, "opens the members and invites one")}` }],
    open: () => go({ place: "members" }),
    command: [["user", "invite"]],
  });
  return { rows: [], isFilled: false, step };
}
