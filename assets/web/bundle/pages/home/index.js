/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{n as C,ai as G,F as y,m as V,W as oe,b6 as ie,b7 as H,ad as M,b8 as L,b9 as P,ba as R,S as I,an as le,aG as W,a6 as re,i as T,s as d,aw as _,av as S,d as ce,g as de,au as ue,O as pe,z as B,G as F,w as z,E as he,Q as me,al as fe,T as ge,U as be,r as we,a9 as ve,ay as $e}from"../../boot.js";import{bb as Q,o as ye,bc as ke,bd as Oe,be as xe,bf as Te,aP as Se,bg as Ee,bh as Ce,bi as Me,bj as Pe,b8 as Re,bk as Ie}from"../../shared.js";const _e=24,Ne="No path plays: none of the models here tells how tokens of a picture or a text match its units.",N="text",q=3;function J(e,t,s){const a=t.find(({path:i})=>i==="/paths");if(!a)return[];const n=i=>i.samples||i.inputs===N,o=e.filter(i=>n(i)&&i.fields.includes("compatibility")&&R(i,a));return[...o.filter(({id:i})=>i===s),...o.filter(({id:i})=>i!==s)]}const O=(e,t,s)=>y("GET",e).then(t,()=>s);function K(e,t,s){const a=new Set(e.filter(n=>n.inputs===t).flatMap(({domains:n})=>n));return s.filter(n=>n.inputs===t&&a.has(n.name)).map(({name:n})=>n)}async function Ue(e){const t=r=>e.filter(f=>f.inputs===r),s=await O("/data",({items:r})=>r,[]),a=K(e,"images",s),n=r=>"/samples?origin=data&limit=1&set="+encodeURIComponent(r),o=K(e,N,s),i=r=>"/tables?limit=1&rows="+q+"&set="+encodeURIComponent(r),[l,c,p,g,...h]=await Promise.all([t("blocks").length?O("/block-tasks",({items:r})=>r,[]):[],t("statements").length?O("/statements?limit="+_e,({items:r})=>r,[]):[],O("/inputs",({items:r})=>r,[]),Promise.all(o.map(r=>O(i(r),({items:f})=>f[0]||null,null))),...a.map(r=>O(n(r),({items:f})=>f[0]||null,null))]),w=(r,f)=>Object.fromEntries(r.map((u,m)=>[u,f[m]]).filter(([,u])=>u));return{tasks:l,statements:c,kinds:p,samples:w(a,h),texts:w(o,g)}}async function je(e,t){const[s,{set:a,set_title:n,stand_in:o,rows:i}]=await Promise.all([y("POST","/traces",{model:e,sample:t,fields:["compatibility"]}),y("GET","/tables/"+encodeURIComponent(t))]),l=new Q(s,await H(s.id,"compatibility")),c=i.slice(0,q).map(([,g])=>String(g)),p={id:t,name:a===null?n:t,label:null,set:a,stand_in:o,begins:c.join(" ")};return{view:l,picture:null,sample:p}}async function X(e,t,s){if(t===N)return je(e,s);const[a,n,o]=await Promise.all([y("POST","/traces",{model:e,sample:s}),y("GET","/samples/"+encodeURIComponent(s)),ie(s)]);return{view:new Q(a,await H(a.id,"compatibility")),picture:o,sample:n}}const U=C(0),v=C(!1),E=C(null),j=()=>V()?.map(({id:e})=>e)??null,$=G(()=>V()?String(U.value):null,async()=>{const e=j()??[],{items:t}=await y("GET","/models"),s=({id:n})=>e.includes(n)?e.indexOf(n):e.length,a=t.sort((n,o)=>s(n)-s(o));return{models:a,around:await Ue(a)}});function Y(){const[e,{model:t,sample:s}]=[$.answer(),M()];if(!e||!t&&L())return null;const a=({domains:i})=>i.map(l=>e.around.samples[l]??e.around.texts[l]).find(Boolean)?.id??null,n=J(e.models,P(),t),o=n.find(i=>i.id===t||a(i))??n[0];return o?{model:o,sample:s,offered:a(o)}:null}const b=G(()=>{const{model:e,sample:t,offered:s}=Y()??{};return e?JSON.stringify([U.value,e.id,e.inputs,t,s]):null},async e=>{const[,t,s,a,n]=JSON.parse(e),o=a?await X(t,s,a).catch(()=>null):null;if(o)return o;if(!n)throw new oe(404,"No path","There are no samples of what "+t+" reads.");return X(t,s,n)});function Ae(){return b.problem()?b.problem().message:$.answer()&&!Y()&&(M().model||!L())?Ne:null}function Z(){const{model:e}=M();return re(e)&&b.answer()&&e!==b.answer()?.view.info.model?e:null}function De(){U.value+=1;let e=j()?.join(" "),t=b.latest();const s=[$.follow(),b.follow(),I(()=>{const a=j()?.join(" ");e&&e!==a&&le(()=>$.again()),e=a}),I(()=>{b.latest()!==t&&(t=b.latest(),v.value=t!==null&&!W(),E.value=null)})];return()=>s.forEach(a=>a())}const ee=200;function Ge(e){const[t]=e,s=e.find(({kind:a,sentence:n})=>a!==t.kind&&n!==t.sentence);return t&&{s1:t.sentence,s2:s?.sentence??null,statement:t.id}}function Ve(e,t,s,a){const n=u=>{const m=s.find(k=>k.path===u);return m?e.filter(k=>R({...k,unit_count:k.units.length},m)):[]},o=J(e,s).find(({samples:u})=>u),i=a??(o&&o.domains.map(u=>t.samples[u]?.id).find(Boolean)),[l]=n("/circuits"),c=({id:u})=>t.tasks.find(m=>m.models.includes(u)),p=u=>{const m=c(u)?.example;return m&&"digits"in m?m.digits:null},g=n("/blocks"),h=g.find(p)??g[0],w=n("/drop").filter(({fields:u})=>u.includes("router_logits")),r=w.find(({accuracies:u})=>u.length)??w[0],f=l&&t.statements.length?Ge(t.statements):{};return[{key:"follow",icon:"path",title:"Follow a digit",words:"through the functions of "+o?.id+", step by step",to:o&&{page:"paths",values:{model:o.id,sample:i,step:0}}},{key:"drop",icon:"drop",title:"Drop functions",words:"of "+o?.id+" and watch the accuracy, beside random drops",to:o&&{page:"drop",values:{model:o.id,units:[o.units[0]],samples:ee}}},{key:"compare",icon:"circuits",title:"Compare two sentences",words:"and the circuits that they design in "+l?.id,to:l&&{page:"circuits",values:{model:l.id,...f}}},{key:"steer",icon:"blocks",title:"Steer blocks that copy",words:"or compute, in "+h?.id+": click a ribbon to change it",to:h&&{page:"blocks",values:{model:h.id,digits:p(h)??[]}}},{key:"experts",icon:"graph",title:"Drop experts",words:"of "+r?.id+", layer by layer, and watch the bits a byte",to:r&&{page:"drop",values:{model:r.id,units:[r.units[0]],samples:ee}}}].map(u=>({...u,to:u.to||null}))}const He=()=>d`<button type="button" class="home-door" data-door="own" data-help="own">
    ${T("upload")}
    <span
      ><strong>Open your own</strong>
      <span class="hint">mixture of experts, of transformers or your own code</span></span
    >
  </button>`;function Le({key:e,icon:t,title:s,words:a,to:n}){const o=d`${T(t)}
    <span
      ><strong>${s}</strong> <span class="hint">${n?a:"None of the models here is for this."}</span></span
    >`;if(!n)return d`<div class="home-door" data-door=${e} data-state="none">${o}</div>`;const i=_(n.page,n.values);return d`<a class="home-door" data-door=${e} href=${i} onClick=${S}>${o}</a>`}function We(){const[e,t]=[$.answer(),b.latest()];if(!e)return null;const s=t?.picture?t.sample.id:null;return[...Ve(e.models,e.around,P(),s).map(Le),He()]}const Be=({model:e,html:t,complete:s})=>d`<form method="dialog" class="card-close">
      <h2 id="card-title">Card of ${e}</h2>
      <button class="tool tool-text" autofocus>Close</button>
    </form>
    <div class="card-text" tabindex="0" role="region" aria-label="Text of the card">
      <div dangerouslySetInnerHTML=${{__html:t}}></div>
      ${!s&&d`<p class="hint">The card goes on; this is as much of it as the service shows.</p>`}
    </div>`;async function Fe(e){let t;try{t=await y("GET","/models/"+encodeURIComponent(e)+"/card")}catch(n){const{title:o,message:i}=n;ce(o,i,"bad");return}const s=document.createElement("dialog");s.className="card-dialog",s.setAttribute("aria-labelledby","card-title");const a=de(s,()=>Be(t));s.addEventListener("close",()=>{a(),s.remove()}),document.body.append(s),s.showModal()}const ze=[["circuits","See circuits"],["blocks","See blocks"],["graphs","See the graph"],["paths","See a path"],["types","See types"],["drop","Drop units"]];function Qe(e,t){const s=ze.find(([a])=>{const n=t.find(({path:o})=>o==="/"+a);return n&&R({...e,unit_count:e.units.length},n)});return s?{page:s[0],words:s[1]}:null}function qe(e,{tasks:t,kinds:s}){const{id:a,inputs:n,labels:o,pictures:i}=e;if(n==="images")return"Which of "+o.length+" labels a picture has";if(n==="statements")return"Whether a sentence is true of "+(i??"some")+" pictures";const l=s.find(({name:c})=>c===n);return t.find(({models:c})=>c.includes(a))?.title??(l?"Reads "+l.words:"Reads "+n)}function Je(e){const t=new Map;for(const s of e){const a=s.domain+" "+te(s);t.has(a)||t.set(a,s)}return[...t.values()]}const te=e=>!!e.held_out;function Ke(e){const t=new Map;for(const s of e)t.set(s.family,[...t.get(s.family)||[],s]);return[...t]}const Xe=6;function se(e){const{accuracy:t,low:s,high:a,count:n,data:o,stand_in:i,measure:l}=e,c=l==="accuracy",[p,g,h]=B(c?F:z,[t,s,a]),[,w,r,f]=/^([^(]*?)( \([^)]*\))?(, .*)?$/.exec(o)??[null,o];return d`<li title=${he(n)+" samples; 95 % "+(c?"Wilson":"bootstrap")+" interval"}>
    <span class="home-share"><strong>${p} ${c?"%":l}</strong> <span>(${g} to ${h})</span></span>
    <span class="home-data">
      ${w}<span class="home-aside">${r}</span>${f}
      ${i&&d`<span class="tag tag-warn">stand-in</span>`}
      ${te(e)&&d`<span class="tag tag-warn" title="never trained on">OOD</span>`}
    </span>
  </li>`}function Ye(e){const t=e[0].measure==="accuracy",s=e.map(({accuracy:c})=>c),n=[s.reduce((c,p)=>c+p,0)/s.length,Math.min(...s),Math.max(...s)],[o,i,l]=B(t?F:z,n);return d`<li>
    <details>
      <summary>
        <strong>${o} ${t?"%":e[0].measure}</strong>
        ${" on average over "+s.length+" data sets ("+i+" to "+l+")"}
      </summary>
      <ul class="home-accuracies">
        ${e.map(se)}
      </ul>
    </details>
  </li>`}const A=e=>d`<img class="pixels" src=${e} alt="" width="32" height="32" loading="lazy" />`;function Ze({id:e,inputs:t,domains:s,pictures:a},{tasks:n,statements:o,samples:i}){if(t==="images")return s.filter(p=>i[p]).map(p=>A(i[p].image));const[l]=o;if(t==="statements"&&l&&l.pictures.length===a)return l.pictures.map(A);const c=n.find(({models:p})=>p.includes(e))?.example;return c?"digits"in c?c.digits.map(p=>d`<span class="home-digit">${p}</span>`):A(pe+"/samples/"+encodeURIComponent(c.sample)+"/image"):null}function et(e,t,s){const a=Qe(e,s),n=Je(e.accuracies),o=e.accuracies.length-n.length,i=a&&_(a.page,{model:e.id});return d`<li class="home-model" key=${e.id} data-model=${e.id}>
    <span class="home-reads" aria-hidden="true">${Ze(e,t)}</span>
    <div class="home-name">
      <h4>${e.id}</h4>
      <p class="hint">${qe(e,t)}</p>
      <p class="hint">${ue(e.parameters)} parameters</p>
      ${e.objectives?.map(l=>d`<p class="hint" key=${l}>In training ${l}.</p>`)}
    </div>
    <ul class="home-accuracies">
      ${n.length>Xe?Ye(n):n.map(se)}
      ${!n.length&&d`<li class="hint">Its card has no accuracy.</li>`}
      ${o>0&&d`<li class="hint">${o} more on its card</li>`}
    </ul>
    <div class="home-ways">
      ${a&&d`<a class="tool tool-text" href=${i} onClick=${S}>${a.words}</a>`}
      <button
        type="button"
        class="tool tool-text"
        aria-haspopup="dialog"
        aria-label=${"Card of "+e.id}
        onClick=${()=>Fe(e.id)}
      >
        Card
      </button>
    </div>
  </li>`}function tt(){const[e,t]=[$.answer(),$.problem()];return!e&&t?d`<p class="message-detail" role="alert">${t.message}</p>`:e?Ke(e.models).map(([s,a])=>d`<section class="home-family" key=${s}>
        <h3 class="small-title">${s} <span class="hint">${a.length}</span></h3>
        <ul class="home-members">
          ${a.map(n=>et(n,e.around,P()))}
        </ul>
      </section>`):d`<div class="skeleton skeleton-models" aria-hidden="true"></div>`}const st=.9,nt=2.5,ne=44,at=.25;let x=!0;const ot=()=>(b.latest()?.view.steps.length??-1)+1,D=Ie(st,()=>v.value&&b.latest()&&x,e=>{const t=(E.value??0)+e;return E.value=t>=ot()+nt?0:t,!0});function it(){v.value=!v.value,v.value&&D()}class lt{constructor(t,s){this.canvas=t,this.living=s,this.watch=new IntersectionObserver(([{isIntersecting:a}])=>{const n=a&&!x;x=a,t.dataset.seen=String(x),n&&v.value&&D()}),this.watch.observe(t),this.rebuild(),this.stops=[I(()=>this.draw()),be(()=>this.rebuild()),ye(t.parentElement,()=>this.rebuild())],v.value&&D()}dispose(){this.watch.disconnect(),this.stops.forEach(t=>t()),x=!0}rebuild(){const{clientWidth:t,clientHeight:s}=this.canvas.parentElement;if(t<40||s<40)return;const{view:a,picture:n}=this.living,o={view:a,picture:n,threshold:at,baseline:null,showBaseline:!1},i=we();this.parts=ke(o,t,s,i,rt(this.living)),this.ribbons=Oe(xe(this.parts),{width:t,height:s},i.font),this.draw()}draw(){const{parts:t,ribbons:s,canvas:a}=this,[n,o]=[E.value,v.value];if(!t||!s)return;const{layout:i,theme:l,view:c}=t,p=c.steps.length-1,g=n===null?null:W()?Math.floor(n):n,h=g===null||g>=p+2?null:g,w=h===null?p:Math.max(0,Math.min(p,Math.floor(h+.02)-1)),{frame:r,overlay:f}=Te(t,w),u=Se(a,i.width,i.height),m=k=>Re(u,k,l.font);u.clearRect(0,0,i.width,i.height),m(r),h===null?Ee(u,s,i,1):Ce(u,s,i,Me(t,h)),h!==null&&m(Pe(t,h,null)),m(f),Object.assign(a.dataset,{painted:c.info.id,step:c.steps[w],playing:String(o)})}}const rt=({view:e,sample:t})=>e.info.model+" \xB7 "+t.name+" \xB7 no intervention";function ct({view:e,sample:t}){const{model:s,predictions:a}=e.info,n=a.find(({domain:p})=>p===t.set)||a[0],o=t.label===null?"":", labelled "+t.label,i=n?": it says "+n.labels[n.label]+", "+ve(n.probabilities[n.label]).replace(" ","\xA0"):"",l=(t.begins??"").trim();return(l&&"\u201C"+l.slice(0,ne)+(l.length>ne?"\u2026":"")+"\u201D, ")+t.name+o+", through "+s+i+"."}const dt=({picture:e})=>e?"Columns are iterations, dots functions, lines the tokens of the picture; computed just now.":"Columns are layers, dots experts, lines the tokens of the text; computed just now.",ae=({view:e,sample:t})=>_("paths",{model:e.info.model,sample:t.id,step:0});function ut(){const e=b.latest(),t=!$.answer()&&$.problem()?.message||Ae(),s=me(null);if(fe(()=>{if(!e||!s.current)return;const l=new lt(s.current,e);return()=>l.dispose()},[e]),t)return d`<p class="message-detail" role="status">${t}</p>`;if(!e)return d`<div key="coming" class="skeleton home-canvas" aria-hidden="true"></div>
      <div key="coming-said" class="home-said" aria-hidden="true"></div>`;const{sample:a,picture:n}=e,o=ct(e),i="Open this path. "+o;return d`
    <a class="home-canvas" href=${ae(e)} aria-label=${i} title="Open this path" onClick=${S}>
      <canvas ref=${s} aria-hidden="true"></canvas>
    </a>
    <div key="said" class="home-said">
      ${n&&d`<img class="pixels" src=${n.href} alt="" width="40" height="40" />`}
      <p>
        ${o} ${a.stand_in&&d`<span class="tag tag-warn">stand-in data</span>`}
        <span class="hint">${Z()?"No path of "+Z()+" plays here. ":""}${dt(e)}</span>
      </p>
      <a class="button" href=${ae(e)} onClick=${S}>${T("path")}Open this path</a>
      <${ge} look="tool" act=${it} label=${v.value?"Pause the picture":"Play the picture"}>
        ${T(v.value?"pause":"play")}
      <//>
    </div>
  `}const pt=()=>d`
  <div class="page-head home-head">
    <h1>Routescope shows and steers the routing inside modular neural networks.</h1>
  </div>
  <div class="home-top">
    <section class="panel home-path" aria-label="A path that plays">
      <div><${ut} /></div>
    </section>
    <nav aria-label="Where to begin">
      <div class="home-doors"><${We} /></div>
    </nav>
  </div>
  <section class="panel" aria-labelledby="home-models-title">
    <header class="panel-head"><h2 id="home-models-title">Models</h2></header>
    <p class="reads">Accuracy with 95 % interval from each model's card, beside an example input.</p>
    <div class="home-models"><${tt} /></div>
  </section>
`,ht=$e({Tree:pt,choice:()=>({}),take:()=>{},open:De});export{ht as mount};
