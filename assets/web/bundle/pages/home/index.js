/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{d as v,h as tt,m as S,s as u,x as et,aX as P,av as j,S as D,aW as st,aY as G,O as nt,J as E,i as C,ai as _,ah as M,aN as at,B as it,C as ot,E as A,w as V,ad as lt,ae as rt,a as ct,K as dt,r as ut,a5 as pt,M as B}from"../../boot.js";import{b2 as L,o as ht,b3 as mt,b4 as ft,b5 as gt,b6 as wt,aG as bt,b7 as vt,b8 as $t,b9 as yt,ba as kt,a_ as xt,bb as Ot}from"../../shared.js";const Tt=({model:t,html:e,complete:n})=>u`<form method="dialog" class="card-close">
      <h2 id="card-title">Card of ${t}</h2>
      <button class="tool tool-text" autofocus>Close</button>
    </form>
    <div class="card-text" tabindex="0" role="region" aria-label="Text of the card">
      <div dangerouslySetInnerHTML=${{__html:e}}></div>
      ${!n&&u`<p class="hint">The card goes on; this is as much of it as the service shows.</p>`}
    </div>`;async function St(t){let e;try{e=await v("GET","/models/"+encodeURIComponent(t)+"/card")}catch(s){const{title:i,message:o}=s;tt(i,o,"bad");return}const n=document.createElement("dialog");n.className="card-dialog",n.setAttribute("aria-labelledby","card-title");const a=S(n,()=>Tt(e));n.addEventListener("close",()=>{a(),n.remove()}),document.body.append(n),n.showModal()}const Et=24,Ct="No path plays: none of the models here tells how tokens of a picture or a text match its units.",I="text",W=3,Mt={models:null,around:{tasks:[],statements:[],samples:{},texts:{},kinds:[]},living:null,instead:null,noPath:null,noModels:null,playing:!1,time:null},{state:h,update:$,subscribe:Pt}=et(Mt);function H(t,e,n){const a=e.find(({path:o})=>o==="/paths");if(!a)return[];const s=o=>o.samples||o.inputs===I,i=t.filter(o=>s(o)&&o.fields.includes("compatibility")&&P(o,a));return[...i.filter(({id:o})=>o===n),...i.filter(({id:o})=>o!==n)]}const y=(t,e,n)=>v("GET",t).then(e,()=>n);function F(t,e,n){const a=new Set(t.filter(s=>s.inputs===e).flatMap(({domains:s})=>s));return n.filter(s=>s.inputs===e&&a.has(s.name)).map(({name:s})=>s)}async function _t(t){const e=c=>t.filter(f=>f.inputs===c),n=await y("/data",({items:c})=>c,[]),a=F(t,"images",n),s=c=>"/samples?origin=data&limit=1&set="+encodeURIComponent(c),i=F(t,I,n),o=c=>"/tables?limit=1&rows="+W+"&set="+encodeURIComponent(c),[l,d,r,m,...g]=await Promise.all([e("blocks").length?y("/block-tasks",({items:c})=>c,[]):[],e("statements").length?y("/statements?limit="+Et,({items:c})=>c,[]):[],y("/inputs",({items:c})=>c,[]),Promise.all(i.map(c=>y(o(c),({items:f})=>f[0]||null,null))),...a.map(c=>y(s(c),({items:f})=>f[0]||null,null))]),b=(c,f)=>Object.fromEntries(c.map((p,w)=>[p,f[w]]).filter(([,p])=>p));return{tasks:l,statements:d,kinds:r,samples:b(a,g),texts:b(i,m)}}async function It(t,e){const[n,{set:a,set_title:s,stand_in:i,rows:o}]=await Promise.all([v("POST","/traces",{model:t,sample:e,fields:["compatibility"]}),v("GET","/tables/"+encodeURIComponent(e))]),l=new L(n,await G(n.id,"compatibility")),d=o.slice(0,W).map(([,m])=>String(m)),r={id:e,name:a===null?s:e,label:null,set:a,stand_in:i,begins:d.join(" ")};return{view:l,picture:null,sample:r}}async function q({id:t,inputs:e},n){if(e===I)return It(t,n);const[a,s,i]=await Promise.all([v("POST","/traces",{model:t,sample:n}),v("GET","/samples/"+encodeURIComponent(n)),st(n)]);return{view:new L(a,await G(a.id,"compatibility")),picture:i,sample:s}}async function Rt(t,e,n){const a=({domains:o})=>o.map(l=>e.samples[l]??e.texts[l]).filter(Boolean),s=t.find(o=>o.id===n.model||a(o).length)??t[0];if(!s)throw new D(0,"No path",Ct);const i=a(s);if(n.sample){const o=await q(s,n.sample).catch(()=>null);if(o)return o}if(!i.length)throw new D(0,"No path","There are no samples of what "+s.id+" reads.");return q(s,i[0].id)}let k=null,z="";async function Nt(t){const{items:e}=await v("GET","/models"),n=({id:s})=>t.includes(s)?t.indexOf(s):t.length,a=e.sort((s,i)=>n(s)-n(i));return{models:a,around:await _t(a)}}let x=0;async function Ut(t,e,n){const a=x+=1;try{e.join(" ")!==z&&(k=null),z=e.join(" "),k=k||Nt(e);const{models:s,around:i}=await k;if(a!==x)return;$({models:s,around:i,noModels:null});const o=await Rt(H(s,n,t.model),i,t),l=s.some(({id:r})=>r===t.model)?t.model??null:null,d=l===o.view.info.model?null:l;a===x&&$({living:o,instead:d,noPath:null,time:null,playing:!j()})}catch(s){const{message:i}=s;h.models||(k=null),a===x&&$(h.models?{living:null,noPath:i}:{noModels:i})}}function jt(){x+=1,k=null,$({models:null,living:null,playing:!1,time:null})}const K=200,R=nt([]);function Dt(t){const[e]=t,n=t.find(({kind:a,sentence:s})=>a!==e.kind&&s!==e.sentence);return e&&{s1:e.sentence,s2:n?.sentence??null,statement:e.id}}function Gt(t,e,n,a){const s=p=>{const w=n.find(T=>T.path===p);return w?t.filter(T=>P({...T,unit_count:T.units.length},w)):[]},i=H(t,n).find(({samples:p})=>p),o=a??(i&&i.domains.map(p=>e.samples[p]?.id).find(Boolean)),[l]=s("/circuits"),d=({id:p})=>e.tasks.find(w=>w.models.includes(p)),r=p=>{const w=d(p)?.example;return w&&"digits"in w?w.digits:null},m=s("/blocks"),g=m.find(r)??m[0],b=s("/drop").filter(({fields:p})=>p.includes("router_logits")),c=b.find(({accuracies:p})=>p.length)??b[0],f=l&&e.statements.length?Dt(e.statements):{};return[{key:"follow",icon:"path",title:"Follow a digit",words:"through the functions of "+i?.id+", step by step",to:i&&{page:"paths",values:{model:i.id,sample:o,step:0}}},{key:"drop",icon:"drop",title:"Drop functions",words:"of "+i?.id+" and watch the accuracy, beside random drops",to:i&&{page:"drop",values:{model:i.id,units:[i.units[0]],samples:K}}},{key:"compare",icon:"circuits",title:"Compare two sentences",words:"and the circuits that they design in "+l?.id,to:l&&{page:"circuits",values:{model:l.id,...f}}},{key:"steer",icon:"blocks",title:"Steer blocks that copy",words:"or compute, in "+g?.id+": click a ribbon to change it",to:g&&{page:"blocks",values:{model:g.id,digits:r(g)??[]}}},{key:"experts",icon:"graph",title:"Drop experts",words:"of "+c?.id+", layer by layer, and watch the bits a byte",to:c&&{page:"drop",values:{model:c.id,units:[c.units[0]],samples:K}}}].map(p=>({...p,to:p.to||null}))}const At=()=>u`<button type="button" class="home-door" data-door="own" data-help="own">
    ${C("upload")}
    <span
      ><strong>Open your own</strong>
      <span class="hint">mixture of experts, of transformers or your own code</span></span
    >
  </button>`;function Vt({key:t,icon:e,title:n,words:a,to:s}){const i=u`${C(e)}
    <span
      ><strong>${n}</strong> <span class="hint">${s?a:"None of the models here is for this."}</span></span
    >`;if(!s)return u`<div class="home-door" data-door=${t} data-state="none">${i}</div>`;const o=_(s.page,s.values);return u`<a class="home-door" data-door=${t} href=${o} onClick=${M}>${i}</a>`}function Bt(){const{models:t,around:e,living:n}=h;if(!t)return null;const a=n?.picture?n.sample.id:null;return[...Gt(t,e,R.value,a).map(Vt),At()]}E("home-doors",t=>S(t,Bt));const Lt=[["circuits","See circuits"],["blocks","See blocks"],["graphs","See the graph"],["paths","See a path"],["types","See types"],["drop","Drop units"]];function Wt(t,e){const n=Lt.find(([a])=>{const s=e.find(({path:i})=>i==="/"+a);return s&&P({...t,unit_count:t.units.length},s)});return n?{page:n[0],words:n[1]}:null}function Ht(t,{tasks:e,kinds:n}){const{id:a,inputs:s,labels:i,pictures:o}=t;if(s==="images")return"Which of "+i.length+" labels a picture has";if(s==="statements")return"Whether a sentence is true of "+(o??"some")+" pictures";const l=n.find(({name:d})=>d===s);return e.find(({models:d})=>d.includes(a))?.title??(l?"Reads "+l.words:"Reads "+s)}function Ft(t){const e=new Map;for(const n of t){const a=n.domain+" "+Q(n);e.has(a)||e.set(a,n)}return[...e.values()]}const Q=t=>!!t.held_out;function qt(t){const e=new Map;for(const n of t)e.set(n.family,[...e.get(n.family)||[],n]);return[...e]}const zt=6;function X(t){const{accuracy:e,low:n,high:a,count:s,data:i,stand_in:o,measure:l}=t,d=l==="accuracy",r=d?A:V,[,m,g,b]=/^([^(]*?)( \([^)]*\))?(, .*)?$/.exec(i)??[null,i];return u`<li title=${ot(s)+" samples; 95 % "+(d?"Wilson":"bootstrap")+" interval"}>
    <span class="home-share"
      ><strong>${r(e)} ${d?"%":l}</strong> <span>(${r(n)} to ${r(a)})</span></span
    >
    <span class="home-data">
      ${m}<span class="home-aside">${g}</span>${b}
      ${o&&u`<span class="tag tag-warn">stand-in</span>`}
      ${Q(t)&&u`<span class="tag tag-warn" title="never trained on">OOD</span>`}
    </span>
  </li>`}function Kt(t){const e=t[0].measure==="accuracy",n=e?A:V,a=t.map(({accuracy:o})=>o),s=a.reduce((o,l)=>o+l,0)/a.length,i=n(Math.min(...a))+" to "+n(Math.max(...a));return u`<li>
    <details>
      <summary>
        <strong>${n(s)} ${e?"%":t[0].measure}</strong>
        ${" on average over "+a.length+" data sets ("+i+")"}
      </summary>
      <ul class="home-accuracies">
        ${t.map(X)}
      </ul>
    </details>
  </li>`}const N=t=>u`<img class="pixels" src=${t} alt="" width="32" height="32" loading="lazy" />`;function Qt({id:t,inputs:e,domains:n,pictures:a},{tasks:s,statements:i,samples:o}){if(e==="images")return n.filter(r=>o[r]).map(r=>N(o[r].image));const[l]=i;if(e==="statements"&&l&&l.pictures.length===a)return l.pictures.map(N);const d=s.find(({models:r})=>r.includes(t))?.example;return d?"digits"in d?d.digits.map(r=>u`<span class="home-digit">${r}</span>`):N(it+"/samples/"+encodeURIComponent(d.sample)+"/image"):null}function Xt(t,e,n){const a=Wt(t,n),s=Ft(t.accuracies),i=t.accuracies.length-s.length,o=a&&_(a.page,{model:t.id});return u`<li class="home-model" key=${t.id} data-model=${t.id}>
    <span class="home-reads" aria-hidden="true">${Qt(t,e)}</span>
    <div class="home-name">
      <h4>${t.id}</h4>
      <p class="hint">${Ht(t,e)}</p>
      <p class="hint">${at(t.parameters)} parameters</p>
      ${t.objectives?.map(l=>u`<p class="hint" key=${l}>In training ${l}.</p>`)}
    </div>
    <ul class="home-accuracies">
      ${s.length>zt?Kt(s):s.map(X)}
      ${!s.length&&u`<li class="hint">Its card has no accuracy.</li>`}
      ${i>0&&u`<li class="hint">${i} more on its card</li>`}
    </ul>
    <div class="home-ways">
      ${a&&u`<a class="tool tool-text" href=${o} onClick=${M}>${a.words}</a>`}
      <button
        type="button"
        class="tool tool-text"
        aria-haspopup="dialog"
        aria-label=${"Card of "+t.id}
        onClick=${()=>St(t.id)}
      >
        Card
      </button>
    </div>
  </li>`}function Jt(){const{models:t,around:e,noModels:n}=h;return n?u`<p class="message-detail" role="alert">${n}</p>`:t?qt(t).map(([a,s])=>u`<section class="home-family" key=${a}>
        <h3 class="small-title">${a} <span class="hint">${s.length}</span></h3>
        <ul class="home-members">
          ${s.map(i=>Xt(i,e,R.value))}
        </ul>
      </section>`):u`<div class="skeleton skeleton-models" aria-hidden="true"></div>`}E("home-models",t=>S(t,()=>u`<${Yt} />`));const Yt=()=>Jt(),Zt=.9,te=2.5,J=44,ee=.25;let O=!0;const Y=()=>h.living?h.living.view.steps.length+1:0,U=Ot(Zt,()=>h.playing&&h.living&&O,t=>{const e=(h.time??0)+t;return $({time:e>=Y()+te?0:e}),!0});function se(){$({playing:!h.playing}),h.playing&&U()}class ne{constructor(e,n){this.canvas=e,this.living=n,this.watch=new IntersectionObserver(([{isIntersecting:a}])=>{const s=a&&!O;O=a,e.dataset.seen=String(O),s&&h.playing&&U()}),this.watch.observe(e),this.rebuild(),this.stops=[Pt((a,s)=>(s.has("time")||s.has("playing"))&&this.draw()),dt(()=>this.rebuild()),ht(e.parentElement,()=>this.rebuild())],h.playing&&U()}dispose(){this.watch.disconnect(),this.stops.forEach(e=>e()),O=!0}rebuild(){const{clientWidth:e,clientHeight:n}=this.canvas.parentElement;if(e<40||n<40)return;const{view:a,picture:s}=this.living,i={view:a,picture:s,threshold:ee,baseline:null,showBaseline:!1},o=ut();this.parts=mt(i,e,n,o,ae(this.living)),this.ribbons=ft(gt(this.parts),{width:e,height:n},o.font),this.draw()}draw(){const{parts:e,ribbons:n,canvas:a}=this;if(!e||!n)return;const{layout:s,theme:i,view:o}=e,l=o.steps.length-1,d=h.time===null?null:j()?Math.floor(h.time):h.time,r=d===null||d>=Y()?null:d,m=r===null?l:Math.max(0,Math.min(l,Math.floor(r+.02)-1)),{frame:g,overlay:b}=wt(e,m),c=bt(a,s.width,s.height),f=p=>xt(c,p,i.font);c.clearRect(0,0,s.width,s.height),f(g),r===null?vt(c,n,s,1):$t(c,n,s,yt(e,r)),r!==null&&f(kt(e,r,null)),f(b),Object.assign(a.dataset,{painted:o.info.id,step:o.steps[m],playing:String(h.playing)})}}const ae=({view:t,sample:e})=>t.info.model+" \xB7 "+e.name+" \xB7 no intervention";function ie({view:t,sample:e}){const{model:n,predictions:a}=t.info,s=a.find(({domain:r})=>r===e.set)||a[0],i=e.label===null?"":", labelled "+e.label,o=s?": it says "+s.labels[s.label]+", "+pt(s.probabilities[s.label]):"",l=(e.begins??"").trim();return(l&&"\u201C"+l.slice(0,J)+(l.length>J?"\u2026":"")+"\u201D, ")+e.name+i+", through "+n+o+"."}const oe=({picture:t})=>t?"Columns are steps, dots functions, lines the tokens of the picture; computed just now.":"Columns are layers, dots experts, lines the tokens of the text; computed just now.",Z=({view:t,sample:e})=>_("paths",{model:t.info.model,sample:e.id,step:0});function le(){const{living:t,instead:e,noPath:n,noModels:a,playing:s}=h,i=lt(null);if(rt(()=>{if(!t||!i.current)return;const m=new ne(i.current,t);return()=>m.dispose()},[t]),n||a)return u`<p class="message-detail" role="status">${n||a}</p>`;if(!t)return u`<div key="coming" class="skeleton home-canvas" aria-hidden="true"></div>
      <div key="coming-said" class="home-said" aria-hidden="true"></div>`;const{sample:o,picture:l}=t,d=ie(t),r="Open this path. "+d;return u`
    <a class="home-canvas" href=${Z(t)} aria-label=${r} title="Open this path" onClick=${M}>
      <canvas ref=${i} aria-hidden="true"></canvas>
    </a>
    <div key="said" class="home-said">
      ${l&&u`<img class="pixels" src=${l.href} alt="" width="40" height="40" />`}
      <p>
        ${d} ${o.stand_in&&u`<span class="tag tag-warn">stand-in data</span>`}
        <span class="hint">${e?"No path of "+e+" plays here. ":""}${oe(t)}</span>
      </p>
      <a class="button" href=${Z(t)} onClick=${M}>${C("path")}Open this path</a>
      <${ct} look="tool" act=${se} label=${s?"Pause the picture":"Play the picture"}>
        ${C(s?"pause":"play")}
      <//>
    </div>
  `}E("home-path",t=>S(t,()=>u`<${le} />`));const re={show(t,e,n){if(!e)return B();R.value=n;const a=e.map(({id:s})=>s);return Ut(t||{},a,n),B()}};E("home-page",()=>jt);export{re as callbacks};
