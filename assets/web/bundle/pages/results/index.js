/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{s as n,n as U,ai as R,E as f,aq as y,ao as W,aU as z,aE as $,bh as G,bi as F,aS as J,T as w,bj as H,at as X,u as K,aL as Y,a5 as Z,d as P,av as ee,aw as se,c as te,R as ne,ac as ae,ax as oe,an as re,ah as le,i as ie,af as ce,P as de,Q as ue,am as q}from"../../boot.js";import{c as _,X as p,P as C,bW as $e}from"../../shared.js";const O=({of:e})=>n`<span class="tag results-verdict" data-verdict=${e}>${e}</span>`,v=e=>e.replace(/(^|[\s(])-/g,"$1\u2212");function b({claim:e,none:s="no run"}){if(e.value===null)return n`<span class="results-dim">${s}</span>`;const{words:t,trainings_words:a,samples_words:o,count:l,samples_of:u}=e;return n`${v(t)} ${a&&n`<small>${v(a)} over ${l} repeats</small>`}
  ${o&&n`<small>${v(o)} over ${u}</small>`}`}const x=()=>n`<span class="tag results-own">own</span>`,g=e=>e.map(s=>n`<th scope="col">${s}</th>`),m="all",j="own/",A=[[m,"All papers"],["interpreters","Neural Interpreters"],["circuits","Neural Attentive Circuits"],["blocks","Block-operations"]],S=[[m,"All"],["reproduced","reproduced"],["in-part","in part"],["contradicted","contradicted"],["not-tested","not tested"]],r=U({paper:m,verdict:m,experiment:null,a:null,b:null}),d=e=>r.value={...r.value,...e},E=e=>d({experiment:e,a:null,b:null}),i=R(()=>"/results",(e,s)=>f("GET",e,void 0,{signal:s})),pe=()=>{const{experiment:e,a:s,b:t}=r.value;return e&&s&&t?"/results/"+e+"/comparison?"+String(new URLSearchParams({a:s,b:t})):null},k=R(pe,(e,s)=>f("GET",e,void 0,{signal:s})),B=(e,s)=>s===m?null:e.find(([t])=>t===s)?.[1]??null;function T(e,{paper:s,verdict:t}){const[a,o]=[B(A,s),B(S,t)];return e.filter(l=>(!a||l.paper===a)&&(!o||l.verdict===o))}const V=()=>i.latest()?.items.find(({id:e})=>e===r.value.experiment)??null,h=e=>!!e?.startsWith(j),I=e=>h(e)?e.slice(j.length):e;function me({data:e,printed_sizes:s}){return e?{"the paper's":"the paper's data","stand-in":"stand-in data",other:"other data"}[e]+", "+(s?"printed sizes":"settings differ"):"no run"}const L=e=>[["experiment","paper","source","claim","printed","ours","trainings_low","trainings_high","samples_low","samples_high","count","data","outcome","why","record"],...e.flatMap(({id:s,paper:t,claims:a})=>a.map(o=>[s,t,o.source,o.what,o.printed??"",o.value??"",...o.trainings??["",""],...o.samples??["",""],o.count,o.data??"",o.outcome,o.why,o.file??""]))],he=({file:e,quick:s,date:t})=>[I(e),t.slice(0,10),h(e)&&"own",s&&"quick"].filter(Boolean).join(", ");function D({side:e,result:s}){const t="results-"+e,a=s.runs.map(o=>[o.file,he(o)]);return y(e.toUpperCase(),t,n`<${W}
      id=${t}
      look="plain-select"
      options=${[["","choose a record"],...a]}
      chosen=${r.value[e]??""}
      onChoose=${o=>d({[e]:o||null})}
    />`)}const fe=({comparison:{claims:e,facts:s}})=>n`
  <${p}
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
  <${p}
    look="results-cards results-facts"
    heads=${g(["What differs","A","B"])}
    rows=${s.map(({what:t,a,b:o})=>n`<tr>
          <th scope="row">${t}</th>
          <td data-label="A">${a||"none"}</td>
          <td data-label="B">${o||"none"}</td>
        </tr>`)}
  />
`;function we(){const{a:e,b:s}=r.value;if(!e||!s)return n`<p class="hint">Choose two records to see what differs between their numbers and settings.</p>`;const t=k.problem();if(t&&!k.waits())return n`<div class="message" role="alert">
      ${_("The records could not be compared",t.message)}
    </div>`;const a=k.answer();return a?n`<${fe} comparison=${a} />`:n`<div class="skeleton results-waits" role="status" aria-label="Comparing records"></div>`}const ve=({result:e})=>e.runs.length>1&&n`<h3>Compare two records</h3>
    <div class="results-sides"><${D} side="a" result=${e} /><${D} side="b" result=${e} /></div>
    <${we} />`,c="reproduction";let N="";const be=e=>J(c,"/reproductions",{experiment:e});async function ge({job:e}){e?.state!=="done"||N===e.id||(N=e.id,await f("GET","/reproductions/"+encodeURIComponent(F(e))).catch(()=>null),i.again())}function ke(){return(async()=>{const s="/jobs?kind="+c+"&limit=1",t=await f("GET",s).catch(()=>null),[a]=t?.items??[];a&&a.owner!=="another"&&(a.state==="queued"||a.state==="running")&&!$(c).job&&!$(c).starting&&G(c,a)})(),z(c,s=>{ge(s)})}const ye=()=>{const{job:e,request:s}=$(c);return(e?.request??s?.body??{}).experiment??null};function M({text:e}){return n`<div class="results-command">
    <code>${e}</code><${w} act=${async()=>{await $e(e)?P("Command copied",e,"good"):P("The command could not be copied","Select it instead.","bad")}} label=${"Copy the command "+e}>Copy<//>
  </div>`}const Ce=({claims:e})=>n`
  <h3>Print beside ours</h3>
  <${p}
    look="results-cards"
    heads=${g(["Claim","Print","Ours","Outcome"])}
    rows=${e.map(s=>n`<tr>
          <th scope="row">${s.what} <small>${s.source}</small></th>
          <td data-label="Print">${s.printed_words||"words only"}</td>
          <td data-label="Ours"><${b} claim=${s} /> ${h(s.file)&&n`<${x} />`}</td>
          <td data-label="Outcome"><${O} of=${s.outcome} /> <small>${s.why}</small></td>
        </tr>`)}
  />
`;function Oe([e,s]){const t=Z(e)?.revision,a=t&&t!==s?", since then trained anew":"";return e+" ("+s.slice(0,8)+a+")"}const xe=({run:e})=>{const s=Object.entries(e.models).map(Oe),t=[["data",e.data.join("; ")+(e.stand_in?" (with stand-ins)":"")],["time",e.time],["machine",e.machine??"not recorded"],["version","Routescope "+e.version],["models",s.join(", ")||"trained in the run"]];return n`<li>
    <strong>${I(e.file)}</strong> ${h(e.file)&&n`<${x} />`}
    <span class="results-dim">
      ${" "}${e.date.slice(0,10)}${e.quick?", quick run":""}${e.used?", used above":""}
    </span>
    <${M} text=${e.command} />
    <dl>
      ${t.map(([a,o])=>n`<dt>${a}</dt>
            <dd>${o}</dd>`)}
    </dl>
    ${e.notes.map(a=>n`<p class="hint">${a}</p>`)}
  </li>`};function Te({result:{id:e,quick_time:s,quick_refused:t}}){const a=ye(),o=["queued","running"].includes($(c).job?.state??"")||$(c).starting,l=t||K.value.read_only&&"This service runs no experiments."||"",u="Takes "+s+": a check that the experiment runs. No claim uses its numbers.",Q=l||(o&&a!==e?"The quick run of "+a+" goes on.":u);return n`<div class="results-quick">
    <${w} act=${()=>be(e)} id="results-quick" wait=${l||o}>Run quickly<//>
    <span class="hint">${Q}</span>
    ${a===e&&n`<${Y} name=${c} what=${"Quick run of "+e} />`}
  </div>`}const Re=({result:e})=>{const s=e.runs.find(({used:t})=>t);return s?.differences.length?n`<h3>Differs from print</h3>
    <${p}
      heads=${g(["Setting","Here","Print"])}
      rows=${s.differences.map(({what:t,here:a,printed:o})=>n`<tr>
            <th scope="row">${t}</th>
            <td>${a}</td>
            <td>${o}</td>
          </tr>`)}
    />`:null};function Pe(){const e=V();return e?n`<${C}
    id="results-detail"
    title=${e.title}
    reads=${e.paper_title+", "+e.source+"."}
    tag=${e.id}
    formats=${["csv","json"]}
    coded=${!1}
    written=${()=>({name:"results-"+e.id,rows:()=>L([e]),json:()=>({result:e}),picture:{}})}
  >
    <p class="results-summary">
      <${O} of=${e.verdict} /> ${e.why}
      <${w} act=${()=>E(null)} id="results-close">Close<//>
    </p>
    <nav class="results-links" aria-label="Pages with this experiment's model">
      ${e.links.map(({label:s,page:t,model:a,address:o})=>{const l=H(t,{model:a,...o});return n`<a class="tool tool-text" href=${l} onClick=${X}>${s}</a>`})}
    </nav>
    <${Ce} claims=${e.claims} />
    <${Re} result=${e} />
    <h3>${e.runs.length?"Records":"Run it"}</h3>
    ${e.runs.length?n`<ul class="results-runs">
            ${e.runs.map(s=>n`<${xe} key=${s.file} run=${s} />`)}
          </ul>`:n`<${M} text=${e.command} />`}
    <${Te} result=${e} />
    <${ve} result=${e} />
  <//>`:null}const qe=["Experiment","Claim","Print","Ours","Data and size","Verdict"];function _e({result:e}){const s=e.claims[e.headline],t=e.id===r.value.experiment,a=()=>E(t?null:e.id);return n`<tr data-experiment=${e.id}>
    <th scope="row">
      <button type="button" class="results-open" aria-expanded=${String(t)} onClick=${a}>${e.id}</button>
      <small>${e.title}</small>
    </th>
    <td data-label="Claim">${s.what} <small>${s.source}</small></td>
    <td data-label="Print">${s.printed_words||"words only"}</td>
    <td data-label="Ours"><${b} claim=${s} /> ${h(s.file)&&n`<${x} />`}</td>
    <td data-label="Data and size">
      ${me(e)} ${e.data&&n`<small>${e.trainings}, ${e.time}</small>`}
    </td>
    <td data-label="Verdict"><${O} of=${e.verdict} /> <small>${e.why}</small></td>
  </tr>`}const je=e=>S.map(([s,t])=>{const{paper:a}=r.value;return[s,t+" ("+T(e,{paper:a,verdict:s}).length+")"]}),Ae=({items:e})=>n`
  <div class="results-filters">
    ${y("Paper","results-paper",n`<${q}
        id="results-paper"
        label="Paper"
        options=${A}
        chosen=${r.value.paper}
        onChoose=${s=>d({paper:s})}
      />`)}
    ${y("Verdict","results-verdict",n`<${q}
        id="results-verdict"
        label="Verdict"
        options=${je(e)}
        chosen=${r.value.verdict}
        onChoose=${s=>d({verdict:s})}
      />`)}
  </div>
`;function Se(){const e=i.latest(),s=i.problem();if(!e&&s&&!i.waits())return n`<div class="message" role="alert">
      ${_("The results could not be read",s.message,{words:"Try again",act:i.again})}
    </div>`;if(!e)return n`<div class="skeleton results-skeleton" role="status" aria-label="Reading records"></div>`;const t=T(e.items,r.value);return n`
    ${e.unreadable.map(({why:a})=>n`<p class="hint" key=${a}>Left out: ${a}.</p>`)}
    <${Ae} items=${e.items} />
    ${t.length?n`<${p}
            look="results-cards results-table"
            heads=${qe.map(a=>n`<th scope="col">${a}</th>`)}
            rows=${t.map(a=>n`<${_e} key=${a.id} result=${a} />`)}
          />`:n`<p class="hint">
            No experiment has this paper and this verdict.
            <${w} act=${()=>d(ce("results","paper","verdict"))}>Show all<//>
          </p>`}
  `}const Ee=()=>n`<ol class="results-rule">
    ${(i.latest()?.rule??[]).map(e=>n`<li>${e}</li>`)}
  </ol>`;function Be(){const e=de(null),s=V()?.id??null;return ue(()=>{s&&e.current?.scrollIntoView({block:"start"})},[s]),n`<div ref=${e} class="results-opened"><${Pe} key=${s} /></div>`}const Ve=()=>n`
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
      <${Se} />
    <//>
    <${C} id="results-rule" title="Rule of the verdicts" reads="Every verdict is computed from the records.">
      <${Ee} />
    <//>
    <${Be} />
  </div>
`;ee("results",({model:e,sample:s,...t})=>(te({model:e,sample:s}),r.value=t,Promise.resolve()));const Ie=se({Tree:Ve,choice:()=>r.value,take:e=>{d(e)},open(e){d(e);const s=[i.follow(),k.follow(),ke(),ne(()=>{const{model:t,sample:a}=ae(),o={...t?{model:t,sample:a}:oe(location.search),...r.value};re(()=>le("results",o))})];return()=>s.forEach(t=>t())}});export{Ie as mount};
