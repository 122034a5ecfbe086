/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{u as v,n as L,f as O,s as c,k as z,az as M,ab as A,P as D,ax as j,aA as F,G as Q,z as x,i as C,ay as P,aB as S,aq as Z,B as q,w as K,v as X,Z as Y,_ as J,a as tt,A as st,r as et,R as nt,D as N}from"../../boot.js";import{aQ as at,o as ot,aR as it,aS as lt,aT as rt,aU as ct,aH as dt,aV as ut,aW as pt,aX as ht,aY as mt,aI as ft,aZ as gt}from"../../shared.js";import{openDocument as wt}from"../../documents.js";const bt=({model:t,html:s,complete:e})=>c`<form method="dialog" class="card-close">
      <h2 id="card-title">Card of ${t}</h2>
      <button class="tool tool-text" autofocus>Close</button>
    </form>
    <div class="card-text" tabindex="0" role="region" aria-label="Text of the card">
      <div dangerouslySetInnerHTML=${{__html:s}}></div>
      ${!e&&c`<p class="hint">The card goes on; this is as much of it as the service shows.</p>`}
    </div>`;async function vt(t){let s;try{s=await v("GET","/models/"+encodeURIComponent(t)+"/card")}catch(n){const{title:o,message:l}=n;L(o,l,"bad");return}const e=document.createElement("dialog");e.className="card-dialog",e.setAttribute("aria-labelledby","card-title");const a=O(e,()=>bt(s));e.addEventListener("close",()=>{a(),e.remove()}),document.body.append(e),e.showModal()}const yt=24,$t="None of the models here reads pictures and tells the compatibility of their tokens with its functions.",kt={models:null,around:{tasks:[],statements:[],samples:{},kinds:[]},living:null,noPath:null,noModels:null,playing:!1,time:null},{state:u,update:b,subscribe:Ot}=z(kt);function U(t,s,e){const a=s.find(({path:o})=>o==="/paths");if(!a)return[];const n=t.filter(o=>o.samples&&o.fields.includes("compatibility")&&M(o,a));return[...n.filter(({id:o})=>o===e),...n.filter(({id:o})=>o!==e)]}const T=(t,s,e)=>v("GET",t).then(s,()=>e);async function xt(t){const s=i=>t.filter(h=>h.inputs===i),e=[...new Set(s("images").flatMap(({domains:i})=>i))],a=i=>"/samples?origin=data&limit=1&set="+encodeURIComponent(i),[n,o,l,...r]=await Promise.all([s("blocks").length?T("/block-tasks",({items:i})=>i,[]):[],s("statements").length?T("/statements?limit="+yt,({items:i})=>i,[]):[],T("/inputs",({items:i})=>i,[]),...e.map(i=>T(a(i),({items:h})=>h[0]||null,null))]),d=e.map((i,h)=>[i,r[h]]).filter(([,i])=>i);return{tasks:n,statements:o,kinds:l,samples:Object.fromEntries(d)}}async function B(t,s){const[e,a,n]=await Promise.all([v("POST","/traces",{model:t,sample:s}),v("GET","/samples/"+encodeURIComponent(s)),j(s)]);return{view:new at(e,await F(e.id,"compatibility")),picture:n,sample:a}}async function Ct(t,s,e){const a=t[0];if(!a)throw new D(0,"No path",$t);const n=a.domains.map(o=>s.samples[o]).filter(Boolean);if(e.sample){const o=await B(a.id,e.sample).catch(()=>null);if(o)return o}if(!n.length)throw new D(0,"No path","There are no samples of what "+a.id+" reads.");return B(a.id,n[0].id)}let y=null;async function St(t){const{items:s}=await v("GET","/models"),e=({id:n})=>t.includes(n)?t.indexOf(n):t.length,a=s.sort((n,o)=>e(n)-e(o));return{models:a,around:await xt(a)}}let $=0;async function Tt(t,s,e){const a=$+=1;try{y=y||St(s);const{models:n,around:o}=await y;if(a!==$)return;b({models:n,around:o,noModels:null});const l=await Ct(U(n,e,t.model),o,t);a===$&&b({living:l,noPath:null,time:null,playing:!A()})}catch(n){const{message:o}=n;u.models||(y=null),a===$&&b(u.models?{living:null,noPath:o}:{noModels:o})}}function Et(){$+=1,y=null,b({models:null,living:null,playing:!1,time:null})}const V=200,R=Q([]);function Mt(t){const[s]=t,e=t.find(({kind:a,sentence:n})=>a!==s.kind&&n!==s.sentence);return s&&{s1:s.sentence,s2:e?.sentence??null,statement:s.id}}function Pt(t,s,e,a){const n=p=>{const m=e.find(E=>E.path===p);return m?t.filter(E=>M(E,m)):[]},[o]=U(t,e),l=a??(o&&o.domains.map(p=>s.samples[p]?.id).find(Boolean)),[r]=n("/circuits"),d=({id:p})=>s.tasks.find(m=>m.models.includes(p)),i=p=>{const m=d(p)?.example;return m&&"digits"in m?m.digits:null},h=n("/blocks"),f=h.find(i)??h[0],g=n("/drop").find(({fields:p})=>p.includes("router_logits")),w=r&&s.statements.length?Mt(s.statements):{};return[{key:"follow",icon:"path",title:"Follow a digit",words:"through the functions of "+o?.id+", step by step",to:o&&{page:"paths",values:{model:o.id,sample:l,step:0}}},{key:"drop",icon:"drop",title:"Drop functions",words:"of "+o?.id+" and watch the accuracy, beside random drops",to:o&&{page:"drop",values:{model:o.id,units:[o.units[0]],samples:V}}},{key:"compare",icon:"circuits",title:"Compare two sentences",words:"and the circuits that they design in "+r?.id,to:r&&{page:"circuits",values:{model:r.id,...w}}},{key:"steer",icon:"blocks",title:"Steer blocks that copy",words:"or compute, in "+f?.id+": click a ribbon to change it",to:f&&{page:"blocks",values:{model:f.id,digits:i(f)??[]}}},{key:"experts",icon:"graph",title:"Drop experts",words:"of "+g?.id+", layer by layer, and watch the bits a byte",to:g&&{page:"drop",values:{model:g.id,units:[g.units[0]],samples:V}}}].map(p=>({...p,to:p.to||null}))}const Rt=()=>c`<button
    type="button"
    class="home-door"
    data-door="own"
    onClick=${({currentTarget:t})=>wt("routed","",t)}
  >
    ${C("upload")}
    <span
      ><strong>Open your own</strong>
      <span class="hint">mixture of experts, of transformers or your own code</span></span
    >
  </button>`;function It({key:t,icon:s,title:e,words:a,to:n}){const o=c`${C(s)}
    <span
      ><strong>${e}</strong> <span class="hint">${n?a:"None of the models here is for this."}</span></span
    >`;if(!n)return c`<div class="home-door" data-door=${t} data-state="none">${o}</div>`;const l=P(n.page,n.values);return c`<a class="home-door" data-door=${t} href=${l} onClick=${S}>${o}</a>`}function _t(){const{models:t,around:s,living:e}=u;return t?[...Pt(t,s,R.value,e?.sample.id??null).map(It),Rt()]:null}x("home-doors",t=>O(t,_t));const At=[["circuits","See circuits"],["blocks","See blocks"],["graphs","See the graph"],["paths","See a path"],["types","See types"],["drop","Drop units"]];function Dt(t,s){const e=At.find(([a])=>{const n=s.find(({path:o})=>o==="/"+a);return n&&M(t,n)});return e?{page:e[0],words:e[1]}:null}function Nt(t,{tasks:s,kinds:e}){const{id:a,inputs:n,labels:o,pictures:l}=t;if(n==="images")return"Which of "+o.length+" labels a picture has";if(n==="statements")return"Whether a sentence is true of "+(l??"some")+" pictures";const r=e.find(({name:d})=>d===n);return s.find(({models:d})=>d.includes(a))?.title??(r?"Reads "+r.words:"Reads "+n)}function Ut(t){const s=new Map;for(const e of t){const a=e.domain+" "+G(e);s.has(a)||s.set(a,e)}return[...s.values()]}const G=t=>!!t.held_out;function Bt(t){const s=new Map;for(const e of t)s.set(e.family,[...s.get(e.family)||[],e]);return[...s]}const Vt=t=>t.toFixed(2);function Gt(t){const{accuracy:s,low:e,high:a,count:n,data:o,stand_in:l,measure:r}=t,d=r==="accuracy",i=d?X:Vt;return c`<li title=${K(n)+" samples; 95 % "+(d?"Wilson":"bootstrap")+" interval"}>
    <span class="home-share"
      ><strong>${i(s)} ${d?"%":r}</strong> <span>(${i(e)} to ${i(a)})</span></span
    >
    <span class="home-data">
      ${o} ${l&&c`<span class="tag tag-warn">stand-in</span>`}
      ${G(t)&&c`<span class="tag tag-warn" title="never trained on">OOD</span>`}
    </span>
  </li>`}const I=t=>c`<img class="pixels" src=${t} alt="" width="32" height="32" loading="lazy" />`;function Ht({id:t,inputs:s,domains:e,pictures:a},{tasks:n,statements:o,samples:l}){if(s==="images")return e.filter(i=>l[i]).map(i=>I(l[i].image));const[r]=o;if(s==="statements"&&r&&r.pictures.length===a)return r.pictures.map(I);const d=n.find(({models:i})=>i.includes(t))?.example;return d?"digits"in d?d.digits.map(i=>c`<span class="home-digit">${i}</span>`):I(q+"/samples/"+encodeURIComponent(d.sample)+"/image"):null}function Wt(t,s,e){const a=Dt(t,e),n=Ut(t.accuracies),o=t.accuracies.length-n.length,l=a&&P(a.page,{model:t.id});return c`<li class="home-model" key=${t.id} data-model=${t.id}>
    <span class="home-reads" aria-hidden="true">${Ht(t,s)}</span>
    <div class="home-name">
      <h4>${t.id}</h4>
      <p class="hint">${Nt(t,s)}</p>
      <p class="hint">${Z(t.parameters)} parameters</p>
    </div>
    <ul class="home-accuracies">
      ${n.map(Gt)} ${!n.length&&c`<li class="hint">Its card tells of no accuracy.</li>`}
      ${o>0&&c`<li class="hint">${o} more on its card</li>`}
    </ul>
    <div class="home-ways">
      ${a&&c`<a class="tool tool-text" href=${l} onClick=${S}>${a.words}</a>`}
      <button
        type="button"
        class="tool tool-text"
        aria-haspopup="dialog"
        aria-label=${"Card of "+t.id}
        onClick=${()=>vt(t.id)}
      >
        Card
      </button>
    </div>
  </li>`}function Lt(){const{models:t,around:s,noModels:e}=u;return e?c`<p class="message-detail" role="alert">${e}</p>`:t?Bt(t).map(([a,n])=>c`<section class="home-family" key=${a}>
        <h3 class="small-title">${a} <span class="hint">${n.length}</span></h3>
        <ul class="home-members">
          ${n.map(o=>Wt(o,s,R.value))}
        </ul>
      </section>`):c`<div class="skeleton skeleton-models" aria-hidden="true"></div>`}x("home-models",t=>O(t,()=>c`<${zt} />`));const zt=()=>Lt(),jt=.9,Ft=2.5,Qt=.25;let k=!0;const H=()=>u.living?u.living.view.steps.length+1:0,_=gt(jt,()=>u.playing&&u.living&&k,t=>{const s=(u.time??0)+t;return b({time:s>=H()+Ft?0:s}),!0});function Zt(){b({playing:!u.playing}),u.playing&&_()}class qt{constructor(s,e){this.canvas=s,this.living=e,this.watch=new IntersectionObserver(([{isIntersecting:a}])=>{const n=a&&!k;k=a,s.dataset.seen=String(k),n&&u.playing&&_()}),this.watch.observe(s),this.rebuild(),this.stops=[Ot((a,n)=>(n.has("time")||n.has("playing"))&&this.draw()),st(()=>this.rebuild()),ot(s.parentElement,()=>this.rebuild())],u.playing&&_()}dispose(){this.watch.disconnect(),this.stops.forEach(s=>s()),k=!0}rebuild(){const{clientWidth:s,clientHeight:e}=this.canvas.parentElement;if(s<40||e<40)return;const{view:a,picture:n}=this.living,o={view:a,picture:n,threshold:Qt,baseline:null,showBaseline:!1},l=et();this.parts=it(o,s,e,l,Kt(this.living)),this.ribbons=lt(rt(this.parts),{width:s,height:e},l.font),this.draw()}draw(){const{parts:s,ribbons:e,canvas:a}=this;if(!s||!e)return;const{layout:n,theme:o,view:l}=s,r=l.steps.length-1,d=u.time===null?null:A()?Math.floor(u.time):u.time,i=d===null||d>=H()?null:d,h=i===null?r:Math.max(0,Math.min(r,Math.floor(i+.02)-1)),{frame:f,overlay:g}=ct(s,h),w=dt(a,n.width,n.height),p=m=>ft(w,m,o.font);w.clearRect(0,0,n.width,n.height),p(f),i===null?ut(w,e,n,1):pt(w,e,n,ht(s,i)),i!==null&&p(mt(s,i,null)),p(g),Object.assign(a.dataset,{painted:l.info.id,step:l.steps[h],playing:String(u.playing)})}}const Kt=({view:t,sample:s})=>t.info.model+" \xB7 "+s.name+" \xB7 no intervention";function Xt({view:t,sample:s}){const{model:e,predictions:a}=t.info,n=a.find(({domain:r})=>r===s.set)||a[0],o=s.label===null?"":", labelled "+s.label,l=n?": it says "+n.label+", "+nt(n.probabilities[n.label]):"";return s.name+o+", through "+e+l+"."}const W=({view:t,sample:s})=>P("paths",{model:t.info.model,sample:s.id,step:0});function Yt(){const{living:t,noPath:s,noModels:e,playing:a}=u,n=Y(null);if(J(()=>{if(!t||!n.current)return;const i=new qt(n.current,t);return()=>i.dispose()},[t]),s||e)return c`<p class="message-detail" role="status">${s||e}</p>`;if(!t)return c`<div key="coming" class="skeleton home-canvas" aria-hidden="true"></div>
      <div key="coming-said" class="home-said" aria-hidden="true"></div>`;const{sample:o,picture:l}=t,r=Xt(t),d="Open this path. "+r;return c`
    <a class="home-canvas" href=${W(t)} aria-label=${d} title="Open this path" onClick=${S}>
      <canvas ref=${n} aria-hidden="true"></canvas>
    </a>
    <div key="said" class="home-said">
      <img class="pixels" src=${l.href} alt="" width="40" height="40" />
      <p>
        ${r} ${o.stand_in&&c`<span class="tag tag-warn">stand-in data</span>`}
        <span class="hint">Columns are steps, dots functions, lines the tokens of the picture; computed just now.</span>
      </p>
      <a class="button" href=${W(t)} onClick=${S}>${C("path")}Open this path</a>
      <${tt} look="tool" act=${Zt} label=${a?"Pause the picture":"Play the picture"}>
        ${C(a?"pause":"play")}
      <//>
    </div>
  `}x("home-path",t=>O(t,()=>c`<${Yt} />`));const Jt={show(t,s,e){if(!s)return N();R.value=e;const a=s.map(({id:n})=>n);return Tt(t||{},a,e),N()}};x("home-page",()=>Et);export{Jt as callbacks};
