/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{L as _e,$ as B,a0 as ce,ac as no,ab as hn,v as pn,ae as so,ao as $t,az as fn,d as H,aq as mn,S as oo,X as ao,aA as ro,W as Se,U as io,aB as K,o as Y,O as co,G as lo,aC as q,l as uo,s as m,aD as wt,f as ho,m as A,ap as X,aE as Ee,N as le,ay as gn,au as me,z as v,aF as bt,aG as yt,C as Te,a as D,a4 as vt,aH as po,B as Me,aI as $n,aJ as wn,a2 as Ae,q as fo,aK as Re,a1 as kt,p as mo,aL as go,aM as $o,aN as wo,aO as bo,r as yo,j as bn,a9 as vo,aP as xt,H as ko,aQ as xo,F as Oo,aR as _o,i as So,aS as Eo,aT as To,c as yn,aU as vn,h as Mo}from"../../boot.js";import{a7 as V,a8 as Ao,n as kn,a9 as Ro,aa as No,ab as Co,ac as Bo,ad as Io,ae as Po,af as xn,ag as Wo,ah as On,r as _n,ai as Ot,A as Do,aj as Q,f as Uo,ak as jo,al as qo,j as Sn,am as Fo,Y as Fe,v as Ne,_ as _t,y as En,x as se,a0 as St,a1 as Et,V as Lo,w as Tt,h as Tn,i as Le,an as Go,c as ge,ao as Mn,ap as An,aq as Mt,T as Rn,ar as At,as as U,at as j,au as zo,av as Jo,N as Nn,W as Ho,aw as Ko,q as Yo,ax as Xo,ay as Ge,az as Rt,aA as ze,aB as Vo,aC as Qo,aD as Cn,d as Zo,F as ea,aE as Je,a3 as Bn,U as ta,B as He,aF as na,aG as In,aH as sa,a2 as oa,X as aa,a6 as ra,$ as Pn,aI as ia,o as ca,aJ as la,aK as ua,aL as da,aM as ha,aN as pa,aO as fa,aP as ma,aQ as ga,aR as $a,aS as wa,aT as ba}from"../../shared.js";const Wn=[1e3,2e3,4e3,8e3,15e3,3e4],ya=8,Dn=new Set([0,502,503,504]);function Un(e,t,{later:n,forget:s}={later:setTimeout,forget:clearTimeout}){const o={key:null,answer:null,problem:null,waits:!1},a=_e(o),r=new Map;let i=new AbortController,c=null;function u(){i.abort(),s(c)}async function d(h,g){u();const w=i=new AbortController;a.value={...a.value,key:h,waits:!0};try{const f=await t(h,w.signal);if(w.signal.aborted)return;r.set(h,f),r.size>ya&&r.delete(r.keys().next().value),a.value={key:h,answer:f,problem:null,waits:!1}}catch(f){if(w.signal.aborted)return;const k=f,x=Dn.has(k.status);a.value={...a.value,problem:k,waits:x},x&&(c=n(()=>d(h,g+1),Wn[Math.min(g,Wn.length-1)]))}}function p(h){u();const g=h===null?void 0:r.get(h);a.value={...o,key:h,answer:g??null},h!==null&&g===void 0&&d(h,0)}return{answer:()=>a.value.answer,problem:()=>a.value.problem,waits:()=>a.value.waits,again(){const{key:h}=a.peek();h!==null&&d(h,0)},follow(){const h=()=>a.peek().problem&&Dn.has(a.peek().problem?.status??1)&&this.again();globalThis.addEventListener?.("online",h);const g=B(()=>{const w=e();w!==a.peek().key&&ce(()=>p(w))});return()=>{globalThis.removeEventListener?.("online",h),g(),p(null)}}}}const va="drop",ka=10,xa=250,ue={...no("drop"),rule:""},{offered:jn}=hn("drop","iterations"),Oa={status:"loading",problem:null,model:null,graph:null,graphProblem:null,use:null,ruled:null,sets:[],choice:{...ue},pinned:null,evaluation:null,fresh:!1},{state:l,update:E,subscribe:Ke}=pn(Oa),de=()=>l.model,Z=()=>l.choice.data.length?l.choice.data:l.sets.map(e=>e.name),$e=({model:e})=>e!==null&&e.constants.includes("link_probability"),M=({model:e})=>e!==null&&(e.layers??[]).length>0;function Nt(e=l.choice.least){const{graph:t}=l;return!e||!t?[]:mn(t.connectivity).slice(0,e).map(n=>de().units[n])}function N(){const e=new Set([...l.choice.units,...Nt()]);return l.model?l.model.units.filter(t=>e.has(t)):[]}const Ye=e=>I({units:_a(e),least:0});function _a(e){const t=new Set(e);return de().units.filter(n=>t.has(n))}function Ct(){const{model:e,choice:t}=l;if(!e)return null;const{kind:n,edges:s,iterations:o,top_k:a}=t;return Ro({model:e.id,sample:$t().sample,[n]:N(),edges:s,iterations:o,top_k:a})}async function Sa(){const e=No(V.value);if(!e)return null;const t=de(),n=e.model===t.id,s=n?t:await H("GET","/models/"+encodeURIComponent(e.model)).catch(()=>null),o=s?await Co(e,s):e,a=Ct();return n&&Bo({...o,sample:a.sample},a,t.units)?null:o}async function Ea({model:e,edges:t,iterations:n,top_k:s,...o}){const a=await Promise.all(On.map(async i=>[i,(await xn(o[i])).split(",").filter(Boolean)])),r={...Object.fromEntries(a),keep_edges:t,iterations:n,top_k:s};return JSON.stringify({model:e,intervention:r})}async function Ta(){const{choice:e,pinned:t}=l,[n,s,o]=await Promise.all([xn(N()),t&&Ea(t),Wo(de().units,e.units,e.rule)]);return{units:n,against:s,name:o}}function Ma({units:e,against:t}){const{choice:n}=l,s={model:de().id,data:Z().join(","),samples:n.samples,[n.kind]:e,iterations:n.iterations,keep_edges:n.edges,top_k:n.top_k,controls:ka,against:t};return"/evaluations/stream"+co(s)}let Bt=!1;const oe=Ao({owner:va,statusOf:()=>l.status,update:E,async begin(e){if($e(l)&&l.choice.least&&!l.graph&&!l.graphProblem)return;const t=()=>e()&&Bt,n=V.value&&t()&&l.model?await Sa():null;if(!t()||!l.model)return;E({pinned:n});const s=await Ta();!t()||!l.model||(s.name&&E({choice:{...l.choice,rule:s.name}}),qn(),oe.ask(l.model.id,()=>Ma(s)))}});function qn(){const e=de(),t=V.value||null,{rule:n,...s}=l.choice,o={...s,units:n?n.split(","):s.units},a=n?void 0:e.units;so("drop",{...o,model:e.id,sample:$t().sample,pin:t},a)}const Aa=(e,t)=>JSON.stringify(e)===JSON.stringify(t),Ra=["units","kind","least","top_k"];async function Xe(e){const{model:t,choice:n}=l;if(!t)return;const s=await Na(t,e,n);l.model!==t||l.choice!==n||(E({ruled:s.said}),s.units&&I({units:s.units,least:0,rule:e.join(",")}))}async function Na(e,t,n){try{const s=await Io(e,t,n);return{units:s.units,said:Fn(e,s)}}catch(s){return{units:null,said:{text:s.message,refused:!0}}}}function Fn(e,{units:t,rules:n,observed:s}){const o=s?", by "+K.weight+" on "+s.count+" samples":"",a=Y(e),r=t.length+" "+(t.length===1?a.unit:a.units);return{text:n.join(", ")+": in all "+r+o,refused:!1}}function I(e,t=!1){const n=Ra.some(o=>o in e)&&!("rule"in e),s={...l.choice,...n?{rule:""}:{},...e};n&&E({ruled:null}),!Aa(s,l.choice)&&(E({choice:s}),l.model&&oe.restart(t?xa:0))}function It(e){e!==l.choice.distribution&&(E({choice:{...l.choice,distribution:e}}),l.model&&qn())}const Ln=e=>t=>t?"/models/"+encodeURIComponent(de().id)+"/"+e:null,Ve=Un(()=>Ln("graph")($e(l)),(e,t)=>H("GET",e,void 0,{signal:t})),Gn=Un(()=>Ln("use")(M(l)&&l.sets.length>0),(e,t)=>H("GET",e,void 0,{signal:t}));function zn(){Bt=!0;const e=[Ve.follow(),Gn.follow(),B(()=>{const[t,n]=[Ve.answer(),Ve.waits()?null:Ve.problem()];ce(()=>Ca(t,n))}),B(()=>{const t=Gn.answer();ce(()=>t!==l.use&&E({use:t}))})];return()=>{Bt=!1,e.forEach(t=>t())}}function Ca(e,t){if(e===l.graph&&t===l.graphProblem)return;const n=l.choice.least>0;E({graph:e,graphProblem:t,...t?{choice:{...l.choice,least:0}}:{}}),n&&(e||t)&&oe.restart()}const Qe=e=>["drop",...fn(e)?[]:["mute"],...e.fields.includes("contributions")?["mean","resample"]:[]];function Jn(e,t,n){const s=n.map(i=>i.name),o=e.data.filter(i=>s.includes(i)),a=t.constants.includes("link_probability"),r=t.most_iterations??null;return ao("units",t,e.units),ro(t.id,s,e.data),Qe(t).includes(e.kind)||Se(`"kind" is ${e.kind}, which ${t.id} does not take: shown is ${ue.kind}.`),!a&&(e.least||e.edges!==null)&&Se(`Units of ${t.id} are not linked: "least" and "edges" are ignored.`),!M({model:t})&&e.top_k!==null&&Se(`No token of ${t.id} takes the best of many experts: "top_k" is ignored.`),a&&e.least>=t.units.length&&Se(`"least" is ${e.least}: one of the ${t.units.length} units of ${t.id} stays.`),r!==null&&e.iterations!==null&&e.iterations>r&&Se(`"iterations" is ${e.iterations}; ${t.id} has up to ${r}: shown is the model as trained.`),{...e,kind:Qe(t).includes(e.kind)?e.kind:ue.kind,units:io(t.units,e.units),least:a?Math.min(e.least,t.units.length-1):0,edges:a?e.edges:null,top_k:M({model:t})?e.top_k:null,iterations:r!==null&&e.iterations!==null&&e.iterations>r?null:e.iterations,data:o.length===s.length?[]:o}}let he=0,Ze=null;const Hn=()=>Ze;function Kn(){oe.close(),E({...{model:null,sets:[],pinned:null,evaluation:null,ruled:null},fresh:!1,problem:null,status:"loading"})}async function Pt(e,t){const n=he+=1;if(Ze=e,t&&E({choice:{...ue,...t}}),l.model&&l.model.id!==e&&Kn(),!e){E({status:"loading"});return}try{const[s,o]=await Promise.all([H("GET","/models/"+encodeURIComponent(e)),H("GET","/data")]);if(n!==he)return;const a=s.domains.map(i=>o.items.find(c=>c.name===i)).filter(i=>i!==void 0),r=await Yn(s,l.choice);if(n!==he)return;E({model:s,sets:a,ruled:r.ruled,evaluation:null}),E({choice:{...Jn({...l.choice,...r.choice},s,a),rule:r.rule}}),oe.restart()}catch(s){const{title:o,message:a}=s;n===he&&E({status:"failed",problem:{title:o,detail:a}})}}async function Yn(e,t){const n=t.rule?t.rule.split(","):t.units;if(!n.some(oo))return{choice:{},rule:"",ruled:null};const s=await Po("units",e,n,t),o=s.rules.length>0;return{choice:{units:s.units},rule:o?s.parts.join(","):"",ruled:o?Fn(e,s):null}}async function Xn(e){const{model:t,sets:n}=l;if(!t)return;const s=he+=1,o=l.choice,a=await Yn(t,e);s!==he||l.choice!==o||(E({ruled:a.ruled,choice:{...Jn({...e,...a.choice},t,n),rule:a.rule}}),oe.restart())}function Vn(){he+=1,Ze=null,Kn()}const Wt=["drop","mute","mean","resample","iterations","keep_edges","top_k"];function Dt(){const e=l.evaluation;return kn(e,Wt,{least_connected:l.fresh&&l.choice.least?l.choice.least:null,held_out:e.data.filter(t=>t.held_out).map(t=>t.name)})}function Qn(){if(l.model){oe.restart();return}E({status:"loading",problem:null}),Pt(Ze,null)}const{cancel:Ba}=oe;var Zn=Object.freeze({__proto__:null,ITERATIONS:jn,NOTHING:ue,PARTS:Wt,askedFor:Hn,cancel:Ba,choose:I,facts:Dt,follow:zn,hasExperts:M,hasLinks:$e,kindsOf:Qe,leave:Vn,leaveOut:Ye,leaveOutBy:Xe,leftOut:N,measured:Z,open:Pt,restart:Qn,showDistribution:It,shown:Ct,state:l,subscribe:Ke,take:Xn,weakest:Nt});const F="importance",et=10,Ut=20,Ia=24e3,[Pa,Wa]=[2640,8192],Da=16,es=24,[Ua,ja,qa]=[250,19,24],Ce={use:["usage","Observed use"],effect:["shapley","Caused effect"],interactions:["interactions","Interactions"],retention:["retention","Retention"],anytime:["anytime","Accuracy against iterations"],convergence:["convergence","Convergence"]};let pe=null,tt=!1;const P=_e(null),L=_e(""),ts=({model:e})=>(e.layers??[]).find(({name:t})=>t===L.value)?.experts??e.units.length;function ns(e){const t=ts(e);if(!L.value)return 1+t;if(t<=et)return 2**t;const n=t<=Ut;return t*(n?t/2:1)+(t-1)*(n?64:Da)+200}function jt(e){const{model:t,choice:n}=e;if(M(e)){const o=L.value?Wa:Pa;return Math.min(n.samples,Math.max(16,Math.min(300,Math.round(o/ns(e)))))}const s=t.units.length;return s<=Ut?n.samples:Math.min(n.samples,Math.max(30,Math.min(300,Math.round(Ia/s))))}function nt(e){const{model:t,choice:n}=e,s=M(e)&&L.value,o=s&&n.kind==="drop"?"mute":n.kind,a={model:t.id,data:Z(),samples:jt(e),kind:o},r=n.edges===null?{}:{keep_edges:n.edges},i=n.distribution==="in"?null:n.distribution,c=M(e)?{top_k:n.top_k,layer:s||null}:{};return{...a,...r,...c,iterations:n.iterations,distribution:i,seed:0}}const qt=({evaluation:e})=>(e?.by_distribution??[]).map(t=>t.name);function Fa(e){const[t,n,s]=[ts(e),ns(e),jt(e)],o=e.evaluation?.baseline?.samples_per_second,a=o?"; about "+yt(n*s/o):"",r="About "+v(n)+" sets on "+v(s)+" texts"+a+". It can be cancelled and taken up again.",{kind:i}=e.choice;if(!L.value)return[(i==="drop"?"Drop":"Leave out")+" each of the "+v(t)+" experts alone",r];const c=" of the "+t+" experts of "+Ee(L.value),u=i==="drop"?" Experts that a subset lacks are muted: a layer cannot route with fewer than a token takes.":"";return[(t<=et?"Score all "+2**t+" subsets":"Score sampled subsets")+c,r+u]}function La(e){const{model:t,evaluation:n}=e;if(t&&M(e))return Fa(e);const s=t?t.units.length:0;if(s<=et)return["Score all "+2**s+" subsets of the "+s+" units",""];if(s<=Ut)return["Score sampled subsets of the "+s+" units",""];const{units:o}=Y(t),a=$e(e)?4:2,r=s+20*(a+8),i=jt(e),c=n&&n.baseline&&n.baseline.samples_per_second,u=c?"; about "+yt(r*i/c):"";return["Drop each of the "+v(s)+" "+o+" alone, then more and more","About "+v(r)+" sets on "+v(i)+" samples"+u+". It can be cancelled and taken up again."]}const ss=()=>bt(F,"/importances",nt(l)),Ga=()=>l.model?l.model.units.length:0;async function Ft(e){if(!e.model&&pe&&(pe=null,L.value="",P.value=null,me(F)),!e.model)return;const t=qt(e),{distribution:n}=e.choice;if(e.status==="done"&&n!=="in"&&t.length&&!t.includes(n)){It("in");return}const s=JSON.stringify(nt(e));if(s!==pe&&(pe=s,P.value=null,await me(F),s!==pe))return;const{job:o,starting:a,problem:r}=q(F),i=!o&&!a&&!r,c=Ga()<=et&&!M(e);i&&e.status==="done"&&!tt&&(c||le.value.read_only)&&ss()}async function za({job:e}){if(!e||e.state!=="done")return null;const t=P.value;return t&&t.id===e.id?t:H("GET","/importances/"+encodeURIComponent(e.id))}function os(e){const t={drop:[],mute:[],mean:[],resample:[]};return{model:e.model,revision:e.revision,seed:e.seed,...t,left_out_as:e.kind,iterations:e.iterations,data:e.data,distribution:e.distribution??null,samples:e.count,exact:e.exact,keep_edges:e.keep_edges===void 0?null:e.keep_edges,importance:e.id,...e.layer?{layer:e.layer}:{},...typeof e.top_k=="number"?{top_k:e.top_k}:{},...A(e.measure).share?{}:{measure:e.measure}}}function Lt({distribution:e,layer:t,top_k:n}){const s=e&&(e!=="in"||qt(l).length>1),o=(t?", "+Ee(t):"")+(n?", top "+n:"");return(s?", "+Q[e]:"")+o}const Ja=e=>e==null?"":Array.isArray(e)?e.join(" "):e;function Gt(e){const t=e.length?Object.keys(e[0]):[];return[t,...e.map(n=>t.map(s=>Ja(n[s])))]}function zt(e,t){if(t==="effect"){const n=new Map(e.single.map(s=>[s.unit,s]));return e.shapley.length?e.shapley.map(({unit:s,value:o,low:a,high:r,standard_error:i})=>{const{unit:c,...u}=n.get(s)||{};return{unit:s,...{shapley:o,shapley_low:a,shapley_high:r,standard_error:i},...Object.fromEntries(Object.entries(u).map(([p,h])=>["single_"+p,h]))}}):e.single}return e[Ce[t][0]]}const Ha=(e,t)=>Object.entries(Ot(e,t)).map(([n,s])=>"; "+n.replace("_"," ")+" "+s).join("");function Ka(e){_n(e,()=>{const{value:t}=P;if(!t)return null;const n=zt(t,e),{title:s}=A(t.measure),o=Ce[e][1].replace("Accuracy",s)+Lt(t)+": "+t.model,a=Ot(t,e),r=Object.keys(a).length?{signs:a}:{},i={...os(t),kind:e==="use"?"observed":"caused",...r};return{name:e,facts:i,python:e==="convergence"&&t.exact?void 0:{figure:"importance",panel:e},rows:()=>Gt(n),json:()=>({[Ce[e][0]]:n}),picture:Do(e,o,o+", "+t.words)}})}function Ya(e){document.querySelectorAll("[data-importance-table]").forEach(t=>{const n=t.dataset.importanceTable,s=Ce[n][1].replace("Accuracy",A(e?.measure).title);e?Uo(t,Gt(zt(e,n)),s+Lt(e)+", "+e.words+Ha(e,n)):jo(t)})}function Xa(e){const t=A(e.measure),n=i=>Te(t,i),s=[["all units",n(e.baseline)],...e.total===null?[]:[["none",n(qo(e))]]],o=v(e.count)+" samples"+Lt(e);if(!e.shapley.length){const i=e.retention.length?", then more and more":"";return[["sets","Each of "+v(e.units.length)+" alone"+i+", on "+o],...s,["how",e.words]]}const a=e.exact?"All "+v(2**e.units.length)+" subsets":"Sampled orders",r=e.shapley.reduce((i,c)=>i+c.value,0);return[["subsets",a+" of "+e.units.length+" units on "+o],...s,["sum of Shapley values (above 0: the units help)",t.change(r)+" "+t.changeUnit],["how",e.words]]}function Va({units:e,shapley:t,single:n}){if(e.length<=es)return e.length;const s=t.length?t.map(({value:o})=>o):n.map(({change:o})=>o);return Math.min(es,s.filter(Boolean).length||e.length)}function Qa(e){const t=Va(e);for(const a of["use","effect"]){const r=document.getElementById("plot-"+a),i=M(l)&&e.shapley.length?qa:ja;r&&(r.style.height=Math.max(Ua,90+i*t)+"px")}const n=document.getElementById("panel-interactions");n&&(n.hidden=!e.interactions.length);const s=document.getElementById("panel-retention");s&&(s.hidden=!e.retention.length);const o=document.getElementById("panel-anytime");o&&(o.hidden=e.anytime.length<2)}function Za({entry:e}){const{job:t,starting:n,problem:s}=e.value,o=l.problem;if(le.value.read_only)return gn(s)&&m`<p class="hint" id="importance-refused">${s?.message}</p>`;const a=!!(!l.model||t||n||s||o&&o.refused),[r,i]=La(l);return m`
    <button type="button" class="button" id="importance-start" hidden=${a} onClick=${()=>{tt=!1,ss()}}>${r}</button>
    <p class="hint">${a?"":i}</p>
  `}function er(){const e=qt(l);if(e.length<2)return null;const t=e.map(n=>[n,Q[n]]);return m`<div class="control importance-of">
    <label class="control-name" for="importance-distribution">All below is of samples</label>
    <${X}
      id="importance-distribution"
      look="small-input"
      options=${t}
      chosen=${e.includes(l.choice.distribution)?l.choice.distribution:e[0]}
      onChoose=${n=>It(n===e[0]?"in":n)}
    />
    <span class="hint">Trained-on and held-out data are never mixed.</span>
  </div>`}function tr(){const{model:e}=l;if(!e||!M(l))return null;const t=(e.layers??[]).map(({name:s})=>[s,Ee(s)+": Shapley values"]),n=[["","every expert, alone"],...t];return m`<div class="control importance-of">
    <label class="control-name" for="importance-layer">All below is of</label>
    <${X}
      id="importance-layer"
      look="small-input"
      options=${n}
      chosen=${L.value}
      onChoose=${s=>{L.value=s,Ft(l)}}
    />
    <span class="hint">Within a layer its experts are the players; the others stay as they are.</span>
  </div>`}const nr=()=>m`<dl class="fact-list" hidden=${!P.value}>
    ${(P.value?Xa(P.value):[]).map(([e,t])=>m`<div>
          <dt>${e}</dt>
          <dd>${t}</dd>
        </div>`)}
  </dl>`;lo("importance",e=>{const t=_e(q(F));Object.keys(Ce).forEach(Ka),_n(F,()=>{const{value:o}=P;if(!o)return null;const a=zt(o,"effect");return{name:"importance",facts:{...os(o),kind:"caused",signs:Ot(o,F)},python:{figure:"importance",panel:F},rows:()=>Gt(a),json:()=>({result:o}),picture:{}}});async function n(o){const{job:a}=t.value=o;a&&a.state==="cancelled"&&JSON.stringify(nt(l))===pe&&(tt=!0);const r=await za(o).catch(i=>(ho(i.title||"No result",i.message,"bad"),null));t.value===o&&(P.value=r,Ya(r),r&&Qa(r),e.dataset.result=r?r.id:"")}const s=[B(()=>{le.value.read_only&&ce(()=>Ft(l))}),uo(e,()=>m`<${er} /><${tr} /><${Za} entry=${t} /><${nr} />`),wt(F,n),Ke((o,a)=>{["status","choice","model"].some(r=>a.has(r))&&(Ft(o),n(q(F)))})];return()=>{s.forEach(o=>o()),pe=null,tt=!1,P.value=null,L.value=""}});const st="importance-a",C=_e({asked:"",importance:null,problem:""});function ot(){const{model:e,pinned:t}=l;if(!e||!t)return null;const n=nt(l),s=On.find(d=>t[d].length)??n.kind,o="layer"in n&&n.layer&&s==="drop"?"mute":s,{keep_edges:a,...r}=n,i=t.edges===null?{}:{keep_edges:t.edges},c="top_k"in n?{top_k:t.top_k}:{},u={...r,...i,...c,model:t.model,kind:o,iterations:t.iterations};return{a:u,b:n,alike:we(u)===we(n)}}const we=e=>JSON.stringify(Object.entries(e).sort());function Jt(){const e=ot(),{value:t}=P;if(!e||!t)return null;const{asked:n,importance:s}=C.value,o=e.alike?t:n===we(e.a)?s:null;return o&&(o.distribution??t.distribution)===(t.distribution??o.distribution)?{a:o,b:t}:null}function as(){const e=ot();e&&(C.value={asked:we(e.a),importance:null,problem:""},bt(st,"/importances",e.a))}const sr=()=>{const e=wt(st,async({job:n,problem:s})=>{const{value:o}=C,a=s??n?.problem;if(a&&(C.value={...o,problem:"detail"in a&&a.detail||"message"in a&&String(a.message)||"It failed."}),!n||n.state!=="done"||o.importance)return;const r=await H("GET","/importances/"+encodeURIComponent(n.id)).catch(()=>null);C.value.asked===o.asked&&(C.value={...o,importance:r})}),t=B(()=>{const n=le.value.read_only&&P.value?ot():null;n&&!n.alike&&C.value.asked!==we(n.a)&&ce(as)});return()=>{e(),t(),me(st),C.value={asked:"",importance:null,problem:""}}};function or(){const e=ot();if(!e||Jt())return null;if(!P.value)return m`<p class="hint">Retention curves of both stand here once the importance below is computed.</p>`;const t=C.value.asked===we(e.a),n=q(st),s=t&&!C.value.problem&&(n.starting||!C.value.importance);return le.value.read_only?t&&C.value.problem&&m`<p class="hint">${C.value.problem}</p>`:m`<p class="hint" role="status">
    <${D} id="drop-curves" wait=${s} act=${as}>
      ${s?"Computing the retention curve of A":"Compute the retention curve of A too"}
    <//>
    ${t&&C.value.problem}
  </p>`}function be(e){const t=new Map(e.data.map(n=>[n.name,n]));return Sn(e,"by_domain").map(n=>{const s=t.get(n.name);return{...s?.held_out?{distribution:Q.out}:{},...n,name:n.name+(s?.stand_in?" (stand-in)":""),title:s?.title}})}const ye=e=>Sn(e,"by_label"),[ar,rs,rr]=[760,28,30],fe=e=>e.model+", "+Tt(e,vt(e.model)),[is,cs,ir]=[210,34,38],cr=[{order:"best first",text:"best kept",stroke:"accent"},{order:"worst first",text:"worst kept",stroke:"bad"},{order:"random",text:"random sets",stroke:"dim",dash:[4,3]}];function ls(e,t,n,s,o){const a=A(e.measure),r=[e,o].flatMap(({retention:y})=>y.flatMap(O=>[O.accuracy,O.low,O.high])),[i,c,u]=[64,n-20,is-ir],d=Fe([1,0],[i,c],{ticks:[1,.75,.5,.25,0],named:y=>100*y+(y?"":" %")}),p=Go(a,r,[u,cs]),h=cr.map(y=>({...y,points:e.retention.filter(({order:O})=>O===y.order).sort((O,J)=>O.dropped-J.dropped)})).filter(({points:y})=>y.length),{drop:g,mute:w,mean:f,resample:k}=t.intervention,x=new Set([...g,...w,...f??[],...k??[]]).size,R=[ge(t).find(({where:y})=>!y||y===Q[e.distribution??"unknown"])?.evaluation.accuracy].flatMap(y=>y??[]),z={x:d(1-x/e.units.length),y:({value:y})=>p(y)};return Ne({width:n,height:is,title:"",desc:"",marks:[Mn(p,[i,c]),_t(d,[cs,u],{grid:!1}),se(["units kept"],{x:(i+c)/2,y:u+31,down:0,size:11,fill:"dim",anchor:"middle"}),An(h.find(({order:y})=>y==="random")?.points??[],{x:y=>d(y.share_kept),y:({low:y,high:O})=>[p(y),p(O)],fill:"unmatched"}),h.toReversed().map(({points:y,stroke:O,dash:J})=>Mt(y,{x:ee=>d(ee.share_kept),y:ee=>p(ee.accuracy),stroke:O,dash:J})),Rn(h.map(y=>({...y,ink:y.stroke,weight:650,width:2})),{x:n<420?8:i,y:10,width:n}).marks,Et(R,{...z,r:8,fill:"ink"}),se(R,{...z,text:s,size:11,weight:700,fill:"surface",anchor:"middle"})]})}function lr(e,t,n,{alone:s=!0,curves:o=null}={}){const a=n>=ar,r=a?Math.floor((n-rs)/2):n;function i(f,k){const x=vt(f.model),[_,R]=[ye(f),be(f)];return[f.accuracy&&Tn(f,r,{model:x,beside:[k]}),_.length>0&&Le(_,"label",f,r,x,ye(k)),R.length>0&&Le(R,"data set",f,r,x,be(k)),o&&(f===e?ls(o.a,e,r,"A",o.b):ls(o.b,t,r,"B",o.a))]}const c=[i(e,t),i(t,e)],u=["A: "+fe(e),"B: "+fe(t)],d=c[0].map((f,k)=>Math.max(...c.map(x=>{const _=x[k];return _?_.height+10:0})));let p=0;const h=c.map((f,k)=>{const x=a?k*(r+rs):0;let _=a?0:p;const R=s||!a?[u[k]]:[],z=se(R,{x:x+2,y:_+10,size:13,weight:650,room:r-4});_+=R.length*rr;const y=f.map((O,J)=>{const ee=O?Lo(O,x,_):[];return _+=a?d[J]:O?O.height+10:0,ee});return p=Math.max(p,_),[z,y]}),{title:g}=A(t.measure),w=g+" of A, "+fe(e)+", beside B, "+fe(t)+", on the same axes: all samples, labels, data sets"+(o?", and accuracy while fewer units are kept.":".");return Ne({width:n,height:p,title:u.join("; "),desc:w,marks:h})}function us({by_distribution:e},t){const n=new Set(t.filter(s=>s.stand_in).map(s=>s.name));return e.flatMap(({name:s,count:o,a,b:r,difference:i,by_label:c,by_domain:u})=>{const d=e.length>1||s==="out"?Q[s]:"",{value:p,low:h,high:g}=i.accuracy,w=(f,k)=>({name:k,where:d,main:!1,count:f.count,a:f.baseline,b:f.accuracy,value:f.change,low:f.change_low,high:f.change_high});return[{name:"all samples",where:d,main:!0,count:o,a:a.accuracy.value,b:r.accuracy.value,value:p,low:h,high:g},...c.length>1?c.map(f=>w(f,"label "+f.name)):[],...u.length>1?u.map(f=>w(f,f.name+(n.has(f.name)?" (stand-in)":""))):[]]})}function ur(e,t){const n=e.comparison,s=A(e.measure),o=us(n,e.data).map(f=>({...f,group:f.where,change:f.value,change_low:f.low,change_high:f.high})),{range:a,y:r,sure:i,marks:c}=Fo(o,{width:t,top:24,measure:s,room:150}),u=Math.max(...o.flatMap(({value:f,low:k,high:x})=>[f,k??f,x??f].map(Math.abs)),.001),d=Fe([-u,u],a,{named:f=>f?s.change(f):"0"}),[p,h]=s.higher?["A is better","B is better"]:["B is better","A is better"],g={y:12,down:0,size:11,fill:"dim"},w=n.a?fe(n.a):"A";return Ne({width:t,height:r.end+24,title:"B minus A: "+fe(e)+", minus "+w,desc:"Paired difference of "+s.name+" in "+s.changeUnit+", B minus A, with 95 % intervals, on "+v(n.covered)+" samples that both have scored.",marks:[_t(d,[20,r.end]),En([0],{x:d(0),y:[20,r.end],stroke:"dim"}),se([p],{...g,x:d(0)-8,anchor:"end"}),se([h],{...g,x:d(0)+8}),St(o,{x:f=>[d(f.low),d(f.high)],y:r,stroke:i,width:({main:f})=>f?2.5:1.5}),Et(o,{x:f=>d(f.value),y:r,r:({main:f})=>f?6:4,fill:i}),c]})}const ds=e=>Tt(e,l.model),dr=(e,{draws:t,draws_done:n,exact:s,size:o})=>(s&&n===t?"all ":"")+e+(t===1?" set":" sets")+" of "+o,hr=({share:e,unit:t})=>e?t+" on average":"on average";function hs(e){const t="Random sets";if(!e)return{name:t,value:Nn};const n=Ho(e,Y(l.model).unit);return{name:t,...Ko(e,{waiting:n,sets:dr,unit:hr})}}function pr(){const{evaluation:e,fresh:t}=l,[n,s]=e?ge(e):[],o=n?n.evaluation:null,{accuracy:a,change:r,loss:i}=At(o),c=n?n.where:"",u=s&&At(s.evaluation);return m`<div class="numbers" data-fresh=${String(t)}>
    <${U} id="drop-accuracy-number" main=${!0} ...${j(a,c)} />
    <${U} id="drop-change-number" main=${!0} ...${j(r,c)} />
    <${U} ...${j(i,c)} />
    <${U} id="drop-control-number" ...${j(hs(o),c)} />
    ${u&&m`
        <${U} id="drop-accuracy-out" main=${!0} ...${j(u.accuracy,s.where)} />
        <${U} id="drop-change-out" main=${!0} ...${j(u.change,s.where)} />
        <${U} ...${j(u.loss,s.where)} />
        <${U} ...${j(hs(s.evaluation),s.where)} />
      `}
  </div>`}function fr(e){const{model:t,choice:n}=e;return Yo(e,{chosen:n.samples,intervention:ds,stale:"Cancelled before the first figure; what is shown belongs to the set before.",kept:"measured before, nothing had to be computed",several:", one data set after the other",after:s=>ds(s)===Xo?" Click "+Y(t).a_unit+" to drop it.":""})}const mr=()=>m`<${zo} name="drop" look="drop-progress" followed=${Zn} progressOf=${fr} />`;function gr({id:e,name:t,title:n,value:s,before:o,words:a}){const r=Math.max(s||0,o||0)||1,i=c=>100*(c||0)/r+"%";return m`<div class="cost" id=${e} title=${n}>
    <span class="cost-name">${t}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{width:i(s),background:"var(--rs-accent)"}}></span>
      <span class="bar-mark" hidden=${!o} style=${{left:i(o)}}></span>
    </span>
    <span class="cost-value">${a}</span>
  </div>`}function $r({flops:e,saved:t}){return e===null?"counting":po(e)+(t===null?"":t>0?", "+Me(t)+" % saved":", nothing saved")}function wr(){const{evaluation:e,fresh:t}=l,n=e&&e.baseline;return m`<div class="costs" data-fresh=${String(t)}>
    <${gr}
      id="drop-flops"
      name="FLOPs per sample"
      value=${e?.flops}
      before=${n?.flops}
      words=${e?$r(e):""}
    />
    <${Jo} id="drop-speed" evaluation=${t?e:null} />
  </div>`}const Ht="token_states",ps={drop:"drop",mute:"mute",mean:"mean",resample:"resample"},br={drop:{router_logits:"Dropped: never chosen. A token takes the best of the remaining experts, with weights that add up to 1.",compatibility:"Dropped: removed. Compatibilities are renormalised over the remaining {units}.",multiplexer_weights:"Dropped: neither made nor read. Weights are renormalised over the remaining {units}.",messages:"Dropped: removed with their codes, signatures and states. Their compute is saved.",[Ht]:"Dropped: removed. The remaining {units} work on what the {units} before them computed.","":"Dropped: removed. Their compute is saved."},mute:{router_logits:"Muted: chosen as before, but their output is 0. No other {unit} takes over their share.",compatibility:"Muted: their compatibility is set to 0 after normalisation. No other {unit} takes over their share.",multiplexer_weights:"Muted: their numbers are set to 0. They keep their share of the weights.",messages:"Muted: their messages are set to 0 after the softmax. No other {unit} takes over their share.",[Ht]:"Muted: they add nothing, which equals dropping them.","":"Muted: their output is 0."},mean:{compatibility:"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, step by step and token by token.",messages:"Mean: the state that others read is replaced by its mean over the first 200 samples of the same data set.","":"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, token by token."},resample:{messages:"Resampled: the state that others read is replaced by the state for another sample of the same data set.","":"Resampled: what they add is replaced by what they add for another sample of the same data set."}},Be={accuracy:"Dots: {accuracies} with 95 % whiskers; the bar spans random sets of as many units; changes are paired, on the same samples.",labels:"Ring: the model as it is; dot and whisker: without the units; at the right the paired change, in {points}. Over all chosen data sets, what training showed apart from what it left out.",compared:"The same figures of what is pinned (A) and of what is shown (B), on the same samples and axes: rings are each model as it is, dots what is left of it.",difference:"Paired: sample by sample, only what both have scored. Dots are B minus A, whiskers 95 % intervals; right of the line the figure of B is larger. What training of either left out stands apart.",studio:"Drag a bar, or move it with the arrow keys: so many experts a layer keeps. Each row of cells is a layer, each cell an expert.",curves:"Line and whiskers: what is left while fewer experts are kept, 95 %; band: random sets of the same size, least to largest; the dashed upright: where the bars stand."},fs="The same by data set, each read by the head of its domain.",yr={router_logits:"The same by data set: what an expert does for one kind of text, another kind may not need.",compatibility:fs,[Ht]:fs,"":"The same by data set; out of distribution are those that the model was never trained on."},Kt={accuracy:"Each random set is a small dot, this one perhaps among them. Data sets that training showed stand together, and apart from those it left out.",studio:"The order is chosen on the last samples of every data set, its curves are measured on the first ones. A layer keeps at least as many experts as a token takes. Files hold what the bars say: the keep-list, and a model that the other experts are cut out of.",curves:"A diamond is what the page measured, once exactly these experts are left out of it. Changes are paired, on the same samples. Point at a dot for its figures."},ms=["name","count","baseline","accuracy","low","high","change","change_low","change_high"],vr=e=>Vo(e,{named:"this set",sets:"random sets of as many",each:!0},Qo(e));function gs(e,{measure:t}){const n=e.some(o=>o.distribution)?[...ms,"distribution"]:ms;return[n.map(o=>o==="accuracy"?A(t).name:o),...e.map(o=>n.map(a=>o[a]))]}const at={accuracy:{has:e=>!!e.accuracy,scene:(e,t,n)=>Tn(e,n,{model:t}),rows:vr,widest:900},labels:{has:e=>e.by_label.length>0,scene:(e,t,n)=>Le(ye(e),"label",e,n,t),rows:e=>gs(ye(e),e)},domains:{has:e=>e.by_domain.length>0,scene:(e,t,n)=>Le(be(e),"data set",e,n,t),rows:e=>gs(be(e),e)}};function kr(e,t){const n=A(t.measure),s=a=>Te(n,a);if(e==="accuracy"){const a=ge(t).flatMap(({where:r,evaluation:{accuracy:i,baseline:c,control:u}})=>{const d=r&&r+" ",p=i?[d+"this set ("+Tt(t,l.model)+") "+s(i.value)]:[];return c&&p.push(d+"as it is "+s(c.accuracy.value)),u&&u.mean!==null&&p.push(d+"random sets on average "+s(u.mean)),p});return(n.share?"Accuracies":n.title)+": "+a.join("; ")}const o=e==="labels"?ye(t):be(t);return"Change of "+n.name+" in "+n.changeUnit+": "+o.map(a=>a.name+(a.distribution?", "+a.distribution:"")+" "+n.change(a.change)).join("; ")}const rt=["svg","png","csv","json"];function it(e){const{evaluation:t}=l;return t&&at[e].has(t)?t:null}function xr(e,t){const n=it(e);if(!n)return null;const s=at[e].rows(n);return{name:"drop-"+e,facts:Dt(),python:e==="accuracy"?{figure:"accuracy",draws:n.control?.draws}:{figure:"effects",by:e==="labels"?"label":"domain"},rows:()=>s,json:()=>e==="accuracy"?{result:n}:Cn(s),picture:{scene:()=>at[e].scene(n,l.model,t)}}}function Yt({name:e,title:t,reads:n,more:s,words:o,height:a,look:r,hidden:i,children:c,below:u}){const{fresh:d,status:p,model:h}=l,{scene:g,rows:w,widest:f}=at[e],k=it(e),x=()=>Math.max(560,document.getElementById("drop-picture-"+e)?.clientWidth??0);return m`<${Ge}
    id=${"drop-"+e}
    tag="caused"
    formats=${rt}
    written=${()=>xr(e,x())}
    ...${{title:t,reads:n,more:s,look:r,hidden:i}}
  >
    ${c}
    <${Rt}
      id=${"drop-picture-"+e}
      look="drop-picture"
      height=${a}
      widest=${f}
      data=${{"data-key":e,"data-fresh":String(d),"data-state":p}}
      scene=${_=>{const R=it(e);return R&&g(R,l.model,_)}}
      drawn=${()=>l.evaluation?.id??""}
      label=${()=>l.evaluation?kr(e,l.evaluation):""}
    />
    ${u}
    <${ze}
      words=${o}
      data=${{"data-drop-table":e}}
      caption=${()=>(k&&g(k,h,640).desc)??""}
      rows=${k&&(()=>w(k))}
    />
  <//>`}function Or(){const{model:e,evaluation:t}=l,{share:n,title:s}=A(),a=e!==null&&!e.labels.length||t?.state==="done"&&!it("labels");return m`<div class="drop-grid">
    <${Yt}
      name="accuracy"
      look="panel-drop-accuracy"
      title=${s}
      reads=${$n(Be.accuracy)}
      more=${Kt.accuracy}
      words=${(n?"Accuracies":s)+" as a table"}
      height=${228}
      below=${m`<${wr} />`}
    >
      <${pr} /><${mr} />
    <//>
    <div class="column">
      <${Yt}
        name="labels"
        title="Effect by label"
        reads=${$n(Be.labels)}
        words="Effect by label as a table"
        height=${262}
        hidden=${a}
      />
      <${Yt}
        name="domains"
        title="Effect by data set"
        reads=${wn(yr)}
        words="Effect by data set as a table"
        height=${102}
      />
    </div>
  </div>`}const $s={shown:Ct,units:()=>l.model?.units,write:Qn,noSwap:({model:e})=>vt(e)?"":"There is no model "+e+" here."};function Ie(){const{evaluation:e,pinned:t}=l,n=t&&V.value&&e?e.comparison:null;return e&&n&&n.a&&n.by_distribution.length?{a:n.a,b:e,comparison:n}:null}function _r(){const{evaluation:e,pinned:t,status:n,problem:s}=l;if(!t)return"A is what is shown: leave other units out, or choose another model, to compare it with A.";const o=e?.comparison?.problem;return o?"A and B are not compared. "+o:s?"Nothing to compare: "+s.detail:n==="cancelled"?"Cancelled before both had a figure.":"Both are scored now."}function Sr({comparison:{covered:e,total:t}}){return e===t?"On the same "+v(t)+" samples, all of which both have scored.":"On "+v(e)+" of "+v(t)+" samples so far: those that both have scored."}const Er=({of:e})=>m`<div class="compare-sides">
    ${[["a","A"],["b","B"]].map(([t,n])=>m`<div class="compare-side" data-side=${t}>
            <div class="compare-name"><span class="pin-letter">${n}</span> ${fe(e[t])}</div>
            <div class="numbers">
              ${ge(e[t]).map(({where:s,evaluation:o})=>{const{accuracy:a,change:r}=At(o),i={...r,name:"Change to its model as it is"};return m`
                  <${U} main=${!0} ...${j(a,s)} />
                  <${U} ...${j(i,s)} />
                `})}
            </div>
          </div>`)}
  </div>`,ct=[["both","both"],["only_a","only A"],["only_b","only B"],["neither","neither"]];function Tr({parts:e}){const t=e.filter(s=>s.outcomes);if(!t.length)return null;const n=["Samples right with",...ct.map(([,s])=>s)];return m`<${ea}
    look="compare-outcomes"
    heads=${n.map(s=>m`<th scope="col">${s}</th>`)}
    rows=${t.map(({name:s,outcomes:o})=>m`<tr>
          <th scope="row">${e.length>1||s==="out"?Q[s]:"all samples"}</th>
          ${ct.map(([a])=>m`<td data-outcome=${a}>${v(o?o[a]:0)}</td>`)}
        </tr>`)}
  />`}function Mr({of:e}){const t=A(e.b.measure),n=e.comparison.by_distribution;return m`
    <div class="numbers compare-difference">
      ${n.map(({name:s,count:o,difference:{accuracy:a}})=>{const r={name:"B minus A",value:a?t.change(a.value):Nn,unit:t.changeUnit,detail:fo(a,t.change,"")+", "+v(o)+" samples",mood:Zo(a,t.higher)},i=n.length>1||s==="out"?Q[s]:"";return m`<${U} id=${"drop-difference-"+s} main=${!0} ...${j(r,i)} />`})}
    </div>
    <${Tr} parts=${n} />
  `}function Ar({a:e,b:t}){const{name:n}=A(t.measure),s=[["what","A","A_low","A_high","B","B_low","B_high"]],o=c=>c?[c.value,c.low??"",c.high??""]:["","",""],a=new Map(ge(t).map(c=>[c.where,c.evaluation]));for(const{where:c,evaluation:u}of ge(e)){const[d,p]=[a.get(c),c&&", "+c];s.push([n+p,...o(u.accuracy),...o(d?.accuracy)]),s.push(["loss"+p,...o(u.loss),...o(d?.loss)])}const r=c=>c.name+(c.distribution?", "+c.distribution:""),i=Jt();for(const c of i?["best first","worst first","random"]:[])for(const u of[...new Set([i?.a,i?.b].flatMap(d=>d?.retention??[]).map(d=>d.share_kept))].sort((d,p)=>p-d)){const[d,p]=[i?.a,i?.b].map(g=>g?.retention.find(w=>w.order===c&&w.share_kept===u)),h=g=>g?[g.accuracy,g.low,g.high]:["","",""];s.push([c+", share kept "+u.toFixed(3),...h(d),...h(p)])}for(const[c,u]of[["label ",ye],["",be]]){const d=new Map(u(t).map(p=>[r(p),p]));for(const p of u(e)){const h=d.get(r(p)),g=h?[h.accuracy,h.low,h.high]:["","",""];s.push([c+r(p),p.accuracy,p.low,p.high,...g])}}return s}function Rr({b:{data:e},comparison:t}){const n=new Map(t.by_distribution.map(r=>[r.name,r.outcomes])),s=Object.fromEntries(Object.entries(Q).map(([r,i])=>[i,r])),o=t.by_distribution[0].name,a=[["what","distribution","samples","A","B","B_minus_A","low","high",...ct.map(([r])=>r)]];for(const{name:r,where:i,main:c,count:u,a:d,b:p,value:h,low:g,high:w}of us(t,e)){const f=c?n.get(s[i]??o):null,k=ct.map(([x])=>f?f[x]:"");a.push([r,i||Q[o],u,d,p,h,g??"",w??"",...k])}return a}const ws={compared:{scene:({a:e,b:t},n,s)=>lr(e,t,n,{alone:s,curves:Jt()}),rows:Ar,Numbers:Er},difference:{scene:({b:e},t)=>ur(e,t),rows:Rr,Numbers:Mr}};function Nr({a:e,b:t,comparison:n}){const[s,o]=[e,t].map(a=>kn(a,Wt));return{...Dt(),a:s,b:o,samples_compared:n.covered}}function Cr(e){const t=Ie();if(!t)return null;const{scene:n,rows:s}=ws[e],o=s(t),{a,...r}=t.comparison;return{name:"drop-"+e,facts:Nr(t),rows:()=>o,json:()=>e==="difference"?{result:r}:{a:t.a,b:{...t.b,comparison:null}},picture:{scene:()=>n(t,1e3,!0)}}}const Br={compared:{title:"A and B",words:"A and B side by side"},difference:{title:"Difference, B minus A",words:"B minus A"}};function bs({name:e,children:t}){const{scene:n,rows:s,Numbers:o}=ws[e],{title:a,words:r}=Br[e],i=Ie();return m`<${Ge}
    id=${"drop-"+e}
    title=${a}
    reads=${Be[e]}
    tag="caused"
    formats=${rt}
    written=${()=>Cr(e)}
    coded=${!1}
    hidden=${i===null}
  >
    <div class="drop-compared" data-fresh=${String(l.fresh)}>
      <div class="compare-numbers">${i&&m`<${o} of=${i} />`}</div>
      <${Rt}
        data=${{"data-key":e}}
        scene=${c=>{const u=Ie();return u&&n(u,c,!1)}}
        drawn=${()=>l.evaluation?.id??""}
        label=${c=>c.title+". "+c.desc}
      />
      ${t}
    </div>
    <${ze}
      words=${r+" as a table"}
      data=${{"data-compare-table":e}}
      caption=${()=>(i&&n(i,1e3,!0).desc)??""}
      rows=${i&&(()=>s(i))}
    />
  <//>`}function Ir(){Ae(sr,[]);const e=Ie();return m`<div class="drop-compare" hidden=${!V.value}>
    <div class="compare-words">
      ${V.value&&m`<p class="hint" role="status">${e?Sr(e):_r()}</p>`}
    </div>
    <${bs} name="compared">
      <div class="compare-curves"><${or} /></div>
    <//>
    <${bs} name="difference" />
  </div>`}const Xt=({experts:e,top_k:t},{kind:n,top_k:s})=>n==="drop"?Math.max(0,e-(s??t)):e;function ys(e,t,n,s=!0){const o=Je(e),a=new Set(o),r=t.filter(p=>a.has(p)),i=Xt(e,n);if(r.length&&r.length>=i)return{back:r};const c=t.filter(p=>!a.has(p)),u=i===e.experts||!i;if(!u&&!s)return{out:[...c,...o.slice(-i)]};const d=e.name+(u?".*":".least:"+i);return{rule:[...c,d]}}const ve={drop:"dropped",mute:"muted",mean:"mean",resample:"resampled"},Pr={...ve,mean:"at their mean"},lt={drop:"Drop ",mute:"Mute ",mean:"Put the mean in place of ",resample:"Resample "},vs="data-drop-unit",Pe=e=>e!==null&&e.units.length>$o&&!M({model:e}),ks=e=>e!==null&&!Pe(e)&&!M({model:e});function ke(e,t){const n=new Set(N());e.forEach(i=>t?n.add(i):n.delete(i));const{choice:s,model:o}=l,a=new Set(Nt());if(!e.some(i=>a.has(i))&&s.least){const i=new Set(s.units);e.forEach(u=>t?i.add(u):i.delete(u));const c=o.units.filter(u=>i.has(u));I({units:c})}else Ye([...n])}const Vt=(e,t,n)=>t?"Bring "+e+" back":lt[n]+e;function Wr({unit:e,units:t,away:n,kind:s,measured:o}){const a=n?o?ve[s]:"not "+ve[s]+" yet":"",r=Vt(e,n,s),[i,c]=[()=>He(e),()=>He(null)];return m`<button
    type="button"
    class="chip"
    ...${{[vs]:e}}
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
    <span class="swatch" aria-hidden="true" style=${{background:go(t,e)}}></span>
    ${e}
    <span class="chip-state">${a}</span>
  </button>`}function Dr(){const{model:e,choice:t,status:n,fresh:s}=l,o=s||n!=="failed"&&n!=="cancelled",[a,r]=[N(),ks(e)?e?.units??[]:[]];return m`<div
    class="chips"
    role="group"
    aria-label="Units"
    hidden=${e!==null&&!ks(e)}
    onKeyDown=${Bn}
  >
    ${r.map(i=>m`<${Wr} key=${i} ...${{unit:i,units:r,away:a.includes(i),kind:t.kind,measured:o}} />`)}
  </div>`}const Ur=[["name","by name"],["connectivity","by connectivity"],["graph","as in the graph"]];function jr(e,{model:t,graph:n}){return!n||e==="name"?t.units:(e==="graph"?n.order:mn(n.connectivity).reverse()).map(o=>t.units[o])}function ut(e){const{model:t,graph:n}=l;return t?wo(t.units,e,n&&n.connectivity):[]}function qr(){const{model:e,graph:t,choice:n}=l,{units:s,unit:o}=Y(e),a=v(N().length)+" of "+v(e.units.length),r=t?"; the stronger the colour, the better connected":"";return a+" "+(e.units.length===1?o:s)+" "+Pr[n.kind]+r}function Fr({asked:e,order:t}){const{model:n,graph:s,choice:o}=l;if(!n||!Pe(n))return null;const a=ut(e.value).length,r=bo(n.units,e.value,s&&s.connectivity,Y(n)),i=()=>ke(ut(e.value),!0);return m`
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
      options=${Ur}
      chosen=${t.value}
      onChoose=${c=>t.value=c}
      wait=${!s}
      hidden=${!$e(l)}
    />
    <span class="hint" id="drop-count">${qr()}</span>
  `}function Lr(){const[e,t]=[Re(""),Re("name")],n=kt(null);return Ae(()=>{const s=n.current,o=new ta(s,vs,{toggle:ke,point:r=>He(r),about(r,i){const{graph:c,model:u,choice:d}=l,p=c?", q "+c.connectivity[u.units.indexOf(r)].toFixed(1):"";return r+p+". "+Vt(r,i,d.kind)}}),a=[B(()=>{const r=l,{graph:i,model:c}=r;Pe(c)&&(o.show(jr(t.value,r)),i&&o.shade(u=>i.connectivity[c.units.indexOf(u)]),o.ring(ut(e.value)))}),B(()=>{const{model:r,choice:i}=l;Pe(r)&&(o.mark(N(),ve[i.kind]),s.dataset.kind=i.kind)})];return()=>a.forEach(r=>r())},[]),m`<div class="drop-many" hidden=${!Pe(l.model)}>
    <div class="interventions drop-row"><${Fr} asked=${e} order=${t} /></div>
    <div ref=${n} role="group" aria-label="Units"></div>
  </div>`}const xs=({id:e,name:t,label:n,value:s,most:o,words:a,wait:r=!1,onSlide:i})=>m`<div class="control" title=${n}>
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
  </div>`;function Gr(){if(!$e(l))return null;const{model:e,graph:t,graphProblem:n,choice:s}=l,o=s.edges===null?1:s.edges;return m`<div class="interventions drop-row">
    <${xs}
      id="drop-least"
      name="n least connected"
      label="Drop the n units of least connectivity q"
      value=${s.least}
      most=${e.units.length-1}
      words=${s.least+" of "+e.units.length}
      wait=${!t}
      onSlide=${a=>I({least:a},!0)}
    />
    <${xs}
      id="drop-edges"
      name="share of edges kept"
      label="Share of the links that is kept, the most probable first"
      value=${Math.round(100*o)}
      most=${100}
      words=${mo(o)+" %"}
      onSlide=${a=>I({edges:a===100?null:a/100},!0)}
    />
    <span class="hint">
      ${n?"The graph: "+n.message:t?"":"Reading the graph"}
    </span>
  </div>`}const zr="data-drop-unit",We="data-drop-layer",Os=({id:e,name:t,unit:n="",value:s,least:o,most:a,act:r})=>m`<span class="control">
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
  </span>`;function Jr(){const{model:e,choice:t,use:n,sets:s}=l,{units:o}=Y(e),a=N().length,r=v(a)+" of "+v(e.units.length)+" "+o+" "+ve[t.kind];return s.length?r+(n?"":"; observing their use"):r+"; no use is observed without a data set"}function Hr(){const{model:e,use:t}=l;return t?(sa(e?.layers??[])?"Shade and number":"Shade")+": observed "+K.weight+", in % of the layer, with all experts on, over "+v(t.count)+" samples of "+t.data.join(", ")+".":""}function Kr({least:e,share:t}){const{model:n,choice:s,ruled:o,sets:a}=l;if(!n||!M(l))return null;const r=(n.layers??[]).reduce((h,g)=>h+Xt(g,s),0),i=()=>Xe(["least:"+e.value]),c=()=>Xe(["share:"+t.value/100]),u=lt[s.kind].trim(),d=!N().length,p=m`
    <${Os}
      id="drop-least-used"
      name=${"Least "+K.weight}
      value=${e}
      least=${1}
      most=${r}
      act=${i}
    />
    <${D} id="drop-take-least" act=${i}>${u}<//>
    <${Os}
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
    ${a.length>0&&p}
    <${D} id="drop-bring" wait=${d} act=${()=>Ye([])}>Bring all back<//>
    <span class="hint" id="drop-count">${Jr()}</span>
    <span class="hint" id="drop-ruled" role="status" aria-live="polite" data-refused=${String(!!o?.refused)}>
      ${o?o.text:""}
    </span>
  `}function Yr(e){const{model:t,choice:n,sets:s}=l,o=(t.layers??[]).find(r=>r.name===e);if(!o)return;const a=ys(o,N(),n,s.length>0);"back"in a?ke(a.back,!1):"out"in a?Ye(a.out):Xe(a.rule)}function Xr(){const[e,t]=[Re(4),Re(25)],n=kt(null);return Ae(()=>Vr(n.current),[]),m`<div class="drop-experts" hidden=${!M(l)}>
    <div
      ref=${n}
      class="expert-grid"
      role="group"
      aria-label="Experts by layer"
      onClick=${s=>{const o=s.target instanceof Element&&s.target.closest("["+We+"]")?.getAttribute(We);o&&Yr(o)}}
    ></div>
    <p class="hint expert-legend">${Hr()}</p>
    <div class="interventions drop-row"><${Kr} least=${e} share=${t} /></div>
  </div>`}function Vr(e){const t=new na(e,zr,{toggle:ke,point:n=>He(n),about(n,s){const{use:o,choice:a}=l,r=o?.units.find(c=>c.unit===n),i=r?", "+K.weight+" "+Me(r.share)+" % of its layer":"";return n+i+". "+Vt(n,s,a.kind)}});return Ke(({model:n,choice:s,use:o,sets:a},r)=>{if(!(!n||!M({model:n}))&&(r.has("model")&&t.lay(n.layers??[],We),(r.has("model")||r.has("use"))&&t.tell(o&&new Map(o.units.map(({unit:i,share:c})=>[i,c]))),!!["model","choice"].some(i=>r.has(i)))){t.mark(N(),ve[s.kind]),e.dataset.kind=s.kind;for(const i of e.querySelectorAll("["+We+"]")){const c=(n.layers??[]).find(w=>w.name===i.getAttribute(We));if(!c)continue;const u=ys(c,N(),s),d=c.experts-Xt(c,s),p=a.length?d+" most used experts of ":"first "+d+" experts of ",h=d?"all but the "+p:"all experts of ",g=("back"in u?"Bring back the experts of ":lt[s.kind]+h)+"layer "+In(c.name);i.setAttribute("title",g),i.setAttribute("aria-label","layer "+In(c.name)+". "+g)}}})}const[Qr,Qt,_s,Zr,ei,ti]=[236,196,52,14,30,36],xe={tokens:"by "+K.tokens,weight:"by "+K.weight,effect:"by caused effect",greedy:"greedy, by caused effect",chance:"by chance"},ni=({baseline:e})=>e.map(t=>t.domain).sort((t,n)=>+(n==="all")-+(t==="all")),dt=e=>e==="all"?"all data sets":e,si=(e,t)=>t==="figure"?e.figure:e.change,oi=(e,t)=>t==="figure"?e.random:e.random_change,Ss=e=>e?[e.value,e.low,e.high]:[];function De(e,t){const{value:n,low:s,high:o}=e;return t(n)+(s===null||o===null?"":" (95 %: "+t(s)+" to "+t(o)+")")}const ai=({low:e,high:t},n)=>e===null||t===null?"":", from "+n(e)+" to "+n(t),Es=(e,t)=>t==="all"||e.data.length===1?e.count:e.data.find(({name:n})=>n===t)?.count,ht=e=>e===void 0?"":", over "+v(e)+" samples",Ts=(e,t)=>e.draws??t.draws;function ri(e){const t=e.curve.filter(o=>o.random).map(o=>Ts(o,e)),[n,s]=t.length?[Math.min(...t),Math.max(...t)]:[e.draws,e.draws];return(n<s?n+" to "+s:s)+" random sets"}function ii(e,t){const n=A(t.measure),s=i=>Te(n,i),o=i=>n.change(i)+" "+n.changeUnit,a=dt(e.domain)+", "+Me(e.share)+" % kept ("+v(e.experts)+" experts), "+xe[t.order]+": ",r=e.random&&e.random_change?"; "+Ts(e,t)+" random sets "+s(e.random.value)+ai(e.random,s):"";return a+De(e.figure,s)+"; change "+De(e.change,o)+ht(Es(t,e.domain))+r}function ci({found:e,domain:t,shown:n,mark:s,dx:o,dy:a,width:r}){const i=A(e.measure),c=e.curve.filter(b=>b.domain===t).sort((b,S)=>S.share-b.share),u=e.baseline.find(b=>b.domain===t)?.figure,d=n==="figure"?u:{value:0,low:null,high:null},p=s.figures.get(t),h=p&&(n==="figure"?p.figure:p.change),g=[...d?[{share:1,at:d}]:[],...c.map(b=>({share:b.share,at:si(b,n)}))],w=c.flatMap(b=>[oi(b,n)].flatMap(S=>S?[{share:b.share,at:S}]:[])),k=[...g,...w].flatMap(({at:b})=>Ss(b)).concat(Ss(h)).filter(b=>b!==null),[x,_]=[Math.min(...k),Math.max(...k)],R=.06*(_-x||Math.abs(_)||1),[z,y,O,J]=[o+_s,o+r-Zr,a+ei,a+Qt-ti],ee=Math.min(s.share,...c.map(b=>b.share),.9),cn=Fe([1,ee],[z,y],{round:!1,ticks:[1,.75,.5,.25,0].filter(b=>b>=ee-.02),named:b=>Math.round(100*b)+(b===1?" %":"")}),ie=i.share?100:1,te=Fe([ie*(x-R),ie*(_+R)],[J,O],{round:!1,most:6}),{named:Vs}=te;n==="change"&&(te.named=b=>(b>0?"+":"")+Vs(b));const ne={x:({share:b})=>cn(b),y:({at:b})=>te(ie*b.value)},ln=({at:{low:b,high:S}})=>b===null||S===null?null:[te(ie*b),te(ie*S)],Qs=b=>Te(i,b),Zs=b=>d&&!b?dt(t)+", all experts: "+De(u??d,Qs)+ht(Es(e,t)):ii(c[b-(d?1:0)],e),eo=(b,S)=>d&&!S?"ink":"accent",un=p&&h?[{share:s.share,at:h}]:[],dn=w.length&&d?[{share:1,at:{...d,low:d.value,high:d.value}},...w]:w;return[se([dt(t)],{x:z,y:a+14,down:0,size:12.5,weight:650,room:y-z}),Mn(te,[z,y],{strong:n==="change"?0:null}),_t(cn,[O,J],{grid:!1}),An(dn,{...ne,y:({at:{value:b,low:S,high:to}})=>[te(ie*(S??b)),te(ie*(to??b))],fill:"unmatched"}),Mt(dn,{...ne,stroke:"unmatched",width:1.5,dash:[4,3]}),En([s],{x:ne.x,y:[O,J],stroke:"marker",width:1.2,dash:[3,3]}),g.length>1?Mt(g,{...ne,stroke:"accent"}):[],St(g,{...ne,y:ln,r:0,stroke:eo}),Et(g,{...ne,r:3.5,fill:(b,S)=>d&&!S?"surface":"accent",stroke:(b,S)=>d&&!S?"ink":void 0,width:1.5,words:(b,S)=>Zs(S),reach:14,rise:14}),St(un,{...ne,y:ln,r:0,stroke:"marker"}),oa(un,{...ne,text:"diamond",r:6,stroke:"surface",width:1.5,fill:"marker",words:p&&li(t,s,p,i),reach:14,rise:14})]}function li(e,{share:t},{figure:n,change:s,count:o},a){const r=u=>Te(a,u),i=u=>a.change(u)+" "+a.changeUnit;return dt(e)+", what the page left out, "+Me(t)+" % kept: "+De(n,r)+(s?"; change "+De(s,i):"")+ht(o)}function Ms(e,t,n,s){const o=ni(e),a=Math.max(1,Math.min(o.length,Math.floor(s/Qr))),r=s/a,i=Math.ceil(o.length/a)*Qt,c=A(e.measure),u=c.unit&&!c.name.startsWith(c.unit)?" ("+c.unit+")":"",d=t==="figure"?c.title+u:"Change of "+c.name,p=Rn([{text:d,key:"none",ink:"ink",weight:600},{text:xe[e.order]+"; whiskers 95 %"+ht(e.count),stroke:"accent"},...e.draws?[{text:ri(e)+": mean, least to largest",stroke:"unmatched"}]:[]],{x:s<420?8:_s,y:i+8,width:s,size:11.5});return Ne({width:s,height:i+p.height+4,title:d+" while fewer experts are kept, "+xe[e.order]+": "+e.model,desc:"A facet a data set: "+d+" against the share of experts that is kept. The line goes "+xe[e.order]+", whiskers are 95 % intervals, the band spans random sets of the same size; the dashed upright is where the bars stand.",marks:[o.map((h,g)=>ci({found:e,domain:h,shown:t,mark:n,width:r,dx:g%a*r,dy:Math.floor(g/a)*Qt})),p.marks]})}const As=e=>[["domain","share","experts","figure","low","high","change","change_low","change_high","random","random_low","random_high","random_change","random_change_low","random_change_high"],...e.curve.map(({domain:t,share:n,experts:s,figure:o,change:a,random:r,random_change:i})=>[t,n,s,...[o,a,r,i].flatMap(c=>[c?.value??"",c?.low??"",c?.high??""])])],Ue=26,[ui,di,Oe]=[5,40,18],[Zt,hi]=[.25,.85],Rs=e=>Math.max(1,...e.map(t=>t.experts));function en(e,t){const n=Math.max(ui,Math.min(di,Math.floor(t/Rs(e))));return{cell:n,width:n*Rs(e),height:Ue*e.length}}function Ns({layers:e,counts:t,places:n},s,o){if(!n)return{goes:!1,opacity:Zt};const a=e[s].experts-t[s],r=n[s][o],i=Math.max(1,e[s].experts-1);return{goes:r<a,opacity:Zt+(hi-Zt)*r/i}}function pi(e,t,n){const s=yo(),o=en(t.layers,n),a=ia(e,o.width,o.height);a.clearRect(0,0,o.width,o.height);const r=o.cell>8?2:1,i=(Ue-Oe)/2;t.layers.forEach((c,u)=>{const d=u*Ue+i;for(let p=0;p<c.experts;p+=1){const{goes:h,opacity:g}=Ns(t,u,p),[w,f]=[p*o.cell,o.cell-r];if(h){a.globalAlpha=1,a.strokeStyle=s.bad,a.lineWidth=1,f>7?(a.strokeRect(w+.5,d+.5,f-1,Oe-1),a.beginPath(),a.moveTo(w+3,d+Oe-3),a.lineTo(w+f-3,d+3),a.stroke()):(a.fillStyle=s.bad,a.fillRect(w,d+Oe/2-1,f,2));continue}a.globalAlpha=g,a.fillStyle=s.accent,a.fillRect(w,d,f,Oe)}}),a.globalAlpha=1,Object.assign(e.style,{width:o.width+"px",height:o.height+"px"})}function fi(e,t,n,s){const[o,a]=[Math.floor(s/Ue),Math.floor(n/t)];return o>=0&&o<e.length&&a>=0&&a<e[o].experts?{row:o,expert:a}:null}function mi(e,t,n){const{layers:s,counts:o}=e,a=s.map(({name:h})=>Ee(h)),r=Math.ceil(aa(a,11.5))+12,i=en(s,t-r-70),c=ra(a,[0,i.height],Ue-Oe),u=s.flatMap((h,g)=>Array.from({length:h.experts},(w,f)=>({row:g,x:r+f*i.cell,...Ns(e,g,f)}))),d=i.cell-(i.cell>8?2:1),p={y:({row:h})=>c.extent(h),x:({x:h})=>[h,h+d],rx:2};return Ne({width:t,height:i.height+6,title:n,desc:"A row a layer, a cell an expert: filled ones stay, the stronger the later they would go; hollow ones go.",marks:[se(a,{x:r-8,y:(h,g)=>c(g),size:11.5,anchor:"end"}),Pn(u.filter(({goes:h})=>h),{...p,stroke:"bad",width:1}),Pn(u.filter(({goes:h})=>!h),{...p,fill:"accent",opacity:({opacity:h})=>h}),se(s,{x:r+i.width+8,y:(h,g)=>c(g),text:(h,g)=>o[g]+" of "+h.experts,size:11.5,fill:"dim"})]})}const ae=({experts:e,top_k:t})=>Math.min(t,e),gi=5e5,Cs=(e,t,n)=>Math.max(t,Math.min(n,e)),tn=e=>e.map(t=>t.experts),pt=(e,t)=>e.map(n=>Cs(Math.ceil(Number((n.experts*t).toFixed(9))),ae(n),n.experts)),Bs=(e,t,n)=>Ps(e,t,(s,o)=>o<=n),Is=e=>e.slice(0,e.lastIndexOf("."));function Ps(e,t,n){const s=tn(e),o=new Map(e.map((r,i)=>[r.name,i]));let a=s.reduce((r,i)=>r+i,0);for(const r of t){if(n(s,a))break;const i=o.get(Is(r))??-1;i<0||s[i]<=ae(e[i])||(s[i]-=1,a-=1)}return s}function Ws(e,t){const n=new Map(e.map(s=>[s.name,[]]));for(const s of t){const o=Is(s);n.get(o)?.push(Number(s.slice(o.length+2))-1)}return e.map(({name:s,experts:o})=>{const a=n.get(s)??[],r=new Set(a),i=Array.from({length:o},(u,d)=>d).filter(u=>!r.has(u)),c=new Int32Array(o);return[...a,...i].forEach((u,d)=>c[u]=d),c})}const $i=(e,t,n)=>e.flatMap((s,o)=>Je(s).filter((a,r)=>t[o][r]<s.experts-n[o]));function wi(e,t,n,s,o,a){const r=Cs(a,ae(t[o]),t[o].experts);return e==="alike"?pt(t,r/t[o].experts):e==="own"?s.map((i,c)=>c===o?r:i):Ps(t,n,i=>i[o]<=r)}const bi=({units:e})=>e.map(({unit:t,share:n},s)=>({unit:t,share:n,at:s})).sort((t,n)=>t.share-n.share||t.at-n.at).map(({unit:t})=>t);function Ds(e,t,n){const s=e.reduce((r,i)=>r+i.experts,0),o=s-e.reduce((r,i)=>r+ae(i),0);if(t==="effect")return s+1;if(t!=="greedy")return 0;let a=0;for(let r=0;r<o;r+=n)a+=s-r+1;return a}function Us(e,t,n){if(e!=="greedy")return 1;const s=t.reduce((a,r)=>a+r.experts,0);let o=1;for(;o<s&&Ds(t,e,o)*n>gi;)o*=2;return o}function yi(e,t,n){const s=e.map(a=>a.experts-ae(a)),o=e.findIndex(a=>a.experts===Math.max(...tn(e)));return Math.min(n,t==="all"?s.reduce((a,r)=>a+r,0):s[o])}const W="pruning",ft=8,vi=64*1024*1024,ki=700,xi=20,{state:$,update:T,subscribe:dc}=pn({model:null,layers:[],order:"weight",way:"alike",samples:128,draws:8,counts:[],known:null,found:null,said:"",writes:!1});function je(){const{model:e,order:t,way:n,samples:s,draws:o,layers:a}=$,r=n==="together"?"all":"layer",i=Us(t,a,s);return{model:e,data:Z(),samples:s,order:t,scope:r,at_once:i,points:ft,draws:o,seed:0}}function js(){const{model:e,data:t,samples:n,order:s,at_once:o,seed:a}=je();return JSON.stringify({model:e,data:t,samples:n,order:s,atOnce:o,seed:a})}function G(){const{known:e,order:t}=$,n=e&&e.of===js()?e:null;if(n)return{...n,preliminary:!1};const{use:s}=l;return t!=="weight"||!s?null:{...Oi(s),of:"",preliminary:!0}}let mt=null;function Oi(e){const{layers:t}=$;if(mt?.use===e&&mt.layers===t)return mt;const n=bi(e);return mt={use:e,layers:t,sequence:n,places:Ws(t,n)}}function qs(){const e=G();return e?$i($.layers,e.places,$.counts):[]}function re(){return{stay:$.counts.reduce((t,n)=>t+n,0),whole:$.layers.reduce((t,n)=>t+n.experts,0)}}function _i(e,t){const{way:n,layers:s,counts:o}=$;T({counts:wi(n,s,G()?.sequence??[],o,e,t),said:""})}function Si(e){const{way:t,layers:n}=$,s=G()?.sequence??[],o=t==="together"?Bs(n,s,e):pt(n,e/re().whole);T({counts:o,said:""})}const Ei=()=>T({counts:tn($.layers),said:""});function gt(e){const t=JSON.stringify(je());T({...e,said:""}),$.way!=="own"&&Fs(),JSON.stringify(je())!==t&&($.found&&T({found:null}),me(W))}function Fs(){const{way:e,layers:t}=$,{stay:n,whole:s}=re();if(!s)return;const o=G()?.sequence??[];T({counts:e==="alike"?pt(t,n/s):Bs(t,o,n)})}const nn=()=>bt(W,"/prunings",je());function Ti(){I({kind:"drop",units:qs(),least:0,top_k:null})}function sn(){const e=qs(),{choice:t}=l,n=t.kind==="drop"&&t.top_k===null?N():[];return e.length>0&&e.length===n.length&&e.every((s,o)=>s===n[o])}const Ls=e=>"/prunings/"+encodeURIComponent($.found?.id??"")+"/"+e+"?keep="+$.counts.join(",");async function Mi(){if(!$.found)return null;T({said:""});try{return await(await bn(Ls("keep-list"))).blob()}catch(e){return T({said:e.message}),null}}async function Ai(){if(!$.found||$.writes)return null;const e=Ls("model");T({said:"",writes:!0});try{const t=await bn(e);return Number(t.headers.get("Content-Length")??1/0)<=vi?await t.blob():(await t.body?.cancel(),vo+e)}catch(t){return T({said:t.message}),null}finally{T({writes:!1})}}let Gs=0;async function Ri({job:e}){if(!e||!["running","done"].includes(e.state)||!$.model)return;const t=e.state==="running";if(t&&(!e.total||performance.now()-Gs<ki)||!t&&$.found?.id===e.id&&$.found.complete)return;Gs=performance.now();const n=await H("GET","/prunings/"+encodeURIComponent(e.id)).catch(()=>null);if(!(!n||q(W).job?.id!==e.id||n.model!==$.model)&&!($.found?.id===n.id&&Ni(n,$.found))&&n.sequence.length){const s=js(),o=$.known?.of===s?$.known:{of:s,sequence:n.sequence,places:Ws($.layers,n.sequence)};T({known:o,found:n}),$.way==="together"&&Fs()}}const Ni=(e,t)=>t.complete||!e.complete&&e.curve.length<t.curve.length;function zs(e){const{choice:t}=l,n=new Set(t.kind==="drop"?N():[]);return e.map(s=>{let o=0;for(let a=1;a<=s.experts;a+=1)n.has(s.name+".e"+a)||(o+=1);return Math.max(o,ae(s))})}function Js(e,t){const n=pt(e,t[0]/e[0].experts);return t.some((s,o)=>s!==n[o])}async function Ci(){const{model:e}=$,t=await H("GET","/jobs?kind="+W+"&limit="+xi).catch(()=>null);if(!t||$.model!==e||q(W).job||q(W).starting)return;const n=JSON.stringify(Z()),s=t.items.find(({state:h,owner:g,request:w})=>["running","queued","done"].includes(h)&&g!=="another"&&w.model===e&&JSON.stringify(w.data)===n&&!w.keep&&w.points===ft);if(!s)return;const o=s.request,{order:a,scope:r,samples:i,draws:c}=o,u=r==="all"?"together":Js($.layers,$.counts)?"own":"alike";T({order:a,way:u,samples:i,draws:c});const d=je();Object.keys(d).every(h=>JSON.stringify(d[h])===JSON.stringify(s.request[h]))&&nn()}let on="",an=!1;function Bi(){const e=[wt(W,t=>{Ri(t)}),Ke(({model:t},n)=>{if(!n.has("model")&&!n.has("choice"))return;const s=t?.layers??[],o=t&&s.length?t.id:null;if(o!==$.model&&($.model&&me(W),on=JSON.stringify(Z()),an=!0,T({model:o,layers:s,counts:zs(s),known:null,found:null,said:""})),!o||!n.has("choice"))return;if(an){an=!1;const r=zs(s);T({counts:r,way:Js(s,r)?"own":"alike"}),Ci();return}const a=JSON.stringify(Z());a!==on&&(on=a,($.found||q(W).job)&&me(W),T({found:null}))})];return()=>{e.forEach(t=>t()),T({model:null,layers:[],counts:[],known:null,found:null,said:""})}}const Ii=[["tokens","by "+K.tokens+", observed"],["weight","by "+K.weight+", observed"],["effect","by effect, caused"],["greedy","greedy, caused"],["chance","by chance"]],Pi=[["alike","all alike"],["together","all together, by the order"],["own","each on its own"]],Wi={tokens:"Observed: experts that fewest tokens take go first. This predicts effects badly.",weight:"Observed: experts of least routing weight go first. This predicts effects badly.",effect:"Caused: each expert is dropped alone, and those that cost least go first.",greedy:"Caused: after every step all that are left are dropped in turn, and the cheapest goes.",chance:"By chance: what any other order has to beat."};function Di(){const{order:e,layers:t,samples:n,draws:s,way:o}=$,a=yi(t,o==="together"?"all":"layer",ft),r=Us(e,t,n),c=Ds(t,e,r)+a*(1+s)+1,u=l.evaluation?.baseline?.samples_per_second,d=u?", about "+yt(c*n/u):"";return v(c)+" sets of experts on "+v(n)+" samples"+d+"."+(r>1?" Experts go "+v(r)+" at once.":"")}function Ui(){const{order:e,way:t,samples:n,draws:s,found:o,model:a}=$;if(!a)return null;const{job:r,starting:i,problem:c}=q(W),u=i||r!==null&&["queued","running"].includes(r.state),d=!!o?.complete,{read_only:p}=le.value,h=gn(c)&&c?.message,g=(f,k,x)=>m`<div class="control"><label class="control-name" for=${f}>${k}</label>${x}</div>`,w="small-input";return m`<div class="interventions drop-row">
      ${g("studio-order","Experts go",m`<${X}
          id="studio-order"
          look=${w}
          options=${Ii}
          chosen=${e}
          onChoose=${f=>gt({order:f})}
        />`)}
      ${g("studio-way","Layers",m`<${X}
          id="studio-way"
          look=${w}
          options=${Pi}
          chosen=${t}
          onChoose=${f=>gt({way:f})}
        />`)}
      ${g("studio-samples","Samples",m`<${X}
          id="studio-samples"
          look=${w}
          options=${xt([32,64,128,256],n)}
          chosen=${String(n)}
          onChoose=${f=>gt({samples:Number(f)})}
        />`)}
      ${g("studio-draws","Random sets",m`<${X}
          id="studio-draws"
          look=${w}
          options=${xt([0,4,8,16],s)}
          chosen=${String(s)}
          onChoose=${f=>gt({draws:Number(f)})}
        />`)}
      ${!p&&m`<button
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
      ${Wi[e]} ${h||(d||u||p?"":Di())}
    </p>`}function ji(){const{model:e,found:t}=$,{job:n,starting:s,problem:o}=q(W);le.value.read_only&&e&&!t&&!n&&!s&&!o&&ce(nn)}const Hs=({name:e,label:t,value:n,least:s,most:o,at:a,onMove:r})=>m`<div class="studio-bar" data-studio-layer=${a}>
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
  </div>`;function qi(){const{layers:e,counts:t}=$;return e.map((n,s)=>{const o=Ee(n.name),a="Experts that "+o+" keeps";return m`<${Hs}
      key=${n.name}
      ...${{name:o,label:a,at:s,value:t[s],least:ae(n),most:n.experts}}
      onMove=${r=>_i(s,r)}
    />`})}function Fi(){const{layers:e}=$,{stay:t,whole:n}=re(),s=e.reduce((o,a)=>o+ae(a),0);return m`<${Hs}
    ...${{name:"all",label:"Experts that all layers keep",at:-1,value:t,least:s,most:n}}
    onMove=${Si}
  />`}function Li(){const e=G();if(!e)return m`Compute the order to see which experts go.`;const t=e.preliminary?"Preview by "+K.weight+", as in the grid above. Compute the order for the final ranking. ":"";return m`${t}Filled cells stay, the stronger the later they would go; struck ones go.`}function Gi({row:e,expert:t}){const{layers:n,counts:s}=$,o=G(),a=n[e],r=Je(a)[t];if(!o)return r;const i=o.places[e][t],c=i>=a.experts-s[e],u="it stays while "+(a.experts-i)+" or more of "+a.experts+" are kept";return r+(c?" stays":" goes")+": number "+(i+1)+" of its layer to go, "+u}function zi(){const e=kt(null);return Ae(()=>{const t=e.current,n=t.querySelector("canvas");let s=1;function o(){const{layers:r,counts:i,model:c}=$,u=G(),{stay:d,whole:p}=re(),h=t.clientWidth;!c||h<20||(s=en(r,h).cell,pi(n,{layers:r,counts:i,places:u?.places??null},h),n.dataset.painted=i.join(",")+(u?u.preliminary?" preliminary":" known":""),n.setAttribute("aria-label",d+" of "+p+" experts stay"+(u?"":"; who goes is not known yet")))}n.addEventListener("pointermove",r=>{const i=n.getBoundingClientRect(),c=fi($.layers,s,r.clientX-i.left,r.clientY-i.top);n.title=c?Gi(c):""});const a=[B(o),ko(o),ca(t,o)];return()=>a.forEach(r=>r())},[]),m`<div ref=${e} class="studio-cells"><canvas role="img"></canvas></div>`}function rn(){const{layers:e,counts:t}=$,n=G();return[["layer","expert","goes_as","stays"],...e.flatMap((s,o)=>Je(s).map((a,r)=>{const i=n?n.places[o][r]:null;return[s.name,a,i===null?"":i+1,i===null?"":String(i>=s.experts-t[o])]}))]}function Ks(e){const{id:t,model:n,revision:s,order:o,scope:a,at_once:r,draws:i,seed:c,count:u,chosen_on:d}=e,p=e.data.map(w=>({name:w.name,count:w.count,stand_in:w.stand_in})),h={keep:[...$.counts],points:ft},g={order:o,scope:a,at_once:r,draws:i,seed:c,...h};return{model:n,revision:s,data:p,samples:u,order_chosen_on:d,...g,pruning:t,kind:"caused"}}function Ji(){const{found:e,layers:t,counts:n}=$,s=G();if(!e||!s)return null;const{stay:o,whole:a}=re(),r=v(o)+" of "+v(a)+" experts stay, "+xe[e.order]+": "+e.model,i="Filled cells stay, the stronger the later they would go; hollow ones go.",c=["tokens","weight"].includes(e.order)?"observed":"caused";return{name:"pruning",title:r,caption:i,facts:{...Ks(e),kind:c},python:{figure:"kept-experts"},rows:rn,json:()=>Cn(rn()),picture:{scene:()=>mi({layers:t,counts:n,places:s.places},640,r)}}}function Hi(){const{found:e,said:t,writes:n,model:s}=$;if(!s)return null;const{stay:o,whole:a}=re(),r=o===a,i=G()!==null,c=async(u,d)=>{const p=await u,h=(s+d).replace(/[^\w.-]+/g,"_");typeof p=="string"?la(p,h):p&&ua(p,p.type,h)};return m`<div class="interventions drop-row">
      <span class="studio-total"
        >${v(o)+" of "+v(a)+" experts stay, "+Me(o/a)+" %"}</span
      >
      <${D} id="studio-apply" wait=${r||!i||sn()} act=${Ti}>
        ${sn()?"Applied to the page":"Apply to the page"}
      <//>
      <${D} id="studio-restore" wait=${r} act=${Ei}>Keep all<//>
      <${D} id="studio-keep-list" wait=${!e} act=${()=>c(Mi(),"-keep-list.json")}
        >Keep-list, JSON<//
      >
      <${D} id="studio-model" wait=${!e||n} act=${()=>c(Ai(),"-pruned.zip")}
        >Pruned model, ZIP<//
      >
    </div>
    <p class="hint" id="studio-said" role="status" aria-live="polite" data-refused=${String(!!t)}>
      ${t||(n?"Writing the pruned model":e?"":"Files are of a computed order.")}
    </p>`}function Ys(){const{stay:e,whole:t}=re(),n={share:t?e/t:1,experts:e,figures:new Map},{evaluation:s,fresh:o}=l;if(!s||!o||!sn())return n;const{accuracy:a,change:r,done:i}=s;a&&n.figures.set("all",{figure:a,change:r&&r.accuracy,count:i});for(const c of s.by_domain){if(c.accuracy===null)continue;const u={value:c.accuracy,low:c.low,high:c.high},d=c.change===null?null:{value:c.change,low:c.change_low,high:c.change_high};n.figures.set(c.name,{figure:u,change:d,count:c.count})}return n}const Ki=[["figure","the figure"],["change","its change, paired"]];function Yi(e){const{found:t}=$;return!t||!t.curve.length?null:{name:"pruning-retention",facts:Ks(t),python:{figure:"retention"},rows:()=>As(t),json:()=>({pruning:t}),picture:{scene:()=>Ms(t,e,Ys(),Xi)}}}const Xi=960;function Vi(){const e=Re("figure"),{found:t}=$,n=t&&t.curve.length?t:null;return m`<${Ge}
    id="drop-studio-curves"
    title="Retention by data set"
    reads=${Be.curves}
    more=${Kt.curves}
    tag="caused"
    formats=${rt}
    written=${()=>Yi(e.value)}
    hidden=${n===null}
  >
    <div class="studio-shown">
      <div class="control">
        <label class="control-name" for="studio-shown">Shown is</label>
        <${X}
          id="studio-shown"
          look="small-input"
          options=${Ki}
          chosen=${e.value}
          onChoose=${s=>e.value=s}
        />
      </div>
    </div>
    <${Rt}
      look="studio-picture"
      widest=${1280}
      scene=${s=>{const{found:o}=$;return o&&o.curve.length?Ms(o,e.value,Ys(),s):null}}
      drawn=${()=>$.found?.id+" "+$.found?.curve.length+" "+e.peek()}
      label=${s=>s.title+". "+s.desc}
    />
    <${ze}
      words="Retention by data set as a table"
      data=${{"data-studio-table":"curves"}}
      caption=${()=>n?"Retention, "+xe[n.order]+", "+n.model:""}
      rows=${n&&(()=>As(n))}
    />
  <//>`}function Qi(){Ae(()=>{const o=[Bi(),B(ji)];return()=>o.forEach(a=>a())},[]);const{model:e,found:t}=$,{stay:n,whole:s}=re();return m`<div
    class="studio-grid"
    hidden=${!e}
    data-found=${t?t.id:""}
    data-complete=${String(!!t?.complete)}
  >
    <${Ge}
      id="drop-studio"
      title="Pruning studio"
      reads=${Be.studio}
      more=${Kt.studio}
      formats=${rt}
      written=${Ji}
    >
      <div><${Ui} /></div>
      <div class="job" data-widget="job-progress" data-job=${W} data-what="Pruning of experts"></div>
      <div>
        <div class="studio-whole"><${Fi} /></div>
        <div class="studio-rows" role="group" aria-label="Experts that each layer keeps">
          <div class="studio-bars"><${qi} /></div>
          <${zi} />
        </div>
        <p class="hint studio-legend"><${Li} /></p>
        <${ze}
          words="Who stays and who goes as a table"
          data=${{"data-studio-table":"kept"}}
          caption=${()=>v(n)+" of "+v(s)+" experts stay"}
          rows=${e&&rn}
        />
      </div>
      <div><${Hi} /></div>
    <//>
    <${Vi} />
  </div>`}const Zi=jn.at(-1),ec=hn("drop","samples").offered;function tc(){const{model:e,sets:t}=l,n=Z(),s=t.filter(o=>e?.held_out.includes(o.name)&&n.includes(o.name));return m`<div id="drop-caption" class="caption">
    ${e&&m`<${$a} ...${e} />`}
    <${ga} sets=${t} used=${n} />
    ${s.length>0&&m`<span class="tag" title="The model was never trained on it.">
        ${"out of distribution: "+s.map(o=>o.name).join(", ")}
      </span>`}
  </div>`}const qe=({id:e,name:t,hidden:n=!1,children:s})=>m`<div class="control" id=${e} hidden=${n}><span class="control-name">${t}</span>${s}</div>`;function nc(){const{model:e,choice:t}=l,n=e?Qe(e):[ue.kind],s=Object.keys(ps).map(o=>[o,ps[o],n.includes(o)?"":"This model does not take it."]);return m`<${qe}
    id="drop-kind-control"
    name=${"Click "+Y(yn()).a_unit+" to"}
    hidden=${e?.units.length===0}
  >
    <${To}
      id="drop-kind"
      label="What is done to the units that are clicked"
      options=${s}
      chosen=${t.kind}
      onChoose=${o=>I({kind:o})}
    />
  <//>`}function sc(){const{model:e,choice:t}=l,n=e?.layers??[],{passes:s}=Y(yn());return n.length?m`<${qe} id="drop-top-k-control" name="Experts a token takes">
    <${vn}
      id="drop-top-k"
      label="Number of experts that a token takes"
      chosen=${t.top_k}
      most=${Math.min(...n.map(o=>o.experts))}
      none=${[...new Set(n.map(o=>o.top_k))].join(" or ")+", as trained"}
      onChoose=${o=>I({top_k:o})}
    />
  <//>`:m`<${qe} id="drop-iterations-control" name=${s[0].toUpperCase()+s.slice(1)}>
      <${vn}
        id="drop-iterations"
        label="Number of iterations"
        chosen=${t.iterations}
        most=${e?.most_iterations??Zi}
        none="as trained"
        onChoose=${o=>I({iterations:o})}
      />
    <//>`}function oc(){const{model:e,sets:t,choice:n}=l;return m`<div class="interventions drop-row">
    <${qe} name="Data">
      <div class="chips" role="group" aria-label="Data sets" onKeyDown=${Bn}>
        <${wa}
          sets=${t}
          used=${Z()}
          attribute="data-drop-set"
          about=${s=>ba(s,!!e?.held_out.includes(s.name))}
          onChoose=${s=>I({data:s})}
        />
      </div>
    <//>
    <${qe} name="Samples">
      <${X}
        id="drop-samples"
        look="small-input"
        label="Number of samples"
        options=${xt(ec,n.samples)}
        chosen=${String(n.samples)}
        onChoose=${s=>I({samples:Number(s)})}
      />
    <//>
    <${D} id="drop-reset" act=${()=>I({...ue})}>Reset<//>
  </div>`}function ac(){const{model:e,choice:t}=l,n=e?.units.length===0?[]:[wn(br[t.kind],e),fn(e)];return m`<p id="drop-sentence" class="drop-sentence">${n.filter(Boolean).join(" ")}</p>`}function rc(){return m`
    <div class="page-head">
      <h1>Drop</h1>
      <${tc} />
      <span class="pin-tool"><${pa} ...${$s} /></span>
      <button type="button" class="tool tool-text" data-copy-link="true">${So("link")}Copy link</button>
    </div>
    <${fa} ...${$s} />
    <${ma}>
      <div class="drop-controls">
        <div class="interventions drop-row"><${nc} /><${Dr} /><${sc} /></div>
        <${Lr} />
        <${Xr} />
        <${Gr} />
        <${oc} />
        <${ac} />
      </div>
    <//>
    <${Ir} />
    <${Or} />
    <${Qi} />
  `}function Xs({pin:e,...t}){return V.value=e??"",Xn({...t,rule:""})}xo("drop",({model:e,sample:t,...n})=>l.model?.id!==e?null:(Oo({model:e,sample:t}),Xs(n)));function ic(e){let t=Eo(location.search).model,n=e;return B(()=>{const{model:s}=$t(),o=t??s;t=null,(n||o!==Hn())&&ce(()=>Pt(o,n)),n=null})}const cc=da({Tree:rc,choice:()=>{const{rule:e,...t}=l.choice;return{...t,pin:V.value||null}},take:e=>{Xs(e)},open({pin:e,...t},n){const s=n.closest(".page");V.value=e??"";const o=[zn(),ic(t),B(()=>{Object.assign(s.dataset,{state:l.status,fresh:String(l.fresh)})}),B(()=>{s.dataset.compares=String(Ie()!==null)}),B(()=>_o(l.evaluation?.measure??null))];return()=>{o.forEach(a=>a()),Vn(),ha()}}});Mo({drop:()=>Zn});export{cc as mount};
