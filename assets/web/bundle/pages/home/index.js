/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{A as v,d as Y,k as T,s as d,t as Z,aO as P,aq as A,P as D,aN as tt,aP as G,L as et,G as S,i as C,ad as I,ac as E,aF as st,B as nt,y as at,C as L,a8 as ot,a9 as it,a as lt,H as rt,r as ct,a1 as dt,J as V}from"../../boot.js";import{b9 as j,o as ut,ba as pt,bb as ht,bc as mt,bd as ft,aI as gt,be as bt,bf as wt,bg as vt,bh as yt,b0 as $t,bi as kt}from"../../shared.js";const xt=({model:t,html:e,complete:s})=>d`<form method="dialog" class="card-close">
      <h2 id="card-title">Card of ${t}</h2>
      <button class="tool tool-text" autofocus>Close</button>
    </form>
    <div class="card-text" tabindex="0" role="region" aria-label="Text of the card">
      <div dangerouslySetInnerHTML=${{__html:e}}></div>
      ${!s&&d`<p class="hint">The card goes on; this is as much of it as the service shows.</p>`}
    </div>`;async function Ot(t){let e;try{e=await v("GET","/models/"+encodeURIComponent(t)+"/card")}catch(n){const{title:o,message:i}=n;Y(o,i,"bad");return}const s=document.createElement("dialog");s.className="card-dialog",s.setAttribute("aria-labelledby","card-title");const a=T(s,()=>xt(e));s.addEventListener("close",()=>{a(),s.remove()}),document.body.append(s),s.showModal()}const Tt=24,St="No path plays: none of the models here tells how tokens of a picture or a text match its units.",R="text",B=3,Ct={models:null,around:{tasks:[],statements:[],samples:{},texts:{},kinds:[]},living:null,instead:null,noPath:null,noModels:null,playing:!1,time:null},{state:h,update:y,subscribe:Et}=Z(Ct);function H(t,e,s){const a=e.find(({path:i})=>i==="/paths");if(!a)return[];const n=i=>i.samples||i.inputs===R,o=t.filter(i=>n(i)&&i.fields.includes("compatibility")&&P(i,a));return[...o.filter(({id:i})=>i===s),...o.filter(({id:i})=>i!==s)]}const $=(t,e,s)=>v("GET",t).then(e,()=>s);async function Mt(t){const e=u=>t.filter(m=>m.inputs===u),s=[...new Set(e("images").flatMap(({domains:u})=>u))],a=u=>"/samples?origin=data&limit=1&set="+encodeURIComponent(u),n=[...new Set(e(R).flatMap(({domains:u})=>u))],o=u=>"/tables?limit=1&rows="+B+"&set="+encodeURIComponent(u),[i,l,c,r,...f]=await Promise.all([e("blocks").length?$("/block-tasks",({items:u})=>u,[]):[],e("statements").length?$("/statements?limit="+Tt,({items:u})=>u,[]):[],$("/inputs",({items:u})=>u,[]),Promise.all(n.map(u=>$(o(u),({items:m})=>m[0]||null,null))),...s.map(u=>$(a(u),({items:m})=>m[0]||null,null))]),g=(u,m)=>Object.fromEntries(u.map((b,p)=>[b,m[p]]).filter(([,b])=>b));return{tasks:i,statements:l,kinds:c,samples:g(s,f),texts:g(n,r)}}async function Pt(t,e){const[s,{set:a,set_title:n,stand_in:o,rows:i}]=await Promise.all([v("POST","/traces",{model:t,sample:e,fields:["compatibility"]}),v("GET","/tables/"+encodeURIComponent(e))]),l=new j(s,await G(s.id,"compatibility")),c=i.slice(0,B).map(([,f])=>String(f)),r={id:e,name:a===null?n:e,label:null,set:a,stand_in:o,begins:c.join(" ")};return{view:l,picture:null,sample:r}}async function F({id:t,inputs:e},s){if(e===R)return Pt(t,s);const[a,n,o]=await Promise.all([v("POST","/traces",{model:t,sample:s}),v("GET","/samples/"+encodeURIComponent(s)),tt(s)]);return{view:new j(a,await G(a.id,"compatibility")),picture:o,sample:n}}async function It(t,e,s){const a=t[0];if(!a)throw new D(0,"No path",St);const n=a.domains.map(o=>e.samples[o]??e.texts[o]).filter(Boolean);if(s.sample){const o=await F(a,s.sample).catch(()=>null);if(o)return o}if(!n.length)throw new D(0,"No path","There are no samples of what "+a.id+" reads.");return F(a,n[0].id)}let k=null;async function Rt(t){const{items:e}=await v("GET","/models"),s=({id:n})=>t.includes(n)?t.indexOf(n):t.length,a=e.sort((n,o)=>s(n)-s(o));return{models:a,around:await Mt(a)}}let x=0;async function Nt(t,e,s){const a=x+=1;try{k=k||Rt(e);const{models:n,around:o}=await k;if(a!==x)return;y({models:n,around:o,noModels:null});const i=await It(H(n,s,t.model),o,t),l=n.some(({id:r})=>r===t.model)?t.model??null:null,c=l===i.view.info.model?null:l;a===x&&y({living:i,instead:c,noPath:null,time:null,playing:!A()})}catch(n){const{message:o}=n;h.models||(k=null),a===x&&y(h.models?{living:null,noPath:o}:{noModels:o})}}function _t(){x+=1,k=null,y({models:null,living:null,playing:!1,time:null})}const W=200,N=et([]);function Ut(t){const[e]=t,s=t.find(({kind:a,sentence:n})=>a!==e.kind&&n!==e.sentence);return e&&{s1:e.sentence,s2:s?.sentence??null,statement:e.id}}function At(t,e,s,a){const n=p=>{const w=s.find(M=>M.path===p);return w?t.filter(M=>P(M,w)):[]},o=H(t,s).find(({samples:p})=>p),i=a??(o&&o.domains.map(p=>e.samples[p]?.id).find(Boolean)),[l]=n("/circuits"),c=({id:p})=>e.tasks.find(w=>w.models.includes(p)),r=p=>{const w=c(p)?.example;return w&&"digits"in w?w.digits:null},f=n("/blocks"),g=f.find(r)??f[0],u=n("/drop").filter(({fields:p})=>p.includes("router_logits")),m=u.find(({accuracies:p})=>p.length)??u[0],b=l&&e.statements.length?Ut(e.statements):{};return[{key:"follow",icon:"path",title:"Follow a digit",words:"through the functions of "+o?.id+", step by step",to:o&&{page:"paths",values:{model:o.id,sample:i,step:0}}},{key:"drop",icon:"drop",title:"Drop functions",words:"of "+o?.id+" and watch the accuracy, beside random drops",to:o&&{page:"drop",values:{model:o.id,units:[o.units[0]],samples:W}}},{key:"compare",icon:"circuits",title:"Compare two sentences",words:"and the circuits that they design in "+l?.id,to:l&&{page:"circuits",values:{model:l.id,...b}}},{key:"steer",icon:"blocks",title:"Steer blocks that copy",words:"or compute, in "+g?.id+": click a ribbon to change it",to:g&&{page:"blocks",values:{model:g.id,digits:r(g)??[]}}},{key:"experts",icon:"graph",title:"Drop experts",words:"of "+m?.id+", layer by layer, and watch the bits a byte",to:m&&{page:"drop",values:{model:m.id,units:[m.units[0]],samples:W}}}].map(p=>({...p,to:p.to||null}))}const Dt=()=>d`<button type="button" class="home-door" data-door="own" data-help="own">
    ${C("upload")}
    <span
      ><strong>Open your own</strong>
      <span class="hint">mixture of experts, of transformers or your own code</span></span
    >
  </button>`;function Gt({key:t,icon:e,title:s,words:a,to:n}){const o=d`${C(e)}
    <span
      ><strong>${s}</strong> <span class="hint">${n?a:"None of the models here is for this."}</span></span
    >`;if(!n)return d`<div class="home-door" data-door=${t} data-state="none">${o}</div>`;const i=I(n.page,n.values);return d`<a class="home-door" data-door=${t} href=${i} onClick=${E}>${o}</a>`}function Lt(){const{models:t,around:e,living:s}=h;if(!t)return null;const a=s?.picture?s.sample.id:null;return[...At(t,e,N.value,a).map(Gt),Dt()]}S("home-doors",t=>T(t,Lt));const Vt=[["circuits","See circuits"],["blocks","See blocks"],["graphs","See the graph"],["paths","See a path"],["types","See types"],["drop","Drop units"]];function jt(t,e){const s=Vt.find(([a])=>{const n=e.find(({path:o})=>o==="/"+a);return n&&P(t,n)});return s?{page:s[0],words:s[1]}:null}function Bt(t,{tasks:e,kinds:s}){const{id:a,inputs:n,labels:o,pictures:i}=t;if(n==="images")return"Which of "+o.length+" labels a picture has";if(n==="statements")return"Whether a sentence is true of "+(i??"some")+" pictures";const l=s.find(({name:c})=>c===n);return e.find(({models:c})=>c.includes(a))?.title??(l?"Reads "+l.words:"Reads "+n)}function Ht(t){const e=new Map;for(const s of t){const a=s.domain+" "+q(s);e.has(a)||e.set(a,s)}return[...e.values()]}const q=t=>!!t.held_out;function Ft(t){const e=new Map;for(const s of t)e.set(s.family,[...e.get(s.family)||[],s]);return[...e]}const Wt=6,z=t=>t.toFixed(2);function Q(t){const{accuracy:e,low:s,high:a,count:n,data:o,stand_in:i,measure:l}=t,c=l==="accuracy",r=c?L:z;return d`<li title=${at(n)+" samples; 95 % "+(c?"Wilson":"bootstrap")+" interval"}>
    <span class="home-share"
      ><strong>${r(e)} ${c?"%":l}</strong> <span>(${r(s)} to ${r(a)})</span></span
    >
    <span class="home-data">
      ${o} ${i&&d`<span class="tag tag-warn">stand-in</span>`}
      ${q(t)&&d`<span class="tag tag-warn" title="never trained on">OOD</span>`}
    </span>
  </li>`}function qt(t){const e=t[0].measure==="accuracy",s=e?L:z,a=t.map(({accuracy:i})=>i),n=a.reduce((i,l)=>i+l,0)/a.length,o=s(Math.min(...a))+" to "+s(Math.max(...a));return d`<li>
    <details>
      <summary>
        <strong>${s(n)} ${e?"%":t[0].measure}</strong>
        ${" on average over "+a.length+" data sets ("+o+")"}
      </summary>
      <ul class="home-accuracies">
        ${t.map(Q)}
      </ul>
    </details>
  </li>`}const _=t=>d`<img class="pixels" src=${t} alt="" width="32" height="32" loading="lazy" />`;function zt({id:t,inputs:e,domains:s,pictures:a},{tasks:n,statements:o,samples:i}){if(e==="images")return s.filter(r=>i[r]).map(r=>_(i[r].image));const[l]=o;if(e==="statements"&&l&&l.pictures.length===a)return l.pictures.map(_);const c=n.find(({models:r})=>r.includes(t))?.example;return c?"digits"in c?c.digits.map(r=>d`<span class="home-digit">${r}</span>`):_(nt+"/samples/"+encodeURIComponent(c.sample)+"/image"):null}function Qt(t,e,s){const a=jt(t,s),n=Ht(t.accuracies),o=t.accuracies.length-n.length,i=a&&I(a.page,{model:t.id});return d`<li class="home-model" key=${t.id} data-model=${t.id}>
    <span class="home-reads" aria-hidden="true">${zt(t,e)}</span>
    <div class="home-name">
      <h4>${t.id}</h4>
      <p class="hint">${Bt(t,e)}</p>
      <p class="hint">${st(t.parameters)} parameters</p>
      ${t.objectives?.map(l=>d`<p class="hint" key=${l}>In training ${l}.</p>`)}
    </div>
    <ul class="home-accuracies">
      ${n.length>Wt?qt(n):n.map(Q)}
      ${!n.length&&d`<li class="hint">Its card tells of no accuracy.</li>`}
      ${o>0&&d`<li class="hint">${o} more on its card</li>`}
    </ul>
    <div class="home-ways">
      ${a&&d`<a class="tool tool-text" href=${i} onClick=${E}>${a.words}</a>`}
      <button
        type="button"
        class="tool tool-text"
        aria-haspopup="dialog"
        aria-label=${"Card of "+t.id}
        onClick=${()=>Ot(t.id)}
      >
        Card
      </button>
    </div>
  </li>`}function Jt(){const{models:t,around:e,noModels:s}=h;return s?d`<p class="message-detail" role="alert">${s}</p>`:t?Ft(t).map(([a,n])=>d`<section class="home-family" key=${a}>
        <h3 class="small-title">${a} <span class="hint">${n.length}</span></h3>
        <ul class="home-members">
          ${n.map(o=>Qt(o,e,N.value))}
        </ul>
      </section>`):d`<div class="skeleton skeleton-models" aria-hidden="true"></div>`}S("home-models",t=>T(t,()=>d`<${Kt} />`));const Kt=()=>Jt(),Xt=.9,Yt=2.5,J=44,Zt=.25;let O=!0;const K=()=>h.living?h.living.view.steps.length+1:0,U=kt(Xt,()=>h.playing&&h.living&&O,t=>{const e=(h.time??0)+t;return y({time:e>=K()+Yt?0:e}),!0});function te(){y({playing:!h.playing}),h.playing&&U()}class ee{constructor(e,s){this.canvas=e,this.living=s,this.watch=new IntersectionObserver(([{isIntersecting:a}])=>{const n=a&&!O;O=a,e.dataset.seen=String(O),n&&h.playing&&U()}),this.watch.observe(e),this.rebuild(),this.stops=[Et((a,n)=>(n.has("time")||n.has("playing"))&&this.draw()),rt(()=>this.rebuild()),ut(e.parentElement,()=>this.rebuild())],h.playing&&U()}dispose(){this.watch.disconnect(),this.stops.forEach(e=>e()),O=!0}rebuild(){const{clientWidth:e,clientHeight:s}=this.canvas.parentElement;if(e<40||s<40)return;const{view:a,picture:n}=this.living,o={view:a,picture:n,threshold:Zt,baseline:null,showBaseline:!1},i=ct();this.parts=pt(o,e,s,i,se(this.living)),this.ribbons=ht(mt(this.parts),{width:e,height:s},i.font),this.draw()}draw(){const{parts:e,ribbons:s,canvas:a}=this;if(!e||!s)return;const{layout:n,theme:o,view:i}=e,l=i.steps.length-1,c=h.time===null?null:A()?Math.floor(h.time):h.time,r=c===null||c>=K()?null:c,f=r===null?l:Math.max(0,Math.min(l,Math.floor(r+.02)-1)),{frame:g,overlay:u}=ft(e,f),m=gt(a,n.width,n.height),b=p=>$t(m,p,o.font);m.clearRect(0,0,n.width,n.height),b(g),r===null?bt(m,s,n,1):wt(m,s,n,vt(e,r)),r!==null&&b(yt(e,r,null)),b(u),Object.assign(a.dataset,{painted:i.info.id,step:i.steps[f],playing:String(h.playing)})}}const se=({view:t,sample:e})=>t.info.model+" \xB7 "+e.name+" \xB7 no intervention";function ne({view:t,sample:e}){const{model:s,predictions:a}=t.info,n=a.find(({domain:r})=>r===e.set)||a[0],o=e.label===null?"":", labelled "+e.label,i=n?": it says "+n.labels[n.label]+", "+dt(n.probabilities[n.label]):"",l=(e.begins??"").trim();return(l&&"\u201C"+l.slice(0,J)+(l.length>J?"\u2026":"")+"\u201D, ")+e.name+o+", through "+s+i+"."}const ae=({picture:t})=>t?"Columns are steps, dots functions, lines the tokens of the picture; computed just now.":"Columns are layers, dots experts, lines the tokens of the text; computed just now.",X=({view:t,sample:e})=>I("paths",{model:t.info.model,sample:e.id,step:0});function oe(){const{living:t,instead:e,noPath:s,noModels:a,playing:n}=h,o=ot(null);if(it(()=>{if(!t||!o.current)return;const f=new ee(o.current,t);return()=>f.dispose()},[t]),s||a)return d`<p class="message-detail" role="status">${s||a}</p>`;if(!t)return d`<div key="coming" class="skeleton home-canvas" aria-hidden="true"></div>
      <div key="coming-said" class="home-said" aria-hidden="true"></div>`;const{sample:i,picture:l}=t,c=ne(t),r="Open this path. "+c;return d`
    <a class="home-canvas" href=${X(t)} aria-label=${r} title="Open this path" onClick=${E}>
      <canvas ref=${o} aria-hidden="true"></canvas>
    </a>
    <div key="said" class="home-said">
      ${l&&d`<img class="pixels" src=${l.href} alt="" width="40" height="40" />`}
      <p>
        ${c} ${i.stand_in&&d`<span class="tag tag-warn">stand-in data</span>`}
        <span class="hint">${e?"No path of "+e+" plays here. ":""}${ae(t)}</span>
      </p>
      <a class="button" href=${X(t)} onClick=${E}>${C("path")}Open this path</a>
      <${lt} look="tool" act=${te} label=${n?"Pause the picture":"Play the picture"}>
        ${C(n?"pause":"play")}
      <//>
    </div>
  `}S("home-path",t=>T(t,()=>d`<${oe} />`));const ie={show(t,e,s){if(!e)return V();N.value=s;const a=e.map(({id:n})=>n);return Nt(t||{},a,s),V()}};S("home-page",()=>_t);export{ie as callbacks};
