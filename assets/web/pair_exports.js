/* Files of the pair of pictures: what it shows as a picture and as a list of things. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const [SIDE, GAP, HEAD] = [320, 16, 22];

  function scene() {
    const theme = routescope.theme.read();
    const { scene: shown } = routescope.pair.state;
    const count = shown.pictures.length;
    const items = shown.pictures.flatMap((things, at) => {
      const x = at * (SIDE + GAP);
      const title = { shape: "text", x, y: 14, text: routescope.pairScene.titleOf(at, count), size: 12, fill: theme.dim };
      return [title, ...routescope.pairSvg.items(things, x, HEAD, SIDE)];
    });
    return {
      width: count * SIDE + (count - 1) * GAP,
      height: HEAD + SIDE,
      background: theme.surface,
      title: "The pair of pictures",
      desc: routescope.pairScene.said(shown),
      items,
    };
  }

  function rows() {
    const { pictures } = routescope.pair.state.scene;
    const lines = pictures.flatMap((things, at) =>
      things.map(({ shape, colour, size, x, y }) => [routescope.pairScene.nameOf(at, pictures.length), shape, colour, size, x, y]),
    );
    return [["picture", "shape", "colour", "size", "x", "y"], ...lines];
  }

  function facts() {
    const { base, edited } = routescope.pair.state;
    const { model, info } = routescope.circuits.state.get();
    return {
      model,
      revision: info && info.revision,
      statement: base ? base.id : null,
      sentence: base ? base.sentence : null,
      label: base && !edited ? base.label : null,
      edited,
    };
  }

  routescope.pairExports = {
    register: () =>
      routescope.exports.register("pair-pictures", () =>
        routescope.pair.state.scene
          ? { name: "pictures", facts: facts(), rows, json: () => ({ scene: routescope.pair.state.scene }), picture: { scene } }
          : null,
      ),
  };
})();
