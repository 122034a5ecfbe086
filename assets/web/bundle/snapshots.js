/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{k,L as m,s as a,A as h,N as E,b3 as S,W as T}from"./boot.js";const C=100,v=2e7,y="routescope-snapshots",c=m([]),d=m(""),u=m(null),f=m(null),g=t=>"/snapshots/"+encodeURIComponent(t);async function O(){const t=[];for(;;){const e=await h("GET","/snapshots"+E({limit:C,offset:t.length||null}));if(t.push(...e.items),!e.items.length||t.length>=e.total)return t}}async function p(t){d.value="";let e=!0;try{await t()}catch(o){e=!1,d.value=o instanceof Error?o.message:String(o)}try{c.value=await O()}catch(o){d.value=d.value||o.message}return e}const b=({name:t,note:e,address:o})=>h("POST","/snapshots",{name:t,note:e,address:o}),w=t=>{t.preventDefault();const e=t.currentTarget,o=new FormData(e),s=n=>String(o.get(n)??"").trim();return{form:e,name:s("name"),note:s("note")}},A=()=>(location.pathname+location.search).replace(/[^!$%&'()*+,./:;=?@\w~-]/g,encodeURIComponent);async function R(t){const{form:e,name:o,note:s}=w(t);await p(()=>b({name:o,note:s,address:A()}))&&e.reset()}async function D(t){await p(()=>h("DELETE",g(t.id)))&&(u.value=t,document.querySelector(".snapshots-dialog [data-snapshot-undo]")?.closest("p")?.scrollIntoView({block:"nearest"}))}async function L(){const t=u.value;t&&await p(()=>b(t))&&(u.value=null)}async function N({id:t},e){const{name:o,note:s}=w(e);await p(()=>h("PATCH",g(t),{name:o,note:s}))&&(f.value=null)}function U(){const t=c.value.map(({name:s,note:n,address:r,created:i})=>({name:s,note:n,address:r,created:i})),e=JSON.stringify({format:y,snapshots:t},null,2)+`
`,o=document.createElement("a");o.href=URL.createObjectURL(new Blob([e],{type:"application/json"})),o.download="snapshots.json",o.click(),setTimeout(()=>URL.revokeObjectURL(o.href),1e3)}function $(t){let e=null;try{e=JSON.parse(t)}catch{}const o="This is no file of snapshots: it is a JSON file as Export writes it.";if(!e||e.format!==y||!Array.isArray(e.snapshots))throw new Error(o);return e.snapshots.map(s=>{const{name:n,note:r="",address:i}=s||{};if(typeof n!="string"||typeof r!="string"||typeof i!="string")throw new Error(o);return{name:n,note:r,address:i}})}async function j({currentTarget:t}){const[e]=t.files??[];e&&(await p(async()=>{if(e.size>v)throw new Error("This file is too large: up to "+v/1e6+" MB are read.");const o=new Set(c.value.map(({name:s,address:n})=>s+`
`+n));for(const s of $(await e.text()).reverse())o.has(s.name+`
`+s.address)||await b(s)}),t.value="")}const x=({name:t,note:e})=>a`
  <label>Name <input name="name" class="small-input" required maxlength="80" value=${t} autocomplete="off" /></label>
  <label>Note <textarea name="note" class="small-input" rows="2" maxlength="2000" value=${e}></textarea></label>
`;function B({snapshot:t}){if(f.value===t.id)return a`<form class="snapshot-form" onSubmit=${l=>N(t,l)}>
      ${x(t)}
      <div class="snapshot-actions">
        <button class="tool tool-text">Save</button>
        <button type="button" class="tool tool-text" onClick=${()=>f.value=null}>Cancel</button>
      </div>
    </form>`;const{name:e,note:o,address:s,created:n,owner:r}=t,i=S().find(([,l])=>l===s.split("?")[0]);return a`
    <div class="snapshot-facts">
      ${i?a`<a href=${s} onClick=${l=>{l.ctrlKey||l.metaKey||l.shiftKey||(l.preventDefault(),l.currentTarget.closest("dialog")?.close(),T(s))}}>${e}</a>`:a`<strong>${e}</strong>`}
      <span class="hint"
        >${(i?i[0]:"of a page that is not here")+", "+new Date(n).toLocaleString("en-GB")+(r==="everybody"?", everybody's":"")}</span
      >
      ${o&&a`<p class="snapshot-note">${o}</p>`}
    </div>
    <div class="snapshot-actions">
      <button
        type="button"
        class="tool tool-text"
        aria-label=${"Rename "+e}
        onClick=${()=>f.value=t.id}
      >
        Rename
      </button>
      <button type="button" class="tool tool-text" aria-label=${"Delete "+e} onClick=${()=>D(t)}>
        Delete
      </button>
    </div>
  `}const I=()=>a`
  <h2 id="snapshots-title">Snapshots</h2>
  <p class="reads">
    A snapshot keeps what this page shows, as its address says it. It is listed in this browser alone; share it by its
    link or as a file.
  </p>
  <form class="snapshot-form" onSubmit=${R}>
    ${x({name:"",note:""})}
    <div class="snapshot-actions"><button class="button">Keep this view</button></div>
  </form>
  <p class="snapshot-problem" role="alert">${d.value}</p>
  <p class="snapshot-undo" role="status">
    ${u.value&&a`${"Deleted "+u.value.name+". "}
        <button type="button" class="tool tool-text" data-snapshot-undo onClick=${L}>Undo</button>`}
  </p>
  <ul class="snapshot-list">
    ${c.value.map(t=>a`<li key=${t.id} data-snapshot=${t.id}><${B} snapshot=${t} /></li>`)}
  </ul>
  ${!c.value.length&&a`<p class="hint">None is kept yet.</p>`}
  <div class="snapshot-foot">
    <button type="button" class="tool tool-text" onClick=${U} disabled=${!c.value.length}>Export</button>
    <label class="tool tool-text"
      >Import <input type="file" class="hidden-visually" accept="application/json,.json" onChange=${j}
    /></label>
    <form method="dialog"><button class="tool tool-text">Close</button></form>
  </div>
`;async function K(){u.value=null,f.value=null,await p(async()=>{});const t=document.createElement("dialog");t.className="snapshots-dialog",t.setAttribute("aria-labelledby","snapshots-title");const e=k(t,I);t.addEventListener("close",()=>{e(),t.remove()}),document.body.append(t),t.showModal()}export{K as open,$ as readFile};
