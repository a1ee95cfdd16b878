export interface WorkspaceRow {
  id: string;
  parent_id: string | null;
  /** The parent's id, empty for a root: slugs are unique below one parent and among roots. */
  parent_key: string;
  /** 0 for a root. */
  depth: number;
  slug: string;
  display_name: string;
  domain: string | null;
  usecase: string;
  industry: string | null;
  starter_template: string;
  home_region: string;
  created_by: string;
  created_at: string;
  updated_at: string;
}

export interface MemberRow {
  workspace_id: string;
  oid: string;
  /** `memberId` in the interface. */
  id: string;
  role: string;
  invited_by: string | null;
  created_at: string;
  updated_at: string;
}

export interface WorkspaceTables {
  workspaces: WorkspaceRow;
  members: MemberRow;
}
