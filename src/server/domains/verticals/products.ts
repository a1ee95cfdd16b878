import { configurationTypes } from "#contract/access/configuration-types.ts";
import type { VerticalProduct } from "#contract/apps/verticals.ts";
import { Refusal, type Fault } from "#contract/problems.ts";
import type { Resource } from "#contract/resources/resources.ts";
import { given } from "#lib/given.ts";
import { isActive, type ResourceService } from "../records/service.ts";
import type { Work } from "../../work/work.ts";
import { RecentMap } from "../../kit/recent-map.ts";
import { declaredRoutes, type Declarations, type DeclaredRoute } from "./declared-routes.ts";

const keptBindings = 500;

export interface Product {
  readonly key: string;
  readonly displayName: string | undefined;
  readonly routes: readonly DeclaredRoute[];
  readonly faults: readonly Fault[];
}

/** The enrolled products of workspaces, with the routes that their bindings declare (spec 4.6). */
export class Products {
  /**
   * A version of a record never changes in its workspace. An archive brings its ids and versions
   * into any workspace.
   */
  readonly #declared = new RecentMap<string, Declarations>(keptBindings);

  constructor(private readonly records: Pick<ResourceService, "findRecords">) {}

  /** 404 `vertical-not-enrolled` for a product that is unknown, pending or not active. */
  async require(work: Work, workspaceId: string, key: string): Promise<Product> {
    const ofKey = { vertical_key: key };
    const [enrollments, bindings] = await Promise.all([
      this.records.findRecords(work, workspaceId, configurationTypes.enrollment, ofKey),
      this.records.findRecords(work, workspaceId, configurationTypes.binding, ofKey),
    ]);
    const [enrollment] = enrollments;
    if (enrollment === undefined) throw notEnrolled(key, "is not enrolled in this workspace");
    if (!isActive(enrollment)) {
      throw notEnrolled(key, `is ${String(enrollment.data["status"])}, not active`);
    }
    const declared = bindings
      .filter(isActive)
      .map((binding) => this.#declarationsOf(workspaceId, binding));
    const { display_name: displayName } = enrollment.data;
    return {
      key,
      displayName: typeof displayName === "string" ? displayName : undefined,
      routes: declared.flatMap(({ routes }) => routes),
      faults: declared.flatMap(({ faults }) => faults),
    };
  }

  #declarationsOf(workspaceId: string, { id, version, data }: Resource): Declarations {
    const name = `${workspaceId} ${id} ${version}`;
    const known = this.#declared.get(name);
    if (known !== undefined) return known;
    const declarations = declaredRoutes(data);
    this.#declared.set(name, declarations);
    return declarations;
  }
}

/** The answer of `GET /v4/verticals/{product}`. */
export function productAnswer({ key, displayName, routes, faults }: Product): VerticalProduct {
  return {
    product: key,
    ...given({ displayName }),
    routes: routes.map(({ route }) => {
      const { where: _where, ...shown } = route;
      return shown;
    }),
    ...(faults.length === 0 ? {} : { faults: [...faults] }),
  };
}

function notEnrolled(key: string, reason: string): Refusal {
  return new Refusal("vertical-not-enrolled", {
    detail: `Cannot answer this request: the product ${JSON.stringify(key)} ${reason}`,
  });
}
