/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{s as t,n as F,ai as y,F as h,ar as O,ap as Q,T as p,E as W,bk as H,av as J,aX as de,aF as R,bl as ue,bm as $e,aV as pe,u as me,aO as he,a6 as fe,d as X,O as we,ax as ge,ay as ve,c as be,S as ke,ad as ye,az as Oe,an as Re,ah as Ce,i as Te,ag as xe,Q as Pe,R as Se,am as K}from"../../boot.js";import{d as E,_ as w,P as f,c2 as _e}from"../../shared.js";const M=({of:e})=>t`<span class="tag results-verdict" data-verdict=${e}>${e}</span>`,C=e=>e.replace(/(^|[\s(])-/g,"$1\u2212");function j({claim:e,none:s="no run"}){if(e.value===null)return t`<span class="results-dim">${s}</span>`;const{words:n,trainings_words:a,samples_words:r,count:o,samples_of:i}=e;return t`${C(n)} ${a&&t`<small>${C(a)} over ${o} repeats</small>`}
  ${r&&t`<small>${C(r)} over ${i}</small>`}`}const D=()=>t`<span class="tag results-own">own</span>`,T=e=>e.map(s=>t`<th scope="col">${s}</th>`),[g,q]=["all","numbers"],Y="own/",I=[[g,"All papers"],["interpreters","Neural Interpreters"],["circuits","Neural Attentive Circuits"],["blocks","Block-operations"]],L=[[g,"All"],["reproduced","reproduced"],["in-part","in part"],["contradicted","contradicted"],["not-tested","not tested"]],l=F({paper:g,verdict:g,table:q}),d=e=>l.value={...l.value,...e},V=e=>d({experiment:e,record:null,table:q,a:null,b:null}),N=e=>d({record:e,table:q}),c=y(()=>"/results",(e,s)=>h("GET",e,void 0,{signal:s})),Ee=()=>{const{experiment:e,a:s,b:n}=l.value;return e&&s&&n?"/results/"+e+"/comparison?"+String(new URLSearchParams({a:s,b:n})):null},x=y(Ee,(e,s)=>h("GET",e,void 0,{signal:s})),je=()=>{const e=$()?.id;return e?"/results/"+e+"/figures":null},Z=y(je,(e,s)=>h("GET",e,void 0,{signal:s})),P=y(()=>l.value.others?"/figures":null,(e,s)=>h("GET",e,void 0,{signal:s})),ee=20,[A,U]=[F(""),F(ee)],se=()=>U.value+=ee,qe=()=>{const{experiment:e,record:s,table:n}=l.value,a=new URLSearchParams({record:s??"",table:n,find:A.value,limit:String(U.value)});return e&&s?"/results/"+e+"/rows?"+String(a):null},S=y(qe,(e,s)=>h("GET",e,void 0,{signal:s})),te=(e,s)=>s===g?null:e.find(([n])=>n===s)?.[1]??null;function B(e,{paper:s,verdict:n}){const[a,r]=[te(I,s),te(L,n)];return e.filter(o=>(!a||o.paper===a)&&(!r||o.verdict===r))}const $=()=>c.latest()?.items.find(({id:e})=>e===l.value.experiment)??null,ne=()=>!!l.value.experiment&&!!c.latest()&&!$(),v=e=>!!e?.startsWith(Y),b=e=>v(e)?e.slice(Y.length):e;function ae({data:e,printed_sizes:s}){return e?{"the paper's":"the paper's data","stand-in":"stand-in data",other:"other data"}[e]+", "+(s?"printed sizes":"settings differ"):"no run"}const z=e=>[["experiment","paper","source","claim","printed","ours","trainings_low","trainings_high","samples_low","samples_high","count","data","outcome","why","record"],...e.flatMap(({id:s,paper:n,claims:a})=>a.map(r=>[s,n,r.source,r.what,r.printed??"",r.value??"",...r.trainings??["",""],...r.samples??["",""],r.count,r.data??"",r.outcome,r.why,r.file??""]))];var Ae=Object.freeze({__proto__:null,ALL:g,NUMBERS:q,PAPERS:I,VERDICTS:L,answer:c,choice:l,choose:d,comparison:x,differsIn:ae,figures:Z,filtered:B,find:A,isOwn:v,limit:U,more:se,nameOf:b,open:V,openRecord:N,opened:$,others:P,rows:S,rowsOf:z,unknown:ne});const Be=({file:e,quick:s,date:n})=>[b(e),n.slice(0,10),v(e)&&"own",s&&"quick"].filter(Boolean).join(", ");function re({side:e,result:s}){const n="results-"+e,a=s.runs.map(r=>[r.file,Be(r)]);return O(e.toUpperCase(),n,t`<${Q}
      id=${n}
      look="plain-select"
      options=${[["","choose a record"],...a]}
      chosen=${l.value[e]??""}
      onChoose=${r=>d({[e]:r||null})}
    />`)}const Fe=({comparison:{claims:e,facts:s}})=>t`
  <${w}
    look="results-cards results-compared"
    heads=${T(["Claim","A","B","B minus A"])}
    rows=${e.map(({what:n,source:a,a:r,b:o,words:i})=>t`<tr>
          <th scope="row">${n} <small>${a}</small></th>
          <td data-label="A"><${j} claim=${r} none="not measured" /></td>
          <td data-label="B"><${j} claim=${o} none="not measured" /></td>
          <td data-label="B minus A">${i?C(i):t`<span class="results-dim">none</span>`}</td>
        </tr>`)}
  />
  <p class="hint">Intervals of differences are Welch's, over trainings; with one training on a side there is none.</p>
  <${w}
    look="results-cards results-facts"
    heads=${T(["What differs","A","B"])}
    rows=${s.map(({what:n,a,b:r})=>t`<tr>
          <th scope="row">${n}</th>
          <td data-label="A">${a||"none"}</td>
          <td data-label="B">${r||"none"}</td>
        </tr>`)}
  />
`;function Me(){const{a:e,b:s}=l.value;if(!e||!s)return t`<p class="hint">Choose two records to see what differs between their numbers and settings.</p>`;const n=x.problem();if(n&&!x.waits())return t`<div class="message" role="alert">
      ${E("The records could not be compared",n.message)}
    </div>`;const a=x.answer();return a?t`<${Fe} comparison=${a} />`:t`<div class="skeleton results-waits" role="status" aria-label="Comparing records"></div>`}const De=({result:e})=>(e.runs.length>1||l.value.a&&l.value.b)&&t`<h3>Compare two records</h3>
    <div class="results-sides"><${re} side="a" result=${e} /><${re} side="b" result=${e} /></div>
    <${Me} />`;function oe({link:e,of:s}){if(!e)return null;const{label:n,page:a,model:r,address:o,lacks:i}=e,m=H(a,{model:r,...o});return t`<a href=${m} onClick=${J} aria-label=${n+", "+s}>${n}</a> ${i.length>0&&t`<small>without ${i.join("; ")}</small>`}`}function Ie({answer:{columns:e,items:s,total:n}}){const a=e.map(r=>r.replace(/_/g," "));return t`<div class="results-rows">
      <${w}
        look="results-cards"
        heads=${T([a[0],"Page",...a.slice(1)])}
        rows=${s.map(({cells:[r,...o],link:i})=>t`<tr>
              <th scope="row">${r}</th>
              <td data-label="Page"><${oe} link=${i} of=${[r,...o].join(", ")} /></td>
              ${o.map((m,k)=>t`<td data-label=${a[k+1]}>${C(m)}</td>`)}
            </tr>`)}
      />
    </div>
    <p class="hint">
      ${W(s.length)} of ${W(n)} rows.
      ${s.length<n&&t` <${p} act=${se}>Show more<//>`}
    </p>`}function Le(){const{record:e,table:s}=l.value,n=$();if(!e||!n)return null;const a=S.latest(),r=S.waits()?null:S.problem(),o=a&&b(a.file)===b(e)?a:null;return t`<${f}
    id="results-rows"
    title=${"Rows of "+b(e)}
    reads="Each row links to the page that has its model, data and intervention; it names what that page cannot show."
    formats=${["csv","json"]}
    coded=${!1}
    written=${()=>o&&{name:"rows-"+n.id,rows:()=>[o.columns,...o.items.map(({cells:i})=>i)],json:()=>o,picture:{}}}
  >
    <div class="results-filters">
      ${O("Table","results-table",t`<${Q}
          id="results-table"
          look="plain-select"
          options=${(o?.tables??[s]).map(i=>[i,i])}
          chosen=${s}
          onChoose=${i=>d({table:i})}
        />`)}
      ${O("Rows with","results-find",t`<input
          id="results-find"
          class="small-input"
          type="search"
          maxlength="80"
          value=${A.value}
          onInput=${i=>A.value=i.currentTarget.value}
        />`)}
      <${p} act=${()=>N(null)}>Close<//>
    </div>
    ${r&&t`<div class="message" role="alert">${E("The rows could not be read",r.message)}</div>`}
    ${!r&&o&&t`<${Ie} answer=${o} />`}
    ${!r&&!o&&t`<div class="skeleton results-waits" role="status" aria-label="Reading rows"></div>`}
  <//>`}const u="reproduction";let le="";const Ve=e=>pe(u,"/reproductions",{experiment:e});async function Ne({job:e}){e?.state!=="done"||le===e.id||(le=e.id,await h("GET","/reproductions/"+encodeURIComponent($e(e))).catch(()=>null),c.again())}function Ue(){return(async()=>{const s="/jobs?kind="+u+"&limit=1",n=await h("GET",s).catch(()=>null),[a]=n?.items??[];a&&a.owner!=="another"&&(a.state==="queued"||a.state==="running")&&!R(u).job&&!R(u).starting&&ue(u,a)})(),de(u,s=>{Ne(s)})}const ze=()=>{const{job:e,request:s}=R(u);return(e?.request??s?.body??{}).experiment??null};function ie({text:e}){return t`<div class="results-command">
    <code>${e}</code><${p} act=${async()=>{await _e(e)?X("Command copied",e,"good"):X("The command could not be copied","Select it instead.","bad")}} label=${"Copy the command "+e}>Copy<//>
  </div>`}const Ge=({claims:e})=>t`
  <h3>Print beside ours</h3>
  <${w}
    look="results-cards"
    heads=${T(["Claim","Print","Ours","Outcome"])}
    rows=${e.map(s=>t`<tr>
          <th scope="row">${s.what} <small>${s.source}</small></th>
          <td data-label="Print">${s.printed_words||"words only"}</td>
          <td data-label="Ours">
            <${j} claim=${s} /> ${v(s.file)&&t`<${D} />`}
            <span class="results-measured"><${oe} link=${s.link} of=${s.what} /></span>
          </td>
          <td data-label="Outcome"><${M} of=${s.outcome} /> <small>${s.why}</small></td>
        </tr>`)}
  />
`;function Qe([e,s]){const n=fe(e)?.revision,a=n&&n!==s?", since then trained anew":"";return e+" ("+s.slice(0,8)+a+")"}const We=({run:e})=>{const s=Object.entries(e.models).map(Qe),n=e.file===l.value.record,a=[["data",e.data.join("; ")+(e.stand_in?" (with stand-ins)":"")],["time",e.time],["machine",e.machine??"not recorded"],["version","Routescope "+e.version],["models",s.join(", ")||"trained in the run"]];return t`<li>
    <strong>${b(e.file)}</strong> ${v(e.file)&&t`<${D} />`}
    <span class="results-dim">
      ${" "}${e.date.slice(0,10)}${e.quick?", quick run":""}${e.used?", used above":""}
    </span>
    <${p} act=${()=>N(n?null:e.file)} pressed=${n} label=${"Rows of "+e.file}>
      Rows
    <//>
    <${ie} text=${e.command} />
    <dl>
      ${a.map(([r,o])=>t`<dt>${r}</dt>
            <dd>${o}</dd>`)}
    </dl>
    ${e.notes.map(r=>t`<p class="hint">${r}</p>`)}
  </li>`};function He({result:{id:e,quick_time:s,quick_refused:n}}){const a=ze(),r=["queued","running"].includes(R(u).job?.state??"")||R(u).starting,o=n||me.value.read_only&&"This service runs no experiments."||"",i="Takes "+s+": a check that the experiment runs. No claim uses its numbers.",m=o||(r&&a!==e?"The quick run of "+a+" goes on.":i);return t`<div class="results-quick">
    <${p} act=${()=>Ve(e)} id="results-quick" wait=${o||r}>Run quickly<//>
    <span class="hint">${m}</span>
    ${a===e&&t`<${he} name=${u} what=${"Quick run of "+e} />`}
  </div>`}const Je=({result:e})=>{const s=e.runs.find(({used:n})=>n);return s?.differences.length?t`<h3>Differs from print</h3>
    <${w}
      heads=${T(["Setting","Here","Print"])}
      rows=${s.differences.map(({what:n,here:a,printed:r})=>t`<tr>
            <th scope="row">${n}</th>
            <td>${a}</td>
            <td>${r}</td>
          </tr>`)}
    />`:null};function Xe(){const e=$();return e?t`<${f}
    id="results-detail"
    title=${e.title}
    reads=${e.paper_title+", "+e.source+"."}
    tag=${e.id}
    formats=${["csv","json"]}
    coded=${!1}
    written=${()=>({name:"results-"+e.id,rows:()=>z([e]),json:()=>({result:e}),picture:{}})}
  >
    <p class="results-summary">
      <${M} of=${e.verdict} /> ${e.why}
      <${p} act=${()=>V(null)} id="results-close">Close<//>
    </p>
    <nav class="results-links" aria-label="Pages with this experiment's model">
      ${e.links.map(({label:s,page:n,model:a,address:r})=>{const o=H(n,{model:a,...r});return t`<a class="tool tool-text" href=${o} onClick=${J}>${s}</a>`})}
    </nav>
    <${Ge} claims=${e.claims} />
  <//>`:null}function Ke(){const e=$();return e?t`<${f}
    id="results-records"
    title=${e.runs.length?"Records":"Run it"}
    reads="Runs that left numbers, how each differs from print, and the command that repeats it."
  >
    ${e.runs.length?t`<ul class="results-runs">
            ${e.runs.map(s=>t`<${We} key=${s.file} run=${s} />`)}
          </ul>`:t`<${ie} text=${e.command} />`}
    <${Je} result=${e} />
    <${He} result=${e} />
    <${De} result=${e} />
  <//>`:null}const G=(e,s)=>we+"/figures/"+e+"?format="+s;function Ye({figure:{id:e,paper:s,number:n,title:a,shows:r,differs:o,width:i,height:m}}){const k=($()?"":s+", ")+n+": "+a;return t`<figure data-figure=${e}>
    <figcaption>
      <h3>${k}</h3>
      <p>Print: ${r}</p>
    </figcaption>
    <a class="results-picture" href=${G(e,"svg")} target="_blank" rel="noopener">
      <img
        src=${G(e,"svg")}
        alt=${["Ours, "+k+".",o,"Opens the picture alone."].filter(Boolean).join(" ")}
        width=${Math.round(i)}
        height=${Math.round(m)}
        loading="lazy"
      />
    </a>
    <p class="results-links">
      ${["svg","pdf"].map(_=>t`<a
            class="tool tool-text"
            href=${G(e,_)}
            download=${e+"."+_}
            aria-label=${k+" as "+_.toUpperCase()}
            >${_.toUpperCase()}</a
          >`)}
    </p>
  </figure>`}function ce({of:e}){const s=e.waits()?null:e.problem(),n=e.answer();return t`<div class="results-figures">
    ${s&&t`<div class="message" role="alert">${E("The figures could not be listed",s.message)}</div>`}
    ${n?.items.map(a=>t`<${Ye} key=${a.id} figure=${a} />`)}
    ${n?.missing.map(({id:a,number:r,title:o,why:i})=>t`<p key=${a} class="hint" role="status">${r+": "+o}. ${i}</p>`)}
  </div>`}function Ze(){const{figures:e}=Ae,s=e.answer(),n=s&&s.items.length+s.missing.length>0;return!$()||!(n||e.waits()||e.problem())?null:t`<${f}
    id="results-figures"
    title="Figures"
    reads="Figures of the paper, drawn from the records. Filled marks are ours; open marks are numbers that the paper prints."
  >
    ${!s&&e.waits()?t`<div class="skeleton results-waits" role="status" aria-label="Drawing figures"></div>`:t`<${ce} of=${e} />`}
  <//>`}function es(){const{others:e}=l.value,s=e&&!P.answer()&&P.waits();return t`<${f}
    id="results-others"
    title="Other figures of the papers"
    reads="Paths, priors and learned graphs: drawn from bundled models, not from records. No claim is about them."
  >
    <${p} act=${()=>d({others:!e})} id="results-others-shown"
      >${e?"Hide":"Show"} figures<//
    >
    ${e&&(s?t`<div class="skeleton results-waits" role="status" aria-label="Drawing figures"></div>`:t`<${ce} of=${P} />`)}
  <//>`}const ss=["Experiment","Claim","Print","Ours","Data and size","Verdict"];function ts({result:e}){const s=e.claims[e.headline],n=e.id===l.value.experiment,a=()=>V(n?null:e.id);return t`<tr data-experiment=${e.id}>
    <th scope="row">
      <button type="button" class="results-open" aria-expanded=${String(n)} onClick=${a}>${e.id}</button>
      <small>${e.title}</small>
    </th>
    <td data-label="Claim">${s.what} <small>${s.source}</small></td>
    <td data-label="Print">${s.printed_words||"words only"}</td>
    <td data-label="Ours"><${j} claim=${s} /> ${v(s.file)&&t`<${D} />`}</td>
    <td data-label="Data and size">
      ${ae(e)} ${e.data&&t`<small>${e.trainings}, ${e.time}</small>`}
    </td>
    <td data-label="Verdict"><${M} of=${e.verdict} /> <small>${e.why}</small></td>
  </tr>`}const ns=e=>L.map(([s,n])=>{const{paper:a}=l.value;return[s,n+" ("+B(e,{paper:a,verdict:s}).length+")"]}),as=({items:e})=>t`
  <div class="results-filters">
    ${O("Paper","results-paper",t`<${K}
        id="results-paper"
        label="Paper"
        options=${I}
        chosen=${l.value.paper}
        onChoose=${s=>d({paper:s})}
      />`)}
    ${O("Verdict","results-verdict",t`<${K}
        id="results-verdict"
        label="Verdict"
        options=${ns(e)}
        chosen=${l.value.verdict}
        onChoose=${s=>d({verdict:s})}
      />`)}
  </div>
`;function rs(){const e=c.latest(),s=c.problem();if(!e&&s&&!c.waits())return t`<div class="message" role="alert">
      ${E("The results could not be read",s.message,{words:"Try again",act:c.again})}
    </div>`;if(!e)return t`<div class="skeleton results-skeleton" role="status" aria-label="Reading records"></div>`;const n=B(e.items,l.value);return t`
    ${ne()&&t`<p class="hint" role="status">There is no experiment ${l.value.experiment}.</p>`}
    ${e.unreadable.map(({why:a})=>t`<p class="hint" key=${a}>Left out: ${a}.</p>`)}
    <${as} items=${e.items} />
    ${n.length?t`<${w}
            look="results-cards results-table"
            heads=${ss.map(a=>t`<th scope="col">${a}</th>`)}
            rows=${n.map(a=>t`<${ts} key=${a.id} result=${a} />`)}
          />`:t`<p class="hint">
            No experiment has this paper and this verdict.
            <${p} act=${()=>d(xe("results","paper","verdict"))}>Show all<//>
          </p>`}
  `}const os=()=>t`<ol class="results-rule">
    ${(c.latest()?.rule??[]).map(e=>t`<li>${e}</li>`)}
  </ol>`;function ls(){const e=Pe(null),s=$()?.id??null;return Se(()=>{s&&e.current?.scrollIntoView({block:"start"})},[s]),t`<div ref=${e} class="results-opened">
    <${Xe} key=${s} /><${Ze} key=${s} /><${Ke} key=${s} /><${Le} />
  </div>`}const is=()=>t`
  <div class="page-head">
    <h1>Results</h1>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${Te("link")}Copy link</button>
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
      <${rs} />
    <//>
    <${f} id="results-rule" title="Rule of the verdicts" reads="Every verdict is computed from the records.">
      <${os} />
    <//>
    <${ls} />
    <${es} />
  </div>
`;ge("results",({model:e,sample:s,...n})=>(be({model:e,sample:s}),l.value=n,Promise.resolve()));const cs=ve({Tree:is,choice:()=>l.value,take:e=>{d(e)},open(e){d(e);const s=[c.follow(),x.follow(),Z.follow(),P.follow(),S.follow(),Ue(),ke(()=>{const{model:n,sample:a}=ye(),r={...n?{model:n,sample:a}:Oe(location.search),...l.value};Re(()=>Ce("results",r))})];return()=>s.forEach(n=>n())}});export{cs as mount};
