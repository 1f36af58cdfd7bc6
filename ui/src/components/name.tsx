import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { shorten } from "@/graph/shorten";

/** What stands for a name of spaces alone, which could be neither seen nor clicked. */
const BLANK = "(blank)";

/** A name, shortened in its middle, whole on hover. */
export function Name({
  text,
  most = 60,
  className = "",
}: {
  text: string;
  most?: number;
  className?: string;
}) {
  return (
    <bdi
      title={text}
      className={`min-w-0 overflow-hidden text-ellipsis whitespace-pre ${className}`}
    >
      {text !== "" && text.trim() === "" ? BLANK : shorten(text, most)}
    </bdi>
  );
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      className="nodrag inline-flex size-5 shrink-0 items-center justify-center rounded text-pale hover:bg-raised hover:text-ink"
      aria-label={copied ? "Copied" : label}
      title={label}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      <Icon size={12} aria-hidden />
    </button>
  );
}
