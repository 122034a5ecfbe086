/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{t as f,D as x,aE as d,P as D,F as u,am as L,$ as M,s as g}from"./boot.js";import{o as P,c as v}from"./dialog.js";import{documents as O,openDocument as E,sectionsOf as W}from"./documents.js";const F=200,N=["validation","test","train"],T=8,q=new Set(["statements","blocks"]);function U(){return[...document.querySelectorAll("#frame-navigation nav a")].map(n=>{const t=(n.textContent||"").trim(),a=n.style.display==="none"||n.getAttribute("aria-disabled")==="true"?"not for the chosen model":"";return{kind:"page",key:"page "+t,title:t,also:"page go to open",said:a,act:()=>n.click()}})}async function G(){const{items:e}=await f("GET","/models");return e.map(({id:n,family:t,domains:o,units:a})=>({kind:"model",key:"model "+n,title:n,also:["model",t,...o].join(" "),said:t+", "+a.length+" units",act:()=>x({model:n})}))}function K(e){const n=document.querySelector(e);n instanceof HTMLElement&&n.click()}function R(){const e=document.createElement("button");e.dataset.copyLink="true",e.hidden=!0,document.body.append(e),e.click(),e.remove()}function j(){return[...[["Light or dark","colour scheme theme mode",()=>K("#colour-scheme")],["Copy link to this view","share address",R],["Tour of this page","help start introduction guide",t=>d("tour",t)],["About this page","help read explain",t=>d("page",t)],["Glossary","help words terms meaning",t=>d("glossary",t)],["Shortcuts","help keys keyboard",t=>d("shortcuts",t)],["All documents","help docs manual read",t=>d("documents",t)],["About Routescope","version licences libraries",async()=>(await import("./about.js")).open()]].map(([t,o,a])=>({title:t,also:o,act:a})),...B()].map(t=>({kind:"action",key:"action "+t.title,...t}))}function B(){return[...document.querySelectorAll("[data-export][data-panel]")].filter(n=>n.closest("section, .page")?.checkVisibility()).map(n=>({title:"Export "+(n.closest("section")?.querySelector("h2")?.textContent||n.dataset.panel)+": "+(n.textContent||"").trim(),also:"save download file picture numbers "+n.dataset.export,act:()=>n.click()}))}async function H(){const e=O().map(({name:t,title:o})=>({kind:"document",key:"document "+t,title:o,also:"document help read "+t,act:a=>E(t,"",a)})),n=(await W("glossary","h3")).map(({id:t,title:o})=>({kind:"word",key:"word "+t,title:o,also:"glossary meaning",act:a=>E("glossary",t,a)}));return[...e,...n]}function V(e,n){const t=e.trim().toLowerCase().split(/\s+/).filter(Boolean),o=n.filter(({inputs:s})=>!q.has(s)),a=t.filter(s=>/^\d{1,7}$/.test(s)).map(Number),l=t.filter(s=>!/^\d+$/.test(s)&&s!=="label"&&s.length>1),i=[];for(const s of t){const[,c,p]=/^([\w-]+)\.(\w+)\.\d{1,7}$/.exec(s)||[],m=o.find($=>$.name===c&&p in $.splits);m&&i.push(C(m,s))}const r=o.filter(({name:s,title:c})=>l.some(p=>[s,...s.split("-"),...c.toLowerCase().split(" ")].some(m=>m.startsWith(p))));for(const s of r){for(const c of a){c<10&&i.push(S(s,c));const p=N.find(m=>c<(s.splits[m]??0));p&&i.push(C(s,[s.name,p,c].join(".")))}a.length||i.push(S(s))}if(!l.length)for(const s of a)s<10&&i.push("/samples?label="+s+"&limit="+T);return[...new Set(i)].slice(0,6)}const C=(e,n)=>(e.inputs==="images"?"/samples/":"/tables/")+encodeURIComponent(n),S=(e,n)=>(e.inputs==="images"?"/samples?":"/tables?rows=1&")+("set="+encodeURIComponent(e.name)+"&limit="+T)+(n===void 0?"":"&label="+n);function I(e){const{id:n,label:t,set:o,set_title:a}=e,[l,i]="image"in e?[e.name,e.image]:[n,void 0],r=typeof t=="number"?"label "+t:"no label";return{kind:"sample",key:"sample "+n,title:o?n:l,also:["sample",l,a||"yours own upload drawing",o||"",r].join(" "),said:r+(o?"":", yours"),picture:i,act:()=>x({sample:n})}}async function _(){const e=["upload","drawing"].map(t=>f("GET","/samples?origin="+t+"&limit="+F));return(await Promise.all(e)).flatMap(({items:t})=>t.map(I))}async function z(e,n,t){const a=(await Promise.all(V(e,n).map(l=>f("GET",l,void 0,{signal:t}).catch(i=>{if(i instanceof D&&i.status===404)return{items:[]};throw i})))).flatMap(l=>(l.items||[l]).map(I));return[...new Map(a.map(l=>[l.key,l])).values()]}const k=e=>e.normalize("NFKD").replace(/\p{M}/gu,"").toLowerCase(),A=e=>e.split(/[^\p{L}\p{N}]+/u).filter(Boolean);function J(e,n){if(e.length<3||e[0]!==n[0])return!1;let t=0;for(const o of n)o===e[t]&&(t+=1);return t===e.length}function Q(e,n,t,o){return t.includes(e)?9:n.startsWith(e)?8:t.some(a=>a.startsWith(e))?6:e.length>1&&n.includes(e)?4:A(o).some(a=>a.startsWith(e))?3:e.length>2&&o.includes(e)?2:t.some(a=>J(e,a))?1:0}function X({title:e,also:n=""},t){const o=k(t).trim(),[a,l]=[k(e),k(n)],i=A(a);let r=a===o?20:a.startsWith(o)?5:0;for(const s of o.split(/\s+/)){const c=Q(s,a,i,l);if(!c)return 0;r+=c}return r}function Y(e,n,t=1/0){return n.trim()?e.map(o=>({entry:o,fits:X(o,n)})).filter(({fits:o})=>o>0).sort((o,a)=>a.fits-o.fits||o.entry.title.length-a.entry.title.length).slice(0,t).map(({entry:o})=>o):e.slice(0,t)}const w=40,Z=180,y="palette-list",ee={page:"page",model:"model",sample:"sample",action:"action",document:"document",word:"glossary"},b=e=>y+"-"+e;function te(){const e=u(""),n=u([...U(),...j()]),t=u([]),o=u([]),a=u(0),l=u(!1),i=u(""),r=L(()=>{const s=e.value.trim()?[...n.value,...t.value,...o.value]:n.value;return Y([...new Map(s.map(c=>[c.key,c])).values()],e.value,w)});return{text:e,here:n,own:t,samples:o,marked:a,waiting:l,problem:i,all:r}}async function ne(e){const n=async a=>{const l=await a;e.here.value=[...e.here.value,...l]};await n(G());const t=n(H());e.own.value=await _(),await t;const{items:o}=await f("GET","/data");return o}function oe(e,n){function t(o){o instanceof Error&&o.name!=="AbortError"&&(e.problem.value=o.message)}return M(()=>{const o=e.text.value,a=new AbortController,l=setTimeout(async()=>{try{const i=await z(o,await n,a.signal);if(a.signal.aborted)return;e.samples.value=i,e.problem.value=""}catch(i){t(i)}e.waiting.value=!1},Z);return e.waiting.value=!0,()=>{clearTimeout(l),a.abort()}})}const ae=(e,n,{marked:t},o)=>g`<li
    key=${e.key}
    id=${b(n)}
    role="option"
    class="palette-option"
    aria-selected=${String(n===t.value)}
    onPointerMove=${()=>{t.value=n}}
    onClick=${()=>o(e)}
  >
    ${e.picture&&g`<img class="pixels" src=${e.picture} alt="" width="22" height="22" />`}
    <span class="palette-title">${e.title}</span>
    ${e.said&&g`<span class="palette-said">${e.said}</span>`}
    <span class="palette-kind">${ee[e.kind]}</span>
  </li>`;function se({all:e,waiting:n,problem:t,text:o}){if(t.value)return t.value;const a=e.value.length;return a?o.value.trim()?a===w?"The first "+w:a===1?"1 found":a+" found":"Type to find pages, models, samples, actions and documents.":n.value?"Looking for samples":"Nothing is called that."}function h({all:e,marked:n},t){const o=e.value.length;o&&(n.value=(t+o)%o,document.getElementById(b(n.value))?.scrollIntoView({block:"nearest"}))}function le(e,n){const{all:t,marked:o,text:a}=e,l={ArrowDown:()=>h(e,o.value+1),ArrowUp:()=>h(e,o.value-1),PageDown:()=>h(e,Math.min(t.value.length-1,o.value+8)),PageUp:()=>h(e,Math.max(0,o.value-8)),Enter:()=>t.value[o.value]&&n(t.value[o.value])};function i(s){!l[s.key]||s.isComposing||(s.preventDefault(),l[s.key]())}function r(s){a.value=s.currentTarget.value,o.value=0}return g`
    <div class="palette-search">
      <span class="icon" data-icon="search" aria-hidden="true"></span>
      <input
        type="text"
        class="palette-input"
        role="combobox"
        aria-label="Find pages, models, samples, actions and documents"
        aria-expanded="true"
        aria-controls=${y}
        aria-autocomplete="list"
        aria-activedescendant=${t.value.length?b(o.value):void 0}
        autocomplete="off"
        spellcheck=${!1}
        maxlength="120"
        placeholder="Find a page, a model, a sample"
        value=${a.value}
        onInput=${r}
        onKeyDown=${i}
        autofocus
      />
      <button type="button" class="tool" aria-label="Close" title="Close (Escape)" onClick=${()=>v()}>
        ${"\xD7"}
      </button>
    </div>
    <ul class="palette-list" id=${y} role="listbox" aria-label="Found" tabindex="-1">
      ${t.value.map((s,c)=>ae(s,c,e,n))}
    </ul>
    <p class="palette-words" role="status">${se(e)}</p>
  `}function ie(e){if(document.querySelector(".palette-dialog")){v();return}const n=te(),t=ne(n);t.catch(l=>{n.problem.value=l.message});const o=oe(n,t);function a(l){const i=v()||e;l.act(i)}P({look:"palette-dialog",label:"Find and do",view:()=>le(n,a),before:e,onClose:o})}export{ie as open};
