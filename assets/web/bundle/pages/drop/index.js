/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{ab as eo,aa as hn,v as pn,ay as fn,ad as to,an as $t,a2 as W,az as mn,d as H,ap as gn,S as no,X as so,aA as oo,W as _e,U as ao,aB as K,o as Y,aC as fe,O as ro,L as qe,F as io,aD as q,l as co,s as m,aE as wt,f as lo,m as A,ao as X,aF as Se,N as ce,ax as $n,at as me,z as v,aG as bt,aH as yt,C as Ee,a as D,a3 as vt,aI as uo,B as Me,aJ as wn,aK as bn,a0 as Te,q as ho,aL as Ae,$ as kt,p as po,aM as fo,aN as mo,aO as go,aP as $o,r as wo,j as yn,a8 as bo,aQ as xt,G as yo,aR as vo,aS as ko,J as xo,aT as Oo,i as _o,aU as So,aV as Eo,c as vn,aW as kn,h as Mo}from"../../boot.js";import{a7 as V,a8 as To,n as xn,a9 as Ao,aa as Ro,ab as No,ac as Co,ad as Bo,ae as Io,af as On,ag as Po,ah as _n,r as Sn,ai as Ot,A as Wo,aj as Q,f as Do,ak as Uo,al as jo,j as En,am as qo,Y as Fe,v as Re,_ as _t,y as Mn,x as se,a0 as St,a1 as Et,V as Fo,w as Mt,h as Tn,i as Le,an as Lo,c as ge,ao as An,ap as Rn,aq as Tt,T as Nn,ar as At,as as U,at as j,au as Go,av as Jo,N as Cn,W as zo,aw as Ho,q as Ko,ax as Yo,ay as Ge,az as Rt,aA as Je,aB as Xo,aC as Vo,aD as Bn,d as Qo,F as Zo,aE as ze,a3 as In,U as ea,B as He,aF as ta,aG as Pn,aH as na,a2 as sa,X as oa,a6 as aa,$ as Wn,aI as ra,o as ia,aJ as ca,aK as la,aL as ua,aM as da,aN as ha,aO as pa,aP as fa,aQ as ma,aR as ga,aS as $a}from"../../shared.js";const wa="drop",ba=10,ya=250,le={...eo("drop"),rule:""},{offered:Dn}=hn("drop","iterations"),va={status:"loading",problem:null,model:null,graph:null,graphProblem:null,use:null,ruled:null,sets:[],choice:{...le},pinned:null,evaluation:null,fresh:!1},{state:l,update:E,subscribe:Ke}=pn(va),ue=()=>l.model,Z=()=>l.choice.data.length?l.choice.data:l.sets.map(e=>e.name),$e=({model:e})=>e!==null&&e.constants.includes("link_probability"),T=({model:e})=>e!==null&&(e.layers??[]).length>0;function Nt(e=l.choice.least){const{graph:t}=l;return!e||!t?[]:gn(t.connectivity).slice(0,e).map(n=>ue().units[n])}function N(){const e=new Set([...l.choice.units,...Nt()]);return l.model?l.model.units.filter(t=>e.has(t)):[]}const Ye=e=>B({units:ka(e),least:0});function ka(e){const t=new Set(e);return ue().units.filter(n=>t.has(n))}function Ct(){const{model:e,choice:t}=l;if(!e)return null;const{kind:n,edges:s,iterations:o,top_k:a}=t;return Ao({model:e.id,sample:$t().sample,[n]:N(),edges:s,iterations:o,top_k:a})}async function xa(){const e=Ro(V.value);if(!e)return null;const t=ue(),n=e.model===t.id,s=n?t:await H("GET","/models/"+encodeURIComponent(e.model)).catch(()=>null),o=s?await No(e,s):e,a=Ct();return n&&Co({...o,sample:a.sample},a,t.units)?null:o}async function Oa({model:e,edges:t,iterations:n,top_k:s,...o}){const a=await Promise.all(_n.map(async i=>[i,(await On(o[i])).split(",").filter(Boolean)])),r={...Object.fromEntries(a),keep_edges:t,iterations:n,top_k:s};return JSON.stringify({model:e,intervention:r})}async function _a(){const{choice:e,pinned:t}=l,[n,s,o]=await Promise.all([On(N()),t&&Oa(t),Po(ue().units,e.units,e.rule)]);return{units:n,against:s,name:o}}function Sa({units:e,against:t}){const{choice:n}=l,s={model:ue().id,data:Z().join(","),samples:n.samples,[n.kind]:e,iterations:n.iterations,keep_edges:n.edges,top_k:n.top_k,controls:ba,against:t};return"/evaluations/stream"+ro(s)}let Bt=!1;const oe=To({owner:wa,statusOf:()=>l.status,update:E,async begin(e){if($e(l)&&l.choice.least&&!l.graph&&!l.graphProblem)return;const t=()=>e()&&Bt,n=V.value&&t()&&l.model?await xa():null;if(!t()||!l.model)return;E({pinned:n});const s=await _a();!t()||!l.model||(s.name&&E({choice:{...l.choice,rule:s.name}}),Un(),oe.ask(l.model.id,()=>Sa(s)))}});function Un(){const e=ue(),t=V.value||null,{rule:n,...s}=l.choice,o={...s,units:n?n.split(","):s.units},a=n?void 0:e.units;to("drop",{...o,model:e.id,sample:$t().sample,pin:t},a)}const Ea=(e,t)=>JSON.stringify(e)===JSON.stringify(t),Ma=["units","kind","least","top_k"];async function Xe(e){const{model:t,choice:n}=l;if(!t)return;const s=await Ta(t,e,n);l.model!==t||l.choice!==n||(E({ruled:s.said}),s.units&&B({units:s.units,least:0,rule:e.join(",")}))}async function Ta(e,t,n){try{const s=await Bo(e,t,n);return{units:s.units,said:jn(e,s)}}catch(s){return{units:null,said:{text:s.message,refused:!0}}}}function jn(e,{units:t,rules:n,observed:s}){const o=s?", by "+K.weight+" on "+s.count+" samples":"",a=Y(e),r=t.length+" "+(t.length===1?a.unit:a.units);return{text:n.join(", ")+": in all "+r+o,refused:!1}}function B(e,t=!1){const n=Ma.some(o=>o in e)&&!("rule"in e),s={...l.choice,...n?{rule:""}:{},...e};n&&E({ruled:null}),!Ea(s,l.choice)&&(E({choice:s}),l.model&&oe.restart(t?ya:0))}function It(e){e!==l.choice.distribution&&(E({choice:{...l.choice,distribution:e}}),l.model&&Un())}const qn=e=>t=>t?"/models/"+encodeURIComponent(ue().id)+"/"+e:null,Ve=fn(()=>qn("graph")($e(l)),(e,t)=>H("GET",e,void 0,{signal:t})),Fn=fn(()=>qn("use")(T(l)&&l.sets.length>0),(e,t)=>H("GET",e,void 0,{signal:t}));function Ln(){Bt=!0;const e=[Ve.follow(),Fn.follow(),W(()=>{const[t,n]=[Ve.answer(),Ve.waits()?null:Ve.problem()];fe(()=>Aa(t,n))}),W(()=>{const t=Fn.answer();fe(()=>t!==l.use&&E({use:t}))})];return()=>{Bt=!1,e.forEach(t=>t())}}function Aa(e,t){if(e===l.graph&&t===l.graphProblem)return;const n=l.choice.least>0;E({graph:e,graphProblem:t,...t?{choice:{...l.choice,least:0}}:{}}),n&&(e||t)&&oe.restart()}const Qe=e=>["drop",...mn(e)?[]:["mute"],...e.fields.includes("contributions")?["mean","resample"]:[]];function Gn(e,t,n){const s=n.map(i=>i.name),o=e.data.filter(i=>s.includes(i)),a=t.constants.includes("link_probability"),r=t.most_iterations??null;return so("units",t,e.units),oo(t.id,s,e.data),Qe(t).includes(e.kind)||_e(`"kind" is ${e.kind}, which ${t.id} does not take: shown is ${le.kind}.`),!a&&(e.least||e.edges!==null)&&_e(`Units of ${t.id} are not linked: "least" and "edges" are ignored.`),!T({model:t})&&e.top_k!==null&&_e(`No token of ${t.id} takes the best of many experts: "top_k" is ignored.`),a&&e.least>=t.units.length&&_e(`"least" is ${e.least}: one of the ${t.units.length} units of ${t.id} stays.`),r!==null&&e.iterations!==null&&e.iterations>r&&_e(`"iterations" is ${e.iterations}; ${t.id} has up to ${r}: shown is the model as trained.`),{...e,kind:Qe(t).includes(e.kind)?e.kind:le.kind,units:ao(t.units,e.units),least:a?Math.min(e.least,t.units.length-1):0,edges:a?e.edges:null,top_k:T({model:t})?e.top_k:null,iterations:r!==null&&e.iterations!==null&&e.iterations>r?null:e.iterations,data:o.length===s.length?[]:o}}let de=0,Ze=null;const Jn=()=>Ze;function zn(){oe.close(),E({...{model:null,sets:[],pinned:null,evaluation:null,ruled:null},fresh:!1,problem:null,status:"loading"})}async function Pt(e,t){const n=de+=1;if(Ze=e,t&&E({choice:{...le,...t}}),l.model&&l.model.id!==e&&zn(),!e){E({status:"loading"});return}try{const[s,o]=await Promise.all([H("GET","/models/"+encodeURIComponent(e)),H("GET","/data")]);if(n!==de)return;const a=s.domains.map(i=>o.items.find(c=>c.name===i)).filter(i=>i!==void 0),r=await Hn(s,l.choice);if(n!==de)return;E({model:s,sets:a,ruled:r.ruled,evaluation:null}),E({choice:{...Gn({...l.choice,...r.choice},s,a),rule:r.rule}}),oe.restart()}catch(s){const{title:o,message:a}=s;n===de&&E({status:"failed",problem:{title:o,detail:a}})}}async function Hn(e,t){const n=t.rule?t.rule.split(","):t.units;if(!n.some(no))return{choice:{},rule:"",ruled:null};const s=await Io("units",e,n,t),o=s.rules.length>0;return{choice:{units:s.units},rule:o?s.parts.join(","):"",ruled:o?jn(e,s):null}}async function Kn(e){const{model:t,sets:n}=l;if(!t)return;const s=de+=1,o=l.choice,a=await Hn(t,e);s!==de||l.choice!==o||(E({ruled:a.ruled,choice:{...Gn({...e,...a.choice},t,n),rule:a.rule}}),oe.restart())}function Yn(){de+=1,Ze=null,zn()}const Wt=["drop","mute","mean","resample","iterations","keep_edges","top_k"];function Dt(){const e=l.evaluation;return xn(e,Wt,{least_connected:l.fresh&&l.choice.least?l.choice.least:null,held_out:e.data.filter(t=>t.held_out).map(t=>t.name)})}function Xn(){if(l.model){oe.restart();return}E({status:"loading",problem:null}),Pt(Ze,null)}const{cancel:Ra}=oe;var Vn=Object.freeze({__proto__:null,ITERATIONS:Dn,NOTHING:le,PARTS:Wt,askedFor:Jn,cancel:Ra,choose:B,facts:Dt,follow:Ln,hasExperts:T,hasLinks:$e,kindsOf:Qe,leave:Yn,leaveOut:Ye,leaveOutBy:Xe,leftOut:N,measured:Z,open:Pt,restart:Xn,showDistribution:It,shown:Ct,state:l,subscribe:Ke,take:Kn,weakest:Nt});const F="importance",et=10,Ut=20,Na=24e3,[Ca,Ba]=[2640,8192],Ia=16,Qn=24,[Pa,Wa,Da]=[250,19,24],Ne={use:["usage","Observed use"],effect:["shapley","Caused effect"],interactions:["interactions","Interactions"],retention:["retention","Retention"],anytime:["anytime","Accuracy against iterations"],convergence:["convergence","Convergence"]};let he=null,tt=!1;const I=qe(null),L=qe(""),Zn=({model:e})=>(e.layers??[]).find(({name:t})=>t===L.value)?.experts??e.units.length;function es(e){const t=Zn(e);if(!L.value)return 1+t;if(t<=et)return 2**t;const n=t<=Ut;return t*(n?t/2:1)+(t-1)*(n?64:Ia)+200}function jt(e){const{model:t,choice:n}=e;if(T(e)){const o=L.value?Ba:Ca;return Math.min(n.samples,Math.max(16,Math.min(300,Math.round(o/es(e)))))}const s=t.units.length;return s<=Ut?n.samples:Math.min(n.samples,Math.max(30,Math.min(300,Math.round(Na/s))))}function nt(e){const{model:t,choice:n}=e,s=T(e)&&L.value,o=s&&n.kind==="drop"?"mute":n.kind,a={model:t.id,data:Z(),samples:jt(e),kind:o},r=n.edges===null?{}:{keep_edges:n.edges},i=n.distribution==="in"?null:n.distribution,c=T(e)?{top_k:n.top_k,layer:s||null}:{};return{...a,...r,...c,iterations:n.iterations,distribution:i,seed:0}}const qt=({evaluation:e})=>(e?.by_distribution??[]).map(t=>t.name);function Ua(e){const[t,n,s]=[Zn(e),es(e),jt(e)],o=e.evaluation?.baseline?.samples_per_second,a=o?"; about "+yt(n*s/o):"",r="About "+v(n)+" sets on "+v(s)+" texts"+a+". It can be cancelled and taken up again.",{kind:i}=e.choice;if(!L.value)return[(i==="drop"?"Drop":"Leave out")+" each of the "+v(t)+" experts alone",r];const c=" of the "+t+" experts of "+Se(L.value),u=i==="drop"?" Experts that a subset lacks are muted: a layer cannot route with fewer than a token takes.":"";return[(t<=et?"Score all "+2**t+" subsets":"Score sampled subsets")+c,r+u]}function ja(e){const{model:t,evaluation:n}=e;if(t&&T(e))return Ua(e);const s=t?t.units.length:0;if(s<=et)return["Score all "+2**s+" subsets of the "+s+" units",""];if(s<=Ut)return["Score sampled subsets of the "+s+" units",""];const{units:o}=Y(t),a=$e(e)?4:2,r=s+20*(a+8),i=jt(e),c=n&&n.baseline&&n.baseline.samples_per_second,u=c?"; about "+yt(r*i/c):"";return["Drop each of the "+v(s)+" "+o+" alone, then more and more","About "+v(r)+" sets on "+v(i)+" samples"+u+". It can be cancelled and taken up again."]}const ts=()=>bt(F,"/importances",nt(l)),qa=()=>l.model?l.model.units.length:0;async function Ft(e){if(!e.model&&he&&(he=null,L.value="",I.value=null,me(F)),!e.model)return;const t=qt(e),{distribution:n}=e.choice;if(e.status==="done"&&n!=="in"&&t.length&&!t.includes(n)){It("in");return}const s=JSON.stringify(nt(e));if(s!==he&&(he=s,I.value=null,await me(F),s!==he))return;const{job:o,starting:a,problem:r}=q(F),i=!o&&!a&&!r,c=qa()<=et&&!T(e);i&&e.status==="done"&&!tt&&(c||ce.value.read_only)&&ts()}async function Fa({job:e}){if(!e||e.state!=="done")return null;const t=I.value;return t&&t.id===e.id?t:H("GET","/importances/"+encodeURIComponent(e.id))}function ns(e){const t={drop:[],mute:[],mean:[],resample:[]};return{model:e.model,revision:e.revision,seed:e.seed,...t,left_out_as:e.kind,iterations:e.iterations,data:e.data,distribution:e.distribution??null,samples:e.count,exact:e.exact,keep_edges:e.keep_edges===void 0?null:e.keep_edges,importance:e.id,...e.layer?{layer:e.layer}:{},...typeof e.top_k=="number"?{top_k:e.top_k}:{},...A(e.measure).share?{}:{measure:e.measure}}}function Lt({distribution:e,layer:t,top_k:n}){const s=e&&(e!=="in"||qt(l).length>1),o=(t?", "+Se(t):"")+(n?", top "+n:"");return(s?", "+Q[e]:"")+o}const La=e=>e==null?"":Array.isArray(e)?e.join(" "):e;function Gt(e){const t=e.length?Object.keys(e[0]):[];return[t,...e.map(n=>t.map(s=>La(n[s])))]}function Jt(e,t){if(t==="effect"){const n=new Map(e.single.map(s=>[s.unit,s]));return e.shapley.length?e.shapley.map(({unit:s,value:o,low:a,high:r,standard_error:i})=>{const{unit:c,...u}=n.get(s)||{};return{unit:s,...{shapley:o,shapley_low:a,shapley_high:r,standard_error:i},...Object.fromEntries(Object.entries(u).map(([h,f])=>["single_"+h,f]))}}):e.single}return e[Ne[t][0]]}const Ga=(e,t)=>Object.entries(Ot(e,t)).map(([n,s])=>"; "+n.replace("_"," ")+" "+s).join("");function Ja(e){Sn(e,()=>{const{value:t}=I;if(!t)return null;const n=Jt(t,e),{title:s}=A(t.measure),o=Ne[e][1].replace("Accuracy",s)+Lt(t)+": "+t.model,a=Ot(t,e),r=Object.keys(a).length?{signs:a}:{},i={...ns(t),kind:e==="use"?"observed":"caused",...r};return{name:e,facts:i,python:e==="convergence"&&t.exact?void 0:{figure:"importance",panel:e},rows:()=>Gt(n),json:()=>({[Ne[e][0]]:n}),picture:Wo(e,o,o+", "+t.words)}})}function za(e){document.querySelectorAll("[data-importance-table]").forEach(t=>{const n=t.dataset.importanceTable,s=Ne[n][1].replace("Accuracy",A(e?.measure).title);e?Do(t,Gt(Jt(e,n)),s+Lt(e)+", "+e.words+Ga(e,n)):Uo(t)})}function Ha(e){const t=A(e.measure),n=i=>Ee(t,i),s=[["all units",n(e.baseline)],...e.total===null?[]:[["none",n(jo(e))]]],o=v(e.count)+" samples"+Lt(e);if(!e.shapley.length){const i=e.retention.length?", then more and more":"";return[["sets","Each of "+v(e.units.length)+" alone"+i+", on "+o],...s,["how",e.words]]}const a=e.exact?"All "+v(2**e.units.length)+" subsets":"Sampled orders",r=e.shapley.reduce((i,c)=>i+c.value,0);return[["subsets",a+" of "+e.units.length+" units on "+o],...s,["sum of Shapley values (above 0: the units help)",t.change(r)+" "+t.changeUnit],["how",e.words]]}function Ka({units:e,shapley:t,single:n}){if(e.length<=Qn)return e.length;const s=t.length?t.map(({value:o})=>o):n.map(({change:o})=>o);return Math.min(Qn,s.filter(Boolean).length||e.length)}function Ya(e){const t=Ka(e);for(const a of["use","effect"]){const r=document.getElementById("plot-"+a),i=T(l)&&e.shapley.length?Da:Wa;r&&(r.style.height=Math.max(Pa,90+i*t)+"px")}const n=document.getElementById("panel-interactions");n&&(n.hidden=!e.interactions.length);const s=document.getElementById("panel-retention");s&&(s.hidden=!e.retention.length);const o=document.getElementById("panel-anytime");o&&(o.hidden=e.anytime.length<2)}function Xa({entry:e}){const{job:t,starting:n,problem:s}=e.value,o=l.problem;if(ce.value.read_only)return $n(s)&&m`<p class="hint" id="importance-refused">${s?.message}</p>`;const a=!!(!l.model||t||n||s||o&&o.refused),[r,i]=ja(l);return m`
    <button type="button" class="button" id="importance-start" hidden=${a} onClick=${()=>{tt=!1,ts()}}>${r}</button>
    <p class="hint">${a?"":i}</p>
  `}function Va(){const e=qt(l);if(e.length<2)return null;const t=e.map(n=>[n,Q[n]]);return m`<div class="control importance-of">
    <label class="control-name" for="importance-distribution">All below is of samples</label>
    <${X}
      id="importance-distribution"
      look="small-input"
      options=${t}
      chosen=${e.includes(l.choice.distribution)?l.choice.distribution:e[0]}
      onChoose=${n=>It(n===e[0]?"in":n)}
    />
    <span class="hint">Trained-on and held-out data are never mixed.</span>
  </div>`}function Qa(){const{model:e}=l;if(!e||!T(l))return null;const t=(e.layers??[]).map(({name:s})=>[s,Se(s)+": Shapley values"]),n=[["","every expert, alone"],...t];return m`<div class="control importance-of">
    <label class="control-name" for="importance-layer">All below is of</label>
    <${X}
      id="importance-layer"
      look="small-input"
      options=${n}
      chosen=${L.value}
      onChoose=${s=>{L.value=s,Ft(l)}}
    />
    <span class="hint">Within a layer its experts are the players; the others stay as they are.</span>
  </div>`}const Za=()=>m`<dl class="fact-list" hidden=${!I.value}>
    ${(I.value?Ha(I.value):[]).map(([e,t])=>m`<div>
          <dt>${e}</dt>
          <dd>${t}</dd>
        </div>`)}
  </dl>`;io("importance",e=>{const t=qe(q(F));Object.keys(Ne).forEach(Ja),Sn(F,()=>{const{value:o}=I;if(!o)return null;const a=Jt(o,"effect");return{name:"importance",facts:{...ns(o),kind:"caused",signs:Ot(o,F)},python:{figure:"importance",panel:F},rows:()=>Gt(a),json:()=>({result:o}),picture:{}}});async function n(o){const{job:a}=t.value=o;a&&a.state==="cancelled"&&JSON.stringify(nt(l))===he&&(tt=!0);const r=await Fa(o).catch(i=>(lo(i.title||"No result",i.message,"bad"),null));t.value===o&&(I.value=r,za(r),r&&Ya(r),e.dataset.result=r?r.id:"")}const s=[W(()=>{ce.value.read_only&&fe(()=>Ft(l))}),co(e,()=>m`<${Va} /><${Qa} /><${Xa} entry=${t} /><${Za} />`),wt(F,n),Ke((o,a)=>{["status","choice","model"].some(r=>a.has(r))&&(Ft(o),n(q(F)))})];return()=>{s.forEach(o=>o()),he=null,tt=!1,I.value=null,L.value=""}});const st="importance-a",C=qe({asked:"",importance:null,problem:""});function ot(){const{model:e,pinned:t}=l;if(!e||!t)return null;const n=nt(l),s=_n.find(d=>t[d].length)??n.kind,o="layer"in n&&n.layer&&s==="drop"?"mute":s,{keep_edges:a,...r}=n,i=t.edges===null?{}:{keep_edges:t.edges},c="top_k"in n?{top_k:t.top_k}:{},u={...r,...i,...c,model:t.model,kind:o,iterations:t.iterations};return{a:u,b:n,alike:we(u)===we(n)}}const we=e=>JSON.stringify(Object.entries(e).sort());function zt(){const e=ot(),{value:t}=I;if(!e||!t)return null;const{asked:n,importance:s}=C.value,o=e.alike?t:n===we(e.a)?s:null;return o&&(o.distribution??t.distribution)===(t.distribution??o.distribution)?{a:o,b:t}:null}function ss(){const e=ot();e&&(C.value={asked:we(e.a),importance:null,problem:""},bt(st,"/importances",e.a))}const er=()=>{const e=wt(st,async({job:n,problem:s})=>{const{value:o}=C,a=s??n?.problem;if(a&&(C.value={...o,problem:"detail"in a&&a.detail||"message"in a&&String(a.message)||"It failed."}),!n||n.state!=="done"||o.importance)return;const r=await H("GET","/importances/"+encodeURIComponent(n.id)).catch(()=>null);C.value.asked===o.asked&&(C.value={...o,importance:r})}),t=W(()=>{const n=ce.value.read_only&&I.value?ot():null;n&&!n.alike&&C.value.asked!==we(n.a)&&fe(ss)});return()=>{e(),t(),me(st),C.value={asked:"",importance:null,problem:""}}};function tr(){const e=ot();if(!e||zt())return null;if(!I.value)return m`<p class="hint">Retention curves of both stand here once the importance below is computed.</p>`;const t=C.value.asked===we(e.a),n=q(st),s=t&&!C.value.problem&&(n.starting||!C.value.importance);return ce.value.read_only?t&&C.value.problem&&m`<p class="hint">${C.value.problem}</p>`:m`<p class="hint" role="status">
    <${D} id="drop-curves" wait=${s} act=${ss}>
      ${s?"Computing the retention curve of A":"Compute the retention curve of A too"}
    <//>
    ${t&&C.value.problem}
  </p>`}function be(e){const t=new Map(e.data.map(n=>[n.name,n]));return En(e,"by_domain").map(n=>{const s=t.get(n.name);return{...s?.held_out?{distribution:Q.out}:{},...n,name:n.name+(s?.stand_in?" (stand-in)":""),title:s?.title}})}const ye=e=>En(e,"by_label"),[nr,os,sr]=[760,28,30],pe=e=>e.model+", "+Mt(e,vt(e.model)),[as,rs,or]=[210,34,38],ar=[{order:"best first",text:"best kept",stroke:"accent"},{order:"worst first",text:"worst kept",stroke:"bad"},{order:"random",text:"random sets",stroke:"dim",dash:[4,3]}];function is(e,t,n,s,o){const a=A(e.measure),r=[e,o].flatMap(({retention:y})=>y.flatMap(O=>[O.accuracy,O.low,O.high])),[i,c,u]=[64,n-20,as-or],d=Fe([1,0],[i,c],{ticks:[1,.75,.5,.25,0],named:y=>100*y+(y?"":" %")}),h=Lo(a,r,[u,rs]),f=ar.map(y=>({...y,points:e.retention.filter(({order:O})=>O===y.order).sort((O,z)=>O.dropped-z.dropped)})).filter(({points:y})=>y.length),{drop:g,mute:b,mean:p,resample:k}=t.intervention,x=new Set([...g,...b,...p??[],...k??[]]).size,R=[ge(t).find(({where:y})=>!y||y===Q[e.distribution??"unknown"])?.evaluation.accuracy].flatMap(y=>y??[]),J={x:d(1-x/e.units.length),y:({value:y})=>h(y)};return Re({width:n,height:as,title:"",desc:"",marks:[An(h,[i,c]),_t(d,[rs,u],{grid:!1}),se(["units kept"],{x:(i+c)/2,y:u+31,down:0,size:11,fill:"dim",anchor:"middle"}),Rn(f.find(({order:y})=>y==="random")?.points??[],{x:y=>d(y.share_kept),y:({low:y,high:O})=>[h(y),h(O)],fill:"unmatched"}),f.toReversed().map(({points:y,stroke:O,dash:z})=>Tt(y,{x:ee=>d(ee.share_kept),y:ee=>h(ee.accuracy),stroke:O,dash:z})),Nn(f.map(y=>({...y,ink:y.stroke,weight:650,width:2})),{x:n<420?8:i,y:10,width:n}).marks,Et(R,{...J,r:8,fill:"ink"}),se(R,{...J,text:s,size:11,weight:700,fill:"surface",anchor:"middle"})]})}function rr(e,t,n,{alone:s=!0,curves:o=null}={}){const a=n>=nr,r=a?Math.floor((n-os)/2):n;function i(p,k){const x=vt(p.model),[_,R]=[ye(p),be(p)];return[p.accuracy&&Tn(p,r,{model:x,beside:[k]}),_.length>0&&Le(_,"label",p,r,x,ye(k)),R.length>0&&Le(R,"data set",p,r,x,be(k)),o&&(p===e?is(o.a,e,r,"A",o.b):is(o.b,t,r,"B",o.a))]}const c=[i(e,t),i(t,e)],u=["A: "+pe(e),"B: "+pe(t)],d=c[0].map((p,k)=>Math.max(...c.map(x=>{const _=x[k];return _?_.height+10:0})));let h=0;const f=c.map((p,k)=>{const x=a?k*(r+os):0;let _=a?0:h;const R=s||!a?[u[k]]:[],J=se(R,{x:x+2,y:_+10,size:13,weight:650,room:r-4});_+=R.length*sr;const y=p.map((O,z)=>{const ee=O?Fo(O,x,_):[];return _+=a?d[z]:O?O.height+10:0,ee});return h=Math.max(h,_),[J,y]}),{title:g}=A(t.measure),b=g+" of A, "+pe(e)+", beside B, "+pe(t)+", on the same axes: all samples, labels, data sets"+(o?", and accuracy while fewer units are kept.":".");return Re({width:n,height:h,title:u.join("; "),desc:b,marks:f})}function cs({by_distribution:e},t){const n=new Set(t.filter(s=>s.stand_in).map(s=>s.name));return e.flatMap(({name:s,count:o,a,b:r,difference:i,by_label:c,by_domain:u})=>{const d=e.length>1||s==="out"?Q[s]:"",{value:h,low:f,high:g}=i.accuracy,b=(p,k)=>({name:k,where:d,main:!1,count:p.count,a:p.baseline,b:p.accuracy,value:p.change,low:p.change_low,high:p.change_high});return[{name:"all samples",where:d,main:!0,count:o,a:a.accuracy.value,b:r.accuracy.value,value:h,low:f,high:g},...c.length>1?c.map(p=>b(p,"label "+p.name)):[],...u.length>1?u.map(p=>b(p,p.name+(n.has(p.name)?" (stand-in)":""))):[]]})}function ir(e,t){const n=e.comparison,s=A(e.measure),o=cs(n,e.data).map(p=>({...p,group:p.where,change:p.value,change_low:p.low,change_high:p.high})),{range:a,y:r,sure:i,marks:c}=qo(o,{width:t,top:24,measure:s,room:150}),u=Math.max(...o.flatMap(({value:p,low:k,high:x})=>[p,k??p,x??p].map(Math.abs)),.001),d=Fe([-u,u],a,{named:p=>p?s.change(p):"0"}),[h,f]=s.higher?["A is better","B is better"]:["B is better","A is better"],g={y:12,down:0,size:11,fill:"dim"},b=n.a?pe(n.a):"A";return Re({width:t,height:r.end+24,title:"B minus A: "+pe(e)+", minus "+b,desc:"Paired difference of "+s.name+" in "+s.changeUnit+", B minus A, with 95 % intervals, on "+v(n.covered)+" samples that both have scored.",marks:[_t(d,[20,r.end]),Mn([0],{x:d(0),y:[20,r.end],stroke:"dim"}),se([h],{...g,x:d(0)-8,anchor:"end"}),se([f],{...g,x:d(0)+8}),St(o,{x:p=>[d(p.low),d(p.high)],y:r,stroke:i,width:({main:p})=>p?2.5:1.5}),Et(o,{x:p=>d(p.value),y:r,r:({main:p})=>p?6:4,fill:i}),c]})}const ls=e=>Mt(e,l.model),cr=(e,{draws:t,draws_done:n,exact:s,size:o})=>(s&&n===t?"all ":"")+e+(t===1?" set":" sets")+" of "+o,lr=({share:e,unit:t})=>e?t+" on average":"on average";function us(e){const t="Random sets";if(!e)return{name:t,value:Cn};const n=zo(e,Y(l.model).unit);return{name:t,...Ho(e,{waiting:n,sets:cr,unit:lr})}}function ur(){const{evaluation:e,fresh:t}=l,[n,s]=e?ge(e):[],o=n?n.evaluation:null,{accuracy:a,change:r,loss:i}=At(o),c=n?n.where:"",u=s&&At(s.evaluation);return m`<div class="numbers" data-fresh=${String(t)}>
    <${U} id="drop-accuracy-number" main=${!0} ...${j(a,c)} />
    <${U} id="drop-change-number" main=${!0} ...${j(r,c)} />
    <${U} ...${j(i,c)} />
    <${U} id="drop-control-number" ...${j(us(o),c)} />
    ${u&&m`
        <${U} id="drop-accuracy-out" main=${!0} ...${j(u.accuracy,s.where)} />
        <${U} id="drop-change-out" main=${!0} ...${j(u.change,s.where)} />
        <${U} ...${j(u.loss,s.where)} />
        <${U} ...${j(us(s.evaluation),s.where)} />
      `}
  </div>`}function dr(e){const{model:t,choice:n}=e;return Ko(e,{chosen:n.samples,intervention:ls,stale:"Cancelled before the first figure; what is shown belongs to the set before.",kept:"measured before, nothing had to be computed",several:", one data set after the other",after:s=>ls(s)===Yo?" Click "+Y(t).a_unit+" to drop it.":""})}const hr=()=>m`<${Go} name="drop" look="drop-progress" followed=${Vn} progressOf=${dr} />`;function pr({id:e,name:t,title:n,value:s,before:o,words:a}){const r=Math.max(s||0,o||0)||1,i=c=>100*(c||0)/r+"%";return m`<div class="cost" id=${e} title=${n}>
    <span class="cost-name">${t}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{width:i(s),background:"var(--rs-accent)"}}></span>
      <span class="bar-mark" hidden=${!o} style=${{left:i(o)}}></span>
    </span>
    <span class="cost-value">${a}</span>
  </div>`}function fr({flops:e,saved:t}){return e===null?"counting":uo(e)+(t===null?"":t>0?", "+Me(t)+" % saved":", nothing saved")}function mr(){const{evaluation:e,fresh:t}=l,n=e&&e.baseline;return m`<div class="costs" data-fresh=${String(t)}>
    <${pr}
      id="drop-flops"
      name="FLOPs per sample"
      value=${e?.flops}
      before=${n?.flops}
      words=${e?fr(e):""}
    />
    <${Jo} id="drop-speed" evaluation=${t?e:null} />
  </div>`}const Ht="token_states",ds={drop:"drop",mute:"mute",mean:"mean",resample:"resample"},gr={drop:{router_logits:"Dropped: never chosen. A token takes the best of the remaining experts, with weights that add up to 1.",compatibility:"Dropped: removed. Compatibilities are renormalised over the remaining {units}.",multiplexer_weights:"Dropped: neither made nor read. Weights are renormalised over the remaining {units}.",messages:"Dropped: removed with their codes, signatures and states. Their compute is saved.",[Ht]:"Dropped: removed. The remaining {units} work on what the {units} before them computed.","":"Dropped: removed. Their compute is saved."},mute:{router_logits:"Muted: chosen as before, but their output is 0. No other {unit} takes over their share.",compatibility:"Muted: their compatibility is set to 0 after normalisation. No other {unit} takes over their share.",multiplexer_weights:"Muted: their numbers are set to 0. They keep their share of the weights.",messages:"Muted: their messages are set to 0 after the softmax. No other {unit} takes over their share.",[Ht]:"Muted: they add nothing, which equals dropping them.","":"Muted: their output is 0."},mean:{compatibility:"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, step by step and token by token.",messages:"Mean: the state that others read is replaced by its mean over the first 200 samples of the same data set.","":"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, token by token."},resample:{messages:"Resampled: the state that others read is replaced by the state for another sample of the same data set.","":"Resampled: what they add is replaced by what they add for another sample of the same data set."}},Ce={accuracy:"Dots: {accuracies} with 95 % whiskers; the bar spans random sets of as many units; changes are paired, on the same samples.",labels:"Ring: the model as it is; dot and whisker: without the units; at the right the paired change, in {points}. Over all chosen data sets, what training showed apart from what it left out.",compared:"The same figures of what is pinned (A) and of what is shown (B), on the same samples and axes: rings are each model as it is, dots what is left of it.",difference:"Paired: sample by sample, only what both have scored. Dots are B minus A, whiskers 95 % intervals; right of the line the figure of B is larger. What training of either left out stands apart.",studio:"Drag a bar, or move it with the arrow keys: so many experts a layer keeps. Each row of cells is a layer, each cell an expert.",curves:"Line and whiskers: what is left while fewer experts are kept, 95 %; band: random sets of the same size, least to largest; the dashed upright: where the bars stand."},hs="The same by data set, each read by the head of its domain.",$r={router_logits:"The same by data set: what an expert does for one kind of text, another kind may not need.",compatibility:hs,[Ht]:hs,"":"The same by data set; out of distribution are those that the model was never trained on."},Kt={accuracy:"Each random set is a small dot, this one perhaps among them. Data sets that training showed stand together, and apart from those it left out.",studio:"The order is chosen on the last samples of every data set, its curves are measured on the first ones. A layer keeps at least as many experts as a token takes. Files hold what the bars say: the keep-list, and a model that the other experts are cut out of.",curves:"A diamond is what the page measured, once exactly these experts are left out of it. Changes are paired, on the same samples. Point at a dot for its figures."},ps=["name","count","baseline","accuracy","low","high","change","change_low","change_high"],wr=e=>Xo(e,{named:"this set",sets:"random sets of as many",each:!0},Vo(e));function fs(e,{measure:t}){const n=e.some(o=>o.distribution)?[...ps,"distribution"]:ps;return[n.map(o=>o==="accuracy"?A(t).name:o),...e.map(o=>n.map(a=>o[a]))]}const at={accuracy:{has:e=>!!e.accuracy,scene:(e,t,n)=>Tn(e,n,{model:t}),rows:wr,widest:900},labels:{has:e=>e.by_label.length>0,scene:(e,t,n)=>Le(ye(e),"label",e,n,t),rows:e=>fs(ye(e),e)},domains:{has:e=>e.by_domain.length>0,scene:(e,t,n)=>Le(be(e),"data set",e,n,t),rows:e=>fs(be(e),e)}};function br(e,t){const n=A(t.measure),s=a=>Ee(n,a);if(e==="accuracy"){const a=ge(t).flatMap(({where:r,evaluation:{accuracy:i,baseline:c,control:u}})=>{const d=r&&r+" ",h=i?[d+"this set ("+Mt(t,l.model)+") "+s(i.value)]:[];return c&&h.push(d+"as it is "+s(c.accuracy.value)),u&&u.mean!==null&&h.push(d+"random sets on average "+s(u.mean)),h});return(n.share?"Accuracies":n.title)+": "+a.join("; ")}const o=e==="labels"?ye(t):be(t);return"Change of "+n.name+" in "+n.changeUnit+": "+o.map(a=>a.name+(a.distribution?", "+a.distribution:"")+" "+n.change(a.change)).join("; ")}const rt=["svg","png","csv","json"];function it(e){const{evaluation:t}=l;return t&&at[e].has(t)?t:null}function yr(e,t){const n=it(e);if(!n)return null;const s=at[e].rows(n);return{name:"drop-"+e,facts:Dt(),python:e==="accuracy"?{figure:"accuracy",draws:n.control?.draws}:{figure:"effects",by:e==="labels"?"label":"domain"},rows:()=>s,json:()=>e==="accuracy"?{result:n}:Bn(s),picture:{scene:()=>at[e].scene(n,l.model,t)}}}function Yt({name:e,title:t,reads:n,more:s,words:o,height:a,look:r,hidden:i,children:c,below:u}){const{fresh:d,status:h,model:f}=l,{scene:g,rows:b,widest:p}=at[e],k=it(e),x=()=>Math.max(560,document.getElementById("drop-picture-"+e)?.clientWidth??0);return m`<${Ge}
    id=${"drop-"+e}
    tag="caused"
    formats=${rt}
    written=${()=>yr(e,x())}
    ...${{title:t,reads:n,more:s,look:r,hidden:i}}
  >
    ${c}
    <${Rt}
      id=${"drop-picture-"+e}
      look="drop-picture"
      height=${a}
      widest=${p}
      data=${{"data-key":e,"data-fresh":String(d),"data-state":h}}
      scene=${_=>{const R=it(e);return R&&g(R,l.model,_)}}
      drawn=${()=>l.evaluation?.id??""}
      label=${()=>l.evaluation?br(e,l.evaluation):""}
    />
    ${u}
    <${Je}
      words=${o}
      data=${{"data-drop-table":e}}
      caption=${()=>(k&&g(k,f,640).desc)??""}
      rows=${k&&(()=>b(k))}
    />
  <//>`}function vr(){const{model:e,evaluation:t}=l,{share:n,title:s}=A(),a=e!==null&&!e.labels.length||t?.state==="done"&&!it("labels");return m`<div class="drop-grid">
    <${Yt}
      name="accuracy"
      look="panel-drop-accuracy"
      title=${s}
      reads=${wn(Ce.accuracy)}
      more=${Kt.accuracy}
      words=${(n?"Accuracies":s)+" as a table"}
      height=${228}
      below=${m`<${mr} />`}
    >
      <${ur} /><${hr} />
    <//>
    <div class="column">
      <${Yt}
        name="labels"
        title="Effect by label"
        reads=${wn(Ce.labels)}
        words="Effect by label as a table"
        height=${262}
        hidden=${a}
      />
      <${Yt}
        name="domains"
        title="Effect by data set"
        reads=${bn($r)}
        words="Effect by data set as a table"
        height=${102}
      />
    </div>
  </div>`}const ms={shown:Ct,units:()=>l.model?.units,write:Xn,noSwap:({model:e})=>vt(e)?"":"There is no model "+e+" here."};function Be(){const{evaluation:e,pinned:t}=l,n=t&&V.value&&e?e.comparison:null;return e&&n&&n.a&&n.by_distribution.length?{a:n.a,b:e,comparison:n}:null}function kr(){const{evaluation:e,pinned:t,status:n,problem:s}=l;if(!t)return"A is what is shown: leave other units out, or choose another model, to compare it with A.";const o=e?.comparison?.problem;return o?"A and B are not compared. "+o:s?"Nothing to compare: "+s.detail:n==="cancelled"?"Cancelled before both had a figure.":"Both are scored now."}function xr({comparison:{covered:e,total:t}}){return e===t?"On the same "+v(t)+" samples, all of which both have scored.":"On "+v(e)+" of "+v(t)+" samples so far: those that both have scored."}const Or=({of:e})=>m`<div class="compare-sides">
    ${[["a","A"],["b","B"]].map(([t,n])=>m`<div class="compare-side" data-side=${t}>
            <div class="compare-name"><span class="pin-letter">${n}</span> ${pe(e[t])}</div>
            <div class="numbers">
              ${ge(e[t]).map(({where:s,evaluation:o})=>{const{accuracy:a,change:r}=At(o),i={...r,name:"Change to its model as it is"};return m`
                  <${U} main=${!0} ...${j(a,s)} />
                  <${U} ...${j(i,s)} />
                `})}
            </div>
          </div>`)}
  </div>`,ct=[["both","both"],["only_a","only A"],["only_b","only B"],["neither","neither"]];function _r({parts:e}){const t=e.filter(s=>s.outcomes);if(!t.length)return null;const n=["Samples right with",...ct.map(([,s])=>s)];return m`<${Zo}
    look="compare-outcomes"
    heads=${n.map(s=>m`<th scope="col">${s}</th>`)}
    rows=${t.map(({name:s,outcomes:o})=>m`<tr>
          <th scope="row">${e.length>1||s==="out"?Q[s]:"all samples"}</th>
          ${ct.map(([a])=>m`<td data-outcome=${a}>${v(o?o[a]:0)}</td>`)}
        </tr>`)}
  />`}function Sr({of:e}){const t=A(e.b.measure),n=e.comparison.by_distribution;return m`
    <div class="numbers compare-difference">
      ${n.map(({name:s,count:o,difference:{accuracy:a}})=>{const r={name:"B minus A",value:a?t.change(a.value):Cn,unit:t.changeUnit,detail:ho(a,t.change,"")+", "+v(o)+" samples",mood:Qo(a,t.higher)},i=n.length>1||s==="out"?Q[s]:"";return m`<${U} id=${"drop-difference-"+s} main=${!0} ...${j(r,i)} />`})}
    </div>
    <${_r} parts=${n} />
  `}function Er({a:e,b:t}){const{name:n}=A(t.measure),s=[["what","A","A_low","A_high","B","B_low","B_high"]],o=c=>c?[c.value,c.low??"",c.high??""]:["","",""],a=new Map(ge(t).map(c=>[c.where,c.evaluation]));for(const{where:c,evaluation:u}of ge(e)){const[d,h]=[a.get(c),c&&", "+c];s.push([n+h,...o(u.accuracy),...o(d?.accuracy)]),s.push(["loss"+h,...o(u.loss),...o(d?.loss)])}const r=c=>c.name+(c.distribution?", "+c.distribution:""),i=zt();for(const c of i?["best first","worst first","random"]:[])for(const u of[...new Set([i?.a,i?.b].flatMap(d=>d?.retention??[]).map(d=>d.share_kept))].sort((d,h)=>h-d)){const[d,h]=[i?.a,i?.b].map(g=>g?.retention.find(b=>b.order===c&&b.share_kept===u)),f=g=>g?[g.accuracy,g.low,g.high]:["","",""];s.push([c+", share kept "+u.toFixed(3),...f(d),...f(h)])}for(const[c,u]of[["label ",ye],["",be]]){const d=new Map(u(t).map(h=>[r(h),h]));for(const h of u(e)){const f=d.get(r(h)),g=f?[f.accuracy,f.low,f.high]:["","",""];s.push([c+r(h),h.accuracy,h.low,h.high,...g])}}return s}function Mr({b:{data:e},comparison:t}){const n=new Map(t.by_distribution.map(r=>[r.name,r.outcomes])),s=Object.fromEntries(Object.entries(Q).map(([r,i])=>[i,r])),o=t.by_distribution[0].name,a=[["what","distribution","samples","A","B","B_minus_A","low","high",...ct.map(([r])=>r)]];for(const{name:r,where:i,main:c,count:u,a:d,b:h,value:f,low:g,high:b}of cs(t,e)){const p=c?n.get(s[i]??o):null,k=ct.map(([x])=>p?p[x]:"");a.push([r,i||Q[o],u,d,h,f,g??"",b??"",...k])}return a}const gs={compared:{scene:({a:e,b:t},n,s)=>rr(e,t,n,{alone:s,curves:zt()}),rows:Er,Numbers:Or},difference:{scene:({b:e},t)=>ir(e,t),rows:Mr,Numbers:Sr}};function Tr({a:e,b:t,comparison:n}){const[s,o]=[e,t].map(a=>xn(a,Wt));return{...Dt(),a:s,b:o,samples_compared:n.covered}}function Ar(e){const t=Be();if(!t)return null;const{scene:n,rows:s}=gs[e],o=s(t),{a,...r}=t.comparison;return{name:"drop-"+e,facts:Tr(t),rows:()=>o,json:()=>e==="difference"?{result:r}:{a:t.a,b:{...t.b,comparison:null}},picture:{scene:()=>n(t,1e3,!0)}}}const Rr={compared:{title:"A and B",words:"A and B side by side"},difference:{title:"Difference, B minus A",words:"B minus A"}};function $s({name:e,children:t}){const{scene:n,rows:s,Numbers:o}=gs[e],{title:a,words:r}=Rr[e],i=Be();return m`<${Ge}
    id=${"drop-"+e}
    title=${a}
    reads=${Ce[e]}
    tag="caused"
    formats=${rt}
    written=${()=>Ar(e)}
    coded=${!1}
    hidden=${i===null}
  >
    <div class="drop-compared" data-fresh=${String(l.fresh)}>
      <div class="compare-numbers">${i&&m`<${o} of=${i} />`}</div>
      <${Rt}
        data=${{"data-key":e}}
        scene=${c=>{const u=Be();return u&&n(u,c,!1)}}
        drawn=${()=>l.evaluation?.id??""}
        label=${c=>c.title+". "+c.desc}
      />
      ${t}
    </div>
    <${Je}
      words=${r+" as a table"}
      data=${{"data-compare-table":e}}
      caption=${()=>(i&&n(i,1e3,!0).desc)??""}
      rows=${i&&(()=>s(i))}
    />
  <//>`}function Nr(){Te(er,[]);const e=Be();return m`<div class="drop-compare" hidden=${!V.value}>
    <div class="compare-words">
      ${V.value&&m`<p class="hint" role="status">${e?xr(e):kr()}</p>`}
    </div>
    <${$s} name="compared">
      <div class="compare-curves"><${tr} /></div>
    <//>
    <${$s} name="difference" />
  </div>`}const Xt=({experts:e,top_k:t},{kind:n,top_k:s})=>n==="drop"?Math.max(0,e-(s??t)):e;function ws(e,t,n,s=!0){const o=ze(e),a=new Set(o),r=t.filter(h=>a.has(h)),i=Xt(e,n);if(r.length&&r.length>=i)return{back:r};const c=t.filter(h=>!a.has(h)),u=i===e.experts||!i;if(!u&&!s)return{out:[...c,...o.slice(-i)]};const d=e.name+(u?".*":".least:"+i);return{rule:[...c,d]}}const ve={drop:"dropped",mute:"muted",mean:"mean",resample:"resampled"},Cr={...ve,mean:"at their mean"},lt={drop:"Drop ",mute:"Mute ",mean:"Put the mean in place of ",resample:"Resample "},bs="data-drop-unit",Ie=e=>e!==null&&e.units.length>mo&&!T({model:e}),ys=e=>e!==null&&!Ie(e)&&!T({model:e});function ke(e,t){const n=new Set(N());e.forEach(i=>t?n.add(i):n.delete(i));const{choice:s,model:o}=l,a=new Set(Nt());if(!e.some(i=>a.has(i))&&s.least){const i=new Set(s.units);e.forEach(u=>t?i.add(u):i.delete(u));const c=o.units.filter(u=>i.has(u));B({units:c})}else Ye([...n])}const Vt=(e,t,n)=>t?"Bring "+e+" back":lt[n]+e;function Br({unit:e,units:t,away:n,kind:s,measured:o}){const a=n?o?ve[s]:"not "+ve[s]+" yet":"",r=Vt(e,n,s),[i,c]=[()=>He(e),()=>He(null)];return m`<button
    type="button"
    class="chip"
    ...${{[bs]:e}}
    data-state=${n?s==="drop"?"dropped":"muted":"on"}
    title=${r}
    aria-pressed=${String(n)}
    aria-label=${e+(a&&", "+a)+". "+r}
    onClick=${()=>ke([e],!n)}
    onPointerEnter=${i}
    onPointerLeave=${c}
    onFocus=${i}
    onBlur=${c}
  >
    <span class="swatch" aria-hidden="true" style=${{background:fo(t,e)}}></span>
    ${e}
    <span class="chip-state">${a}</span>
  </button>`}function Ir(){const{model:e,choice:t,status:n,fresh:s}=l,o=s||n!=="failed"&&n!=="cancelled",[a,r]=[N(),ys(e)?e?.units??[]:[]];return m`<div
    class="chips"
    role="group"
    aria-label="Units"
    hidden=${e!==null&&!ys(e)}
    onKeyDown=${In}
  >
    ${r.map(i=>m`<${Br} key=${i} ...${{unit:i,units:r,away:a.includes(i),kind:t.kind,measured:o}} />`)}
  </div>`}const Pr=[["name","by name"],["connectivity","by connectivity"],["graph","as in the graph"]];function Wr(e,{model:t,graph:n}){return!n||e==="name"?t.units:(e==="graph"?n.order:gn(n.connectivity).reverse()).map(o=>t.units[o])}function ut(e){const{model:t,graph:n}=l;return t?go(t.units,e,n&&n.connectivity):[]}function Dr(){const{model:e,graph:t,choice:n}=l,{units:s,unit:o}=Y(e),a=v(N().length)+" of "+v(e.units.length),r=t?"; the stronger the colour, the better connected":"";return a+" "+(e.units.length===1?o:s)+" "+Cr[n.kind]+r}function Ur({asked:e,order:t}){const{model:n,graph:s,choice:o}=l;if(!n||!Ie(n))return null;const a=ut(e.value).length,r=$o(n.units,e.value,s&&s.connectivity,Y(n)),i=()=>ke(ut(e.value),!0);return m`
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
    <${D} id="drop-take" wait=${!a} act=${i}>${(lt[o.kind]+(a||"")).trim()}<//>
    <${D} id="drop-bring" wait=${!a} act=${()=>ke(ut(e.value),!1)}>Bring back<//>
    <${X}
      id="drop-order"
      look="small-input"
      label="Order of the units"
      options=${Pr}
      chosen=${t.value}
      onChoose=${c=>t.value=c}
      wait=${!s}
      hidden=${!$e(l)}
    />
    <span class="hint" id="drop-count">${Dr()}</span>
  `}function jr(){const[e,t]=[Ae(""),Ae("name")],n=kt(null);return Te(()=>{const s=n.current,o=new ea(s,bs,{toggle:ke,point:r=>He(r),about(r,i){const{graph:c,model:u,choice:d}=l,h=c?", q "+c.connectivity[u.units.indexOf(r)].toFixed(1):"";return r+h+". "+Vt(r,i,d.kind)}}),a=[W(()=>{const r=l,{graph:i,model:c}=r;Ie(c)&&(o.show(Wr(t.value,r)),i&&o.shade(u=>i.connectivity[c.units.indexOf(u)]),o.ring(ut(e.value)))}),W(()=>{const{model:r,choice:i}=l;Ie(r)&&(o.mark(N(),ve[i.kind]),s.dataset.kind=i.kind)})];return()=>a.forEach(r=>r())},[]),m`<div class="drop-many" hidden=${!Ie(l.model)}>
    <div class="interventions drop-row"><${Ur} asked=${e} order=${t} /></div>
    <div ref=${n} role="group" aria-label="Units"></div>
  </div>`}const vs=({id:e,name:t,label:n,value:s,most:o,words:a,wait:r=!1,onSlide:i})=>m`<div class="control" title=${n}>
    <span class="control-name">${t}</span>
    <input
      type="range"
      class="range"
      id=${e}
      min="0"
      max=${o}
      step="1"
      aria-label=${n}
      disabled=${r}
      value=${s}
      onInput=${c=>i(Number(c.currentTarget.value))}
    />
    <output class="readout">${a}</output>
  </div>`;function qr(){if(!$e(l))return null;const{model:e,graph:t,graphProblem:n,choice:s}=l,o=s.edges===null?1:s.edges;return m`<div class="interventions drop-row">
    <${vs}
      id="drop-least"
      name="n least connected"
      label="Drop the n units of least connectivity q"
      value=${s.least}
      most=${e.units.length-1}
      words=${s.least+" of "+e.units.length}
      wait=${!t}
      onSlide=${a=>B({least:a},!0)}
    />
    <${vs}
      id="drop-edges"
      name="share of edges kept"
      label="Share of the links that is kept, the most probable first"
      value=${Math.round(100*o)}
      most=${100}
      words=${po(o)+" %"}
      onSlide=${a=>B({edges:a===100?null:a/100},!0)}
    />
    <span class="hint">
      ${n?"The graph: "+n.message:t?"":"Reading the graph"}
    </span>
  </div>`}const Fr="data-drop-unit",Pe="data-drop-layer",ks=({id:e,name:t,unit:n="",value:s,least:o,most:a,act:r})=>m`<span class="control">
    <label class="control-name" for=${e}>${t}</label>
    <input
      type="number"
      class="small-input expert-count"
      id=${e}
      min=${o}
      max=${a}
      value=${s.value}
      onInput=${i=>{const c=Number(i.currentTarget.value);Number.isInteger(c)&&(s.value=c)}}
      onKeyDown=${i=>i.key==="Enter"&&r()}
    />
    ${n&&m`<span class="hint">${n}</span>`}
  </span>`;function Lr(){const{model:e,choice:t,use:n,sets:s}=l,{units:o}=Y(e),a=N().length,r=v(a)+" of "+v(e.units.length)+" "+o+" "+ve[t.kind];return s.length?r+(n?"":"; observing their use"):r+"; no use is observed without a data set"}function Gr(){const{model:e,use:t}=l;return t?(na(e?.layers??[])?"Shade and number":"Shade")+": observed "+K.weight+", in % of the layer, with all experts on, over "+v(t.count)+" samples of "+t.data.join(", ")+".":""}function Jr({least:e,share:t}){const{model:n,choice:s,ruled:o,sets:a}=l;if(!n||!T(l))return null;const r=(n.layers??[]).reduce((f,g)=>f+Xt(g,s),0),i=()=>Xe(["least:"+e.value]),c=()=>Xe(["share:"+t.value/100]),u=lt[s.kind].trim(),d=!N().length,h=m`
    <${ks}
      id="drop-least-used"
      name=${"Least "+K.weight}
      value=${e}
      least=${1}
      most=${r}
      act=${i}
    />
    <${D} id="drop-take-least" act=${i}>${u}<//>
    <${ks}
      id="drop-share"
      name="Share of every layer"
      unit="%"
      value=${t}
      least=${1}
      most=${100}
      act=${c}
    />
    <${D} id="drop-take-share" act=${c}>${u}<//>
  `;return m`
    ${a.length>0&&h}
    <${D} id="drop-bring" wait=${d} act=${()=>Ye([])}>Bring all back<//>
    <span class="hint" id="drop-count">${Lr()}</span>
    <span class="hint" id="drop-ruled" role="status" aria-live="polite" data-refused=${String(!!o?.refused)}>
      ${o?o.text:""}
    </span>
  `}function zr(e){const{model:t,choice:n,sets:s}=l,o=(t.layers??[]).find(r=>r.name===e);if(!o)return;const a=ws(o,N(),n,s.length>0);"back"in a?ke(a.back,!1):"out"in a?Ye(a.out):Xe(a.rule)}function Hr(){const[e,t]=[Ae(4),Ae(25)],n=kt(null);return Te(()=>Kr(n.current),[]),m`<div class="drop-experts" hidden=${!T(l)}>
    <div
      ref=${n}
      class="expert-grid"
      role="group"
      aria-label="Experts by layer"
      onClick=${s=>{const o=s.target instanceof Element&&s.target.closest("["+Pe+"]")?.getAttribute(Pe);o&&zr(o)}}
    ></div>
    <p class="hint expert-legend">${Gr()}</p>
    <div class="interventions drop-row"><${Jr} least=${e} share=${t} /></div>
  </div>`}function Kr(e){const t=new ta(e,Fr,{toggle:ke,point:n=>He(n),about(n,s){const{use:o,choice:a}=l,r=o?.units.find(c=>c.unit===n),i=r?", "+K.weight+" "+Me(r.share)+" % of its layer":"";return n+i+". "+Vt(n,s,a.kind)}});return Ke(({model:n,choice:s,use:o,sets:a},r)=>{if(!(!n||!T({model:n}))&&(r.has("model")&&t.lay(n.layers??[],Pe),(r.has("model")||r.has("use"))&&t.tell(o&&new Map(o.units.map(({unit:i,share:c})=>[i,c]))),!!["model","choice"].some(i=>r.has(i)))){t.mark(N(),ve[s.kind]),e.dataset.kind=s.kind;for(const i of e.querySelectorAll("["+Pe+"]")){const c=(n.layers??[]).find(b=>b.name===i.getAttribute(Pe));if(!c)continue;const u=ws(c,N(),s),d=c.experts-Xt(c,s),h=a.length?d+" most used experts of ":"first "+d+" experts of ",f=d?"all but the "+h:"all experts of ",g=("back"in u?"Bring back the experts of ":lt[s.kind]+f)+"layer "+Pn(c.name);i.setAttribute("title",g),i.setAttribute("aria-label","layer "+Pn(c.name)+". "+g)}}})}const[Yr,Qt,xs,Xr,Vr,Qr]=[236,196,52,14,30,36],xe={tokens:"by "+K.tokens,weight:"by "+K.weight,effect:"by caused effect",greedy:"greedy, by caused effect",chance:"by chance"},Zr=({baseline:e})=>e.map(t=>t.domain).sort((t,n)=>+(n==="all")-+(t==="all")),dt=e=>e==="all"?"all data sets":e,ei=(e,t)=>t==="figure"?e.figure:e.change,ti=(e,t)=>t==="figure"?e.random:e.random_change,Os=e=>e?[e.value,e.low,e.high]:[];function We(e,t){const{value:n,low:s,high:o}=e;return t(n)+(s===null||o===null?"":" (95 %: "+t(s)+" to "+t(o)+")")}const ni=({low:e,high:t},n)=>e===null||t===null?"":", from "+n(e)+" to "+n(t),_s=(e,t)=>t==="all"||e.data.length===1?e.count:e.data.find(({name:n})=>n===t)?.count,ht=e=>e===void 0?"":", over "+v(e)+" samples",Ss=(e,t)=>e.draws??t.draws;function si(e){const t=e.curve.filter(o=>o.random).map(o=>Ss(o,e)),[n,s]=t.length?[Math.min(...t),Math.max(...t)]:[e.draws,e.draws];return(n<s?n+" to "+s:s)+" random sets"}function oi(e,t){const n=A(t.measure),s=i=>Ee(n,i),o=i=>n.change(i)+" "+n.changeUnit,a=dt(e.domain)+", "+Me(e.share)+" % kept ("+v(e.experts)+" experts), "+xe[t.order]+": ",r=e.random&&e.random_change?"; "+Ss(e,t)+" random sets "+s(e.random.value)+ni(e.random,s):"";return a+We(e.figure,s)+"; change "+We(e.change,o)+ht(_s(t,e.domain))+r}function ai({found:e,domain:t,shown:n,mark:s,dx:o,dy:a,width:r}){const i=A(e.measure),c=e.curve.filter(w=>w.domain===t).sort((w,S)=>S.share-w.share),u=e.baseline.find(w=>w.domain===t)?.figure,d=n==="figure"?u:{value:0,low:null,high:null},h=s.figures.get(t),f=h&&(n==="figure"?h.figure:h.change),g=[...d?[{share:1,at:d}]:[],...c.map(w=>({share:w.share,at:ei(w,n)}))],b=c.flatMap(w=>[ti(w,n)].flatMap(S=>S?[{share:w.share,at:S}]:[])),k=[...g,...b].flatMap(({at:w})=>Os(w)).concat(Os(f)).filter(w=>w!==null),[x,_]=[Math.min(...k),Math.max(...k)],R=.06*(_-x||Math.abs(_)||1),[J,y,O,z]=[o+xs,o+r-Xr,a+Vr,a+Qt-Qr],ee=Math.min(s.share,...c.map(w=>w.share),.9),cn=Fe([1,ee],[J,y],{round:!1,ticks:[1,.75,.5,.25,0].filter(w=>w>=ee-.02),named:w=>Math.round(100*w)+(w===1?" %":"")}),ie=i.share?100:1,te=Fe([ie*(x-R),ie*(_+R)],[z,O],{round:!1,most:6}),{named:Ys}=te;n==="change"&&(te.named=w=>(w>0?"+":"")+Ys(w));const ne={x:({share:w})=>cn(w),y:({at:w})=>te(ie*w.value)},ln=({at:{low:w,high:S}})=>w===null||S===null?null:[te(ie*w),te(ie*S)],Xs=w=>Ee(i,w),Vs=w=>d&&!w?dt(t)+", all experts: "+We(u??d,Xs)+ht(_s(e,t)):oi(c[w-(d?1:0)],e),Qs=(w,S)=>d&&!S?"ink":"accent",un=h&&f?[{share:s.share,at:f}]:[],dn=b.length&&d?[{share:1,at:{...d,low:d.value,high:d.value}},...b]:b;return[se([dt(t)],{x:J,y:a+14,down:0,size:12.5,weight:650,room:y-J}),An(te,[J,y],{strong:n==="change"?0:null}),_t(cn,[O,z],{grid:!1}),Rn(dn,{...ne,y:({at:{value:w,low:S,high:Zs}})=>[te(ie*(S??w)),te(ie*(Zs??w))],fill:"unmatched"}),Tt(dn,{...ne,stroke:"unmatched",width:1.5,dash:[4,3]}),Mn([s],{x:ne.x,y:[O,z],stroke:"marker",width:1.2,dash:[3,3]}),g.length>1?Tt(g,{...ne,stroke:"accent"}):[],St(g,{...ne,y:ln,r:0,stroke:Qs}),Et(g,{...ne,r:3.5,fill:(w,S)=>d&&!S?"surface":"accent",stroke:(w,S)=>d&&!S?"ink":void 0,width:1.5,words:(w,S)=>Vs(S),reach:14,rise:14}),St(un,{...ne,y:ln,r:0,stroke:"marker"}),sa(un,{...ne,text:"diamond",r:6,stroke:"surface",width:1.5,fill:"marker",words:h&&ri(t,s,h,i),reach:14,rise:14})]}function ri(e,{share:t},{figure:n,change:s,count:o},a){const r=u=>Ee(a,u),i=u=>a.change(u)+" "+a.changeUnit;return dt(e)+", what the page left out, "+Me(t)+" % kept: "+We(n,r)+(s?"; change "+We(s,i):"")+ht(o)}function Es(e,t,n,s){const o=Zr(e),a=Math.max(1,Math.min(o.length,Math.floor(s/Yr))),r=s/a,i=Math.ceil(o.length/a)*Qt,c=A(e.measure),u=c.unit&&!c.name.startsWith(c.unit)?" ("+c.unit+")":"",d=t==="figure"?c.title+u:"Change of "+c.name,h=Nn([{text:d,key:"none",ink:"ink",weight:600},{text:xe[e.order]+"; whiskers 95 %"+ht(e.count),stroke:"accent"},...e.draws?[{text:si(e)+": mean, least to largest",stroke:"unmatched"}]:[]],{x:s<420?8:xs,y:i+8,width:s,size:11.5});return Re({width:s,height:i+h.height+4,title:d+" while fewer experts are kept, "+xe[e.order]+": "+e.model,desc:"A facet a data set: "+d+" against the share of experts that is kept. The line goes "+xe[e.order]+", whiskers are 95 % intervals, the band spans random sets of the same size; the dashed upright is where the bars stand.",marks:[o.map((f,g)=>ai({found:e,domain:f,shown:t,mark:n,width:r,dx:g%a*r,dy:Math.floor(g/a)*Qt})),h.marks]})}const Ms=e=>[["domain","share","experts","figure","low","high","change","change_low","change_high","random","random_low","random_high","random_change","random_change_low","random_change_high"],...e.curve.map(({domain:t,share:n,experts:s,figure:o,change:a,random:r,random_change:i})=>[t,n,s,...[o,a,r,i].flatMap(c=>[c?.value??"",c?.low??"",c?.high??""])])],De=26,[ii,ci,Oe]=[5,40,18],[Zt,li]=[.25,.85],Ts=e=>Math.max(1,...e.map(t=>t.experts));function en(e,t){const n=Math.max(ii,Math.min(ci,Math.floor(t/Ts(e))));return{cell:n,width:n*Ts(e),height:De*e.length}}function As({layers:e,counts:t,places:n},s,o){if(!n)return{goes:!1,opacity:Zt};const a=e[s].experts-t[s],r=n[s][o],i=Math.max(1,e[s].experts-1);return{goes:r<a,opacity:Zt+(li-Zt)*r/i}}function ui(e,t,n){const s=wo(),o=en(t.layers,n),a=ra(e,o.width,o.height);a.clearRect(0,0,o.width,o.height);const r=o.cell>8?2:1,i=(De-Oe)/2;t.layers.forEach((c,u)=>{const d=u*De+i;for(let h=0;h<c.experts;h+=1){const{goes:f,opacity:g}=As(t,u,h),[b,p]=[h*o.cell,o.cell-r];if(f){a.globalAlpha=1,a.strokeStyle=s.bad,a.lineWidth=1,p>7?(a.strokeRect(b+.5,d+.5,p-1,Oe-1),a.beginPath(),a.moveTo(b+3,d+Oe-3),a.lineTo(b+p-3,d+3),a.stroke()):(a.fillStyle=s.bad,a.fillRect(b,d+Oe/2-1,p,2));continue}a.globalAlpha=g,a.fillStyle=s.accent,a.fillRect(b,d,p,Oe)}}),a.globalAlpha=1,Object.assign(e.style,{width:o.width+"px",height:o.height+"px"})}function di(e,t,n,s){const[o,a]=[Math.floor(s/De),Math.floor(n/t)];return o>=0&&o<e.length&&a>=0&&a<e[o].experts?{row:o,expert:a}:null}function hi(e,t,n){const{layers:s,counts:o}=e,a=s.map(({name:f})=>Se(f)),r=Math.ceil(oa(a,11.5))+12,i=en(s,t-r-70),c=aa(a,[0,i.height],De-Oe),u=s.flatMap((f,g)=>Array.from({length:f.experts},(b,p)=>({row:g,x:r+p*i.cell,...As(e,g,p)}))),d=i.cell-(i.cell>8?2:1),h={y:({row:f})=>c.extent(f),x:({x:f})=>[f,f+d],rx:2};return Re({width:t,height:i.height+6,title:n,desc:"A row a layer, a cell an expert: filled ones stay, the stronger the later they would go; hollow ones go.",marks:[se(a,{x:r-8,y:(f,g)=>c(g),size:11.5,anchor:"end"}),Wn(u.filter(({goes:f})=>f),{...h,stroke:"bad",width:1}),Wn(u.filter(({goes:f})=>!f),{...h,fill:"accent",opacity:({opacity:f})=>f}),se(s,{x:r+i.width+8,y:(f,g)=>c(g),text:(f,g)=>o[g]+" of "+f.experts,size:11.5,fill:"dim"})]})}const ae=({experts:e,top_k:t})=>Math.min(t,e),pi=5e5,Rs=(e,t,n)=>Math.max(t,Math.min(n,e)),tn=e=>e.map(t=>t.experts),pt=(e,t)=>e.map(n=>Rs(Math.ceil(Number((n.experts*t).toFixed(9))),ae(n),n.experts)),Ns=(e,t,n)=>Bs(e,t,(s,o)=>o<=n),Cs=e=>e.slice(0,e.lastIndexOf("."));function Bs(e,t,n){const s=tn(e),o=new Map(e.map((r,i)=>[r.name,i]));let a=s.reduce((r,i)=>r+i,0);for(const r of t){if(n(s,a))break;const i=o.get(Cs(r))??-1;i<0||s[i]<=ae(e[i])||(s[i]-=1,a-=1)}return s}function Is(e,t){const n=new Map(e.map(s=>[s.name,[]]));for(const s of t){const o=Cs(s);n.get(o)?.push(Number(s.slice(o.length+2))-1)}return e.map(({name:s,experts:o})=>{const a=n.get(s)??[],r=new Set(a),i=Array.from({length:o},(u,d)=>d).filter(u=>!r.has(u)),c=new Int32Array(o);return[...a,...i].forEach((u,d)=>c[u]=d),c})}const fi=(e,t,n)=>e.flatMap((s,o)=>ze(s).filter((a,r)=>t[o][r]<s.experts-n[o]));function mi(e,t,n,s,o,a){const r=Rs(a,ae(t[o]),t[o].experts);return e==="alike"?pt(t,r/t[o].experts):e==="own"?s.map((i,c)=>c===o?r:i):Bs(t,n,i=>i[o]<=r)}const gi=({units:e})=>e.map(({unit:t,share:n},s)=>({unit:t,share:n,at:s})).sort((t,n)=>t.share-n.share||t.at-n.at).map(({unit:t})=>t);function Ps(e,t,n){const s=e.reduce((r,i)=>r+i.experts,0),o=s-e.reduce((r,i)=>r+ae(i),0);if(t==="effect")return s+1;if(t!=="greedy")return 0;let a=0;for(let r=0;r<o;r+=n)a+=s-r+1;return a}function Ws(e,t,n){if(e!=="greedy")return 1;const s=t.reduce((a,r)=>a+r.experts,0);let o=1;for(;o<s&&Ps(t,e,o)*n>pi;)o*=2;return o}function $i(e,t,n){const s=e.map(a=>a.experts-ae(a)),o=e.findIndex(a=>a.experts===Math.max(...tn(e)));return Math.min(n,t==="all"?s.reduce((a,r)=>a+r,0):s[o])}const P="pruning",ft=8,wi=64*1024*1024,bi=700,yi=20,{state:$,update:M,subscribe:cc}=pn({model:null,layers:[],order:"weight",way:"alike",samples:128,draws:8,counts:[],known:null,found:null,said:"",writes:!1});function Ue(){const{model:e,order:t,way:n,samples:s,draws:o,layers:a}=$,r=n==="together"?"all":"layer",i=Ws(t,a,s);return{model:e,data:Z(),samples:s,order:t,scope:r,at_once:i,points:ft,draws:o,seed:0}}function Ds(){const{model:e,data:t,samples:n,order:s,at_once:o,seed:a}=Ue();return JSON.stringify({model:e,data:t,samples:n,order:s,atOnce:o,seed:a})}function G(){const{known:e,order:t}=$,n=e&&e.of===Ds()?e:null;if(n)return{...n,preliminary:!1};const{use:s}=l;return t!=="weight"||!s?null:{...vi(s),of:"",preliminary:!0}}let mt=null;function vi(e){const{layers:t}=$;if(mt?.use===e&&mt.layers===t)return mt;const n=gi(e);return mt={use:e,layers:t,sequence:n,places:Is(t,n)}}function Us(){const e=G();return e?fi($.layers,e.places,$.counts):[]}function re(){return{stay:$.counts.reduce((t,n)=>t+n,0),whole:$.layers.reduce((t,n)=>t+n.experts,0)}}function ki(e,t){const{way:n,layers:s,counts:o}=$;M({counts:mi(n,s,G()?.sequence??[],o,e,t),said:""})}function xi(e){const{way:t,layers:n}=$,s=G()?.sequence??[],o=t==="together"?Ns(n,s,e):pt(n,e/re().whole);M({counts:o,said:""})}const Oi=()=>M({counts:tn($.layers),said:""});function gt(e){const t=JSON.stringify(Ue());M({...e,said:""}),$.way!=="own"&&js(),JSON.stringify(Ue())!==t&&($.found&&M({found:null}),me(P))}function js(){const{way:e,layers:t}=$,{stay:n,whole:s}=re();if(!s)return;const o=G()?.sequence??[];M({counts:e==="alike"?pt(t,n/s):Ns(t,o,n)})}const nn=()=>bt(P,"/prunings",Ue());function _i(){B({kind:"drop",units:Us(),least:0,top_k:null})}function sn(){const e=Us(),{choice:t}=l,n=t.kind==="drop"&&t.top_k===null?N():[];return e.length>0&&e.length===n.length&&e.every((s,o)=>s===n[o])}const qs=e=>"/prunings/"+encodeURIComponent($.found?.id??"")+"/"+e+"?keep="+$.counts.join(",");async function Si(){if(!$.found)return null;M({said:""});try{return await(await yn(qs("keep-list"))).blob()}catch(e){return M({said:e.message}),null}}async function Ei(){if(!$.found||$.writes)return null;const e=qs("model");M({said:"",writes:!0});try{const t=await yn(e);return Number(t.headers.get("Content-Length")??1/0)<=wi?await t.blob():(await t.body?.cancel(),bo+e)}catch(t){return M({said:t.message}),null}finally{M({writes:!1})}}let Fs=0;async function Mi({job:e}){if(!e||!["running","done"].includes(e.state)||!$.model)return;const t=e.state==="running";if(t&&(!e.total||performance.now()-Fs<bi)||!t&&$.found?.id===e.id&&$.found.complete)return;Fs=performance.now();const n=await H("GET","/prunings/"+encodeURIComponent(e.id)).catch(()=>null);if(!(!n||q(P).job?.id!==e.id||n.model!==$.model)&&!($.found?.id===n.id&&Ti(n,$.found))&&n.sequence.length){const s=Ds(),o=$.known?.of===s?$.known:{of:s,sequence:n.sequence,places:Is($.layers,n.sequence)};M({known:o,found:n}),$.way==="together"&&js()}}const Ti=(e,t)=>t.complete||!e.complete&&e.curve.length<t.curve.length;function Ls(e){const{choice:t}=l,n=new Set(t.kind==="drop"?N():[]);return e.map(s=>{let o=0;for(let a=1;a<=s.experts;a+=1)n.has(s.name+".e"+a)||(o+=1);return Math.max(o,ae(s))})}function Gs(e,t){const n=pt(e,t[0]/e[0].experts);return t.some((s,o)=>s!==n[o])}async function Ai(){const{model:e}=$,t=await H("GET","/jobs?kind="+P+"&limit="+yi).catch(()=>null);if(!t||$.model!==e||q(P).job||q(P).starting)return;const n=JSON.stringify(Z()),s=t.items.find(({state:f,owner:g,request:b})=>["running","queued","done"].includes(f)&&g!=="another"&&b.model===e&&JSON.stringify(b.data)===n&&!b.keep&&b.points===ft);if(!s)return;const o=s.request,{order:a,scope:r,samples:i,draws:c}=o,u=r==="all"?"together":Gs($.layers,$.counts)?"own":"alike";M({order:a,way:u,samples:i,draws:c});const d=Ue();Object.keys(d).every(f=>JSON.stringify(d[f])===JSON.stringify(s.request[f]))&&nn()}let on="",an=!1;function Ri(){const e=[wt(P,t=>{Mi(t)}),Ke(({model:t},n)=>{if(!n.has("model")&&!n.has("choice"))return;const s=t?.layers??[],o=t&&s.length?t.id:null;if(o!==$.model&&($.model&&me(P),on=JSON.stringify(Z()),an=!0,M({model:o,layers:s,counts:Ls(s),known:null,found:null,said:""})),!o||!n.has("choice"))return;if(an){an=!1;const r=Ls(s);M({counts:r,way:Gs(s,r)?"own":"alike"}),Ai();return}const a=JSON.stringify(Z());a!==on&&(on=a,($.found||q(P).job)&&me(P),M({found:null}))})];return()=>{e.forEach(t=>t()),M({model:null,layers:[],counts:[],known:null,found:null,said:""})}}const Ni=[["tokens","by "+K.tokens+", observed"],["weight","by "+K.weight+", observed"],["effect","by effect, caused"],["greedy","greedy, caused"],["chance","by chance"]],Ci=[["alike","all alike"],["together","all together, by the order"],["own","each on its own"]],Bi={tokens:"Observed: experts that fewest tokens take go first. This predicts effects badly.",weight:"Observed: experts of least routing weight go first. This predicts effects badly.",effect:"Caused: each expert is dropped alone, and those that cost least go first.",greedy:"Caused: after every step all that are left are dropped in turn, and the cheapest goes.",chance:"By chance: what any other order has to beat."};function Ii(){const{order:e,layers:t,samples:n,draws:s,way:o}=$,a=$i(t,o==="together"?"all":"layer",ft),r=Ws(e,t,n),c=Ps(t,e,r)+a*(1+s)+1,u=l.evaluation?.baseline?.samples_per_second,d=u?", about "+yt(c*n/u):"";return v(c)+" sets of experts on "+v(n)+" samples"+d+"."+(r>1?" Experts go "+v(r)+" at once.":"")}function Pi(){const{order:e,way:t,samples:n,draws:s,found:o,model:a}=$;if(!a)return null;const{job:r,starting:i,problem:c}=q(P),u=i||r!==null&&["queued","running"].includes(r.state),d=!!o?.complete,{read_only:h}=ce.value,f=$n(c)&&c?.message,g=(p,k,x)=>m`<div class="control"><label class="control-name" for=${p}>${k}</label>${x}</div>`,b="small-input";return m`<div class="interventions drop-row">
      ${g("studio-order","Experts go",m`<${X}
          id="studio-order"
          look=${b}
          options=${Ni}
          chosen=${e}
          onChoose=${p=>gt({order:p})}
        />`)}
      ${g("studio-way","Layers",m`<${X}
          id="studio-way"
          look=${b}
          options=${Ci}
          chosen=${t}
          onChoose=${p=>gt({way:p})}
        />`)}
      ${g("studio-samples","Samples",m`<${X}
          id="studio-samples"
          look=${b}
          options=${xt([32,64,128,256],n)}
          chosen=${String(n)}
          onChoose=${p=>gt({samples:Number(p)})}
        />`)}
      ${g("studio-draws","Random sets",m`<${X}
          id="studio-draws"
          look=${b}
          options=${xt([0,4,8,16],s)}
          chosen=${String(s)}
          onChoose=${p=>gt({draws:Number(p)})}
        />`)}
      ${!h&&m`<button
          type="button"
          class="button"
          id="studio-start"
          disabled=${u||d}
          onClick=${()=>nn()}
        >
          ${d?"Computed":"Compute order and curves"}
        </button>`}
    </div>
    <p class="hint" id="studio-rests">
      ${Bi[e]} ${f||(d||u||h?"":Ii())}
    </p>`}function Wi(){const{model:e,found:t}=$,{job:n,starting:s,problem:o}=q(P);ce.value.read_only&&e&&!t&&!n&&!s&&!o&&fe(nn)}const Js=({name:e,label:t,value:n,least:s,most:o,at:a,onMove:r})=>m`<div class="studio-bar" data-studio-layer=${a}>
    <span class="studio-name">${e}</span>
    <input
      type="range"
      class="range"
      min=${s}
      max=${o}
      step="1"
      value=${n}
      disabled=${s>=o}
      aria-label=${t}
      aria-valuetext=${n+" of "+o+" experts stay"}
      onInput=${i=>r(Number(i.currentTarget.value))}
    />
    <output>${v(n)+" of "+v(o)}</output>
  </div>`;function Di(){const{layers:e,counts:t}=$;return e.map((n,s)=>{const o=Se(n.name),a="Experts that "+o+" keeps";return m`<${Js}
      key=${n.name}
      ...${{name:o,label:a,at:s,value:t[s],least:ae(n),most:n.experts}}
      onMove=${r=>ki(s,r)}
    />`})}function Ui(){const{layers:e}=$,{stay:t,whole:n}=re(),s=e.reduce((o,a)=>o+ae(a),0);return m`<${Js}
    ...${{name:"all",label:"Experts that all layers keep",at:-1,value:t,least:s,most:n}}
    onMove=${xi}
  />`}function ji(){const e=G();if(!e)return m`Compute the order to see which experts go.`;const t=e.preliminary?"Preview by "+K.weight+", as in the grid above. Compute the order for the final ranking. ":"";return m`${t}Filled cells stay, the stronger the later they would go; struck ones go.`}function qi({row:e,expert:t}){const{layers:n,counts:s}=$,o=G(),a=n[e],r=ze(a)[t];if(!o)return r;const i=o.places[e][t],c=i>=a.experts-s[e],u="it stays while "+(a.experts-i)+" or more of "+a.experts+" are kept";return r+(c?" stays":" goes")+": number "+(i+1)+" of its layer to go, "+u}function Fi(){const e=kt(null);return Te(()=>{const t=e.current,n=t.querySelector("canvas");let s=1;function o(){const{layers:r,counts:i,model:c}=$,u=G(),{stay:d,whole:h}=re(),f=t.clientWidth;!c||f<20||(s=en(r,f).cell,ui(n,{layers:r,counts:i,places:u?.places??null},f),n.dataset.painted=i.join(",")+(u?u.preliminary?" preliminary":" known":""),n.setAttribute("aria-label",d+" of "+h+" experts stay"+(u?"":"; who goes is not known yet")))}n.addEventListener("pointermove",r=>{const i=n.getBoundingClientRect(),c=di($.layers,s,r.clientX-i.left,r.clientY-i.top);n.title=c?qi(c):""});const a=[W(o),yo(o),ia(t,o)];return()=>a.forEach(r=>r())},[]),m`<div ref=${e} class="studio-cells"><canvas role="img"></canvas></div>`}function rn(){const{layers:e,counts:t}=$,n=G();return[["layer","expert","goes_as","stays"],...e.flatMap((s,o)=>ze(s).map((a,r)=>{const i=n?n.places[o][r]:null;return[s.name,a,i===null?"":i+1,i===null?"":String(i>=s.experts-t[o])]}))]}function zs(e){const{id:t,model:n,revision:s,order:o,scope:a,at_once:r,draws:i,seed:c,count:u,chosen_on:d}=e,h=e.data.map(b=>({name:b.name,count:b.count,stand_in:b.stand_in})),f={keep:[...$.counts],points:ft},g={order:o,scope:a,at_once:r,draws:i,seed:c,...f};return{model:n,revision:s,data:h,samples:u,order_chosen_on:d,...g,pruning:t,kind:"caused"}}function Li(){const{found:e,layers:t,counts:n}=$,s=G();if(!e||!s)return null;const{stay:o,whole:a}=re(),r=v(o)+" of "+v(a)+" experts stay, "+xe[e.order]+": "+e.model,i="Filled cells stay, the stronger the later they would go; hollow ones go.",c=["tokens","weight"].includes(e.order)?"observed":"caused";return{name:"pruning",title:r,caption:i,facts:{...zs(e),kind:c},python:{figure:"kept-experts"},rows:rn,json:()=>Bn(rn()),picture:{scene:()=>hi({layers:t,counts:n,places:s.places},640,r)}}}function Gi(){const{found:e,said:t,writes:n,model:s}=$;if(!s)return null;const{stay:o,whole:a}=re(),r=o===a,i=G()!==null,c=async(u,d)=>{const h=await u,f=(s+d).replace(/[^\w.-]+/g,"_");typeof h=="string"?ca(h,f):h&&la(h,h.type,f)};return m`<div class="interventions drop-row">
      <span class="studio-total"
        >${v(o)+" of "+v(a)+" experts stay, "+Me(o/a)+" %"}</span
      >
      <${D} id="studio-apply" wait=${r||!i||sn()} act=${_i}>
        ${sn()?"Applied to the page":"Apply to the page"}
      <//>
      <${D} id="studio-restore" wait=${r} act=${Oi}>Keep all<//>
      <${D} id="studio-keep-list" wait=${!e} act=${()=>c(Si(),"-keep-list.json")}
        >Keep-list, JSON<//
      >
      <${D} id="studio-model" wait=${!e||n} act=${()=>c(Ei(),"-pruned.zip")}
        >Pruned model, ZIP<//
      >
    </div>
    <p class="hint" id="studio-said" role="status" aria-live="polite" data-refused=${String(!!t)}>
      ${t||(n?"Writing the pruned model":e?"":"Files are of a computed order.")}
    </p>`}function Hs(){const{stay:e,whole:t}=re(),n={share:t?e/t:1,experts:e,figures:new Map},{evaluation:s,fresh:o}=l;if(!s||!o||!sn())return n;const{accuracy:a,change:r,done:i}=s;a&&n.figures.set("all",{figure:a,change:r&&r.accuracy,count:i});for(const c of s.by_domain){if(c.accuracy===null)continue;const u={value:c.accuracy,low:c.low,high:c.high},d=c.change===null?null:{value:c.change,low:c.change_low,high:c.change_high};n.figures.set(c.name,{figure:u,change:d,count:c.count})}return n}const Ji=[["figure","the figure"],["change","its change, paired"]];function zi(e){const{found:t}=$;return!t||!t.curve.length?null:{name:"pruning-retention",facts:zs(t),python:{figure:"retention"},rows:()=>Ms(t),json:()=>({pruning:t}),picture:{scene:()=>Es(t,e,Hs(),Hi)}}}const Hi=960;function Ki(){const e=Ae("figure"),{found:t}=$,n=t&&t.curve.length?t:null;return m`<${Ge}
    id="drop-studio-curves"
    title="Retention by data set"
    reads=${Ce.curves}
    more=${Kt.curves}
    tag="caused"
    formats=${rt}
    written=${()=>zi(e.value)}
    hidden=${n===null}
  >
    <div class="studio-shown">
      <div class="control">
        <label class="control-name" for="studio-shown">Shown is</label>
        <${X}
          id="studio-shown"
          look="small-input"
          options=${Ji}
          chosen=${e.value}
          onChoose=${s=>e.value=s}
        />
      </div>
    </div>
    <${Rt}
      look="studio-picture"
      widest=${1280}
      scene=${s=>{const{found:o}=$;return o&&o.curve.length?Es(o,e.value,Hs(),s):null}}
      drawn=${()=>$.found?.id+" "+$.found?.curve.length+" "+e.peek()}
      label=${s=>s.title+". "+s.desc}
    />
    <${Je}
      words="Retention by data set as a table"
      data=${{"data-studio-table":"curves"}}
      caption=${()=>n?"Retention, "+xe[n.order]+", "+n.model:""}
      rows=${n&&(()=>Ms(n))}
    />
  <//>`}function Yi(){Te(()=>{const o=[Ri(),W(Wi)];return()=>o.forEach(a=>a())},[]);const{model:e,found:t}=$,{stay:n,whole:s}=re();return m`<div
    class="studio-grid"
    hidden=${!e}
    data-found=${t?t.id:""}
    data-complete=${String(!!t?.complete)}
  >
    <${Ge}
      id="drop-studio"
      title="Pruning studio"
      reads=${Ce.studio}
      more=${Kt.studio}
      formats=${rt}
      written=${Li}
    >
      <div><${Pi} /></div>
      <div class="job" data-widget="job-progress" data-job=${P} data-what="Pruning of experts"></div>
      <div>
        <div class="studio-whole"><${Ui} /></div>
        <div class="studio-rows" role="group" aria-label="Experts that each layer keeps">
          <div class="studio-bars"><${Di} /></div>
          <${Fi} />
        </div>
        <p class="hint studio-legend"><${ji} /></p>
        <${Je}
          words="Who stays and who goes as a table"
          data=${{"data-studio-table":"kept"}}
          caption=${()=>v(n)+" of "+v(s)+" experts stay"}
          rows=${e&&rn}
        />
      </div>
      <div><${Gi} /></div>
    <//>
    <${Ki} />
  </div>`}const Xi=Dn.at(-1),Vi=hn("drop","samples").offered;function Qi(){const{model:e,sets:t}=l,n=Z(),s=t.filter(o=>e?.held_out.includes(o.name)&&n.includes(o.name));return m`<div id="drop-caption" class="caption">
    ${e&&m`<${ma} ...${e} />`}
    <${fa} sets=${t} used=${n} />
    ${s.length>0&&m`<span class="tag" title="The model was never trained on it.">
        ${"out of distribution: "+s.map(o=>o.name).join(", ")}
      </span>`}
  </div>`}const je=({id:e,name:t,hidden:n=!1,children:s})=>m`<div class="control" id=${e} hidden=${n}><span class="control-name">${t}</span>${s}</div>`;function Zi(){const{model:e,choice:t}=l,n=e?Qe(e):[le.kind],s=Object.keys(ds).map(o=>[o,ds[o],n.includes(o)?"":"This model does not take it."]);return m`<${je}
    id="drop-kind-control"
    name=${"Click "+Y(vn()).a_unit+" to"}
    hidden=${e?.units.length===0}
  >
    <${Eo}
      id="drop-kind"
      label="What is done to the units that are clicked"
      options=${s}
      chosen=${t.kind}
      onChoose=${o=>B({kind:o})}
    />
  <//>`}function ec(){const{model:e,choice:t}=l,n=e?.layers??[],{passes:s}=Y(vn());return n.length?m`<${je} id="drop-top-k-control" name="Experts a token takes">
    <${kn}
      id="drop-top-k"
      label="Number of experts that a token takes"
      chosen=${t.top_k}
      most=${Math.min(...n.map(o=>o.experts))}
      none=${[...new Set(n.map(o=>o.top_k))].join(" or ")+", as trained"}
      onChoose=${o=>B({top_k:o})}
    />
  <//>`:m`<${je} id="drop-iterations-control" name=${s[0].toUpperCase()+s.slice(1)}>
      <${kn}
        id="drop-iterations"
        label="Number of iterations"
        chosen=${t.iterations}
        most=${e?.most_iterations??Xi}
        none="as trained"
        onChoose=${o=>B({iterations:o})}
      />
    <//>`}function tc(){const{model:e,sets:t,choice:n}=l;return m`<div class="interventions drop-row">
    <${je} name="Data">
      <div class="chips" role="group" aria-label="Data sets" onKeyDown=${In}>
        <${ga}
          sets=${t}
          used=${Z()}
          attribute="data-drop-set"
          about=${s=>$a(s,!!e?.held_out.includes(s.name))}
          onChoose=${s=>B({data:s})}
        />
      </div>
    <//>
    <${je} name="Samples">
      <${X}
        id="drop-samples"
        look="small-input"
        label="Number of samples"
        options=${xt(Vi,n.samples)}
        chosen=${String(n.samples)}
        onChoose=${s=>B({samples:Number(s)})}
      />
    <//>
    <${D} id="drop-reset" act=${()=>B({...le})}>Reset<//>
  </div>`}function nc(){const{model:e,choice:t}=l,n=e?.units.length===0?[]:[bn(gr[t.kind],e),mn(e)];return m`<p id="drop-sentence" class="drop-sentence">${n.filter(Boolean).join(" ")}</p>`}function sc(){return m`
    <div class="page-head">
      <h1>Drop</h1>
      <${Qi} />
      <span class="pin-tool"><${da} ...${ms} /></span>
      <button type="button" class="tool tool-text" data-copy-link="true">${_o("link")}Copy link</button>
    </div>
    <${ha} ...${ms} />
    <${pa}>
      <div class="drop-controls">
        <div class="interventions drop-row"><${Zi} /><${Ir} /><${ec} /></div>
        <${jr} />
        <${Hr} />
        <${qr} />
        <${tc} />
        <${nc} />
      </div>
    <//>
    <${Nr} />
    <${vr} />
    <${Yi} />
  `}function Ks({pin:e,...t}){return V.value=e??"",Kn({...t,rule:""})}vo("drop",({model:e,sample:t,...n})=>l.model?.id!==e?null:(xo({model:e,sample:t}),Ks(n)));function oc(e){let t=So(location.search).model,n=e;return W(()=>{const{model:s}=$t(),o=t??s;t=null,(n||o!==Jn())&&fe(()=>Pt(o,n)),n=null})}const ac=ko({Tree:sc,choice:()=>{const{rule:e,...t}=l.choice;return{...t,pin:V.value||null}},take:e=>{Ks(e)},open({pin:e,...t},n){const s=n.closest(".page");V.value=e??"";const o=[Ln(),oc(t),W(()=>{Object.assign(s.dataset,{state:l.status,fresh:String(l.fresh)})}),W(()=>{s.dataset.compares=String(Be()!==null)}),W(()=>Oo(l.evaluation?.measure??null))];return()=>{o.forEach(a=>a()),Yn(),ua()}}});Mo({drop:()=>Vn});export{ac as mount};
