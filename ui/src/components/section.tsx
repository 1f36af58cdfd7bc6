import { type ReactNode, useId } from "react";

/** A card with a heading, reachable by its name. */
export function Section({
  title,
  beside,
  children,
}: {
  title: string;
  beside?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card min-w-0 overflow-hidden">
      <header className="flex min-h-10 items-center justify-between gap-2 border-b border-line px-3 py-1">
        <h2 id={id} className="text-[13px] font-semibold">
          {title}
        </h2>
        {beside}
      </header>
      {children}
    </section>
  );
}
