/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{n as E,am as G,G as y,m as V,a0 as ot,b8 as it,b9 as H,ah as M,ba as B,bb as P,bc as R,U as I,ar as lt,aI as L,ab as rt,i as T,s as d,ax as _,aw as S,d as ct,bd as dt,av as ut,P as pt,z as W,H as z,w as F,F as ht,R as mt,ap as ft,T as gt,V as bt,r as wt,ae as vt,az as $t}from"../../boot.js";import{bc as q,o as yt,bd as kt,be as xt,bf as Ot,bg as Tt,b6 as St,bh as Ct,bi as Et,bj as Mt,bk as Pt,b7 as Rt,bl as It}from"../../shared.js";const _t=24,Ut="No path to play: no model here records which units the tokens of a picture or a text take.",U="text",J=3;function Q(t,e,s){const a=e.find(({path:i})=>i==="/paths");if(!a)return[];const n=i=>i.samples||i.inputs===U,o=t.filter(i=>n(i)&&i.fields.includes("compatibility")&&R(i,a));return[...o.filter(({id:i})=>i===s),...o.filter(({id:i})=>i!==s)]}const x=(t,e,s)=>y("GET",t).then(e,()=>s);function K(t,e,s){const a=new Set(t.filter(n=>n.inputs===e).flatMap(({domains:n})=>n));return s.filter(n=>n.inputs===e&&a.has(n.name)).map(({name:n})=>n)}async function Dt(t){const e=c=>t.filter(g=>g.inputs===c),s=await x("/data",({items:c})=>c,[]),a=K(t,"images",s),n=c=>"/samples?origin=data&limit=1&set="+encodeURIComponent(c),o=K(t,U,s),i=c=>"/tables?limit=1&rows="+J+"&set="+encodeURIComponent(c),[l,r,p,m,...h]=await Promise.all([e("blocks").length?x("/block-tasks",({items:c})=>c,[]):[],e("statements").length?x("/statements?limit="+_t,({items:c})=>c,[]):[],x("/inputs",({items:c})=>c,[]),Promise.all(o.map(c=>x(i(c),({items:g})=>g[0]||null,null))),...a.map(c=>x(n(c),({items:g})=>g[0]||null,null))]),w=(c,g)=>Object.fromEntries(c.map((u,f)=>[u,g[f]]).filter(([,u])=>u));return{tasks:l,statements:r,kinds:p,samples:w(a,h),texts:w(o,m)}}async function Nt(t,e){const[s,{set:a,set_title:n,stand_in:o,rows:i}]=await Promise.all([y("POST","/traces",{model:t,sample:e,fields:["compatibility"]}),y("GET","/tables/"+encodeURIComponent(e))]),l=new q(s,await H(s.id,"compatibility")),r=i.slice(0,J).map(([,m])=>String(m)),p={id:e,name:a===null?n:e,label:null,set:a,stand_in:o,begins:r.join(" ")};return{view:l,picture:null,sample:p}}async function X(t,e,s){if(e===U)return Nt(t,s);const[a,n,o]=await Promise.all([y("POST","/traces",{model:t,sample:s}),y("GET","/samples/"+encodeURIComponent(s)),it(s)]);return{view:new q(a,await H(a.id,"compatibility")),picture:o,sample:n}}const D=E(0),v=E(!1),C=E(null),N=()=>V()?.map(({id:t})=>t)??null,$=G(()=>V()?String(D.value):null,async()=>{const t=N()??[],{items:e}=await y("GET","/models"),s=({id:n})=>t.includes(n)?t.indexOf(n):t.length,a=e.sort((n,o)=>s(n)-s(o));return{models:a,around:await Dt(a)}});function Y(){const[t,{model:e,sample:s}]=[$.answer(),M()];if(!t||!e&&B())return null;const a=({domains:i})=>i.map(l=>t.around.samples[l]??t.around.texts[l]).find(Boolean)?.id??null,n=Q(t.models,P(),e),o=n.find(i=>i.id===e||a(i))??n[0];return o?{model:o,sample:s,offered:a(o)}:null}const b=G(()=>{const{model:t,sample:e,offered:s}=Y()??{};return t?JSON.stringify([D.value,t.id,t.inputs,e,s]):null},async t=>{const[,e,s,a,n]=JSON.parse(t),o=a?await X(e,s,a).catch(()=>null):null;if(o)return o;if(!n)throw new ot(404,"No path","There are no samples for "+e+".");return X(e,s,n)});function jt(){return b.problem()?b.problem().message:$.answer()&&!Y()&&(M().model||!B())?Ut:null}function Z(){const{model:t}=M();return rt(t)&&b.answer()&&t!==b.answer()?.view.info.model?t:null}function At(){D.value+=1;let t=N()?.join(" "),e=b.latest();const s=[$.follow(),b.follow(),I(()=>{const a=N()?.join(" ");t&&t!==a&&lt(()=>$.again()),t=a}),I(()=>{b.latest()!==e&&(e=b.latest(),v.value=e!==null&&!L(),C.value=null)})];return()=>s.forEach(a=>a())}const tt=200;function Gt(t){const[e]=t,s=t.find(({kind:a,sentence:n})=>a!==e.kind&&n!==e.sentence);return e&&{s1:e.sentence,s2:s?.sentence??null,statement:e.id}}function Vt(t,e,s,a){const n=u=>{const f=s.find(k=>k.path===u);return f?t.filter(k=>R({...k,unit_count:k.units.length},f)):[]},o=Q(t,s).find(({samples:u})=>u),i=a??(o&&o.domains.map(u=>e.samples[u]?.id).find(Boolean)),[l]=n("/circuits"),r=({id:u})=>e.tasks.find(f=>f.models.includes(u)),p=u=>{const f=r(u)?.example;return f&&"digits"in f?f.digits:null},m=n("/blocks"),h=m.find(p)??m[0],w=n("/drop").filter(({fields:u})=>u.includes("router_logits")),c=w.find(({accuracies:u})=>u.length)??w[0],g=l&&e.statements.length?Gt(e.statements):{};return[{key:"follow",icon:"path",title:"Follow a digit",words:"through the functions of "+o?.id+", step by step",to:o&&{page:"paths",values:{model:o.id,sample:i,step:0}}},{key:"drop",icon:"drop",title:"Drop functions",words:"of "+o?.id+" and watch the accuracy, beside random sets",to:o&&{page:"drop",values:{model:o.id,units:[o.units[0]],samples:tt}}},{key:"compare",icon:"circuits",title:"Compare two sentences",words:"and the circuits that they design in "+l?.id,to:l&&{page:"circuits",values:{model:l.id,...g}}},{key:"steer",icon:"blocks",title:"Steer blocks",words:"that copy or compute, in "+h?.id+": click a ribbon to change it",to:h&&{page:"blocks",values:{model:h.id,digits:p(h)??[]}}},{key:"experts",icon:"graph",title:"Drop experts",words:"of "+c?.id+", layer by layer, and watch the bits a byte",to:c&&{page:"drop",values:{model:c.id,units:[c.units[0]],samples:tt}}}].map(u=>({...u,to:u.to||null}))}const Ht=()=>d`<button type="button" class="home-door" data-door="own" data-help="own">
    ${T("upload")}
    <span
      ><strong>Open your own</strong>
      <span class="hint">mixture of experts, of transformers or your own code</span></span
    >
  </button>`;function Bt({key:t,icon:e,title:s,words:a,to:n}){const o=d`${T(e)}
    <span><strong>${s}</strong> <span class="hint">${n?a:"No model here fits."}</span></span>`;if(!n)return d`<div class="home-door" data-door=${t} data-state="none">${o}</div>`;const i=_(n.page,n.values);return d`<a class="home-door" data-door=${t} href=${i} onClick=${S}>${o}</a>`}function Lt(){const[t,e]=[$.answer(),b.latest()];if(!t)return null;const s=e?.picture?e.sample.id:null;return[...Vt(t.models,t.around,P(),s).map(Bt),Ht()]}const Wt=({model:t,html:e,complete:s})=>d`<form method="dialog" class="card-close">
      <h2 id="card-title">Card of ${t}</h2>
      <button class="tool tool-text" autofocus>Close</button>
    </form>
    <div class="card-text" tabindex="0" role="region" aria-label="Text of the card">
      <div dangerouslySetInnerHTML=${{__html:e}}></div>
      ${!s&&d`<p class="hint">The card is longer. Only its beginning is shown.</p>`}
    </div>`;async function zt(t){let e;try{e=await y("GET","/models/"+encodeURIComponent(t)+"/card")}catch(s){const{title:a,message:n}=s;ct(a,n,"bad");return}dt({look:"card-dialog",label:"#card-title",view:()=>Wt(e)})}const Ft=[["circuits","See circuits"],["blocks","See blocks"],["graphs","See the graph"],["paths","See a path"],["types","See types"],["drop","Drop units"]];function qt(t,e){const s=Ft.find(([a])=>{const n=e.find(({path:o})=>o==="/"+a);return n&&R({...t,unit_count:t.units.length},n)});return s?{page:s[0],words:s[1]}:null}function Jt(t,{tasks:e,kinds:s}){const{id:a,inputs:n,labels:o,pictures:i}=t;if(n==="images")return"Which of "+o.length+" labels a picture has";if(n==="statements")return"Whether a sentence is true of "+(i??"some")+" pictures";const l=s.find(({name:r})=>r===n);return e.find(({models:r})=>r.includes(a))?.title??(l?"Reads "+l.words:"Reads "+n)}function Qt(t){const e=new Map;for(const s of t){const a=s.domain+" "+et(s);e.has(a)||e.set(a,s)}return[...e.values()]}const et=t=>!!t.held_out;function Kt(t){const e=new Map;for(const s of t)e.set(s.family,[...e.get(s.family)||[],s]);return[...e]}const Xt=6;function st(t){const{accuracy:e,low:s,high:a,count:n,data:o,stand_in:i,measure:l}=t,r=l==="accuracy",[p,m,h]=W(r?z:F,[e,s,a]),[,w,c,g]=/^([^(]*?)( \([^)]*\))?(, .*)?$/.exec(o)??[null,o];return d`<li title=${ht(n)+" samples; 95 % "+(r?"Wilson":"bootstrap")+" interval"}>
    <span class="home-share"><strong>${p} ${r?"%":l}</strong> <span>(${m} to ${h})</span></span>
    <span class="home-data">
      ${w}<span class="home-aside">${c}</span>${g}
      ${i&&d`<span class="tag tag-warn">stand-in</span>`}
      ${et(t)&&d`<span class="tag tag-warn" title="never trained on">OOD</span>`}
    </span>
  </li>`}function Yt(t){const e=t[0].measure==="accuracy",s=t.map(({accuracy:r})=>r),n=[s.reduce((r,p)=>r+p,0)/s.length,Math.min(...s),Math.max(...s)],[o,i,l]=W(e?z:F,n);return d`<li>
    <details>
      <summary>
        <strong>${o} ${e?"%":t[0].measure}</strong>
        ${" on average over "+s.length+" data sets ("+i+" to "+l+")"}
      </summary>
      <ul class="home-accuracies">
        ${t.map(st)}
      </ul>
    </details>
  </li>`}const j=t=>d`<img class="pixels" src=${t} alt="" width="32" height="32" loading="lazy" />`;function Zt({id:t,inputs:e,domains:s,pictures:a},{tasks:n,statements:o,samples:i}){if(e==="images")return s.filter(p=>i[p]).map(p=>j(i[p].image));const[l]=o;if(e==="statements"&&l&&l.pictures.length===a)return l.pictures.map(j);const r=n.find(({models:p})=>p.includes(t))?.example;return r?"digits"in r?r.digits.map(p=>d`<span class="home-digit">${p}</span>`):j(pt+"/samples/"+encodeURIComponent(r.sample)+"/image"):null}function te(t,e,s){const a=qt(t,s),n=Qt(t.accuracies),o=t.accuracies.length-n.length,i=a&&_(a.page,{model:t.id});return d`<li class="home-model" key=${t.id} data-model=${t.id}>
    <span class="home-reads" aria-hidden="true">${Zt(t,e)}</span>
    <div class="home-name">
      <h4>${t.id}</h4>
      <p class="hint">${Jt(t,e)}</p>
      <p class="hint">${ut(t.parameters)} parameters</p>
      ${t.objectives?.map(l=>d`<p class="hint" key=${l}>In training ${l}.</p>`)}
    </div>
    <ul class="home-accuracies">
      ${n.length>Xt?Yt(n):n.map(st)}
      ${!n.length&&d`<li class="hint">Its card has no accuracy.</li>`}
      ${o>0&&d`<li class="hint">${o} more on its card</li>`}
    </ul>
    <div class="home-ways">
      ${a&&d`<a class="tool tool-text" href=${i} onClick=${S}>${a.words}</a>`}
      <button
        type="button"
        class="tool tool-text"
        aria-haspopup="dialog"
        aria-label=${"Card of "+t.id}
        onClick=${()=>zt(t.id)}
      >
        Card
      </button>
    </div>
  </li>`}function ee(){const[t,e]=[$.answer(),$.problem()];return!t&&e?d`<p class="message-detail" role="alert">${e.message}</p>`:t?Kt(t.models).map(([s,a])=>d`<section class="home-family" key=${s}>
        <h3 class="small-title">${s} <span class="hint">${a.length}</span></h3>
        <ul class="home-members">
          ${a.map(n=>te(n,t.around,P()))}
        </ul>
      </section>`):d`<div class="skeleton skeleton-models" aria-hidden="true"></div>`}const se=.9,ne=2.5,nt=44,ae=.25;let O=!0;const oe=()=>(b.latest()?.view.steps.length??-1)+1,A=It(se,()=>v.value&&b.latest()&&O,t=>{const e=(C.value??0)+t;return C.value=e>=oe()+ne?0:e,!0});function ie(){v.value=!v.value,v.value&&A()}class le{constructor(e,s){this.canvas=e,this.living=s,this.watch=new IntersectionObserver(([{isIntersecting:a}])=>{const n=a&&!O;O=a,e.dataset.seen=String(O),n&&v.value&&A()}),this.watch.observe(e),this.rebuild(),this.stops=[I(()=>this.draw()),bt(()=>this.rebuild()),yt(e.parentElement,()=>this.rebuild())],v.value&&A()}dispose(){this.watch.disconnect(),this.stops.forEach(e=>e()),O=!0}rebuild(){const{clientWidth:e,clientHeight:s}=this.canvas.parentElement;if(e<40||s<40)return;const{view:a,picture:n}=this.living,o={view:a,picture:n,threshold:ae,baseline:null,showBaseline:!1},i=wt();this.parts=kt(o,e,s,i,re(this.living)),this.ribbons=xt(Ot(this.parts),{width:e,height:s},i.font),this.draw()}draw(){const{parts:e,ribbons:s,canvas:a}=this,[n,o]=[C.value,v.value];if(!e||!s)return;const{layout:i,theme:l,view:r}=e,p=r.steps.length-1,m=n===null?null:L()?Math.floor(n):n,h=m===null||m>=p+2?null:m,w=h===null?p:Math.max(0,Math.min(p,Math.floor(h+.02)-1)),{frame:c,overlay:g}=Tt(e,w),u=St(a,i.width,i.height),f=k=>Rt(u,k,l.font);u.clearRect(0,0,i.width,i.height),f(c),h===null?Ct(u,s,i,1):Et(u,s,i,Mt(e,h)),h!==null&&f(Pt(e,h,null)),f(g),Object.assign(a.dataset,{painted:r.info.id,step:r.steps[w],playing:String(o)})}}const re=({view:t,sample:e})=>t.info.model+" \xB7 "+e.name+" \xB7 no intervention";function ce({view:t,sample:e}){const{model:s,predictions:a}=t.info,n=a.find(({domain:m})=>m===e.set)||a[0],o=e.label===null?"":", label "+e.label,i=n&&vt(n.probabilities[n.label]).replace(" ","\xA0"),l=n?". "+s+" predicts "+n.labels[n.label]+" ("+i+").":", through "+s+".",r=(e.begins??"").trim();return(r&&"\u201C"+r.slice(0,nt)+(r.length>nt?"\u2026":"")+"\u201D, ")+e.name+o+l}const de=({picture:t})=>t?"Computed just now. Columns are iterations, dots functions, lines tokens of the picture.":"Computed just now. Columns are layers, dots experts, lines tokens of the text.",at=({view:t,sample:e})=>_("paths",{model:t.info.model,sample:e.id,step:0});function ue(){const t=b.latest(),e=!$.answer()&&$.problem()?.message||jt(),s=mt(null);if(ft(()=>{if(!t||!s.current)return;const l=new le(s.current,t);return()=>l.dispose()},[t]),e)return d`<p class="message-detail" role="status">${e}</p>`;if(!t)return d`<div key="coming" class="skeleton home-canvas" aria-hidden="true"></div>
      <div key="coming-said" class="home-said" aria-hidden="true"></div>`;const{sample:a,picture:n}=t,o=ce(t),i="Open this path. "+o;return d`
    <a class="home-canvas" href=${at(t)} aria-label=${i} title="Open this path" onClick=${S}>
      <canvas ref=${s} aria-hidden="true"></canvas>
    </a>
    <div key="said" class="home-said">
      ${n&&d`<img class="pixels" src=${n.href} alt="" width="40" height="40" />`}
      <p>
        ${o} ${a.stand_in&&d`<span class="tag tag-warn">stand-in data</span>`}
        <span class="hint">${Z()?Z()+" has no path to play. ":""}${de(t)}</span>
      </p>
      <a class="button" href=${at(t)} onClick=${S}>${T("path")}Open this path</a>
      <${gt} look="tool" act=${ie} label=${v.value?"Pause the picture":"Play the picture"}>
        ${T(v.value?"pause":"play")}
      <//>
    </div>
  `}const pe=()=>d`
  <div class="page-head home-head">
    <h1>Routescope shows and steers the routing inside modular neural networks.</h1>
  </div>
  <div class="home-top">
    <section class="panel home-path" aria-label="A path that plays">
      <div><${ue} /></div>
    </section>
    <nav aria-label="Where to begin">
      <div class="home-doors"><${Lt} /></div>
    </nav>
  </div>
  <section class="panel" aria-labelledby="home-models-title">
    <header class="panel-head"><h2 id="home-models-title">Models</h2></header>
    <p class="reads">Accuracy with 95 % interval from each model's card, beside an example input.</p>
    <div class="home-models"><${ee} /></div>
  </section>
`,he=$t({Tree:pe,choice:()=>({}),take:()=>{},open:At});export{he as mount};
