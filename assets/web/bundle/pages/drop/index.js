/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{a9 as oa,a8 as fn,v as mn,ay as gn,ab as ra,al as wt,am as B,az as $n,d as H,ao as bn,S as ia,X as ca,aA as la,W as Ee,U as ua,aB as K,o as Y,aC as me,O as da,L as qe,G as ha,aD as F,l as pa,s as p,aE as yt,f as fa,m as A,an as X,aF as Me,N as ce,ax as wn,as as ge,z as k,aG as vt,aH as kt,C as Te,a as D,$ as xt,aI as ma,B as Ae,a1 as $e,a2 as le,i as Le,aw as ga,H as yn,r as vn,aJ as kn,aK as xn,q as $a,aL as Ne,p as ba,aM as wa,aN as ya,aO as va,aP as ka,j as On,a6 as xa,aQ as Ot,aR as Oa,aS as _a,F as Sa,aT as Ea,aU as Ma,aV as Ta,c as _n,aW as Sn,h as Aa}from"../../boot.js";import{a7 as V,a8 as Na,n as En,a9 as Ra,aa as Ca,ab as Ba,ac as Ia,ad as Pa,ae as Wa,af as Mn,ag as Da,ah as Tn,r as _t,ai as St,A as Ua,aj as Q,f as ja,ak as Fa,al as qa,j as An,am as La,Y as Ge,v as Re,_ as Et,y as Nn,x as se,a0 as Mt,a1 as Tt,V as Ga,w as At,h as Rn,i as Je,an as Ja,c as be,ao as Cn,ap as Bn,aq as Nt,T as In,ar as Rt,as as U,at as j,au as za,av as Ha,N as Pn,W as Ka,aw as Ya,q as Xa,ax as Va,ay as Qa,az as Za,o as Wn,a as eo,aA as to,aB as no,aC as Dn,d as so,F as ao,aD as ze,a3 as Un,U as oo,B as He,aE as ro,aF as jn,aG as io,a2 as co,X as lo,a6 as uo,$ as Fn,aH as ho,aI as po,aJ as fo,aK as mo,aL as go,aM as $o,aN as bo,aO as wo,aP as yo,aQ as vo}from"../../shared.js";const ko="drop",xo=10,Oo=250,ue={...oa("drop"),rule:""},{offered:qn}=fn("drop","iterations"),_o={status:"loading",problem:null,model:null,graph:null,graphProblem:null,use:null,ruled:null,sets:[],choice:{...ue},pinned:null,evaluation:null,fresh:!1},{state:l,update:E,subscribe:Ke}=mn(_o),de=()=>l.model,Z=()=>l.choice.data.length?l.choice.data:l.sets.map(e=>e.name),we=({model:e})=>e!==null&&e.constants.includes("link_probability"),T=({model:e})=>e!==null&&(e.layers??[]).length>0;function Ct(e=l.choice.least){const{graph:t}=l;return!e||!t?[]:bn(t.connectivity).slice(0,e).map(n=>de().units[n])}function R(){const e=new Set([...l.choice.units,...Ct()]);return l.model?l.model.units.filter(t=>e.has(t)):[]}const Ye=e=>I({units:So(e),least:0});function So(e){const t=new Set(e);return de().units.filter(n=>t.has(n))}function Bt(){const{model:e,choice:t}=l;if(!e)return null;const{kind:n,edges:s,iterations:a,top_k:o}=t;return Ra({model:e.id,sample:wt().sample,[n]:R(),edges:s,iterations:a,top_k:o})}async function Eo(){const e=Ca(V.value);if(!e)return null;const t=de(),n=e.model===t.id,s=n?t:await H("GET","/models/"+encodeURIComponent(e.model)).catch(()=>null),a=s?await Ba(e,s):e,o=Bt();return n&&Ia({...a,sample:o.sample},o,t.units)?null:a}async function Mo({model:e,edges:t,iterations:n,top_k:s,...a}){const o=await Promise.all(Tn.map(async i=>[i,(await Mn(a[i])).split(",").filter(Boolean)])),r={...Object.fromEntries(o),keep_edges:t,iterations:n,top_k:s};return JSON.stringify({model:e,intervention:r})}async function To(){const{choice:e,pinned:t}=l,[n,s,a]=await Promise.all([Mn(R()),t&&Mo(t),Da(de().units,e.units,e.rule)]);return{units:n,against:s,name:a}}function Ao({units:e,against:t}){const{choice:n}=l,s={model:de().id,data:Z().join(","),samples:n.samples,[n.kind]:e,iterations:n.iterations,keep_edges:n.edges,top_k:n.top_k,controls:xo,against:t};return"/evaluations/stream"+da(s)}let It=!1;const ae=Na({owner:ko,statusOf:()=>l.status,update:E,async begin(e){if(we(l)&&l.choice.least&&!l.graph&&!l.graphProblem)return;const t=()=>e()&&It,n=V.value&&t()&&l.model?await Eo():null;if(!t()||!l.model)return;E({pinned:n});const s=await To();!t()||!l.model||(s.name&&E({choice:{...l.choice,rule:s.name}}),Ln(),ae.ask(l.model.id,()=>Ao(s)))}});function Ln(){const e=de(),t=V.value||null,{rule:n,...s}=l.choice,a={...s,units:n?n.split(","):s.units},o=n?void 0:e.units;ra("drop",{...a,model:e.id,sample:wt().sample,pin:t},o)}const No=(e,t)=>JSON.stringify(e)===JSON.stringify(t),Ro=["units","kind","least","top_k"];async function Xe(e){const{model:t,choice:n}=l;if(!t)return;const s=await Co(t,e,n);l.model!==t||l.choice!==n||(E({ruled:s.said}),s.units&&I({units:s.units,least:0,rule:e.join(",")}))}async function Co(e,t,n){try{const s=await Pa(e,t,n);return{units:s.units,said:Gn(e,s)}}catch(s){return{units:null,said:{text:s.message,refused:!0}}}}function Gn(e,{units:t,rules:n,observed:s}){const a=s?", by "+K.weight+" on "+s.count+" samples":"",o=Y(e),r=t.length+" "+(t.length===1?o.unit:o.units);return{text:n.join(", ")+": in all "+r+a,refused:!1}}function I(e,t=!1){const n=Ro.some(a=>a in e)&&!("rule"in e),s={...l.choice,...n?{rule:""}:{},...e};n&&E({ruled:null}),!No(s,l.choice)&&(E({choice:s}),l.model&&ae.restart(t?Oo:0))}function Pt(e){e!==l.choice.distribution&&(E({choice:{...l.choice,distribution:e}}),l.model&&Ln())}const Jn=e=>t=>t?"/models/"+encodeURIComponent(de().id)+"/"+e:null,Ve=gn(()=>Jn("graph")(we(l)),(e,t)=>H("GET",e,void 0,{signal:t})),zn=gn(()=>Jn("use")(T(l)&&l.sets.length>0),(e,t)=>H("GET",e,void 0,{signal:t}));function Hn(){It=!0;const e=[Ve.follow(),zn.follow(),B(()=>{const[t,n]=[Ve.answer(),Ve.waits()?null:Ve.problem()];me(()=>Bo(t,n))}),B(()=>{const t=zn.answer();me(()=>t!==l.use&&E({use:t}))})];return()=>{It=!1,e.forEach(t=>t())}}function Bo(e,t){if(e===l.graph&&t===l.graphProblem)return;const n=l.choice.least>0;E({graph:e,graphProblem:t,...t?{choice:{...l.choice,least:0}}:{}}),n&&(e||t)&&ae.restart()}const Qe=e=>["drop",...$n(e)?[]:["mute"],...e.fields.includes("contributions")?["mean","resample"]:[]];function Kn(e,t,n){const s=n.map(i=>i.name),a=e.data.filter(i=>s.includes(i)),o=t.constants.includes("link_probability"),r=t.most_iterations??null;return ca("units",t,e.units),la(t.id,s,e.data),Qe(t).includes(e.kind)||Ee(`"kind" is ${e.kind}, which ${t.id} does not take: shown is ${ue.kind}.`),!o&&(e.least||e.edges!==null)&&Ee(`Units of ${t.id} are not linked: "least" and "edges" are ignored.`),!T({model:t})&&e.top_k!==null&&Ee(`No token of ${t.id} takes the best of many experts: "top_k" is ignored.`),o&&e.least>=t.units.length&&Ee(`"least" is ${e.least}: one of the ${t.units.length} units of ${t.id} stays.`),r!==null&&e.iterations!==null&&e.iterations>r&&Ee(`"iterations" is ${e.iterations}; ${t.id} has up to ${r}: shown is the model as trained.`),{...e,kind:Qe(t).includes(e.kind)?e.kind:ue.kind,units:ua(t.units,e.units),least:o?Math.min(e.least,t.units.length-1):0,edges:o?e.edges:null,top_k:T({model:t})?e.top_k:null,iterations:r!==null&&e.iterations!==null&&e.iterations>r?null:e.iterations,data:a.length===s.length?[]:a}}let he=0,Ze=null;const Yn=()=>Ze;function Xn(){ae.close(),E({...{model:null,sets:[],pinned:null,evaluation:null,ruled:null},fresh:!1,problem:null,status:"loading"})}async function Wt(e,t){const n=he+=1;if(Ze=e,t&&E({choice:{...ue,...t}}),l.model&&l.model.id!==e&&Xn(),!e){E({status:"loading"});return}try{const[s,a]=await Promise.all([H("GET","/models/"+encodeURIComponent(e)),H("GET","/data")]);if(n!==he)return;const o=s.domains.map(i=>a.items.find(c=>c.name===i)).filter(i=>i!==void 0),r=await Vn(s,l.choice);if(n!==he)return;E({model:s,sets:o,ruled:r.ruled,evaluation:null}),E({choice:{...Kn({...l.choice,...r.choice},s,o),rule:r.rule}}),ae.restart()}catch(s){const{title:a,message:o}=s;n===he&&E({status:"failed",problem:{title:a,detail:o}})}}async function Vn(e,t){const n=t.rule?t.rule.split(","):t.units;if(!n.some(ia))return{choice:{},rule:"",ruled:null};const s=await Wa("units",e,n,t),a=s.rules.length>0;return{choice:{units:s.units},rule:a?s.parts.join(","):"",ruled:a?Gn(e,s):null}}async function Qn(e){const{model:t,sets:n}=l;if(!t)return;const s=he+=1,a=l.choice,o=await Vn(t,e);s!==he||l.choice!==a||(E({ruled:o.ruled,choice:{...Kn({...e,...o.choice},t,n),rule:o.rule}}),ae.restart())}function Zn(){he+=1,Ze=null,Xn()}const Dt=["drop","mute","mean","resample","iterations","keep_edges","top_k"];function Ut(){const e=l.evaluation;return En(e,Dt,{least_connected:l.fresh&&l.choice.least?l.choice.least:null,held_out:e.data.filter(t=>t.held_out).map(t=>t.name)})}function es(){if(l.model){ae.restart();return}E({status:"loading",problem:null}),Wt(Ze,null)}const{cancel:Io}=ae;var ts=Object.freeze({__proto__:null,ITERATIONS:qn,NOTHING:ue,PARTS:Dt,askedFor:Yn,cancel:Io,choose:I,facts:Ut,follow:Hn,hasExperts:T,hasLinks:we,kindsOf:Qe,leave:Zn,leaveOut:Ye,leaveOutBy:Xe,leftOut:R,measured:Z,open:Wt,restart:es,showDistribution:Pt,shown:Bt,state:l,subscribe:Ke,take:Qn,weakest:Ct});const q="importance",et=10,jt=20,Po=24e3,[Wo,Do]=[2640,8192],Uo=16,ns=24,[jo,Fo,qo]=[250,19,24],Ce={use:["usage","Observed use"],effect:["shapley","Caused effect"],interactions:["interactions","Interactions"],retention:["retention","Retention"],anytime:["anytime","Accuracy against iterations"],convergence:["convergence","Convergence"]};let pe=null,tt=!1;const P=qe(null),L=qe(""),ss=({model:e})=>(e.layers??[]).find(({name:t})=>t===L.value)?.experts??e.units.length;function as(e){const t=ss(e);if(!L.value)return 1+t;if(t<=et)return 2**t;const n=t<=jt;return t*(n?t/2:1)+(t-1)*(n?64:Uo)+200}function Ft(e){const{model:t,choice:n}=e;if(T(e)){const a=L.value?Do:Wo;return Math.min(n.samples,Math.max(16,Math.min(300,Math.round(a/as(e)))))}const s=t.units.length;return s<=jt?n.samples:Math.min(n.samples,Math.max(30,Math.min(300,Math.round(Po/s))))}function nt(e){const{model:t,choice:n}=e,s=T(e)&&L.value,a=s&&n.kind==="drop"?"mute":n.kind,o={model:t.id,data:Z(),samples:Ft(e),kind:a},r=n.edges===null?{}:{keep_edges:n.edges},i=n.distribution==="in"?null:n.distribution,c=T(e)?{top_k:n.top_k,layer:s||null}:{};return{...o,...r,...c,iterations:n.iterations,distribution:i,seed:0}}const qt=({evaluation:e})=>(e?.by_distribution??[]).map(t=>t.name);function Lo(e){const[t,n,s]=[ss(e),as(e),Ft(e)],a=e.evaluation?.baseline?.samples_per_second,o=a?"; about "+kt(n*s/a):"",r="About "+k(n)+" sets on "+k(s)+" texts"+o+". It can be cancelled and taken up again.",{kind:i}=e.choice;if(!L.value)return[(i==="drop"?"Drop":"Leave out")+" each of the "+k(t)+" experts alone",r];const c=" of the "+t+" experts of "+Me(L.value),u=i==="drop"?" Experts that a subset lacks are muted: a layer cannot route with fewer than a token takes.":"";return[(t<=et?"Score all "+2**t+" subsets":"Score sampled subsets")+c,r+u]}function Go(e){const{model:t,evaluation:n}=e;if(t&&T(e))return Lo(e);const s=t?t.units.length:0;if(s<=et)return["Score all "+2**s+" subsets of the "+s+" units",""];if(s<=jt)return["Score sampled subsets of the "+s+" units",""];const{units:a}=Y(t),o=we(e)?4:2,r=s+20*(o+8),i=Ft(e),c=n&&n.baseline&&n.baseline.samples_per_second,u=c?"; about "+kt(r*i/c):"";return["Drop each of the "+k(s)+" "+a+" alone, then more and more","About "+k(r)+" sets on "+k(i)+" samples"+u+". It can be cancelled and taken up again."]}const os=()=>vt(q,"/importances",nt(l)),Jo=()=>l.model?l.model.units.length:0;async function Lt(e){if(!e.model&&pe&&(pe=null,L.value="",P.value=null,ge(q)),!e.model)return;const t=qt(e),{distribution:n}=e.choice;if(e.status==="done"&&n!=="in"&&t.length&&!t.includes(n)){Pt("in");return}const s=JSON.stringify(nt(e));if(s!==pe&&(pe=s,P.value=null,await ge(q),s!==pe))return;const{job:a,starting:o,problem:r}=F(q),i=!a&&!o&&!r,c=Jo()<=et&&!T(e);i&&e.status==="done"&&!tt&&(c||ce.value.read_only)&&os()}async function zo({job:e}){if(!e||e.state!=="done")return null;const t=P.value;return t&&t.id===e.id?t:H("GET","/importances/"+encodeURIComponent(e.id))}function rs(e){const t={drop:[],mute:[],mean:[],resample:[]};return{model:e.model,revision:e.revision,seed:e.seed,...t,left_out_as:e.kind,iterations:e.iterations,data:e.data,distribution:e.distribution??null,samples:e.count,exact:e.exact,keep_edges:e.keep_edges===void 0?null:e.keep_edges,importance:e.id,...e.layer?{layer:e.layer}:{},...typeof e.top_k=="number"?{top_k:e.top_k}:{},...A(e.measure).share?{}:{measure:e.measure}}}function Gt({distribution:e,layer:t,top_k:n}){const s=e&&(e!=="in"||qt(l).length>1),a=(t?", "+Me(t):"")+(n?", top "+n:"");return(s?", "+Q[e]:"")+a}const Ho=e=>e==null?"":Array.isArray(e)?e.join(" "):e;function Jt(e){const t=e.length?Object.keys(e[0]):[];return[t,...e.map(n=>t.map(s=>Ho(n[s])))]}function zt(e,t){if(t==="effect"){const n=new Map(e.single.map(s=>[s.unit,s]));return e.shapley.length?e.shapley.map(({unit:s,value:a,low:o,high:r,standard_error:i})=>{const{unit:c,...u}=n.get(s)||{};return{unit:s,...{shapley:a,shapley_low:o,shapley_high:r,standard_error:i},...Object.fromEntries(Object.entries(u).map(([h,m])=>["single_"+h,m]))}}):e.single}return e[Ce[t][0]]}const Ko=(e,t)=>Object.entries(St(e,t)).map(([n,s])=>"; "+n.replace("_"," ")+" "+s).join("");function Yo(e){_t(e,()=>{const{value:t}=P;if(!t)return null;const n=zt(t,e),{title:s}=A(t.measure),a=Ce[e][1].replace("Accuracy",s)+Gt(t)+": "+t.model,o=St(t,e),r=Object.keys(o).length?{signs:o}:{},i={...rs(t),kind:e==="use"?"observed":"caused",...r};return{name:e,facts:i,python:e==="convergence"&&t.exact?void 0:{figure:"importance",panel:e},rows:()=>Jt(n),json:()=>({[Ce[e][0]]:n}),picture:Ua(e,a,a+", "+t.words)}})}function Xo(e){document.querySelectorAll("[data-importance-table]").forEach(t=>{const n=t.dataset.importanceTable,s=Ce[n][1].replace("Accuracy",A(e?.measure).title);e?ja(t,Jt(zt(e,n)),s+Gt(e)+", "+e.words+Ko(e,n)):Fa(t)})}function Vo(e){const t=A(e.measure),n=i=>Te(t,i),s=[["all units",n(e.baseline)],...e.total===null?[]:[["none",n(qa(e))]]],a=k(e.count)+" samples"+Gt(e);if(!e.shapley.length){const i=e.retention.length?", then more and more":"";return[["sets","Each of "+k(e.units.length)+" alone"+i+", on "+a],...s,["how",e.words]]}const o=e.exact?"All "+k(2**e.units.length)+" subsets":"Sampled orders",r=e.shapley.reduce((i,c)=>i+c.value,0);return[["subsets",o+" of "+e.units.length+" units on "+a],...s,["sum of Shapley values (above 0: the units help)",t.change(r)+" "+t.changeUnit],["how",e.words]]}function Qo({units:e,shapley:t,single:n}){if(e.length<=ns)return e.length;const s=t.length?t.map(({value:a})=>a):n.map(({change:a})=>a);return Math.min(ns,s.filter(Boolean).length||e.length)}function Zo(e){const t=Qo(e);for(const o of["use","effect"]){const r=document.getElementById("plot-"+o),i=T(l)&&e.shapley.length?qo:Fo;r&&(r.style.height=Math.max(jo,90+i*t)+"px")}const n=document.getElementById("panel-interactions");n&&(n.hidden=!e.interactions.length);const s=document.getElementById("panel-retention");s&&(s.hidden=!e.retention.length);const a=document.getElementById("panel-anytime");a&&(a.hidden=e.anytime.length<2)}function er({entry:e}){const{job:t,starting:n,problem:s}=e.value,a=l.problem;if(ce.value.read_only)return wn(s)&&p`<p class="hint" id="importance-refused">${s?.message}</p>`;const o=!!(!l.model||t||n||s||a&&a.refused),[r,i]=Go(l);return p`
    <button type="button" class="button" id="importance-start" hidden=${o} onClick=${()=>{tt=!1,os()}}>${r}</button>
    <p class="hint">${o?"":i}</p>
  `}function tr(){const e=qt(l);if(e.length<2)return null;const t=e.map(n=>[n,Q[n]]);return p`<div class="control importance-of">
    <label class="control-name" for="importance-distribution">All below is of samples</label>
    <${X}
      id="importance-distribution"
      look="small-input"
      options=${t}
      chosen=${e.includes(l.choice.distribution)?l.choice.distribution:e[0]}
      onChoose=${n=>Pt(n===e[0]?"in":n)}
    />
    <span class="hint">Trained-on and held-out data are never mixed.</span>
  </div>`}function nr(){const{model:e}=l;if(!e||!T(l))return null;const t=(e.layers??[]).map(({name:s})=>[s,Me(s)+": Shapley values"]),n=[["","every expert, alone"],...t];return p`<div class="control importance-of">
    <label class="control-name" for="importance-layer">All below is of</label>
    <${X}
      id="importance-layer"
      look="small-input"
      options=${n}
      chosen=${L.value}
      onChoose=${s=>{L.value=s,Lt(l)}}
    />
    <span class="hint">Within a layer its experts are the players; the others stay as they are.</span>
  </div>`}const sr=()=>p`<dl class="fact-list" hidden=${!P.value}>
    ${(P.value?Vo(P.value):[]).map(([e,t])=>p`<div>
          <dt>${e}</dt>
          <dd>${t}</dd>
        </div>`)}
  </dl>`;ha("importance",e=>{const t=qe(F(q));Object.keys(Ce).forEach(Yo),_t(q,()=>{const{value:a}=P;if(!a)return null;const o=zt(a,"effect");return{name:"importance",facts:{...rs(a),kind:"caused",signs:St(a,q)},python:{figure:"importance",panel:q},rows:()=>Jt(o),json:()=>({result:a}),picture:{}}});async function n(a){const{job:o}=t.value=a;o&&o.state==="cancelled"&&JSON.stringify(nt(l))===pe&&(tt=!0);const r=await zo(a).catch(i=>(fa(i.title||"No result",i.message,"bad"),null));t.value===a&&(P.value=r,Xo(r),r&&Zo(r),e.dataset.result=r?r.id:"")}const s=[B(()=>{ce.value.read_only&&me(()=>Lt(l))}),pa(e,()=>p`<${tr} /><${nr} /><${er} entry=${t} /><${sr} />`),yt(q,n),Ke((a,o)=>{["status","choice","model"].some(r=>o.has(r))&&(Lt(a),n(F(q)))})];return()=>{s.forEach(a=>a()),pe=null,tt=!1,P.value=null,L.value=""}});const st="importance-a",C=qe({asked:"",importance:null,problem:""});function at(){const{model:e,pinned:t}=l;if(!e||!t)return null;const n=nt(l),s=Tn.find(d=>t[d].length)??n.kind,a="layer"in n&&n.layer&&s==="drop"?"mute":s,{keep_edges:o,...r}=n,i=t.edges===null?{}:{keep_edges:t.edges},c="top_k"in n?{top_k:t.top_k}:{},u={...r,...i,...c,model:t.model,kind:a,iterations:t.iterations};return{a:u,b:n,alike:ye(u)===ye(n)}}const ye=e=>JSON.stringify(Object.entries(e).sort());function Ht(){const e=at(),{value:t}=P;if(!e||!t)return null;const{asked:n,importance:s}=C.value,a=e.alike?t:n===ye(e.a)?s:null;return a&&(a.distribution??t.distribution)===(t.distribution??a.distribution)?{a,b:t}:null}function is(){const e=at();e&&(C.value={asked:ye(e.a),importance:null,problem:""},vt(st,"/importances",e.a))}const ar=()=>{const e=yt(st,async({job:n,problem:s})=>{const{value:a}=C,o=s??n?.problem;if(o&&(C.value={...a,problem:"detail"in o&&o.detail||"message"in o&&String(o.message)||"It failed."}),!n||n.state!=="done"||a.importance)return;const r=await H("GET","/importances/"+encodeURIComponent(n.id)).catch(()=>null);C.value.asked===a.asked&&(C.value={...a,importance:r})}),t=B(()=>{const n=ce.value.read_only&&P.value?at():null;n&&!n.alike&&C.value.asked!==ye(n.a)&&me(is)});return()=>{e(),t(),ge(st),C.value={asked:"",importance:null,problem:""}}};function or(){const e=at();if(!e||Ht())return null;if(!P.value)return p`<p class="hint">Retention curves of both stand here once the importance below is computed.</p>`;const t=C.value.asked===ye(e.a),n=F(st),s=t&&!C.value.problem&&(n.starting||!C.value.importance);return ce.value.read_only?t&&C.value.problem&&p`<p class="hint">${C.value.problem}</p>`:p`<p class="hint" role="status">
    <${D} id="drop-curves" wait=${s} act=${is}>
      ${s?"Computing the retention curve of A":"Compute the retention curve of A too"}
    <//>
    ${t&&C.value.problem}
  </p>`}function ve(e){const t=new Map(e.data.map(n=>[n.name,n]));return An(e,"by_domain").map(n=>{const s=t.get(n.name);return{...s?.held_out?{distribution:Q.out}:{},...n,name:n.name+(s?.stand_in?" (stand-in)":""),title:s?.title}})}const ke=e=>An(e,"by_label"),[rr,cs,ir]=[760,28,30],fe=e=>e.model+", "+At(e,xt(e.model)),[ls,us,cr]=[210,34,38],lr=[{order:"best first",text:"best kept",stroke:"accent"},{order:"worst first",text:"worst kept",stroke:"bad"},{order:"random",text:"random sets",stroke:"dim",dash:[4,3]}];function ds(e,t,n,s,a){const o=A(e.measure),r=[e,a].flatMap(({retention:v})=>v.flatMap(O=>[O.accuracy,O.low,O.high])),[i,c,u]=[64,n-20,ls-cr],d=Ge([1,0],[i,c],{ticks:[1,.75,.5,.25,0],named:v=>100*v+(v?"":" %")}),h=Ja(o,r,[u,us]),m=lr.map(v=>({...v,points:e.retention.filter(({order:O})=>O===v.order).sort((O,z)=>O.dropped-z.dropped)})).filter(({points:v})=>v.length),{drop:g,mute:b,mean:f,resample:y}=t.intervention,x=new Set([...g,...b,...f??[],...y??[]]).size,N=[be(t).find(({where:v})=>!v||v===Q[e.distribution??"unknown"])?.evaluation.accuracy].flatMap(v=>v??[]),J={x:d(1-x/e.units.length),y:({value:v})=>h(v)};return Re({width:n,height:ls,title:"",desc:"",marks:[Cn(h,[i,c]),Et(d,[us,u],{grid:!1}),se(["units kept"],{x:(i+c)/2,y:u+31,down:0,size:11,fill:"dim",anchor:"middle"}),Bn(m.find(({order:v})=>v==="random")?.points??[],{x:v=>d(v.share_kept),y:({low:v,high:O})=>[h(v),h(O)],fill:"unmatched"}),m.toReversed().map(({points:v,stroke:O,dash:z})=>Nt(v,{x:ee=>d(ee.share_kept),y:ee=>h(ee.accuracy),stroke:O,dash:z})),In(m.map(v=>({...v,ink:v.stroke,weight:650,width:2})),{x:n<420?8:i,y:10,width:n}).marks,Tt(N,{...J,r:8,fill:"ink"}),se(N,{...J,text:s,size:11,weight:700,fill:"surface",anchor:"middle"})]})}function ur(e,t,n,{alone:s=!0,curves:a=null}={}){const o=n>=rr,r=o?Math.floor((n-cs)/2):n;function i(f,y){const x=xt(f.model),[_,N]=[ke(f),ve(f)];return[f.accuracy&&Rn(f,r,{model:x,beside:[y]}),_.length>0&&Je(_,"label",f,r,x,ke(y)),N.length>0&&Je(N,"data set",f,r,x,ve(y)),a&&(f===e?ds(a.a,e,r,"A",a.b):ds(a.b,t,r,"B",a.a))]}const c=[i(e,t),i(t,e)],u=["A: "+fe(e),"B: "+fe(t)],d=c[0].map((f,y)=>Math.max(...c.map(x=>{const _=x[y];return _?_.height+10:0})));let h=0;const m=c.map((f,y)=>{const x=o?y*(r+cs):0;let _=o?0:h;const N=s||!o?[u[y]]:[],J=se(N,{x:x+2,y:_+10,size:13,weight:650,room:r-4});_+=N.length*ir;const v=f.map((O,z)=>{const ee=O?Ga(O,x,_):[];return _+=o?d[z]:O?O.height+10:0,ee});return h=Math.max(h,_),[J,v]}),{title:g}=A(t.measure),b=g+" of A, "+fe(e)+", beside B, "+fe(t)+", on the same axes: all samples, labels, data sets"+(a?", and accuracy while fewer units are kept.":".");return Re({width:n,height:h,title:u.join("; "),desc:b,marks:m})}function hs({by_distribution:e},t){const n=new Set(t.filter(s=>s.stand_in).map(s=>s.name));return e.flatMap(({name:s,count:a,a:o,b:r,difference:i,by_label:c,by_domain:u})=>{const d=e.length>1||s==="out"?Q[s]:"",{value:h,low:m,high:g}=i.accuracy,b=(f,y)=>({name:y,where:d,main:!1,count:f.count,a:f.baseline,b:f.accuracy,value:f.change,low:f.change_low,high:f.change_high});return[{name:"all samples",where:d,main:!0,count:a,a:o.accuracy.value,b:r.accuracy.value,value:h,low:m,high:g},...c.length>1?c.map(f=>b(f,"label "+f.name)):[],...u.length>1?u.map(f=>b(f,f.name+(n.has(f.name)?" (stand-in)":""))):[]]})}function dr(e,t){const n=e.comparison,s=A(e.measure),a=hs(n,e.data).map(f=>({...f,group:f.where,change:f.value,change_low:f.low,change_high:f.high})),{range:o,y:r,sure:i,marks:c}=La(a,{width:t,top:24,measure:s,room:150}),u=Math.max(...a.flatMap(({value:f,low:y,high:x})=>[f,y??f,x??f].map(Math.abs)),.001),d=Ge([-u,u],o,{named:f=>f?s.change(f):"0"}),[h,m]=s.higher?["A is better","B is better"]:["B is better","A is better"],g={y:12,down:0,size:11,fill:"dim"},b=n.a?fe(n.a):"A";return Re({width:t,height:r.end+24,title:"B minus A: "+fe(e)+", minus "+b,desc:"Paired difference of "+s.name+" in "+s.changeUnit+", B minus A, with 95 % intervals, on "+k(n.covered)+" samples that both have scored.",marks:[Et(d,[20,r.end]),Nn([0],{x:d(0),y:[20,r.end],stroke:"dim"}),se([h],{...g,x:d(0)-8,anchor:"end"}),se([m],{...g,x:d(0)+8}),Mt(a,{x:f=>[d(f.low),d(f.high)],y:r,stroke:i,width:({main:f})=>f?2.5:1.5}),Tt(a,{x:f=>d(f.value),y:r,r:({main:f})=>f?6:4,fill:i}),c]})}const ps=e=>At(e,l.model),hr=(e,{draws:t,draws_done:n,exact:s,size:a})=>(s&&n===t?"all ":"")+e+(t===1?" set":" sets")+" of "+a,pr=({share:e,unit:t})=>e?t+" on average":"on average";function fs(e){const t="Random sets";if(!e)return{name:t,value:Pn};const n=Ka(e,Y(l.model).unit);return{name:t,...Ya(e,{waiting:n,sets:hr,unit:pr})}}function fr(){const{evaluation:e,fresh:t}=l,[n,s]=e?be(e):[],a=n?n.evaluation:null,{accuracy:o,change:r,loss:i}=Rt(a),c=n?n.where:"",u=s&&Rt(s.evaluation);return p`<div class="numbers" data-fresh=${String(t)}>
    <${U} id="drop-accuracy-number" main=${!0} ...${j(o,c)} />
    <${U} id="drop-change-number" main=${!0} ...${j(r,c)} />
    <${U} ...${j(i,c)} />
    <${U} id="drop-control-number" ...${j(fs(a),c)} />
    ${u&&p`
        <${U} id="drop-accuracy-out" main=${!0} ...${j(u.accuracy,s.where)} />
        <${U} id="drop-change-out" main=${!0} ...${j(u.change,s.where)} />
        <${U} ...${j(u.loss,s.where)} />
        <${U} ...${j(fs(s.evaluation),s.where)} />
      `}
  </div>`}function mr(e){const{model:t,choice:n}=e;return Xa(e,{chosen:n.samples,intervention:ps,stale:"Cancelled before the first figure; what is shown belongs to the set before.",kept:"measured before, nothing had to be computed",several:", one data set after the other",after:s=>ps(s)===Va?" Click "+Y(t).a_unit+" to drop it.":""})}const gr=()=>p`<${za} name="drop" look="drop-progress" followed=${ts} progressOf=${mr} />`;function $r({id:e,name:t,title:n,value:s,before:a,words:o}){const r=Math.max(s||0,a||0)||1,i=c=>100*(c||0)/r+"%";return p`<div class="cost" id=${e} title=${n}>
    <span class="cost-name">${t}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{width:i(s),background:"var(--rs-accent)"}}></span>
      <span class="bar-mark" hidden=${!a} style=${{left:i(a)}}></span>
    </span>
    <span class="cost-value">${o}</span>
  </div>`}function br({flops:e,saved:t}){return e===null?"counting":ma(e)+(t===null?"":t>0?", "+Ae(t)+" % saved":", nothing saved")}function wr(){const{evaluation:e,fresh:t}=l,n=e&&e.baseline;return p`<div class="costs" data-fresh=${String(t)}>
    <${$r}
      id="drop-flops"
      name="FLOPs per sample"
      value=${e?.flops}
      before=${n?.flops}
      words=${e?br(e):""}
    />
    <${Ha} id="drop-speed" evaluation=${t?e:null} />
  </div>`}const Kt="token_states",ms={drop:"drop",mute:"mute",mean:"mean",resample:"resample"},yr={drop:{router_logits:"Dropped: never chosen. A token takes the best of the remaining experts, with weights that add up to 1.",compatibility:"Dropped: removed. Compatibilities are renormalised over the remaining {units}.",multiplexer_weights:"Dropped: neither made nor read. Weights are renormalised over the remaining {units}.",messages:"Dropped: removed with their codes, signatures and states. Their compute is saved.",[Kt]:"Dropped: removed. The remaining {units} work on what the {units} before them computed.","":"Dropped: removed. Their compute is saved."},mute:{router_logits:"Muted: chosen as before, but their output is 0. No other {unit} takes over their share.",compatibility:"Muted: their compatibility is set to 0 after normalisation. No other {unit} takes over their share.",multiplexer_weights:"Muted: their numbers are set to 0. They keep their share of the weights.",messages:"Muted: their messages are set to 0 after the softmax. No other {unit} takes over their share.",[Kt]:"Muted: they add nothing, which equals dropping them.","":"Muted: their output is 0."},mean:{compatibility:"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, step by step and token by token.",messages:"Mean: the state that others read is replaced by its mean over the first 200 samples of the same data set.","":"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, token by token."},resample:{messages:"Resampled: the state that others read is replaced by the state for another sample of the same data set.","":"Resampled: what they add is replaced by what they add for another sample of the same data set."}},Be={accuracy:"Dots: {accuracies} with 95 % whiskers; the bar spans random sets of as many units; changes are paired, on the same samples.",labels:"Ring: the model as it is; dot and whisker: without the units; at the right the paired change, in {points}. Over all chosen data sets, what training showed apart from what it left out.",compared:"The same figures of what is pinned (A) and of what is shown (B), on the same samples and axes: rings are each model as it is, dots what is left of it.",difference:"Paired: sample by sample, only what both have scored. Dots are B minus A, whiskers 95 % intervals; right of the line the figure of B is larger. What training of either left out stands apart.",studio:"Drag a bar, or move it with the arrow keys: so many experts a layer keeps. Each row of cells is a layer, each cell an expert.",curves:"Line and whiskers: what is left while fewer experts are kept, 95 %; band: random sets of the same size, least to largest; the dashed upright: where the bars stand."},gs="The same by data set, each read by the head of its domain.",vr={router_logits:"The same by data set: what an expert does for one kind of text, another kind may not need.",compatibility:gs,[Kt]:gs,"":"The same by data set; out of distribution are those that the model was never trained on."},Yt={accuracy:"Each random set is a small dot, this one perhaps among them. Data sets that training showed stand together, and apart from those it left out.",studio:"The order is chosen on the last samples of every data set, its curves are measured on the first ones. A layer keeps at least as many experts as a token takes. Files hold what the bars say: the keep-list, and a model that the other experts are cut out of.",curves:"A diamond is what the page measured, once exactly these experts are left out of it. Changes are paired, on the same samples. Point at a dot for its figures."},kr={svg:"Picture, SVG",png:"Picture, PNG",csv:"Numbers, CSV",json:"Numbers, JSON"},$s=({name:e,label:t,look:n,children:s})=>p`<details class="menu">
    <summary id=${e} class="tool tool-text" aria-label=${t}>${n}</summary>
    <div class="menu-items">${s}</div>
  </details>`;function ot({id:e,title:t,reads:n,more:s,tag:a,formats:o,written:r,coded:i=!0,hidden:c=!1,look:u,children:d}){const h=$e(r);h.current=r,le(()=>{o&&_t(e,()=>h.current?.()??null)},[e]);const m=(g,b)=>p`<button type="button" class="menu-item" ...${b}>${g}</button>`;return p`<section
    id=${"panel-"+e}
    class=${u?"panel "+u:"panel"}
    aria-labelledby=${e+"-title"}
    hidden=${c}
  >
    <header class="panel-head">
      <h2 id=${e+"-title"}>${t}</h2>
      ${a&&p`<span class="tag">${a}</span>`}
      <div class="panel-actions">
        ${s&&p`<${$s} name=${e+"-explained"} label=${"More about: "+t} look=${Le("help")}>
            <p class="hint panel-more">${s}</p>
          <//>`}
        ${o&&p`<${$s} name=${e+"-export"} label=${"Export: "+t} look=${[Le("download"),"Export"]}>
            ${o.map(g=>m(kr[g],{"data-panel":e,"data-export":g}))}
            ${i&&m("Copy as Python",{"data-panel":e,"data-export":"python"})}
            ${m("Add to report",{"data-report":e})}
          <//>`}
        <button
          type="button"
          class="tool"
          title="Full screen"
          aria-label=${"Full screen: "+t}
          data-fullscreen=${"panel-"+e}
        >
          ${Le("fullscreen")}
        </button>
      </div>
    </header>
    <p class="reads">${n}</p>
    <div class="panel-body">${d}</div>
  </section>`}function Xt({scene:e,drawn:t,label:n,look:s,id:a,widest:o=1/0,height:r,data:i={}}){const c=$e(null),u=$e({scene:e,drawn:t,label:n});return u.current={scene:e,drawn:t,label:n},le(()=>{const d=c.current,h=d.querySelector("canvas");let m=[];function g(){const f=Math.min(d.clientWidth,o),y=u.current.scene(Math.max(f,60));d.dataset.shown=String(y!==null),y||delete h.dataset.painted,!(!y||f<60)&&(eo({...y,background:null},vn().font,h),Object.assign(h.style,{width:y.width+"px",height:y.height+"px"}),h.dataset.painted=u.current.drawn(),h.setAttribute("aria-label",u.current.label(y)),m=y.spots??[])}Za(h,()=>m);const b=[B(g),yn(g),Wn(d,g)];return()=>b.forEach(f=>f())},[]),p`<div
    ref=${c}
    id=${a}
    class=${s?"picture "+s:"picture"}
    style=${r?{minHeight:r+"px"}:void 0}
    data-shown="false"
    ...${i}
  >
    <canvas role="img" aria-label=${"Nothing to show yet"}></canvas>
    ${r&&p`<div class="skeleton drop-skeleton" aria-hidden="true"></div>`}
  </div>`}function rt({words:e,caption:t,rows:n,data:s={}}){const[a,o]=ga(!1);return p`<details class="as-table" onToggle=${i=>o(i.currentTarget.open)}>
    <summary>The same as a table</summary>
    <div class="table-scroll" tabindex="0" role="region" aria-label=${e} ...${s}>
      ${a&&n&&p`<${Qa} rows=${n()} caption=${t()} />`}
    </div>
  </details>`}const xr=({children:e})=>p`<div class="fold">
    <div class="fold-head" data-widget="fold"></div>
    <div>${e}</div>
  </div>`,bs=["name","count","baseline","accuracy","low","high","change","change_low","change_high"],Or=e=>to(e,{named:"this set",sets:"random sets of as many",each:!0},no(e));function ws(e,{measure:t}){const n=e.some(a=>a.distribution)?[...bs,"distribution"]:bs;return[n.map(a=>a==="accuracy"?A(t).name:a),...e.map(a=>n.map(o=>a[o]))]}const it={accuracy:{has:e=>!!e.accuracy,scene:(e,t,n)=>Rn(e,n,{model:t}),rows:Or,widest:900},labels:{has:e=>e.by_label.length>0,scene:(e,t,n)=>Je(ke(e),"label",e,n,t),rows:e=>ws(ke(e),e)},domains:{has:e=>e.by_domain.length>0,scene:(e,t,n)=>Je(ve(e),"data set",e,n,t),rows:e=>ws(ve(e),e)}};function _r(e,t){const n=A(t.measure),s=o=>Te(n,o);if(e==="accuracy"){const o=be(t).flatMap(({where:r,evaluation:{accuracy:i,baseline:c,control:u}})=>{const d=r&&r+" ",h=i?[d+"this set ("+At(t,l.model)+") "+s(i.value)]:[];return c&&h.push(d+"as it is "+s(c.accuracy.value)),u&&u.mean!==null&&h.push(d+"random sets on average "+s(u.mean)),h});return(n.share?"Accuracies":n.title)+": "+o.join("; ")}const a=e==="labels"?ke(t):ve(t);return"Change of "+n.name+" in "+n.changeUnit+": "+a.map(o=>o.name+(o.distribution?", "+o.distribution:"")+" "+n.change(o.change)).join("; ")}const ct=["svg","png","csv","json"];function lt(e){const{evaluation:t}=l;return t&&it[e].has(t)?t:null}function Sr(e,t){const n=lt(e);if(!n)return null;const s=it[e].rows(n);return{name:"drop-"+e,facts:Ut(),python:e==="accuracy"?{figure:"accuracy",draws:n.control?.draws}:{figure:"effects",by:e==="labels"?"label":"domain"},rows:()=>s,json:()=>e==="accuracy"?{result:n}:Dn(s),picture:{scene:()=>it[e].scene(n,l.model,t)}}}function Vt({name:e,title:t,reads:n,more:s,words:a,height:o,look:r,hidden:i,children:c,below:u}){const{fresh:d,status:h,model:m}=l,{scene:g,rows:b,widest:f}=it[e],y=lt(e),x=()=>Math.max(560,document.getElementById("drop-picture-"+e)?.clientWidth??0);return p`<${ot}
    id=${"drop-"+e}
    tag="caused"
    formats=${ct}
    written=${()=>Sr(e,x())}
    ...${{title:t,reads:n,more:s,look:r,hidden:i}}
  >
    ${c}
    <${Xt}
      id=${"drop-picture-"+e}
      look="drop-picture"
      height=${o}
      widest=${f}
      data=${{"data-key":e,"data-fresh":String(d),"data-state":h}}
      scene=${_=>{const N=lt(e);return N&&g(N,l.model,_)}}
      drawn=${()=>l.evaluation?.id??""}
      label=${()=>l.evaluation?_r(e,l.evaluation):""}
    />
    ${u}
    <${rt}
      words=${a}
      data=${{"data-drop-table":e}}
      caption=${()=>(y&&g(y,m,640).desc)??""}
      rows=${y&&(()=>b(y))}
    />
  <//>`}function Er(){const{model:e,evaluation:t}=l,{share:n,title:s}=A(),o=e!==null&&!e.labels.length||t?.state==="done"&&!lt("labels");return p`<div class="drop-grid">
    <${Vt}
      name="accuracy"
      look="panel-drop-accuracy"
      title=${s}
      reads=${kn(Be.accuracy)}
      more=${Yt.accuracy}
      words=${(n?"Accuracies":s)+" as a table"}
      height=${228}
      below=${p`<${wr} />`}
    >
      <${fr} /><${gr} />
    <//>
    <div class="column">
      <${Vt}
        name="labels"
        title="Effect by label"
        reads=${kn(Be.labels)}
        words="Effect by label as a table"
        height=${262}
        hidden=${o}
      />
      <${Vt}
        name="domains"
        title="Effect by data set"
        reads=${xn(vr)}
        words="Effect by data set as a table"
        height=${102}
      />
    </div>
  </div>`}const ys={shown:Bt,units:()=>l.model?.units,write:es,noSwap:({model:e})=>xt(e)?"":"There is no model "+e+" here."};function Ie(){const{evaluation:e,pinned:t}=l,n=t&&V.value&&e?e.comparison:null;return e&&n&&n.a&&n.by_distribution.length?{a:n.a,b:e,comparison:n}:null}function Mr(){const{evaluation:e,pinned:t,status:n,problem:s}=l;if(!t)return"A is what is shown: leave other units out, or choose another model, to compare it with A.";const a=e?.comparison?.problem;return a?"A and B are not compared. "+a:s?"Nothing to compare: "+s.detail:n==="cancelled"?"Cancelled before both had a figure.":"Both are scored now."}function Tr({comparison:{covered:e,total:t}}){return e===t?"On the same "+k(t)+" samples, all of which both have scored.":"On "+k(e)+" of "+k(t)+" samples so far: those that both have scored."}const Ar=({of:e})=>p`<div class="compare-sides">
    ${[["a","A"],["b","B"]].map(([t,n])=>p`<div class="compare-side" data-side=${t}>
            <div class="compare-name"><span class="pin-letter">${n}</span> ${fe(e[t])}</div>
            <div class="numbers">
              ${be(e[t]).map(({where:s,evaluation:a})=>{const{accuracy:o,change:r}=Rt(a),i={...r,name:"Change to its model as it is"};return p`
                  <${U} main=${!0} ...${j(o,s)} />
                  <${U} ...${j(i,s)} />
                `})}
            </div>
          </div>`)}
  </div>`,ut=[["both","both"],["only_a","only A"],["only_b","only B"],["neither","neither"]];function Nr({parts:e}){const t=e.filter(s=>s.outcomes);if(!t.length)return null;const n=["Samples right with",...ut.map(([,s])=>s)];return p`<${ao}
    look="compare-outcomes"
    heads=${n.map(s=>p`<th scope="col">${s}</th>`)}
    rows=${t.map(({name:s,outcomes:a})=>p`<tr>
          <th scope="row">${e.length>1||s==="out"?Q[s]:"all samples"}</th>
          ${ut.map(([o])=>p`<td data-outcome=${o}>${k(a?a[o]:0)}</td>`)}
        </tr>`)}
  />`}function Rr({of:e}){const t=A(e.b.measure),n=e.comparison.by_distribution;return p`
    <div class="numbers compare-difference">
      ${n.map(({name:s,count:a,difference:{accuracy:o}})=>{const r={name:"B minus A",value:o?t.change(o.value):Pn,unit:t.changeUnit,detail:$a(o,t.change,"")+", "+k(a)+" samples",mood:so(o,t.higher)},i=n.length>1||s==="out"?Q[s]:"";return p`<${U} id=${"drop-difference-"+s} main=${!0} ...${j(r,i)} />`})}
    </div>
    <${Nr} parts=${n} />
  `}function Cr({a:e,b:t}){const{name:n}=A(t.measure),s=[["what","A","A_low","A_high","B","B_low","B_high"]],a=c=>c?[c.value,c.low??"",c.high??""]:["","",""],o=new Map(be(t).map(c=>[c.where,c.evaluation]));for(const{where:c,evaluation:u}of be(e)){const[d,h]=[o.get(c),c&&", "+c];s.push([n+h,...a(u.accuracy),...a(d?.accuracy)]),s.push(["loss"+h,...a(u.loss),...a(d?.loss)])}const r=c=>c.name+(c.distribution?", "+c.distribution:""),i=Ht();for(const c of i?["best first","worst first","random"]:[])for(const u of[...new Set([i?.a,i?.b].flatMap(d=>d?.retention??[]).map(d=>d.share_kept))].sort((d,h)=>h-d)){const[d,h]=[i?.a,i?.b].map(g=>g?.retention.find(b=>b.order===c&&b.share_kept===u)),m=g=>g?[g.accuracy,g.low,g.high]:["","",""];s.push([c+", share kept "+u.toFixed(3),...m(d),...m(h)])}for(const[c,u]of[["label ",ke],["",ve]]){const d=new Map(u(t).map(h=>[r(h),h]));for(const h of u(e)){const m=d.get(r(h)),g=m?[m.accuracy,m.low,m.high]:["","",""];s.push([c+r(h),h.accuracy,h.low,h.high,...g])}}return s}function Br({b:{data:e},comparison:t}){const n=new Map(t.by_distribution.map(r=>[r.name,r.outcomes])),s=Object.fromEntries(Object.entries(Q).map(([r,i])=>[i,r])),a=t.by_distribution[0].name,o=[["what","distribution","samples","A","B","B_minus_A","low","high",...ut.map(([r])=>r)]];for(const{name:r,where:i,main:c,count:u,a:d,b:h,value:m,low:g,high:b}of hs(t,e)){const f=c?n.get(s[i]??a):null,y=ut.map(([x])=>f?f[x]:"");o.push([r,i||Q[a],u,d,h,m,g??"",b??"",...y])}return o}const vs={compared:{scene:({a:e,b:t},n,s)=>ur(e,t,n,{alone:s,curves:Ht()}),rows:Cr,Numbers:Ar},difference:{scene:({b:e},t)=>dr(e,t),rows:Br,Numbers:Rr}};function Ir({a:e,b:t,comparison:n}){const[s,a]=[e,t].map(o=>En(o,Dt));return{...Ut(),a:s,b:a,samples_compared:n.covered}}function Pr(e){const t=Ie();if(!t)return null;const{scene:n,rows:s}=vs[e],a=s(t),{a:o,...r}=t.comparison;return{name:"drop-"+e,facts:Ir(t),rows:()=>a,json:()=>e==="difference"?{result:r}:{a:t.a,b:{...t.b,comparison:null}},picture:{scene:()=>n(t,1e3,!0)}}}const Wr={compared:{title:"A and B",words:"A and B side by side"},difference:{title:"Difference, B minus A",words:"B minus A"}};function ks({name:e,children:t}){const{scene:n,rows:s,Numbers:a}=vs[e],{title:o,words:r}=Wr[e],i=Ie();return p`<${ot}
    id=${"drop-"+e}
    title=${o}
    reads=${Be[e]}
    tag="caused"
    formats=${ct}
    written=${()=>Pr(e)}
    coded=${!1}
    hidden=${i===null}
  >
    <div class="drop-compared" data-fresh=${String(l.fresh)}>
      <div class="compare-numbers">${i&&p`<${a} of=${i} />`}</div>
      <${Xt}
        data=${{"data-key":e}}
        scene=${c=>{const u=Ie();return u&&n(u,c,!1)}}
        drawn=${()=>l.evaluation?.id??""}
        label=${c=>c.title+". "+c.desc}
      />
      ${t}
    </div>
    <${rt}
      words=${r+" as a table"}
      data=${{"data-compare-table":e}}
      caption=${()=>(i&&n(i,1e3,!0).desc)??""}
      rows=${i&&(()=>s(i))}
    />
  <//>`}function Dr(){le(ar,[]);const e=Ie();return p`<div class="drop-compare" hidden=${!V.value}>
    <div class="compare-words">
      ${V.value&&p`<p class="hint" role="status">${e?Tr(e):Mr()}</p>`}
    </div>
    <${ks} name="compared">
      <div class="compare-curves"><${or} /></div>
    <//>
    <${ks} name="difference" />
  </div>`}const Qt=({experts:e,top_k:t},{kind:n,top_k:s})=>n==="drop"?Math.max(0,e-(s??t)):e;function xs(e,t,n,s=!0){const a=ze(e),o=new Set(a),r=t.filter(h=>o.has(h)),i=Qt(e,n);if(r.length&&r.length>=i)return{back:r};const c=t.filter(h=>!o.has(h)),u=i===e.experts||!i;if(!u&&!s)return{out:[...c,...a.slice(-i)]};const d=e.name+(u?".*":".least:"+i);return{rule:[...c,d]}}const xe={drop:"dropped",mute:"muted",mean:"mean",resample:"resampled"},Ur={...xe,mean:"at their mean"},dt={drop:"Drop ",mute:"Mute ",mean:"Put the mean in place of ",resample:"Resample "},Os="data-drop-unit",Pe=e=>e!==null&&e.units.length>ya&&!T({model:e}),_s=e=>e!==null&&!Pe(e)&&!T({model:e});function Oe(e,t){const n=new Set(R());e.forEach(i=>t?n.add(i):n.delete(i));const{choice:s,model:a}=l,o=new Set(Ct());if(!e.some(i=>o.has(i))&&s.least){const i=new Set(s.units);e.forEach(u=>t?i.add(u):i.delete(u));const c=a.units.filter(u=>i.has(u));I({units:c})}else Ye([...n])}const Zt=(e,t,n)=>t?"Bring "+e+" back":dt[n]+e;function jr({unit:e,units:t,away:n,kind:s,measured:a}){const o=n?a?xe[s]:"not "+xe[s]+" yet":"",r=Zt(e,n,s),[i,c]=[()=>He(e),()=>He(null)];return p`<button
    type="button"
    class="chip"
    ...${{[Os]:e}}
    data-state=${n?s==="drop"?"dropped":"muted":"on"}
    title=${r}
    aria-pressed=${String(n)}
    aria-label=${e+(o&&", "+o)+". "+r}
    onClick=${()=>Oe([e],!n)}
    onPointerEnter=${i}
    onPointerLeave=${c}
    onFocus=${i}
    onBlur=${c}
  >
    <span class="swatch" aria-hidden="true" style=${{background:wa(t,e)}}></span>
    ${e}
    <span class="chip-state">${o}</span>
  </button>`}function Fr(){const{model:e,choice:t,status:n,fresh:s}=l,a=s||n!=="failed"&&n!=="cancelled",[o,r]=[R(),_s(e)?e?.units??[]:[]];return p`<div
    class="chips"
    role="group"
    aria-label="Units"
    hidden=${e!==null&&!_s(e)}
    onKeyDown=${Un}
  >
    ${r.map(i=>p`<${jr} key=${i} ...${{unit:i,units:r,away:o.includes(i),kind:t.kind,measured:a}} />`)}
  </div>`}const qr=[["name","by name"],["connectivity","by connectivity"],["graph","as in the graph"]];function Lr(e,{model:t,graph:n}){return!n||e==="name"?t.units:(e==="graph"?n.order:bn(n.connectivity).reverse()).map(a=>t.units[a])}function ht(e){const{model:t,graph:n}=l;return t?va(t.units,e,n&&n.connectivity):[]}function Gr(){const{model:e,graph:t,choice:n}=l,{units:s,unit:a}=Y(e),o=k(R().length)+" of "+k(e.units.length),r=t?"; the stronger the colour, the better connected":"";return o+" "+(e.units.length===1?a:s)+" "+Ur[n.kind]+r}function Jr({asked:e,order:t}){const{model:n,graph:s,choice:a}=l;if(!n||!Pe(n))return null;const o=ht(e.value).length,r=ka(n.units,e.value,s&&s.connectivity,Y(n)),i=()=>Oe(ht(e.value),!0);return p`
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
    <${D} id="drop-take" wait=${!o} act=${i}>${(dt[a.kind]+(o||"")).trim()}<//>
    <${D} id="drop-bring" wait=${!o} act=${()=>Oe(ht(e.value),!1)}>Bring back<//>
    <${X}
      id="drop-order"
      look="small-input"
      label="Order of the units"
      options=${qr}
      chosen=${t.value}
      onChoose=${c=>t.value=c}
      wait=${!s}
      hidden=${!we(l)}
    />
    <span class="hint" id="drop-count">${Gr()}</span>
  `}function zr(){const[e,t]=[Ne(""),Ne("name")],n=$e(null);return le(()=>{const s=n.current,a=new oo(s,Os,{toggle:Oe,point:r=>He(r),about(r,i){const{graph:c,model:u,choice:d}=l,h=c?", q "+c.connectivity[u.units.indexOf(r)].toFixed(1):"";return r+h+". "+Zt(r,i,d.kind)}}),o=[B(()=>{const r=l,{graph:i,model:c}=r;Pe(c)&&(a.show(Lr(t.value,r)),i&&a.shade(u=>i.connectivity[c.units.indexOf(u)]),a.ring(ht(e.value)))}),B(()=>{const{model:r,choice:i}=l;Pe(r)&&(a.mark(R(),xe[i.kind]),s.dataset.kind=i.kind)})];return()=>o.forEach(r=>r())},[]),p`<div class="drop-many" hidden=${!Pe(l.model)}>
    <div class="interventions drop-row"><${Jr} asked=${e} order=${t} /></div>
    <div ref=${n} role="group" aria-label="Units"></div>
  </div>`}const Ss=({id:e,name:t,label:n,value:s,most:a,words:o,wait:r=!1,onSlide:i})=>p`<div class="control" title=${n}>
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
  </div>`;function Hr(){if(!we(l))return null;const{model:e,graph:t,graphProblem:n,choice:s}=l,a=s.edges===null?1:s.edges;return p`<div class="interventions drop-row">
    <${Ss}
      id="drop-least"
      name="n least connected"
      label="Drop the n units of least connectivity q"
      value=${s.least}
      most=${e.units.length-1}
      words=${s.least+" of "+e.units.length}
      wait=${!t}
      onSlide=${o=>I({least:o},!0)}
    />
    <${Ss}
      id="drop-edges"
      name="share of edges kept"
      label="Share of the links that is kept, the most probable first"
      value=${Math.round(100*a)}
      most=${100}
      words=${ba(a)+" %"}
      onSlide=${o=>I({edges:o===100?null:o/100},!0)}
    />
    <span class="hint">
      ${n?"The graph: "+n.message:t?"":"Reading the graph"}
    </span>
  </div>`}const Kr="data-drop-unit",We="data-drop-layer",Es=({id:e,name:t,unit:n="",value:s,least:a,most:o,act:r})=>p`<span class="control">
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
    ${n&&p`<span class="hint">${n}</span>`}
  </span>`;function Yr(){const{model:e,choice:t,use:n,sets:s}=l,{units:a}=Y(e),o=R().length,r=k(o)+" of "+k(e.units.length)+" "+a+" "+xe[t.kind];return s.length?r+(n?"":"; observing their use"):r+"; no use is observed without a data set"}function Xr(){const{model:e,use:t}=l;return t?(io(e?.layers??[])?"Shade and number":"Shade")+": observed "+K.weight+", in % of the layer, with all experts on, over "+k(t.count)+" samples of "+t.data.join(", ")+".":""}function Vr({least:e,share:t}){const{model:n,choice:s,ruled:a,sets:o}=l;if(!n||!T(l))return null;const r=(n.layers??[]).reduce((m,g)=>m+Qt(g,s),0),i=()=>Xe(["least:"+e.value]),c=()=>Xe(["share:"+t.value/100]),u=dt[s.kind].trim(),d=!R().length,h=p`
    <${Es}
      id="drop-least-used"
      name=${"Least "+K.weight}
      value=${e}
      least=${1}
      most=${r}
      act=${i}
    />
    <${D} id="drop-take-least" act=${i}>${u}<//>
    <${Es}
      id="drop-share"
      name="Share of every layer"
      unit="%"
      value=${t}
      least=${1}
      most=${100}
      act=${c}
    />
    <${D} id="drop-take-share" act=${c}>${u}<//>
  `;return p`
    ${o.length>0&&h}
    <${D} id="drop-bring" wait=${d} act=${()=>Ye([])}>Bring all back<//>
    <span class="hint" id="drop-count">${Yr()}</span>
    <span class="hint" id="drop-ruled" role="status" aria-live="polite" data-refused=${String(!!a?.refused)}>
      ${a?a.text:""}
    </span>
  `}function Qr(e){const{model:t,choice:n,sets:s}=l,a=(t.layers??[]).find(r=>r.name===e);if(!a)return;const o=xs(a,R(),n,s.length>0);"back"in o?Oe(o.back,!1):"out"in o?Ye(o.out):Xe(o.rule)}function Zr(){const[e,t]=[Ne(4),Ne(25)],n=$e(null);return le(()=>ei(n.current),[]),p`<div class="drop-experts" hidden=${!T(l)}>
    <div
      ref=${n}
      class="expert-grid"
      role="group"
      aria-label="Experts by layer"
      onClick=${s=>{const a=s.target instanceof Element&&s.target.closest("["+We+"]")?.getAttribute(We);a&&Qr(a)}}
    ></div>
    <p class="hint expert-legend">${Xr()}</p>
    <div class="interventions drop-row"><${Vr} least=${e} share=${t} /></div>
  </div>`}function ei(e){const t=new ro(e,Kr,{toggle:Oe,point:n=>He(n),about(n,s){const{use:a,choice:o}=l,r=a?.units.find(c=>c.unit===n),i=r?", "+K.weight+" "+Ae(r.share)+" % of its layer":"";return n+i+". "+Zt(n,s,o.kind)}});return Ke(({model:n,choice:s,use:a,sets:o},r)=>{if(!(!n||!T({model:n}))&&(r.has("model")&&t.lay(n.layers??[],We),(r.has("model")||r.has("use"))&&t.tell(a&&new Map(a.units.map(({unit:i,share:c})=>[i,c]))),!!["model","choice"].some(i=>r.has(i)))){t.mark(R(),xe[s.kind]),e.dataset.kind=s.kind;for(const i of e.querySelectorAll("["+We+"]")){const c=(n.layers??[]).find(b=>b.name===i.getAttribute(We));if(!c)continue;const u=xs(c,R(),s),d=c.experts-Qt(c,s),h=o.length?d+" most used experts of ":"first "+d+" experts of ",m=d?"all but the "+h:"all experts of ",g=("back"in u?"Bring back the experts of ":dt[s.kind]+m)+"layer "+jn(c.name);i.setAttribute("title",g),i.setAttribute("aria-label","layer "+jn(c.name)+". "+g)}}})}const[ti,en,Ms,ni,si,ai]=[236,196,52,14,30,36],_e={tokens:"by "+K.tokens,weight:"by "+K.weight,effect:"by caused effect",greedy:"greedy, by caused effect",chance:"by chance"},oi=({baseline:e})=>e.map(t=>t.domain).sort((t,n)=>+(n==="all")-+(t==="all")),pt=e=>e==="all"?"all data sets":e,ri=(e,t)=>t==="figure"?e.figure:e.change,ii=(e,t)=>t==="figure"?e.random:e.random_change,Ts=e=>e?[e.value,e.low,e.high]:[];function De(e,t){const{value:n,low:s,high:a}=e;return t(n)+(s===null||a===null?"":" (95 %: "+t(s)+" to "+t(a)+")")}const ci=({low:e,high:t},n)=>e===null||t===null?"":", from "+n(e)+" to "+n(t),As=(e,t)=>t==="all"||e.data.length===1?e.count:e.data.find(({name:n})=>n===t)?.count,ft=e=>e===void 0?"":", over "+k(e)+" samples",Ns=(e,t)=>e.draws??t.draws;function li(e){const t=e.curve.filter(a=>a.random).map(a=>Ns(a,e)),[n,s]=t.length?[Math.min(...t),Math.max(...t)]:[e.draws,e.draws];return(n<s?n+" to "+s:s)+" random sets"}function ui(e,t){const n=A(t.measure),s=i=>Te(n,i),a=i=>n.change(i)+" "+n.changeUnit,o=pt(e.domain)+", "+Ae(e.share)+" % kept ("+k(e.experts)+" experts), "+_e[t.order]+": ",r=e.random&&e.random_change?"; "+Ns(e,t)+" random sets "+s(e.random.value)+ci(e.random,s):"";return o+De(e.figure,s)+"; change "+De(e.change,a)+ft(As(t,e.domain))+r}function di({found:e,domain:t,shown:n,mark:s,dx:a,dy:o,width:r}){const i=A(e.measure),c=e.curve.filter(w=>w.domain===t).sort((w,S)=>S.share-w.share),u=e.baseline.find(w=>w.domain===t)?.figure,d=n==="figure"?u:{value:0,low:null,high:null},h=s.figures.get(t),m=h&&(n==="figure"?h.figure:h.change),g=[...d?[{share:1,at:d}]:[],...c.map(w=>({share:w.share,at:ri(w,n)}))],b=c.flatMap(w=>[ii(w,n)].flatMap(S=>S?[{share:w.share,at:S}]:[])),y=[...g,...b].flatMap(({at:w})=>Ts(w)).concat(Ts(m)).filter(w=>w!==null),[x,_]=[Math.min(...y),Math.max(...y)],N=.06*(_-x||Math.abs(_)||1),[J,v,O,z]=[a+Ms,a+r-ni,o+si,o+en-ai],ee=Math.min(s.share,...c.map(w=>w.share),.9),un=Ge([1,ee],[J,v],{round:!1,ticks:[1,.75,.5,.25,0].filter(w=>w>=ee-.02),named:w=>Math.round(100*w)+(w===1?" %":"")}),ie=i.share?100:1,te=Ge([ie*(x-N),ie*(_+N)],[z,O],{round:!1,most:6}),{named:ea}=te;n==="change"&&(te.named=w=>(w>0?"+":"")+ea(w));const ne={x:({share:w})=>un(w),y:({at:w})=>te(ie*w.value)},dn=({at:{low:w,high:S}})=>w===null||S===null?null:[te(ie*w),te(ie*S)],ta=w=>Te(i,w),na=w=>d&&!w?pt(t)+", all experts: "+De(u??d,ta)+ft(As(e,t)):ui(c[w-(d?1:0)],e),sa=(w,S)=>d&&!S?"ink":"accent",hn=h&&m?[{share:s.share,at:m}]:[],pn=b.length&&d?[{share:1,at:{...d,low:d.value,high:d.value}},...b]:b;return[se([pt(t)],{x:J,y:o+14,down:0,size:12.5,weight:650,room:v-J}),Cn(te,[J,v],{strong:n==="change"?0:null}),Et(un,[O,z],{grid:!1}),Bn(pn,{...ne,y:({at:{value:w,low:S,high:aa}})=>[te(ie*(S??w)),te(ie*(aa??w))],fill:"unmatched"}),Nt(pn,{...ne,stroke:"unmatched",width:1.5,dash:[4,3]}),Nn([s],{x:ne.x,y:[O,z],stroke:"marker",width:1.2,dash:[3,3]}),g.length>1?Nt(g,{...ne,stroke:"accent"}):[],Mt(g,{...ne,y:dn,r:0,stroke:sa}),Tt(g,{...ne,r:3.5,fill:(w,S)=>d&&!S?"surface":"accent",stroke:(w,S)=>d&&!S?"ink":void 0,width:1.5,words:(w,S)=>na(S),reach:14,rise:14}),Mt(hn,{...ne,y:dn,r:0,stroke:"marker"}),co(hn,{...ne,text:"diamond",r:6,stroke:"surface",width:1.5,fill:"marker",words:h&&hi(t,s,h,i),reach:14,rise:14})]}function hi(e,{share:t},{figure:n,change:s,count:a},o){const r=u=>Te(o,u),i=u=>o.change(u)+" "+o.changeUnit;return pt(e)+", what the page left out, "+Ae(t)+" % kept: "+De(n,r)+(s?"; change "+De(s,i):"")+ft(a)}function Rs(e,t,n,s){const a=oi(e),o=Math.max(1,Math.min(a.length,Math.floor(s/ti))),r=s/o,i=Math.ceil(a.length/o)*en,c=A(e.measure),u=c.unit&&!c.name.startsWith(c.unit)?" ("+c.unit+")":"",d=t==="figure"?c.title+u:"Change of "+c.name,h=In([{text:d,key:"none",ink:"ink",weight:600},{text:_e[e.order]+"; whiskers 95 %"+ft(e.count),stroke:"accent"},...e.draws?[{text:li(e)+": mean, least to largest",stroke:"unmatched"}]:[]],{x:s<420?8:Ms,y:i+8,width:s,size:11.5});return Re({width:s,height:i+h.height+4,title:d+" while fewer experts are kept, "+_e[e.order]+": "+e.model,desc:"A facet a data set: "+d+" against the share of experts that is kept. The line goes "+_e[e.order]+", whiskers are 95 % intervals, the band spans random sets of the same size; the dashed upright is where the bars stand.",marks:[a.map((m,g)=>di({found:e,domain:m,shown:t,mark:n,width:r,dx:g%o*r,dy:Math.floor(g/o)*en})),h.marks]})}const Cs=e=>[["domain","share","experts","figure","low","high","change","change_low","change_high","random","random_low","random_high","random_change","random_change_low","random_change_high"],...e.curve.map(({domain:t,share:n,experts:s,figure:a,change:o,random:r,random_change:i})=>[t,n,s,...[a,o,r,i].flatMap(c=>[c?.value??"",c?.low??"",c?.high??""])])],Ue=26,[pi,fi,Se]=[5,40,18],[tn,mi]=[.25,.85],Bs=e=>Math.max(1,...e.map(t=>t.experts));function nn(e,t){const n=Math.max(pi,Math.min(fi,Math.floor(t/Bs(e))));return{cell:n,width:n*Bs(e),height:Ue*e.length}}function Is({layers:e,counts:t,places:n},s,a){if(!n)return{goes:!1,opacity:tn};const o=e[s].experts-t[s],r=n[s][a],i=Math.max(1,e[s].experts-1);return{goes:r<o,opacity:tn+(mi-tn)*r/i}}function gi(e,t,n){const s=vn(),a=nn(t.layers,n),o=ho(e,a.width,a.height);o.clearRect(0,0,a.width,a.height);const r=a.cell>8?2:1,i=(Ue-Se)/2;t.layers.forEach((c,u)=>{const d=u*Ue+i;for(let h=0;h<c.experts;h+=1){const{goes:m,opacity:g}=Is(t,u,h),[b,f]=[h*a.cell,a.cell-r];if(m){o.globalAlpha=1,o.strokeStyle=s.bad,o.lineWidth=1,f>7?(o.strokeRect(b+.5,d+.5,f-1,Se-1),o.beginPath(),o.moveTo(b+3,d+Se-3),o.lineTo(b+f-3,d+3),o.stroke()):(o.fillStyle=s.bad,o.fillRect(b,d+Se/2-1,f,2));continue}o.globalAlpha=g,o.fillStyle=s.accent,o.fillRect(b,d,f,Se)}}),o.globalAlpha=1,Object.assign(e.style,{width:a.width+"px",height:a.height+"px"})}function $i(e,t,n,s){const[a,o]=[Math.floor(s/Ue),Math.floor(n/t)];return a>=0&&a<e.length&&o>=0&&o<e[a].experts?{row:a,expert:o}:null}function bi(e,t,n){const{layers:s,counts:a}=e,o=s.map(({name:m})=>Me(m)),r=Math.ceil(lo(o,11.5))+12,i=nn(s,t-r-70),c=uo(o,[0,i.height],Ue-Se),u=s.flatMap((m,g)=>Array.from({length:m.experts},(b,f)=>({row:g,x:r+f*i.cell,...Is(e,g,f)}))),d=i.cell-(i.cell>8?2:1),h={y:({row:m})=>c.extent(m),x:({x:m})=>[m,m+d],rx:2};return Re({width:t,height:i.height+6,title:n,desc:"A row a layer, a cell an expert: filled ones stay, the stronger the later they would go; hollow ones go.",marks:[se(o,{x:r-8,y:(m,g)=>c(g),size:11.5,anchor:"end"}),Fn(u.filter(({goes:m})=>m),{...h,stroke:"bad",width:1}),Fn(u.filter(({goes:m})=>!m),{...h,fill:"accent",opacity:({opacity:m})=>m}),se(s,{x:r+i.width+8,y:(m,g)=>c(g),text:(m,g)=>a[g]+" of "+m.experts,size:11.5,fill:"dim"})]})}const oe=({experts:e,top_k:t})=>Math.min(t,e),wi=5e5,Ps=(e,t,n)=>Math.max(t,Math.min(n,e)),sn=e=>e.map(t=>t.experts),mt=(e,t)=>e.map(n=>Ps(Math.ceil(Number((n.experts*t).toFixed(9))),oe(n),n.experts)),Ws=(e,t,n)=>Us(e,t,(s,a)=>a<=n),Ds=e=>e.slice(0,e.lastIndexOf("."));function Us(e,t,n){const s=sn(e),a=new Map(e.map((r,i)=>[r.name,i]));let o=s.reduce((r,i)=>r+i,0);for(const r of t){if(n(s,o))break;const i=a.get(Ds(r))??-1;i<0||s[i]<=oe(e[i])||(s[i]-=1,o-=1)}return s}function js(e,t){const n=new Map(e.map(s=>[s.name,[]]));for(const s of t){const a=Ds(s);n.get(a)?.push(Number(s.slice(a.length+2))-1)}return e.map(({name:s,experts:a})=>{const o=n.get(s)??[],r=new Set(o),i=Array.from({length:a},(u,d)=>d).filter(u=>!r.has(u)),c=new Int32Array(a);return[...o,...i].forEach((u,d)=>c[u]=d),c})}const yi=(e,t,n)=>e.flatMap((s,a)=>ze(s).filter((o,r)=>t[a][r]<s.experts-n[a]));function vi(e,t,n,s,a,o){const r=Ps(o,oe(t[a]),t[a].experts);return e==="alike"?mt(t,r/t[a].experts):e==="own"?s.map((i,c)=>c===a?r:i):Us(t,n,i=>i[a]<=r)}const ki=({units:e})=>e.map(({unit:t,share:n},s)=>({unit:t,share:n,at:s})).sort((t,n)=>t.share-n.share||t.at-n.at).map(({unit:t})=>t);function Fs(e,t,n){const s=e.reduce((r,i)=>r+i.experts,0),a=s-e.reduce((r,i)=>r+oe(i),0);if(t==="effect")return s+1;if(t!=="greedy")return 0;let o=0;for(let r=0;r<a;r+=n)o+=s-r+1;return o}function qs(e,t,n){if(e!=="greedy")return 1;const s=t.reduce((o,r)=>o+r.experts,0);let a=1;for(;a<s&&Fs(t,e,a)*n>wi;)a*=2;return a}function xi(e,t,n){const s=e.map(o=>o.experts-oe(o)),a=e.findIndex(o=>o.experts===Math.max(...sn(e)));return Math.min(n,t==="all"?s.reduce((o,r)=>o+r,0):s[a])}const W="pruning",gt=8,Oi=64*1024*1024,_i=700,Si=20,{state:$,update:M,subscribe:fc}=mn({model:null,layers:[],order:"weight",way:"alike",samples:128,draws:8,counts:[],known:null,found:null,said:"",writes:!1});function je(){const{model:e,order:t,way:n,samples:s,draws:a,layers:o}=$,r=n==="together"?"all":"layer",i=qs(t,o,s);return{model:e,data:Z(),samples:s,order:t,scope:r,at_once:i,points:gt,draws:a,seed:0}}function Ls(){const{model:e,data:t,samples:n,order:s,at_once:a,seed:o}=je();return JSON.stringify({model:e,data:t,samples:n,order:s,atOnce:a,seed:o})}function G(){const{known:e,order:t}=$,n=e&&e.of===Ls()?e:null;if(n)return{...n,preliminary:!1};const{use:s}=l;return t!=="weight"||!s?null:{...Ei(s),of:"",preliminary:!0}}let $t=null;function Ei(e){const{layers:t}=$;if($t?.use===e&&$t.layers===t)return $t;const n=ki(e);return $t={use:e,layers:t,sequence:n,places:js(t,n)}}function Gs(){const e=G();return e?yi($.layers,e.places,$.counts):[]}function re(){return{stay:$.counts.reduce((t,n)=>t+n,0),whole:$.layers.reduce((t,n)=>t+n.experts,0)}}function Mi(e,t){const{way:n,layers:s,counts:a}=$;M({counts:vi(n,s,G()?.sequence??[],a,e,t),said:""})}function Ti(e){const{way:t,layers:n}=$,s=G()?.sequence??[],a=t==="together"?Ws(n,s,e):mt(n,e/re().whole);M({counts:a,said:""})}const Ai=()=>M({counts:sn($.layers),said:""});function bt(e){const t=JSON.stringify(je());M({...e,said:""}),$.way!=="own"&&Js(),JSON.stringify(je())!==t&&($.found&&M({found:null}),ge(W))}function Js(){const{way:e,layers:t}=$,{stay:n,whole:s}=re();if(!s)return;const a=G()?.sequence??[];M({counts:e==="alike"?mt(t,n/s):Ws(t,a,n)})}const an=()=>vt(W,"/prunings",je());function Ni(){I({kind:"drop",units:Gs(),least:0,top_k:null})}function on(){const e=Gs(),{choice:t}=l,n=t.kind==="drop"&&t.top_k===null?R():[];return e.length>0&&e.length===n.length&&e.every((s,a)=>s===n[a])}const zs=e=>"/prunings/"+encodeURIComponent($.found?.id??"")+"/"+e+"?keep="+$.counts.join(",");async function Ri(){if(!$.found)return null;M({said:""});try{return await(await On(zs("keep-list"))).blob()}catch(e){return M({said:e.message}),null}}async function Ci(){if(!$.found||$.writes)return null;const e=zs("model");M({said:"",writes:!0});try{const t=await On(e);return Number(t.headers.get("Content-Length")??1/0)<=Oi?await t.blob():(await t.body?.cancel(),xa+e)}catch(t){return M({said:t.message}),null}finally{M({writes:!1})}}let Hs=0;async function Bi({job:e}){if(!e||!["running","done"].includes(e.state)||!$.model)return;const t=e.state==="running";if(t&&(!e.total||performance.now()-Hs<_i)||!t&&$.found?.id===e.id&&$.found.complete)return;Hs=performance.now();const n=await H("GET","/prunings/"+encodeURIComponent(e.id)).catch(()=>null);if(!(!n||F(W).job?.id!==e.id||n.model!==$.model)&&!($.found?.id===n.id&&Ii(n,$.found))&&n.sequence.length){const s=Ls(),a=$.known?.of===s?$.known:{of:s,sequence:n.sequence,places:js($.layers,n.sequence)};M({known:a,found:n}),$.way==="together"&&Js()}}const Ii=(e,t)=>t.complete||!e.complete&&e.curve.length<t.curve.length;function Ks(e){const{choice:t}=l,n=new Set(t.kind==="drop"?R():[]);return e.map(s=>{let a=0;for(let o=1;o<=s.experts;o+=1)n.has(s.name+".e"+o)||(a+=1);return Math.max(a,oe(s))})}function Ys(e,t){const n=mt(e,t[0]/e[0].experts);return t.some((s,a)=>s!==n[a])}async function Pi(){const{model:e}=$,t=await H("GET","/jobs?kind="+W+"&limit="+Si).catch(()=>null);if(!t||$.model!==e||F(W).job||F(W).starting)return;const n=JSON.stringify(Z()),s=t.items.find(({state:m,owner:g,request:b})=>["running","queued","done"].includes(m)&&g!=="another"&&b.model===e&&JSON.stringify(b.data)===n&&!b.keep&&b.points===gt);if(!s)return;const a=s.request,{order:o,scope:r,samples:i,draws:c}=a,u=r==="all"?"together":Ys($.layers,$.counts)?"own":"alike";M({order:o,way:u,samples:i,draws:c});const d=je();Object.keys(d).every(m=>JSON.stringify(d[m])===JSON.stringify(s.request[m]))&&an()}let rn="",cn=!1;function Wi(){const e=[yt(W,t=>{Bi(t)}),Ke(({model:t},n)=>{if(!n.has("model")&&!n.has("choice"))return;const s=t?.layers??[],a=t&&s.length?t.id:null;if(a!==$.model&&($.model&&ge(W),rn=JSON.stringify(Z()),cn=!0,M({model:a,layers:s,counts:Ks(s),known:null,found:null,said:""})),!a||!n.has("choice"))return;if(cn){cn=!1;const r=Ks(s);M({counts:r,way:Ys(s,r)?"own":"alike"}),Pi();return}const o=JSON.stringify(Z());o!==rn&&(rn=o,($.found||F(W).job)&&ge(W),M({found:null}))})];return()=>{e.forEach(t=>t()),M({model:null,layers:[],counts:[],known:null,found:null,said:""})}}const Di=[["tokens","by "+K.tokens+", observed"],["weight","by "+K.weight+", observed"],["effect","by effect, caused"],["greedy","greedy, caused"],["chance","by chance"]],Ui=[["alike","all alike"],["together","all together, by the order"],["own","each on its own"]],ji={tokens:"Observed: experts that fewest tokens take go first. This predicts effects badly.",weight:"Observed: experts of least routing weight go first. This predicts effects badly.",effect:"Caused: each expert is dropped alone, and those that cost least go first.",greedy:"Caused: after every step all that are left are dropped in turn, and the cheapest goes.",chance:"By chance: what any other order has to beat."};function Fi(){const{order:e,layers:t,samples:n,draws:s,way:a}=$,o=xi(t,a==="together"?"all":"layer",gt),r=qs(e,t,n),c=Fs(t,e,r)+o*(1+s)+1,u=l.evaluation?.baseline?.samples_per_second,d=u?", about "+kt(c*n/u):"";return k(c)+" sets of experts on "+k(n)+" samples"+d+"."+(r>1?" Experts go "+k(r)+" at once.":"")}function qi(){const{order:e,way:t,samples:n,draws:s,found:a,model:o}=$;if(!o)return null;const{job:r,starting:i,problem:c}=F(W),u=i||r!==null&&["queued","running"].includes(r.state),d=!!a?.complete,{read_only:h}=ce.value,m=wn(c)&&c?.message,g=(f,y,x)=>p`<div class="control"><label class="control-name" for=${f}>${y}</label>${x}</div>`,b="small-input";return p`<div class="interventions drop-row">
      ${g("studio-order","Experts go",p`<${X}
          id="studio-order"
          look=${b}
          options=${Di}
          chosen=${e}
          onChoose=${f=>bt({order:f})}
        />`)}
      ${g("studio-way","Layers",p`<${X}
          id="studio-way"
          look=${b}
          options=${Ui}
          chosen=${t}
          onChoose=${f=>bt({way:f})}
        />`)}
      ${g("studio-samples","Samples",p`<${X}
          id="studio-samples"
          look=${b}
          options=${Ot([32,64,128,256],n)}
          chosen=${String(n)}
          onChoose=${f=>bt({samples:Number(f)})}
        />`)}
      ${g("studio-draws","Random sets",p`<${X}
          id="studio-draws"
          look=${b}
          options=${Ot([0,4,8,16],s)}
          chosen=${String(s)}
          onChoose=${f=>bt({draws:Number(f)})}
        />`)}
      ${!h&&p`<button
          type="button"
          class="button"
          id="studio-start"
          disabled=${u||d}
          onClick=${()=>an()}
        >
          ${d?"Computed":"Compute order and curves"}
        </button>`}
    </div>
    <p class="hint" id="studio-rests">
      ${ji[e]} ${m||(d||u||h?"":Fi())}
    </p>`}function Li(){const{model:e,found:t}=$,{job:n,starting:s,problem:a}=F(W);ce.value.read_only&&e&&!t&&!n&&!s&&!a&&me(an)}const Xs=({name:e,label:t,value:n,least:s,most:a,at:o,onMove:r})=>p`<div class="studio-bar" data-studio-layer=${o}>
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
  </div>`;function Gi(){const{layers:e,counts:t}=$;return e.map((n,s)=>{const a=Me(n.name),o="Experts that "+a+" keeps";return p`<${Xs}
      key=${n.name}
      ...${{name:a,label:o,at:s,value:t[s],least:oe(n),most:n.experts}}
      onMove=${r=>Mi(s,r)}
    />`})}function Ji(){const{layers:e}=$,{stay:t,whole:n}=re(),s=e.reduce((a,o)=>a+oe(o),0);return p`<${Xs}
    ...${{name:"all",label:"Experts that all layers keep",at:-1,value:t,least:s,most:n}}
    onMove=${Ti}
  />`}function zi(){const e=G();if(!e)return p`Compute the order to see which experts go.`;const t=e.preliminary?"Preview by "+K.weight+", as in the grid above. Compute the order for the final ranking. ":"";return p`${t}Filled cells stay, the stronger the later they would go; struck ones go.`}function Hi({row:e,expert:t}){const{layers:n,counts:s}=$,a=G(),o=n[e],r=ze(o)[t];if(!a)return r;const i=a.places[e][t],c=i>=o.experts-s[e],u="it stays while "+(o.experts-i)+" or more of "+o.experts+" are kept";return r+(c?" stays":" goes")+": number "+(i+1)+" of its layer to go, "+u}function Ki(){const e=$e(null);return le(()=>{const t=e.current,n=t.querySelector("canvas");let s=1;function a(){const{layers:r,counts:i,model:c}=$,u=G(),{stay:d,whole:h}=re(),m=t.clientWidth;!c||m<20||(s=nn(r,m).cell,gi(n,{layers:r,counts:i,places:u?.places??null},m),n.dataset.painted=i.join(",")+(u?u.preliminary?" preliminary":" known":""),n.setAttribute("aria-label",d+" of "+h+" experts stay"+(u?"":"; who goes is not known yet")))}n.addEventListener("pointermove",r=>{const i=n.getBoundingClientRect(),c=$i($.layers,s,r.clientX-i.left,r.clientY-i.top);n.title=c?Hi(c):""});const o=[B(a),yn(a),Wn(t,a)];return()=>o.forEach(r=>r())},[]),p`<div ref=${e} class="studio-cells"><canvas role="img"></canvas></div>`}function ln(){const{layers:e,counts:t}=$,n=G();return[["layer","expert","goes_as","stays"],...e.flatMap((s,a)=>ze(s).map((o,r)=>{const i=n?n.places[a][r]:null;return[s.name,o,i===null?"":i+1,i===null?"":String(i>=s.experts-t[a])]}))]}function Vs(e){const{id:t,model:n,revision:s,order:a,scope:o,at_once:r,draws:i,seed:c,count:u,chosen_on:d}=e,h=e.data.map(b=>({name:b.name,count:b.count,stand_in:b.stand_in})),m={keep:[...$.counts],points:gt},g={order:a,scope:o,at_once:r,draws:i,seed:c,...m};return{model:n,revision:s,data:h,samples:u,order_chosen_on:d,...g,pruning:t,kind:"caused"}}function Yi(){const{found:e,layers:t,counts:n}=$,s=G();if(!e||!s)return null;const{stay:a,whole:o}=re(),r=k(a)+" of "+k(o)+" experts stay, "+_e[e.order]+": "+e.model,i="Filled cells stay, the stronger the later they would go; hollow ones go.",c=["tokens","weight"].includes(e.order)?"observed":"caused";return{name:"pruning",title:r,caption:i,facts:{...Vs(e),kind:c},python:{figure:"kept-experts"},rows:ln,json:()=>Dn(ln()),picture:{scene:()=>bi({layers:t,counts:n,places:s.places},640,r)}}}function Xi(){const{found:e,said:t,writes:n,model:s}=$;if(!s)return null;const{stay:a,whole:o}=re(),r=a===o,i=G()!==null,c=async(u,d)=>{const h=await u,m=(s+d).replace(/[^\w.-]+/g,"_");typeof h=="string"?po(h,m):h&&fo(h,h.type,m)};return p`<div class="interventions drop-row">
      <span class="studio-total"
        >${k(a)+" of "+k(o)+" experts stay, "+Ae(a/o)+" %"}</span
      >
      <${D} id="studio-apply" wait=${r||!i||on()} act=${Ni}>
        ${on()?"Applied to the page":"Apply to the page"}
      <//>
      <${D} id="studio-restore" wait=${r} act=${Ai}>Keep all<//>
      <${D} id="studio-keep-list" wait=${!e} act=${()=>c(Ri(),"-keep-list.json")}
        >Keep-list, JSON<//
      >
      <${D} id="studio-model" wait=${!e||n} act=${()=>c(Ci(),"-pruned.zip")}
        >Pruned model, ZIP<//
      >
    </div>
    <p class="hint" id="studio-said" role="status" aria-live="polite" data-refused=${String(!!t)}>
      ${t||(n?"Writing the pruned model":e?"":"Files are of a computed order.")}
    </p>`}function Qs(){const{stay:e,whole:t}=re(),n={share:t?e/t:1,experts:e,figures:new Map},{evaluation:s,fresh:a}=l;if(!s||!a||!on())return n;const{accuracy:o,change:r,done:i}=s;o&&n.figures.set("all",{figure:o,change:r&&r.accuracy,count:i});for(const c of s.by_domain){if(c.accuracy===null)continue;const u={value:c.accuracy,low:c.low,high:c.high},d=c.change===null?null:{value:c.change,low:c.change_low,high:c.change_high};n.figures.set(c.name,{figure:u,change:d,count:c.count})}return n}const Vi=[["figure","the figure"],["change","its change, paired"]];function Qi(e){const{found:t}=$;return!t||!t.curve.length?null:{name:"pruning-retention",facts:Vs(t),python:{figure:"retention"},rows:()=>Cs(t),json:()=>({pruning:t}),picture:{scene:()=>Rs(t,e,Qs(),Zi)}}}const Zi=960;function ec(){const e=Ne("figure"),{found:t}=$,n=t&&t.curve.length?t:null;return p`<${ot}
    id="drop-studio-curves"
    title="Retention by data set"
    reads=${Be.curves}
    more=${Yt.curves}
    tag="caused"
    formats=${ct}
    written=${()=>Qi(e.value)}
    hidden=${n===null}
  >
    <div class="studio-shown">
      <div class="control">
        <label class="control-name" for="studio-shown">Shown is</label>
        <${X}
          id="studio-shown"
          look="small-input"
          options=${Vi}
          chosen=${e.value}
          onChoose=${s=>e.value=s}
        />
      </div>
    </div>
    <${Xt}
      look="studio-picture"
      widest=${1280}
      scene=${s=>{const{found:a}=$;return a&&a.curve.length?Rs(a,e.value,Qs(),s):null}}
      drawn=${()=>$.found?.id+" "+$.found?.curve.length+" "+e.peek()}
      label=${s=>s.title+". "+s.desc}
    />
    <${rt}
      words="Retention by data set as a table"
      data=${{"data-studio-table":"curves"}}
      caption=${()=>n?"Retention, "+_e[n.order]+", "+n.model:""}
      rows=${n&&(()=>Cs(n))}
    />
  <//>`}function tc(){le(()=>{const a=[Wi(),B(Li)];return()=>a.forEach(o=>o())},[]);const{model:e,found:t}=$,{stay:n,whole:s}=re();return p`<div
    class="studio-grid"
    hidden=${!e}
    data-found=${t?t.id:""}
    data-complete=${String(!!t?.complete)}
  >
    <${ot}
      id="drop-studio"
      title="Pruning studio"
      reads=${Be.studio}
      more=${Yt.studio}
      formats=${ct}
      written=${Yi}
    >
      <div><${qi} /></div>
      <div class="job" data-widget="job-progress" data-job=${W} data-what="Pruning of experts"></div>
      <div>
        <div class="studio-whole"><${Ji} /></div>
        <div class="studio-rows" role="group" aria-label="Experts that each layer keeps">
          <div class="studio-bars"><${Gi} /></div>
          <${Ki} />
        </div>
        <p class="hint studio-legend"><${zi} /></p>
        <${rt}
          words="Who stays and who goes as a table"
          data=${{"data-studio-table":"kept"}}
          caption=${()=>k(n)+" of "+k(s)+" experts stay"}
          rows=${e&&ln}
        />
      </div>
      <div><${Xi} /></div>
    <//>
    <${ec} />
  </div>`}const nc=qn.at(-1),sc=fn("drop","samples").offered;function ac(){const{model:e,sets:t}=l,n=Z(),s=t.filter(a=>e?.held_out.includes(a.name)&&n.includes(a.name));return p`<div id="drop-caption" class="caption">
    ${e&&p`<${wo} ...${e} />`}
    <${bo} sets=${t} used=${n} />
    ${s.length>0&&p`<span class="tag" title="The model was never trained on it.">
        ${"out of distribution: "+s.map(a=>a.name).join(", ")}
      </span>`}
  </div>`}const Fe=({id:e,name:t,hidden:n=!1,children:s})=>p`<div class="control" id=${e} hidden=${n}><span class="control-name">${t}</span>${s}</div>`;function oc(){const{model:e,choice:t}=l,n=e?Qe(e):[ue.kind],s=Object.keys(ms).map(a=>[a,ms[a],n.includes(a)?"":"This model does not take it."]);return p`<${Fe}
    id="drop-kind-control"
    name=${"Click "+Y(_n()).a_unit+" to"}
    hidden=${e?.units.length===0}
  >
    <${Ta}
      id="drop-kind"
      label="What is done to the units that are clicked"
      options=${s}
      chosen=${t.kind}
      onChoose=${a=>I({kind:a})}
    />
  <//>`}function rc(){const{model:e,choice:t}=l,n=e?.layers??[],{passes:s}=Y(_n());return n.length?p`<${Fe} id="drop-top-k-control" name="Experts a token takes">
    <${Sn}
      id="drop-top-k"
      label="Number of experts that a token takes"
      chosen=${t.top_k}
      most=${Math.min(...n.map(a=>a.experts))}
      none=${[...new Set(n.map(a=>a.top_k))].join(" or ")+", as trained"}
      onChoose=${a=>I({top_k:a})}
    />
  <//>`:p`<${Fe} id="drop-iterations-control" name=${s[0].toUpperCase()+s.slice(1)}>
      <${Sn}
        id="drop-iterations"
        label="Number of iterations"
        chosen=${t.iterations}
        most=${e?.most_iterations??nc}
        none="as trained"
        onChoose=${a=>I({iterations:a})}
      />
    <//>`}function ic(){const{model:e,sets:t,choice:n}=l;return p`<div class="interventions drop-row">
    <${Fe} name="Data">
      <div class="chips" role="group" aria-label="Data sets" onKeyDown=${Un}>
        <${yo}
          sets=${t}
          used=${Z()}
          attribute="data-drop-set"
          about=${s=>vo(s,!!e?.held_out.includes(s.name))}
          onChoose=${s=>I({data:s})}
        />
      </div>
    <//>
    <${Fe} name="Samples">
      <${X}
        id="drop-samples"
        look="small-input"
        label="Number of samples"
        options=${Ot(sc,n.samples)}
        chosen=${String(n.samples)}
        onChoose=${s=>I({samples:Number(s)})}
      />
    <//>
    <${D} id="drop-reset" act=${()=>I({...ue})}>Reset<//>
  </div>`}function cc(){const{model:e,choice:t}=l,n=e?.units.length===0?[]:[xn(yr[t.kind],e),$n(e)];return p`<p id="drop-sentence" class="drop-sentence">${n.filter(Boolean).join(" ")}</p>`}function lc(){return p`
    <div class="page-head">
      <h1>Drop</h1>
      <${ac} />
      <span class="pin-tool"><${go} ...${ys} /></span>
      <button type="button" class="tool tool-text" data-copy-link="true">${Le("link")}Copy link</button>
    </div>
    <${$o} ...${ys} />
    <${xr}>
      <div class="drop-controls">
        <div class="interventions drop-row"><${oc} /><${Fr} /><${rc} /></div>
        <${zr} />
        <${Zr} />
        <${Hr} />
        <${ic} />
        <${cc} />
      </div>
    <//>
    <${Dr} />
    <${Er} />
    <${tc} />
  `}function Zs({pin:e,...t}){return V.value=e??"",Qn({...t,rule:""})}Oa("drop",({model:e,sample:t,...n})=>l.model?.id!==e?null:(Sa({model:e,sample:t}),Zs(n)));function uc(e){let t=Ma(location.search).model,n=e;return B(()=>{const{model:s}=wt(),a=t??s;t=null,(n||a!==Yn())&&me(()=>Wt(a,n)),n=null})}const dc=_a({Tree:lc,choice:()=>{const{rule:e,...t}=l.choice;return{...t,pin:V.value||null}},take:e=>{Zs(e)},open({pin:e,...t},n){const s=n.closest(".page");V.value=e??"";const a=[Hn(),uc(t),B(()=>{Object.assign(s.dataset,{state:l.status,fresh:String(l.fresh)})}),B(()=>{s.dataset.compares=String(Ie()!==null)}),B(()=>Ea(l.evaluation?.measure??null))];return()=>{a.forEach(o=>o()),Zn(),mo()}}});Aa({drop:()=>ts});export{dc as mount};
