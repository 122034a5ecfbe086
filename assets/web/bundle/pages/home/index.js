/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{A as v,d as Z,k as T,s as u,t as tt,aO as P,aq as A,P as D,aN as et,aP as G,L as st,G as S,i as C,ad as I,ac as E,aF as nt,B as at,y as ot,C as L,a8 as it,a9 as lt,a as rt,H as ct,r as dt,a1 as ut,J as V}from"../../boot.js";import{b9 as j,o as pt,ba as ht,bb as mt,bc as ft,bd as gt,aI as bt,be as wt,bf as vt,bg as yt,bh as $t,b0 as kt,bi as xt}from"../../shared.js";const Ot=({model:t,html:e,complete:n})=>u`<form method="dialog" class="card-close">
      <h2 id="card-title">Card of ${t}</h2>
      <button class="tool tool-text" autofocus>Close</button>
    </form>
    <div class="card-text" tabindex="0" role="region" aria-label="Text of the card">
      <div dangerouslySetInnerHTML=${{__html:e}}></div>
      ${!n&&u`<p class="hint">The card goes on; this is as much of it as the service shows.</p>`}
    </div>`;async function Tt(t){let e;try{e=await v("GET","/models/"+encodeURIComponent(t)+"/card")}catch(s){const{title:o,message:i}=s;Z(o,i,"bad");return}const n=document.createElement("dialog");n.className="card-dialog",n.setAttribute("aria-labelledby","card-title");const a=T(n,()=>Ot(e));n.addEventListener("close",()=>{a(),n.remove()}),document.body.append(n),n.showModal()}const St=24,Ct="No path plays: none of the models here tells how tokens of a picture or a text match its units.",R="text",B=3,Et={models:null,around:{tasks:[],statements:[],samples:{},texts:{},kinds:[]},living:null,instead:null,noPath:null,noModels:null,playing:!1,time:null},{state:h,update:y,subscribe:Mt}=tt(Et);function H(t,e,n){const a=e.find(({path:i})=>i==="/paths");if(!a)return[];const s=i=>i.samples||i.inputs===R,o=t.filter(i=>s(i)&&i.fields.includes("compatibility")&&P(i,a));return[...o.filter(({id:i})=>i===n),...o.filter(({id:i})=>i!==n)]}const $=(t,e,n)=>v("GET",t).then(e,()=>n);function F(t,e,n){const a=new Set(t.filter(s=>s.inputs===e).flatMap(({domains:s})=>s));return n.filter(s=>s.inputs===e&&a.has(s.name)).map(({name:s})=>s)}async function Pt(t){const e=c=>t.filter(m=>m.inputs===c),n=await $("/data",({items:c})=>c,[]),a=F(t,"images",n),s=c=>"/samples?origin=data&limit=1&set="+encodeURIComponent(c),o=F(t,R,n),i=c=>"/tables?limit=1&rows="+B+"&set="+encodeURIComponent(c),[l,d,r,f,...b]=await Promise.all([e("blocks").length?$("/block-tasks",({items:c})=>c,[]):[],e("statements").length?$("/statements?limit="+St,({items:c})=>c,[]):[],$("/inputs",({items:c})=>c,[]),Promise.all(o.map(c=>$(i(c),({items:m})=>m[0]||null,null))),...a.map(c=>$(s(c),({items:m})=>m[0]||null,null))]),w=(c,m)=>Object.fromEntries(c.map((p,g)=>[p,m[g]]).filter(([,p])=>p));return{tasks:l,statements:d,kinds:r,samples:w(a,b),texts:w(o,f)}}async function It(t,e){const[n,{set:a,set_title:s,stand_in:o,rows:i}]=await Promise.all([v("POST","/traces",{model:t,sample:e,fields:["compatibility"]}),v("GET","/tables/"+encodeURIComponent(e))]),l=new j(n,await G(n.id,"compatibility")),d=i.slice(0,B).map(([,f])=>String(f)),r={id:e,name:a===null?s:e,label:null,set:a,stand_in:o,begins:d.join(" ")};return{view:l,picture:null,sample:r}}async function W({id:t,inputs:e},n){if(e===R)return It(t,n);const[a,s,o]=await Promise.all([v("POST","/traces",{model:t,sample:n}),v("GET","/samples/"+encodeURIComponent(n)),et(n)]);return{view:new j(a,await G(a.id,"compatibility")),picture:o,sample:s}}async function Rt(t,e,n){const a=({domains:i})=>i.map(l=>e.samples[l]??e.texts[l]).filter(Boolean),s=t.find(i=>i.id===n.model||a(i).length)??t[0];if(!s)throw new D(0,"No path",Ct);const o=a(s);if(n.sample){const i=await W(s,n.sample).catch(()=>null);if(i)return i}if(!o.length)throw new D(0,"No path","There are no samples of what "+s.id+" reads.");return W(s,o[0].id)}let k=null;async function Nt(t){const{items:e}=await v("GET","/models"),n=({id:s})=>t.includes(s)?t.indexOf(s):t.length,a=e.sort((s,o)=>n(s)-n(o));return{models:a,around:await Pt(a)}}let x=0;async function _t(t,e,n){const a=x+=1;try{k=k||Nt(e);const{models:s,around:o}=await k;if(a!==x)return;y({models:s,around:o,noModels:null});const i=await Rt(H(s,n,t.model),o,t),l=s.some(({id:r})=>r===t.model)?t.model??null:null,d=l===i.view.info.model?null:l;a===x&&y({living:i,instead:d,noPath:null,time:null,playing:!A()})}catch(s){const{message:o}=s;h.models||(k=null),a===x&&y(h.models?{living:null,noPath:o}:{noModels:o})}}function Ut(){x+=1,k=null,y({models:null,living:null,playing:!1,time:null})}const q=200,N=st([]);function At(t){const[e]=t,n=t.find(({kind:a,sentence:s})=>a!==e.kind&&s!==e.sentence);return e&&{s1:e.sentence,s2:n?.sentence??null,statement:e.id}}function Dt(t,e,n,a){const s=p=>{const g=n.find(M=>M.path===p);return g?t.filter(M=>P(M,g)):[]},o=H(t,n).find(({samples:p})=>p),i=a??(o&&o.domains.map(p=>e.samples[p]?.id).find(Boolean)),[l]=s("/circuits"),d=({id:p})=>e.tasks.find(g=>g.models.includes(p)),r=p=>{const g=d(p)?.example;return g&&"digits"in g?g.digits:null},f=s("/blocks"),b=f.find(r)??f[0],w=s("/drop").filter(({fields:p})=>p.includes("router_logits")),c=w.find(({accuracies:p})=>p.length)??w[0],m=l&&e.statements.length?At(e.statements):{};return[{key:"follow",icon:"path",title:"Follow a digit",words:"through the functions of "+o?.id+", step by step",to:o&&{page:"paths",values:{model:o.id,sample:i,step:0}}},{key:"drop",icon:"drop",title:"Drop functions",words:"of "+o?.id+" and watch the accuracy, beside random drops",to:o&&{page:"drop",values:{model:o.id,units:[o.units[0]],samples:q}}},{key:"compare",icon:"circuits",title:"Compare two sentences",words:"and the circuits that they design in "+l?.id,to:l&&{page:"circuits",values:{model:l.id,...m}}},{key:"steer",icon:"blocks",title:"Steer blocks that copy",words:"or compute, in "+b?.id+": click a ribbon to change it",to:b&&{page:"blocks",values:{model:b.id,digits:r(b)??[]}}},{key:"experts",icon:"graph",title:"Drop experts",words:"of "+c?.id+", layer by layer, and watch the bits a byte",to:c&&{page:"drop",values:{model:c.id,units:[c.units[0]],samples:q}}}].map(p=>({...p,to:p.to||null}))}const Gt=()=>u`<button type="button" class="home-door" data-door="own" data-help="own">
    ${C("upload")}
    <span
      ><strong>Open your own</strong>
      <span class="hint">mixture of experts, of transformers or your own code</span></span
    >
  </button>`;function Lt({key:t,icon:e,title:n,words:a,to:s}){const o=u`${C(e)}
    <span
      ><strong>${n}</strong> <span class="hint">${s?a:"None of the models here is for this."}</span></span
    >`;if(!s)return u`<div class="home-door" data-door=${t} data-state="none">${o}</div>`;const i=I(s.page,s.values);return u`<a class="home-door" data-door=${t} href=${i} onClick=${E}>${o}</a>`}function Vt(){const{models:t,around:e,living:n}=h;if(!t)return null;const a=n?.picture?n.sample.id:null;return[...Dt(t,e,N.value,a).map(Lt),Gt()]}S("home-doors",t=>T(t,Vt));const jt=[["circuits","See circuits"],["blocks","See blocks"],["graphs","See the graph"],["paths","See a path"],["types","See types"],["drop","Drop units"]];function Bt(t,e){const n=jt.find(([a])=>{const s=e.find(({path:o})=>o==="/"+a);return s&&P(t,s)});return n?{page:n[0],words:n[1]}:null}function Ht(t,{tasks:e,kinds:n}){const{id:a,inputs:s,labels:o,pictures:i}=t;if(s==="images")return"Which of "+o.length+" labels a picture has";if(s==="statements")return"Whether a sentence is true of "+(i??"some")+" pictures";const l=n.find(({name:d})=>d===s);return e.find(({models:d})=>d.includes(a))?.title??(l?"Reads "+l.words:"Reads "+s)}function Ft(t){const e=new Map;for(const n of t){const a=n.domain+" "+z(n);e.has(a)||e.set(a,n)}return[...e.values()]}const z=t=>!!t.held_out;function Wt(t){const e=new Map;for(const n of t)e.set(n.family,[...e.get(n.family)||[],n]);return[...e]}const qt=6,Q=t=>t.toFixed(2);function J(t){const{accuracy:e,low:n,high:a,count:s,data:o,stand_in:i,measure:l}=t,d=l==="accuracy",r=d?L:Q;return u`<li title=${ot(s)+" samples; 95 % "+(d?"Wilson":"bootstrap")+" interval"}>
    <span class="home-share"
      ><strong>${r(e)} ${d?"%":l}</strong> <span>(${r(n)} to ${r(a)})</span></span
    >
    <span class="home-data">
      ${o} ${i&&u`<span class="tag tag-warn">stand-in</span>`}
      ${z(t)&&u`<span class="tag tag-warn" title="never trained on">OOD</span>`}
    </span>
  </li>`}function zt(t){const e=t[0].measure==="accuracy",n=e?L:Q,a=t.map(({accuracy:i})=>i),s=a.reduce((i,l)=>i+l,0)/a.length,o=n(Math.min(...a))+" to "+n(Math.max(...a));return u`<li>
    <details>
      <summary>
        <strong>${n(s)} ${e?"%":t[0].measure}</strong>
        ${" on average over "+a.length+" data sets ("+o+")"}
      </summary>
      <ul class="home-accuracies">
        ${t.map(J)}
      </ul>
    </details>
  </li>`}const _=t=>u`<img class="pixels" src=${t} alt="" width="32" height="32" loading="lazy" />`;function Qt({id:t,inputs:e,domains:n,pictures:a},{tasks:s,statements:o,samples:i}){if(e==="images")return n.filter(r=>i[r]).map(r=>_(i[r].image));const[l]=o;if(e==="statements"&&l&&l.pictures.length===a)return l.pictures.map(_);const d=s.find(({models:r})=>r.includes(t))?.example;return d?"digits"in d?d.digits.map(r=>u`<span class="home-digit">${r}</span>`):_(at+"/samples/"+encodeURIComponent(d.sample)+"/image"):null}function Jt(t,e,n){const a=Bt(t,n),s=Ft(t.accuracies),o=t.accuracies.length-s.length,i=a&&I(a.page,{model:t.id});return u`<li class="home-model" key=${t.id} data-model=${t.id}>
    <span class="home-reads" aria-hidden="true">${Qt(t,e)}</span>
    <div class="home-name">
      <h4>${t.id}</h4>
      <p class="hint">${Ht(t,e)}</p>
      <p class="hint">${nt(t.parameters)} parameters</p>
      ${t.objectives?.map(l=>u`<p class="hint" key=${l}>In training ${l}.</p>`)}
    </div>
    <ul class="home-accuracies">
      ${s.length>qt?zt(s):s.map(J)}
      ${!s.length&&u`<li class="hint">Its card tells of no accuracy.</li>`}
      ${o>0&&u`<li class="hint">${o} more on its card</li>`}
    </ul>
    <div class="home-ways">
      ${a&&u`<a class="tool tool-text" href=${i} onClick=${E}>${a.words}</a>`}
      <button
        type="button"
        class="tool tool-text"
        aria-haspopup="dialog"
        aria-label=${"Card of "+t.id}
        onClick=${()=>Tt(t.id)}
      >
        Card
      </button>
    </div>
  </li>`}function Kt(){const{models:t,around:e,noModels:n}=h;return n?u`<p class="message-detail" role="alert">${n}</p>`:t?Wt(t).map(([a,s])=>u`<section class="home-family" key=${a}>
        <h3 class="small-title">${a} <span class="hint">${s.length}</span></h3>
        <ul class="home-members">
          ${s.map(o=>Jt(o,e,N.value))}
        </ul>
      </section>`):u`<div class="skeleton skeleton-models" aria-hidden="true"></div>`}S("home-models",t=>T(t,()=>u`<${Xt} />`));const Xt=()=>Kt(),Yt=.9,Zt=2.5,K=44,te=.25;let O=!0;const X=()=>h.living?h.living.view.steps.length+1:0,U=xt(Yt,()=>h.playing&&h.living&&O,t=>{const e=(h.time??0)+t;return y({time:e>=X()+Zt?0:e}),!0});function ee(){y({playing:!h.playing}),h.playing&&U()}class se{constructor(e,n){this.canvas=e,this.living=n,this.watch=new IntersectionObserver(([{isIntersecting:a}])=>{const s=a&&!O;O=a,e.dataset.seen=String(O),s&&h.playing&&U()}),this.watch.observe(e),this.rebuild(),this.stops=[Mt((a,s)=>(s.has("time")||s.has("playing"))&&this.draw()),ct(()=>this.rebuild()),pt(e.parentElement,()=>this.rebuild())],h.playing&&U()}dispose(){this.watch.disconnect(),this.stops.forEach(e=>e()),O=!0}rebuild(){const{clientWidth:e,clientHeight:n}=this.canvas.parentElement;if(e<40||n<40)return;const{view:a,picture:s}=this.living,o={view:a,picture:s,threshold:te,baseline:null,showBaseline:!1},i=dt();this.parts=ht(o,e,n,i,ne(this.living)),this.ribbons=mt(ft(this.parts),{width:e,height:n},i.font),this.draw()}draw(){const{parts:e,ribbons:n,canvas:a}=this;if(!e||!n)return;const{layout:s,theme:o,view:i}=e,l=i.steps.length-1,d=h.time===null?null:A()?Math.floor(h.time):h.time,r=d===null||d>=X()?null:d,f=r===null?l:Math.max(0,Math.min(l,Math.floor(r+.02)-1)),{frame:b,overlay:w}=gt(e,f),c=bt(a,s.width,s.height),m=p=>kt(c,p,o.font);c.clearRect(0,0,s.width,s.height),m(b),r===null?wt(c,n,s,1):vt(c,n,s,yt(e,r)),r!==null&&m($t(e,r,null)),m(w),Object.assign(a.dataset,{painted:i.info.id,step:i.steps[f],playing:String(h.playing)})}}const ne=({view:t,sample:e})=>t.info.model+" \xB7 "+e.name+" \xB7 no intervention";function ae({view:t,sample:e}){const{model:n,predictions:a}=t.info,s=a.find(({domain:r})=>r===e.set)||a[0],o=e.label===null?"":", labelled "+e.label,i=s?": it says "+s.labels[s.label]+", "+ut(s.probabilities[s.label]):"",l=(e.begins??"").trim();return(l&&"\u201C"+l.slice(0,K)+(l.length>K?"\u2026":"")+"\u201D, ")+e.name+o+", through "+n+i+"."}const oe=({picture:t})=>t?"Columns are steps, dots functions, lines the tokens of the picture; computed just now.":"Columns are layers, dots experts, lines the tokens of the text; computed just now.",Y=({view:t,sample:e})=>I("paths",{model:t.info.model,sample:e.id,step:0});function ie(){const{living:t,instead:e,noPath:n,noModels:a,playing:s}=h,o=it(null);if(lt(()=>{if(!t||!o.current)return;const f=new se(o.current,t);return()=>f.dispose()},[t]),n||a)return u`<p class="message-detail" role="status">${n||a}</p>`;if(!t)return u`<div key="coming" class="skeleton home-canvas" aria-hidden="true"></div>
      <div key="coming-said" class="home-said" aria-hidden="true"></div>`;const{sample:i,picture:l}=t,d=ae(t),r="Open this path. "+d;return u`
    <a class="home-canvas" href=${Y(t)} aria-label=${r} title="Open this path" onClick=${E}>
      <canvas ref=${o} aria-hidden="true"></canvas>
    </a>
    <div key="said" class="home-said">
      ${l&&u`<img class="pixels" src=${l.href} alt="" width="40" height="40" />`}
      <p>
        ${d} ${i.stand_in&&u`<span class="tag tag-warn">stand-in data</span>`}
        <span class="hint">${e?"No path of "+e+" plays here. ":""}${oe(t)}</span>
      </p>
      <a class="button" href=${Y(t)} onClick=${E}>${C("path")}Open this path</a>
      <${rt} look="tool" act=${ee} label=${s?"Pause the picture":"Play the picture"}>
        ${C(s?"pause":"play")}
      <//>
    </div>
  `}S("home-path",t=>T(t,()=>u`<${ie} />`));const le={show(t,e,n){if(!e)return V();N.value=n;const a=e.map(({id:s})=>s);return _t(t||{},a,n),V()}};S("home-page",()=>Ut);export{le as callbacks};
