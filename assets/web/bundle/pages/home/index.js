/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{n as C,aj as G,E as y,az as V,W as ae,b4 as oe,b5 as H,ad as M,b6 as L,b7 as P,b8 as R,R as I,ao as ie,aI as W,a6 as le,i as T,s as c,av as N,au as S,d as re,g as ce,at as de,N as ue,D as pe,F as B,v as F,P as he,am as me,T as fe,S as ge,r as be,a9 as we,ax as ve}from"../../boot.js";import{b8 as z,o as $e,b9 as ye,ba as ke,bb as xe,bc as Oe,aK as Te,bd as Se,be as Ee,bf as Ce,bg as Me,b5 as Pe,bh as Re}from"../../shared.js";const Ie=24,Ne="No path plays: none of the models here tells how tokens of a picture or a text match its units.",_="text",q=3;function J(e,t,s){const a=t.find(({path:i})=>i==="/paths");if(!a)return[];const n=i=>i.samples||i.inputs===_,o=e.filter(i=>n(i)&&i.fields.includes("compatibility")&&R(i,a));return[...o.filter(({id:i})=>i===s),...o.filter(({id:i})=>i!==s)]}const x=(e,t,s)=>y("GET",e).then(t,()=>s);function K(e,t,s){const a=new Set(e.filter(n=>n.inputs===t).flatMap(({domains:n})=>n));return s.filter(n=>n.inputs===t&&a.has(n.name)).map(({name:n})=>n)}async function _e(e){const t=r=>e.filter(b=>b.inputs===r),s=await x("/data",({items:r})=>r,[]),a=K(e,"images",s),n=r=>"/samples?origin=data&limit=1&set="+encodeURIComponent(r),o=K(e,_,s),i=r=>"/tables?limit=1&rows="+q+"&set="+encodeURIComponent(r),[l,p,u,f,...h]=await Promise.all([t("blocks").length?x("/block-tasks",({items:r})=>r,[]):[],t("statements").length?x("/statements?limit="+Ie,({items:r})=>r,[]):[],x("/inputs",({items:r})=>r,[]),Promise.all(o.map(r=>x(i(r),({items:b})=>b[0]||null,null))),...a.map(r=>x(n(r),({items:b})=>b[0]||null,null))]),w=(r,b)=>Object.fromEntries(r.map((d,m)=>[d,b[m]]).filter(([,d])=>d));return{tasks:l,statements:p,kinds:u,samples:w(a,h),texts:w(o,f)}}async function De(e,t){const[s,{set:a,set_title:n,stand_in:o,rows:i}]=await Promise.all([y("POST","/traces",{model:e,sample:t,fields:["compatibility"]}),y("GET","/tables/"+encodeURIComponent(t))]),l=new z(s,await H(s.id,"compatibility")),p=i.slice(0,q).map(([,f])=>String(f)),u={id:t,name:a===null?n:t,label:null,set:a,stand_in:o,begins:p.join(" ")};return{view:l,picture:null,sample:u}}async function Q(e,t,s){if(t===_)return De(e,s);const[a,n,o]=await Promise.all([y("POST","/traces",{model:e,sample:s}),y("GET","/samples/"+encodeURIComponent(s)),oe(s)]);return{view:new z(a,await H(a.id,"compatibility")),picture:o,sample:n}}const D=C(0),v=C(!1),E=C(null),U=()=>V()?.map(({id:e})=>e)??null,$=G(()=>V()?String(D.value):null,async()=>{const e=U()??[],{items:t}=await y("GET","/models"),s=({id:n})=>e.includes(n)?e.indexOf(n):e.length,a=t.sort((n,o)=>s(n)-s(o));return{models:a,around:await _e(a)}});function X(){const[e,{model:t,sample:s}]=[$.answer(),M()];if(!e||!t&&L())return null;const a=({domains:i})=>i.map(l=>e.around.samples[l]??e.around.texts[l]).find(Boolean)?.id??null,n=J(e.models,P(),t),o=n.find(i=>i.id===t||a(i))??n[0];return o?{model:o,sample:s,offered:a(o)}:null}const g=G(()=>{const{model:e,sample:t,offered:s}=X()??{};return e?JSON.stringify([D.value,e.id,e.inputs,t,s]):null},async e=>{const[,t,s,a,n]=JSON.parse(e),o=a?await Q(t,s,a).catch(()=>null):null;if(o)return o;if(!n)throw new ae(404,"No path","There are no samples of what "+t+" reads.");return Q(t,s,n)});function Ue(){return g.problem()?g.problem().message:$.answer()&&!X()&&(M().model||!L())?Ne:null}function Y(){const{model:e}=M();return le(e)&&g.answer()&&e!==g.answer()?.view.info.model?e:null}function je(){D.value+=1;let e=U()?.join(" "),t=g.latest();const s=[$.follow(),g.follow(),I(()=>{const a=U()?.join(" ");e&&e!==a&&ie(()=>$.again()),e=a}),I(()=>{g.latest()!==t&&(t=g.latest(),v.value=t!==null&&!W(),E.value=null)})];return()=>s.forEach(a=>a())}const Z=200;function Ae(e){const[t]=e,s=e.find(({kind:a,sentence:n})=>a!==t.kind&&n!==t.sentence);return t&&{s1:t.sentence,s2:s?.sentence??null,statement:t.id}}function Ge(e,t,s,a){const n=d=>{const m=s.find(k=>k.path===d);return m?e.filter(k=>R({...k,unit_count:k.units.length},m)):[]},o=J(e,s).find(({samples:d})=>d),i=a??(o&&o.domains.map(d=>t.samples[d]?.id).find(Boolean)),[l]=n("/circuits"),p=({id:d})=>t.tasks.find(m=>m.models.includes(d)),u=d=>{const m=p(d)?.example;return m&&"digits"in m?m.digits:null},f=n("/blocks"),h=f.find(u)??f[0],w=n("/drop").filter(({fields:d})=>d.includes("router_logits")),r=w.find(({accuracies:d})=>d.length)??w[0],b=l&&t.statements.length?Ae(t.statements):{};return[{key:"follow",icon:"path",title:"Follow a digit",words:"through the functions of "+o?.id+", step by step",to:o&&{page:"paths",values:{model:o.id,sample:i,step:0}}},{key:"drop",icon:"drop",title:"Drop functions",words:"of "+o?.id+" and watch the accuracy, beside random drops",to:o&&{page:"drop",values:{model:o.id,units:[o.units[0]],samples:Z}}},{key:"compare",icon:"circuits",title:"Compare two sentences",words:"and the circuits that they design in "+l?.id,to:l&&{page:"circuits",values:{model:l.id,...b}}},{key:"steer",icon:"blocks",title:"Steer blocks that copy",words:"or compute, in "+h?.id+": click a ribbon to change it",to:h&&{page:"blocks",values:{model:h.id,digits:u(h)??[]}}},{key:"experts",icon:"graph",title:"Drop experts",words:"of "+r?.id+", layer by layer, and watch the bits a byte",to:r&&{page:"drop",values:{model:r.id,units:[r.units[0]],samples:Z}}}].map(d=>({...d,to:d.to||null}))}const Ve=()=>c`<button type="button" class="home-door" data-door="own" data-help="own">
    ${T("upload")}
    <span
      ><strong>Open your own</strong>
      <span class="hint">mixture of experts, of transformers or your own code</span></span
    >
  </button>`;function He({key:e,icon:t,title:s,words:a,to:n}){const o=c`${T(t)}
    <span
      ><strong>${s}</strong> <span class="hint">${n?a:"None of the models here is for this."}</span></span
    >`;if(!n)return c`<div class="home-door" data-door=${e} data-state="none">${o}</div>`;const i=N(n.page,n.values);return c`<a class="home-door" data-door=${e} href=${i} onClick=${S}>${o}</a>`}function Le(){const[e,t]=[$.answer(),g.latest()];if(!e)return null;const s=t?.picture?t.sample.id:null;return[...Ge(e.models,e.around,P(),s).map(He),Ve()]}const We=({model:e,html:t,complete:s})=>c`<form method="dialog" class="card-close">
      <h2 id="card-title">Card of ${e}</h2>
      <button class="tool tool-text" autofocus>Close</button>
    </form>
    <div class="card-text" tabindex="0" role="region" aria-label="Text of the card">
      <div dangerouslySetInnerHTML=${{__html:t}}></div>
      ${!s&&c`<p class="hint">The card goes on; this is as much of it as the service shows.</p>`}
    </div>`;async function Be(e){let t;try{t=await y("GET","/models/"+encodeURIComponent(e)+"/card")}catch(n){const{title:o,message:i}=n;re(o,i,"bad");return}const s=document.createElement("dialog");s.className="card-dialog",s.setAttribute("aria-labelledby","card-title");const a=ce(s,()=>We(t));s.addEventListener("close",()=>{a(),s.remove()}),document.body.append(s),s.showModal()}const Fe=[["circuits","See circuits"],["blocks","See blocks"],["graphs","See the graph"],["paths","See a path"],["types","See types"],["drop","Drop units"]];function ze(e,t){const s=Fe.find(([a])=>{const n=t.find(({path:o})=>o==="/"+a);return n&&R({...e,unit_count:e.units.length},n)});return s?{page:s[0],words:s[1]}:null}function qe(e,{tasks:t,kinds:s}){const{id:a,inputs:n,labels:o,pictures:i}=e;if(n==="images")return"Which of "+o.length+" labels a picture has";if(n==="statements")return"Whether a sentence is true of "+(i??"some")+" pictures";const l=s.find(({name:p})=>p===n);return t.find(({models:p})=>p.includes(a))?.title??(l?"Reads "+l.words:"Reads "+n)}function Je(e){const t=new Map;for(const s of e){const a=s.domain+" "+ee(s);t.has(a)||t.set(a,s)}return[...t.values()]}const ee=e=>!!e.held_out;function Ke(e){const t=new Map;for(const s of e)t.set(s.family,[...t.get(s.family)||[],s]);return[...t]}const Qe=6;function te(e){const{accuracy:t,low:s,high:a,count:n,data:o,stand_in:i,measure:l}=e,p=l==="accuracy",u=p?B:F,[,f,h,w]=/^([^(]*?)( \([^)]*\))?(, .*)?$/.exec(o)??[null,o];return c`<li title=${pe(n)+" samples; 95 % "+(p?"Wilson":"bootstrap")+" interval"}>
    <span class="home-share"
      ><strong>${u(t)} ${p?"%":l}</strong> <span>(${u(s)} to ${u(a)})</span></span
    >
    <span class="home-data">
      ${f}<span class="home-aside">${h}</span>${w}
      ${i&&c`<span class="tag tag-warn">stand-in</span>`}
      ${ee(e)&&c`<span class="tag tag-warn" title="never trained on">OOD</span>`}
    </span>
  </li>`}function Xe(e){const t=e[0].measure==="accuracy",s=t?B:F,a=e.map(({accuracy:i})=>i),n=a.reduce((i,l)=>i+l,0)/a.length,o=s(Math.min(...a))+" to "+s(Math.max(...a));return c`<li>
    <details>
      <summary>
        <strong>${s(n)} ${t?"%":e[0].measure}</strong>
        ${" on average over "+a.length+" data sets ("+o+")"}
      </summary>
      <ul class="home-accuracies">
        ${e.map(te)}
      </ul>
    </details>
  </li>`}const j=e=>c`<img class="pixels" src=${e} alt="" width="32" height="32" loading="lazy" />`;function Ye({id:e,inputs:t,domains:s,pictures:a},{tasks:n,statements:o,samples:i}){if(t==="images")return s.filter(u=>i[u]).map(u=>j(i[u].image));const[l]=o;if(t==="statements"&&l&&l.pictures.length===a)return l.pictures.map(j);const p=n.find(({models:u})=>u.includes(e))?.example;return p?"digits"in p?p.digits.map(u=>c`<span class="home-digit">${u}</span>`):j(ue+"/samples/"+encodeURIComponent(p.sample)+"/image"):null}function Ze(e,t,s){const a=ze(e,s),n=Je(e.accuracies),o=e.accuracies.length-n.length,i=a&&N(a.page,{model:e.id});return c`<li class="home-model" key=${e.id} data-model=${e.id}>
    <span class="home-reads" aria-hidden="true">${Ye(e,t)}</span>
    <div class="home-name">
      <h4>${e.id}</h4>
      <p class="hint">${qe(e,t)}</p>
      <p class="hint">${de(e.parameters)} parameters</p>
      ${e.objectives?.map(l=>c`<p class="hint" key=${l}>In training ${l}.</p>`)}
    </div>
    <ul class="home-accuracies">
      ${n.length>Qe?Xe(n):n.map(te)}
      ${!n.length&&c`<li class="hint">Its card has no accuracy.</li>`}
      ${o>0&&c`<li class="hint">${o} more on its card</li>`}
    </ul>
    <div class="home-ways">
      ${a&&c`<a class="tool tool-text" href=${i} onClick=${S}>${a.words}</a>`}
      <button
        type="button"
        class="tool tool-text"
        aria-haspopup="dialog"
        aria-label=${"Card of "+e.id}
        onClick=${()=>Be(e.id)}
      >
        Card
      </button>
    </div>
  </li>`}function et(){const[e,t]=[$.answer(),$.problem()];return!e&&t?c`<p class="message-detail" role="alert">${t.message}</p>`:e?Ke(e.models).map(([s,a])=>c`<section class="home-family" key=${s}>
        <h3 class="small-title">${s} <span class="hint">${a.length}</span></h3>
        <ul class="home-members">
          ${a.map(n=>Ze(n,e.around,P()))}
        </ul>
      </section>`):c`<div class="skeleton skeleton-models" aria-hidden="true"></div>`}const tt=.9,st=2.5,se=44,nt=.25;let O=!0;const at=()=>(g.latest()?.view.steps.length??-1)+1,A=Re(tt,()=>v.value&&g.latest()&&O,e=>{const t=(E.value??0)+e;return E.value=t>=at()+st?0:t,!0});function ot(){v.value=!v.value,v.value&&A()}class it{constructor(t,s){this.canvas=t,this.living=s,this.watch=new IntersectionObserver(([{isIntersecting:a}])=>{const n=a&&!O;O=a,t.dataset.seen=String(O),n&&v.value&&A()}),this.watch.observe(t),this.rebuild(),this.stops=[I(()=>this.draw()),ge(()=>this.rebuild()),$e(t.parentElement,()=>this.rebuild())],v.value&&A()}dispose(){this.watch.disconnect(),this.stops.forEach(t=>t()),O=!0}rebuild(){const{clientWidth:t,clientHeight:s}=this.canvas.parentElement;if(t<40||s<40)return;const{view:a,picture:n}=this.living,o={view:a,picture:n,threshold:nt,baseline:null,showBaseline:!1},i=be();this.parts=ye(o,t,s,i,lt(this.living)),this.ribbons=ke(xe(this.parts),{width:t,height:s},i.font),this.draw()}draw(){const{parts:t,ribbons:s,canvas:a}=this,[n,o]=[E.value,v.value];if(!t||!s)return;const{layout:i,theme:l,view:p}=t,u=p.steps.length-1,f=n===null?null:W()?Math.floor(n):n,h=f===null||f>=u+2?null:f,w=h===null?u:Math.max(0,Math.min(u,Math.floor(h+.02)-1)),{frame:r,overlay:b}=Oe(t,w),d=Te(a,i.width,i.height),m=k=>Pe(d,k,l.font);d.clearRect(0,0,i.width,i.height),m(r),h===null?Se(d,s,i,1):Ee(d,s,i,Ce(t,h)),h!==null&&m(Me(t,h,null)),m(b),Object.assign(a.dataset,{painted:p.info.id,step:p.steps[w],playing:String(o)})}}const lt=({view:e,sample:t})=>e.info.model+" \xB7 "+t.name+" \xB7 no intervention";function rt({view:e,sample:t}){const{model:s,predictions:a}=e.info,n=a.find(({domain:u})=>u===t.set)||a[0],o=t.label===null?"":", labelled "+t.label,i=n?": it says "+n.labels[n.label]+", "+we(n.probabilities[n.label]):"",l=(t.begins??"").trim();return(l&&"\u201C"+l.slice(0,se)+(l.length>se?"\u2026":"")+"\u201D, ")+t.name+o+", through "+s+i+"."}const ct=({picture:e})=>e?"Columns are steps, dots functions, lines the tokens of the picture; computed just now.":"Columns are layers, dots experts, lines the tokens of the text; computed just now.",ne=({view:e,sample:t})=>N("paths",{model:e.info.model,sample:t.id,step:0});function dt(){const e=g.latest(),t=!$.answer()&&$.problem()?.message||Ue(),s=he(null);if(me(()=>{if(!e||!s.current)return;const l=new it(s.current,e);return()=>l.dispose()},[e]),t)return c`<p class="message-detail" role="status">${t}</p>`;if(!e)return c`<div key="coming" class="skeleton home-canvas" aria-hidden="true"></div>
      <div key="coming-said" class="home-said" aria-hidden="true"></div>`;const{sample:a,picture:n}=e,o=rt(e),i="Open this path. "+o;return c`
    <a class="home-canvas" href=${ne(e)} aria-label=${i} title="Open this path" onClick=${S}>
      <canvas ref=${s} aria-hidden="true"></canvas>
    </a>
    <div key="said" class="home-said">
      ${n&&c`<img class="pixels" src=${n.href} alt="" width="40" height="40" />`}
      <p>
        ${o} ${a.stand_in&&c`<span class="tag tag-warn">stand-in data</span>`}
        <span class="hint">${Y()?"No path of "+Y()+" plays here. ":""}${ct(e)}</span>
      </p>
      <a class="button" href=${ne(e)} onClick=${S}>${T("path")}Open this path</a>
      <${fe} look="tool" act=${ot} label=${v.value?"Pause the picture":"Play the picture"}>
        ${T(v.value?"pause":"play")}
      <//>
    </div>
  `}const ut=()=>c`
  <div class="page-head home-head">
    <h1>Routescope shows and steers the routing inside modular neural networks.</h1>
  </div>
  <div class="home-top">
    <section class="panel home-path" aria-label="A path that plays">
      <div><${dt} /></div>
    </section>
    <nav aria-label="Where to begin">
      <div class="home-doors"><${Le} /></div>
    </nav>
  </div>
  <section class="panel" aria-labelledby="home-models-title">
    <header class="panel-head"><h2 id="home-models-title">Models</h2></header>
    <p class="reads">Accuracy with 95 % interval from each model's card, beside an example input.</p>
    <div class="home-models"><${et} /></div>
  </section>
`,pt=ve({Tree:ut,choice:()=>({}),take:()=>{},open:je});export{pt as mount};
