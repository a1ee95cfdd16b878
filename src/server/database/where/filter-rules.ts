export interface WhereField {
  readonly path: readonly string[];
  /** The only kind of its values, a number being an integer; undefined for any JSON value. */
  readonly kind?: "text" | "number";
  /** True if a field with a `kind` may be compared with null, which means a missing value. */
  readonly isNullable?: boolean;
  /** SQL alternatives that a test of the field needs: undeclared names may lead through lists. */
  readonly branches: number;
}

export interface WhereLimits {
  /** Levels of filters and operands. */
  readonly depth: number;
  /** Levels of filters, without those of operands. */
  readonly filterDepth?: number;
  /** Filters, fields, nested operators and compared lists or objects together. */
  readonly parts?: number;
  /** Filters, an empty one included: each is a level of the SQL expression. */
  readonly filters?: number;
  readonly fields?: number;
  readonly operatorsPerField?: number;
  /** Items of a list operand. */
  readonly listItems: number;
  readonly fewestItems?: number;
  readonly faults: number;
}

export interface WhereRules {
  /** The operators below a field. */
  readonly operators: readonly string[];
  /** Operators that join filters; with none of them, every name is a field. */
  readonly groups: readonly string[];
  readonly limits: WhereLimits;
  /**
   * The field of this name, or the fault of the name. `isInItem`: it is a member of a list's item.
   */
  field(name: string, isInItem: boolean): WhereField | string;
}
