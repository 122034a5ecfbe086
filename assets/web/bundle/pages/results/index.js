/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{s as n,n as U,ai as P,E as f,aq as y,ao as W,aU as z,aE as p,bh as G,bi as F,aS as J,T as w,bj as H,at as X,u as K,aL as Y,a5 as Z,d as q,av as ee,aw as se,c as te,R as ne,ac as ae,ax as oe,an as re,ah as le,i as ie,af as ce,P as de,Q as ue,am as _}from"../../boot.js";import{c as j,X as $,P as C,bW as pe}from"../../shared.js";const x=({of:e})=>n`<span class="tag results-verdict" data-verdict=${e}>${e}</span>`,v=e=>e.replace(/(^|[\s(])-/g,"$1\u2212");function b({claim:e,none:s="no run"}){if(e.value===null)return n`<span class="results-dim">${s}</span>`;const{words:t,trainings_words:a,samples_words:o,count:l,samples_of:u}=e;return n`${v(t)} ${a&&n`<small>${v(a)} over ${l} repeats</small>`}
  ${o&&n`<small>${v(o)} over ${u}</small>`}`}const O=()=>n`<span class="tag results-own">own</span>`,g=e=>e.map(s=>n`<th scope="col">${s}</th>`),m="all",A="own/",S=[[m,"All papers"],["interpreters","Neural Interpreters"],["circuits","Neural Attentive Circuits"],["blocks","Block-operations"]],E=[[m,"All"],["reproduced","reproduced"],["in-part","in part"],["contradicted","contradicted"],["not-tested","not tested"]],r=U({paper:m,verdict:m,experiment:null,a:null,b:null}),d=e=>r.value={...r.value,...e},B=e=>d({experiment:e,a:null,b:null}),i=P(()=>"/results",(e,s)=>f("GET",e,void 0,{signal:s})),$e=()=>{const{experiment:e,a:s,b:t}=r.value;return e&&s&&t?"/results/"+e+"/comparison?"+String(new URLSearchParams({a:s,b:t})):null},k=P($e,(e,s)=>f("GET",e,void 0,{signal:s})),V=(e,s)=>s===m?null:e.find(([t])=>t===s)?.[1]??null;function T(e,{paper:s,verdict:t}){const[a,o]=[V(S,s),V(E,t)];return e.filter(l=>(!a||l.paper===a)&&(!o||l.verdict===o))}const R=()=>i.latest()?.items.find(({id:e})=>e===r.value.experiment)??null,me=()=>!!r.value.experiment&&!!i.latest()&&!R(),h=e=>!!e?.startsWith(A),I=e=>h(e)?e.slice(A.length):e;function he({data:e,printed_sizes:s}){return e?{"the paper's":"the paper's data","stand-in":"stand-in data",other:"other data"}[e]+", "+(s?"printed sizes":"settings differ"):"no run"}const L=e=>[["experiment","paper","source","claim","printed","ours","trainings_low","trainings_high","samples_low","samples_high","count","data","outcome","why","record"],...e.flatMap(({id:s,paper:t,claims:a})=>a.map(o=>[s,t,o.source,o.what,o.printed??"",o.value??"",...o.trainings??["",""],...o.samples??["",""],o.count,o.data??"",o.outcome,o.why,o.file??""]))],fe=({file:e,quick:s,date:t})=>[I(e),t.slice(0,10),h(e)&&"own",s&&"quick"].filter(Boolean).join(", ");function D({side:e,result:s}){const t="results-"+e,a=s.runs.map(o=>[o.file,fe(o)]);return y(e.toUpperCase(),t,n`<${W}
      id=${t}
      look="plain-select"
      options=${[["","choose a record"],...a]}
      chosen=${r.value[e]??""}
      onChoose=${o=>d({[e]:o||null})}
    />`)}const we=({comparison:{claims:e,facts:s}})=>n`
  <${$}
    look="results-cards results-compared"
    heads=${g(["Claim","A","B","B minus A"])}
    rows=${e.map(({what:t,source:a,a:o,b:l,words:u})=>n`<tr>
          <th scope="row">${t} <small>${a}</small></th>
          <td data-label="A"><${b} claim=${o} none="not measured" /></td>
          <td data-label="B"><${b} claim=${l} none="not measured" /></td>
          <td data-label="B minus A">${u?v(u):n`<span class="results-dim">none</span>`}</td>
        </tr>`)}
  />
  <p class="hint">Intervals of differences are Welch's, over trainings; with one training on a side there is none.</p>
  <${$}
    look="results-cards results-facts"
    heads=${g(["What differs","A","B"])}
    rows=${s.map(({what:t,a,b:o})=>n`<tr>
          <th scope="row">${t}</th>
          <td data-label="A">${a||"none"}</td>
          <td data-label="B">${o||"none"}</td>
        </tr>`)}
  />
`;function ve(){const{a:e,b:s}=r.value;if(!e||!s)return n`<p class="hint">Choose two records to see what differs between their numbers and settings.</p>`;const t=k.problem();if(t&&!k.waits())return n`<div class="message" role="alert">
      ${j("The records could not be compared",t.message)}
    </div>`;const a=k.answer();return a?n`<${we} comparison=${a} />`:n`<div class="skeleton results-waits" role="status" aria-label="Comparing records"></div>`}const be=({result:e})=>(e.runs.length>1||r.value.a&&r.value.b)&&n`<h3>Compare two records</h3>
    <div class="results-sides"><${D} side="a" result=${e} /><${D} side="b" result=${e} /></div>
    <${ve} />`,c="reproduction";let N="";const ge=e=>J(c,"/reproductions",{experiment:e});async function ke({job:e}){e?.state!=="done"||N===e.id||(N=e.id,await f("GET","/reproductions/"+encodeURIComponent(F(e))).catch(()=>null),i.again())}function ye(){return(async()=>{const s="/jobs?kind="+c+"&limit=1",t=await f("GET",s).catch(()=>null),[a]=t?.items??[];a&&a.owner!=="another"&&(a.state==="queued"||a.state==="running")&&!p(c).job&&!p(c).starting&&G(c,a)})(),z(c,s=>{ke(s)})}const Ce=()=>{const{job:e,request:s}=p(c);return(e?.request??s?.body??{}).experiment??null};function M({text:e}){return n`<div class="results-command">
    <code>${e}</code><${w} act=${async()=>{await pe(e)?q("Command copied",e,"good"):q("The command could not be copied","Select it instead.","bad")}} label=${"Copy the command "+e}>Copy<//>
  </div>`}const xe=({claims:e})=>n`
  <h3>Print beside ours</h3>
  <${$}
    look="results-cards"
    heads=${g(["Claim","Print","Ours","Outcome"])}
    rows=${e.map(s=>n`<tr>
          <th scope="row">${s.what} <small>${s.source}</small></th>
          <td data-label="Print">${s.printed_words||"words only"}</td>
          <td data-label="Ours"><${b} claim=${s} /> ${h(s.file)&&n`<${O} />`}</td>
          <td data-label="Outcome"><${x} of=${s.outcome} /> <small>${s.why}</small></td>
        </tr>`)}
  />
`;function Oe([e,s]){const t=Z(e)?.revision,a=t&&t!==s?", since then trained anew":"";return e+" ("+s.slice(0,8)+a+")"}const Te=({run:e})=>{const s=Object.entries(e.models).map(Oe),t=[["data",e.data.join("; ")+(e.stand_in?" (with stand-ins)":"")],["time",e.time],["machine",e.machine??"not recorded"],["version","Routescope "+e.version],["models",s.join(", ")||"trained in the run"]];return n`<li>
    <strong>${I(e.file)}</strong> ${h(e.file)&&n`<${O} />`}
    <span class="results-dim">
      ${" "}${e.date.slice(0,10)}${e.quick?", quick run":""}${e.used?", used above":""}
    </span>
    <${M} text=${e.command} />
    <dl>
      ${t.map(([a,o])=>n`<dt>${a}</dt>
            <dd>${o}</dd>`)}
    </dl>
    ${e.notes.map(a=>n`<p class="hint">${a}</p>`)}
  </li>`};function Re({result:{id:e,quick_time:s,quick_refused:t}}){const a=Ce(),o=["queued","running"].includes(p(c).job?.state??"")||p(c).starting,l=t||K.value.read_only&&"This service runs no experiments."||"",u="Takes "+s+": a check that the experiment runs. No claim uses its numbers.",Q=l||(o&&a!==e?"The quick run of "+a+" goes on.":u);return n`<div class="results-quick">
    <${w} act=${()=>ge(e)} id="results-quick" wait=${l||o}>Run quickly<//>
    <span class="hint">${Q}</span>
    ${a===e&&n`<${Y} name=${c} what=${"Quick run of "+e} />`}
  </div>`}const Pe=({result:e})=>{const s=e.runs.find(({used:t})=>t);return s?.differences.length?n`<h3>Differs from print</h3>
    <${$}
      heads=${g(["Setting","Here","Print"])}
      rows=${s.differences.map(({what:t,here:a,printed:o})=>n`<tr>
            <th scope="row">${t}</th>
            <td>${a}</td>
            <td>${o}</td>
          </tr>`)}
    />`:null};function qe(){const e=R();return e?n`<${C}
    id="results-detail"
    title=${e.title}
    reads=${e.paper_title+", "+e.source+"."}
    tag=${e.id}
    formats=${["csv","json"]}
    coded=${!1}
    written=${()=>({name:"results-"+e.id,rows:()=>L([e]),json:()=>({result:e}),picture:{}})}
  >
    <p class="results-summary">
      <${x} of=${e.verdict} /> ${e.why}
      <${w} act=${()=>B(null)} id="results-close">Close<//>
    </p>
    <nav class="results-links" aria-label="Pages with this experiment's model">
      ${e.links.map(({label:s,page:t,model:a,address:o})=>{const l=H(t,{model:a,...o});return n`<a class="tool tool-text" href=${l} onClick=${X}>${s}</a>`})}
    </nav>
    <${xe} claims=${e.claims} />
    <${Pe} result=${e} />
    <h3>${e.runs.length?"Records":"Run it"}</h3>
    ${e.runs.length?n`<ul class="results-runs">
            ${e.runs.map(s=>n`<${Te} key=${s.file} run=${s} />`)}
          </ul>`:n`<${M} text=${e.command} />`}
    <${Re} result=${e} />
    <${be} result=${e} />
  <//>`:null}const _e=["Experiment","Claim","Print","Ours","Data and size","Verdict"];function je({result:e}){const s=e.claims[e.headline],t=e.id===r.value.experiment,a=()=>B(t?null:e.id);return n`<tr data-experiment=${e.id}>
    <th scope="row">
      <button type="button" class="results-open" aria-expanded=${String(t)} onClick=${a}>${e.id}</button>
      <small>${e.title}</small>
    </th>
    <td data-label="Claim">${s.what} <small>${s.source}</small></td>
    <td data-label="Print">${s.printed_words||"words only"}</td>
    <td data-label="Ours"><${b} claim=${s} /> ${h(s.file)&&n`<${O} />`}</td>
    <td data-label="Data and size">
      ${he(e)} ${e.data&&n`<small>${e.trainings}, ${e.time}</small>`}
    </td>
    <td data-label="Verdict"><${x} of=${e.verdict} /> <small>${e.why}</small></td>
  </tr>`}const Ae=e=>E.map(([s,t])=>{const{paper:a}=r.value;return[s,t+" ("+T(e,{paper:a,verdict:s}).length+")"]}),Se=({items:e})=>n`
  <div class="results-filters">
    ${y("Paper","results-paper",n`<${_}
        id="results-paper"
        label="Paper"
        options=${S}
        chosen=${r.value.paper}
        onChoose=${s=>d({paper:s})}
      />`)}
    ${y("Verdict","results-verdict",n`<${_}
        id="results-verdict"
        label="Verdict"
        options=${Ae(e)}
        chosen=${r.value.verdict}
        onChoose=${s=>d({verdict:s})}
      />`)}
  </div>
`;function Ee(){const e=i.latest(),s=i.problem();if(!e&&s&&!i.waits())return n`<div class="message" role="alert">
      ${j("The results could not be read",s.message,{words:"Try again",act:i.again})}
    </div>`;if(!e)return n`<div class="skeleton results-skeleton" role="status" aria-label="Reading records"></div>`;const t=T(e.items,r.value);return n`
    ${me()&&n`<p class="hint" role="status">There is no experiment ${r.value.experiment}.</p>`}
    ${e.unreadable.map(({why:a})=>n`<p class="hint" key=${a}>Left out: ${a}.</p>`)}
    <${Se} items=${e.items} />
    ${t.length?n`<${$}
            look="results-cards results-table"
            heads=${_e.map(a=>n`<th scope="col">${a}</th>`)}
            rows=${t.map(a=>n`<${je} key=${a.id} result=${a} />`)}
          />`:n`<p class="hint">
            No experiment has this paper and this verdict.
            <${w} act=${()=>d(ce("results","paper","verdict"))}>Show all<//>
          </p>`}
  `}const Be=()=>n`<ol class="results-rule">
    ${(i.latest()?.rule??[]).map(e=>n`<li>${e}</li>`)}
  </ol>`;function Ve(){const e=de(null),s=R()?.id??null;return ue(()=>{s&&e.current?.scrollIntoView({block:"start"})},[s]),n`<div ref=${e} class="results-opened"><${qe} key=${s} /></div>`}const Ie=()=>n`
  <div class="page-head">
    <h1>Results</h1>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${ie("link")}Copy link</button>
    </div>
  </div>
  <div class="results-grid">
    <${C}
      id="results"
      title="The papers' numbers beside ours"
      reads="One claim of each experiment, with 95 % intervals. Click an experiment for all its claims and records."
      more="The claim in a row is the first that failed, else the first that held, was undecided or was measured. Repeats are trainings with other seeds, adaptations, episodes or trials of a grid; the opened experiment has them. Records in the folder records of the data folder, where routescope reproduce writes, are yours and count, too."
      formats=${["csv","json"]}
      coded=${!1}
      written=${()=>{const e=T(i.latest()?.items??[],r.value);return e.length?{name:"results",rows:()=>L(e),json:()=>({rule:i.latest()?.rule,items:e}),picture:{}}:null}}
    >
      <${Ee} />
    <//>
    <${C} id="results-rule" title="Rule of the verdicts" reads="Every verdict is computed from the records.">
      <${Be} />
    <//>
    <${Ve} />
  </div>
`;ee("results",({model:e,sample:s,...t})=>(te({model:e,sample:s}),r.value=t,Promise.resolve()));const Le=se({Tree:Ie,choice:()=>r.value,take:e=>{d(e)},open(e){d(e);const s=[i.follow(),k.follow(),ye(),ne(()=>{const{model:t,sample:a}=ae(),o={...t?{model:t,sample:a}:oe(location.search),...r.value};re(()=>le("results",o))})];return()=>s.forEach(t=>t())}});export{Le as mount};
