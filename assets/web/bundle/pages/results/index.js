/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{n as T,aj as _,D as j,T as u,bj as D,au as S,s as t,d as v,aw as V,ax as E,c as A,R as F,ad as I,ay as L,ao as z,ai as M,i as N,ag as q,P as Q,Q as B,ar as w,an as g}from"../../boot.js";import{P as p,X as $,bT as G,c as H}from"../../shared.js";const c="all",b=[[c,"All papers"],["interpreters","Neural Interpreters"],["circuits","Neural Attentive Circuits"],["blocks","Block-operations"]],y=[[c,"All"],["reproduced","reproduced"],["in-part","in part"],["contradicted","contradicted"],["not-tested","not tested"]],n=T({paper:c,verdict:c,experiment:null}),i=e=>n.value={...n.value,...e},l=_(()=>"/results",(e,s)=>j("GET",e,void 0,{signal:s})),k=(e,s)=>s===c?null:e.find(([a])=>a===s)?.[1]??null;function m(e,{paper:s,verdict:a}){const[r,o]=[k(b,s),k(y,a)];return e.filter(d=>(!r||d.paper===r)&&(!o||d.verdict===o))}const x=()=>l.latest()?.items.find(({id:e})=>e===n.value.experiment)??null;function U({data:e,printed_sizes:s}){return e?{"the paper's":"the paper's data","stand-in":"stand-in data",other:"other data"}[e]+", "+(s?"printed sizes":"settings differ"):"no run"}const C=e=>[["experiment","paper","source","claim","printed","ours","trainings_low","trainings_high","samples_low","samples_high","count","data","outcome","why","record"],...e.flatMap(({id:s,paper:a,claims:r})=>r.map(o=>[s,a,o.source,o.what,o.printed??"",o.value??"",...o.trainings??["",""],...o.samples??["",""],o.count,o.data??"",o.outcome,o.why,o.file??""]))],h=({of:e})=>t`<span class="tag results-verdict" data-verdict=${e}>${e}</span>`,f=e=>e.replaceAll("-","\u2212");function O({claim:e}){if(e.value===null)return t`<span class="results-dim">no run</span>`;const{words:s,trainings_words:a,samples_words:r,count:o,samples_of:d}=e;return t`${f(s)} ${a&&t`<small>${f(a)} over ${o} repeats</small>`}
  ${r&&t`<small>${f(r)} over ${d}</small>`}`}function P({text:e}){return t`<div class="results-command">
    <code>${e}</code><${u} act=${async()=>{await G(e)?v("Command copied",e,"good"):v("The command could not be copied","Select it instead.","bad")}} label=${"Copy the command "+e}>Copy<//>
  </div>`}const R=e=>e.map(s=>t`<th scope="col">${s}</th>`),X=({claims:e})=>t`
  <h3>Print beside ours</h3>
  <${$}
    look="results-cards"
    heads=${R(["Claim","Print","Ours","Outcome"])}
    rows=${e.map(s=>t`<tr>
          <th scope="row">${s.what} <small>${s.source}</small></th>
          <td data-label="Print">${s.printed_words||"words only"}</td>
          <td data-label="Ours"><${O} claim=${s} /></td>
          <td data-label="Outcome"><${h} of=${s.outcome} /> <small>${s.why}</small></td>
        </tr>`)}
  />
`,Y=({run:e})=>{const s=Object.entries(e.models).map(([r,o])=>r+" ("+o.slice(0,8)+")"),a=[["data",e.data.join("; ")+(e.stand_in?" (with stand-ins)":"")],["hours",e.hours<.1?e.hours.toFixed(2):e.hours.toFixed(1)],["machine",e.machine??"not recorded"],["version","Routescope "+e.version],["models",s.join(", ")||"trained in the run"]];return t`<li>
    <strong>${e.file}</strong>
    <span class="results-dim">
      ${" "}${e.date.slice(0,10)}${e.quick?", quick run":""}${e.used?", used above":""}
    </span>
    <${P} text=${e.command} />
    <dl>
      ${a.map(([r,o])=>t`<dt>${r}</dt>
            <dd>${o}</dd>`)}
    </dl>
    ${e.notes.map(r=>t`<p class="hint">${r}</p>`)}
  </li>`},J=({result:e})=>{const s=e.runs.find(({used:a})=>a);return s?.differences.length?t`<h3>Differs from print</h3>
    <${$}
      heads=${R(["Setting","Here","Print"])}
      rows=${s.differences.map(({what:a,here:r,printed:o})=>t`<tr>
            <th scope="row">${a}</th>
            <td>${r}</td>
            <td>${o}</td>
          </tr>`)}
    />`:null};function K(){const e=x();return e?t`<${p}
    id="results-detail"
    title=${e.title}
    reads=${e.paper_title+", "+e.source+"."}
    tag=${e.id}
    formats=${["csv","json"]}
    coded=${!1}
    written=${()=>({name:"results-"+e.id,rows:()=>C([e]),json:()=>({result:e}),picture:{}})}
  >
    <p class="results-summary">
      <${h} of=${e.verdict} /> ${e.why}
      <${u} act=${()=>i({experiment:null})} id="results-close">Close<//>
    </p>
    <nav class="results-links" aria-label="Pages with this experiment's model">
      ${e.links.map(({label:s,page:a,model:r,address:o})=>{const d=D(a,{model:r,...o});return t`<a class="tool tool-text" href=${d} onClick=${S}>${s}</a>`})}
    </nav>
    <${X} claims=${e.claims} />
    <${J} result=${e} />
    <h3>${e.runs.length?"Records":"Run it"}</h3>
    ${e.runs.length?t`<ul class="results-runs">
            ${e.runs.map(s=>t`<${Y} key=${s.file} run=${s} />`)}
          </ul>`:t`<${P} text=${e.command} />`}
  <//>`:null}const W=["Experiment","Claim","Print","Ours","Data and size","Verdict"];function Z({result:e}){const s=e.claims[e.headline],a=e.id===n.value.experiment,r=()=>i({experiment:a?null:e.id});return t`<tr data-experiment=${e.id}>
    <th scope="row">
      <button type="button" class="results-open" aria-expanded=${String(a)} onClick=${r}>${e.id}</button>
      <small>${e.title}</small>
    </th>
    <td data-label="Claim">${s.what} <small>${s.source}</small></td>
    <td data-label="Print">${s.printed_words||"words only"}</td>
    <td data-label="Ours"><${O} claim=${s} /></td>
    <td data-label="Data and size">
      ${U(e)} <small>${e.hours.toFixed(1)} hours, repeats: ${e.trainings}</small>
    </td>
    <td data-label="Verdict"><${h} of=${e.verdict} /> <small>${e.why}</small></td>
  </tr>`}const ee=e=>y.map(([s,a])=>{const{paper:r}=n.value;return[s,a+" ("+m(e,{paper:r,verdict:s}).length+")"]}),se=({items:e})=>t`
  <div class="results-filters">
    ${w("Paper","results-paper",t`<${g}
        id="results-paper"
        label="Paper"
        options=${b}
        chosen=${n.value.paper}
        onChoose=${s=>i({paper:s})}
      />`)}
    ${w("Verdict","results-verdict",t`<${g}
        id="results-verdict"
        label="Verdict"
        options=${ee(e)}
        chosen=${n.value.verdict}
        onChoose=${s=>i({verdict:s})}
      />`)}
  </div>
`;function te(){const e=l.latest(),s=l.problem();if(!e&&s&&!l.waits())return t`<div class="message" role="alert">
      ${H("The results could not be read",s.message,{words:"Try again",act:l.again})}
    </div>`;if(!e)return t`<div class="skeleton results-skeleton" role="status" aria-label="Reading records"></div>`;const a=m(e.items,n.value);return t`
    <${se} items=${e.items} />
    ${a.length?t`<${$}
            look="results-cards results-table"
            heads=${W.map(r=>t`<th scope="col">${r}</th>`)}
            rows=${a.map(r=>t`<${Z} key=${r.id} result=${r} />`)}
          />`:t`<p class="hint">
            No experiment has this paper and this verdict.
            <${u} act=${()=>i(q("results","paper","verdict"))}>Show all<//>
          </p>`}
  `}const ae=()=>t`<ol class="results-rule">
    ${(l.latest()?.rule??[]).map(e=>t`<li>${e}</li>`)}
  </ol>`;function re(){const e=Q(null),s=x()?.id??null;return B(()=>{s&&e.current?.scrollIntoView({block:"start"})},[s]),t`<div ref=${e} class="results-opened"><${K} key=${s} /></div>`}const oe=()=>t`
  <div class="page-head">
    <h1>Results</h1>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${N("link")}Copy link</button>
    </div>
  </div>
  <div class="results-grid">
    <${p}
      id="results"
      title="The papers' numbers beside ours"
      reads="One claim of each experiment, with 95 % intervals. Click an experiment for all its claims and records."
      more="The claim in a row is the first that failed, else the first that held, was undecided or was measured. Repeats are trainings with other seeds, adaptations, episodes or trials of a grid; the opened experiment has them. Your own records: routescope results --records FOLDER."
      formats=${["csv","json"]}
      coded=${!1}
      written=${()=>{const e=m(l.latest()?.items??[],n.value);return e.length?{name:"results",rows:()=>C(e),json:()=>({rule:l.latest()?.rule,items:e}),picture:{}}:null}}
    >
      <${te} />
    <//>
    <${p} id="results-rule" title="Rule of the verdicts" reads="Every verdict is computed from the records.">
      <${ae} />
    <//>
    <${re} />
  </div>
`;V("results",({model:e,sample:s,...a})=>(A({model:e,sample:s}),n.value=a,Promise.resolve()));const ne=E({Tree:oe,choice:()=>n.value,take:e=>{i(e)},open(e){i(e);const s=[l.follow(),F(()=>{const{model:a,sample:r}=I(),o={...a?{model:a,sample:r}:L(location.search),...n.value};z(()=>M("results",o))})];return()=>s.forEach(a=>a())}});export{ne as mount};
