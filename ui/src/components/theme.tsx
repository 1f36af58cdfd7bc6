import { Menu } from "@base-ui/react/menu";
import { Monitor, Moon, Sun } from "lucide-react";
import { useEffect, useState } from "react";

const THEMES = [
  ["light", "Light", Sun],
  ["dark", "Dark", Moon],
  ["system", "System", Monitor],
] as const;
type Theme = (typeof THEMES)[number][0];
const KEY = "mainstem.theme";

function apply(theme: Theme): void {
  const dark =
    theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
}

export function ThemeMenu() {
  const [theme, setTheme] = useState<Theme>(() => {
    const kept = localStorage.getItem(KEY);
    return THEMES.find(([one]) => one === kept)?.[0] ?? "system";
  });
  useEffect(() => {
    localStorage.setItem(KEY, theme);
    apply(theme);
    const system = matchMedia("(prefers-color-scheme: dark)");
    const onChange = () => apply(theme);
    system.addEventListener("change", onChange);
    return () => system.removeEventListener("change", onChange);
  }, [theme]);
  const Icon = THEMES.find(([one]) => one === theme)?.[2] ?? Monitor;
  return (
    <Menu.Root>
      <Menu.Trigger
        className="button w-8 shrink-0 justify-center px-0"
        aria-label={`Theme: ${theme}`}
      >
        <Icon size={15} aria-hidden />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" className="z-50">
          <Menu.Popup className="card min-w-32 p-1 shadow-lg">
            <Menu.RadioGroup value={theme} onValueChange={setTheme}>
              {THEMES.map(([one, word, Mark]) => (
                <Menu.RadioItem
                  key={one}
                  value={one}
                  className="flex cursor-pointer items-center gap-2 rounded px-2 py-1.5 data-[checked]:text-accent data-[highlighted]:bg-raised"
                >
                  <Mark size={14} aria-hidden />
                  {word}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
