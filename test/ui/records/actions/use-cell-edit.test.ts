import { describe, expect, it } from "vitest";
import { formField } from "#ui/kit/forms/form-field.ts";
import { cellRequest, offeredFields } from "#ui/records/actions/use-cell-edit.ts";
import { keys } from "../../../support/tty.ts";
import { choose, openOrders } from "../../support/open-fake.ts";

const fields = ["reference", "status", "fee"].map((name) => formField(name, name));

describe("the form of one field", () => {
  it("has the other fields checked with it, and no faults of them", () => {
    const checked: object[] = [];
    const request = cellRequest(
      {
        title: "Edit PA-1",
        subject: {
          fields,
          data: { reference: "PA-1", fee: 5 },
          check: (data) => {
            checked.push(data);
            return [
              { pointer: "/fee", detail: "must be smaller" },
              { pointer: "/status", detail: "is required" },
            ];
          },
        },
        save: () => Promise.resolve("saved"),
      },
      formField("fee", "Fee"),
    );
    expect(request.title).toBe("Edit PA-1: Fee");
    expect(request.subject.data).toEqual({ fee: 5 });
    expect(request.subject.check({ fee: 7 })).toEqual([
      { pointer: "/fee", detail: "must be smaller" },
    ]);
    request.subject.check({});
    expect(checked).toEqual([{ reference: "PA-1", fee: 7 }, { reference: "PA-1" }]);
  });

  it("offers the field of the last edit first", () => {
    expect(offeredFields(fields, "fee").map(({ name }) => name)).toEqual([
      "fee",
      "reference",
      "status",
    ]);
    expect(offeredFields(fields, undefined)).toEqual(fields);
  });
});

describe("editing a cell", () => {
  it("asks for the field and its value, and saves that alone", async () => {
    await using terminal = await openOrders();
    await choose(terminal, "i", "Edit a field of WO-1", "stat");
    await terminal.waitFor("Edit WO-1, version 2: status");
    await terminal.waitFor("✓ open");
    await terminal.type("withdr");
    terminal.write(keys.enter);
    await terminal.waitFor("saved WO-1 as version 3");
    await terminal.waitFor("⊘ withdrawn");
    terminal.write("i");
    await terminal.waitFor(/▸ +status +withdrawn/);
    await terminal.type("cost");
    terminal.write(keys.enter);
    await terminal.waitFor("Edit WO-1, version 3: cost");
    terminal.write(keys.ctrl("u"));
    await terminal.type("130");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("saved WO-1 as version 4");
    await terminal.waitFor("130");
    expect(terminal.text()).toContain("Replace the gutter");
  });

  it("compares its value with what another user saved meanwhile", async () => {
    await using terminal = await openOrders({ meanwhile: "change" });
    await choose(terminal, "i", "Edit a field of WO-1", "cost");
    await terminal.waitFor("Edit WO-1, version 2: cost");
    terminal.write(keys.ctrl("u"));
    await terminal.type("130");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("saved version 3 while you were at version 2");
    await terminal.waitFor(/mine +130 [^]*theirs +500 /);
    terminal.write("m");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("saved WO-1 as version 4");
  });
});
