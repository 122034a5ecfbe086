/* The Circuits page as a whole: opening it, its caption, what is said when there are no circuits. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const clientside = (window.dash_clientside = window.dash_clientside || {});
  const { build } = routescope.widgets;
  let [given, wanted] = [null, null];

  clientside.circuits = {
    /** The page was opened, or another model was chosen. */
    open(address, selection) {
      const { state } = routescope.circuits;
      if (address !== given) {
        given = address;
        state.restore(address);
      }
      const { model } = selection || {};
      if (model && model !== wanted) {
        wanted = model;
        state.open(model);
      }
      return clientside.no_update;
    },
  };

  routescope.widgets.register("circuits-page", (host) => {
    const { state } = routescope.circuits;
    const end = state.subscribe((now, names) => {
      host.dataset.status = now.status;
      if (names.has("info")) caption(now);
      if (names.has("problem")) say(now.problem);
    });
    return () => {
      end();
      given = wanted = null;
      state.leave();
    };
  });

  /** Says why there are no circuits, and which models have them. */
  async function say(problem) {
    const find = (name) => document.getElementById("circuits-" + name);
    const others = find("others");
    if (!others || !problem) return;
    find("problem-title").textContent = problem.title;
    find("problem-detail").textContent = problem.detail;
    find("retry").hidden = problem.status === 404;
    others.replaceChildren();
    if (problem.status !== 404) return;
    const { items } = await routescope.api.send("GET", "/models");
    const reading = items.filter(
      (each) =>
        each.inputs === "statements" &&
        each.pictures === routescope.circuits.state.PICTURES &&
        each.fields.concat(each.constants).includes("text_attention"),
    );
    const button = ({ id }) =>
      build(
        "button",
        { type: "button", class: "button", onclick: () => routescope.selection.choose({ model: id }) },
        id,
      );
    others.replaceChildren(...reading.map(button));
  }

  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("#circuits-retry") && wanted)
      routescope.circuits.state.open(wanted);
  });

  function caption({ info }) {
    const place = document.getElementById("circuits-caption");
    if (!place) return;
    if (!info) {
      place.replaceChildren();
      return;
    }
    place.replaceChildren(
      build("span", {}, info.id + " ", build("code", {}, info.revision.slice(0, 8))),
      build("span", {}, info.units.length + " modules, linked anew by every sentence"),
    );
  }
})();
