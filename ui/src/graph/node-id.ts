/** Node ids as the server writes them; any name round-trips. */

export type NodeKind = "dataset" | "datasetField" | "job" | "run";

export interface NodeId {
  kind: NodeKind;
  namespace: string;
  name: string;
  field?: string;
}

// Marquez's own rule: the colons of "kafka://host:9092" do not separate.
const SEPARATOR = /:(?!\/\/|[0-9])/;
const MUST_ESCAPE = /[%#]|:(?!\/\/|[0-9])|^(?:[0-9]|\/(?=\/))/g;

function escapePart(part: string): string {
  return part.replace(
    MUST_ESCAPE,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

function unescapePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function formatNodeId(node: NodeId): string {
  const parts = [node.namespace, node.name, ...(node.field === undefined ? [] : [node.field])];
  return [node.kind, ...parts.map(escapePart)].join(":");
}

/** The node that a text names; nothing where it names none. */
export function parseNodeId(text: string): NodeId | undefined {
  const colon = text.indexOf(":");
  const kind = text.slice(0, Math.max(colon, 0));
  if (kind !== "dataset" && kind !== "datasetField" && kind !== "job") return undefined;
  const body = text.slice(colon + 1).split("#", 1)[0] ?? "";
  const parts = body.split(SEPARATOR);
  const fields = kind === "datasetField" ? 1 : 0;
  if (parts.length < 2 + fields) return undefined;
  const namespace = parts[0] ?? "";
  const name = parts.slice(1, parts.length - fields).join(":");
  const found = { kind, namespace: unescapePart(namespace), name: unescapePart(name) } as const;
  return fields === 0 ? found : { ...found, field: unescapePart(parts.at(-1) ?? "") };
}

export function datasetOfField(fieldId: string): string | undefined {
  const field = parseNodeId(fieldId);
  if (field?.kind !== "datasetField") return undefined;
  return formatNodeId({ kind: "dataset", namespace: field.namespace, name: field.name });
}

export function fieldId(datasetId: string, field: string): string | undefined {
  const dataset = parseNodeId(datasetId);
  if (dataset?.kind !== "dataset") return undefined;
  return formatNodeId({ ...dataset, kind: "datasetField", field });
}
