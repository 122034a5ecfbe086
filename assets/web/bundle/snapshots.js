/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{bd as E,n as h,bE as S,u as v,s as a,G as m,Z as C,bB as T,a8 as O}from"./boot.js";const D=100,y=2e7,g="routescope-snapshots",c=h([]),f=h(""),u=h(null),d=h(null),w=t=>"/snapshots/"+encodeURIComponent(t);async function R(){const t=[];for(;;){const e=await m("GET","/snapshots"+C({limit:D,offset:t.length||null}));if(t.push(...e.items),!e.items.length||t.length>=e.total)return t}}async function p(t){f.value="";let e=!0;try{await t()}catch(o){e=!1,f.value=o instanceof Error?o.message:String(o)}try{c.value=await R()}catch(o){f.value=f.value||o.message}return e}const b=({name:t,note:e,address:o})=>m("POST","/snapshots",{name:t,note:e,address:o},{once:!0}),$=t=>{t.preventDefault();const e=t.currentTarget,o=new FormData(e),n=s=>String(o.get(s)??"").trim();return{form:e,name:n("name"),note:n("note")}},A=()=>(location.pathname+location.search).replace(/[^!$%&'()*+,./:;=?@\w~-]/g,encodeURIComponent);async function L(t){const{form:e,name:o,note:n}=$(t);await p(()=>b({name:o,note:n,address:A()}))&&e.reset()}async function N(t){await p(()=>m("DELETE",w(t.id)))&&(u.value=t,document.querySelector(".snapshots-dialog [data-snapshot-undo]")?.closest("p")?.scrollIntoView({block:"nearest"}))}async function U(){const t=u.value;t&&await p(()=>b(t))&&(u.value=null)}async function j({id:t},e){const{name:o,note:n}=$(e);await p(()=>m("PATCH",w(t),{name:o,note:n}))&&(d.value=null)}function B(){const t=c.value.map(({name:n,note:s,address:i,created:r})=>({name:n,note:s,address:i,created:r})),e=JSON.stringify({format:g,snapshots:t},null,2)+`
`,o=document.createElement("a");o.href=URL.createObjectURL(new Blob([e],{type:"application/json"})),o.download="snapshots.json",o.click(),setTimeout(()=>URL.revokeObjectURL(o.href),1e3)}function x(t){let e=null;try{e=JSON.parse(t)}catch{}const o="This is no snapshot file. Choose a JSON file that Export wrote.";if(!e||e.format!==g||!Array.isArray(e.snapshots))throw new Error(o);return e.snapshots.map(n=>{const{name:s,note:i="",address:r}=n||{};if(typeof s!="string"||typeof i!="string"||typeof r!="string")throw new Error(o);return{name:s,note:i,address:r}})}async function I({currentTarget:t}){const[e]=t.files??[];e&&(await p(async()=>{if(e.size>y)throw new Error("This file is too large: up to "+y/1e6+" MB are read.");const o=new Set(c.value.map(({name:n,address:s})=>n+`
`+s));for(const n of x(await e.text()).reverse())o.has(n.name+`
`+n.address)||await b(n)}),t.value="")}const k=({name:t,note:e})=>a`
  <label>Name <input name="name" class="small-input" required maxlength="80" value=${t} autocomplete="off" /></label>
  <label>Note <textarea name="note" class="small-input" rows="2" maxlength="2000" value=${e}></textarea></label>
`;function G({snapshot:t}){if(d.value===t.id)return a`<form class="snapshot-form" onSubmit=${l=>j(t,l)}>
      ${k(t)}
      <div class="snapshot-actions">
        <button class="tool tool-text">Save</button>
        <button type="button" class="tool tool-text" onClick=${()=>d.value=null}>Cancel</button>
      </div>
    </form>`;const{name:e,note:o,address:n,created:s,owner:i}=t,r=T().find(([,l])=>l===n.split("?")[0]);return a`
    <div class="snapshot-facts">
      ${r?a`<a href=${n} onClick=${l=>{l.ctrlKey||l.metaKey||l.shiftKey||(l.preventDefault(),l.currentTarget.closest("dialog")?.close(),O(n))}}>${e}</a>`:a`<strong>${e}</strong>`}
      <span class="hint"
        >${(r?r[0]:"its page is not available")+", "+new Date(s).toLocaleString("en-GB")+(i==="everybody"?", everybody's":"")}</span
      >
      ${o&&a`<p class="snapshot-note">${o}</p>`}
    </div>
    <div class="snapshot-actions writes">
      <button
        type="button"
        class="tool tool-text"
        aria-label=${"Rename "+e}
        onClick=${()=>d.value=t.id}
      >
        Rename
      </button>
      <button type="button" class="tool tool-text" aria-label=${"Delete "+e} onClick=${()=>N(t)}>
        Delete
      </button>
    </div>
  `}const K=()=>a`
  <h2 id="snapshots-title">Snapshots</h2>
  <p class="reads">
    A snapshot saves the link of this view. It is listed
    ${v.value.name===null?" in this browser only":" only for "+v.value.name+", in any browser"}; share
    it by its link or as a file.
  </p>
  <p class="hint read-only">${S}</p>
  <form class="snapshot-form writes" onSubmit=${L}>
    ${k({name:"",note:""})}
    <div class="snapshot-actions"><button class="button">Keep this view</button></div>
  </form>
  <p class="snapshot-problem" role="alert">${f.value}</p>
  <p class="snapshot-undo" role="status">
    ${u.value&&a`${"Deleted "+u.value.name+". "}
        <button type="button" class="tool tool-text" data-snapshot-undo onClick=${U}>Undo</button>`}
  </p>
  <ul class="snapshot-list">
    ${c.value.map(t=>a`<li key=${t.id} data-snapshot=${t.id}><${G} snapshot=${t} /></li>`)}
  </ul>
  ${!c.value.length&&a`<p class="hint">No snapshots yet.</p>`}
  <div class="snapshot-foot">
    <button type="button" class="tool tool-text" onClick=${B} disabled=${!c.value.length}>Export</button>
    <label class="tool tool-text writes"
      >Import <input type="file" class="hidden-visually" accept="application/json,.json" onChange=${I}
    /></label>
    <form method="dialog"><button class="tool tool-text">Close</button></form>
  </div>
`;async function _(){u.value=null,d.value=null,await p(async()=>{}),E({look:"snapshots-dialog",label:"#snapshots-title",view:K,stays:!0})}export{_ as open,x as readFile};
