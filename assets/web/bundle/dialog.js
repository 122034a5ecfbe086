/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{cp as a,aR as T}from"./shared.js";import{bF as C,bd as j,n as w,bG as d,s as m,bH as O,bI as E}from"./boot.js";const I="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'",N=`
:root { color-scheme: light dark; --page: #f4f6f8; --surface: #ffffff; --ink: #1a1f26; --dim: #525c68; --line: #d5dbe1;
  --accent: #1f5c99; }
@media (prefers-color-scheme: dark) { :root { --page: #0e1115; --surface: #161a20; --ink: #e7ebef; --dim: #a3adb8;
  --line: #333b45; --accent: #6fb1f0; } }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
  font-variant-numeric: tabular-nums; }
main { max-width: 960px; margin: 0 auto; padding: 28px 18px 48px; }
h1 { margin: 0 0 4px; font-size: 25px; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0 0 8px; font-size: 18px; overflow-wrap: anywhere; }
a { color: var(--accent); overflow-wrap: anywhere; }
.dim, figcaption small { color: var(--dim); font-size: 13px; }
section { margin-top: 22px; padding: 16px 18px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--surface); }
figure { margin: 0; }
.picture { width: fit-content; max-width: 100%; border-radius: 4px; overflow-x: auto; }
.picture > svg, .picture > img { display: block; max-width: 100%; height: auto; }
figcaption { margin-top: 8px; }
figcaption small { display: block; margin-top: 4px; overflow-wrap: anywhere; }
.note { margin: 12px 0 0; padding-left: 12px; border-left: 3px solid var(--accent); white-space: pre-line;
  overflow-wrap: anywhere; }
details { margin-top: 10px; font-size: 13px; }
summary { width: fit-content; color: var(--dim); cursor: pointer; }
.scroll { max-height: 420px; margin-top: 6px; overflow: auto; }
table { border-collapse: collapse; font-size: 12.5px; }
th, td { padding: 2px 14px 2px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
dl { display: grid; grid-template-columns: minmax(90px, max-content) 1fr; gap: 2px 16px; margin: 6px 0 0; }
dt { color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; }
@media print { details { display: none; } section { break-inside: avoid; } }
`,f=e=>e==null?"":typeof e=="object"?JSON.stringify(e):String(e),R=e=>/^https?:\/\//i.test(e),x=e=>e.slice(0,16).replace("T"," ")+" UTC",L=(e,t)=>"svg"in e?e.svg:`<img src="${a(e.png)}" alt="${a(t)}">`;function z({about:e,columns:t,rows:o,count:n,picture:i}){const r=t.map(c=>`<th scope="col">${a(c)}</th>`).join(""),l=o.map(c=>`<tr>${c.map(p=>`<td>${a(f(p))}</td>`).join("")}</tr>`).join(`
`),s=o.length<n?`The first ${o.length} of ${n} rows`:n===1?"1 row":n+" rows";return`<details${i?"":" open"}><summary>Numbers: ${s}</summary>
<div class="scroll" role="region" tabindex="0" aria-label="${a("Numbers of "+e.title)}">
<table><thead><tr>${r}</tr></thead><tbody>
${l}
</tbody></table></div></details>`}function A(e){return`<details><summary>Facts</summary><dl>${Object.entries(e).filter(([o,n])=>o!=="link"&&f(n)!=="").map(([o,n])=>`<dt>${a(o)}</dt><dd>${a(f(n))}</dd>`).join(`
`)}</dl></details>`}function B({entry:e,note:t},o){const{about:n,facts:i,picture:r,ground:l,added:s,version:c}=e,p=f(i.link),b=R(p)?` \xB7 <a href="${a(p)}" rel="noreferrer">the view it was taken from</a>`:"",h=r?`<div class="picture" style="background: ${a(/^#[0-9a-f]{3,8}$/i.test(l)?l:"#ffffff")}">${L(r,n.title+". "+n.caption)}</div>`:"";return`<section id="p${o+1}" aria-labelledby="h${o+1}">
<h2 id="h${o+1}">${o+1}. ${a(n.title)}</h2>
<figure>
${h}
<figcaption>${a(n.caption)}
<small>${a(n.source)}</small>
<small>As it was on ${a(x(s))}, Routescope ${a(c)}${b}</small></figcaption>
</figure>
${t.trim()?`<p class="note">${a(t.trim())}</p>`:""}
${D(e)}
${A(i)}
</section>`}const D=e=>e.columns.length?z(e):"";function P(e){const t=e.map(({entry:{facts:o}})=>f(o.model)+(o.revision?", revision "+o.revision:""));return[...new Set(t.filter(Boolean))]}function F({title:e,panels:t},o){const n=e.trim()||"Report",i=[...new Set(t.map(({entry:l})=>l.version).filter(Boolean))],r=t.map(({entry:l},s)=>`<li><a href="#p${s+1}">${a(l.about.title)}</a></li>`).join(`
`);return`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${a(I)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="${a("Routescope "+i.join(", "))}">
<link rel="icon" href="data:,">
<title>${a(n)}</title>
<style>${N}</style>
</head>
<body>
<main>
<h1>${a(n)}</h1>
<p class="dim">Written ${a(x(o.toISOString()))} with Routescope ${a(i.join(", "))}. Every panel is as it was when it was added; pictures keep the colours of the page then.</p>
<p class="dim">${a(P(t).map(l=>"Model "+l).join("; "))}</p>
<nav aria-label="Panels"><ol>
${r}
</ol></nav>
${t.map(B).join(`
`)}
</main>
</body>
</html>
`}const M=200,q=4e3,g=w(""),u=w(null);async function y(e){g.value="",await e.catch(t=>g.value=t instanceof Error?t.message:String(t))}const $=e=>y(O({...d.value,...e})),v=e=>requestAnimationFrame(()=>document.querySelector(".report-dialog "+e)?.focus());function k(e,t,o){const{panels:n}=d.value,[i]=n.slice(e,e+1);$({panels:n.toSpliced(e,1).toSpliced(e+t,0,i)}),v('[data-panel-of="'+i.entry.id+'"] [data-act="'+o+'"]')}function U(e){const{panels:t}=d.value;u.value={panel:t[e],at:e},$({panels:t.toSpliced(e,1)}),v("[data-report-undo]")}async function Y(){if(!u.value)return;const{panel:e,at:t}=u.value;u.value=null,await y(E(e.entry,{note:e.note,at:t})),v('[data-panel-of="'+e.entry.id+'"] [data-act="remove"]')}function G(e,t){const{panels:o}=d.value;$({panels:o.with(e,{...o[e],note:t})})}function H(){const{title:e}=d.value,t=(e.trim()||"report").replace(/[^\p{L}\p{N}.-]+/gu,"-").slice(0,80)+".html";T(F(d.value,new Date),"text/html",t)}const S=e=>e.currentTarget.value;function _({panel:{entry:e,note:t},at:o,count:n}){const{id:i,about:r,added:l}=e,s=(c,p,b,h=!1)=>m`<button
      type="button"
      class="tool tool-text"
      data-act=${c}
      aria-label=${p+": "+r.title}
      aria-disabled=${String(h)}
      onClick=${()=>!h&&b()}
    >
      ${p}
    </button>`;return m`
    <h3 class="small-title">${o+1+". "+r.title}</h3>
    <p class="hint">${r.source}</p>
    <p class="hint">${"As it was on "+new Date(l).toLocaleString("en-GB")}</p>
    <label class="report-note"
      >Note<textarea
        class="small-input"
        rows="2"
        id=${"report-note-"+i}
        maxlength=${q}
        value=${t}
        onInput=${c=>G(o,S(c))}
      ></textarea>
    </label>
    <div class="report-actions">
      ${s("up","Up",()=>k(o,-1,"up"),o===0)}
      ${s("down","Down",()=>k(o,1,"down"),o===n-1)}
      ${s("remove","Take out",()=>U(o))}
    </div>
  `}function J(){const{title:e,panels:t}=d.value;return m`
    <h2 id="report-dialog-title">Report</h2>
    <p class="reads">
      Panels as they were when you added them, kept in this browser. The file holds their pictures, captions, facts and
      numbers.
    </p>
    <label class="report-title"
      >Title<input
        class="small-input"
        type="text"
        maxlength=${M}
        value=${e}
        placeholder="Report"
        onInput=${o=>$({title:S(o)})}
    /></label>
    <p class="report-problem" role="alert">${g.value}</p>
    <p class="report-undo" role="status">
      ${u.value&&m`${"Taken out: "+u.value.panel.entry.about.title+". "}
          <button type="button" class="tool tool-text" data-report-undo onClick=${Y}>Undo</button>`}
    </p>
    <ol class="report-panels">
      ${t.map((o,n)=>m`<li key=${o.entry.id} data-panel-of=${o.entry.id}>
            <${_} panel=${o} at=${n} count=${t.length} />
          </li>`)}
    </ol>
    ${!t.length&&m`<p class="hint">No panels yet. Add them from their Export menus.</p>`}
    <div class="report-foot">
      <button type="button" class="button" disabled=${!t.length} onClick=${H}>Save report, HTML</button>
      <form method="dialog"><button class="tool tool-text">Close</button></form>
    </div>
  `}async function W(){g.value="",u.value=null,await C();const e=document.activeElement;j({look:"report-dialog",label:"#report-dialog-title",view:J,onClose:()=>{e?.isConnected||document.getElementById("content")?.focus({preventScroll:!0})},stays:!0})}export{W as open};
