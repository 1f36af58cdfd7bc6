// Before the first paint, so that a dark page never flashes white.
const chosen = localStorage.getItem("mainstem.theme");
const dark =
  chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.classList.toggle("dark", dark);
