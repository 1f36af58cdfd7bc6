import { Link } from "@tanstack/react-router";
import { Name } from "./name";

interface Linked {
  id: string;
  type: "JOB" | "DATASET";
  name: string;
}

/** To the page of a job or a dataset. */
export function NodeLink({ node, most = 60 }: { node: Linked; most?: number }) {
  return (
    <Link
      to={node.type === "JOB" ? "/job" : "/dataset"}
      search={{ node: node.id }}
      className="link inline-flex min-w-0 max-w-full"
    >
      <Name text={node.name} most={most} />
    </Link>
  );
}
