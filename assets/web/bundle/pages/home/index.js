/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{u as v,n as L,f as O,s as c,k as z,az as M,ab as A,P as N,ax as j,aA as F,G as Q,z as x,i as S,ay as P,aB as T,aq as Z,B as q,w as K,v as X,Z as Y,_ as J,a as tt,A as st,r as et,R as nt,D}from"../../boot.js";import{aQ as at,o as it,aR as ot,aS as lt,aT as rt,aU as ct,aH as dt,aV as ut,aW as pt,aX as ht,aY as mt,aI as ft,aZ as gt}from"../../shared.js";const wt=({model:s,html:t,complete:e})=>c`<form method="dialog" class="card-close">
      <h2 id="card-title">Card of ${s}</h2>
      <button class="tool tool-text" autofocus>Close</button>
    </form>
    <div class="card-text" tabindex="0" role="region" aria-label="Text of the card">
      <div dangerouslySetInnerHTML=${{__html:t}}></div>
      ${!e&&c`<p class="hint">The card goes on; this is as much of it as the service shows.</p>`}
    </div>`;async function bt(s){let t;try{t=await v("GET","/models/"+encodeURIComponent(s)+"/card")}catch(n){const{title:i,message:l}=n;L(i,l,"bad");return}const e=document.createElement("dialog");e.className="card-dialog",e.setAttribute("aria-labelledby","card-title");const a=O(e,()=>wt(t));e.addEventListener("close",()=>{a(),e.remove()}),document.body.append(e),e.showModal()}const vt=24,yt="None of the models here reads pictures and tells the compatibility of their tokens with its functions.",$t={models:null,around:{tasks:[],statements:[],samples:{},kinds:[]},living:null,noPath:null,noModels:null,playing:!1,time:null},{state:u,update:b,subscribe:kt}=z($t);function U(s,t,e){const a=t.find(({path:i})=>i==="/paths");if(!a)return[];const n=s.filter(i=>i.samples&&i.fields.includes("compatibility")&&M(i,a));return[...n.filter(({id:i})=>i===e),...n.filter(({id:i})=>i!==e)]}const C=(s,t,e)=>v("GET",s).then(t,()=>e);async function Ot(s){const t=o=>s.filter(h=>h.inputs===o),e=[...new Set(t("images").flatMap(({domains:o})=>o))],a=o=>"/samples?origin=data&limit=1&set="+encodeURIComponent(o),[n,i,l,...r]=await Promise.all([t("blocks").length?C("/block-tasks",({items:o})=>o,[]):[],t("statements").length?C("/statements?limit="+vt,({items:o})=>o,[]):[],C("/inputs",({items:o})=>o,[]),...e.map(o=>C(a(o),({items:h})=>h[0]||null,null))]),d=e.map((o,h)=>[o,r[h]]).filter(([,o])=>o);return{tasks:n,statements:i,kinds:l,samples:Object.fromEntries(d)}}async function B(s,t){const[e,a,n]=await Promise.all([v("POST","/traces",{model:s,sample:t}),v("GET","/samples/"+encodeURIComponent(t)),j(t)]);return{view:new at(e,await F(e.id,"compatibility")),picture:n,sample:a}}async function xt(s,t,e){const a=s[0];if(!a)throw new N(0,"No path",yt);const n=a.domains.map(i=>t.samples[i]).filter(Boolean);if(e.sample){const i=await B(a.id,e.sample).catch(()=>null);if(i)return i}if(!n.length)throw new N(0,"No path","There are no samples of what "+a.id+" reads.");return B(a.id,n[0].id)}let y=null;async function St(s){const{items:t}=await v("GET","/models"),e=({id:n})=>s.includes(n)?s.indexOf(n):s.length,a=t.sort((n,i)=>e(n)-e(i));return{models:a,around:await Ot(a)}}let $=0;async function Tt(s,t,e){const a=$+=1;try{y=y||St(t);const{models:n,around:i}=await y;if(a!==$)return;b({models:n,around:i,noModels:null});const l=await xt(U(n,e,s.model),i,s);a===$&&b({living:l,noPath:null,time:null,playing:!A()})}catch(n){const{message:i}=n;u.models||(y=null),a===$&&b(u.models?{living:null,noPath:i}:{noModels:i})}}function Ct(){$+=1,y=null,b({models:null,living:null,playing:!1,time:null})}const V=200,R=Q([]);function Et(s){const[t]=s,e=s.find(({kind:a,sentence:n})=>a!==t.kind&&n!==t.sentence);return t&&{s1:t.sentence,s2:e?.sentence??null,statement:t.id}}function Mt(s,t,e,a){const n=p=>{const m=e.find(E=>E.path===p);return m?s.filter(E=>M(E,m)):[]},[i]=U(s,e),l=a??(i&&i.domains.map(p=>t.samples[p]?.id).find(Boolean)),[r]=n("/circuits"),d=({id:p})=>t.tasks.find(m=>m.models.includes(p)),o=p=>{const m=d(p)?.example;return m&&"digits"in m?m.digits:null},h=n("/blocks"),f=h.find(o)??h[0],g=n("/drop").find(({fields:p})=>p.includes("router_logits")),w=r&&t.statements.length?Et(t.statements):{};return[{key:"follow",icon:"path",title:"Follow a digit",words:"through the functions of "+i?.id+", step by step",to:i&&{page:"paths",values:{model:i.id,sample:l,step:0}}},{key:"drop",icon:"drop",title:"Drop functions",words:"of "+i?.id+" and watch the accuracy, beside random drops",to:i&&{page:"drop",values:{model:i.id,units:[i.units[0]],samples:V}}},{key:"compare",icon:"circuits",title:"Compare two sentences",words:"and the circuits that they design in "+r?.id,to:r&&{page:"circuits",values:{model:r.id,...w}}},{key:"steer",icon:"blocks",title:"Steer blocks that copy",words:"or compute, in "+f?.id+": click a ribbon to change it",to:f&&{page:"blocks",values:{model:f.id,digits:o(f)??[]}}},{key:"experts",icon:"graph",title:"Drop experts",words:"of "+g?.id+", layer by layer, and watch the bits a byte",to:g&&{page:"drop",values:{model:g.id,units:[g.units[0]],samples:V}}}].map(p=>({...p,to:p.to||null}))}const Pt=()=>c`<button type="button" class="home-door" data-door="own" data-help="own">
    ${S("upload")}
    <span
      ><strong>Open your own</strong>
      <span class="hint">mixture of experts, of transformers or your own code</span></span
    >
  </button>`;function Rt({key:s,icon:t,title:e,words:a,to:n}){const i=c`${S(t)}
    <span
      ><strong>${e}</strong> <span class="hint">${n?a:"None of the models here is for this."}</span></span
    >`;if(!n)return c`<div class="home-door" data-door=${s} data-state="none">${i}</div>`;const l=P(n.page,n.values);return c`<a class="home-door" data-door=${s} href=${l} onClick=${T}>${i}</a>`}function It(){const{models:s,around:t,living:e}=u;return s?[...Mt(s,t,R.value,e?.sample.id??null).map(Rt),Pt()]:null}x("home-doors",s=>O(s,It));const _t=[["circuits","See circuits"],["blocks","See blocks"],["graphs","See the graph"],["paths","See a path"],["types","See types"],["drop","Drop units"]];function At(s,t){const e=_t.find(([a])=>{const n=t.find(({path:i})=>i==="/"+a);return n&&M(s,n)});return e?{page:e[0],words:e[1]}:null}function Nt(s,{tasks:t,kinds:e}){const{id:a,inputs:n,labels:i,pictures:l}=s;if(n==="images")return"Which of "+i.length+" labels a picture has";if(n==="statements")return"Whether a sentence is true of "+(l??"some")+" pictures";const r=e.find(({name:d})=>d===n);return t.find(({models:d})=>d.includes(a))?.title??(r?"Reads "+r.words:"Reads "+n)}function Dt(s){const t=new Map;for(const e of s){const a=e.domain+" "+G(e);t.has(a)||t.set(a,e)}return[...t.values()]}const G=s=>!!s.held_out;function Ut(s){const t=new Map;for(const e of s)t.set(e.family,[...t.get(e.family)||[],e]);return[...t]}const Bt=s=>s.toFixed(2);function Vt(s){const{accuracy:t,low:e,high:a,count:n,data:i,stand_in:l,measure:r}=s,d=r==="accuracy",o=d?X:Bt;return c`<li title=${K(n)+" samples; 95 % "+(d?"Wilson":"bootstrap")+" interval"}>
    <span class="home-share"
      ><strong>${o(t)} ${d?"%":r}</strong> <span>(${o(e)} to ${o(a)})</span></span
    >
    <span class="home-data">
      ${i} ${l&&c`<span class="tag tag-warn">stand-in</span>`}
      ${G(s)&&c`<span class="tag tag-warn" title="never trained on">OOD</span>`}
    </span>
  </li>`}const I=s=>c`<img class="pixels" src=${s} alt="" width="32" height="32" loading="lazy" />`;function Gt({id:s,inputs:t,domains:e,pictures:a},{tasks:n,statements:i,samples:l}){if(t==="images")return e.filter(o=>l[o]).map(o=>I(l[o].image));const[r]=i;if(t==="statements"&&r&&r.pictures.length===a)return r.pictures.map(I);const d=n.find(({models:o})=>o.includes(s))?.example;return d?"digits"in d?d.digits.map(o=>c`<span class="home-digit">${o}</span>`):I(q+"/samples/"+encodeURIComponent(d.sample)+"/image"):null}function Ht(s,t,e){const a=At(s,e),n=Dt(s.accuracies),i=s.accuracies.length-n.length,l=a&&P(a.page,{model:s.id});return c`<li class="home-model" key=${s.id} data-model=${s.id}>
    <span class="home-reads" aria-hidden="true">${Gt(s,t)}</span>
    <div class="home-name">
      <h4>${s.id}</h4>
      <p class="hint">${Nt(s,t)}</p>
      <p class="hint">${Z(s.parameters)} parameters</p>
    </div>
    <ul class="home-accuracies">
      ${n.map(Vt)} ${!n.length&&c`<li class="hint">Its card tells of no accuracy.</li>`}
      ${i>0&&c`<li class="hint">${i} more on its card</li>`}
    </ul>
    <div class="home-ways">
      ${a&&c`<a class="tool tool-text" href=${l} onClick=${T}>${a.words}</a>`}
      <button
        type="button"
        class="tool tool-text"
        aria-haspopup="dialog"
        aria-label=${"Card of "+s.id}
        onClick=${()=>bt(s.id)}
      >
        Card
      </button>
    </div>
  </li>`}function Wt(){const{models:s,around:t,noModels:e}=u;return e?c`<p class="message-detail" role="alert">${e}</p>`:s?Ut(s).map(([a,n])=>c`<section class="home-family" key=${a}>
        <h3 class="small-title">${a} <span class="hint">${n.length}</span></h3>
        <ul class="home-members">
          ${n.map(i=>Ht(i,t,R.value))}
        </ul>
      </section>`):c`<div class="skeleton skeleton-models" aria-hidden="true"></div>`}x("home-models",s=>O(s,()=>c`<${Lt} />`));const Lt=()=>Wt(),zt=.9,jt=2.5,Ft=.25;let k=!0;const H=()=>u.living?u.living.view.steps.length+1:0,_=gt(zt,()=>u.playing&&u.living&&k,s=>{const t=(u.time??0)+s;return b({time:t>=H()+jt?0:t}),!0});function Qt(){b({playing:!u.playing}),u.playing&&_()}class Zt{constructor(t,e){this.canvas=t,this.living=e,this.watch=new IntersectionObserver(([{isIntersecting:a}])=>{const n=a&&!k;k=a,t.dataset.seen=String(k),n&&u.playing&&_()}),this.watch.observe(t),this.rebuild(),this.stops=[kt((a,n)=>(n.has("time")||n.has("playing"))&&this.draw()),st(()=>this.rebuild()),it(t.parentElement,()=>this.rebuild())],u.playing&&_()}dispose(){this.watch.disconnect(),this.stops.forEach(t=>t()),k=!0}rebuild(){const{clientWidth:t,clientHeight:e}=this.canvas.parentElement;if(t<40||e<40)return;const{view:a,picture:n}=this.living,i={view:a,picture:n,threshold:Ft,baseline:null,showBaseline:!1},l=et();this.parts=ot(i,t,e,l,qt(this.living)),this.ribbons=lt(rt(this.parts),{width:t,height:e},l.font),this.draw()}draw(){const{parts:t,ribbons:e,canvas:a}=this;if(!t||!e)return;const{layout:n,theme:i,view:l}=t,r=l.steps.length-1,d=u.time===null?null:A()?Math.floor(u.time):u.time,o=d===null||d>=H()?null:d,h=o===null?r:Math.max(0,Math.min(r,Math.floor(o+.02)-1)),{frame:f,overlay:g}=ct(t,h),w=dt(a,n.width,n.height),p=m=>ft(w,m,i.font);w.clearRect(0,0,n.width,n.height),p(f),o===null?ut(w,e,n,1):pt(w,e,n,ht(t,o)),o!==null&&p(mt(t,o,null)),p(g),Object.assign(a.dataset,{painted:l.info.id,step:l.steps[h],playing:String(u.playing)})}}const qt=({view:s,sample:t})=>s.info.model+" \xB7 "+t.name+" \xB7 no intervention";function Kt({view:s,sample:t}){const{model:e,predictions:a}=s.info,n=a.find(({domain:r})=>r===t.set)||a[0],i=t.label===null?"":", labelled "+t.label,l=n?": it says "+n.label+", "+nt(n.probabilities[n.label]):"";return t.name+i+", through "+e+l+"."}const W=({view:s,sample:t})=>P("paths",{model:s.info.model,sample:t.id,step:0});function Xt(){const{living:s,noPath:t,noModels:e,playing:a}=u,n=Y(null);if(J(()=>{if(!s||!n.current)return;const o=new Zt(n.current,s);return()=>o.dispose()},[s]),t||e)return c`<p class="message-detail" role="status">${t||e}</p>`;if(!s)return c`<div key="coming" class="skeleton home-canvas" aria-hidden="true"></div>
      <div key="coming-said" class="home-said" aria-hidden="true"></div>`;const{sample:i,picture:l}=s,r=Kt(s),d="Open this path. "+r;return c`
    <a class="home-canvas" href=${W(s)} aria-label=${d} title="Open this path" onClick=${T}>
      <canvas ref=${n} aria-hidden="true"></canvas>
    </a>
    <div key="said" class="home-said">
      <img class="pixels" src=${l.href} alt="" width="40" height="40" />
      <p>
        ${r} ${i.stand_in&&c`<span class="tag tag-warn">stand-in data</span>`}
        <span class="hint">Columns are steps, dots functions, lines the tokens of the picture; computed just now.</span>
      </p>
      <a class="button" href=${W(s)} onClick=${T}>${S("path")}Open this path</a>
      <${tt} look="tool" act=${Qt} label=${a?"Pause the picture":"Play the picture"}>
        ${S(a?"pause":"play")}
      <//>
    </div>
  `}x("home-path",s=>O(s,()=>c`<${Xt} />`));const Yt={show(s,t,e){if(!t)return D();R.value=e;const a=t.map(({id:n})=>n);return Tt(s||{},a,e),D()}};x("home-page",()=>Ct);export{Yt as callbacks};
