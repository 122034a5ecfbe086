/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{u as b,n as H,f as k,s as c,k as W,az as E,ab as A,P as N,ax as L,aA as z,G as j,z as O,i as x,ay as M,aB as S,aq as F,B as Q,w as Z,v as q,Z as K,_ as X,a as Y,A as J,r as tt,R as st,D as _}from"../../boot.js";import{aQ as et,o as nt,aR as at,aS as it,aT as ot,aU as lt,aH as rt,aV as ct,aW as dt,aX as ut,aY as pt,aI as ht,aZ as mt}from"../../shared.js";const ft=({model:s,html:t,complete:e})=>c`<form method="dialog" class="card-close">
      <h2 id="card-title">Card of ${s}</h2>
      <button class="tool tool-text" autofocus>Close</button>
    </form>
    <div class="card-text" tabindex="0" role="region" aria-label="Text of the card">
      <div dangerouslySetInnerHTML=${{__html:t}}></div>
      ${!e&&c`<p class="hint">The card goes on; this is as much of it as the service shows.</p>`}
    </div>`;async function gt(s){let t;try{t=await b("GET","/models/"+encodeURIComponent(s)+"/card")}catch(n){const{title:i,message:l}=n;H(i,l,"bad");return}const e=document.createElement("dialog");e.className="card-dialog",e.setAttribute("aria-labelledby","card-title");const a=k(e,()=>ft(t));e.addEventListener("close",()=>{a(),e.remove()}),document.body.append(e),e.showModal()}const wt=24,bt="None of the models here reads pictures and tells the compatibility of their tokens with its functions.",vt={models:null,around:{tasks:[],statements:[],samples:{},kinds:[]},living:null,noPath:null,noModels:null,playing:!1,time:null},{state:u,update:g,subscribe:$t}=W(vt);function U(s,t,e){const a=t.find(({path:i})=>i==="/paths");if(!a)return[];const n=s.filter(i=>i.samples&&i.fields.includes("compatibility")&&E(i,a));return[...n.filter(({id:i})=>i===e),...n.filter(({id:i})=>i!==e)]}const T=(s,t,e)=>b("GET",s).then(t,()=>e);async function yt(s){const t=o=>s.filter(m=>m.inputs===o),e=[...new Set(t("images").flatMap(({domains:o})=>o))],a=o=>"/samples?origin=data&limit=1&set="+encodeURIComponent(o),[n,i,l,...r]=await Promise.all([t("blocks").length?T("/block-tasks",({items:o})=>o,[]):[],t("statements").length?T("/statements?limit="+wt,({items:o})=>o,[]):[],T("/inputs",({items:o})=>o,[]),...e.map(o=>T(a(o),({items:m})=>m[0]||null,null))]),d=e.map((o,m)=>[o,r[m]]).filter(([,o])=>o);return{tasks:n,statements:i,kinds:l,samples:Object.fromEntries(d)}}async function B(s,t){const[e,a,n]=await Promise.all([b("POST","/traces",{model:s,sample:t}),b("GET","/samples/"+encodeURIComponent(t)),L(t)]);return{view:new et(e,await z(e.id,"compatibility")),picture:n,sample:a}}async function kt(s,t,e){const a=s[0];if(!a)throw new N(0,"No path",bt);const n=a.domains.map(i=>t.samples[i]).filter(Boolean);if(e.sample){const i=await B(a.id,e.sample).catch(()=>null);if(i)return i}if(!n.length)throw new N(0,"No path","There are no samples of what "+a.id+" reads.");return B(a.id,n[0].id)}let v=null;async function Ot(s){const{items:t}=await b("GET","/models"),e=({id:n})=>s.includes(n)?s.indexOf(n):s.length,a=t.sort((n,i)=>e(n)-e(i));return{models:a,around:await yt(a)}}let $=0;async function St(s,t,e){const a=$+=1;try{v=v||Ot(t);const{models:n,around:i}=await v;if(a!==$)return;g({models:n,around:i,noModels:null});const l=await kt(U(n,e,s.model),i,s);a===$&&g({living:l,noPath:null,time:null,playing:!A()})}catch(n){const{message:i}=n;u.models||(v=null),a===$&&g(u.models?{living:null,noPath:i}:{noModels:i})}}function Tt(){$+=1,v=null,g({models:null,living:null,playing:!1,time:null})}const Ct=200,P=j([]);function Et(s){const[t]=s,e=s.find(({kind:a,sentence:n})=>a!==t.kind&&n!==t.sentence);return t&&{s1:t.sentence,s2:e?.sentence??null,statement:t.id}}function xt(s,t,e,a){const n=p=>{const h=e.find(w=>w.path===p);return h?s.filter(w=>E(w,h)):[]},[i]=U(s,e),l=a??(i&&i.domains.map(p=>t.samples[p]?.id).find(Boolean)),[r]=n("/circuits"),d=({id:p})=>t.tasks.find(h=>h.models.includes(p)),o=p=>{const h=d(p)?.example;return h&&"digits"in h?h.digits:null},m=n("/blocks"),f=m.find(o)??m[0],C=r&&t.statements.length?Et(t.statements):{};return[{key:"follow",icon:"path",title:"Follow a digit",words:"through the functions of "+i?.id+", step by step",to:i&&{page:"paths",values:{model:i.id,sample:l,step:0}}},{key:"drop",icon:"drop",title:"Drop functions",words:"of "+i?.id+" and watch the accuracy, beside random drops",to:i&&{page:"drop",values:{model:i.id,units:[i.units[0]],samples:Ct}}},{key:"compare",icon:"circuits",title:"Compare two sentences",words:"and the circuits that they design in "+r?.id,to:r&&{page:"circuits",values:{model:r.id,...C}}},{key:"steer",icon:"blocks",title:"Steer blocks that copy",words:"or compute, in "+f?.id+": click a ribbon to change it",to:f&&{page:"blocks",values:{model:f.id,digits:o(f)??[]}}}].map(p=>({...p,to:p.to||null}))}function Mt({key:s,icon:t,title:e,words:a,to:n}){const i=c`${x(t)}
    <span
      ><strong>${e}</strong> <span class="hint">${n?a:"None of the models here is for this."}</span></span
    >`;if(!n)return c`<div class="home-door" data-door=${s} data-state="none">${i}</div>`;const l=M(n.page,n.values);return c`<a class="home-door" data-door=${s} href=${l} onClick=${S}>${i}</a>`}function Pt(){const{models:s,around:t,living:e}=u;return s?xt(s,t,P.value,e?.sample.id??null).map(Mt):null}O("home-doors",s=>k(s,Pt));const Rt=[["circuits","See circuits"],["blocks","See blocks"],["graphs","See the graph"],["paths","See a path"],["types","See types"],["drop","Drop units"]];function It(s,t){const e=Rt.find(([a])=>{const n=t.find(({path:i})=>i==="/"+a);return n&&E(s,n)});return e?{page:e[0],words:e[1]}:null}function At(s,{tasks:t,kinds:e}){const{id:a,inputs:n,labels:i,pictures:l}=s;if(n==="images")return"Which of "+i.length+" labels a picture has";if(n==="statements")return"Whether a sentence is true of "+(l??"some")+" pictures";const r=e.find(({name:d})=>d===n);return t.find(({models:d})=>d.includes(a))?.title??(r?"Reads "+r.words:"Reads "+n)}function Nt(s){const t=new Map;for(const e of s){const a=e.domain+" "+V(e);t.has(a)||t.set(a,e)}return[...t.values()]}const V=s=>!!s.held_out;function _t(s){const t=new Map;for(const e of s)t.set(e.family,[...t.get(e.family)||[],e]);return[...t]}const Ut=s=>s.toFixed(2);function Bt(s){const{accuracy:t,low:e,high:a,count:n,data:i,stand_in:l,measure:r}=s,d=r==="accuracy",o=d?q:Ut;return c`<li title=${Z(n)+" samples; 95 % "+(d?"Wilson":"bootstrap")+" interval"}>
    <span class="home-share"
      ><strong>${o(t)} ${d?"%":r}</strong> <span>(${o(e)} to ${o(a)})</span></span
    >
    <span class="home-data">
      ${i} ${l&&c`<span class="tag tag-warn">stand-in</span>`}
      ${V(s)&&c`<span class="tag tag-warn" title="never trained on">OOD</span>`}
    </span>
  </li>`}const R=s=>c`<img class="pixels" src=${s} alt="" width="32" height="32" loading="lazy" />`;function Vt({id:s,inputs:t,domains:e,pictures:a},{tasks:n,statements:i,samples:l}){if(t==="images")return e.filter(o=>l[o]).map(o=>R(l[o].image));const[r]=i;if(t==="statements"&&r&&r.pictures.length===a)return r.pictures.map(R);const d=n.find(({models:o})=>o.includes(s))?.example;return d?"digits"in d?d.digits.map(o=>c`<span class="home-digit">${o}</span>`):R(Q+"/samples/"+encodeURIComponent(d.sample)+"/image"):null}function Dt(s,t,e){const a=It(s,e),n=Nt(s.accuracies),i=s.accuracies.length-n.length,l=a&&M(a.page,{model:s.id});return c`<li class="home-model" key=${s.id} data-model=${s.id}>
    <span class="home-reads" aria-hidden="true">${Vt(s,t)}</span>
    <div class="home-name">
      <h4>${s.id}</h4>
      <p class="hint">${At(s,t)}</p>
      <p class="hint">${F(s.parameters)} parameters</p>
    </div>
    <ul class="home-accuracies">
      ${n.map(Bt)} ${!n.length&&c`<li class="hint">Its card tells of no accuracy.</li>`}
      ${i>0&&c`<li class="hint">${i} more on its card</li>`}
    </ul>
    <div class="home-ways">
      ${a&&c`<a class="tool tool-text" href=${l} onClick=${S}>${a.words}</a>`}
      <button
        type="button"
        class="tool tool-text"
        aria-haspopup="dialog"
        aria-label=${"Card of "+s.id}
        onClick=${()=>gt(s.id)}
      >
        Card
      </button>
    </div>
  </li>`}function Gt(){const{models:s,around:t,noModels:e}=u;return e?c`<p class="message-detail" role="alert">${e}</p>`:s?_t(s).map(([a,n])=>c`<section class="home-family" key=${a}>
        <h3 class="small-title">${a} <span class="hint">${n.length}</span></h3>
        <ul class="home-members">
          ${n.map(i=>Dt(i,t,P.value))}
        </ul>
      </section>`):c`<div class="skeleton skeleton-models" aria-hidden="true"></div>`}O("home-models",s=>k(s,()=>c`<${Ht} />`));const Ht=()=>Gt(),Wt=.9,Lt=2.5,zt=.25;let y=!0;const D=()=>u.living?u.living.view.steps.length+1:0,I=mt(Wt,()=>u.playing&&u.living&&y,s=>{const t=(u.time??0)+s;return g({time:t>=D()+Lt?0:t}),!0});function jt(){g({playing:!u.playing}),u.playing&&I()}class Ft{constructor(t,e){this.canvas=t,this.living=e,this.watch=new IntersectionObserver(([{isIntersecting:a}])=>{const n=a&&!y;y=a,t.dataset.seen=String(y),n&&u.playing&&I()}),this.watch.observe(t),this.rebuild(),this.stops=[$t((a,n)=>(n.has("time")||n.has("playing"))&&this.draw()),J(()=>this.rebuild()),nt(t.parentElement,()=>this.rebuild())],u.playing&&I()}dispose(){this.watch.disconnect(),this.stops.forEach(t=>t()),y=!0}rebuild(){const{clientWidth:t,clientHeight:e}=this.canvas.parentElement;if(t<40||e<40)return;const{view:a,picture:n}=this.living,i={view:a,picture:n,threshold:zt,baseline:null,showBaseline:!1},l=tt();this.parts=at(i,t,e,l,Qt(this.living)),this.ribbons=it(ot(this.parts),{width:t,height:e},l.font),this.draw()}draw(){const{parts:t,ribbons:e,canvas:a}=this;if(!t||!e)return;const{layout:n,theme:i,view:l}=t,r=l.steps.length-1,d=u.time===null?null:A()?Math.floor(u.time):u.time,o=d===null||d>=D()?null:d,m=o===null?r:Math.max(0,Math.min(r,Math.floor(o+.02)-1)),{frame:f,overlay:C}=lt(t,m),p=rt(a,n.width,n.height),h=w=>ht(p,w,i.font);p.clearRect(0,0,n.width,n.height),h(f),o===null?ct(p,e,n,1):dt(p,e,n,ut(t,o)),o!==null&&h(pt(t,o,null)),h(C),Object.assign(a.dataset,{painted:l.info.id,step:l.steps[m],playing:String(u.playing)})}}const Qt=({view:s,sample:t})=>s.info.model+" \xB7 "+t.name+" \xB7 no intervention";function Zt({view:s,sample:t}){const{model:e,predictions:a}=s.info,n=a.find(({domain:r})=>r===t.set)||a[0],i=t.label===null?"":", labelled "+t.label,l=n?": it says "+n.label+", "+st(n.probabilities[n.label]):"";return t.name+i+", through "+e+l+"."}const G=({view:s,sample:t})=>M("paths",{model:s.info.model,sample:t.id,step:0});function qt(){const{living:s,noPath:t,noModels:e,playing:a}=u,n=K(null);if(X(()=>{if(!s||!n.current)return;const o=new Ft(n.current,s);return()=>o.dispose()},[s]),t||e)return c`<p class="message-detail" role="status">${t||e}</p>`;if(!s)return c`<div key="coming" class="skeleton home-canvas" aria-hidden="true"></div>
      <div key="coming-said" class="home-said" aria-hidden="true"></div>`;const{sample:i,picture:l}=s,r=Zt(s),d="Open this path. "+r;return c`
    <a class="home-canvas" href=${G(s)} aria-label=${d} title="Open this path" onClick=${S}>
      <canvas ref=${n} aria-hidden="true"></canvas>
    </a>
    <div key="said" class="home-said">
      <img class="pixels" src=${l.href} alt="" width="40" height="40" />
      <p>
        ${r} ${i.stand_in&&c`<span class="tag tag-warn">stand-in data</span>`}
        <span class="hint">Columns are steps, dots functions, lines the tokens of the picture; computed just now.</span>
      </p>
      <a class="button" href=${G(s)} onClick=${S}>${x("path")}Open this path</a>
      <${Y} look="tool" act=${jt} label=${a?"Pause the picture":"Play the picture"}>
        ${x(a?"pause":"play")}
      <//>
    </div>
  `}O("home-path",s=>k(s,()=>c`<${qt} />`));const Kt={show(s,t,e){if(!t)return _();P.value=e;const a=t.map(({id:n})=>n);return St(s||{},a,e),_()}};O("home-page",()=>Tt);export{Kt as callbacks};
