/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{g as E,n as m,bA as S,u as v,s as n,F as h,V as T,by as C,a3 as O}from"./boot.js";const A=100,y=2e7,g="routescope-snapshots",c=m([]),d=m(""),u=m(null),f=m(null),w=t=>"/snapshots/"+encodeURIComponent(t);async function R(){const t=[];for(;;){const e=await h("GET","/snapshots"+T({limit:A,offset:t.length||null}));if(t.push(...e.items),!e.items.length||t.length>=e.total)return t}}async function p(t){d.value="";let e=!0;try{await t()}catch(s){e=!1,d.value=s instanceof Error?s.message:String(s)}try{c.value=await R()}catch(s){d.value=d.value||s.message}return e}const b=({name:t,note:e,address:s})=>h("POST","/snapshots",{name:t,note:e,address:s},{once:!0}),$=t=>{t.preventDefault();const e=t.currentTarget,s=new FormData(e),o=a=>String(s.get(a)??"").trim();return{form:e,name:o("name"),note:o("note")}},D=()=>(location.pathname+location.search).replace(/[^!$%&'()*+,./:;=?@\w~-]/g,encodeURIComponent);async function L(t){const{form:e,name:s,note:o}=$(t);await p(()=>b({name:s,note:o,address:D()}))&&e.reset()}async function N(t){await p(()=>h("DELETE",w(t.id)))&&(u.value=t,document.querySelector(".snapshots-dialog [data-snapshot-undo]")?.closest("p")?.scrollIntoView({block:"nearest"}))}async function U(){const t=u.value;t&&await p(()=>b(t))&&(u.value=null)}async function j({id:t},e){const{name:s,note:o}=$(e);await p(()=>h("PATCH",w(t),{name:s,note:o}))&&(f.value=null)}function B(){const t=c.value.map(({name:o,note:a,address:i,created:r})=>({name:o,note:a,address:i,created:r})),e=JSON.stringify({format:g,snapshots:t},null,2)+`
`,s=document.createElement("a");s.href=URL.createObjectURL(new Blob([e],{type:"application/json"})),s.download="snapshots.json",s.click(),setTimeout(()=>URL.revokeObjectURL(s.href),1e3)}function x(t){let e=null;try{e=JSON.parse(t)}catch{}const s="This is no file of snapshots: it is a JSON file as Export writes it.";if(!e||e.format!==g||!Array.isArray(e.snapshots))throw new Error(s);return e.snapshots.map(o=>{const{name:a,note:i="",address:r}=o||{};if(typeof a!="string"||typeof i!="string"||typeof r!="string")throw new Error(s);return{name:a,note:i,address:r}})}async function I({currentTarget:t}){const[e]=t.files??[];e&&(await p(async()=>{if(e.size>y)throw new Error("This file is too large: up to "+y/1e6+" MB are read.");const s=new Set(c.value.map(({name:o,address:a})=>o+`
`+a));for(const o of x(await e.text()).reverse())s.has(o.name+`
`+o.address)||await b(o)}),t.value="")}const k=({name:t,note:e})=>n`
  <label>Name <input name="name" class="small-input" required maxlength="80" value=${t} autocomplete="off" /></label>
  <label>Note <textarea name="note" class="small-input" rows="2" maxlength="2000" value=${e}></textarea></label>
`;function F({snapshot:t}){if(f.value===t.id)return n`<form class="snapshot-form" onSubmit=${l=>j(t,l)}>
      ${k(t)}
      <div class="snapshot-actions">
        <button class="tool tool-text">Save</button>
        <button type="button" class="tool tool-text" onClick=${()=>f.value=null}>Cancel</button>
      </div>
    </form>`;const{name:e,note:s,address:o,created:a,owner:i}=t,r=C().find(([,l])=>l===o.split("?")[0]);return n`
    <div class="snapshot-facts">
      ${r?n`<a href=${o} onClick=${l=>{l.ctrlKey||l.metaKey||l.shiftKey||(l.preventDefault(),l.currentTarget.closest("dialog")?.close(),O(o))}}>${e}</a>`:n`<strong>${e}</strong>`}
      <span class="hint"
        >${(r?r[0]:"of a page that is not here")+", "+new Date(a).toLocaleString("en-GB")+(i==="everybody"?", everybody's":"")}</span
      >
      ${s&&n`<p class="snapshot-note">${s}</p>`}
    </div>
    <div class="snapshot-actions writes">
      <button
        type="button"
        class="tool tool-text"
        aria-label=${"Rename "+e}
        onClick=${()=>f.value=t.id}
      >
        Rename
      </button>
      <button type="button" class="tool tool-text" aria-label=${"Delete "+e} onClick=${()=>N(t)}>
        Delete
      </button>
    </div>
  `}const K=()=>n`
  <h2 id="snapshots-title">Snapshots</h2>
  <p class="reads">
    A snapshot keeps what this page shows, as its address says it. It is listed
    ${v.value.name===null?" in this browser alone":" for "+v.value.name+" alone, in whatever browser"};
    share it by its link or as a file.
  </p>
  <p class="hint read-only">${S}</p>
  <form class="snapshot-form writes" onSubmit=${L}>
    ${k({name:"",note:""})}
    <div class="snapshot-actions"><button class="button">Keep this view</button></div>
  </form>
  <p class="snapshot-problem" role="alert">${d.value}</p>
  <p class="snapshot-undo" role="status">
    ${u.value&&n`${"Deleted "+u.value.name+". "}
        <button type="button" class="tool tool-text" data-snapshot-undo onClick=${U}>Undo</button>`}
  </p>
  <ul class="snapshot-list">
    ${c.value.map(t=>n`<li key=${t.id} data-snapshot=${t.id}><${F} snapshot=${t} /></li>`)}
  </ul>
  ${!c.value.length&&n`<p class="hint">None is kept yet.</p>`}
  <div class="snapshot-foot">
    <button type="button" class="tool tool-text" onClick=${B} disabled=${!c.value.length}>Export</button>
    <label class="tool tool-text writes"
      >Import <input type="file" class="hidden-visually" accept="application/json,.json" onChange=${I}
    /></label>
    <form method="dialog"><button class="tool tool-text">Close</button></form>
  </div>
`;async function M(){u.value=null,f.value=null,await p(async()=>{});const t=document.createElement("dialog");t.className="snapshots-dialog",t.setAttribute("aria-labelledby","snapshots-title");const e=E(t,K);t.addEventListener("close",()=>{e(),t.remove()}),document.body.append(t),t.showModal()}export{M as open,x as readFile};
