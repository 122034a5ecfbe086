/* A document on a page of its own follows the scheme that was chosen in Routescope, else the browser's. */
const chosen = localStorage.getItem("mantine-color-scheme-value");
const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.dataset.mantineColorScheme = dark ? "dark" : "light";
