/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{a9 as da,a8 as yn,v as vn,ay as kn,ab as ha,al as Et,am as I,az as xn,d as K,ao as On,S as pa,X as fa,aA as ma,W as Te,U as ga,aB as Y,o as X,aC as $e,O as $a,L as He,G as ba,aD as q,l as wa,s as m,aE as Mt,f as ya,m as N,an as V,aF as Re,N as ce,ax as _n,as as be,z as k,aG as At,aH as Tt,C as Ne,a as j,$ as Rt,aI as va,B as le,a1 as we,a2 as ue,i as Ke,H as Sn,r as En,aw as ka,aJ as Mn,aK as An,q as xa,aL as Ce,p as Oa,aM as _a,aN as Sa,aO as Ea,aP as Ma,j as Tn,a6 as Aa,aQ as Nt,aR as Ta,aS as Ra,F as Na,aT as Ca,aU as Ba,aV as Ia,c as Rn,aW as Nn,h as Pa}from"../../boot.js";import{a7 as Q,a8 as Wa,n as Cn,a9 as Da,aa as ja,ab as Ua,ac as Fa,ad as qa,ae as La,af as Bn,ag as Ga,ah as In,r as Ct,ai as Bt,A as za,aj as Z,f as Ja,ak as Ha,al as Ka,j as Pn,am as Ya,Y as ye,v as ve,_ as Ye,y as Wn,x as L,a0 as Xe,a1 as Ve,V as Xa,w as Qe,h as Dn,i as Ze,an as Va,c as de,ao as It,ap as jn,aq as et,T as Pt,ar as Wt,as as U,at as F,au as Qa,av as Za,N as Un,W as eo,aw as to,q as no,ax as so,ay as ao,o as Fn,a as oo,az as ro,aA as io,aB as co,aC as Dt,d as lo,F as uo,aD as tt,a3 as qn,U as ho,B as nt,aE as po,aF as Ln,aG as fo,a2 as mo,X as go,a6 as $o,$ as Gn,aH as bo,aI as wo,aJ as yo,aK as vo,aL as ko,aM as xo,aN as Oo,aO as _o,aP as So,aQ as Eo}from"../../shared.js";const Mo="drop",Ao=10,To=250,he={...da("drop"),rule:""},{offered:zn}=yn("drop","iterations"),Ro={status:"loading",problem:null,model:null,graph:null,graphProblem:null,use:null,ruled:null,sets:[],choice:{...he},pinned:null,evaluation:null,fresh:!1},{state:l,update:M,subscribe:st}=vn(Ro),pe=()=>l.model,ee=()=>l.choice.data.length?l.choice.data:l.sets.map(e=>e.name),ke=({model:e})=>e!==null&&e.constants.includes("link_probability"),R=({model:e})=>e!==null&&(e.layers??[]).length>0;function jt(e=l.choice.least){const{graph:t}=l;return!e||!t?[]:On(t.connectivity).slice(0,e).map(n=>pe().units[n])}function C(){const e=new Set([...l.choice.units,...jt()]);return l.model?l.model.units.filter(t=>e.has(t)):[]}const at=e=>P({units:No(e),least:0});function No(e){const t=new Set(e);return pe().units.filter(n=>t.has(n))}function Ut(){const{model:e,choice:t}=l;if(!e)return null;const{kind:n,edges:s,iterations:a,top_k:o}=t;return Da({model:e.id,sample:Et().sample,[n]:C(),edges:s,iterations:a,top_k:o})}async function Co(){const e=ja(Q.value);if(!e)return null;const t=pe(),n=e.model===t.id,s=n?t:await K("GET","/models/"+encodeURIComponent(e.model)).catch(()=>null),a=s?await Ua(e,s):e,o=Ut();return n&&Fa({...a,sample:o.sample},o,t.units)?null:a}async function Bo({model:e,edges:t,iterations:n,top_k:s,...a}){const o=await Promise.all(In.map(async i=>[i,(await Bn(a[i])).split(",").filter(Boolean)])),r={...Object.fromEntries(o),keep_edges:t,iterations:n,top_k:s};return JSON.stringify({model:e,intervention:r})}async function Io(){const{choice:e,pinned:t}=l,[n,s,a]=await Promise.all([Bn(C()),t&&Bo(t),Ga(pe().units,e.units,e.rule)]);return{units:n,against:s,name:a}}function Po({units:e,against:t}){const{choice:n}=l,s={model:pe().id,data:ee().join(","),samples:n.samples,[n.kind]:e,iterations:n.iterations,keep_edges:n.edges,top_k:n.top_k,controls:Ao,against:t};return"/evaluations/stream"+$a(s)}let Ft=!1;const ae=Wa({owner:Mo,statusOf:()=>l.status,update:M,async begin(e){if(ke(l)&&l.choice.least&&!l.graph&&!l.graphProblem)return;const t=()=>e()&&Ft,n=Q.value&&t()&&l.model?await Co():null;if(!t()||!l.model)return;M({pinned:n});const s=await Io();!t()||!l.model||(s.name&&M({choice:{...l.choice,rule:s.name}}),Jn(),ae.ask(l.model.id,()=>Po(s)))}});function Jn(){const e=pe(),t=Q.value||null,{rule:n,...s}=l.choice,a={...s,units:n?n.split(","):s.units},o=n?void 0:e.units;ha("drop",{...a,model:e.id,sample:Et().sample,pin:t},o)}const Wo=(e,t)=>JSON.stringify(e)===JSON.stringify(t),Do=["units","kind","least","top_k"];async function ot(e){const{model:t,choice:n}=l;if(!t)return;const s=await jo(t,e,n);l.model!==t||l.choice!==n||(M({ruled:s.said}),s.units&&P({units:s.units,least:0,rule:e.join(",")}))}async function jo(e,t,n){try{const s=await qa(e,t,n);return{units:s.units,said:Hn(e,s)}}catch(s){return{units:null,said:{text:s.message,refused:!0}}}}function Hn(e,{units:t,rules:n,observed:s}){const a=s?", by "+Y.weight+" on "+s.count+" samples":"",o=X(e),r=t.length+" "+(t.length===1?o.unit:o.units);return{text:n.join(", ")+": in all "+r+a,refused:!1}}function P(e,t=!1){const n=Do.some(a=>a in e)&&!("rule"in e),s={...l.choice,...n?{rule:""}:{},...e};n&&M({ruled:null}),!Wo(s,l.choice)&&(M({choice:s}),l.model&&ae.restart(t?To:0))}function qt(e){e!==l.choice.distribution&&(M({choice:{...l.choice,distribution:e}}),l.model&&Jn())}const Kn=e=>t=>t?"/models/"+encodeURIComponent(pe().id)+"/"+e:null,rt=kn(()=>Kn("graph")(ke(l)),(e,t)=>K("GET",e,void 0,{signal:t})),Yn=kn(()=>Kn("use")(R(l)&&l.sets.length>0),(e,t)=>K("GET",e,void 0,{signal:t}));function Xn(){Ft=!0;const e=[rt.follow(),Yn.follow(),I(()=>{const[t,n]=[rt.answer(),rt.waits()?null:rt.problem()];$e(()=>Uo(t,n))}),I(()=>{const t=Yn.answer();$e(()=>t!==l.use&&M({use:t}))})];return()=>{Ft=!1,e.forEach(t=>t())}}function Uo(e,t){if(e===l.graph&&t===l.graphProblem)return;const n=l.choice.least>0;M({graph:e,graphProblem:t,...t?{choice:{...l.choice,least:0}}:{}}),n&&(e||t)&&ae.restart()}const it=e=>["drop",...xn(e)?[]:["mute"],...e.fields.includes("contributions")?["mean","resample"]:[]];function Vn(e,t,n){const s=n.map(i=>i.name),a=e.data.filter(i=>s.includes(i)),o=t.constants.includes("link_probability"),r=t.most_iterations??null;return fa("units",t,e.units),ma(t.id,s,e.data),it(t).includes(e.kind)||Te(`"kind" is ${e.kind}, which ${t.id} does not take: shown is ${he.kind}.`),!o&&(e.least||e.edges!==null)&&Te(`Units of ${t.id} are not linked: "least" and "edges" are ignored.`),!R({model:t})&&e.top_k!==null&&Te(`No token of ${t.id} takes the best of many experts: "top_k" is ignored.`),o&&e.least>=t.units.length&&Te(`"least" is ${e.least}: one of the ${t.units.length} units of ${t.id} stays.`),r!==null&&e.iterations!==null&&e.iterations>r&&Te(`"iterations" is ${e.iterations}; ${t.id} has up to ${r}: shown is the model as trained.`),{...e,kind:it(t).includes(e.kind)?e.kind:he.kind,units:ga(t.units,e.units),least:o?Math.min(e.least,t.units.length-1):0,edges:o?e.edges:null,top_k:R({model:t})?e.top_k:null,iterations:r!==null&&e.iterations!==null&&e.iterations>r?null:e.iterations,data:a.length===s.length?[]:a}}let fe=0,ct=null;const Qn=()=>ct;function Zn(){ae.close(),M({...{model:null,sets:[],pinned:null,evaluation:null,ruled:null},fresh:!1,problem:null,status:"loading"})}async function Lt(e,t){const n=fe+=1;if(ct=e,t&&M({choice:{...he,...t}}),l.model&&l.model.id!==e&&Zn(),!e){M({status:"loading"});return}try{const[s,a]=await Promise.all([K("GET","/models/"+encodeURIComponent(e)),K("GET","/data")]);if(n!==fe)return;const o=s.domains.map(i=>a.items.find(c=>c.name===i)).filter(i=>i!==void 0),r=await es(s,l.choice);if(n!==fe)return;M({model:s,sets:o,ruled:r.ruled,evaluation:null}),M({choice:{...Vn({...l.choice,...r.choice},s,o),rule:r.rule}}),ae.restart()}catch(s){const{title:a,message:o}=s;n===fe&&M({status:"failed",problem:{title:a,detail:o}})}}async function es(e,t){const n=t.rule?t.rule.split(","):t.units;if(!n.some(pa))return{choice:{},rule:"",ruled:null};const s=await La("units",e,n,t),a=s.rules.length>0;return{choice:{units:s.units},rule:a?s.parts.join(","):"",ruled:a?Hn(e,s):null}}async function ts(e){const{model:t,sets:n}=l;if(!t)return;const s=fe+=1,a=l.choice,o=await es(t,e);s!==fe||l.choice!==a||(M({ruled:o.ruled,choice:{...Vn({...e,...o.choice},t,n),rule:o.rule}}),ae.restart())}function ns(){fe+=1,ct=null,Zn()}const Gt=["drop","mute","mean","resample","iterations","keep_edges","top_k"];function lt(){const e=l.evaluation;return Cn(e,Gt,{least_connected:l.fresh&&l.choice.least?l.choice.least:null,held_out:e.data.filter(t=>t.held_out).map(t=>t.name)})}function ss(){if(l.model){ae.restart();return}M({status:"loading",problem:null}),Lt(ct,null)}const{cancel:Fo}=ae;var as=Object.freeze({__proto__:null,ITERATIONS:zn,NOTHING:he,PARTS:Gt,askedFor:Qn,cancel:Fo,choose:P,facts:lt,follow:Xn,hasExperts:R,hasLinks:ke,kindsOf:it,leave:ns,leaveOut:at,leaveOutBy:ot,leftOut:C,measured:ee,open:Lt,restart:ss,showDistribution:qt,shown:Ut,state:l,subscribe:st,take:ts,weakest:jt});const G="importance",ut=10,zt=20,qo=24e3,[Lo,Go]=[2640,8192],zo=16,os=24,[Jo,Ho,Ko]=[250,19,24],Be={use:["usage","Observed use"],effect:["shapley","Caused effect"],interactions:["interactions","Interactions"],retention:["retention","Retention"],anytime:["anytime","Accuracy against iterations"],convergence:["convergence","Convergence"]};let me=null,dt=!1;const W=He(null),z=He(""),rs=({model:e})=>(e.layers??[]).find(({name:t})=>t===z.value)?.experts??e.units.length;function is(e){const t=rs(e);if(!z.value)return 1+t;if(t<=ut)return 2**t;const n=t<=zt;return t*(n?t/2:1)+(t-1)*(n?64:zo)+200}function Jt(e){const{model:t,choice:n}=e;if(R(e)){const a=z.value?Go:Lo;return Math.min(n.samples,Math.max(16,Math.min(300,Math.round(a/is(e)))))}const s=t.units.length;return s<=zt?n.samples:Math.min(n.samples,Math.max(30,Math.min(300,Math.round(qo/s))))}function ht(e){const{model:t,choice:n}=e,s=R(e)&&z.value,a=s&&n.kind==="drop"?"mute":n.kind,o={model:t.id,data:ee(),samples:Jt(e),kind:a},r=n.edges===null?{}:{keep_edges:n.edges},i=n.distribution==="in"?null:n.distribution,c=R(e)?{top_k:n.top_k,layer:s||null}:{};return{...o,...r,...c,iterations:n.iterations,distribution:i,seed:0}}const Ht=({evaluation:e})=>(e?.by_distribution??[]).map(t=>t.name);function Yo(e){const[t,n,s]=[rs(e),is(e),Jt(e)],a=e.evaluation?.baseline?.samples_per_second,o=a?"; about "+Tt(n*s/a):"",r="About "+k(n)+" sets on "+k(s)+" texts"+o+". It can be cancelled and taken up again.",{kind:i}=e.choice;if(!z.value)return[(i==="drop"?"Drop":"Leave out")+" each of the "+k(t)+" experts alone",r];const c=" of the "+t+" experts of "+Re(z.value),u=i==="drop"?" Experts that a subset lacks are muted: a layer cannot route with fewer than a token takes.":"";return[(t<=ut?"Score all "+2**t+" subsets":"Score sampled subsets")+c,r+u]}function Xo(e){const{model:t,evaluation:n}=e;if(t&&R(e))return Yo(e);const s=t?t.units.length:0;if(s<=ut)return["Score all "+2**s+" subsets of the "+s+" units",""];if(s<=zt)return["Score sampled subsets of the "+s+" units",""];const{units:a}=X(t),o=ke(e)?4:2,r=s+20*(o+8),i=Jt(e),c=n&&n.baseline&&n.baseline.samples_per_second,u=c?"; about "+Tt(r*i/c):"";return["Drop each of the "+k(s)+" "+a+" alone, then more and more","About "+k(r)+" sets on "+k(i)+" samples"+u+". It can be cancelled and taken up again."]}const cs=()=>At(G,"/importances",ht(l)),Vo=()=>l.model?l.model.units.length:0;async function Kt(e){if(!e.model&&me&&(me=null,z.value="",W.value=null,be(G)),!e.model)return;const t=Ht(e),{distribution:n}=e.choice;if(e.status==="done"&&n!=="in"&&t.length&&!t.includes(n)){qt("in");return}const s=JSON.stringify(ht(e));if(s!==me&&(me=s,W.value=null,await be(G),s!==me))return;const{job:a,starting:o,problem:r}=q(G),i=!a&&!o&&!r,c=Vo()<=ut&&!R(e);i&&e.status==="done"&&!dt&&(c||ce.value.read_only)&&cs()}async function Qo({job:e}){if(!e||e.state!=="done")return null;const t=W.value;return t&&t.id===e.id?t:K("GET","/importances/"+encodeURIComponent(e.id))}function ls(e){const t={drop:[],mute:[],mean:[],resample:[]};return{model:e.model,revision:e.revision,seed:e.seed,...t,left_out_as:e.kind,iterations:e.iterations,data:e.data,distribution:e.distribution??null,samples:e.count,exact:e.exact,keep_edges:e.keep_edges===void 0?null:e.keep_edges,importance:e.id,...e.layer?{layer:e.layer}:{},...typeof e.top_k=="number"?{top_k:e.top_k}:{},...N(e.measure).share?{}:{measure:e.measure}}}function Yt({distribution:e,layer:t,top_k:n}){const s=e&&(e!=="in"||Ht(l).length>1),a=(t?", "+Re(t):"")+(n?", top "+n:"");return(s?", "+Z[e]:"")+a}const Zo=e=>e==null?"":Array.isArray(e)?e.join(" "):e;function Xt(e){const t=e.length?Object.keys(e[0]):[];return[t,...e.map(n=>t.map(s=>Zo(n[s])))]}function Vt(e,t){if(t==="effect"){const n=new Map(e.single.map(s=>[s.unit,s]));return e.shapley.length?e.shapley.map(({unit:s,value:a,low:o,high:r,standard_error:i})=>{const{unit:c,...u}=n.get(s)||{};return{unit:s,...{shapley:a,shapley_low:o,shapley_high:r,standard_error:i},...Object.fromEntries(Object.entries(u).map(([h,p])=>["single_"+h,p]))}}):e.single}return e[Be[t][0]]}const er=(e,t)=>Object.entries(Bt(e,t)).map(([n,s])=>"; "+n.replace("_"," ")+" "+s).join("");function tr(e){Ct(e,()=>{const{value:t}=W;if(!t)return null;const n=Vt(t,e),{title:s}=N(t.measure),a=Be[e][1].replace("Accuracy",s)+Yt(t)+": "+t.model,o=Bt(t,e),r=Object.keys(o).length?{signs:o}:{},i={...ls(t),kind:e==="use"?"observed":"caused",...r};return{name:e,facts:i,python:e==="convergence"&&t.exact?void 0:{figure:"importance",panel:e},rows:()=>Xt(n),json:()=>({[Be[e][0]]:n}),picture:za(e,a,a+", "+t.words)}})}function nr(e){document.querySelectorAll("[data-importance-table]").forEach(t=>{const n=t.dataset.importanceTable,s=Be[n][1].replace("Accuracy",N(e?.measure).title);e?Ja(t,Xt(Vt(e,n)),s+Yt(e)+", "+e.words+er(e,n)):Ha(t)})}function sr(e){const t=N(e.measure),n=i=>Ne(t,i),s=[["all units",n(e.baseline)],...e.total===null?[]:[["none",n(Ka(e))]]],a=k(e.count)+" samples"+Yt(e);if(!e.shapley.length){const i=e.retention.length?", then more and more":"";return[["sets","Each of "+k(e.units.length)+" alone"+i+", on "+a],...s,["how",e.words]]}const o=e.exact?"All "+k(2**e.units.length)+" subsets":"Sampled orders",r=e.shapley.reduce((i,c)=>i+c.value,0);return[["subsets",o+" of "+e.units.length+" units on "+a],...s,["sum of Shapley values (above 0: the units help)",t.change(r)+" "+t.changeUnit],["how",e.words]]}function ar({units:e,shapley:t,single:n}){if(e.length<=os)return e.length;const s=t.length?t.map(({value:a})=>a):n.map(({change:a})=>a);return Math.min(os,s.filter(Boolean).length||e.length)}function or(e){const t=ar(e);for(const o of["use","effect"]){const r=document.getElementById("plot-"+o),i=R(l)&&e.shapley.length?Ko:Ho;r&&(r.style.height=Math.max(Jo,90+i*t)+"px")}const n=document.getElementById("panel-interactions");n&&(n.hidden=!e.interactions.length);const s=document.getElementById("panel-retention");s&&(s.hidden=!e.retention.length);const a=document.getElementById("panel-anytime");a&&(a.hidden=e.anytime.length<2)}function rr({entry:e}){const{job:t,starting:n,problem:s}=e.value,a=l.problem;if(ce.value.read_only)return _n(s)&&m`<p class="hint" id="importance-refused">${s?.message}</p>`;const o=!!(!l.model||t||n||s||a&&a.refused),[r,i]=Xo(l);return m`
    <button type="button" class="button" id="importance-start" hidden=${o} onClick=${()=>{dt=!1,cs()}}>${r}</button>
    <p class="hint">${o?"":i}</p>
  `}function ir(){const e=Ht(l);if(e.length<2)return null;const t=e.map(n=>[n,Z[n]]);return m`<div class="control importance-of">
    <label class="control-name" for="importance-distribution">All below is of samples</label>
    <${V}
      id="importance-distribution"
      look="small-input"
      options=${t}
      chosen=${e.includes(l.choice.distribution)?l.choice.distribution:e[0]}
      onChoose=${n=>qt(n===e[0]?"in":n)}
    />
    <span class="hint">Trained-on and held-out data are never mixed.</span>
  </div>`}function cr(){const{model:e}=l;if(!e||!R(l))return null;const t=(e.layers??[]).map(({name:s})=>[s,Re(s)+": Shapley values"]),n=[["","every expert, alone"],...t];return m`<div class="control importance-of">
    <label class="control-name" for="importance-layer">All below is of</label>
    <${V}
      id="importance-layer"
      look="small-input"
      options=${n}
      chosen=${z.value}
      onChoose=${s=>{z.value=s,Kt(l)}}
    />
    <span class="hint">Within a layer its experts are the players; the others stay as they are.</span>
  </div>`}const lr=()=>m`<dl class="fact-list" hidden=${!W.value}>
    ${(W.value?sr(W.value):[]).map(([e,t])=>m`<div>
          <dt>${e}</dt>
          <dd>${t}</dd>
        </div>`)}
  </dl>`;ba("importance",e=>{const t=He(q(G));Object.keys(Be).forEach(tr),Ct(G,()=>{const{value:a}=W;if(!a)return null;const o=Vt(a,"effect");return{name:"importance",facts:{...ls(a),kind:"caused",signs:Bt(a,G)},python:{figure:"importance",panel:G},rows:()=>Xt(o),json:()=>({result:a}),picture:{}}});async function n(a){const{job:o}=t.value=a;o&&o.state==="cancelled"&&JSON.stringify(ht(l))===me&&(dt=!0);const r=await Qo(a).catch(i=>(ya(i.title||"No result",i.message,"bad"),null));t.value===a&&(W.value=r,nr(r),r&&or(r),e.dataset.result=r?r.id:"")}const s=[I(()=>{ce.value.read_only&&$e(()=>Kt(l))}),wa(e,()=>m`<${ir} /><${cr} /><${rr} entry=${t} /><${lr} />`),Mt(G,n),st((a,o)=>{["status","choice","model"].some(r=>o.has(r))&&(Kt(a),n(q(G)))})];return()=>{s.forEach(a=>a()),me=null,dt=!1,W.value=null,z.value=""}});const pt="importance-a",B=He({asked:"",importance:null,problem:""});function ft(){const{model:e,pinned:t}=l;if(!e||!t)return null;const n=ht(l),s=In.find(d=>t[d].length)??n.kind,a="layer"in n&&n.layer&&s==="drop"?"mute":s,{keep_edges:o,...r}=n,i=t.edges===null?{}:{keep_edges:t.edges},c="top_k"in n?{top_k:t.top_k}:{},u={...r,...i,...c,model:t.model,kind:a,iterations:t.iterations};return{a:u,b:n,alike:xe(u)===xe(n)}}const xe=e=>JSON.stringify(Object.entries(e).sort());function Qt(){const e=ft(),{value:t}=W;if(!e||!t)return null;const{asked:n,importance:s}=B.value,a=e.alike?t:n===xe(e.a)?s:null;return a&&(a.distribution??t.distribution)===(t.distribution??a.distribution)?{a,b:t}:null}function us(){const e=ft();e&&(B.value={asked:xe(e.a),importance:null,problem:""},At(pt,"/importances",e.a))}const ur=()=>{const e=Mt(pt,async({job:n,problem:s})=>{const{value:a}=B,o=s??n?.problem;if(o&&(B.value={...a,problem:"detail"in o&&o.detail||"message"in o&&String(o.message)||"It failed."}),!n||n.state!=="done"||a.importance)return;const r=await K("GET","/importances/"+encodeURIComponent(n.id)).catch(()=>null);B.value.asked===a.asked&&(B.value={...a,importance:r})}),t=I(()=>{const n=ce.value.read_only&&W.value?ft():null;n&&!n.alike&&B.value.asked!==xe(n.a)&&$e(us)});return()=>{e(),t(),be(pt),B.value={asked:"",importance:null,problem:""}}};function dr(){const e=ft();if(!e||Qt())return null;if(!W.value)return m`<p class="hint">Retention curves of both stand here once the importance below is computed.</p>`;const t=B.value.asked===xe(e.a),n=q(pt),s=t&&!B.value.problem&&(n.starting||!B.value.importance);return ce.value.read_only?t&&B.value.problem&&m`<p class="hint">${B.value.problem}</p>`:m`<p class="hint" role="status">
    <${j} id="drop-curves" wait=${s} act=${us}>
      ${s?"Computing the retention curve of A":"Compute the retention curve of A too"}
    <//>
    ${t&&B.value.problem}
  </p>`}function Oe(e){const t=new Map(e.data.map(n=>[n.name,n]));return Pn(e,"by_domain").map(n=>{const s=t.get(n.name);return{...s?.held_out?{distribution:Z.out}:{},...n,name:n.name+(s?.stand_in?" (stand-in)":""),title:s?.title}})}const _e=e=>Pn(e,"by_label"),[hr,ds,pr]=[760,28,30],ge=e=>e.model+", "+Qe(e,Rt(e.model)),[hs,ps,fr]=[210,34,38],mr=[{order:"best first",text:"best kept",stroke:"accent"},{order:"worst first",text:"worst kept",stroke:"bad"},{order:"random",text:"random sets",stroke:"dim",dash:[4,3]}];function fs(e,t,n,s,a){const o=N(e.measure),r=[e,a].flatMap(({retention:v})=>v.flatMap(_=>[_.accuracy,_.low,_.high])),[i,c,u]=[64,n-20,hs-fr],d=ye([1,0],[i,c],{ticks:[1,.75,.5,.25,0],named:v=>100*v+(v?"":" %")}),h=Va(o,r,[u,ps]),p=mr.map(v=>({...v,points:e.retention.filter(({order:_})=>_===v.order).sort((_,H)=>_.dropped-H.dropped)})).filter(({points:v})=>v.length),{drop:g,mute:b,mean:f,resample:y}=t.intervention,x=new Set([...g,...b,...f??[],...y??[]]).size,T=[de(t).find(({where:v})=>!v||v===Z[e.distribution??"unknown"])?.evaluation.accuracy].flatMap(v=>v??[]),O={x:d(1-x/e.units.length),y:({value:v})=>h(v)};return ve({width:n,height:hs,title:"",desc:"",marks:[It(h,[i,c]),Ye(d,[ps,u],{grid:!1}),L(["units kept"],{x:(i+c)/2,y:u+31,down:0,size:11,fill:"dim",anchor:"middle"}),jn(p.find(({order:v})=>v==="random")?.points??[],{x:v=>d(v.share_kept),y:({low:v,high:_})=>[h(v),h(_)],fill:"unmatched"}),p.toReversed().map(({points:v,stroke:_,dash:H})=>et(v,{x:te=>d(te.share_kept),y:te=>h(te.accuracy),stroke:_,dash:H})),Pt(p.map(v=>({...v,ink:v.stroke,weight:650,width:2})),{x:n<420?8:i,y:10,width:n}).marks,Ve(T,{...O,r:8,fill:"ink"}),L(T,{...O,text:s,size:11,weight:700,fill:"surface",anchor:"middle"})]})}function gr(e,t,n,{alone:s=!0,curves:a=null}={}){const o=n>=hr,r=o?Math.floor((n-ds)/2):n;function i(f,y){const x=Rt(f.model),[S,T]=[_e(f),Oe(f)];return[f.accuracy&&Dn(f,r,{model:x,beside:[y]}),S.length>0&&Ze(S,"label",f,r,x,_e(y)),T.length>0&&Ze(T,"data set",f,r,x,Oe(y)),a&&(f===e?fs(a.a,e,r,"A",a.b):fs(a.b,t,r,"B",a.a))]}const c=[i(e,t),i(t,e)],u=["A: "+ge(e),"B: "+ge(t)],d=c[0].map((f,y)=>Math.max(...c.map(x=>{const S=x[y];return S?S.height+10:0})));let h=0;const p=c.map((f,y)=>{const x=o?y*(r+ds):0;let S=o?0:h;const T=s||!o?[u[y]]:[],O=L(T,{x:x+2,y:S+10,size:13,weight:650,room:r-4});S+=T.length*pr;const v=f.map((_,H)=>{const te=_?Xa(_,x,S):[];return S+=o?d[H]:_?_.height+10:0,te});return h=Math.max(h,S),[O,v]}),{title:g}=N(t.measure),b=g+" of A, "+ge(e)+", beside B, "+ge(t)+", on the same axes: all samples, labels, data sets"+(a?", and accuracy while fewer units are kept.":".");return ve({width:n,height:h,title:u.join("; "),desc:b,marks:p})}function ms({by_distribution:e},t){const n=new Set(t.filter(s=>s.stand_in).map(s=>s.name));return e.flatMap(({name:s,count:a,a:o,b:r,difference:i,by_label:c,by_domain:u})=>{const d=e.length>1||s==="out"?Z[s]:"",{value:h,low:p,high:g}=i.accuracy,b=(f,y)=>({name:y,where:d,main:!1,count:f.count,a:f.baseline,b:f.accuracy,value:f.change,low:f.change_low,high:f.change_high});return[{name:"all samples",where:d,main:!0,count:a,a:o.accuracy.value,b:r.accuracy.value,value:h,low:p,high:g},...c.length>1?c.map(f=>b(f,"label "+f.name)):[],...u.length>1?u.map(f=>b(f,f.name+(n.has(f.name)?" (stand-in)":""))):[]]})}function $r(e,t){const n=e.comparison,s=N(e.measure),a=ms(n,e.data).map(f=>({...f,group:f.where,change:f.value,change_low:f.low,change_high:f.high})),{range:o,y:r,sure:i,marks:c}=Ya(a,{width:t,top:24,measure:s,room:150}),u=Math.max(...a.flatMap(({value:f,low:y,high:x})=>[f,y??f,x??f].map(Math.abs)),.001),d=ye([-u,u],o,{named:f=>f?s.change(f):"0"}),[h,p]=s.higher?["A is better","B is better"]:["B is better","A is better"],g={y:12,down:0,size:11,fill:"dim"},b=n.a?ge(n.a):"A";return ve({width:t,height:r.end+24,title:"B minus A: "+ge(e)+", minus "+b,desc:"Paired difference of "+s.name+" in "+s.changeUnit+", B minus A, with 95 % intervals, on "+k(n.covered)+" samples that both have scored.",marks:[Ye(d,[20,r.end]),Wn([0],{x:d(0),y:[20,r.end],stroke:"dim"}),L([h],{...g,x:d(0)-8,anchor:"end"}),L([p],{...g,x:d(0)+8}),Xe(a,{x:f=>[d(f.low),d(f.high)],y:r,stroke:i,width:({main:f})=>f?2.5:1.5}),Ve(a,{x:f=>d(f.value),y:r,r:({main:f})=>f?6:4,fill:i}),c]})}const gs=e=>Qe(e,l.model),br=(e,{draws:t,draws_done:n,exact:s,size:a})=>(s&&n===t?"all ":"")+e+(t===1?" set":" sets")+" of "+a,wr=({share:e,unit:t})=>e?t+" on average":"on average";function $s(e){const t="Random sets";if(!e)return{name:t,value:Un};const n=eo(e,X(l.model).unit);return{name:t,...to(e,{waiting:n,sets:br,unit:wr})}}function yr(){const{evaluation:e,fresh:t}=l,[n,s]=e?de(e):[],a=n?n.evaluation:null,{accuracy:o,change:r,loss:i}=Wt(a),c=n?n.where:"",u=s&&Wt(s.evaluation);return m`<div class="numbers" data-fresh=${String(t)}>
    <${U} id="drop-accuracy-number" main=${!0} ...${F(o,c)} />
    <${U} id="drop-change-number" main=${!0} ...${F(r,c)} />
    <${U} ...${F(i,c)} />
    <${U} id="drop-control-number" ...${F($s(a),c)} />
    ${u&&m`
        <${U} id="drop-accuracy-out" main=${!0} ...${F(u.accuracy,s.where)} />
        <${U} id="drop-change-out" main=${!0} ...${F(u.change,s.where)} />
        <${U} ...${F(u.loss,s.where)} />
        <${U} ...${F($s(s.evaluation),s.where)} />
      `}
  </div>`}function vr(e){const{model:t,choice:n}=e;return no(e,{chosen:n.samples,intervention:gs,stale:"Cancelled before the first figure; what is shown belongs to the set before.",kept:"measured before, nothing had to be computed",several:", one data set after the other",after:s=>gs(s)===so?" Click "+X(t).a_unit+" to drop it.":""})}const kr=()=>m`<${Qa} name="drop" look="drop-progress" followed=${as} progressOf=${vr} />`;function xr({id:e,name:t,title:n,value:s,before:a,words:o}){const r=Math.max(s||0,a||0)||1,i=c=>100*(c||0)/r+"%";return m`<div class="cost" id=${e} title=${n}>
    <span class="cost-name">${t}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{width:i(s),background:"var(--rs-accent)"}}></span>
      <span class="bar-mark" hidden=${!a} style=${{left:i(a)}}></span>
    </span>
    <span class="cost-value">${o}</span>
  </div>`}function Or({flops:e,saved:t}){return e===null?"counting":va(e)+(t===null?"":t>0?", "+le(t)+" % saved":", nothing saved")}function _r(){const{evaluation:e,fresh:t}=l,n=e&&e.baseline;return m`<div class="costs" data-fresh=${String(t)}>
    <${xr}
      id="drop-flops"
      name="FLOPs per sample"
      value=${e?.flops}
      before=${n?.flops}
      words=${e?Or(e):""}
    />
    <${Za} id="drop-speed" evaluation=${t?e:null} />
  </div>`}const Zt="token_states",bs={drop:"drop",mute:"mute",mean:"mean",resample:"resample"},Sr={drop:{router_logits:"Dropped: never chosen. A token takes the best of the remaining experts, with weights that add up to 1.",compatibility:"Dropped: removed. Compatibilities are renormalised over the remaining {units}.",multiplexer_weights:"Dropped: neither made nor read. Weights are renormalised over the remaining {units}.",messages:"Dropped: removed with their codes, signatures and states. Their compute is saved.",[Zt]:"Dropped: removed. The remaining {units} work on what the {units} before them computed.","":"Dropped: removed. Their compute is saved."},mute:{router_logits:"Muted: chosen as before, but their output is 0. No other {unit} takes over their share.",compatibility:"Muted: their compatibility is set to 0 after normalisation. No other {unit} takes over their share.",multiplexer_weights:"Muted: their numbers are set to 0. They keep their share of the weights.",messages:"Muted: their messages are set to 0 after the softmax. No other {unit} takes over their share.",[Zt]:"Muted: they add nothing, which equals dropping them.","":"Muted: their output is 0."},mean:{compatibility:"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, step by step and token by token.",messages:"Mean: the state that others read is replaced by its mean over the first 200 samples of the same data set.","":"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, token by token."},resample:{messages:"Resampled: the state that others read is replaced by the state for another sample of the same data set.","":"Resampled: what they add is replaced by what they add for another sample of the same data set."}},Ie={accuracy:"Dots: {accuracies} with 95 % whiskers; the bar spans random sets of as many units; changes are paired, on the same samples.",labels:"Ring: the model as it is; dot and whisker: without the units; at the right the paired change, in {points}. Over all chosen data sets, what training showed apart from what it left out.",compared:"The same figures of what is pinned (A) and of what is shown (B), on the same samples and axes: rings are each model as it is, dots what is left of it.",difference:"Paired: sample by sample, only what both have scored. Dots are B minus A, whiskers 95 % intervals; right of the line the figure of B is larger. What training of either left out stands apart.",studio:"Drag a bar, or move it with the arrow keys: so many experts a layer keeps. Each row of cells is a layer, each cell an expert.",curves:"Line and whiskers: what is left while fewer experts are kept, 95 %; band: random sets of the same size, least to largest; the dashed upright: where the bars stand."},ws="The same by data set, each read by the head of its domain.",Er={router_logits:"The same by data set: what an expert does for one kind of text, another kind may not need.",compatibility:ws,[Zt]:ws,"":"The same by data set; out of distribution are those that the model was never trained on."},en={accuracy:"Each random set is a small dot, this one perhaps among them. Data sets that training showed stand together, and apart from those it left out.",studio:"The order is chosen on the last samples of every data set, its curves are measured on the first ones. A layer keeps at least as many experts as a token takes. Files hold what the bars say: the keep-list, and a model that the other experts are cut out of.",curves:"A diamond is what the page measured, once exactly these experts are left out of it. Changes are paired, on the same samples. Point at a dot for its figures."},Mr={svg:"Picture, SVG",png:"Picture, PNG",csv:"Numbers, CSV",json:"Numbers, JSON"},ys=({name:e,label:t,look:n,children:s})=>m`<details class="menu">
    <summary id=${e} class="tool tool-text" aria-label=${t}>${n}</summary>
    <div class="menu-items">${s}</div>
  </details>`;function Pe({id:e,title:t,reads:n,more:s,tag:a,formats:o,written:r,coded:i=!0,hidden:c=!1,look:u,children:d}){const h=we(r);h.current=r,ue(()=>{o&&Ct(e,()=>h.current?.()??null)},[e]);const p=(g,b)=>m`<button type="button" class="menu-item" ...${b}>${g}</button>`;return m`<section
    id=${"panel-"+e}
    class=${u?"panel "+u:"panel"}
    aria-labelledby=${e+"-title"}
    hidden=${c}
  >
    <header class="panel-head">
      <h2 id=${e+"-title"}>${t}</h2>
      ${a&&m`<span class="tag">${a}</span>`}
      <div class="panel-actions">
        ${s&&m`<${ys} name=${e+"-explained"} label=${"More about: "+t} look=${Ke("help")}>
            <p class="hint panel-more">${s}</p>
          <//>`}
        ${o&&m`<${ys} name=${e+"-export"} label=${"Export: "+t} look=${[Ke("download"),"Export"]}>
            ${o.map(g=>p(Mr[g],{"data-panel":e,"data-export":g}))}
            ${i&&p("Copy as Python",{"data-panel":e,"data-export":"python"})}
            ${p("Add to report",{"data-report":e})}
          <//>`}
        <button
          type="button"
          class="tool"
          title="Full screen"
          aria-label=${"Full screen: "+t}
          data-fullscreen=${"panel-"+e}
        >
          ${Ke("fullscreen")}
        </button>
      </div>
    </header>
    <p class="reads">${n}</p>
    <div class="panel-body">${d}</div>
  </section>`}function mt({scene:e,drawn:t,label:n,look:s,id:a,widest:o=1/0,height:r,data:i={}}){const c=we(null),u=we({scene:e,drawn:t,label:n});return u.current={scene:e,drawn:t,label:n},ue(()=>{const d=c.current,h=d.querySelector("canvas");let p=[];function g(){const f=Math.min(d.clientWidth,o),y=u.current.scene(Math.max(f,60));d.dataset.shown=String(y!==null),y||delete h.dataset.painted,!(!y||f<60)&&(oo({...y,background:null},En().font,h),Object.assign(h.style,{width:y.width+"px",height:y.height+"px"}),h.dataset.painted=u.current.drawn(),h.setAttribute("aria-label",u.current.label(y)),p=y.spots??[])}ao(h,()=>p);const b=[I(g),Sn(g),Fn(d,g)];return()=>b.forEach(f=>f())},[]),m`<div
    ref=${c}
    id=${a}
    class=${s?"picture "+s:"picture"}
    style=${r?{minHeight:r+"px"}:void 0}
    data-shown="false"
    ...${i}
  >
    <canvas role="img" aria-label=${"Nothing to show yet"}></canvas>
    ${r&&m`<div class="skeleton drop-skeleton" aria-hidden="true"></div>`}
  </div>`}function We({words:e,caption:t,rows:n,data:s={}}){const[a,o]=ka(!1);return m`<details class="as-table" onToggle=${i=>o(i.currentTarget.open)}>
    <summary>The same as a table</summary>
    <div class="table-scroll" tabindex="0" role="region" aria-label=${e} ...${s}>
      ${a&&n&&m`<${ro} rows=${n()} caption=${t()} />`}
    </div>
  </details>`}const Ar=({children:e})=>m`<div class="fold">
    <div class="fold-head" data-widget="fold"></div>
    <div>${e}</div>
  </div>`,vs=["name","count","baseline","accuracy","low","high","change","change_low","change_high"],Tr=e=>io(e,{named:"this set",sets:"random sets of as many",each:!0},co(e));function ks(e,{measure:t}){const n=e.some(a=>a.distribution)?[...vs,"distribution"]:vs;return[n.map(a=>a==="accuracy"?N(t).name:a),...e.map(a=>n.map(o=>a[o]))]}const gt={accuracy:{has:e=>!!e.accuracy,scene:(e,t,n)=>Dn(e,n,{model:t}),rows:Tr,widest:900},labels:{has:e=>e.by_label.length>0,scene:(e,t,n)=>Ze(_e(e),"label",e,n,t),rows:e=>ks(_e(e),e)},domains:{has:e=>e.by_domain.length>0,scene:(e,t,n)=>Ze(Oe(e),"data set",e,n,t),rows:e=>ks(Oe(e),e)}};function Rr(e,t){const n=N(t.measure),s=o=>Ne(n,o);if(e==="accuracy"){const o=de(t).flatMap(({where:r,evaluation:{accuracy:i,baseline:c,control:u}})=>{const d=r&&r+" ",h=i?[d+"this set ("+Qe(t,l.model)+") "+s(i.value)]:[];return c&&h.push(d+"as it is "+s(c.accuracy.value)),u&&u.mean!==null&&h.push(d+"random sets on average "+s(u.mean)),h});return(n.share?"Accuracies":n.title)+": "+o.join("; ")}const a=e==="labels"?_e(t):Oe(t);return"Change of "+n.name+" in "+n.changeUnit+": "+a.map(o=>o.name+(o.distribution?", "+o.distribution:"")+" "+n.change(o.change)).join("; ")}const De=["svg","png","csv","json"];function $t(e){const{evaluation:t}=l;return t&&gt[e].has(t)?t:null}function Nr(e,t){const n=$t(e);if(!n)return null;const s=gt[e].rows(n);return{name:"drop-"+e,facts:lt(),python:e==="accuracy"?{figure:"accuracy",draws:n.control?.draws}:{figure:"effects",by:e==="labels"?"label":"domain"},rows:()=>s,json:()=>e==="accuracy"?{result:n}:Dt(s),picture:{scene:()=>gt[e].scene(n,l.model,t)}}}function tn({name:e,title:t,reads:n,more:s,words:a,height:o,look:r,hidden:i,children:c,below:u}){const{fresh:d,status:h,model:p}=l,{scene:g,rows:b,widest:f}=gt[e],y=$t(e),x=()=>Math.max(560,document.getElementById("drop-picture-"+e)?.clientWidth??0);return m`<${Pe}
    id=${"drop-"+e}
    tag="caused"
    formats=${De}
    written=${()=>Nr(e,x())}
    ...${{title:t,reads:n,more:s,look:r,hidden:i}}
  >
    ${c}
    <${mt}
      id=${"drop-picture-"+e}
      look="drop-picture"
      height=${o}
      widest=${f}
      data=${{"data-key":e,"data-fresh":String(d),"data-state":h}}
      scene=${S=>{const T=$t(e);return T&&g(T,l.model,S)}}
      drawn=${()=>l.evaluation?.id??""}
      label=${()=>l.evaluation?Rr(e,l.evaluation):""}
    />
    ${u}
    <${We}
      words=${a}
      data=${{"data-drop-table":e}}
      caption=${()=>(y&&g(y,p,640).desc)??""}
      rows=${y&&(()=>b(y))}
    />
  <//>`}function Cr(){const{model:e,evaluation:t}=l,{share:n,title:s}=N(),o=e!==null&&!e.labels.length||t?.state==="done"&&!$t("labels");return m`<div class="drop-grid">
    <${tn}
      name="accuracy"
      look="panel-drop-accuracy"
      title=${s}
      reads=${Mn(Ie.accuracy)}
      more=${en.accuracy}
      words=${(n?"Accuracies":s)+" as a table"}
      height=${228}
      below=${m`<${_r} />`}
    >
      <${yr} /><${kr} />
    <//>
    <div class="column">
      <${tn}
        name="labels"
        title="Effect by label"
        reads=${Mn(Ie.labels)}
        words="Effect by label as a table"
        height=${262}
        hidden=${o}
      />
      <${tn}
        name="domains"
        title="Effect by data set"
        reads=${An(Er)}
        words="Effect by data set as a table"
        height=${102}
      />
    </div>
  </div>`}const xs={shown:Ut,units:()=>l.model?.units,write:ss,noSwap:({model:e})=>Rt(e)?"":"There is no model "+e+" here."};function je(){const{evaluation:e,pinned:t}=l,n=t&&Q.value&&e?e.comparison:null;return e&&n&&n.a&&n.by_distribution.length?{a:n.a,b:e,comparison:n}:null}function Br(){const{evaluation:e,pinned:t,status:n,problem:s}=l;if(!t)return"A is what is shown: leave other units out, or choose another model, to compare it with A.";const a=e?.comparison?.problem;return a?"A and B are not compared. "+a:s?"Nothing to compare: "+s.detail:n==="cancelled"?"Cancelled before both had a figure.":"Both are scored now."}function Ir({comparison:{covered:e,total:t}}){return e===t?"On the same "+k(t)+" samples, all of which both have scored.":"On "+k(e)+" of "+k(t)+" samples so far: those that both have scored."}const Pr=({of:e})=>m`<div class="compare-sides">
    ${[["a","A"],["b","B"]].map(([t,n])=>m`<div class="compare-side" data-side=${t}>
            <div class="compare-name"><span class="pin-letter">${n}</span> ${ge(e[t])}</div>
            <div class="numbers">
              ${de(e[t]).map(({where:s,evaluation:a})=>{const{accuracy:o,change:r}=Wt(a),i={...r,name:"Change to its model as it is"};return m`
                  <${U} main=${!0} ...${F(o,s)} />
                  <${U} ...${F(i,s)} />
                `})}
            </div>
          </div>`)}
  </div>`,bt=[["both","both"],["only_a","only A"],["only_b","only B"],["neither","neither"]];function Wr({parts:e}){const t=e.filter(s=>s.outcomes);if(!t.length)return null;const n=["Samples right with",...bt.map(([,s])=>s)];return m`<${uo}
    look="compare-outcomes"
    heads=${n.map(s=>m`<th scope="col">${s}</th>`)}
    rows=${t.map(({name:s,outcomes:a})=>m`<tr>
          <th scope="row">${e.length>1||s==="out"?Z[s]:"all samples"}</th>
          ${bt.map(([o])=>m`<td data-outcome=${o}>${k(a?a[o]:0)}</td>`)}
        </tr>`)}
  />`}function Dr({of:e}){const t=N(e.b.measure),n=e.comparison.by_distribution;return m`
    <div class="numbers compare-difference">
      ${n.map(({name:s,count:a,difference:{accuracy:o}})=>{const r={name:"B minus A",value:o?t.change(o.value):Un,unit:t.changeUnit,detail:xa(o,t.change,"")+", "+k(a)+" samples",mood:lo(o,t.higher)},i=n.length>1||s==="out"?Z[s]:"";return m`<${U} id=${"drop-difference-"+s} main=${!0} ...${F(r,i)} />`})}
    </div>
    <${Wr} parts=${n} />
  `}function jr({a:e,b:t}){const{name:n}=N(t.measure),s=[["what","A","A_low","A_high","B","B_low","B_high"]],a=c=>c?[c.value,c.low??"",c.high??""]:["","",""],o=new Map(de(t).map(c=>[c.where,c.evaluation]));for(const{where:c,evaluation:u}of de(e)){const[d,h]=[o.get(c),c&&", "+c];s.push([n+h,...a(u.accuracy),...a(d?.accuracy)]),s.push(["loss"+h,...a(u.loss),...a(d?.loss)])}const r=c=>c.name+(c.distribution?", "+c.distribution:""),i=Qt();for(const c of i?["best first","worst first","random"]:[])for(const u of[...new Set([i?.a,i?.b].flatMap(d=>d?.retention??[]).map(d=>d.share_kept))].sort((d,h)=>h-d)){const[d,h]=[i?.a,i?.b].map(g=>g?.retention.find(b=>b.order===c&&b.share_kept===u)),p=g=>g?[g.accuracy,g.low,g.high]:["","",""];s.push([c+", share kept "+u.toFixed(3),...p(d),...p(h)])}for(const[c,u]of[["label ",_e],["",Oe]]){const d=new Map(u(t).map(h=>[r(h),h]));for(const h of u(e)){const p=d.get(r(h)),g=p?[p.accuracy,p.low,p.high]:["","",""];s.push([c+r(h),h.accuracy,h.low,h.high,...g])}}return s}function Ur({b:{data:e},comparison:t}){const n=new Map(t.by_distribution.map(r=>[r.name,r.outcomes])),s=Object.fromEntries(Object.entries(Z).map(([r,i])=>[i,r])),a=t.by_distribution[0].name,o=[["what","distribution","samples","A","B","B_minus_A","low","high",...bt.map(([r])=>r)]];for(const{name:r,where:i,main:c,count:u,a:d,b:h,value:p,low:g,high:b}of ms(t,e)){const f=c?n.get(s[i]??a):null,y=bt.map(([x])=>f?f[x]:"");o.push([r,i||Z[a],u,d,h,p,g??"",b??"",...y])}return o}const Os={compared:{scene:({a:e,b:t},n,s)=>gr(e,t,n,{alone:s,curves:Qt()}),rows:jr,Numbers:Pr},difference:{scene:({b:e},t)=>$r(e,t),rows:Ur,Numbers:Dr}};function Fr({a:e,b:t,comparison:n}){const[s,a]=[e,t].map(o=>Cn(o,Gt));return{...lt(),a:s,b:a,samples_compared:n.covered}}function qr(e){const t=je();if(!t)return null;const{scene:n,rows:s}=Os[e],a=s(t),{a:o,...r}=t.comparison;return{name:"drop-"+e,facts:Fr(t),rows:()=>a,json:()=>e==="difference"?{result:r}:{a:t.a,b:{...t.b,comparison:null}},picture:{scene:()=>n(t,1e3,!0)}}}const Lr={compared:{title:"A and B",words:"A and B side by side"},difference:{title:"Difference, B minus A",words:"B minus A"}};function _s({name:e,children:t}){const{scene:n,rows:s,Numbers:a}=Os[e],{title:o,words:r}=Lr[e],i=je();return m`<${Pe}
    id=${"drop-"+e}
    title=${o}
    reads=${Ie[e]}
    tag="caused"
    formats=${De}
    written=${()=>qr(e)}
    coded=${!1}
    hidden=${i===null}
  >
    <div class="drop-compared" data-fresh=${String(l.fresh)}>
      <div class="compare-numbers">${i&&m`<${a} of=${i} />`}</div>
      <${mt}
        data=${{"data-key":e}}
        scene=${c=>{const u=je();return u&&n(u,c,!1)}}
        drawn=${()=>l.evaluation?.id??""}
        label=${c=>c.title+". "+c.desc}
      />
      ${t}
    </div>
    <${We}
      words=${r+" as a table"}
      data=${{"data-compare-table":e}}
      caption=${()=>(i&&n(i,1e3,!0).desc)??""}
      rows=${i&&(()=>s(i))}
    />
  <//>`}function Gr(){ue(ur,[]);const e=je();return m`<div class="drop-compare" hidden=${!Q.value}>
    <div class="compare-words">
      ${Q.value&&m`<p class="hint" role="status">${e?Ir(e):Br()}</p>`}
    </div>
    <${_s} name="compared">
      <div class="compare-curves"><${dr} /></div>
    <//>
    <${_s} name="difference" />
  </div>`}const Ss=[0,.25,.5,.75,1],Es=e=>100*e+(e===1?" %":""),nn=[["baseline","the model as it is","ink","surface"],["changed","this set","accent","accent"]],Ue=()=>(l.evaluation?de(l.evaluation):[]).flatMap(({where:e,evaluation:{by_confidence:t}})=>nn.flatMap(([n])=>(t?t[n]:[]).map(s=>({...s,where:e,key:n}))));function Ms(e){const{evaluation:t}=l,n=[...new Set(Ue().map(({where:c})=>c))];if(!t||!n.length)return null;const s=Math.min(420,(e-24*(n.length-1))/n.length),[a,o]=[52,252],r=n.flatMap((c,u)=>{const d=u*(s+24),[h,p]=[ye([0,1],[d+46,d+s-26],{ticks:Ss,named:Es}),ye([0,1],[o,a],{ticks:Ss,named:Es})],g=nn.map(([f,,y,x])=>{const S=Ue().filter(O=>O.where===c&&O.key===f),T=({count:O,confidence:v,accuracy:_})=>le(_.value)+" % right of "+k(O)+" answers, "+le(v)+" % sure";return[Xe(S,{x:O=>h(O.confidence),y:({accuracy:O})=>[p(O.low),p(O.high)],stroke:y}),Ve(S,{x:O=>h(O.confidence),y:O=>p(O.accuracy.value),fill:x,stroke:y,words:T})]}),b=[L(["accuracy"],{x:d,y:a-14,down:0,size:11,fill:"dim"}),L(["confidence"+(c&&", "+c)],{x:(h(0)+h(1))/2,y:o+31,down:0,size:11,fill:"dim",anchor:"middle"})];return[It(p,[h(0),h(1)]),Ye(h,[a,o]),et([0,1],{x:h,y:p,stroke:"unmatched",dash:[3,3]}),...g.flat(),...b]}),i=Pt(nn.map(([,c,u])=>({text:c,stroke:u,ink:u,width:2})),{x:46,y:12,width:e});return ve({width:e,height:o+40,title:"Accuracy by confidence with "+Qe(t,l.model)+": "+t.model,desc:"Accuracy of the answers in each tenth of confidence, with 95 % intervals.",marks:[i.marks,...r]})}const sn=()=>[["answers","distribution","least_confidence","count","mean_confidence","accuracy","low","high"],...Ue().map(({key:e,where:t,least:n,count:s,confidence:a,accuracy:{value:o,low:r,high:i}})=>[e,t,n,s,a,o,r,i])],zr=()=>m`<${Pe} id="drop-confidence" title="Accuracy by confidence" tag="caused" formats=${De} coded=${!1} hidden=${!Ue().length}
    reads="Dots on the dashed line: answers are as often right as the model is sure of them; below it the model is too sure. Whiskers: 95 %."
    more="Confidence is the softmax probability of the answer. Each dot is a tenth of it, at its mean; tenths without an answer have no dot."
    written=${()=>Ue().length?{name:"drop-confidence",facts:lt(),rows:sn,json:()=>Dt(sn()),picture:{scene:()=>Ms(860)}}:null}>
    <${mt} look="drop-picture" data=${{"data-key":"confidence","data-fresh":String(l.fresh)}} scene=${Ms}
      drawn=${()=>l.evaluation?.id??""} label=${e=>e.title+". "+e.desc} />
    <${We} words="Accuracy by confidence as a table" caption=${()=>"Accuracy by tenths of confidence"} rows=${sn} />
  <//>`,an=({experts:e,top_k:t},{kind:n,top_k:s})=>n==="drop"?Math.max(0,e-(s??t)):e;function As(e,t,n,s=!0){const a=tt(e),o=new Set(a),r=t.filter(h=>o.has(h)),i=an(e,n);if(r.length&&r.length>=i)return{back:r};const c=t.filter(h=>!o.has(h)),u=i===e.experts||!i;if(!u&&!s)return{out:[...c,...a.slice(-i)]};const d=e.name+(u?".*":".least:"+i);return{rule:[...c,d]}}const Se={drop:"dropped",mute:"muted",mean:"mean",resample:"resampled"},Jr={...Se,mean:"at their mean"},wt={drop:"Drop ",mute:"Mute ",mean:"Put the mean in place of ",resample:"Resample "},Ts="data-drop-unit",Fe=e=>e!==null&&e.units.length>Sa&&!R({model:e}),Rs=e=>e!==null&&!Fe(e)&&!R({model:e});function Ee(e,t){const n=new Set(C());e.forEach(i=>t?n.add(i):n.delete(i));const{choice:s,model:a}=l,o=new Set(jt());if(!e.some(i=>o.has(i))&&s.least){const i=new Set(s.units);e.forEach(u=>t?i.add(u):i.delete(u));const c=a.units.filter(u=>i.has(u));P({units:c})}else at([...n])}const on=(e,t,n)=>t?"Bring "+e+" back":wt[n]+e;function Hr({unit:e,units:t,away:n,kind:s,measured:a}){const o=n?a?Se[s]:"not "+Se[s]+" yet":"",r=on(e,n,s),[i,c]=[()=>nt(e),()=>nt(null)];return m`<button
    type="button"
    class="chip"
    ...${{[Ts]:e}}
    data-state=${n?s==="drop"?"dropped":"muted":"on"}
    title=${r}
    aria-pressed=${String(n)}
    aria-label=${e+(o&&", "+o)+". "+r}
    onClick=${()=>Ee([e],!n)}
    onPointerEnter=${i}
    onPointerLeave=${c}
    onFocus=${i}
    onBlur=${c}
  >
    <span class="swatch" aria-hidden="true" style=${{background:_a(t,e)}}></span>
    ${e}
    <span class="chip-state">${o}</span>
  </button>`}function Kr(){const{model:e,choice:t,status:n,fresh:s}=l,a=s||n!=="failed"&&n!=="cancelled",[o,r]=[C(),Rs(e)?e?.units??[]:[]];return m`<div
    class="chips"
    role="group"
    aria-label="Units"
    hidden=${e!==null&&!Rs(e)}
    onKeyDown=${qn}
  >
    ${r.map(i=>m`<${Hr} key=${i} ...${{unit:i,units:r,away:o.includes(i),kind:t.kind,measured:a}} />`)}
  </div>`}const Yr=[["name","by name"],["connectivity","by connectivity"],["graph","as in the graph"]];function Xr(e,{model:t,graph:n}){return!n||e==="name"?t.units:(e==="graph"?n.order:On(n.connectivity).reverse()).map(a=>t.units[a])}function yt(e){const{model:t,graph:n}=l;return t?Ea(t.units,e,n&&n.connectivity):[]}function Vr(){const{model:e,graph:t,choice:n}=l,{units:s,unit:a}=X(e),o=k(C().length)+" of "+k(e.units.length),r=t?"; the stronger the colour, the better connected":"";return o+" "+(e.units.length===1?a:s)+" "+Jr[n.kind]+r}function Qr({asked:e,order:t}){const{model:n,graph:s,choice:a}=l;if(!n||!Fe(n))return null;const o=yt(e.value).length,r=Ma(n.units,e.value,s&&s.connectivity,X(n)),i=()=>Ee(yt(e.value),!0);return m`
    <input
      type="search"
      class="small-input"
      id="drop-find"
      placeholder="m1, m5..m9, m1*, q<30"
      aria-label="Find units: names, ranges, a beginning with *, or their connectivity q"
      title="Names, ranges, a beginning with *, or the connectivity: q<30"
      autocomplete="off"
      aria-describedby="drop-unfound"
      value=${e.value}
      onInput=${c=>e.value=c.currentTarget.value}
      onKeyDown=${c=>c.key==="Enter"&&i()}
    />
    <span class="hint" id="drop-unfound" role="status" aria-live="polite">${r}</span>
    <${j} id="drop-take" wait=${!o} act=${i}>${(wt[a.kind]+(o||"")).trim()}<//>
    <${j} id="drop-bring" wait=${!o} act=${()=>Ee(yt(e.value),!1)}>Bring back<//>
    <${V}
      id="drop-order"
      look="small-input"
      label="Order of the units"
      options=${Yr}
      chosen=${t.value}
      onChoose=${c=>t.value=c}
      wait=${!s}
      hidden=${!ke(l)}
    />
    <span class="hint" id="drop-count">${Vr()}</span>
  `}function Zr(){const[e,t]=[Ce(""),Ce("name")],n=we(null);return ue(()=>{const s=n.current,a=new ho(s,Ts,{toggle:Ee,point:r=>nt(r),about(r,i){const{graph:c,model:u,choice:d}=l,h=c?", q "+c.connectivity[u.units.indexOf(r)].toFixed(1):"";return r+h+". "+on(r,i,d.kind)}}),o=[I(()=>{const r=l,{graph:i,model:c}=r;Fe(c)&&(a.show(Xr(t.value,r)),i&&a.shade(u=>i.connectivity[c.units.indexOf(u)]),a.ring(yt(e.value)))}),I(()=>{const{model:r,choice:i}=l;Fe(r)&&(a.mark(C(),Se[i.kind]),s.dataset.kind=i.kind)})];return()=>o.forEach(r=>r())},[]),m`<div class="drop-many" hidden=${!Fe(l.model)}>
    <div class="interventions drop-row"><${Qr} asked=${e} order=${t} /></div>
    <div ref=${n} role="group" aria-label="Units"></div>
  </div>`}const Ns=({id:e,name:t,label:n,value:s,most:a,words:o,wait:r=!1,onSlide:i})=>m`<div class="control" title=${n}>
    <span class="control-name">${t}</span>
    <input
      type="range"
      class="range"
      id=${e}
      min="0"
      max=${a}
      step="1"
      aria-label=${n}
      disabled=${r}
      value=${s}
      onInput=${c=>i(Number(c.currentTarget.value))}
    />
    <output class="readout">${o}</output>
  </div>`;function ei(){if(!ke(l))return null;const{model:e,graph:t,graphProblem:n,choice:s}=l,a=s.edges===null?1:s.edges;return m`<div class="interventions drop-row">
    <${Ns}
      id="drop-least"
      name="n least connected"
      label="Drop the n units of least connectivity q"
      value=${s.least}
      most=${e.units.length-1}
      words=${s.least+" of "+e.units.length}
      wait=${!t}
      onSlide=${o=>P({least:o},!0)}
    />
    <${Ns}
      id="drop-edges"
      name="share of edges kept"
      label="Share of the links that is kept, the most probable first"
      value=${Math.round(100*a)}
      most=${100}
      words=${Oa(a)+" %"}
      onSlide=${o=>P({edges:o===100?null:o/100},!0)}
    />
    <span class="hint">
      ${n?"The graph: "+n.message:t?"":"Reading the graph"}
    </span>
  </div>`}const ti="data-drop-unit",qe="data-drop-layer",Cs=({id:e,name:t,unit:n="",value:s,least:a,most:o,act:r})=>m`<span class="control">
    <label class="control-name" for=${e}>${t}</label>
    <input
      type="number"
      class="small-input expert-count"
      id=${e}
      min=${a}
      max=${o}
      value=${s.value}
      onInput=${i=>{const c=Number(i.currentTarget.value);Number.isInteger(c)&&(s.value=c)}}
      onKeyDown=${i=>i.key==="Enter"&&r()}
    />
    ${n&&m`<span class="hint">${n}</span>`}
  </span>`;function ni(){const{model:e,choice:t,use:n,sets:s}=l,{units:a}=X(e),o=C().length,r=k(o)+" of "+k(e.units.length)+" "+a+" "+Se[t.kind];return s.length?r+(n?"":"; observing their use"):r+"; no use is observed without a data set"}function si(){const{model:e,use:t}=l;return t?(fo(e?.layers??[])?"Shade and number":"Shade")+": observed "+Y.weight+", in % of the layer, with all experts on, over "+k(t.count)+" samples of "+t.data.join(", ")+".":""}function ai({least:e,share:t}){const{model:n,choice:s,ruled:a,sets:o}=l;if(!n||!R(l))return null;const r=(n.layers??[]).reduce((p,g)=>p+an(g,s),0),i=()=>ot(["least:"+e.value]),c=()=>ot(["share:"+t.value/100]),u=wt[s.kind].trim(),d=!C().length,h=m`
    <${Cs}
      id="drop-least-used"
      name=${"Least "+Y.weight}
      value=${e}
      least=${1}
      most=${r}
      act=${i}
    />
    <${j} id="drop-take-least" act=${i}>${u}<//>
    <${Cs}
      id="drop-share"
      name="Share of every layer"
      unit="%"
      value=${t}
      least=${1}
      most=${100}
      act=${c}
    />
    <${j} id="drop-take-share" act=${c}>${u}<//>
  `;return m`
    ${o.length>0&&h}
    <${j} id="drop-bring" wait=${d} act=${()=>at([])}>Bring all back<//>
    <span class="hint" id="drop-count">${ni()}</span>
    <span class="hint" id="drop-ruled" role="status" aria-live="polite" data-refused=${String(!!a?.refused)}>
      ${a?a.text:""}
    </span>
  `}function oi(e){const{model:t,choice:n,sets:s}=l,a=(t.layers??[]).find(r=>r.name===e);if(!a)return;const o=As(a,C(),n,s.length>0);"back"in o?Ee(o.back,!1):"out"in o?at(o.out):ot(o.rule)}function ri(){const[e,t]=[Ce(4),Ce(25)],n=we(null);return ue(()=>ii(n.current),[]),m`<div class="drop-experts" hidden=${!R(l)}>
    <div
      ref=${n}
      class="expert-grid"
      role="group"
      aria-label="Experts by layer"
      onClick=${s=>{const a=s.target instanceof Element&&s.target.closest("["+qe+"]")?.getAttribute(qe);a&&oi(a)}}
    ></div>
    <p class="hint expert-legend">${si()}</p>
    <div class="interventions drop-row"><${ai} least=${e} share=${t} /></div>
  </div>`}function ii(e){const t=new po(e,ti,{toggle:Ee,point:n=>nt(n),about(n,s){const{use:a,choice:o}=l,r=a?.units.find(c=>c.unit===n),i=r?", "+Y.weight+" "+le(r.share)+" % of its layer":"";return n+i+". "+on(n,s,o.kind)}});return st(({model:n,choice:s,use:a,sets:o},r)=>{if(!(!n||!R({model:n}))&&(r.has("model")&&t.lay(n.layers??[],qe),(r.has("model")||r.has("use"))&&t.tell(a&&new Map(a.units.map(({unit:i,share:c})=>[i,c]))),!!["model","choice"].some(i=>r.has(i)))){t.mark(C(),Se[s.kind]),e.dataset.kind=s.kind;for(const i of e.querySelectorAll("["+qe+"]")){const c=(n.layers??[]).find(b=>b.name===i.getAttribute(qe));if(!c)continue;const u=As(c,C(),s),d=c.experts-an(c,s),h=o.length?d+" most used experts of ":"first "+d+" experts of ",p=d?"all but the "+h:"all experts of ",g=("back"in u?"Bring back the experts of ":wt[s.kind]+p)+"layer "+Ln(c.name);i.setAttribute("title",g),i.setAttribute("aria-label","layer "+Ln(c.name)+". "+g)}}})}const[ci,rn,Bs,li,ui,di]=[236,196,52,14,30,36],Me={tokens:"by "+Y.tokens,weight:"by "+Y.weight,effect:"by caused effect",greedy:"greedy, by caused effect",chance:"by chance"},hi=({baseline:e})=>e.map(t=>t.domain).sort((t,n)=>+(n==="all")-+(t==="all")),vt=e=>e==="all"?"all data sets":e,pi=(e,t)=>t==="figure"?e.figure:e.change,fi=(e,t)=>t==="figure"?e.random:e.random_change,Is=e=>e?[e.value,e.low,e.high]:[];function Le(e,t){const{value:n,low:s,high:a}=e;return t(n)+(s===null||a===null?"":" (95 %: "+t(s)+" to "+t(a)+")")}const mi=({low:e,high:t},n)=>e===null||t===null?"":", from "+n(e)+" to "+n(t),Ps=(e,t)=>t==="all"||e.data.length===1?e.count:e.data.find(({name:n})=>n===t)?.count,kt=e=>e===void 0?"":", over "+k(e)+" samples",Ws=(e,t)=>e.draws??t.draws;function gi(e){const t=e.curve.filter(a=>a.random).map(a=>Ws(a,e)),[n,s]=t.length?[Math.min(...t),Math.max(...t)]:[e.draws,e.draws];return(n<s?n+" to "+s:s)+" random sets"}function $i(e,t){const n=N(t.measure),s=i=>Ne(n,i),a=i=>n.change(i)+" "+n.changeUnit,o=vt(e.domain)+", "+le(e.share)+" % kept ("+k(e.experts)+" experts), "+Me[t.order]+": ",r=e.random&&e.random_change?"; "+Ws(e,t)+" random sets "+s(e.random.value)+mi(e.random,s):"";return o+Le(e.figure,s)+"; change "+Le(e.change,a)+kt(Ps(t,e.domain))+r}function bi({found:e,domain:t,shown:n,mark:s,dx:a,dy:o,width:r}){const i=N(e.measure),c=e.curve.filter(w=>w.domain===t).sort((w,E)=>E.share-w.share),u=e.baseline.find(w=>w.domain===t)?.figure,d=n==="figure"?u:{value:0,low:null,high:null},h=s.figures.get(t),p=h&&(n==="figure"?h.figure:h.change),g=[...d?[{share:1,at:d}]:[],...c.map(w=>({share:w.share,at:pi(w,n)}))],b=c.flatMap(w=>[fi(w,n)].flatMap(E=>E?[{share:w.share,at:E}]:[])),y=[...g,...b].flatMap(({at:w})=>Is(w)).concat(Is(p)).filter(w=>w!==null),[x,S]=[Math.min(...y),Math.max(...y)],T=.06*(S-x||Math.abs(S)||1),[O,v,_,H]=[a+Bs,a+r-li,o+ui,o+rn-di],te=Math.min(s.share,...c.map(w=>w.share),.9),gn=ye([1,te],[O,v],{round:!1,ticks:[1,.75,.5,.25,0].filter(w=>w>=te-.02),named:w=>Math.round(100*w)+(w===1?" %":"")}),ie=i.share?100:1,ne=ye([ie*(x-T),ie*(S+T)],[H,_],{round:!1,most:6}),{named:ra}=ne;n==="change"&&(ne.named=w=>(w>0?"+":"")+ra(w));const se={x:({share:w})=>gn(w),y:({at:w})=>ne(ie*w.value)},$n=({at:{low:w,high:E}})=>w===null||E===null?null:[ne(ie*w),ne(ie*E)],ia=w=>Ne(i,w),ca=w=>d&&!w?vt(t)+", all experts: "+Le(u??d,ia)+kt(Ps(e,t)):$i(c[w-(d?1:0)],e),la=(w,E)=>d&&!E?"ink":"accent",bn=h&&p?[{share:s.share,at:p}]:[],wn=b.length&&d?[{share:1,at:{...d,low:d.value,high:d.value}},...b]:b;return[L([vt(t)],{x:O,y:o+14,down:0,size:12.5,weight:650,room:v-O}),It(ne,[O,v],{strong:n==="change"?0:null}),Ye(gn,[_,H],{grid:!1}),jn(wn,{...se,y:({at:{value:w,low:E,high:ua}})=>[ne(ie*(E??w)),ne(ie*(ua??w))],fill:"unmatched"}),et(wn,{...se,stroke:"unmatched",width:1.5,dash:[4,3]}),Wn([s],{x:se.x,y:[_,H],stroke:"marker",width:1.2,dash:[3,3]}),g.length>1?et(g,{...se,stroke:"accent"}):[],Xe(g,{...se,y:$n,r:0,stroke:la}),Ve(g,{...se,r:3.5,fill:(w,E)=>d&&!E?"surface":"accent",stroke:(w,E)=>d&&!E?"ink":void 0,width:1.5,words:(w,E)=>ca(E),reach:14,rise:14}),Xe(bn,{...se,y:$n,r:0,stroke:"marker"}),mo(bn,{...se,text:"diamond",r:6,stroke:"surface",width:1.5,fill:"marker",words:h&&wi(t,s,h,i),reach:14,rise:14})]}function wi(e,{share:t},{figure:n,change:s,count:a},o){const r=u=>Ne(o,u),i=u=>o.change(u)+" "+o.changeUnit;return vt(e)+", what the page left out, "+le(t)+" % kept: "+Le(n,r)+(s?"; change "+Le(s,i):"")+kt(a)}function Ds(e,t,n,s){const a=hi(e),o=Math.max(1,Math.min(a.length,Math.floor(s/ci))),r=s/o,i=Math.ceil(a.length/o)*rn,c=N(e.measure),u=c.unit&&!c.name.startsWith(c.unit)?" ("+c.unit+")":"",d=t==="figure"?c.title+u:"Change of "+c.name,h=Pt([{text:d,key:"none",ink:"ink",weight:600},{text:Me[e.order]+"; whiskers 95 %"+kt(e.count),stroke:"accent"},...e.draws?[{text:gi(e)+": mean, least to largest",stroke:"unmatched"}]:[]],{x:s<420?8:Bs,y:i+8,width:s,size:11.5});return ve({width:s,height:i+h.height+4,title:d+" while fewer experts are kept, "+Me[e.order]+": "+e.model,desc:"A facet a data set: "+d+" against the share of experts that is kept. The line goes "+Me[e.order]+", whiskers are 95 % intervals, the band spans random sets of the same size; the dashed upright is where the bars stand.",marks:[a.map((p,g)=>bi({found:e,domain:p,shown:t,mark:n,width:r,dx:g%o*r,dy:Math.floor(g/o)*rn})),h.marks]})}const js=e=>[["domain","share","experts","figure","low","high","change","change_low","change_high","random","random_low","random_high","random_change","random_change_low","random_change_high"],...e.curve.map(({domain:t,share:n,experts:s,figure:a,change:o,random:r,random_change:i})=>[t,n,s,...[a,o,r,i].flatMap(c=>[c?.value??"",c?.low??"",c?.high??""])])],Ge=26,[yi,vi,Ae]=[5,40,18],[cn,ki]=[.25,.85],Us=e=>Math.max(1,...e.map(t=>t.experts));function ln(e,t){const n=Math.max(yi,Math.min(vi,Math.floor(t/Us(e))));return{cell:n,width:n*Us(e),height:Ge*e.length}}function Fs({layers:e,counts:t,places:n},s,a){if(!n)return{goes:!1,opacity:cn};const o=e[s].experts-t[s],r=n[s][a],i=Math.max(1,e[s].experts-1);return{goes:r<o,opacity:cn+(ki-cn)*r/i}}function xi(e,t,n){const s=En(),a=ln(t.layers,n),o=bo(e,a.width,a.height);o.clearRect(0,0,a.width,a.height);const r=a.cell>8?2:1,i=(Ge-Ae)/2;t.layers.forEach((c,u)=>{const d=u*Ge+i;for(let h=0;h<c.experts;h+=1){const{goes:p,opacity:g}=Fs(t,u,h),[b,f]=[h*a.cell,a.cell-r];if(p){o.globalAlpha=1,o.strokeStyle=s.bad,o.lineWidth=1,f>7?(o.strokeRect(b+.5,d+.5,f-1,Ae-1),o.beginPath(),o.moveTo(b+3,d+Ae-3),o.lineTo(b+f-3,d+3),o.stroke()):(o.fillStyle=s.bad,o.fillRect(b,d+Ae/2-1,f,2));continue}o.globalAlpha=g,o.fillStyle=s.accent,o.fillRect(b,d,f,Ae)}}),o.globalAlpha=1,Object.assign(e.style,{width:a.width+"px",height:a.height+"px"})}function Oi(e,t,n,s){const[a,o]=[Math.floor(s/Ge),Math.floor(n/t)];return a>=0&&a<e.length&&o>=0&&o<e[a].experts?{row:a,expert:o}:null}function _i(e,t,n){const{layers:s,counts:a}=e,o=s.map(({name:p})=>Re(p)),r=Math.ceil(go(o,11.5))+12,i=ln(s,t-r-70),c=$o(o,[0,i.height],Ge-Ae),u=s.flatMap((p,g)=>Array.from({length:p.experts},(b,f)=>({row:g,x:r+f*i.cell,...Fs(e,g,f)}))),d=i.cell-(i.cell>8?2:1),h={y:({row:p})=>c.extent(p),x:({x:p})=>[p,p+d],rx:2};return ve({width:t,height:i.height+6,title:n,desc:"A row a layer, a cell an expert: filled ones stay, the stronger the later they would go; hollow ones go.",marks:[L(o,{x:r-8,y:(p,g)=>c(g),size:11.5,anchor:"end"}),Gn(u.filter(({goes:p})=>p),{...h,stroke:"bad",width:1}),Gn(u.filter(({goes:p})=>!p),{...h,fill:"accent",opacity:({opacity:p})=>p}),L(s,{x:r+i.width+8,y:(p,g)=>c(g),text:(p,g)=>a[g]+" of "+p.experts,size:11.5,fill:"dim"})]})}const oe=({experts:e,top_k:t})=>Math.min(t,e),Si=5e5,qs=(e,t,n)=>Math.max(t,Math.min(n,e)),un=e=>e.map(t=>t.experts),xt=(e,t)=>e.map(n=>qs(Math.ceil(Number((n.experts*t).toFixed(9))),oe(n),n.experts)),Ls=(e,t,n)=>zs(e,t,(s,a)=>a<=n),Gs=e=>e.slice(0,e.lastIndexOf("."));function zs(e,t,n){const s=un(e),a=new Map(e.map((r,i)=>[r.name,i]));let o=s.reduce((r,i)=>r+i,0);for(const r of t){if(n(s,o))break;const i=a.get(Gs(r))??-1;i<0||s[i]<=oe(e[i])||(s[i]-=1,o-=1)}return s}function Js(e,t){const n=new Map(e.map(s=>[s.name,[]]));for(const s of t){const a=Gs(s);n.get(a)?.push(Number(s.slice(a.length+2))-1)}return e.map(({name:s,experts:a})=>{const o=n.get(s)??[],r=new Set(o),i=Array.from({length:a},(u,d)=>d).filter(u=>!r.has(u)),c=new Int32Array(a);return[...o,...i].forEach((u,d)=>c[u]=d),c})}const Ei=(e,t,n)=>e.flatMap((s,a)=>tt(s).filter((o,r)=>t[a][r]<s.experts-n[a]));function Mi(e,t,n,s,a,o){const r=qs(o,oe(t[a]),t[a].experts);return e==="alike"?xt(t,r/t[a].experts):e==="own"?s.map((i,c)=>c===a?r:i):zs(t,n,i=>i[a]<=r)}const Ai=({units:e})=>e.map(({unit:t,share:n},s)=>({unit:t,share:n,at:s})).sort((t,n)=>t.share-n.share||t.at-n.at).map(({unit:t})=>t);function Hs(e,t,n){const s=e.reduce((r,i)=>r+i.experts,0),a=s-e.reduce((r,i)=>r+oe(i),0);if(t==="effect")return s+1;if(t!=="greedy")return 0;let o=0;for(let r=0;r<a;r+=n)o+=s-r+1;return o}function Ks(e,t,n){if(e!=="greedy")return 1;const s=t.reduce((o,r)=>o+r.experts,0);let a=1;for(;a<s&&Hs(t,e,a)*n>Si;)a*=2;return a}function Ti(e,t,n){const s=e.map(o=>o.experts-oe(o)),a=e.findIndex(o=>o.experts===Math.max(...un(e)));return Math.min(n,t==="all"?s.reduce((o,r)=>o+r,0):s[a])}const D="pruning",Ot=8,Ri=64*1024*1024,Ni=700,Ci=20,{state:$,update:A,subscribe:vc}=vn({model:null,layers:[],order:"weight",way:"alike",samples:128,draws:8,counts:[],known:null,found:null,said:"",writes:!1});function ze(){const{model:e,order:t,way:n,samples:s,draws:a,layers:o}=$,r=n==="together"?"all":"layer",i=Ks(t,o,s);return{model:e,data:ee(),samples:s,order:t,scope:r,at_once:i,points:Ot,draws:a,seed:0}}function Ys(){const{model:e,data:t,samples:n,order:s,at_once:a,seed:o}=ze();return JSON.stringify({model:e,data:t,samples:n,order:s,atOnce:a,seed:o})}function J(){const{known:e,order:t}=$,n=e&&e.of===Ys()?e:null;if(n)return{...n,preliminary:!1};const{use:s}=l;return t!=="weight"||!s?null:{...Bi(s),of:"",preliminary:!0}}let _t=null;function Bi(e){const{layers:t}=$;if(_t?.use===e&&_t.layers===t)return _t;const n=Ai(e);return _t={use:e,layers:t,sequence:n,places:Js(t,n)}}function Xs(){const e=J();return e?Ei($.layers,e.places,$.counts):[]}function re(){return{stay:$.counts.reduce((t,n)=>t+n,0),whole:$.layers.reduce((t,n)=>t+n.experts,0)}}function Ii(e,t){const{way:n,layers:s,counts:a}=$;A({counts:Mi(n,s,J()?.sequence??[],a,e,t),said:""})}function Pi(e){const{way:t,layers:n}=$,s=J()?.sequence??[],a=t==="together"?Ls(n,s,e):xt(n,e/re().whole);A({counts:a,said:""})}const Wi=()=>A({counts:un($.layers),said:""});function St(e){const t=JSON.stringify(ze());A({...e,said:""}),$.way!=="own"&&Vs(),JSON.stringify(ze())!==t&&($.found&&A({found:null}),be(D))}function Vs(){const{way:e,layers:t}=$,{stay:n,whole:s}=re();if(!s)return;const a=J()?.sequence??[];A({counts:e==="alike"?xt(t,n/s):Ls(t,a,n)})}const dn=()=>At(D,"/prunings",ze());function Di(){P({kind:"drop",units:Xs(),least:0,top_k:null})}function hn(){const e=Xs(),{choice:t}=l,n=t.kind==="drop"&&t.top_k===null?C():[];return e.length>0&&e.length===n.length&&e.every((s,a)=>s===n[a])}const Qs=e=>"/prunings/"+encodeURIComponent($.found?.id??"")+"/"+e+"?keep="+$.counts.join(",");async function ji(){if(!$.found)return null;A({said:""});try{return await(await Tn(Qs("keep-list"))).blob()}catch(e){return A({said:e.message}),null}}async function Ui(){if(!$.found||$.writes)return null;const e=Qs("model");A({said:"",writes:!0});try{const t=await Tn(e);return Number(t.headers.get("Content-Length")??1/0)<=Ri?await t.blob():(await t.body?.cancel(),Aa+e)}catch(t){return A({said:t.message}),null}finally{A({writes:!1})}}let Zs=0;async function Fi({job:e}){if(!e||!["running","done"].includes(e.state)||!$.model)return;const t=e.state==="running";if(t&&(!e.total||performance.now()-Zs<Ni)||!t&&$.found?.id===e.id&&$.found.complete)return;Zs=performance.now();const n=await K("GET","/prunings/"+encodeURIComponent(e.id)).catch(()=>null);if(!(!n||q(D).job?.id!==e.id||n.model!==$.model)&&!($.found?.id===n.id&&qi(n,$.found))&&n.sequence.length){const s=Ys(),a=$.known?.of===s?$.known:{of:s,sequence:n.sequence,places:Js($.layers,n.sequence)};A({known:a,found:n}),$.way==="together"&&Vs()}}const qi=(e,t)=>t.complete||!e.complete&&e.curve.length<t.curve.length;function ea(e){const{choice:t}=l,n=new Set(t.kind==="drop"?C():[]);return e.map(s=>{let a=0;for(let o=1;o<=s.experts;o+=1)n.has(s.name+".e"+o)||(a+=1);return Math.max(a,oe(s))})}function ta(e,t){const n=xt(e,t[0]/e[0].experts);return t.some((s,a)=>s!==n[a])}async function Li(){const{model:e}=$,t=await K("GET","/jobs?kind="+D+"&limit="+Ci).catch(()=>null);if(!t||$.model!==e||q(D).job||q(D).starting)return;const n=JSON.stringify(ee()),s=t.items.find(({state:p,owner:g,request:b})=>["running","queued","done"].includes(p)&&g!=="another"&&b.model===e&&JSON.stringify(b.data)===n&&!b.keep&&b.points===Ot);if(!s)return;const a=s.request,{order:o,scope:r,samples:i,draws:c}=a,u=r==="all"?"together":ta($.layers,$.counts)?"own":"alike";A({order:o,way:u,samples:i,draws:c});const d=ze();Object.keys(d).every(p=>JSON.stringify(d[p])===JSON.stringify(s.request[p]))&&dn()}let pn="",fn=!1;function Gi(){const e=[Mt(D,t=>{Fi(t)}),st(({model:t},n)=>{if(!n.has("model")&&!n.has("choice"))return;const s=t?.layers??[],a=t&&s.length?t.id:null;if(a!==$.model&&($.model&&be(D),pn=JSON.stringify(ee()),fn=!0,A({model:a,layers:s,counts:ea(s),known:null,found:null,said:""})),!a||!n.has("choice"))return;if(fn){fn=!1;const r=ea(s);A({counts:r,way:ta(s,r)?"own":"alike"}),Li();return}const o=JSON.stringify(ee());o!==pn&&(pn=o,($.found||q(D).job)&&be(D),A({found:null}))})];return()=>{e.forEach(t=>t()),A({model:null,layers:[],counts:[],known:null,found:null,said:""})}}const zi=[["tokens","by "+Y.tokens+", observed"],["weight","by "+Y.weight+", observed"],["effect","by effect, caused"],["greedy","greedy, caused"],["chance","by chance"]],Ji=[["alike","all alike"],["together","all together, by the order"],["own","each on its own"]],Hi={tokens:"Observed: experts that fewest tokens take go first. This predicts effects badly.",weight:"Observed: experts of least routing weight go first. This predicts effects badly.",effect:"Caused: each expert is dropped alone, and those that cost least go first.",greedy:"Caused: after every step all that are left are dropped in turn, and the cheapest goes.",chance:"By chance: what any other order has to beat."};function Ki(){const{order:e,layers:t,samples:n,draws:s,way:a}=$,o=Ti(t,a==="together"?"all":"layer",Ot),r=Ks(e,t,n),c=Hs(t,e,r)+o*(1+s)+1,u=l.evaluation?.baseline?.samples_per_second,d=u?", about "+Tt(c*n/u):"";return k(c)+" sets of experts on "+k(n)+" samples"+d+"."+(r>1?" Experts go "+k(r)+" at once.":"")}function Yi(){const{order:e,way:t,samples:n,draws:s,found:a,model:o}=$;if(!o)return null;const{job:r,starting:i,problem:c}=q(D),u=i||r!==null&&["queued","running"].includes(r.state),d=!!a?.complete,{read_only:h}=ce.value,p=_n(c)&&c?.message,g=(f,y,x)=>m`<div class="control"><label class="control-name" for=${f}>${y}</label>${x}</div>`,b="small-input";return m`<div class="interventions drop-row">
      ${g("studio-order","Experts go",m`<${V}
          id="studio-order"
          look=${b}
          options=${zi}
          chosen=${e}
          onChoose=${f=>St({order:f})}
        />`)}
      ${g("studio-way","Layers",m`<${V}
          id="studio-way"
          look=${b}
          options=${Ji}
          chosen=${t}
          onChoose=${f=>St({way:f})}
        />`)}
      ${g("studio-samples","Samples",m`<${V}
          id="studio-samples"
          look=${b}
          options=${Nt([32,64,128,256],n)}
          chosen=${String(n)}
          onChoose=${f=>St({samples:Number(f)})}
        />`)}
      ${g("studio-draws","Random sets",m`<${V}
          id="studio-draws"
          look=${b}
          options=${Nt([0,4,8,16],s)}
          chosen=${String(s)}
          onChoose=${f=>St({draws:Number(f)})}
        />`)}
      ${!h&&m`<button
          type="button"
          class="button"
          id="studio-start"
          disabled=${u||d}
          onClick=${()=>dn()}
        >
          ${d?"Computed":"Compute order and curves"}
        </button>`}
    </div>
    <p class="hint" id="studio-rests">
      ${Hi[e]} ${p||(d||u||h?"":Ki())}
    </p>`}function Xi(){const{model:e,found:t}=$,{job:n,starting:s,problem:a}=q(D);ce.value.read_only&&e&&!t&&!n&&!s&&!a&&$e(dn)}const na=({name:e,label:t,value:n,least:s,most:a,at:o,onMove:r})=>m`<div class="studio-bar" data-studio-layer=${o}>
    <span class="studio-name">${e}</span>
    <input
      type="range"
      class="range"
      min=${s}
      max=${a}
      step="1"
      value=${n}
      disabled=${s>=a}
      aria-label=${t}
      aria-valuetext=${n+" of "+a+" experts stay"}
      onInput=${i=>r(Number(i.currentTarget.value))}
    />
    <output>${k(n)+" of "+k(a)}</output>
  </div>`;function Vi(){const{layers:e,counts:t}=$;return e.map((n,s)=>{const a=Re(n.name),o="Experts that "+a+" keeps";return m`<${na}
      key=${n.name}
      ...${{name:a,label:o,at:s,value:t[s],least:oe(n),most:n.experts}}
      onMove=${r=>Ii(s,r)}
    />`})}function Qi(){const{layers:e}=$,{stay:t,whole:n}=re(),s=e.reduce((a,o)=>a+oe(o),0);return m`<${na}
    ...${{name:"all",label:"Experts that all layers keep",at:-1,value:t,least:s,most:n}}
    onMove=${Pi}
  />`}function Zi(){const e=J();if(!e)return m`Compute the order to see which experts go.`;const t=e.preliminary?"Preview by "+Y.weight+", as in the grid above. Compute the order for the final ranking. ":"";return m`${t}Filled cells stay, the stronger the later they would go; struck ones go.`}function ec({row:e,expert:t}){const{layers:n,counts:s}=$,a=J(),o=n[e],r=tt(o)[t];if(!a)return r;const i=a.places[e][t],c=i>=o.experts-s[e],u="it stays while "+(o.experts-i)+" or more of "+o.experts+" are kept";return r+(c?" stays":" goes")+": number "+(i+1)+" of its layer to go, "+u}function tc(){const e=we(null);return ue(()=>{const t=e.current,n=t.querySelector("canvas");let s=1;function a(){const{layers:r,counts:i,model:c}=$,u=J(),{stay:d,whole:h}=re(),p=t.clientWidth;!c||p<20||(s=ln(r,p).cell,xi(n,{layers:r,counts:i,places:u?.places??null},p),n.dataset.painted=i.join(",")+(u?u.preliminary?" preliminary":" known":""),n.setAttribute("aria-label",d+" of "+h+" experts stay"+(u?"":"; who goes is not known yet")))}n.addEventListener("pointermove",r=>{const i=n.getBoundingClientRect(),c=Oi($.layers,s,r.clientX-i.left,r.clientY-i.top);n.title=c?ec(c):""});const o=[I(a),Sn(a),Fn(t,a)];return()=>o.forEach(r=>r())},[]),m`<div ref=${e} class="studio-cells"><canvas role="img"></canvas></div>`}function mn(){const{layers:e,counts:t}=$,n=J();return[["layer","expert","goes_as","stays"],...e.flatMap((s,a)=>tt(s).map((o,r)=>{const i=n?n.places[a][r]:null;return[s.name,o,i===null?"":i+1,i===null?"":String(i>=s.experts-t[a])]}))]}function sa(e){const{id:t,model:n,revision:s,order:a,scope:o,at_once:r,draws:i,seed:c,count:u,chosen_on:d}=e,h=e.data.map(b=>({name:b.name,count:b.count,stand_in:b.stand_in})),p={keep:[...$.counts],points:Ot},g={order:a,scope:o,at_once:r,draws:i,seed:c,...p};return{model:n,revision:s,data:h,samples:u,order_chosen_on:d,...g,pruning:t,kind:"caused"}}function nc(){const{found:e,layers:t,counts:n}=$,s=J();if(!e||!s)return null;const{stay:a,whole:o}=re(),r=k(a)+" of "+k(o)+" experts stay, "+Me[e.order]+": "+e.model,i="Filled cells stay, the stronger the later they would go; hollow ones go.",c=["tokens","weight"].includes(e.order)?"observed":"caused";return{name:"pruning",title:r,caption:i,facts:{...sa(e),kind:c},python:{figure:"kept-experts"},rows:mn,json:()=>Dt(mn()),picture:{scene:()=>_i({layers:t,counts:n,places:s.places},640,r)}}}function sc(){const{found:e,said:t,writes:n,model:s}=$;if(!s)return null;const{stay:a,whole:o}=re(),r=a===o,i=J()!==null,c=async(u,d)=>{const h=await u,p=(s+d).replace(/[^\w.-]+/g,"_");typeof h=="string"?wo(h,p):h&&yo(h,h.type,p)};return m`<div class="interventions drop-row">
      <span class="studio-total"
        >${k(a)+" of "+k(o)+" experts stay, "+le(a/o)+" %"}</span
      >
      <${j} id="studio-apply" wait=${r||!i||hn()} act=${Di}>
        ${hn()?"Applied to the page":"Apply to the page"}
      <//>
      <${j} id="studio-restore" wait=${r} act=${Wi}>Keep all<//>
      <${j} id="studio-keep-list" wait=${!e} act=${()=>c(ji(),"-keep-list.json")}
        >Keep-list, JSON<//
      >
      <${j} id="studio-model" wait=${!e||n} act=${()=>c(Ui(),"-pruned.zip")}
        >Pruned model, ZIP<//
      >
    </div>
    <p class="hint" id="studio-said" role="status" aria-live="polite" data-refused=${String(!!t)}>
      ${t||(n?"Writing the pruned model":e?"":"Files are of a computed order.")}
    </p>`}function aa(){const{stay:e,whole:t}=re(),n={share:t?e/t:1,experts:e,figures:new Map},{evaluation:s,fresh:a}=l;if(!s||!a||!hn())return n;const{accuracy:o,change:r,done:i}=s;o&&n.figures.set("all",{figure:o,change:r&&r.accuracy,count:i});for(const c of s.by_domain){if(c.accuracy===null)continue;const u={value:c.accuracy,low:c.low,high:c.high},d=c.change===null?null:{value:c.change,low:c.change_low,high:c.change_high};n.figures.set(c.name,{figure:u,change:d,count:c.count})}return n}const ac=[["figure","the figure"],["change","its change, paired"]];function oc(e){const{found:t}=$;return!t||!t.curve.length?null:{name:"pruning-retention",facts:sa(t),python:{figure:"retention"},rows:()=>js(t),json:()=>({pruning:t}),picture:{scene:()=>Ds(t,e,aa(),rc)}}}const rc=960;function ic(){const e=Ce("figure"),{found:t}=$,n=t&&t.curve.length?t:null;return m`<${Pe}
    id="drop-studio-curves"
    title="Retention by data set"
    reads=${Ie.curves}
    more=${en.curves}
    tag="caused"
    formats=${De}
    written=${()=>oc(e.value)}
    hidden=${n===null}
  >
    <div class="studio-shown">
      <div class="control">
        <label class="control-name" for="studio-shown">Shown is</label>
        <${V}
          id="studio-shown"
          look="small-input"
          options=${ac}
          chosen=${e.value}
          onChoose=${s=>e.value=s}
        />
      </div>
    </div>
    <${mt}
      look="studio-picture"
      widest=${1280}
      scene=${s=>{const{found:a}=$;return a&&a.curve.length?Ds(a,e.value,aa(),s):null}}
      drawn=${()=>$.found?.id+" "+$.found?.curve.length+" "+e.peek()}
      label=${s=>s.title+". "+s.desc}
    />
    <${We}
      words="Retention by data set as a table"
      data=${{"data-studio-table":"curves"}}
      caption=${()=>n?"Retention, "+Me[n.order]+", "+n.model:""}
      rows=${n&&(()=>js(n))}
    />
  <//>`}function cc(){ue(()=>{const a=[Gi(),I(Xi)];return()=>a.forEach(o=>o())},[]);const{model:e,found:t}=$,{stay:n,whole:s}=re();return m`<div
    class="studio-grid"
    hidden=${!e}
    data-found=${t?t.id:""}
    data-complete=${String(!!t?.complete)}
  >
    <${Pe}
      id="drop-studio"
      title="Pruning studio"
      reads=${Ie.studio}
      more=${en.studio}
      formats=${De}
      written=${nc}
    >
      <div><${Yi} /></div>
      <div class="job" data-widget="job-progress" data-job=${D} data-what="Pruning of experts"></div>
      <div>
        <div class="studio-whole"><${Qi} /></div>
        <div class="studio-rows" role="group" aria-label="Experts that each layer keeps">
          <div class="studio-bars"><${Vi} /></div>
          <${tc} />
        </div>
        <p class="hint studio-legend"><${Zi} /></p>
        <${We}
          words="Who stays and who goes as a table"
          data=${{"data-studio-table":"kept"}}
          caption=${()=>k(n)+" of "+k(s)+" experts stay"}
          rows=${e&&mn}
        />
      </div>
      <div><${sc} /></div>
    <//>
    <${ic} />
  </div>`}const lc=zn.at(-1),uc=yn("drop","samples").offered;function dc(){const{model:e,sets:t}=l,n=ee(),s=t.filter(a=>e?.held_out.includes(a.name)&&n.includes(a.name));return m`<div id="drop-caption" class="caption">
    ${e&&m`<${_o} ...${e} />`}
    <${Oo} sets=${t} used=${n} />
    ${s.length>0&&m`<span class="tag" title="The model was never trained on it.">
        ${"out of distribution: "+s.map(a=>a.name).join(", ")}
      </span>`}
  </div>`}const Je=({id:e,name:t,hidden:n=!1,children:s})=>m`<div class="control" id=${e} hidden=${n}><span class="control-name">${t}</span>${s}</div>`;function hc(){const{model:e,choice:t}=l,n=e?it(e):[he.kind],s=Object.keys(bs).map(a=>[a,bs[a],n.includes(a)?"":"This model does not take it."]);return m`<${Je}
    id="drop-kind-control"
    name=${"Click "+X(Rn()).a_unit+" to"}
    hidden=${e?.units.length===0}
  >
    <${Ia}
      id="drop-kind"
      label="What is done to the units that are clicked"
      options=${s}
      chosen=${t.kind}
      onChoose=${a=>P({kind:a})}
    />
  <//>`}function pc(){const{model:e,choice:t}=l,n=e?.layers??[],{passes:s}=X(Rn());return n.length?m`<${Je} id="drop-top-k-control" name="Experts a token takes">
    <${Nn}
      id="drop-top-k"
      label="Number of experts that a token takes"
      chosen=${t.top_k}
      most=${Math.min(...n.map(a=>a.experts))}
      none=${[...new Set(n.map(a=>a.top_k))].join(" or ")+", as trained"}
      onChoose=${a=>P({top_k:a})}
    />
  <//>`:m`<${Je} id="drop-iterations-control" name=${s[0].toUpperCase()+s.slice(1)}>
      <${Nn}
        id="drop-iterations"
        label="Number of iterations"
        chosen=${t.iterations}
        most=${e?.most_iterations??lc}
        none="as trained"
        onChoose=${a=>P({iterations:a})}
      />
    <//>`}function fc(){const{model:e,sets:t,choice:n}=l;return m`<div class="interventions drop-row">
    <${Je} name="Data">
      <div class="chips" role="group" aria-label="Data sets" onKeyDown=${qn}>
        <${So}
          sets=${t}
          used=${ee()}
          attribute="data-drop-set"
          about=${s=>Eo(s,!!e?.held_out.includes(s.name))}
          onChoose=${s=>P({data:s})}
        />
      </div>
    <//>
    <${Je} name="Samples">
      <${V}
        id="drop-samples"
        look="small-input"
        label="Number of samples"
        options=${Nt(uc,n.samples)}
        chosen=${String(n.samples)}
        onChoose=${s=>P({samples:Number(s)})}
      />
    <//>
    <${j} id="drop-reset" act=${()=>P({...he})}>Reset<//>
  </div>`}function mc(){const{model:e,choice:t}=l,n=e?.units.length===0?[]:[An(Sr[t.kind],e),xn(e)];return m`<p id="drop-sentence" class="drop-sentence">${n.filter(Boolean).join(" ")}</p>`}function gc(){return m`
    <div class="page-head">
      <h1>Drop</h1>
      <${dc} />
      <span class="pin-tool"><${ko} ...${xs} /></span>
      <button type="button" class="tool tool-text" data-copy-link="true">${Ke("link")}Copy link</button>
    </div>
    <${xo} ...${xs} />
    <${Ar}>
      <div class="drop-controls">
        <div class="interventions drop-row"><${hc} /><${Kr} /><${pc} /></div>
        <${Zr} />
        <${ri} />
        <${ei} />
        <${fc} />
        <${mc} />
      </div>
    <//>
    <${Gr} />
    <${Cr} />
    <${zr} />
    <${cc} />
  `}function oa({pin:e,...t}){return Q.value=e??"",ts({...t,rule:""})}Ta("drop",({model:e,sample:t,...n})=>l.model?.id!==e?null:(Na({model:e,sample:t}),oa(n)));function $c(e){let t=Ba(location.search).model,n=e;return I(()=>{const{model:s}=Et(),a=t??s;t=null,(n||a!==Qn())&&$e(()=>Lt(a,n)),n=null})}const bc=Ra({Tree:gc,choice:()=>{const{rule:e,...t}=l.choice;return{...t,pin:Q.value||null}},take:e=>{oa(e)},open({pin:e,...t},n){const s=n.closest(".page");Q.value=e??"";const a=[Xn(),$c(t),I(()=>{Object.assign(s.dataset,{state:l.status,fresh:String(l.fresh)})}),I(()=>{s.dataset.compares=String(je()!==null)}),I(()=>Ca(l.evaluation?.measure??null))];return()=>{a.forEach(o=>o()),ns(),vo()}}});Pa({drop:()=>as});export{bc as mount};
