import { useCallback, useEffect, useMemo, useRef } from "react";
import { hubPart } from "../../../kit/keys/use-keys.ts";
import { usePart } from "../../../kit/state/part.ts";
import { useStore } from "../../../kit/state/store.ts";
import { ownMember } from "#lib/own-member.ts";
import { confirmedMs, rightsNoun, type Followed } from "./changes.ts";
import type { AnswerTime } from "../freshness.ts";
import { usePlatformLink } from "../use-platform.ts";

const records = ["resource", "file", "objecttype"];
const documents = ["document", "document.job", "review"];
const members = ["member", "role"];
const rights = ["workspace", rightsNoun];

/** The nouns of the feed by the questions whose answers change with them alone. */
const nounsOf: Readonly<Record<string, readonly string[]>> = {
  "resources.list": records,
  "resources.get": records,
  "resources.history": records,
  "resources.deleted": records,
  "resources.aggregate": records,
  "objectTypes.schema": records,
  "documents.list": documents,
  "documents.count": documents,
  "documents.record": documents,
  "documents.deleted": documents,
  "documents.listJobs": documents,
  "jobs.moving": documents,
  "reviews.list": documents,
  "identity.tenants": rights,
  "capabilities.evaluate": rights,
  "members.list": members,
  "members.count": members,
  "members.invitations": members,
  "alerts.list": ["alert"],
  "alerts.count": ["alert"],
  "geoDatasets.list": ["dataset"],
  "geoFeatures.query": ["dataset"],
  "geoReports.list": ["setting"],
};

/** Changes of members are in the streams of admins only. */
const adminRole = "tenant-admin";
/** A followed answer is also refreshed in this period, in case that a change was not reported. */
export const followedRefreshMs = 60_000;

type QuestionParts = readonly (string | number | undefined)[];

interface Following {
  /** Whether the feed reports each change of the answer, which is then hardly polled. */
  readonly isFollowed: boolean;
  /** The time of the answer as the feed confirms it; the same function until it is followed. */
  readonly time: AnswerTime;
  /** The age at which the confirmed time is old; undefined for a polled answer. */
  readonly limitMs: () => number | undefined;
}

/** Refreshes an answer with the changes that it is about, while it is shown. */
export function useChanges(
  [question = "", objectType]: QuestionParts,
  refresh: () => void,
  answered: AnswerTime,
  isActive: boolean,
): Following {
  const { changes } = usePlatformLink();
  const role = useStore(usePart(hubPart).role);
  const state = useStore(changes.state);
  const nouns = ownMember(nounsOf, String(question));
  const isVisible = nouns !== members || role === adminRole;
  const type = nouns === records && typeof objectType === "string" ? objectType : undefined;
  const followed = useRef<Followed | undefined>(undefined);
  useEffect(() => {
    if (nouns === undefined || !isActive) return undefined;
    const added = changes.add({ nouns, objectType: type }, refresh, answered());
    followed.current = added;
    return () => {
      followed.current = undefined;
      added.end();
    };
  }, [changes, nouns, type, refresh, answered, isActive]);
  const isFollowed = state === "following" && nouns !== undefined && isVisible && isActive;
  const confirmed = useCallback(() => {
    const at = answered();
    return at === undefined || !isVisible ? undefined : followed.current?.currentUntilMs(at);
  }, [answered, isVisible]);
  return useMemo(
    () => ({
      isFollowed,
      time: () => {
        const at = answered();
        const until = confirmed();
        return at === undefined || until === undefined ? at : Math.max(at, until);
      },
      limitMs: () => (isFollowed && confirmed() !== undefined ? confirmedMs : undefined),
    }),
    [isFollowed, answered, confirmed],
  );
}
