/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{s as t,b0 as me,i as W,n as M,am as C,G as h,Y as R,X as H,T as p,F as J,bn as X,aw as Y,a$ as he,aH as O,bo as fe,bp as we,aX as ge,u as ve,aQ as be,ab as ke,d as K,P as ye,ay as Ce,az as Re,c as Oe,U as Te,ah as xe,aA as Pe,ar as Se,al as _e,ak as Ee,R as je,S as qe,aq as Z}from"../../boot.js";import{d as ee,_ as w,P as f,c5 as Ae}from"../../shared.js";const D=({of:e})=>t`<span class="tag results-verdict" data-verdict=${e}>${e}</span>`,T=e=>e.replace(/(^|[\s(])-/g,"$1\u2212");function E({claim:e,none:s="no run"}){if(e.value===null)return t`<span class="results-dim">${s}</span>`;const{words:n,trainings_words:a,samples_words:r,count:o,samples_of:i}=e;return t`${T(n)} ${a&&t`<small>${T(a)} over ${o} repeats</small>`}
  ${r&&t`<small>${T(r)} over ${i}</small>`}`}const j=({words:e})=>t`<div class="skeleton results-waits" role="status" aria-label=${e}></div>`,F=({title:e,problem:s})=>t`<div class="message" role="alert">${ee(e,s.message)}</div>`,L=()=>t`<span class="tag results-own">own</span>`,g=e=>e.map(s=>t`<th scope="col">${s}</th>`);function se({of:e,children:s}){const n=me(!1),a=(n.value?"Less":"More")+" about "+e;return t`<tr data-of=${e} data-unfolded=${String(n.value)}>
    ${s}
    <td class="results-fold">
      <button
        type="button"
        class="tool"
        aria-label=${a}
        aria-expanded=${String(n.value)}
        onClick=${()=>n.value=!n.value}
      >
        ${W("chevron")}
      </button>
    </td>
  </tr>`}const[v,q]=["all","numbers"],te="own/",U=[[v,"All papers"],["interpreters","Neural Interpreters"],["circuits","Neural Attentive Circuits"],["blocks","Block-operations"]],I=[[v,"All"],["reproduced","reproduced"],["in-part","in part"],["contradicted","contradicted"],["not-tested","not tested"]],l=M({paper:v,verdict:v,table:q}),d=e=>l.value={...l.value,...e},N=e=>d({experiment:e,record:null,table:q,a:null,b:null}),V=e=>d({record:e,table:q}),c=C(()=>"/results",(e,s)=>h("GET",e,void 0,{signal:s})),Be=()=>{const{experiment:e,a:s,b:n}=l.value;return e&&s&&n?"/results/"+e+"/comparison?"+String(new URLSearchParams({a:s,b:n})):null},x=C(Be,(e,s)=>h("GET",e,void 0,{signal:s})),Me=()=>{const e=$()?.id;return e?"/results/"+e+"/figures":null},ne=C(Me,(e,s)=>h("GET",e,void 0,{signal:s})),P=C(()=>l.value.others?"/figures":null,(e,s)=>h("GET",e,void 0,{signal:s})),ae=20,[A,G]=[M(""),M(ae)],re=()=>G.value+=ae,De=()=>{const{experiment:e,record:s,table:n}=l.value,a=new URLSearchParams({record:s??"",table:n,find:A.value,limit:String(G.value)});return e&&s?"/results/"+e+"/rows?"+String(a):null},S=C(De,(e,s)=>h("GET",e,void 0,{signal:s})),oe=(e,s)=>s===v?null:e.find(([n])=>n===s)?.[1]??null;function B(e,{paper:s,verdict:n}){const[a,r]=[oe(U,s),oe(I,n)];return e.filter(o=>(!a||o.paper===a)&&(!r||o.verdict===r))}const $=()=>c.latest()?.items.find(({id:e})=>e===l.value.experiment)??null,le=()=>!!l.value.experiment&&!!c.latest()&&!$(),b=e=>!!e?.startsWith(te),k=e=>b(e)?e.slice(te.length):e;function ie({data:e,printed_sizes:s}){return e?{"the paper's":"the paper's data","stand-in":"stand-in data",other:"other data"}[e]+", "+(s?"printed sizes":"settings differ"):"no run"}const z=e=>[["experiment","paper","source","claim","printed","ours","trainings_low","trainings_high","samples_low","samples_high","count","data","outcome","why","record"],...e.flatMap(({id:s,paper:n,claims:a})=>a.map(r=>[s,n,r.source,r.what,r.printed??"",r.value??"",...r.trainings??["",""],...r.samples??["",""],r.count,r.data??"",r.outcome,r.why,r.file??""]))];var Fe=Object.freeze({__proto__:null,ALL:v,NUMBERS:q,PAPERS:U,VERDICTS:I,answer:c,choice:l,choose:d,comparison:x,differsIn:ie,figures:ne,filtered:B,find:A,isOwn:b,limit:G,more:re,nameOf:k,open:N,openRecord:V,opened:$,others:P,rows:S,rowsOf:z,unknown:le});const Le=({file:e,quick:s,date:n})=>[k(e),n.slice(0,10),b(e)&&"own",s&&"quick"].filter(Boolean).join(", ");function ce({side:e,result:s}){const n="results-"+e,a=s.runs.map(r=>[r.file,Le(r)]);return R(e.toUpperCase(),n,t`<${H}
      id=${n}
      look="plain-select"
      options=${[["","choose a record"],...a]}
      chosen=${l.value[e]??""}
      onChoose=${r=>d({[e]:r||null})}
    />`)}const Ue=({comparison:{claims:e,facts:s}})=>t`
  <${w}
    look="results-cards results-compared"
    heads=${g(["Claim","A","B","B minus A"])}
    rows=${e.map(({what:n,source:a,a:r,b:o,words:i})=>t`<tr>
          <th scope="row">${n} <small>${a}</small></th>
          <td data-label="A"><${E} claim=${r} none="not measured" /></td>
          <td data-label="B"><${E} claim=${o} none="not measured" /></td>
          <td data-label="B minus A">${i?T(i):t`<span class="results-dim">none</span>`}</td>
        </tr>`)}
  />
  <p class="hint">Differences have Welch intervals over trainings, or none if a side has one training.</p>
  <${w}
    look="results-cards results-facts"
    heads=${g(["What differs","A","B"])}
    rows=${s.map(({what:n,a,b:r})=>t`<tr>
          <th scope="row">${n}</th>
          <td data-label="A">${a||"none"}</td>
          <td data-label="B">${r||"none"}</td>
        </tr>`)}
  />
`;function Ie(){const{a:e,b:s}=l.value;if(!e||!s)return t`<p class="hint">Choose two records to see what differs between their numbers and settings.</p>`;const n=x.problem();if(n&&!x.waits())return t`<${F} title="The records could not be compared" problem=${n} />`;const a=x.answer();return a?t`<${Ue} comparison=${a} />`:t`<${j} words="Comparing records" />`}const Ne=({result:e})=>(e.runs.length>1||l.value.a&&l.value.b)&&t`<h3>Compare two records</h3>
    <div class="results-sides"><${ce} side="a" result=${e} /><${ce} side="b" result=${e} /></div>
    <${Ie} />`;function de({link:e,of:s}){if(!e)return null;const{label:n,page:a,model:r,address:o,lacks:i}=e,m=X(a,{model:r,...o});return t`<a href=${m} onClick=${Y} aria-label=${n+", "+s}>${n}</a> ${i.length>0&&t`<small>without ${i.join("; ")}</small>`}`}function Ve({answer:{columns:e,items:s,total:n}}){const a=e.map(r=>r.replace(/_/g," "));return t`<div class="results-rows">
      <${w}
        look="results-cards"
        heads=${g([a[0],"Page",...a.slice(1)])}
        rows=${s.map(({cells:[r,...o],link:i})=>t`<tr>
              <th scope="row">${r}</th>
              <td data-label="Page"><${de} link=${i} of=${[r,...o].join(", ")} /></td>
              ${o.map((m,y)=>t`<td data-label=${a[y+1]}>${T(m)}</td>`)}
            </tr>`)}
      />
    </div>
    <p class="hint">
      ${J(s.length)} of ${J(n)} rows.
      ${s.length<n&&t` <${p} act=${re}>Show more<//>`}
    </p>`}function Ge(){const{record:e,table:s}=l.value,n=$();if(!e||!n)return null;const a=S.latest(),r=S.waits()?null:S.problem(),o=a&&k(a.file)===k(e)?a:null;return t`<${f}
    id="results-rows"
    title=${"Rows of "+k(e)}
    reads="Each row links to the page that has its model, data and intervention; it names what that page cannot show."
    formats=${["csv","json"]}
    coded=${!1}
    written=${()=>o&&{name:"rows-"+n.id,rows:()=>[o.columns,...o.items.map(({cells:i})=>i)],json:()=>o,picture:{}}}
  >
    <div class="results-filters">
      ${R("Table","results-table",t`<${H}
          id="results-table"
          look="plain-select"
          options=${(o?.tables??[s]).map(i=>[i,i])}
          chosen=${s}
          onChoose=${i=>d({table:i})}
        />`)}
      ${R("Rows with","results-find",t`<input
          id="results-find"
          class="small-input"
          type="search"
          maxlength="80"
          value=${A.value}
          onInput=${i=>A.value=i.currentTarget.value}
        />`)}
      <${p} act=${()=>V(null)}>Close<//>
    </div>
    ${r&&t`<${F} title="The rows could not be read" problem=${r} />`}
    ${!r&&o&&t`<${Ve} answer=${o} />`}
    ${!r&&!o&&t`<${j} words="Reading rows" />`}
  <//>`}const u="reproduction";let ue="";const ze=e=>ge(u,"/reproductions",{experiment:e});async function Qe({job:e}){e?.state!=="done"||ue===e.id||(ue=e.id,await h("GET","/reproductions/"+encodeURIComponent(we(e))).catch(()=>null),c.again())}function We(){return(async()=>{const s="/jobs?kind="+u+"&limit=1",n=await h("GET",s).catch(()=>null),[a]=n?.items??[];a&&a.owner!=="another"&&(a.state==="queued"||a.state==="running")&&!O(u).job&&!O(u).starting&&fe(u,a)})(),he(u,s=>{Qe(s)})}const He=()=>{const{job:e,request:s}=O(u);return(e?.request??s?.body??{}).experiment??null};function $e({text:e}){return t`<div class="results-command">
    <code>${e}</code><${p} act=${async()=>{await Ae(e)?K("Command copied",e,"good"):K("The command could not be copied","Select it instead.","bad")}} label=${"Copy the command "+e}>Copy<//>
  </div>`}const Je=({claims:e})=>t`
  <h3>Print beside ours</h3>
  <${w}
    look="results-cards"
    heads=${g(["Claim","Print","Ours","Outcome"])}
    rows=${e.map(s=>t`<${se} of=${s.what}>
          <th scope="row">${s.what} <small>${s.source}</small></th>
          <td data-label="Print">${s.printed_words||"words only"}</td>
          <td data-label="Ours">
            <${E} claim=${s} /> ${b(s.file)&&t`<${L} />`}
            <span class="results-measured"><${de} link=${s.link} of=${s.what} /></span>
          </td>
          <td data-label="Outcome"><${D} of=${s.outcome} /> <small>${s.why}</small></td>
        <//>`)}
  />
`;function Xe([e,s]){const n=ke(e)?.revision,a=n&&n!==s?", trained again since":"";return e+" ("+s.slice(0,8)+a+")"}const Ye=({run:e})=>{const s=Object.entries(e.models).map(Xe),n=e.file===l.value.record,a=[["data",e.data.join("; ")+(e.stand_in?" (with stand-ins)":"")],["time",e.time],["machine",e.machine??"not recorded"],["version","Routescope "+e.version],["models",s.join(", ")||"trained in the run"]];return t`<li>
    <strong>${k(e.file)}</strong> ${b(e.file)&&t`<${L} />`}
    <span class="results-dim">
      ${" "}${e.date.slice(0,10)}${e.quick?", quick run":""}${e.used?", used above":""}
    </span>
    <${p} act=${()=>V(n?null:e.file)} pressed=${n} label=${"Rows of "+e.file}>
      Rows
    <//>
    <${$e} text=${e.command} />
    <dl>
      ${a.map(([r,o])=>t`<dt>${r}</dt>
            <dd>${o}</dd>`)}
    </dl>
    ${e.notes.map(r=>t`<p class="hint">${r}</p>`)}
  </li>`};function Ke({result:{id:e,quick_time:s,quick_refused:n}}){const a=He(),r=["queued","running"].includes(O(u).job?.state??"")||O(u).starting,o=n||ve.value.read_only&&"This service runs no experiments."||"",i="Takes "+s+": a check that the experiment runs. No claim uses its numbers.",m=o||(r&&a!==e?"The quick run of "+a+" is running.":i);return t`<div class="results-quick">
    <${p} act=${()=>ze(e)} id="results-quick" wait=${o||r}>Run quickly<//>
    <span class="hint">${m}</span>
    ${a===e&&t`<${be} name=${u} what=${"Quick run of "+e} />`}
  </div>`}const Ze=({result:e})=>{const s=e.runs.find(({used:n})=>n);return s?.differences.length?t`<h3>Differs from print</h3>
    <${w}
      heads=${g(["Setting","Here","Print"])}
      rows=${s.differences.map(({what:n,here:a,printed:r})=>t`<tr>
            <th scope="row">${n}</th>
            <td>${a}</td>
            <td>${r}</td>
          </tr>`)}
    />`:null};function es(){const e=$();return e?t`<${f}
    id="results-detail"
    title=${e.title}
    reads=${e.paper_title+", "+e.source+"."}
    tag=${e.id}
    formats=${["csv","json"]}
    coded=${!1}
    written=${()=>({name:"results-"+e.id,rows:()=>z([e]),json:()=>({result:e}),picture:{}})}
  >
    <p class="results-summary">
      <${D} of=${e.verdict} /> ${e.why}
      <${p} act=${()=>N(null)} id="results-close">Close<//>
    </p>
    <nav class="results-links" aria-label="Pages with this experiment's model">
      ${e.links.map(({label:s,page:n,model:a,address:r})=>{const o=X(n,{model:a,...r});return t`<a class="tool tool-text" href=${o} onClick=${Y}>${s}</a>`})}
    </nav>
    <${Je} claims=${e.claims} />
  <//>`:null}function ss(){const e=$();return e?t`<${f}
    id="results-records"
    title=${e.runs.length?"Records":"Run it"}
    reads="Runs that left numbers, how each differs from print, and the command that repeats it."
  >
    ${e.runs.length?t`<ul class="results-runs">
            ${e.runs.map(s=>t`<${Ye} key=${s.file} run=${s} />`)}
          </ul>`:t`<${$e} text=${e.command} />`}
    <${Ze} result=${e} />
    <${Ke} result=${e} />
    <${Ne} result=${e} />
  <//>`:null}const Q=(e,s)=>ye+"/figures/"+e+"?format="+s;function ts({figure:{id:e,paper:s,number:n,title:a,shows:r,differs:o,width:i,height:m}}){const y=($()?"":s+", ")+n+": "+a;return t`<figure data-figure=${e}>
    <figcaption>
      <h3>${y}</h3>
      <p>Print: ${r}</p>
    </figcaption>
    <a class="results-picture" href=${Q(e,"svg")} target="_blank" rel="noopener">
      <img
        src=${Q(e,"svg")}
        alt=${["Ours, "+y+".",o,"Opens the picture alone."].filter(Boolean).join(" ")}
        width=${Math.round(i)}
        height=${Math.round(m)}
        loading="lazy"
      />
    </a>
    <p class="results-links">
      ${["svg","pdf"].map(_=>t`<a
            class="tool tool-text"
            href=${Q(e,_)}
            download=${e+"."+_}
            aria-label=${y+" as "+_.toUpperCase()}
            >${_.toUpperCase()}</a
          >`)}
    </p>
  </figure>`}function pe({of:e}){const s=e.waits()?null:e.problem(),n=e.answer();return t`<div class="results-figures">
    ${s&&t`<${F} title="The figures could not be listed" problem=${s} />`}
    ${n?.items.map(a=>t`<${ts} key=${a.id} figure=${a} />`)}
    ${n?.missing.map(({id:a,number:r,title:o,why:i})=>t`<p key=${a} class="hint" role="status">${r+": "+o}. ${i}</p>`)}
  </div>`}function ns(){const{figures:e}=Fe,s=e.answer(),n=s&&s.items.length+s.missing.length>0;return!$()||!(n||e.waits()||e.problem())?null:t`<${f}
    id="results-figures"
    title="Figures"
    reads="Figures of the paper, drawn from the records. Filled marks are ours; open marks are numbers that the paper prints."
  >
    ${!s&&e.waits()?t`<${j} words="Drawing figures" />`:t`<${pe} of=${e} />`}
  <//>`}function as(){const{others:e}=l.value,s=e&&!P.answer()&&P.waits();return t`<${f}
    id="results-others"
    title="Other figures of the papers"
    reads="Paths, priors and learned graphs: drawn from bundled models, not from records. No claim is about them."
  >
    <${p} act=${()=>d({others:!e})} id="results-others-shown"
      >${e?"Hide":"Show"} figures<//
    >
    ${e&&(s?t`<${j} words="Drawing figures" />`:t`<${pe} of=${P} />`)}
  <//>`}const rs=["Experiment","Claim","Print","Ours","Data and size","Verdict"];function os({result:e}){const s=e.claims[e.headline],n=e.id===l.value.experiment,a=()=>N(n?null:e.id);return t`<${se} of=${e.id}>
    <th scope="row">
      <button type="button" class="results-open" aria-expanded=${String(n)} onClick=${a}>${e.id}</button>
      <small>${e.title}</small>
    </th>
    <td data-label="Claim">${s.what} <small>${s.source}</small></td>
    <td data-label="Print">${s.printed_words||"words only"}</td>
    <td data-label="Ours"><${E} claim=${s} /> ${b(s.file)&&t`<${L} />`}</td>
    <td data-label="Data and size">
      ${ie(e)} ${e.data&&t`<small>${e.trainings}, ${e.time}</small>`}
    </td>
    <td data-label="Verdict"><${D} of=${e.verdict} /> <small>${e.why}</small></td>
  <//>`}const ls=e=>I.map(([s,n])=>{const{paper:a}=l.value;return[s,n+" ("+B(e,{paper:a,verdict:s}).length+")"]}),is=({items:e})=>t`
  <div class="results-filters">
    ${R("Paper","results-paper",t`<${Z}
        id="results-paper"
        label="Paper"
        options=${U}
        chosen=${l.value.paper}
        onChoose=${s=>d({paper:s})}
      />`)}
    ${R("Verdict","results-verdict",t`<${Z}
        id="results-verdict"
        label="Verdict"
        options=${ls(e)}
        chosen=${l.value.verdict}
        onChoose=${s=>d({verdict:s})}
      />`)}
  </div>
`;function cs(){const e=c.latest(),s=c.problem();if(!e&&s&&!c.waits())return t`<div class="message" role="alert">
      ${ee("The results could not be read",s.message,{words:"Try again",act:c.again})}
    </div>`;if(!e)return t`<div class="skeleton results-skeleton" role="status" aria-label="Reading records"></div>`;const n=B(e.items,l.value);return t`
    ${le()&&t`<p class="hint" role="status">There is no experiment ${l.value.experiment}.</p>`}
    ${e.unreadable.map(({why:a})=>t`<p class="hint" key=${a}>Left out: ${a}.</p>`)}
    <${is} items=${e.items} />
    ${n.length?t`<${w}
            look="results-cards results-table"
            heads=${g(rs)}
            rows=${n.map(a=>t`<${os} key=${a.id} result=${a} />`)}
          />`:t`<p class="hint">
            No experiment has this paper and this verdict.
            <${p} act=${()=>d(Ee("results","paper","verdict"))}>Show all<//>
          </p>`}
  `}const ds=()=>t`<ol class="results-rule">
    ${(c.latest()?.rule??[]).map(e=>t`<li>${e}</li>`)}
  </ol>`;function us(){const e=je(null),s=$()?.id??null;return qe(()=>{s&&e.current?.scrollIntoView({block:"start"})},[s]),t`<div ref=${e} class="results-opened">
    <${es} key=${s} /><${ns} key=${s} /><${ss} key=${s} /><${Ge} />
  </div>`}const $s=()=>t`
  <div class="page-head">
    <h1>Results</h1>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${W("link")}Copy link</button>
    </div>
  </div>
  <div class="results-grid">
    <${f}
      id="results"
      title="The papers' numbers beside ours"
      reads="One claim of each experiment, with 95 % intervals. Click an experiment for all its claims and records."
      more="The claim in a row is the first that failed, else the first that held, was undecided or was measured. Repeats are trainings with other seeds, adaptations, episodes or trials of a grid; the opened experiment has them. Records in the folder records of the data folder, where routescope reproduce writes, are yours and count, too."
      formats=${["csv","json"]}
      coded=${!1}
      written=${()=>{const e=B(c.latest()?.items??[],l.value);return e.length?{name:"results",rows:()=>z(e),json:()=>({rule:c.latest()?.rule,items:e}),picture:{}}:null}}
    >
      <${cs} />
    <//>
    <${f} id="results-rule" title="Rule of the verdicts" reads="Every verdict is computed from the records.">
      <${ds} />
    <//>
    <${us} />
    <${as} />
  </div>
`;Ce("results",({model:e,sample:s,...n})=>(Oe({model:e,sample:s}),l.value=n,Promise.resolve()));const ps=Re({Tree:$s,choice:()=>l.value,take:e=>{d(e)},open(e){d(e);const s=[c.follow(),x.follow(),ne.follow(),P.follow(),S.follow(),We(),Te(()=>{const{model:n,sample:a}=xe(),r={...n?{model:n,sample:a}:Pe(location.search),...l.value};Se(()=>_e("results",r))})];return()=>s.forEach(n=>n())}});export{ps as mount};
