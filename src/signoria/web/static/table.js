// How a table is handled: what one prefers here.
"use strict";
(() => {
  // Preferences of this browser. A control with data-preference="NAME" keeps its value under `signoria.NAME`, and what is
  // preferred stands on <html> as data-NAME, for styles and other scripts; a value there is told as the event `preferred`.
  const root = document.documentElement;
  const valueOf = (control) => (control.type === "checkbox" ? (control.checked ? "on" : "off") : control.value);
  function kept(name) {
    try {
      return localStorage.getItem(`signoria.${name}`);
    } catch {
      return null; // a browser that keeps nothing
    }
  }
  function prefer() {
    for (const control of document.querySelectorAll("[data-preference]")) {
      const name = control.dataset.preference, value = kept(name) ?? root.dataset[name] ?? valueOf(control);
      if (control.type === "checkbox") control.checked = value === "on";
      else control.value = value;
      root.dataset[name] = value;
    }
  }
  document.addEventListener("change", ({ target }) => {
    const name = target.dataset?.preference;
    if (!name) return;
    root.dataset[name] = valueOf(target);
    try {
      localStorage.setItem(`signoria.${name}`, root.dataset[name]);
    } catch {
      // it holds as long as the page is open
    }
    document.dispatchEvent(new CustomEvent("preferred", { detail: name }));
  });
  document.addEventListener("htmx:after:swap", prefer);
  prefer();
})();
