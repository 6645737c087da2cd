// Rules beside the page: a link to a clause, or to all rules, opens a panel instead of leaving the page.
"use strict";
(() => {
  const panel = document.getElementById("rules-beside"), told = panel.querySelector(".clauses-told"), { rules } = panel.dataset;
  const find = document.getElementById("find-beside");
  let clauses = null;

  async function fill() {
    clauses ??= fetch(`${rules}/clauses`).then((answer) => (answer.ok ? answer.text() : Promise.reject()));
    try {
      const text = await clauses;
      if (!told.childElementCount) {
        const { shown, styled } = parts(text);
        told.replaceChildren(...shown);
        await styled; // the pictures have their sizes now
      }
    } catch {
      clauses = null;
      told.textContent = inWords("no_rules");
    }
  }
  // The clauses, and what their pictures need and the page does not have yet: style sheets and drawings.
  function parts(text) {
    const { head, body } = new DOMParser().parseFromString(text, "text/html");
    const missing = [...head.querySelectorAll("link")].filter((sheet) => !document.querySelector(`link[href="${sheet.getAttribute("href")}"]`));
    const styled = Promise.all(missing.map((sheet) => new Promise((done) => {
      for (const kind of ["load", "error"]) sheet.addEventListener(kind, done);
      document.head.append(document.adoptNode(sheet));
    })));
    for (const drawing of body.querySelectorAll(".sprite [id]")) if (document.getElementById(drawing.id)) drawing.remove();
    return { shown: body.children, styled };
  }
  async function open(clause) {
    if (!panel.matches(":popover-open")) panel.showPopover();
    await fill();
    const hidden = clause && document.getElementById(`rule-${clause}`)?.closest("[hidden]");
    if (hidden) {
      find.value = "";
      find.dispatchEvent(new Event("input", { bubbles: true }));
    }
    for (const before of told.querySelectorAll("[aria-current]")) before.removeAttribute("aria-current");
    const found = clause && document.getElementById(`rule-${clause}`);
    found?.setAttribute("aria-current", "true");
    told.scrollTop = found ? told.scrollTop + found.getBoundingClientRect().top - told.getBoundingClientRect().top - 8 : 0;
    told.focus({ preventScroll: true });
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='/rules/']");
    if (!link || panel.contains(link) || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const address = link.getAttribute("href"), clause = /^\/rules\/clause\/(\w+)$/.exec(address)?.[1];
    if (!clause && address !== rules) return;
    event.preventDefault();
    open(clause);
  });
})();
