/** A column as it is listed: nested ones follow the one they are in. */
export interface FieldRow {
  /** The whole path, such as address.city. */
  path: string;
  name: string;
  type: string;
  depth: number;
  description: string;
  tags: readonly string[];
}

export interface SaidField {
  name: string;
  type?: string | null;
  description?: string | null;
  tags?: readonly string[] | null;
  fields?: readonly SaidField[] | null;
}

export function fieldRows(fields: readonly SaidField[], above = "", depth = 0): FieldRow[] {
  return fields.flatMap((field) => {
    const path = above === "" ? field.name : `${above}.${field.name}`;
    const row: FieldRow = {
      path,
      name: field.name,
      type: field.type ?? "",
      depth,
      description: field.description ?? "",
      tags: field.tags ?? [],
    };
    return [row, ...fieldRows(field.fields ?? [], path, depth + 1)];
  });
}

/** Columns that a node on the page lists at once. */
export const MOST_COLUMNS = 12;

export interface ListedColumns {
  rows: readonly FieldRow[];
  /** How many there are besides. */
  left: number;
}

/** The columns that a node lists: all that are lit, then the first of the others, in their order. */
export function listColumns(
  all: readonly FieldRow[],
  lit: readonly string[],
  most = MOST_COLUMNS,
): ListedColumns {
  const known = new Set(all.map((one) => one.path));
  // A producer may tell where a column comes from and leave the schema out.
  const untold = lit
    .filter((path) => !known.has(path))
    .map((path) => ({ path, name: path, type: "", depth: 0, description: "", tags: [] }));
  const rows = [...all, ...untold];
  const first = new Set(lit);
  for (const row of rows) if (first.size < most) first.add(row.path);
  const listed = rows.filter((row) => first.has(row.path));
  return { rows: listed, left: rows.length - listed.length };
}
