/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
const o="rs-pages";function s(){const e=JSON.parse(document.getElementById(o)?.textContent??"{}"),t=Object.entries(e).find(([,{path:n}])=>n===location.pathname);return t?t[0]:""}export{s as p};
