/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{ck as a,aR as T}from"./shared.js";import{bB as E,g as j,n as w,bC as d,s as m,bD as C,bE as O}from"./boot.js";const L="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'",N=`
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
`,f=e=>e==null?"":typeof e=="object"?JSON.stringify(e):String(e),R=e=>/^https?:\/\//i.test(e),x=e=>e.slice(0,16).replace("T"," ")+" UTC",B=(e,t)=>"svg"in e?e.svg:`<img src="${a(e.png)}" alt="${a(t)}">`;function I({about:e,columns:t,rows:n,count:o,picture:i}){const r=t.map(c=>`<th scope="col">${a(c)}</th>`).join(""),l=n.map(c=>`<tr>${c.map(p=>`<td>${a(f(p))}</td>`).join("")}</tr>`).join(`
`),s=n.length<o?`The first ${n.length} of ${o} rows`:o===1?"1 row":o+" rows";return`<details${i?"":" open"}><summary>Numbers: ${s}</summary>
<div class="scroll" role="region" tabindex="0" aria-label="${a("Numbers of "+e.title)}">
<table><thead><tr>${r}</tr></thead><tbody>
${l}
</tbody></table></div></details>`}function M(e){return`<details><summary>Facts</summary><dl>${Object.entries(e).filter(([n,o])=>n!=="link"&&f(o)!=="").map(([n,o])=>`<dt>${a(n)}</dt><dd>${a(f(o))}</dd>`).join(`
`)}</dl></details>`}function z({entry:e,note:t},n){const{about:o,facts:i,picture:r,ground:l,added:s,version:c}=e,p=f(i.link),$=R(p)?` \xB7 <a href="${a(p)}" rel="noreferrer">the view it was taken from</a>`:"",h=r?`<div class="picture" style="background: ${a(/^#[0-9a-f]{3,8}$/i.test(l)?l:"#ffffff")}">${B(r,o.title+". "+o.caption)}</div>`:"";return`<section id="p${n+1}" aria-labelledby="h${n+1}">
<h2 id="h${n+1}">${n+1}. ${a(o.title)}</h2>
<figure>
${h}
<figcaption>${a(o.caption)}
<small>${a(o.source)}</small>
<small>As it was on ${a(x(s))}, Routescope ${a(c)}${$}</small></figcaption>
</figure>
${t.trim()?`<p class="note">${a(t.trim())}</p>`:""}
${A(e)}
${M(i)}
</section>`}const A=e=>e.columns.length?I(e):"";function D(e){const t=e.map(({entry:{facts:n}})=>f(n.model)+(n.revision?", revision "+n.revision:""));return[...new Set(t.filter(Boolean))]}function P({title:e,panels:t},n){const o=e.trim()||"Report",i=[...new Set(t.map(({entry:l})=>l.version).filter(Boolean))],r=t.map(({entry:l},s)=>`<li><a href="#p${s+1}">${a(l.about.title)}</a></li>`).join(`
`);return`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${a(L)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="${a("Routescope "+i.join(", "))}">
<link rel="icon" href="data:,">
<title>${a(o)}</title>
<style>${N}</style>
</head>
<body>
<main>
<h1>${a(o)}</h1>
<p class="dim">Written ${a(x(n.toISOString()))} with Routescope ${a(i.join(", "))}. Every panel is as it was when it was added; pictures keep the colours of the page then.</p>
<p class="dim">${a(D(t).map(l=>"Model "+l).join("; "))}</p>
<nav aria-label="Panels"><ol>
${r}
</ol></nav>
${t.map(z).join(`
`)}
</main>
</body>
</html>
`}const q=200,F=4e3,g=w(""),u=w(null);async function y(e){g.value="",await e.catch(t=>g.value=t instanceof Error?t.message:String(t))}const b=e=>y(C({...d.value,...e})),v=e=>requestAnimationFrame(()=>document.querySelector(".report-dialog "+e)?.focus());function k(e,t,n){const{panels:o}=d.value,[i]=o.slice(e,e+1);b({panels:o.toSpliced(e,1).toSpliced(e+t,0,i)}),v('[data-panel-of="'+i.entry.id+'"] [data-act="'+n+'"]')}function U(e){const{panels:t}=d.value;u.value={panel:t[e],at:e},b({panels:t.toSpliced(e,1)}),v("[data-report-undo]")}async function Y(){if(!u.value)return;const{panel:e,at:t}=u.value;u.value=null,await y(O(e.entry,{note:e.note,at:t})),v('[data-panel-of="'+e.entry.id+'"] [data-act="remove"]')}function H(e,t){const{panels:n}=d.value;b({panels:n.with(e,{...n[e],note:t})})}function _(){const{title:e}=d.value,t=(e.trim()||"report").replace(/[^\p{L}\p{N}.-]+/gu,"-").slice(0,80)+".html";T(P(d.value,new Date),"text/html",t)}const S=e=>e.currentTarget.value;function G({panel:{entry:e,note:t},at:n,count:o}){const{id:i,about:r,added:l}=e,s=(c,p,$,h=!1)=>m`<button
      type="button"
      class="tool tool-text"
      data-act=${c}
      aria-label=${p+": "+r.title}
      aria-disabled=${String(h)}
      onClick=${()=>!h&&$()}
    >
      ${p}
    </button>`;return m`
    <h3 class="small-title">${n+1+". "+r.title}</h3>
    <p class="hint">${r.source}</p>
    <p class="hint">${"As it was on "+new Date(l).toLocaleString("en-GB")}</p>
    <label class="report-note"
      >Note<textarea
        class="small-input"
        rows="2"
        id=${"report-note-"+i}
        maxlength=${F}
        value=${t}
        onInput=${c=>H(n,S(c))}
      ></textarea>
    </label>
    <div class="report-actions">
      ${s("up","Up",()=>k(n,-1,"up"),n===0)}
      ${s("down","Down",()=>k(n,1,"down"),n===o-1)}
      ${s("remove","Take out",()=>U(n))}
    </div>
  `}function J(){const{title:e,panels:t}=d.value;return m`
    <h2 id="report-dialog-title">Report</h2>
    <p class="reads">
      Panels as they were when they were added, kept in this browser. The file has their pictures, captions, facts and
      numbers, and needs nothing else to be read.
    </p>
    <label class="report-title"
      >Title<input
        class="small-input"
        type="text"
        maxlength=${q}
        value=${e}
        placeholder="Report"
        onInput=${n=>b({title:S(n)})}
    /></label>
    <p class="report-problem" role="alert">${g.value}</p>
    <p class="report-undo" role="status">
      ${u.value&&m`${"Taken out: "+u.value.panel.entry.about.title+". "}
          <button type="button" class="tool tool-text" data-report-undo onClick=${Y}>Undo</button>`}
    </p>
    <ol class="report-panels">
      ${t.map((n,o)=>m`<li key=${n.entry.id} data-panel-of=${n.entry.id}>
            <${G} panel=${n} at=${o} count=${t.length} />
          </li>`)}
    </ol>
    ${!t.length&&m`<p class="hint">No panel is chosen: add some from their Export menus.</p>`}
    <div class="report-foot">
      <button type="button" class="button" disabled=${!t.length} onClick=${_}>Save report, HTML</button>
      <form method="dialog"><button class="tool tool-text">Close</button></form>
    </div>
  `}async function W(){g.value="",u.value=null,await E();const e=document.activeElement,t=document.createElement("dialog");t.className="report-dialog",t.setAttribute("aria-labelledby","report-dialog-title");const n=j(t,J);t.addEventListener("close",()=>{n(),t.remove(),(e instanceof HTMLElement&&e.isConnected?e:document.getElementById("content"))?.focus({preventScroll:!0})}),document.body.append(t),t.showModal()}export{W as open};
