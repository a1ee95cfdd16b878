import { describe, expect, it } from "vitest";
import {
  allViews,
  isSameView,
  nameProblem,
  readOwnViews,
  readView,
  sharedViews,
  viewData,
  viewTypeDefinition,
  withView,
  type NamedView,
} from "#ui/records/list/views/views.ts";

const overdue: NamedView = {
  name: "overdue",
  filter: "due<today",
  sort: { id: "due", descending: false },
  columns: ["reference", "due"],
};

describe("named views", () => {
  it("are read as they were stored", () => {
    expect(readView(JSON.parse(JSON.stringify(viewData(overdue))))).toEqual(overdue);
    const own = { views: [viewData(overdue)] };
    expect(readOwnViews(JSON.parse(JSON.stringify(own)))).toEqual([overdue]);
    const newest = { ...overdue, columns: undefined, sort: { id: "due", descending: true } };
    expect(viewData(newest)).toEqual({ name: "overdue", filter: "due<today", sort: "-due" });
  });

  it.each([
    ["no object", "overdue"],
    ["no name", {}],
    ["a blank name", { name: " " }],
    ["the name of the list without a view", { name: "all" }],
    ["a name that is too long", { name: "x".repeat(41) }],
    ["a filter that is too long", { name: "a", filter: "x".repeat(1_001) }],
    ["no order", { name: "a", sort: "" }],
    ["an order of another kind", { name: "a", sort: 1 }],
  ])("are left out with %s", (_what, value) => {
    expect(readView(value)).toBeUndefined();
  });

  it("of other programs are bounded", () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ name: `v${index}` }));
    expect(readOwnViews({ views: many })).toHaveLength(20);
    expect(readOwnViews({ views: "many" })).toEqual([]);
    const columns = [1, "a", "x".repeat(200), ...Array.from({ length: 60 }, (_, at) => `c${at}`)];
    expect(readView({ name: "a", columns })?.columns).toHaveLength(40);
    expect(readView({ name: "a", columns: [] })?.columns).toBeUndefined();
  });

  it("are shown where filter, order and columns are theirs", () => {
    expect(isSameView(overdue, { ...overdue, filter: " due<today " })).toBe(true);
    expect(isSameView(overdue, { ...overdue, columns: undefined })).toBe(false);
    expect(isSameView(overdue, { ...overdue, sort: { id: "due", descending: true } })).toBe(false);
  });

  it("replace one with their name, and yield to those of the workspace", () => {
    const later = { ...overdue, filter: "due<today+7" };
    expect(withView([overdue], later)).toEqual([later]);
    const record = { id: "r1", version: 2 };
    const at = "2026-11-27T00:00:00.000Z";
    const stored = { ...record, type: "dashboard-view", created_at: at, updated_at: at };
    const shared = sharedViews([
      { ...stored, data: viewData(later) },
      { ...stored, data: {} },
    ]);
    expect(shared).toEqual([{ ...later, record }]);
    const mine = { ...overdue, name: "a" };
    expect(allViews([overdue, mine], shared)).toEqual([mine, { ...later, record }]);
  });

  it("have names of their own", () => {
    expect(nameProblem("all")).toBe("all is the list without a view");
    expect(nameProblem("x".repeat(41))).toBe("at most 40 characters");
    expect(nameProblem("overdue")).toBeUndefined();
    expect(viewTypeDefinition("dashboard-view").slug).toBe("dashboard-view");
  });
});
