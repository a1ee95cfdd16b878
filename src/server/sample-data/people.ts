/** The members of the planning desk without the first user: some of each role. */
export const planningMembers = [
  ...people("tenant-viewer", [
    ["v.ward", "Vera", "Ward"],
    ["r.calloway", "Ruth", "Calloway"],
  ]),
  ...people("tenant-staff", [
    ["m.okafor", "Mercy", "Okafor"],
    ["p.sharma", "Priti", "Sharma"],
    ["i.kemp", "Iris", "Kemp"],
  ]),
  ...people("tenant-builder", [["j.lindqvist", "Jonas", "Lindqvist"]]),
  ...people("tenant-admin", [
    ["h.brandt", "Helena", "Brandt"],
    ["e.hughes", "Elin", "Hughes"],
  ]),
];

/** Two of these members also belong to the planning desk. */
export const licensingMembers = [
  ...people("tenant-viewer", [["r.calloway", "Ruth", "Calloway"]]),
  ...people("tenant-staff", [["d.osei", "Daniel", "Osei"]]),
  ...people("tenant-admin", [["h.brandt", "Helena", "Brandt"]]),
];

export interface SampleMember {
  readonly email: string;
  readonly role: "tenant-viewer" | "tenant-staff" | "tenant-builder" | "tenant-admin";
  readonly firstName: string;
  readonly lastName: string;
}

function people(
  role: SampleMember["role"],
  names: readonly (readonly [account: string, firstName: string, lastName: string])[],
): SampleMember[] {
  return names.map(([account, firstName, lastName]) => ({
    email: `${account}@northwind.example`,
    role,
    firstName,
    lastName,
  }));
}
