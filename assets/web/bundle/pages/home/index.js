/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{A as v,d as K,k as T,s as u,v as Q,aJ as M,am as A,P as D,aI as X,aK as G,L as Y,G as C,i as S,a9 as I,a8 as E,aA as Z,B as tt,z as et,C as st,a4 as nt,a5 as at,a as ot,H as it,r as lt,_ as rt,J as L}from"../../boot.js";import{b8 as B,o as ct,b9 as dt,ba as ut,bb as pt,bc as ht,aI as mt,bd as ft,be as gt,bf as wt,bg as bt,a$ as vt,bh as yt}from"../../shared.js";const $t=({model:t,html:e,complete:s})=>u`<form method="dialog" class="card-close">
      <h2 id="card-title">Card of ${t}</h2>
      <button class="tool tool-text" autofocus>Close</button>
    </form>
    <div class="card-text" tabindex="0" role="region" aria-label="Text of the card">
      <div dangerouslySetInnerHTML=${{__html:e}}></div>
      ${!s&&u`<p class="hint">The card goes on; this is as much of it as the service shows.</p>`}
    </div>`;async function kt(t){let e;try{e=await v("GET","/models/"+encodeURIComponent(t)+"/card")}catch(n){const{title:o,message:i}=n;K(o,i,"bad");return}const s=document.createElement("dialog");s.className="card-dialog",s.setAttribute("aria-labelledby","card-title");const a=T(s,()=>$t(e));s.addEventListener("close",()=>{a(),s.remove()}),document.body.append(s),s.showModal()}const xt=24,Ot="No path plays: none of the models here tells how tokens of a picture or a text match its units.",R="text",H=3,Tt={models:null,around:{tasks:[],statements:[],samples:{},texts:{},kinds:[]},living:null,instead:null,noPath:null,noModels:null,playing:!1,time:null},{state:h,update:y,subscribe:Ct}=Q(Tt);function V(t,e,s){const a=e.find(({path:i})=>i==="/paths");if(!a)return[];const n=i=>i.samples||i.inputs===R,o=t.filter(i=>n(i)&&i.fields.includes("compatibility")&&M(i,a));return[...o.filter(({id:i})=>i===s),...o.filter(({id:i})=>i!==s)]}const $=(t,e,s)=>v("GET",t).then(e,()=>s);async function St(t){const e=d=>t.filter(m=>m.inputs===d),s=[...new Set(e("images").flatMap(({domains:d})=>d))],a=d=>"/samples?origin=data&limit=1&set="+encodeURIComponent(d),n=[...new Set(e(R).flatMap(({domains:d})=>d))],o=d=>"/tables?limit=1&rows="+H+"&set="+encodeURIComponent(d),[i,l,c,r,...f]=await Promise.all([e("blocks").length?$("/block-tasks",({items:d})=>d,[]):[],e("statements").length?$("/statements?limit="+xt,({items:d})=>d,[]):[],$("/inputs",({items:d})=>d,[]),Promise.all(n.map(d=>$(o(d),({items:m})=>m[0]||null,null))),...s.map(d=>$(a(d),({items:m})=>m[0]||null,null))]),g=(d,m)=>Object.fromEntries(d.map((w,p)=>[w,m[p]]).filter(([,w])=>w));return{tasks:i,statements:l,kinds:c,samples:g(s,f),texts:g(n,r)}}async function Et(t,e){const[s,{set:a,set_title:n,stand_in:o,rows:i}]=await Promise.all([v("POST","/traces",{model:t,sample:e,fields:["compatibility"]}),v("GET","/tables/"+encodeURIComponent(e))]),l=new B(s,await G(s.id,"compatibility")),c=i.slice(0,H).map(([,f])=>String(f)),r={id:e,name:a===null?n:e,label:null,set:a,stand_in:o,begins:c.join(" ")};return{view:l,picture:null,sample:r}}async function j({id:t,inputs:e},s){if(e===R)return Et(t,s);const[a,n,o]=await Promise.all([v("POST","/traces",{model:t,sample:s}),v("GET","/samples/"+encodeURIComponent(s)),X(s)]);return{view:new B(a,await G(a.id,"compatibility")),picture:o,sample:n}}async function Pt(t,e,s){const a=t[0];if(!a)throw new D(0,"No path",Ot);const n=a.domains.map(o=>e.samples[o]??e.texts[o]).filter(Boolean);if(s.sample){const o=await j(a,s.sample).catch(()=>null);if(o)return o}if(!n.length)throw new D(0,"No path","There are no samples of what "+a.id+" reads.");return j(a,n[0].id)}let k=null;async function Mt(t){const{items:e}=await v("GET","/models"),s=({id:n})=>t.includes(n)?t.indexOf(n):t.length,a=e.sort((n,o)=>s(n)-s(o));return{models:a,around:await St(a)}}let x=0;async function It(t,e,s){const a=x+=1;try{k=k||Mt(e);const{models:n,around:o}=await k;if(a!==x)return;y({models:n,around:o,noModels:null});const i=await Pt(V(n,s,t.model),o,t),l=n.some(({id:r})=>r===t.model)?t.model??null:null,c=l===i.view.info.model?null:l;a===x&&y({living:i,instead:c,noPath:null,time:null,playing:!A()})}catch(n){const{message:o}=n;h.models||(k=null),a===x&&y(h.models?{living:null,noPath:o}:{noModels:o})}}function Rt(){x+=1,k=null,y({models:null,living:null,playing:!1,time:null})}const W=200,_=Y([]);function _t(t){const[e]=t,s=t.find(({kind:a,sentence:n})=>a!==e.kind&&n!==e.sentence);return e&&{s1:e.sentence,s2:s?.sentence??null,statement:e.id}}function Nt(t,e,s,a){const n=p=>{const b=s.find(P=>P.path===p);return b?t.filter(P=>M(P,b)):[]},o=V(t,s).find(({samples:p})=>p),i=a??(o&&o.domains.map(p=>e.samples[p]?.id).find(Boolean)),[l]=n("/circuits"),c=({id:p})=>e.tasks.find(b=>b.models.includes(p)),r=p=>{const b=c(p)?.example;return b&&"digits"in b?b.digits:null},f=n("/blocks"),g=f.find(r)??f[0],d=n("/drop").filter(({fields:p})=>p.includes("router_logits")),m=d.find(({accuracies:p})=>p.length)??d[0],w=l&&e.statements.length?_t(e.statements):{};return[{key:"follow",icon:"path",title:"Follow a digit",words:"through the functions of "+o?.id+", step by step",to:o&&{page:"paths",values:{model:o.id,sample:i,step:0}}},{key:"drop",icon:"drop",title:"Drop functions",words:"of "+o?.id+" and watch the accuracy, beside random drops",to:o&&{page:"drop",values:{model:o.id,units:[o.units[0]],samples:W}}},{key:"compare",icon:"circuits",title:"Compare two sentences",words:"and the circuits that they design in "+l?.id,to:l&&{page:"circuits",values:{model:l.id,...w}}},{key:"steer",icon:"blocks",title:"Steer blocks that copy",words:"or compute, in "+g?.id+": click a ribbon to change it",to:g&&{page:"blocks",values:{model:g.id,digits:r(g)??[]}}},{key:"experts",icon:"graph",title:"Drop experts",words:"of "+m?.id+", layer by layer, and watch the bits a byte",to:m&&{page:"drop",values:{model:m.id,units:[m.units[0]],samples:W}}}].map(p=>({...p,to:p.to||null}))}const Ut=()=>u`<button type="button" class="home-door" data-door="own" data-help="own">
    ${S("upload")}
    <span
      ><strong>Open your own</strong>
      <span class="hint">mixture of experts, of transformers or your own code</span></span
    >
  </button>`;function At({key:t,icon:e,title:s,words:a,to:n}){const o=u`${S(e)}
    <span
      ><strong>${s}</strong> <span class="hint">${n?a:"None of the models here is for this."}</span></span
    >`;if(!n)return u`<div class="home-door" data-door=${t} data-state="none">${o}</div>`;const i=I(n.page,n.values);return u`<a class="home-door" data-door=${t} href=${i} onClick=${E}>${o}</a>`}function Dt(){const{models:t,around:e,living:s}=h;if(!t)return null;const a=s?.picture?s.sample.id:null;return[...Nt(t,e,_.value,a).map(At),Ut()]}C("home-doors",t=>T(t,Dt));const Gt=[["circuits","See circuits"],["blocks","See blocks"],["graphs","See the graph"],["paths","See a path"],["types","See types"],["drop","Drop units"]];function Lt(t,e){const s=Gt.find(([a])=>{const n=e.find(({path:o})=>o==="/"+a);return n&&M(t,n)});return s?{page:s[0],words:s[1]}:null}function Bt(t,{tasks:e,kinds:s}){const{id:a,inputs:n,labels:o,pictures:i}=t;if(n==="images")return"Which of "+o.length+" labels a picture has";if(n==="statements")return"Whether a sentence is true of "+(i??"some")+" pictures";const l=s.find(({name:c})=>c===n);return e.find(({models:c})=>c.includes(a))?.title??(l?"Reads "+l.words:"Reads "+n)}function Ht(t){const e=new Map;for(const s of t){const a=s.domain+" "+z(s);e.has(a)||e.set(a,s)}return[...e.values()]}const z=t=>!!t.held_out;function Vt(t){const e=new Map;for(const s of t)e.set(s.family,[...e.get(s.family)||[],s]);return[...e]}const jt=t=>t.toFixed(2);function Wt(t){const{accuracy:e,low:s,high:a,count:n,data:o,stand_in:i,measure:l}=t,c=l==="accuracy",r=c?st:jt;return u`<li title=${et(n)+" samples; 95 % "+(c?"Wilson":"bootstrap")+" interval"}>
    <span class="home-share"
      ><strong>${r(e)} ${c?"%":l}</strong> <span>(${r(s)} to ${r(a)})</span></span
    >
    <span class="home-data">
      ${o} ${i&&u`<span class="tag tag-warn">stand-in</span>`}
      ${z(t)&&u`<span class="tag tag-warn" title="never trained on">OOD</span>`}
    </span>
  </li>`}const N=t=>u`<img class="pixels" src=${t} alt="" width="32" height="32" loading="lazy" />`;function zt({id:t,inputs:e,domains:s,pictures:a},{tasks:n,statements:o,samples:i}){if(e==="images")return s.filter(r=>i[r]).map(r=>N(i[r].image));const[l]=o;if(e==="statements"&&l&&l.pictures.length===a)return l.pictures.map(N);const c=n.find(({models:r})=>r.includes(t))?.example;return c?"digits"in c?c.digits.map(r=>u`<span class="home-digit">${r}</span>`):N(tt+"/samples/"+encodeURIComponent(c.sample)+"/image"):null}function Ft(t,e,s){const a=Lt(t,s),n=Ht(t.accuracies),o=t.accuracies.length-n.length,i=a&&I(a.page,{model:t.id});return u`<li class="home-model" key=${t.id} data-model=${t.id}>
    <span class="home-reads" aria-hidden="true">${zt(t,e)}</span>
    <div class="home-name">
      <h4>${t.id}</h4>
      <p class="hint">${Bt(t,e)}</p>
      <p class="hint">${Z(t.parameters)} parameters</p>
    </div>
    <ul class="home-accuracies">
      ${n.map(Wt)} ${!n.length&&u`<li class="hint">Its card tells of no accuracy.</li>`}
      ${o>0&&u`<li class="hint">${o} more on its card</li>`}
    </ul>
    <div class="home-ways">
      ${a&&u`<a class="tool tool-text" href=${i} onClick=${E}>${a.words}</a>`}
      <button
        type="button"
        class="tool tool-text"
        aria-haspopup="dialog"
        aria-label=${"Card of "+t.id}
        onClick=${()=>kt(t.id)}
      >
        Card
      </button>
    </div>
  </li>`}function qt(){const{models:t,around:e,noModels:s}=h;return s?u`<p class="message-detail" role="alert">${s}</p>`:t?Vt(t).map(([a,n])=>u`<section class="home-family" key=${a}>
        <h3 class="small-title">${a} <span class="hint">${n.length}</span></h3>
        <ul class="home-members">
          ${n.map(o=>Ft(o,e,_.value))}
        </ul>
      </section>`):u`<div class="skeleton skeleton-models" aria-hidden="true"></div>`}C("home-models",t=>T(t,()=>u`<${Jt} />`));const Jt=()=>qt(),Kt=.9,Qt=2.5,F=44,Xt=.25;let O=!0;const q=()=>h.living?h.living.view.steps.length+1:0,U=yt(Kt,()=>h.playing&&h.living&&O,t=>{const e=(h.time??0)+t;return y({time:e>=q()+Qt?0:e}),!0});function Yt(){y({playing:!h.playing}),h.playing&&U()}class Zt{constructor(e,s){this.canvas=e,this.living=s,this.watch=new IntersectionObserver(([{isIntersecting:a}])=>{const n=a&&!O;O=a,e.dataset.seen=String(O),n&&h.playing&&U()}),this.watch.observe(e),this.rebuild(),this.stops=[Ct((a,n)=>(n.has("time")||n.has("playing"))&&this.draw()),it(()=>this.rebuild()),ct(e.parentElement,()=>this.rebuild())],h.playing&&U()}dispose(){this.watch.disconnect(),this.stops.forEach(e=>e()),O=!0}rebuild(){const{clientWidth:e,clientHeight:s}=this.canvas.parentElement;if(e<40||s<40)return;const{view:a,picture:n}=this.living,o={view:a,picture:n,threshold:Xt,baseline:null,showBaseline:!1},i=lt();this.parts=dt(o,e,s,i,te(this.living)),this.ribbons=ut(pt(this.parts),{width:e,height:s},i.font),this.draw()}draw(){const{parts:e,ribbons:s,canvas:a}=this;if(!e||!s)return;const{layout:n,theme:o,view:i}=e,l=i.steps.length-1,c=h.time===null?null:A()?Math.floor(h.time):h.time,r=c===null||c>=q()?null:c,f=r===null?l:Math.max(0,Math.min(l,Math.floor(r+.02)-1)),{frame:g,overlay:d}=ht(e,f),m=mt(a,n.width,n.height),w=p=>vt(m,p,o.font);m.clearRect(0,0,n.width,n.height),w(g),r===null?ft(m,s,n,1):gt(m,s,n,wt(e,r)),r!==null&&w(bt(e,r,null)),w(d),Object.assign(a.dataset,{painted:i.info.id,step:i.steps[f],playing:String(h.playing)})}}const te=({view:t,sample:e})=>t.info.model+" \xB7 "+e.name+" \xB7 no intervention";function ee({view:t,sample:e}){const{model:s,predictions:a}=t.info,n=a.find(({domain:r})=>r===e.set)||a[0],o=e.label===null?"":", labelled "+e.label,i=n?": it says "+n.label+", "+rt(n.probabilities[n.label]):"",l=(e.begins??"").trim();return(l&&"\u201C"+l.slice(0,F)+(l.length>F?"\u2026":"")+"\u201D, ")+e.name+o+", through "+s+i+"."}const se=({picture:t})=>t?"Columns are steps, dots functions, lines the tokens of the picture; computed just now.":"Columns are layers, dots experts, lines the tokens of the text; computed just now.",J=({view:t,sample:e})=>I("paths",{model:t.info.model,sample:e.id,step:0});function ne(){const{living:t,instead:e,noPath:s,noModels:a,playing:n}=h,o=nt(null);if(at(()=>{if(!t||!o.current)return;const f=new Zt(o.current,t);return()=>f.dispose()},[t]),s||a)return u`<p class="message-detail" role="status">${s||a}</p>`;if(!t)return u`<div key="coming" class="skeleton home-canvas" aria-hidden="true"></div>
      <div key="coming-said" class="home-said" aria-hidden="true"></div>`;const{sample:i,picture:l}=t,c=ee(t),r="Open this path. "+c;return u`
    <a class="home-canvas" href=${J(t)} aria-label=${r} title="Open this path" onClick=${E}>
      <canvas ref=${o} aria-hidden="true"></canvas>
    </a>
    <div key="said" class="home-said">
      ${l&&u`<img class="pixels" src=${l.href} alt="" width="40" height="40" />`}
      <p>
        ${c} ${i.stand_in&&u`<span class="tag tag-warn">stand-in data</span>`}
        <span class="hint">${e?"No path of "+e+" plays here. ":""}${se(t)}</span>
      </p>
      <a class="button" href=${J(t)} onClick=${E}>${S("path")}Open this path</a>
      <${ot} look="tool" act=${Yt} label=${n?"Pause the picture":"Play the picture"}>
        ${S(n?"pause":"play")}
      <//>
    </div>
  `}C("home-path",t=>T(t,()=>u`<${ne} />`));const ae={show(t,e,s){if(!e)return L();_.value=s;const a=e.map(({id:n})=>n);return It(t||{},a,s),L()}};C("home-page",()=>Rt);export{ae as callbacks};
