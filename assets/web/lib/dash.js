/* What of Dash the page's own code uses: it sets properties of components, and leaves outputs as they are. */

/** Sets properties of the component called `id`. @param {string | object} id @param {object} props */
export const setProps = (id, props) => window.dash_clientside.set_props(id, props);

/** What a callback returns that changes nothing. */
export const noUpdate = () => window.dash_clientside.no_update;
