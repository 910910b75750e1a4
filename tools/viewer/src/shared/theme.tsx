import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icons";
import "./theme.css";

export type Theme = "light" | "dark";

function preferred(): Theme {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** A button that swaps light and dark; until it is used the system decides. */
export function ThemeButton() {
  const [chosen, choose] = useState<Theme | null>(null);
  const [system, follow] = useState<Theme>(preferred);
  const shown = chosen ?? system;
  useEffect(() => {
    const media = matchMedia("(prefers-color-scheme: dark)");
    const listen = () => follow(preferred());
    media.addEventListener("change", listen);
    return () => media.removeEventListener("change", listen);
  }, []);
  useEffect(() => {
    document.documentElement.dataset.theme = shown;
  }, [shown]);
  const other: Theme = shown === "dark" ? "light" : "dark";
  return (
    <button type="button" class="icon-button" onClick={() => choose(other)} aria-label={`Switch to the ${other} theme`} title={`${other} theme`}>
      <Icon name={other === "dark" ? "moon" : "sun"} />
    </button>
  );
}

const shownNow = (): Theme => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");

/** The theme that is shown, for what is drawn without style sheets. */
export function useTheme(): Theme {
  const [theme, follow] = useState<Theme>(shownNow);
  useEffect(() => {
    follow(shownNow());
    const observer = new MutationObserver(() => follow(shownNow()));
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => observer.disconnect();
  }, []);
  return theme;
}
