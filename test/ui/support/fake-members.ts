import { FakeArchives } from "./fake-archives.ts";
import { FakeEvents } from "./fake-events.ts";
import { FakeApps, benOid } from "./fake-apps.ts";
import { FakeGeo } from "./fake-geo.ts";
import type { Wish } from "./open-fake.ts";

export { benOid };

/** Changes of members, invitations and roles, as the fake platform answers them. */
export class FakeMembers {
  readonly #invited: string[] = [];
  readonly #apps: FakeApps;
  readonly #events: FakeEvents;
  readonly #geo: FakeGeo;
  readonly #archives: FakeArchives;

  constructor(wish: Wish) {
    this.#apps = new FakeApps(wish.refusing ?? false);
    this.#events = new FakeEvents(wish);
    this.#geo = new FakeGeo(wish);
    this.#archives = new FakeArchives(wish);
  }

  /** The answer, and undefined for every other request. */
  async answer(request: Request, path: string): Promise<object | undefined> {
    const ofEvents = await this.#events.answer(request, path);
    if (ofEvents !== undefined) return ofEvents;
    const ofGeo = await this.#geo.answer(request, path);
    if (ofGeo !== undefined) return ofGeo;
    const ofArchives = await this.#archives.answer(request, path);
    if (ofArchives !== undefined) return ofArchives;
    const ofApps = await this.#apps.answer(request, path);
    if (ofApps !== undefined) return ofApps;
    if (path === `/v4/platform/users/${benOid}/reset-password`) {
      return { oid: benOid, status: "active", oneTimePassword: "once-and-never-again" };
    }
    if (!path.startsWith("/v4/platform/tenants/")) return undefined;
    if (path.endsWith("/role-definitions")) {
      return { items: ["tenant-staff", "tenant-viewer"].map((key) => ({ id: key, key })) };
    }
    const email = new URL(request.url).searchParams.get("email");
    if (path.endsWith("/users/by-email") && email === "ben@northwind.example") {
      return { memberId: "m2", email, role: "tenant-staff" };
    }
    if (path.endsWith("/members/invite")) {
      const { email } = (await request.json()) as { email: string };
      this.#invited.unshift(email);
      const member = { memberId: `i-${email}`, email, status: "invited" };
      return { member, link: "http://fake/auth/invitation?secret=once", secret: "once" };
    }
    if (path.endsWith("/invitations")) {
      const items = this.#invited.map((email) => ({
        invitationId: `i-${email}`,
        email,
        role: "tenant-staff",
        delivery: "link",
      }));
      return { items, hasNextPage: false };
    }
    if (path.includes("/invitations/i-")) {
      this.#invited.pop();
      return { invitationId: "i", status: "revoked" };
    }
    if (path.endsWith("/m2/roles")) return { memberId: "m2", role: "tenant-staff" };
    if (path.endsWith("/members/m2")) return { memberId: "m2", status: "removed" };
    if (path.endsWith("/m2/disable")) return { memberId: "m2", status: "disabled" };
    return undefined;
  }
}
