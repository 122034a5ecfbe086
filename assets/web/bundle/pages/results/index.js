/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{s as n,n as Q,ai as P,E as $,aq as R,ao as W,aU as J,aE as m,bh as H,bi as X,aS as K,T as b,bj as Y,at as Z,u as ee,aL as se,a5 as te,d as S,N as ne,av as ae,aw as re,c as oe,R as le,ac as ie,ax as ce,an as de,ah as ue,i as pe,af as $e,P as me,Q as he,am as B}from"../../boot.js";import{c as _,X as h,P as k,bW as fe}from"../../shared.js";const q=({of:e})=>n`<span class="tag results-verdict" data-verdict=${e}>${e}</span>`,y=e=>e.replace(/(^|[\s(])-/g,"$1\u2212");function C({claim:e,none:s="no run"}){if(e.value===null)return n`<span class="results-dim">${s}</span>`;const{words:t,trainings_words:a,samples_words:r,count:l,samples_of:d}=e;return n`${y(t)} ${a&&n`<small>${y(a)} over ${l} repeats</small>`}
  ${r&&n`<small>${y(r)} over ${d}</small>`}`}const j=()=>n`<span class="tag results-own">own</span>`,O=e=>e.map(s=>n`<th scope="col">${s}</th>`),f="all",F="own/",V=[[f,"All papers"],["interpreters","Neural Interpreters"],["circuits","Neural Attentive Circuits"],["blocks","Block-operations"]],D=[[f,"All"],["reproduced","reproduced"],["in-part","in part"],["contradicted","contradicted"],["not-tested","not tested"]],o=Q({paper:f,verdict:f,experiment:null,a:null,b:null}),u=e=>o.value={...o.value,...e},I=e=>u({experiment:e,a:null,b:null}),i=P(()=>"/results",(e,s)=>$("GET",e,void 0,{signal:s})),we=()=>{const{experiment:e,a:s,b:t}=o.value;return e&&s&&t?"/results/"+e+"/comparison?"+String(new URLSearchParams({a:s,b:t})):null},x=P(we,(e,s)=>$("GET",e,void 0,{signal:s})),ve=()=>{const e=w()?.id;return e?"/results/"+e+"/figures":null},T=P(ve,(e,s)=>$("GET",e,void 0,{signal:s})),L=(e,s)=>s===f?null:e.find(([t])=>t===s)?.[1]??null;function A(e,{paper:s,verdict:t}){const[a,r]=[L(V,s),L(D,t)];return e.filter(l=>(!a||l.paper===a)&&(!r||l.verdict===r))}const w=()=>i.latest()?.items.find(({id:e})=>e===o.value.experiment)??null,ge=()=>!!o.value.experiment&&!!i.latest()&&!w(),v=e=>!!e?.startsWith(F),M=e=>v(e)?e.slice(F.length):e;function be({data:e,printed_sizes:s}){return e?{"the paper's":"the paper's data","stand-in":"stand-in data",other:"other data"}[e]+", "+(s?"printed sizes":"settings differ"):"no run"}const N=e=>[["experiment","paper","source","claim","printed","ours","trainings_low","trainings_high","samples_low","samples_high","count","data","outcome","why","record"],...e.flatMap(({id:s,paper:t,claims:a})=>a.map(r=>[s,t,r.source,r.what,r.printed??"",r.value??"",...r.trainings??["",""],...r.samples??["",""],r.count,r.data??"",r.outcome,r.why,r.file??""]))],ke=({file:e,quick:s,date:t})=>[M(e),t.slice(0,10),v(e)&&"own",s&&"quick"].filter(Boolean).join(", ");function U({side:e,result:s}){const t="results-"+e,a=s.runs.map(r=>[r.file,ke(r)]);return R(e.toUpperCase(),t,n`<${W}
      id=${t}
      look="plain-select"
      options=${[["","choose a record"],...a]}
      chosen=${o.value[e]??""}
      onChoose=${r=>u({[e]:r||null})}
    />`)}const ye=({comparison:{claims:e,facts:s}})=>n`
  <${h}
    look="results-cards results-compared"
    heads=${O(["Claim","A","B","B minus A"])}
    rows=${e.map(({what:t,source:a,a:r,b:l,words:d})=>n`<tr>
          <th scope="row">${t} <small>${a}</small></th>
          <td data-label="A"><${C} claim=${r} none="not measured" /></td>
          <td data-label="B"><${C} claim=${l} none="not measured" /></td>
          <td data-label="B minus A">${d?y(d):n`<span class="results-dim">none</span>`}</td>
        </tr>`)}
  />
  <p class="hint">Intervals of differences are Welch's, over trainings; with one training on a side there is none.</p>
  <${h}
    look="results-cards results-facts"
    heads=${O(["What differs","A","B"])}
    rows=${s.map(({what:t,a,b:r})=>n`<tr>
          <th scope="row">${t}</th>
          <td data-label="A">${a||"none"}</td>
          <td data-label="B">${r||"none"}</td>
        </tr>`)}
  />
`;function Ce(){const{a:e,b:s}=o.value;if(!e||!s)return n`<p class="hint">Choose two records to see what differs between their numbers and settings.</p>`;const t=x.problem();if(t&&!x.waits())return n`<div class="message" role="alert">
      ${_("The records could not be compared",t.message)}
    </div>`;const a=x.answer();return a?n`<${ye} comparison=${a} />`:n`<div class="skeleton results-waits" role="status" aria-label="Comparing records"></div>`}const Oe=({result:e})=>(e.runs.length>1||o.value.a&&o.value.b)&&n`<h3>Compare two records</h3>
    <div class="results-sides"><${U} side="a" result=${e} /><${U} side="b" result=${e} /></div>
    <${Ce} />`,c="reproduction";let z="";const xe=e=>K(c,"/reproductions",{experiment:e});async function Te({job:e}){e?.state!=="done"||z===e.id||(z=e.id,await $("GET","/reproductions/"+encodeURIComponent(X(e))).catch(()=>null),i.again())}function Pe(){return(async()=>{const s="/jobs?kind="+c+"&limit=1",t=await $("GET",s).catch(()=>null),[a]=t?.items??[];a&&a.owner!=="another"&&(a.state==="queued"||a.state==="running")&&!m(c).job&&!m(c).starting&&H(c,a)})(),J(c,s=>{Te(s)})}const Re=()=>{const{job:e,request:s}=m(c);return(e?.request??s?.body??{}).experiment??null};function G({text:e}){return n`<div class="results-command">
    <code>${e}</code><${b} act=${async()=>{await fe(e)?S("Command copied",e,"good"):S("The command could not be copied","Select it instead.","bad")}} label=${"Copy the command "+e}>Copy<//>
  </div>`}const _e=({claims:e})=>n`
  <h3>Print beside ours</h3>
  <${h}
    look="results-cards"
    heads=${O(["Claim","Print","Ours","Outcome"])}
    rows=${e.map(s=>n`<tr>
          <th scope="row">${s.what} <small>${s.source}</small></th>
          <td data-label="Print">${s.printed_words||"words only"}</td>
          <td data-label="Ours"><${C} claim=${s} /> ${v(s.file)&&n`<${j} />`}</td>
          <td data-label="Outcome"><${q} of=${s.outcome} /> <small>${s.why}</small></td>
        </tr>`)}
  />
`;function qe([e,s]){const t=te(e)?.revision,a=t&&t!==s?", since then trained anew":"";return e+" ("+s.slice(0,8)+a+")"}const je=({run:e})=>{const s=Object.entries(e.models).map(qe),t=[["data",e.data.join("; ")+(e.stand_in?" (with stand-ins)":"")],["time",e.time],["machine",e.machine??"not recorded"],["version","Routescope "+e.version],["models",s.join(", ")||"trained in the run"]];return n`<li>
    <strong>${M(e.file)}</strong> ${v(e.file)&&n`<${j} />`}
    <span class="results-dim">
      ${" "}${e.date.slice(0,10)}${e.quick?", quick run":""}${e.used?", used above":""}
    </span>
    <${G} text=${e.command} />
    <dl>
      ${t.map(([a,r])=>n`<dt>${a}</dt>
            <dd>${r}</dd>`)}
    </dl>
    ${e.notes.map(a=>n`<p class="hint">${a}</p>`)}
  </li>`};function Ae({result:{id:e,quick_time:s,quick_refused:t}}){const a=Re(),r=["queued","running"].includes(m(c).job?.state??"")||m(c).starting,l=t||ee.value.read_only&&"This service runs no experiments."||"",d="Takes "+s+": a check that the experiment runs. No claim uses its numbers.",p=l||(r&&a!==e?"The quick run of "+a+" goes on.":d);return n`<div class="results-quick">
    <${b} act=${()=>xe(e)} id="results-quick" wait=${l||r}>Run quickly<//>
    <span class="hint">${p}</span>
    ${a===e&&n`<${se} name=${c} what=${"Quick run of "+e} />`}
  </div>`}const Ee=({result:e})=>{const s=e.runs.find(({used:t})=>t);return s?.differences.length?n`<h3>Differs from print</h3>
    <${h}
      heads=${O(["Setting","Here","Print"])}
      rows=${s.differences.map(({what:t,here:a,printed:r})=>n`<tr>
            <th scope="row">${t}</th>
            <td>${a}</td>
            <td>${r}</td>
          </tr>`)}
    />`:null};function Se(){const e=w();return e?n`<${k}
    id="results-detail"
    title=${e.title}
    reads=${e.paper_title+", "+e.source+"."}
    tag=${e.id}
    formats=${["csv","json"]}
    coded=${!1}
    written=${()=>({name:"results-"+e.id,rows:()=>N([e]),json:()=>({result:e}),picture:{}})}
  >
    <p class="results-summary">
      <${q} of=${e.verdict} /> ${e.why}
      <${b} act=${()=>I(null)} id="results-close">Close<//>
    </p>
    <nav class="results-links" aria-label="Pages with this experiment's model">
      ${e.links.map(({label:s,page:t,model:a,address:r})=>{const l=Y(t,{model:a,...r});return n`<a class="tool tool-text" href=${l} onClick=${Z}>${s}</a>`})}
    </nav>
    <${_e} claims=${e.claims} />
    <${Ee} result=${e} />
    <h3>${e.runs.length?"Records":"Run it"}</h3>
    ${e.runs.length?n`<ul class="results-runs">
            ${e.runs.map(s=>n`<${je} key=${s.file} run=${s} />`)}
          </ul>`:n`<${G} text=${e.command} />`}
    <${Ae} result=${e} />
    <${Oe} result=${e} />
  <//>`:null}const E=(e,s)=>ne+"/figures/"+e+"?format="+s;function Be({figure:{id:e,number:s,title:t,shows:a,differs:r,width:l,height:d}}){const p=s+": "+t;return n`<figure data-figure=${e}>
    <figcaption>
      <h3>${p}</h3>
      <p>Print: ${a}</p>
    </figcaption>
    <a class="results-picture" href=${E(e,"svg")} target="_blank" rel="noopener">
      <img
        src=${E(e,"svg")}
        alt=${["Ours, "+p+".",r,"Opens the picture alone."].filter(Boolean).join(" ")}
        width=${Math.round(l)}
        height=${Math.round(d)}
        loading="lazy"
      />
    </a>
    <p class="results-links">
      ${["svg","pdf"].map(g=>n`<a
            class="tool tool-text"
            href=${E(e,g)}
            download=${e+"."+g}
            aria-label=${p+" as "+g.toUpperCase()}
            >${g.toUpperCase()}</a
          >`)}
    </p>
  </figure>`}function Fe(){const e=T.waits()?null:T.problem(),s=T.answer()?.items??[];return!w()||!(s.length||e)?null:n`<${k}
    id="results-figures"
    title="Figures"
    reads="Figures of the paper, drawn from the records. Filled marks are ours; open marks are numbers that the paper prints."
  >
    ${e&&n`<div class="message" role="alert">${_("The figures could not be listed",e.message)}</div>`}
    ${s.map(t=>n`<${Be} key=${t.id} figure=${t} />`)}
  <//>`}const Ve=["Experiment","Claim","Print","Ours","Data and size","Verdict"];function De({result:e}){const s=e.claims[e.headline],t=e.id===o.value.experiment,a=()=>I(t?null:e.id);return n`<tr data-experiment=${e.id}>
    <th scope="row">
      <button type="button" class="results-open" aria-expanded=${String(t)} onClick=${a}>${e.id}</button>
      <small>${e.title}</small>
    </th>
    <td data-label="Claim">${s.what} <small>${s.source}</small></td>
    <td data-label="Print">${s.printed_words||"words only"}</td>
    <td data-label="Ours"><${C} claim=${s} /> ${v(s.file)&&n`<${j} />`}</td>
    <td data-label="Data and size">
      ${be(e)} ${e.data&&n`<small>${e.trainings}, ${e.time}</small>`}
    </td>
    <td data-label="Verdict"><${q} of=${e.verdict} /> <small>${e.why}</small></td>
  </tr>`}const Ie=e=>D.map(([s,t])=>{const{paper:a}=o.value;return[s,t+" ("+A(e,{paper:a,verdict:s}).length+")"]}),Le=({items:e})=>n`
  <div class="results-filters">
    ${R("Paper","results-paper",n`<${B}
        id="results-paper"
        label="Paper"
        options=${V}
        chosen=${o.value.paper}
        onChoose=${s=>u({paper:s})}
      />`)}
    ${R("Verdict","results-verdict",n`<${B}
        id="results-verdict"
        label="Verdict"
        options=${Ie(e)}
        chosen=${o.value.verdict}
        onChoose=${s=>u({verdict:s})}
      />`)}
  </div>
`;function Me(){const e=i.latest(),s=i.problem();if(!e&&s&&!i.waits())return n`<div class="message" role="alert">
      ${_("The results could not be read",s.message,{words:"Try again",act:i.again})}
    </div>`;if(!e)return n`<div class="skeleton results-skeleton" role="status" aria-label="Reading records"></div>`;const t=A(e.items,o.value);return n`
    ${ge()&&n`<p class="hint" role="status">There is no experiment ${o.value.experiment}.</p>`}
    ${e.unreadable.map(({why:a})=>n`<p class="hint" key=${a}>Left out: ${a}.</p>`)}
    <${Le} items=${e.items} />
    ${t.length?n`<${h}
            look="results-cards results-table"
            heads=${Ve.map(a=>n`<th scope="col">${a}</th>`)}
            rows=${t.map(a=>n`<${De} key=${a.id} result=${a} />`)}
          />`:n`<p class="hint">
            No experiment has this paper and this verdict.
            <${b} act=${()=>u($e("results","paper","verdict"))}>Show all<//>
          </p>`}
  `}const Ne=()=>n`<ol class="results-rule">
    ${(i.latest()?.rule??[]).map(e=>n`<li>${e}</li>`)}
  </ol>`;function Ue(){const e=me(null),s=w()?.id??null;return he(()=>{s&&e.current?.scrollIntoView({block:"start"})},[s]),n`<div ref=${e} class="results-opened"><${Se} key=${s} /><${Fe} key=${s} /></div>`}const ze=()=>n`
  <div class="page-head">
    <h1>Results</h1>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${pe("link")}Copy link</button>
    </div>
  </div>
  <div class="results-grid">
    <${k}
      id="results"
      title="The papers' numbers beside ours"
      reads="One claim of each experiment, with 95 % intervals. Click an experiment for all its claims and records."
      more="The claim in a row is the first that failed, else the first that held, was undecided or was measured. Repeats are trainings with other seeds, adaptations, episodes or trials of a grid; the opened experiment has them. Records in the folder records of the data folder, where routescope reproduce writes, are yours and count, too."
      formats=${["csv","json"]}
      coded=${!1}
      written=${()=>{const e=A(i.latest()?.items??[],o.value);return e.length?{name:"results",rows:()=>N(e),json:()=>({rule:i.latest()?.rule,items:e}),picture:{}}:null}}
    >
      <${Me} />
    <//>
    <${k} id="results-rule" title="Rule of the verdicts" reads="Every verdict is computed from the records.">
      <${Ne} />
    <//>
    <${Ue} />
  </div>
`;ae("results",({model:e,sample:s,...t})=>(oe({model:e,sample:s}),o.value=t,Promise.resolve()));const Ge=re({Tree:ze,choice:()=>o.value,take:e=>{u(e)},open(e){u(e);const s=[i.follow(),x.follow(),T.follow(),Pe(),le(()=>{const{model:t,sample:a}=ie(),r={...t?{model:t,sample:a}:ce(location.search),...o.value};de(()=>ue("results",r))})];return()=>s.forEach(t=>t())}});export{Ge as mount};
