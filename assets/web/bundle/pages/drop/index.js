/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{ag as ro,af as wn,y as bn,aj as yn,E as K,ai as io,ad as St,R as W,aL as vn,aC as kn,Z as co,a2 as lo,aM as uo,a1 as Me,_ as ho,aN as Y,o as X,ao as ge,V as po,n as Je,b as fo,aO as F,g as mo,s as m,aP as Et,d as go,m as N,ap as Z,aQ as Te,u as ce,aK as xn,aG as $e,D as v,aR as Mt,aS as Tt,G as Ae,T as j,a6 as At,at as $o,F as le,aT as On,aU as _n,Q as Re,t as wo,aV as Ne,P as Rt,k as bo,aW as yo,aX as vo,aY as ko,aZ as xo,r as Oo,M as Sn,N as _o,aq as Nt,S as So,aw as Eo,ax as Mo,c as To,a_ as Ao,i as Ro,ay as No,an as Co,q as En,a$ as Mn,O as Bo}from"../../boot.js";import{ah as V,ai as Io,e as Tn,aj as Po,ak as Do,al as Wo,am as jo,an as Uo,ao as qo,ap as An,aq as Fo,ar as Rn,a3 as Nn,as as Ct,at as Lo,au as Q,a8 as Go,av as zo,aw as Jo,n as Cn,ax as Ho,F as we,y as be,H as He,C as Bn,z as L,ab as Ke,J as Ye,D as Ko,k as Xe,j as In,q as Ze,ay as Yo,g as ue,G as Bt,az as Pn,I as Ve,E as It,t as Pt,N as U,u as q,d as Xo,aA as Zo,v as Dn,a6 as Vo,aB as Qo,h as ea,aC as ta,P as Ce,i as Qe,A as Be,aD as na,aE as sa,aF as Dt,a5 as oa,Z as aa,aG as et,ad as Wn,U as ra,K as tt,aH as ia,aI as jn,aJ as ca,ac as la,w as ua,ag as da,aa as Un,aK as ha,o as pa,aL as fa,aM as ma,aN as ga,aO as $a,aP as wa,aQ as ba,aR as ya,R as va,aS as ka,aT as xa}from"../../shared.js";const Oa="drop",_a=10,Sa=250,de={...ro("drop"),rule:""},{offered:qn}=wn("drop","iterations"),Ea={status:"loading",problem:null,model:null,graph:null,graphProblem:null,use:null,ruled:null,sets:[],choice:{...de},pinned:null,evaluation:null,fresh:!1},{state:l,update:M,subscribe:nt}=bn(Ea),he=()=>l.model,ee=()=>l.choice.data.length?l.choice.data:l.sets.map(e=>e.name),ye=({model:e})=>e!==null&&e.constants.includes("link_probability"),R=({model:e})=>e!==null&&(e.layers??[]).length>0;function Wt(e=l.choice.least){const{graph:t}=l;return!e||!t?[]:kn(t.connectivity).slice(0,e).map(n=>he().units[n])}function C(){const e=new Set([...l.choice.units,...Wt()]);return l.model?l.model.units.filter(t=>e.has(t)):[]}const st=e=>I({units:Ma(e),least:0});function Ma(e){const t=new Set(e);return he().units.filter(n=>t.has(n))}function jt(){const{model:e,choice:t}=l;if(!e)return null;const{kind:n,edges:s,iterations:o,top_k:a}=t;return Po({model:e.id,sample:St().sample,[n]:C(),edges:s,iterations:o,top_k:a})}async function Ta(){const e=Do(V.value);if(!e)return null;const t=he(),n=e.model===t.id,s=n?t:await K("GET","/models/"+encodeURIComponent(e.model)).catch(()=>null),o=s?await Wo(e,s):e,a=jt();return n&&jo({...o,sample:a.sample},a,t.units)?null:o}async function Aa({model:e,edges:t,iterations:n,top_k:s,...o}){const a=await Promise.all(Rn.map(async i=>[i,(await An(o[i])).split(",").filter(Boolean)])),r={...Object.fromEntries(a),keep_edges:t,iterations:n,top_k:s};return JSON.stringify({model:e,intervention:r})}async function Ra(){const{choice:e,pinned:t}=l,[n,s,o]=await Promise.all([An(C()),t&&Aa(t),Fo(he().units,e.units,e.rule)]);return{units:n,against:s,name:o}}function Na({units:e,against:t}){const{choice:n}=l,s={model:he().id,data:ee().join(","),samples:n.samples,[n.kind]:e,iterations:n.iterations,keep_edges:n.edges,top_k:n.top_k,controls:_a,against:t};return"/evaluations/stream"+po(s)}let Ut=!1;const oe=Io({owner:Oa,statusOf:()=>l.status,update:M,async begin(e){if(ye(l)&&l.choice.least&&!l.graph&&!l.graphProblem)return;const t=()=>e()&&Ut,n=V.value&&t()&&l.model?await Ta():null;if(!t()||!l.model)return;M({pinned:n});const s=await Ra();!t()||!l.model||(s.name&&M({choice:{...l.choice,rule:s.name}}),Fn(),oe.ask(l.model.id,()=>Na(s)))}});function Fn(){const e=he(),t=V.value||null,{rule:n,...s}=l.choice,o={...s,units:n?n.split(","):s.units},a=n?void 0:e.units;io("drop",{...o,model:e.id,sample:St().sample,pin:t},a)}const Ca=(e,t)=>JSON.stringify(e)===JSON.stringify(t),Ba=["units","kind","least","top_k"];async function ot(e){const{model:t,choice:n}=l;if(!t)return;const s=await Ia(t,e,n);l.model!==t||l.choice!==n||(M({ruled:s.said}),s.units&&I({units:s.units,least:0,rule:e.join(",")}))}async function Ia(e,t,n){try{const s=await Uo(e,t,n);return{units:s.units,said:Ln(e,s)}}catch(s){return{units:null,said:{text:s.message,refused:!0}}}}function Ln(e,{units:t,rules:n,observed:s}){const o=s?", by "+Y.weight+" on "+s.count+" samples":"",a=X(e),r=t.length+" "+(t.length===1?a.unit:a.units);return{text:n.join(", ")+": in all "+r+o,refused:!1}}function I(e,t=!1){const n=Ba.some(o=>o in e)&&!("rule"in e),s={...l.choice,...n?{rule:""}:{},...e};n&&M({ruled:null}),!Ca(s,l.choice)&&(M({choice:s}),l.model&&oe.restart(t?Sa:0))}function qt(e){e!==l.choice.distribution&&(M({choice:{...l.choice,distribution:e}}),l.model&&Fn())}const Gn=e=>t=>t?"/models/"+encodeURIComponent(he().id)+"/"+e:null,at=yn(()=>Gn("graph")(ye(l)),(e,t)=>K("GET",e,void 0,{signal:t})),zn=yn(()=>Gn("use")(R(l)&&l.sets.length>0),(e,t)=>K("GET",e,void 0,{signal:t}));function Jn(){Ut=!0;const e=[at.follow(),zn.follow(),W(()=>{const[t,n]=[at.answer(),at.waits()?null:at.problem()];ge(()=>Pa(t,n))}),W(()=>{const t=zn.answer();ge(()=>t!==l.use&&M({use:t}))})];return()=>{Ut=!1,e.forEach(t=>t())}}function Pa(e,t){if(e===l.graph&&t===l.graphProblem)return;const n=l.choice.least>0;M({graph:e,graphProblem:t,...t?{choice:{...l.choice,least:0}}:{}}),n&&(e||t)&&oe.restart()}const rt=e=>["drop",...vn(e)?[]:["mute"],...e.fields.includes("contributions")?["mean","resample"]:[]];function Hn(e,t,n){const s=n.map(i=>i.name),o=e.data.filter(i=>s.includes(i)),a=t.constants.includes("link_probability"),r=t.most_iterations??null;return lo("units",t,e.units),uo(t.id,s,e.data),rt(t).includes(e.kind)||Me(`"kind" is ${e.kind}, which ${t.id} does not take: shown is ${de.kind}.`),!a&&(e.least||e.edges!==null)&&Me(`Units of ${t.id} are not linked: "least" and "edges" are ignored.`),!R({model:t})&&e.top_k!==null&&Me(`No token of ${t.id} takes the best of many experts: "top_k" is ignored.`),a&&e.least>=t.units.length&&Me(`"least" is ${e.least}: one of the ${t.units.length} units of ${t.id} stays.`),r!==null&&e.iterations!==null&&e.iterations>r&&Me(`"iterations" is ${e.iterations}; ${t.id} has up to ${r}: shown is the model as trained.`),{...e,kind:rt(t).includes(e.kind)?e.kind:de.kind,units:ho(t.units,e.units),least:a?Math.min(e.least,t.units.length-1):0,edges:a?e.edges:null,top_k:R({model:t})?e.top_k:null,iterations:r!==null&&e.iterations!==null&&e.iterations>r?null:e.iterations,data:o.length===s.length?[]:o}}let pe=0,it=null;const Kn=()=>it;function Yn(){oe.close(),M({...{model:null,sets:[],pinned:null,evaluation:null,ruled:null},fresh:!1,problem:null,status:"loading"})}async function Ft(e,t){const n=pe+=1;if(it=e,t&&M({choice:{...de,...t}}),l.model&&l.model.id!==e&&Yn(),!e){M({status:"loading"});return}try{const[s,o]=await Promise.all([K("GET","/models/"+encodeURIComponent(e)),K("GET","/data")]);if(n!==pe)return;const a=s.domains.map(i=>o.items.find(c=>c.name===i)).filter(i=>i!==void 0),r=await Xn(s,l.choice);if(n!==pe)return;M({model:s,sets:a,ruled:r.ruled,evaluation:null}),M({choice:{...Hn({...l.choice,...r.choice},s,a),rule:r.rule}}),oe.restart()}catch(s){const{title:o,message:a}=s;n===pe&&M({status:"failed",problem:{title:o,detail:a}})}}async function Xn(e,t){const n=t.rule?t.rule.split(","):t.units;if(!n.some(co))return{choice:{},rule:"",ruled:null};const s=await qo("units",e,n,t),o=s.rules.length>0;return{choice:{units:s.units},rule:o?s.parts.join(","):"",ruled:o?Ln(e,s):null}}async function Zn(e){const{model:t,sets:n}=l;if(!t)return;const s=pe+=1,o=l.choice,a=await Xn(t,e);s!==pe||l.choice!==o||(M({ruled:a.ruled,choice:{...Hn({...e,...a.choice},t,n),rule:a.rule}}),oe.restart())}function Vn(){pe+=1,it=null,Yn()}const Lt=["drop","mute","mean","resample","iterations","keep_edges","top_k"];function ct(){const e=l.evaluation;return Tn(e,Lt,{least_connected:l.fresh&&l.choice.least?l.choice.least:null,held_out:e.data.filter(t=>t.held_out).map(t=>t.name)})}function Qn(){if(l.model){oe.restart();return}M({status:"loading",problem:null}),Ft(it,null)}const{cancel:Da}=oe;var es=Object.freeze({__proto__:null,ITERATIONS:qn,NOTHING:de,PARTS:Lt,askedFor:Kn,cancel:Da,choose:I,facts:ct,follow:Jn,hasExperts:R,hasLinks:ye,kindsOf:rt,leave:Vn,leaveOut:st,leaveOutBy:ot,leftOut:C,measured:ee,open:Ft,restart:Qn,showDistribution:qt,shown:jt,state:l,subscribe:nt,take:Zn,weakest:Wt});const G="importance",lt=10,Gt=20,Wa=24e3,[ja,Ua]=[2640,8192],qa=16,ts=24,[Fa,La,Ga]=[250,19,24],Ie={use:["usage","Observed use"],effect:["shapley","Caused effect"],interactions:["interactions","Interactions"],retention:["retention","Retention"],anytime:["anytime","Accuracy against iterations"],convergence:["convergence","Convergence"]};let fe=null,ut=!1;const P=Je(null),z=Je(""),ns=({model:e})=>(e.layers??[]).find(({name:t})=>t===z.value)?.experts??e.units.length;function ss(e){const t=ns(e);if(!z.value)return 1+t;if(t<=lt)return 2**t;const n=t<=Gt;return t*(n?t/2:1)+(t-1)*(n?64:qa)+200}function zt(e){const{model:t,choice:n}=e;if(R(e)){const o=z.value?Ua:ja;return Math.min(n.samples,Math.max(16,Math.min(300,Math.round(o/ss(e)))))}const s=t.units.length;return s<=Gt?n.samples:Math.min(n.samples,Math.max(30,Math.min(300,Math.round(Wa/s))))}function dt(e){const{model:t,choice:n}=e,s=R(e)&&z.value,o=s&&n.kind==="drop"?"mute":n.kind,a={model:t.id,data:ee(),samples:zt(e),kind:o},r=n.edges===null?{}:{keep_edges:n.edges},i=n.distribution==="in"?null:n.distribution,c=R(e)?{top_k:n.top_k,layer:s||null}:{};return{...a,...r,...c,iterations:n.iterations,distribution:i,seed:0}}const Jt=({evaluation:e})=>(e?.by_distribution??[]).map(t=>t.name);function za(e){const[t,n,s]=[ns(e),ss(e),zt(e)],o=e.evaluation?.baseline?.samples_per_second,a=o?"; about "+Tt(n*s/o):"",r="About "+v(n)+" sets on "+v(s)+" texts"+a+". It can be cancelled and taken up again.",{kind:i}=e.choice;if(!z.value)return[(i==="drop"?"Drop":"Leave out")+" each of the "+v(t)+" experts alone",r];const c=" of the "+t+" experts of "+Te(z.value),u=i==="drop"?" Experts that a subset lacks are muted: a layer cannot route with fewer than a token takes.":"";return[(t<=lt?"Score all "+2**t+" subsets":"Score sampled subsets")+c,r+u]}function Ja(e){const{model:t,evaluation:n}=e;if(t&&R(e))return za(e);const s=t?t.units.length:0;if(s<=lt)return["Score all "+2**s+" subsets of the "+s+" units",""];if(s<=Gt)return["Score sampled subsets of the "+s+" units",""];const{units:o}=X(t),a=ye(e)?4:2,r=s+20*(a+8),i=zt(e),c=n&&n.baseline&&n.baseline.samples_per_second,u=c?"; about "+Tt(r*i/c):"";return["Drop each of the "+v(s)+" "+o+" alone, then more and more","About "+v(r)+" sets on "+v(i)+" samples"+u+". It can be cancelled and taken up again."]}const os=()=>Mt(G,"/importances",dt(l)),Ha=()=>l.model?l.model.units.length:0;async function Ht(e){if(!e.model&&fe&&(fe=null,z.value="",P.value=null,$e(G)),!e.model)return;const t=Jt(e),{distribution:n}=e.choice;if(e.status==="done"&&n!=="in"&&t.length&&!t.includes(n)){qt("in");return}const s=JSON.stringify(dt(e));if(s!==fe&&(fe=s,P.value=null,await $e(G),s!==fe))return;const{job:o,starting:a,problem:r}=F(G),i=!o&&!a&&!r,c=Ha()<=lt&&!R(e);i&&e.status==="done"&&!ut&&(c||ce.value.read_only)&&os()}async function Ka({job:e}){if(!e||e.state!=="done")return null;const t=P.value;return t&&t.id===e.id?t:K("GET","/importances/"+encodeURIComponent(e.id))}function as(e){const t={drop:[],mute:[],mean:[],resample:[]};return{model:e.model,revision:e.revision,seed:e.seed,...t,left_out_as:e.kind,iterations:e.iterations,data:e.data,distribution:e.distribution??null,samples:e.count,exact:e.exact,keep_edges:e.keep_edges===void 0?null:e.keep_edges,importance:e.id,...e.layer?{layer:e.layer}:{},...typeof e.top_k=="number"?{top_k:e.top_k}:{},...N(e.measure).share?{}:{measure:e.measure}}}function Kt({distribution:e,layer:t,top_k:n}){const s=e&&(e!=="in"||Jt(l).length>1),o=(t?", "+Te(t):"")+(n?", top "+n:"");return(s?", "+Q[e]:"")+o}const Ya=e=>e==null?"":Array.isArray(e)?e.join(" "):e;function Yt(e){const t=e.length?Object.keys(e[0]):[];return[t,...e.map(n=>t.map(s=>Ya(n[s])))]}function Xt(e,t){if(t==="effect"){const n=new Map(e.single.map(s=>[s.unit,s]));return e.shapley.length?e.shapley.map(({unit:s,value:o,low:a,high:r,standard_error:i})=>{const{unit:c,...u}=n.get(s)||{};return{unit:s,...{shapley:o,shapley_low:a,shapley_high:r,standard_error:i},...Object.fromEntries(Object.entries(u).map(([h,p])=>["single_"+h,p]))}}):e.single}return e[Ie[t][0]]}const Xa=(e,t)=>Object.entries(Ct(e,t)).map(([n,s])=>"; "+n.replace("_"," ")+" "+s).join("");function Za(e){Nn(e,()=>{const{value:t}=P;if(!t)return null;const n=Xt(t,e),{title:s}=N(t.measure),o=Ie[e][1].replace("Accuracy",s)+Kt(t)+": "+t.model,a=Ct(t,e),r=Object.keys(a).length?{signs:a}:{},i={...as(t),kind:e==="use"?"observed":"caused",...r};return{name:e,facts:i,python:e==="convergence"&&t.exact?void 0:{figure:"importance",panel:e},rows:()=>Yt(n),json:()=>({[Ie[e][0]]:n}),picture:Lo(e,o,o+", "+t.words)}})}function Va(e){document.querySelectorAll("[data-importance-table]").forEach(t=>{const n=t.dataset.importanceTable,s=Ie[n][1].replace("Accuracy",N(e?.measure).title);e?Go(t,Yt(Xt(e,n)),s+Kt(e)+", "+e.words+Xa(e,n)):zo(t)})}function Qa(e){const t=N(e.measure),n=i=>Ae(t,i),s=[["all units",n(e.baseline)],...e.total===null?[]:[["none",n(Jo(e))]]],o=v(e.count)+" samples"+Kt(e);if(!e.shapley.length){const i=e.retention.length?", then more and more":"";return[["sets","Each of "+v(e.units.length)+" alone"+i+", on "+o],...s,["how",e.words]]}const a=e.exact?"All "+v(2**e.units.length)+" subsets":"Sampled orders",r=e.shapley.reduce((i,c)=>i+c.value,0);return[["subsets",a+" of "+e.units.length+" units on "+o],...s,["sum of Shapley values (above 0: the units help)",t.change(r)+" "+t.changeUnit],["how",e.words]]}function er({units:e,shapley:t,single:n}){if(e.length<=ts)return e.length;const s=t.length?t.map(({value:o})=>o):n.map(({change:o})=>o);return Math.min(ts,s.filter(Boolean).length||e.length)}function tr(e){const t=er(e);for(const a of["use","effect"]){const r=document.getElementById("plot-"+a),i=R(l)&&e.shapley.length?Ga:La;r&&(r.style.height=Math.max(Fa,90+i*t)+"px")}const n=document.getElementById("panel-interactions");n&&(n.hidden=!e.interactions.length);const s=document.getElementById("panel-retention");s&&(s.hidden=!e.retention.length);const o=document.getElementById("panel-anytime");o&&(o.hidden=e.anytime.length<2)}function nr({entry:e}){const{job:t,starting:n,problem:s}=e.value,o=l.problem;if(ce.value.read_only)return xn(s)&&m`<p class="hint" id="importance-refused">${s?.message}</p>`;const a=!!(!l.model||t||n||s||o&&o.refused),[r,i]=Ja(l);return m`
    <button type="button" class="button" id="importance-start" hidden=${a} onClick=${()=>{ut=!1,os()}}>${r}</button>
    <p class="hint">${a?"":i}</p>
  `}function sr(){const e=Jt(l);if(e.length<2)return null;const t=e.map(n=>[n,Q[n]]);return m`<div class="control importance-of">
    <label class="control-name" for="importance-distribution">All below is of samples</label>
    <${Z}
      id="importance-distribution"
      look="small-input"
      options=${t}
      chosen=${e.includes(l.choice.distribution)?l.choice.distribution:e[0]}
      onChoose=${n=>qt(n===e[0]?"in":n)}
    />
    <span class="hint">Trained-on and held-out data are never mixed.</span>
  </div>`}function or(){const{model:e}=l;if(!e||!R(l))return null;const t=(e.layers??[]).map(({name:s})=>[s,Te(s)+": Shapley values"]),n=[["","every expert, alone"],...t];return m`<div class="control importance-of">
    <label class="control-name" for="importance-layer">All below is of</label>
    <${Z}
      id="importance-layer"
      look="small-input"
      options=${n}
      chosen=${z.value}
      onChoose=${s=>{z.value=s,Ht(l)}}
    />
    <span class="hint">Within a layer its experts are the players; the others stay as they are.</span>
  </div>`}const ar=()=>m`<dl class="fact-list" hidden=${!P.value}>
    ${(P.value?Qa(P.value):[]).map(([e,t])=>m`<div>
          <dt>${e}</dt>
          <dd>${t}</dd>
        </div>`)}
  </dl>`;fo("importance",e=>{const t=Je(F(G));Object.keys(Ie).forEach(Za),Nn(G,()=>{const{value:o}=P;if(!o)return null;const a=Xt(o,"effect");return{name:"importance",facts:{...as(o),kind:"caused",signs:Ct(o,G)},python:{figure:"importance",panel:G},rows:()=>Yt(a),json:()=>({result:o}),picture:{}}});async function n(o){const{job:a}=t.value=o;a&&a.state==="cancelled"&&JSON.stringify(dt(l))===fe&&(ut=!0);const r=await Ka(o).catch(i=>(go(i.title||"No result",i.message,"bad"),null));t.value===o&&(P.value=r,Va(r),r&&tr(r),e.dataset.result=r?r.id:"")}const s=[W(()=>{ce.value.read_only&&ge(()=>Ht(l))}),mo(e,()=>m`<${sr} /><${or} /><${nr} entry=${t} /><${ar} />`),Et(G,n),nt((o,a)=>{["status","choice","model"].some(r=>a.has(r))&&(Ht(o),n(F(G)))})];return()=>{s.forEach(o=>o()),fe=null,ut=!1,P.value=null,z.value=""}});const ht="importance-a",B=Je({asked:"",importance:null,problem:""});function pt(){const{model:e,pinned:t}=l;if(!e||!t)return null;const n=dt(l),s=Rn.find(d=>t[d].length)??n.kind,o="layer"in n&&n.layer&&s==="drop"?"mute":s,{keep_edges:a,...r}=n,i=t.edges===null?{}:{keep_edges:t.edges},c="top_k"in n?{top_k:t.top_k}:{},u={...r,...i,...c,model:t.model,kind:o,iterations:t.iterations};return{a:u,b:n,alike:ve(u)===ve(n)}}const ve=e=>JSON.stringify(Object.entries(e).sort());function Zt(){const e=pt(),{value:t}=P;if(!e||!t)return null;const{asked:n,importance:s}=B.value,o=e.alike?t:n===ve(e.a)?s:null;return o&&(o.distribution??t.distribution)===(t.distribution??o.distribution)?{a:o,b:t}:null}function rs(){const e=pt();e&&(B.value={asked:ve(e.a),importance:null,problem:""},Mt(ht,"/importances",e.a))}const rr=()=>{const e=Et(ht,async({job:n,problem:s})=>{const{value:o}=B,a=s??n?.problem;if(a&&(B.value={...o,problem:"detail"in a&&a.detail||"message"in a&&String(a.message)||"It failed."}),!n||n.state!=="done"||o.importance)return;const r=await K("GET","/importances/"+encodeURIComponent(n.id)).catch(()=>null);B.value.asked===o.asked&&(B.value={...o,importance:r})}),t=W(()=>{const n=ce.value.read_only&&P.value?pt():null;n&&!n.alike&&B.value.asked!==ve(n.a)&&ge(rs)});return()=>{e(),t(),$e(ht),B.value={asked:"",importance:null,problem:""}}};function ir(){const e=pt();if(!e||Zt())return null;if(!P.value)return m`<p class="hint">Retention curves of both stand here once the importance below is computed.</p>`;const t=B.value.asked===ve(e.a),n=F(ht),s=t&&!B.value.problem&&(n.starting||!B.value.importance);return ce.value.read_only?t&&B.value.problem&&m`<p class="hint">${B.value.problem}</p>`:m`<p class="hint" role="status">
    <${j} id="drop-curves" wait=${s} act=${rs}>
      ${s?"Computing the retention curve of A":"Compute the retention curve of A too"}
    <//>
    ${t&&B.value.problem}
  </p>`}function ke(e){const t=new Map(e.data.map(n=>[n.name,n]));return Cn(e,"by_domain").map(n=>{const s=t.get(n.name);return{...s?.held_out?{distribution:Q.out}:{},...n,name:n.name+(s?.stand_in?" (stand-in)":""),title:s?.title}})}const xe=e=>Cn(e,"by_label"),[cr,is,lr]=[760,28,30],me=e=>e.model+", "+Xe(e,At(e.model)),[cs,ls,ur]=[210,34,38],dr=[{order:"best first",text:"best kept",stroke:"accent"},{order:"worst first",text:"worst kept",stroke:"bad"},{order:"random",text:"random sets",stroke:"dim",dash:[4,3]}];function us(e,t,n,s,o){const a=N(e.measure),r=[e,o].flatMap(({retention:y})=>y.flatMap(_=>[_.accuracy,_.low,_.high])),[i,c,u]=[64,n-20,cs-ur],d=we([1,0],[i,c],{ticks:[1,.75,.5,.25,0],named:y=>100*y+(y?"":" %")}),h=Yo(a,r,[u,ls]),p=dr.map(y=>({...y,points:e.retention.filter(({order:_})=>_===y.order).sort((_,H)=>_.dropped-H.dropped)})).filter(({points:y})=>y.length),{drop:g,mute:w,mean:f,resample:k}=t.intervention,x=new Set([...g,...w,...f??[],...k??[]]).size,A=[ue(t).find(({where:y})=>!y||y===Q[e.distribution??"unknown"])?.evaluation.accuracy].flatMap(y=>y??[]),O={x:d(1-x/e.units.length),y:({value:y})=>h(y)};return be({width:n,height:cs,title:"",desc:"",marks:[Bt(h,[i,c]),He(d,[ls,u],{grid:!1}),L(["units kept"],{x:(i+c)/2,y:u+31,down:0,size:11,fill:"dim",anchor:"middle"}),Pn(p.find(({order:y})=>y==="random")?.points??[],{x:y=>d(y.share_kept),y:({low:y,high:_})=>[h(y),h(_)],fill:"unmatched"}),p.toReversed().map(({points:y,stroke:_,dash:H})=>Ve(y,{x:te=>d(te.share_kept),y:te=>h(te.accuracy),stroke:_,dash:H})),It(p.map(y=>({...y,ink:y.stroke,weight:650,width:2})),{x:n<420?8:i,y:10,width:n}).marks,Ye(A,{...O,r:8,fill:"ink"}),L(A,{...O,text:s,size:11,weight:700,fill:"surface",anchor:"middle"})]})}function hr(e,t,n,{alone:s=!0,curves:o=null}={}){const a=n>=cr,r=a?Math.floor((n-is)/2):n;function i(f,k){const x=At(f.model),[S,A]=[xe(f),ke(f)];return[f.accuracy&&In(f,r,{model:x,beside:[k]}),S.length>0&&Ze(S,"label",f,r,x,xe(k)),A.length>0&&Ze(A,"data set",f,r,x,ke(k)),o&&(f===e?us(o.a,e,r,"A",o.b):us(o.b,t,r,"B",o.a))]}const c=[i(e,t),i(t,e)],u=["A: "+me(e),"B: "+me(t)],d=c[0].map((f,k)=>Math.max(...c.map(x=>{const S=x[k];return S?S.height+10:0})));let h=0;const p=c.map((f,k)=>{const x=a?k*(r+is):0;let S=a?0:h;const A=s||!a?[u[k]]:[],O=L(A,{x:x+2,y:S+10,size:13,weight:650,room:r-4});S+=A.length*lr;const y=f.map((_,H)=>{const te=_?Ko(_,x,S):[];return S+=a?d[H]:_?_.height+10:0,te});return h=Math.max(h,S),[O,y]}),{title:g}=N(t.measure),w=g+" of A, "+me(e)+", beside B, "+me(t)+", on the same axes: all samples, labels, data sets"+(o?", and accuracy while fewer units are kept.":".");return be({width:n,height:h,title:u.join("; "),desc:w,marks:p})}function ds({by_distribution:e},t){const n=new Set(t.filter(s=>s.stand_in).map(s=>s.name));return e.flatMap(({name:s,count:o,a,b:r,difference:i,by_label:c,by_domain:u})=>{const d=e.length>1||s==="out"?Q[s]:"",{value:h,low:p,high:g}=i.accuracy,w=(f,k)=>({name:k,where:d,main:!1,count:f.count,a:f.baseline,b:f.accuracy,value:f.change,low:f.change_low,high:f.change_high});return[{name:"all samples",where:d,main:!0,count:o,a:a.accuracy.value,b:r.accuracy.value,value:h,low:p,high:g},...c.length>1?c.map(f=>w(f,"label "+f.name)):[],...u.length>1?u.map(f=>w(f,f.name+(n.has(f.name)?" (stand-in)":""))):[]]})}function pr(e,t){const n=e.comparison,s=N(e.measure),o=ds(n,e.data).map(f=>({...f,group:f.where,change:f.value,change_low:f.low,change_high:f.high})),{range:a,y:r,sure:i,marks:c}=Ho(o,{width:t,top:24,measure:s,room:150}),u=Math.max(...o.flatMap(({value:f,low:k,high:x})=>[f,k??f,x??f].map(Math.abs)),.001),d=we([-u,u],a,{named:f=>f?s.change(f):"0"}),[h,p]=s.higher?["A is better","B is better"]:["B is better","A is better"],g={y:12,down:0,size:11,fill:"dim"},w=n.a?me(n.a):"A";return be({width:t,height:r.end+24,title:"B minus A: "+me(e)+", minus "+w,desc:"Paired difference of "+s.name+" in "+s.changeUnit+", B minus A, with 95 % intervals, on "+v(n.covered)+" samples that both have scored.",marks:[He(d,[20,r.end]),Bn([0],{x:d(0),y:[20,r.end],stroke:"dim"}),L([h],{...g,x:d(0)-8,anchor:"end"}),L([p],{...g,x:d(0)+8}),Ke(o,{x:f=>[d(f.low),d(f.high)],y:r,stroke:i,width:({main:f})=>f?2.5:1.5}),Ye(o,{x:f=>d(f.value),y:r,r:({main:f})=>f?6:4,fill:i}),c]})}const hs=e=>Xe(e,l.model),fr=(e,{draws:t,draws_done:n,exact:s,size:o})=>(s&&n===t?"all ":"")+e+(t===1?" set":" sets")+" of "+o,mr=({share:e,unit:t})=>e?t+" on average":"on average";function ps(e){const t="Random sets";if(!e)return{name:t,value:Dn};const n=Vo(e,X(l.model).unit);return{name:t,...Qo(e,{waiting:n,sets:fr,unit:mr})}}function gr(){const{evaluation:e,fresh:t}=l,[n,s]=e?ue(e):[],o=n?n.evaluation:null,{accuracy:a,change:r,loss:i}=Pt(o),c=n?n.where:"",u=s&&Pt(s.evaluation);return m`<div class="numbers" data-fresh=${String(t)}>
    <${U} id="drop-accuracy-number" main=${!0} ...${q(a,c)} />
    <${U} id="drop-change-number" main=${!0} ...${q(r,c)} />
    <${U} ...${q(i,c)} />
    <${U} id="drop-control-number" ...${q(ps(o),c)} />
    ${u&&m`
        <${U} id="drop-accuracy-out" main=${!0} ...${q(u.accuracy,s.where)} />
        <${U} id="drop-change-out" main=${!0} ...${q(u.change,s.where)} />
        <${U} ...${q(u.loss,s.where)} />
        <${U} ...${q(ps(s.evaluation),s.where)} />
      `}
  </div>`}function $r(e){const{model:t,choice:n}=e;return ea(e,{chosen:n.samples,intervention:hs,stale:"Cancelled before the first figure. The figures belong to the previous choice.",kept:"from cache",several:", one data set after the other",after:s=>hs(s)===ta?" Click "+X(t).a_unit+" to drop it.":""})}const wr=()=>m`<${Xo} name="drop" look="drop-progress" followed=${es} progressOf=${$r} />`;function br({id:e,name:t,title:n,value:s,before:o,words:a}){const r=Math.max(s||0,o||0)||1,i=c=>100*(c||0)/r+"%";return m`<div class="cost" id=${e} title=${n}>
    <span class="cost-name">${t}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{width:i(s),background:"var(--rs-accent)"}}></span>
      <span class="bar-mark" hidden=${!o} style=${{left:i(o)}}></span>
    </span>
    <span class="cost-value">${a}</span>
  </div>`}function yr({flops:e,saved:t}){return e===null?"counting":$o(e)+(t===null?"":t>0?", "+le(t)+" % saved":", nothing saved")}function vr(){const{evaluation:e,fresh:t}=l,n=e&&e.baseline;return m`<div class="costs" data-fresh=${String(t)}>
    <${br}
      id="drop-flops"
      name="FLOPs per sample"
      value=${e?.flops}
      before=${n?.flops}
      words=${e?yr(e):""}
    />
    <${Zo} id="drop-speed" evaluation=${t?e:null} />
  </div>`}const Vt="token_states",fs={drop:"drop",mute:"mute",mean:"mean",resample:"resample"},kr={drop:{router_logits:"Dropped: never chosen. A token takes the best of the remaining experts, with weights that add up to 1.",compatibility:"Dropped: removed. Compatibilities are renormalised over the remaining {units}.",multiplexer_weights:"Dropped: neither made nor read. Weights are renormalised over the remaining {units}.",messages:"Dropped: removed with their codes, signatures and states. Their compute is saved.",[Vt]:"Dropped: removed. The remaining {units} work on what the {units} before them computed.","":"Dropped: removed. Their compute is saved."},mute:{router_logits:"Muted: chosen as before, but their output is 0. No other {unit} takes over their share.",compatibility:"Muted: their compatibility is set to 0 after normalisation. No other {unit} takes over their share.",multiplexer_weights:"Muted: their numbers are set to 0. They keep their share of the weights.",messages:"Muted: their messages are set to 0 after the softmax. No other {unit} takes over their share.",[Vt]:"Muted: they add nothing, which equals dropping them.","":"Muted: their output is 0."},mean:{compatibility:"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, step by step and token by token.",messages:"Mean: the state that others read is replaced by its mean over the first 200 samples of the same data set.","":"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, token by token."},resample:{messages:"Resampled: the state that others read is replaced by the state for another sample of the same data set.","":"Resampled: what they add is replaced by what they add for another sample of the same data set."}},Pe={accuracy:"Dots: {accuracies} with 95 % intervals. Grey: random sets of the same size. Changes are paired, on the same samples.",labels:"Ring: full model. Dot: without the units, 95 % interval. Right: paired change in {points}.",compared:"A is pinned, B is shown, on the same samples and axes. Ring: full model. Dot: without the units.",difference:"B minus A, paired over the samples that both have scored, with 95 % intervals. Right of the line: B is larger.",studio:"A bar says how many experts a layer keeps: drag it, or press arrow keys. Rows of cells are layers, cells are experts.",curves:"Score as fewer experts are kept, 95 % intervals. Band: random sets of the same size, least to largest. Dashed line: your bars."},ms="The same by data set. Each is read by the head of its domain.",xr={router_logits:"The same by data set. An expert that one kind of text needs may do nothing for another.",compatibility:ms,[Vt]:ms,"":"The same by data set. Out of distribution: the model was never trained on it."},ft={accuracy:"Each small dot is a random set. Trained-on and held-out data are shown separately.",labels:"The effect covers all chosen data sets. Trained-on and held-out data are shown separately.",studio:"The order is chosen on the last samples of every data set; curves are measured on the first ones. A layer keeps at least top-k experts. Files: the keep-list, and a model without the other experts.",curves:"Diamond: the score on this page without exactly these experts. Changes are paired, on the same samples. Point at a dot for its figures."},gs=["name","count","baseline","accuracy","low","high","change","change_low","change_high"],Or=e=>na(e,{named:"this set",sets:"random sets of as many",each:!0},sa(e));function $s(e,{measure:t}){const n=e.some(o=>o.distribution)?[...gs,"distribution"]:gs;return[n.map(o=>o==="accuracy"?N(t).name:o),...e.map(o=>n.map(a=>o[a]))]}const mt={accuracy:{has:e=>!!e.accuracy,scene:(e,t,n)=>In(e,n,{model:t}),rows:Or,widest:900},labels:{has:e=>e.by_label.length>0,scene:(e,t,n)=>Ze(xe(e),"label",e,n,t),rows:e=>$s(xe(e),e)},domains:{has:e=>e.by_domain.length>0,scene:(e,t,n)=>Ze(ke(e),"data set",e,n,t),rows:e=>$s(ke(e),e)}};function _r(e,t){const n=N(t.measure),s=a=>Ae(n,a);if(e==="accuracy"){const a=ue(t).flatMap(({where:r,evaluation:{accuracy:i,baseline:c,control:u}})=>{const d=r&&r+" ",h=i?[d+"this set ("+Xe(t,l.model)+") "+s(i.value)]:[];return c&&h.push(d+"full model "+s(c.accuracy.value)),u&&u.mean!==null&&h.push(d+"random sets on average "+s(u.mean)),h});return(n.share?"Accuracies":n.title)+": "+a.join("; ")}const o=e==="labels"?xe(t):ke(t);return"Change of "+n.name+" in "+n.changeUnit+": "+o.map(a=>a.name+(a.distribution?", "+a.distribution:"")+" "+n.change(a.change)).join("; ")}const De=["svg","png","csv","json"];function gt(e){const{evaluation:t}=l;return t&&mt[e].has(t)?t:null}function Sr(e,t){const n=gt(e);if(!n)return null;const s=mt[e].rows(n);return{name:"drop-"+e,facts:ct(),python:e==="accuracy"?{figure:"accuracy",draws:n.control?.draws}:{figure:"effects",by:e==="labels"?"label":"domain"},rows:()=>s,json:()=>e==="accuracy"?{result:n}:Dt(s),picture:{scene:o=>mt[e].scene(n,l.model,o??t)}}}function Qt({name:e,title:t,reads:n,more:s,words:o,height:a,look:r,hidden:i,children:c,below:u}){const{fresh:d,status:h,model:p}=l,{scene:g,rows:w,widest:f}=mt[e],k=gt(e),x=()=>Math.max(560,document.getElementById("drop-picture-"+e)?.clientWidth??0);return m`<${Ce}
    id=${"drop-"+e}
    tag="caused"
    formats=${De}
    written=${()=>Sr(e,x())}
    ...${{title:t,reads:n,more:s,look:r,hidden:i}}
  >
    ${c}
    <${Qe}
      id=${"drop-picture-"+e}
      look="drop-picture"
      height=${a}
      widest=${f}
      data=${{"data-key":e,"data-fresh":String(d),"data-state":h}}
      scene=${S=>{const A=gt(e);return A&&g(A,l.model,S)}}
      drawn=${()=>l.evaluation?.id??""}
      label=${()=>l.evaluation?_r(e,l.evaluation):""}
    />
    ${u}
    <${Be}
      words=${o}
      data=${{"data-drop-table":e}}
      caption=${()=>(k&&g(k,p,640).desc)??""}
      rows=${k&&(()=>w(k))}
    />
  <//>`}function Er(){const{model:e,evaluation:t}=l,{share:n,title:s}=N(),a=e!==null&&!e.labels.length||t?.state==="done"&&!gt("labels");return m`<div class="drop-grid">
    <${Qt}
      name="accuracy"
      look="panel-drop-accuracy"
      title=${s}
      reads=${On(Pe.accuracy)}
      more=${ft.accuracy}
      words=${(n?"Accuracies":s)+" as a table"}
      height=${228}
      below=${m`<${vr} />`}
    >
      <${gr} /><${wr} />
    <//>
    <div class="column">
      <${Qt}
        name="labels"
        title="Effect by label"
        reads=${On(Pe.labels)}
        more=${ft.labels}
        words="Effect by label as a table"
        height=${262}
        hidden=${a}
      />
      <${Qt}
        name="domains"
        title="Effect by data set"
        reads=${_n(xr)}
        words="Effect by data set as a table"
        height=${102}
      />
    </div>
  </div>`}const ws={shown:jt,units:()=>l.model?.units,write:Qn,noSwap:({model:e})=>At(e)?"":"There is no model "+e+" here."};function We(){const{evaluation:e,pinned:t}=l,n=t&&V.value&&e?e.comparison:null;return e&&n&&n.a&&n.by_distribution.length?{a:n.a,b:e,comparison:n}:null}function Mr(){const{evaluation:e,pinned:t,status:n,problem:s}=l;if(!t)return"A is what is shown: leave other units out, or choose another model, to compare it with A.";const o=e?.comparison?.problem;return o?"A and B are not compared. "+o:s?"Nothing to compare: "+s.detail:n==="cancelled"?"Cancelled before both had a figure.":"Both are scored now."}function Tr({comparison:{covered:e,total:t}}){return e===t?"On the same "+v(t)+" samples, all of which both have scored.":"On "+v(e)+" of "+v(t)+" samples so far: those that both have scored."}const Ar=({of:e})=>m`<div class="compare-sides">
    ${[["a","A"],["b","B"]].map(([t,n])=>m`<div class="compare-side" data-side=${t}>
            <div class="compare-name"><span class="pin-letter">${n}</span> ${me(e[t])}</div>
            <div class="numbers">
              ${ue(e[t]).map(({where:s,evaluation:o})=>{const{accuracy:a,change:r}=Pt(o),i={...r,name:"Change to its full model"};return m`
                  <${U} main=${!0} ...${q(a,s)} />
                  <${U} ...${q(i,s)} />
                `})}
            </div>
          </div>`)}
  </div>`,$t=[["both","both"],["only_a","only A"],["only_b","only B"],["neither","neither"]];function Rr({parts:e}){const t=e.filter(s=>s.outcomes);if(!t.length)return null;const n=["Samples right with",...$t.map(([,s])=>s)];return m`<${aa}
    look="compare-outcomes"
    heads=${n.map(s=>m`<th scope="col">${s}</th>`)}
    rows=${t.map(({name:s,outcomes:o})=>m`<tr>
          <th scope="row">${e.length>1||s==="out"?Q[s]:"all samples"}</th>
          ${$t.map(([a])=>m`<td data-outcome=${a}>${v(o?o[a]:0)}</td>`)}
        </tr>`)}
  />`}function Nr({of:e}){const t=N(e.b.measure),n=e.comparison.by_distribution;return m`
    <div class="numbers compare-difference">
      ${n.map(({name:s,count:o,difference:{accuracy:a}})=>{const r={name:"B minus A",value:a?t.change(a.value):Dn,unit:t.changeUnit,detail:wo(a,t.change,"")+", "+v(o)+" samples",mood:oa(a,t.higher)},i=n.length>1||s==="out"?Q[s]:"";return m`<${U} id=${"drop-difference-"+s} main=${!0} ...${q(r,i)} />`})}
    </div>
    <${Rr} parts=${n} />
  `}function Cr({a:e,b:t}){const{name:n}=N(t.measure),s=[["what","A","A_low","A_high","B","B_low","B_high"]],o=c=>c?[c.value,c.low??"",c.high??""]:["","",""],a=new Map(ue(t).map(c=>[c.where,c.evaluation]));for(const{where:c,evaluation:u}of ue(e)){const[d,h]=[a.get(c),c&&", "+c];s.push([n+h,...o(u.accuracy),...o(d?.accuracy)]),s.push(["loss"+h,...o(u.loss),...o(d?.loss)])}const r=c=>c.name+(c.distribution?", "+c.distribution:""),i=Zt();for(const c of i?["best first","worst first","random"]:[])for(const u of[...new Set([i?.a,i?.b].flatMap(d=>d?.retention??[]).map(d=>d.share_kept))].sort((d,h)=>h-d)){const[d,h]=[i?.a,i?.b].map(g=>g?.retention.find(w=>w.order===c&&w.share_kept===u)),p=g=>g?[g.accuracy,g.low,g.high]:["","",""];s.push([c+", share kept "+u.toFixed(3),...p(d),...p(h)])}for(const[c,u]of[["label ",xe],["",ke]]){const d=new Map(u(t).map(h=>[r(h),h]));for(const h of u(e)){const p=d.get(r(h)),g=p?[p.accuracy,p.low,p.high]:["","",""];s.push([c+r(h),h.accuracy,h.low,h.high,...g])}}return s}function Br({b:{data:e},comparison:t}){const n=new Map(t.by_distribution.map(r=>[r.name,r.outcomes])),s=Object.fromEntries(Object.entries(Q).map(([r,i])=>[i,r])),o=t.by_distribution[0].name,a=[["what","distribution","samples","A","B","B_minus_A","low","high",...$t.map(([r])=>r)]];for(const{name:r,where:i,main:c,count:u,a:d,b:h,value:p,low:g,high:w}of ds(t,e)){const f=c?n.get(s[i]??o):null,k=$t.map(([x])=>f?f[x]:"");a.push([r,i||Q[o],u,d,h,p,g??"",w??"",...k])}return a}const bs={compared:{scene:({a:e,b:t},n,s)=>hr(e,t,n,{alone:s,curves:Zt()}),rows:Cr,Numbers:Ar},difference:{scene:({b:e},t)=>pr(e,t),rows:Br,Numbers:Nr}};function Ir({a:e,b:t,comparison:n}){const[s,o]=[e,t].map(a=>Tn(a,Lt));return{...ct(),a:s,b:o,samples_compared:n.covered}}function Pr(e){const t=We();if(!t)return null;const{scene:n,rows:s}=bs[e],o=s(t),{a,...r}=t.comparison;return{name:"drop-"+e,facts:Ir(t),rows:()=>o,json:()=>e==="difference"?{result:r}:{a:t.a,b:{...t.b,comparison:null}},picture:{scene:(i=1e3)=>n(t,i,!0)}}}const Dr={compared:{title:"A and B",words:"A and B side by side"},difference:{title:"Difference, B minus A",words:"B minus A"}};function ys({name:e,children:t}){const{scene:n,rows:s,Numbers:o}=bs[e],{title:a,words:r}=Dr[e],i=We();return m`<${Ce}
    id=${"drop-"+e}
    title=${a}
    reads=${Pe[e]}
    tag="caused"
    formats=${De}
    written=${()=>Pr(e)}
    coded=${!1}
    hidden=${i===null}
  >
    <div class="drop-compared" data-fresh=${String(l.fresh)}>
      <div class="compare-numbers">${i&&m`<${o} of=${i} />`}</div>
      <${Qe}
        data=${{"data-key":e}}
        scene=${c=>{const u=We();return u&&n(u,c,!1)}}
        drawn=${()=>l.evaluation?.id??""}
        label=${c=>c.title+". "+c.desc}
      />
      ${t}
    </div>
    <${Be}
      words=${r+" as a table"}
      data=${{"data-compare-table":e}}
      caption=${()=>(i&&n(i,1e3,!0).desc)??""}
      rows=${i&&(()=>s(i))}
    />
  <//>`}function Wr(){Re(rr,[]);const e=We();return m`<div class="drop-compare" hidden=${!V.value}>
    <div class="compare-words">
      ${V.value&&m`<p class="hint" role="status">${e?Tr(e):Mr()}</p>`}
    </div>
    <${ys} name="compared">
      <div class="compare-curves"><${ir} /></div>
    <//>
    <${ys} name="difference" />
  </div>`}const vs=[0,.25,.5,.75,1],ks=e=>100*e+(e===1?" %":""),en=[["baseline","full model","ink","surface"],["changed","this set","accent","accent"]],je=()=>(l.evaluation?ue(l.evaluation):[]).flatMap(({where:e,evaluation:{by_confidence:t}})=>en.flatMap(([n])=>(t?t[n]:[]).map(s=>({...s,where:e,key:n}))));function xs(e){const{evaluation:t}=l,n=[...new Set(je().map(({where:c})=>c))];if(!t||!n.length)return null;const s=Math.min(760,(e-24*(n.length-1))/n.length),[o,a]=[52,252],r=n.flatMap((c,u)=>{const d=u*(s+24),[h,p]=[we([0,1],[d+46,d+s-26],{ticks:vs,named:ks}),we([0,1],[a,o],{ticks:vs,named:ks})],g=en.map(([f,,k,x])=>{const S=je().filter(O=>O.where===c&&O.key===f),A=({count:O,confidence:y,accuracy:_})=>le(_.value)+" % right of "+v(O)+" answers, "+le(y)+" % sure";return[Ke(S,{x:O=>h(O.confidence),y:({accuracy:O})=>[p(O.low),p(O.high)],stroke:k}),Ye(S,{x:O=>h(O.confidence),y:O=>p(O.accuracy.value),fill:x,stroke:k,words:A})]}),w=[L(["accuracy"],{x:d,y:o-14,down:0,size:11,fill:"dim"}),L(["confidence"+(c&&", "+c)],{x:(h(0)+h(1))/2,y:a+31,down:0,size:11,fill:"dim",anchor:"middle"})];return[Bt(p,[h(0),h(1)]),He(h,[o,a]),Ve([0,1],{x:h,y:p,stroke:"unmatched",dash:[3,3]}),...g.flat(),...w]}),i=It(en.map(([,c,u])=>({text:c,stroke:u,ink:u,width:2})),{x:46,y:12,width:e});return be({width:e,height:a+40,title:"Accuracy by confidence with "+Xe(t,l.model)+": "+t.model,desc:"Accuracy of the answers in each tenth of confidence, with 95 % intervals.",marks:[i.marks,...r]})}const tn=()=>[["answers","distribution","least_confidence","count","mean_confidence","accuracy","low","high"],...je().map(({key:e,where:t,least:n,count:s,confidence:o,accuracy:{value:a,low:r,high:i}})=>[e,t,n,s,o,a,r,i])],jr=()=>m`<${Ce} id="drop-confidence" title="Accuracy by confidence" tag="caused" formats=${De} coded=${!1} hidden=${!je().length}
    reads="Share of right answers against their confidence, 95 % intervals. Below the dashed line the model is too sure."
    more="Confidence is the softmax probability of the answer. Each dot is one tenth of the scale, at the mean confidence of its answers."
    written=${()=>je().length?{name:"drop-confidence",facts:ct(),rows:tn,json:()=>Dt(tn()),picture:{scene:e=>xs(e??860)}}:null}>
    <${Qe} look="drop-picture" data=${{"data-key":"confidence","data-fresh":String(l.fresh)}} scene=${xs}
      drawn=${()=>l.evaluation?.id??""} label=${e=>e.title+". "+e.desc} />
    <${Be} words="Accuracy by confidence as a table" caption=${()=>"Accuracy by tenths of confidence"} rows=${tn} />
  <//>`,nn=({experts:e,top_k:t},{kind:n,top_k:s})=>n==="drop"?Math.max(0,e-(s??t)):e;function Os(e,t,n,s=!0){const o=et(e),a=new Set(o),r=t.filter(h=>a.has(h)),i=nn(e,n);if(r.length&&r.length>=i)return{back:r};const c=t.filter(h=>!a.has(h)),u=i===e.experts||!i;if(!u&&!s)return{out:[...c,...o.slice(-i)]};const d=e.name+(u?".*":".least:"+i);return{rule:[...c,d]}}const Oe={drop:"dropped",mute:"muted",mean:"mean",resample:"resampled"},Ur={...Oe,mean:"at their mean"},wt={drop:"Drop ",mute:"Mute ",mean:"Put the mean in place of ",resample:"Resample "},_s="data-drop-unit",Ue=e=>e!==null&&e.units.length>vo&&!R({model:e}),Ss=e=>e!==null&&!Ue(e)&&!R({model:e});function _e(e,t){const n=new Set(C());e.forEach(i=>t?n.add(i):n.delete(i));const{choice:s,model:o}=l,a=new Set(Wt());if(!e.some(i=>a.has(i))&&s.least){const i=new Set(s.units);e.forEach(u=>t?i.add(u):i.delete(u));const c=o.units.filter(u=>i.has(u));I({units:c})}else st([...n])}const sn=(e,t,n)=>t?"Bring "+e+" back":wt[n]+e;function qr({unit:e,units:t,away:n,kind:s,measured:o}){const a=n?o?Oe[s]:"not "+Oe[s]+" yet":"",r=sn(e,n,s),[i,c]=[()=>tt(e),()=>tt(null)];return m`<button
    type="button"
    class="chip"
    ...${{[_s]:e}}
    data-state=${n?s==="drop"?"dropped":"muted":"on"}
    title=${r}
    aria-pressed=${String(n)}
    aria-label=${e+(a&&", "+a)+". "+r}
    onClick=${()=>_e([e],!n)}
    onPointerEnter=${i}
    onPointerLeave=${c}
    onFocus=${i}
    onBlur=${c}
  >
    <span class="swatch" aria-hidden="true" style=${{background:yo(t,e)}}></span>
    ${e}
    <span class="chip-state">${a}</span>
  </button>`}function Fr(){const{model:e,choice:t,status:n,fresh:s}=l,o=s||n!=="failed"&&n!=="cancelled",[a,r]=[C(),Ss(e)?e?.units??[]:[]];return m`<div
    class="chips"
    role="group"
    aria-label="Units"
    hidden=${e!==null&&!Ss(e)}
    onKeyDown=${Wn}
  >
    ${r.map(i=>m`<${qr} key=${i} ...${{unit:i,units:r,away:a.includes(i),kind:t.kind,measured:o}} />`)}
  </div>`}const Lr=[["name","by name"],["connectivity","by connectivity"],["graph","as in the graph"]];function Gr(e,{model:t,graph:n}){return!n||e==="name"?t.units:(e==="graph"?n.order:kn(n.connectivity).reverse()).map(o=>t.units[o])}function bt(e){const{model:t,graph:n}=l;return t?ko(t.units,e,n&&n.connectivity):[]}function zr(){const{model:e,graph:t,choice:n}=l,{units:s,unit:o}=X(e),a=v(C().length)+" of "+v(e.units.length),r=t?"; the stronger the colour, the better connected":"";return a+" "+(e.units.length===1?o:s)+" "+Ur[n.kind]+r}function Jr({asked:e,order:t}){const{model:n,graph:s,choice:o}=l;if(!n||!Ue(n))return null;const a=bt(e.value).length,r=xo(n.units,e.value,s&&s.connectivity,X(n)),i=()=>_e(bt(e.value),!0);return m`
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
    <${j} id="drop-take" wait=${!a} act=${i}>${(wt[o.kind]+(a||"")).trim()}<//>
    <${j} id="drop-bring" wait=${!a} act=${()=>_e(bt(e.value),!1)}>Bring back<//>
    <${Z}
      id="drop-order"
      look="small-input"
      label="Order of the units"
      options=${Lr}
      chosen=${t.value}
      onChoose=${c=>t.value=c}
      wait=${!s}
      hidden=${!ye(l)}
    />
    <span class="hint" id="drop-count">${zr()}</span>
  `}function Hr(){const[e,t]=[Ne(""),Ne("name")],n=Rt(null);return Re(()=>{const s=n.current,o=new ra(s,_s,{toggle:_e,point:r=>tt(r),about(r,i){const{graph:c,model:u,choice:d}=l,h=c?", q "+c.connectivity[u.units.indexOf(r)].toFixed(1):"";return r+h+". "+sn(r,i,d.kind)}}),a=[W(()=>{const r=l,{graph:i,model:c}=r;Ue(c)&&(o.show(Gr(t.value,r)),i&&o.shade(u=>i.connectivity[c.units.indexOf(u)]),o.ring(bt(e.value)))}),W(()=>{const{model:r,choice:i}=l;Ue(r)&&(o.mark(C(),Oe[i.kind]),s.dataset.kind=i.kind)})];return()=>a.forEach(r=>r())},[]),m`<div class="drop-many" hidden=${!Ue(l.model)}>
    <div class="interventions drop-row"><${Jr} asked=${e} order=${t} /></div>
    <div ref=${n} role="group" aria-label="Units"></div>
  </div>`}const Es=({id:e,name:t,label:n,value:s,most:o,words:a,wait:r=!1,onSlide:i})=>m`<div class="control" title=${n}>
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
  </div>`;function Kr(){if(!ye(l))return null;const{model:e,graph:t,graphProblem:n,choice:s}=l,o=s.edges===null?1:s.edges;return m`<div class="interventions drop-row">
    <${Es}
      id="drop-least"
      name="n least connected"
      label="Drop the n units of least connectivity q"
      value=${s.least}
      most=${e.units.length-1}
      words=${s.least+" of "+e.units.length}
      wait=${!t}
      onSlide=${a=>I({least:a},!0)}
    />
    <${Es}
      id="drop-edges"
      name="share of edges kept"
      label="Share of the links that is kept, the most probable first"
      value=${Math.round(100*o)}
      most=${100}
      words=${bo(o)+" %"}
      onSlide=${a=>I({edges:a===100?null:a/100},!0)}
    />
    <span class="hint">
      ${n?"The graph: "+n.message:t?"":"Reading the graph"}
    </span>
  </div>`}const Yr="data-drop-unit",qe="data-drop-layer",Ms=({id:e,name:t,unit:n="",value:s,least:o,most:a,act:r})=>m`<span class="control">
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
  </span>`;function Xr(){const{model:e,choice:t,use:n,sets:s}=l,{units:o}=X(e),a=C().length,r=v(a)+" of "+v(e.units.length)+" "+o+" "+Oe[t.kind];return s.length?r+(n?"":"; observing their use"):r+"; no use is observed without a data set"}function Zr(){const{model:e,use:t}=l;return t?(ca(e?.layers??[])?"Shade and number":"Shade")+": observed "+Y.weight+", in % of the layer, with all experts on, over "+v(t.count)+" samples of "+t.data.join(", ")+".":""}function Vr({least:e,share:t}){const{model:n,choice:s,ruled:o,sets:a}=l;if(!n||!R(l))return null;const r=(n.layers??[]).reduce((p,g)=>p+nn(g,s),0),i=()=>ot(["least:"+e.value]),c=()=>ot(["share:"+t.value/100]),u=wt[s.kind].trim(),d=!C().length,h=m`
    <${Ms}
      id="drop-least-used"
      name=${"Least "+Y.weight}
      value=${e}
      least=${1}
      most=${r}
      act=${i}
    />
    <${j} id="drop-take-least" act=${i}>${u}<//>
    <${Ms}
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
    ${a.length>0&&h}
    <${j} id="drop-bring" wait=${d} act=${()=>st([])}>Bring all back<//>
    <span class="hint" id="drop-count">${Xr()}</span>
    <span class="hint" id="drop-ruled" role="status" aria-live="polite" data-refused=${String(!!o?.refused)}>
      ${o?o.text:""}
    </span>
  `}function Qr(e){const{model:t,choice:n,sets:s}=l,o=(t.layers??[]).find(r=>r.name===e);if(!o)return;const a=Os(o,C(),n,s.length>0);"back"in a?_e(a.back,!1):"out"in a?st(a.out):ot(a.rule)}function ei(){const[e,t]=[Ne(4),Ne(25)],n=Rt(null);return Re(()=>ti(n.current),[]),m`<div class="drop-experts" hidden=${!R(l)}>
    <div
      ref=${n}
      class="expert-grid"
      role="group"
      aria-label="Experts by layer"
      onClick=${s=>{const o=s.target instanceof Element&&s.target.closest("["+qe+"]")?.getAttribute(qe);o&&Qr(o)}}
    ></div>
    <p class="hint expert-legend">${Zr()}</p>
    <div class="interventions drop-row"><${Vr} least=${e} share=${t} /></div>
  </div>`}function ti(e){const t=new ia(e,Yr,{toggle:_e,point:n=>tt(n),about(n,s){const{use:o,choice:a}=l,r=o?.units.find(c=>c.unit===n),i=r?", "+Y.weight+" "+le(r.share)+" % of its layer":"";return n+i+". "+sn(n,s,a.kind)}});return nt(({model:n,choice:s,use:o,sets:a},r)=>{if(!(!n||!R({model:n}))&&(r.has("model")&&t.lay(n.layers??[],qe),(r.has("model")||r.has("use"))&&t.tell(o&&new Map(o.units.map(({unit:i,share:c})=>[i,c]))),!!["model","choice"].some(i=>r.has(i)))){t.mark(C(),Oe[s.kind]),e.dataset.kind=s.kind;for(const i of e.querySelectorAll("["+qe+"]")){const c=(n.layers??[]).find(w=>w.name===i.getAttribute(qe));if(!c)continue;const u=Os(c,C(),s),d=c.experts-nn(c,s),h=a.length?d+" most used experts of ":"first "+d+" experts of ",p=d?"all but the "+h:"all experts of ",g=("back"in u?"Bring back the experts of ":wt[s.kind]+p)+"layer "+jn(c.name);i.setAttribute("title",g),i.setAttribute("aria-label","layer "+jn(c.name)+". "+g)}}})}const[ni,on,Ts,si,oi,ai]=[236,196,52,14,30,36],Se={tokens:"by "+Y.tokens,weight:"by "+Y.weight,effect:"by caused effect",greedy:"greedy, by caused effect",chance:"by chance"},ri=({baseline:e})=>e.map(t=>t.domain).sort((t,n)=>+(n==="all")-+(t==="all")),yt=e=>e==="all"?"all data sets":e,ii=(e,t)=>t==="figure"?e.figure:e.change,ci=(e,t)=>t==="figure"?e.random:e.random_change,As=e=>e?[e.value,e.low,e.high]:[];function Fe(e,t){const{value:n,low:s,high:o}=e;return t(n)+(s===null||o===null?"":" (95 %: "+t(s)+" to "+t(o)+")")}const li=({low:e,high:t},n)=>e===null||t===null?"":", from "+n(e)+" to "+n(t),Rs=(e,t)=>t==="all"||e.data.length===1?e.count:e.data.find(({name:n})=>n===t)?.count,vt=e=>e===void 0?"":", over "+v(e)+" samples",Ns=(e,t)=>e.draws??t.draws;function ui(e){const t=e.curve.filter(o=>o.random).map(o=>Ns(o,e)),[n,s]=t.length?[Math.min(...t),Math.max(...t)]:[e.draws,e.draws];return(n<s?n+" to "+s:s)+" random sets"}function di(e,t){const n=N(t.measure),s=i=>Ae(n,i),o=i=>n.change(i)+" "+n.changeUnit,a=yt(e.domain)+", "+le(e.share)+" % kept ("+v(e.experts)+" experts), "+Se[t.order]+": ",r=e.random&&e.random_change?"; "+Ns(e,t)+" random sets "+s(e.random.value)+li(e.random,s):"";return a+Fe(e.figure,s)+"; change "+Fe(e.change,o)+vt(Rs(t,e.domain))+r}function hi({found:e,domain:t,shown:n,mark:s,dx:o,dy:a,width:r}){const i=N(e.measure),c=e.curve.filter(b=>b.domain===t).sort((b,E)=>E.share-b.share),u=e.baseline.find(b=>b.domain===t)?.figure,d=n==="figure"?u:{value:0,low:null,high:null},h=s.figures.get(t),p=h&&(n==="figure"?h.figure:h.change),g=[...d?[{share:1,at:d}]:[],...c.map(b=>({share:b.share,at:ii(b,n)}))],w=c.flatMap(b=>[ci(b,n)].flatMap(E=>E?[{share:b.share,at:E}]:[])),k=[...g,...w].flatMap(({at:b})=>As(b)).concat(As(p)).filter(b=>b!==null),[x,S]=[Math.min(...k),Math.max(...k)],A=.06*(S-x||Math.abs(S)||1),[O,y,_,H]=[o+Ts,o+r-si,a+oi,a+on-ai],te=Math.min(s.share,...c.map(b=>b.share),.9),fn=we([1,te],[O,y],{round:!1,ticks:[1,.75,.5,.25,0].filter(b=>b>=te-.02),named:b=>Math.round(100*b)+(b===1?" %":"")}),ie=i.share?100:1,ne=we([ie*(x-A),ie*(S+A)],[H,_],{round:!1,most:6}),{named:to}=ne;n==="change"&&(ne.named=b=>(b>0?"+":"")+to(b));const se={x:({share:b})=>fn(b),y:({at:b})=>ne(ie*b.value)},mn=({at:{low:b,high:E}})=>b===null||E===null?null:[ne(ie*b),ne(ie*E)],no=b=>Ae(i,b),so=b=>d&&!b?yt(t)+", all experts: "+Fe(u??d,no)+vt(Rs(e,t)):di(c[b-(d?1:0)],e),oo=(b,E)=>d&&!E?"ink":"accent",gn=h&&p?[{share:s.share,at:p}]:[],$n=w.length&&d?[{share:1,at:{...d,low:d.value,high:d.value}},...w]:w;return[L([yt(t)],{x:O,y:a+14,down:0,size:12.5,weight:650,room:y-O}),Bt(ne,[O,y],{strong:n==="change"?0:null}),He(fn,[_,H],{grid:!1}),Pn($n,{...se,y:({at:{value:b,low:E,high:ao}})=>[ne(ie*(E??b)),ne(ie*(ao??b))],fill:"unmatched"}),Ve($n,{...se,stroke:"unmatched",width:1.5,dash:[4,3]}),Bn([s],{x:se.x,y:[_,H],stroke:"marker",width:1.2,dash:[3,3]}),g.length>1?Ve(g,{...se,stroke:"accent"}):[],Ke(g,{...se,y:mn,r:0,stroke:oo}),Ye(g,{...se,r:3.5,fill:(b,E)=>d&&!E?"surface":"accent",stroke:(b,E)=>d&&!E?"ink":void 0,width:1.5,words:(b,E)=>so(E),reach:14,rise:14}),Ke(gn,{...se,y:mn,r:0,stroke:"marker"}),la(gn,{...se,text:"diamond",r:6,stroke:"surface",width:1.5,fill:"marker",words:h&&pi(t,s,h,i),reach:14,rise:14})]}function pi(e,{share:t},{figure:n,change:s,count:o},a){const r=u=>Ae(a,u),i=u=>a.change(u)+" "+a.changeUnit;return yt(e)+", what the page left out, "+le(t)+" % kept: "+Fe(n,r)+(s?"; change "+Fe(s,i):"")+vt(o)}function Cs(e,t,n,s){const o=ri(e),a=Math.max(1,Math.min(o.length,Math.floor(s/ni))),r=s/a,i=Math.ceil(o.length/a)*on,c=N(e.measure),u=c.unit&&!c.name.startsWith(c.unit)?" ("+c.unit+")":"",d=t==="figure"?c.title+u:"Change of "+c.name,h=It([{text:d,key:"none",ink:"ink",weight:600},{text:Se[e.order]+"; whiskers 95 %"+vt(e.count),stroke:"accent"},...e.draws?[{text:ui(e)+": mean, least to largest",stroke:"unmatched"}]:[]],{x:s<420?8:Ts,y:i+8,width:s,size:11.5});return be({width:s,height:i+h.height+4,title:d+" while fewer experts are kept, "+Se[e.order]+": "+e.model,desc:"A facet a data set: "+d+" against the share of experts that is kept. The line goes "+Se[e.order]+", whiskers are 95 % intervals, the band spans random sets of the same size; the dashed upright is where the bars stand.",marks:[o.map((p,g)=>hi({found:e,domain:p,shown:t,mark:n,width:r,dx:g%a*r,dy:Math.floor(g/a)*on})),h.marks]})}const Bs=e=>[["domain","share","experts","figure","low","high","change","change_low","change_high","random","random_low","random_high","random_change","random_change_low","random_change_high"],...e.curve.map(({domain:t,share:n,experts:s,figure:o,change:a,random:r,random_change:i})=>[t,n,s,...[o,a,r,i].flatMap(c=>[c?.value??"",c?.low??"",c?.high??""])])],Le=26,[fi,mi,Ee]=[5,40,18],[an,gi]=[.25,.85],Is=e=>Math.max(1,...e.map(t=>t.experts));function rn(e,t){const n=Math.max(fi,Math.min(mi,Math.floor(t/Is(e))));return{cell:n,width:n*Is(e),height:Le*e.length}}function Ps({layers:e,counts:t,places:n},s,o){if(!n)return{goes:!1,opacity:an};const a=e[s].experts-t[s],r=n[s][o],i=Math.max(1,e[s].experts-1);return{goes:r<a,opacity:an+(gi-an)*r/i}}function $i(e,t,n){const s=Oo(),o=rn(t.layers,n),a=ha(e,o.width,o.height);a.clearRect(0,0,o.width,o.height);const r=o.cell>8?2:1,i=(Le-Ee)/2;t.layers.forEach((c,u)=>{const d=u*Le+i;for(let h=0;h<c.experts;h+=1){const{goes:p,opacity:g}=Ps(t,u,h),[w,f]=[h*o.cell,o.cell-r];if(p){a.globalAlpha=1,a.strokeStyle=s.bad,a.lineWidth=1,f>7?(a.strokeRect(w+.5,d+.5,f-1,Ee-1),a.beginPath(),a.moveTo(w+3,d+Ee-3),a.lineTo(w+f-3,d+3),a.stroke()):(a.fillStyle=s.bad,a.fillRect(w,d+Ee/2-1,f,2));continue}a.globalAlpha=g,a.fillStyle=s.accent,a.fillRect(w,d,f,Ee)}}),a.globalAlpha=1,Object.assign(e.style,{width:o.width+"px",height:o.height+"px"})}function wi(e,t,n,s){const[o,a]=[Math.floor(s/Le),Math.floor(n/t)];return o>=0&&o<e.length&&a>=0&&a<e[o].experts?{row:o,expert:a}:null}function bi(e,t,n){const{layers:s,counts:o}=e,a=s.map(({name:p})=>Te(p)),r=Math.ceil(ua(a,11.5))+12,i=rn(s,t-r-70),c=da(a,[0,i.height],Le-Ee),u=s.flatMap((p,g)=>Array.from({length:p.experts},(w,f)=>({row:g,x:r+f*i.cell,...Ps(e,g,f)}))),d=i.cell-(i.cell>8?2:1),h={y:({row:p})=>c.extent(p),x:({x:p})=>[p,p+d],rx:2};return be({width:t,height:i.height+6,title:n,desc:"A row a layer, a cell an expert: filled ones stay, the stronger the later they would go; hollow ones go.",marks:[L(a,{x:r-8,y:(p,g)=>c(g),size:11.5,anchor:"end"}),Un(u.filter(({goes:p})=>p),{...h,stroke:"bad",width:1}),Un(u.filter(({goes:p})=>!p),{...h,fill:"accent",opacity:({opacity:p})=>p}),L(s,{x:r+i.width+8,y:(p,g)=>c(g),text:(p,g)=>o[g]+" of "+p.experts,size:11.5,fill:"dim"})]})}const ae=({experts:e,top_k:t})=>Math.min(t,e),yi=5e5,Ds=(e,t,n)=>Math.max(t,Math.min(n,e)),cn=e=>e.map(t=>t.experts),kt=(e,t)=>e.map(n=>Ds(Math.ceil(Number((n.experts*t).toFixed(9))),ae(n),n.experts)),Ws=(e,t,n)=>Us(e,t,(s,o)=>o<=n),js=e=>e.slice(0,e.lastIndexOf("."));function Us(e,t,n){const s=cn(e),o=new Map(e.map((r,i)=>[r.name,i]));let a=s.reduce((r,i)=>r+i,0);for(const r of t){if(n(s,a))break;const i=o.get(js(r))??-1;i<0||s[i]<=ae(e[i])||(s[i]-=1,a-=1)}return s}function qs(e,t){const n=new Map(e.map(s=>[s.name,[]]));for(const s of t){const o=js(s);n.get(o)?.push(Number(s.slice(o.length+2))-1)}return e.map(({name:s,experts:o})=>{const a=n.get(s)??[],r=new Set(a),i=Array.from({length:o},(u,d)=>d).filter(u=>!r.has(u)),c=new Int32Array(o);return[...a,...i].forEach((u,d)=>c[u]=d),c})}const vi=(e,t,n)=>e.flatMap((s,o)=>et(s).filter((a,r)=>t[o][r]<s.experts-n[o]));function ki(e,t,n,s,o,a){const r=Ds(a,ae(t[o]),t[o].experts);return e==="alike"?kt(t,r/t[o].experts):e==="own"?s.map((i,c)=>c===o?r:i):Us(t,n,i=>i[o]<=r)}const xi=({units:e})=>e.map(({unit:t,share:n},s)=>({unit:t,share:n,at:s})).sort((t,n)=>t.share-n.share||t.at-n.at).map(({unit:t})=>t);function Fs(e,t,n){const s=e.reduce((r,i)=>r+i.experts,0),o=s-e.reduce((r,i)=>r+ae(i),0);if(t==="effect")return s+1;if(t!=="greedy")return 0;let a=0;for(let r=0;r<o;r+=n)a+=s-r+1;return a}function Ls(e,t,n){if(e!=="greedy")return 1;const s=t.reduce((a,r)=>a+r.experts,0);let o=1;for(;o<s&&Fs(t,e,o)*n>yi;)o*=2;return o}function Oi(e,t,n){const s=e.map(a=>a.experts-ae(a)),o=e.findIndex(a=>a.experts===Math.max(...cn(e)));return Math.min(n,t==="all"?s.reduce((a,r)=>a+r,0):s[o])}const D="pruning",xt=8,_i=64*1024*1024,Si=700,Ei=20,{state:$,update:T,subscribe:mc}=bn({model:null,layers:[],order:"weight",way:"alike",samples:128,draws:8,counts:[],known:null,found:null,said:"",writes:!1});function Ge(){const{model:e,order:t,way:n,samples:s,draws:o,layers:a}=$,r=n==="together"?"all":"layer",i=Ls(t,a,s);return{model:e,data:ee(),samples:s,order:t,scope:r,at_once:i,points:xt,draws:o,seed:0}}function Gs(){const{model:e,data:t,samples:n,order:s,at_once:o,seed:a}=Ge();return JSON.stringify({model:e,data:t,samples:n,order:s,atOnce:o,seed:a})}function J(){const{known:e,order:t}=$,n=e&&e.of===Gs()?e:null;if(n)return{...n,preliminary:!1};const{use:s}=l;return t!=="weight"||!s?null:{...Mi(s),of:"",preliminary:!0}}let Ot=null;function Mi(e){const{layers:t}=$;if(Ot?.use===e&&Ot.layers===t)return Ot;const n=xi(e);return Ot={use:e,layers:t,sequence:n,places:qs(t,n)}}function zs(){const e=J();return e?vi($.layers,e.places,$.counts):[]}function re(){return{stay:$.counts.reduce((t,n)=>t+n,0),whole:$.layers.reduce((t,n)=>t+n.experts,0)}}function Ti(e,t){const{way:n,layers:s,counts:o}=$;T({counts:ki(n,s,J()?.sequence??[],o,e,t),said:""})}function Ai(e){const{way:t,layers:n}=$,s=J()?.sequence??[],o=t==="together"?Ws(n,s,e):kt(n,e/re().whole);T({counts:o,said:""})}const Ri=()=>T({counts:cn($.layers),said:""});function _t(e){const t=JSON.stringify(Ge());T({...e,said:""}),$.way!=="own"&&Js(),JSON.stringify(Ge())!==t&&($.found&&T({found:null}),$e(D))}function Js(){const{way:e,layers:t}=$,{stay:n,whole:s}=re();if(!s)return;const o=J()?.sequence??[];T({counts:e==="alike"?kt(t,n/s):Ws(t,o,n)})}const ln=()=>Mt(D,"/prunings",Ge());function Ni(){I({kind:"drop",units:zs(),least:0,top_k:null})}function un(){const e=zs(),{choice:t}=l,n=t.kind==="drop"&&t.top_k===null?C():[];return e.length>0&&e.length===n.length&&e.every((s,o)=>s===n[o])}const Hs=e=>"/prunings/"+encodeURIComponent($.found?.id??"")+"/"+e+"?keep="+$.counts.join(",");async function Ci(){if(!$.found)return null;T({said:""});try{return await(await Sn(Hs("keep-list"))).blob()}catch(e){return T({said:e.message}),null}}async function Bi(){if(!$.found||$.writes)return null;const e=Hs("model");T({said:"",writes:!0});try{const t=await Sn(e);return Number(t.headers.get("Content-Length")??1/0)<=_i?await t.blob():(await t.body?.cancel(),_o+e)}catch(t){return T({said:t.message}),null}finally{T({writes:!1})}}let Ks=0;async function Ii({job:e}){if(!e||!["running","done"].includes(e.state)||!$.model)return;const t=e.state==="running";if(t&&(!e.total||performance.now()-Ks<Si)||!t&&$.found?.id===e.id&&$.found.complete)return;Ks=performance.now();const n=await K("GET","/prunings/"+encodeURIComponent(e.id)).catch(()=>null);if(!(!n||F(D).job?.id!==e.id||n.model!==$.model)&&!($.found?.id===n.id&&Pi(n,$.found))&&n.sequence.length){const s=Gs(),o=$.known?.of===s?$.known:{of:s,sequence:n.sequence,places:qs($.layers,n.sequence)};T({known:o,found:n}),$.way==="together"&&Js()}}const Pi=(e,t)=>t.complete||!e.complete&&e.curve.length<t.curve.length;function Ys(e){const{choice:t}=l,n=new Set(t.kind==="drop"?C():[]);return e.map(s=>{let o=0;for(let a=1;a<=s.experts;a+=1)n.has(s.name+".e"+a)||(o+=1);return Math.max(o,ae(s))})}function Xs(e,t){const n=kt(e,t[0]/e[0].experts);return t.some((s,o)=>s!==n[o])}async function Di(){const{model:e}=$,t=await K("GET","/jobs?kind="+D+"&limit="+Ei).catch(()=>null);if(!t||$.model!==e||F(D).job||F(D).starting)return;const n=JSON.stringify(ee()),s=t.items.find(({state:p,owner:g,request:w})=>["running","queued","done"].includes(p)&&g!=="another"&&w.model===e&&JSON.stringify(w.data)===n&&!w.keep&&w.points===xt);if(!s)return;const o=s.request,{order:a,scope:r,samples:i,draws:c}=o,u=r==="all"?"together":Xs($.layers,$.counts)?"own":"alike";T({order:a,way:u,samples:i,draws:c});const d=Ge();Object.keys(d).every(p=>JSON.stringify(d[p])===JSON.stringify(s.request[p]))&&ln()}let dn="",hn=!1;function Wi(){const e=[Et(D,t=>{Ii(t)}),nt(({model:t},n)=>{if(!n.has("model")&&!n.has("choice"))return;const s=t?.layers??[],o=t&&s.length?t.id:null;if(o!==$.model&&($.model&&$e(D),dn=JSON.stringify(ee()),hn=!0,T({model:o,layers:s,counts:Ys(s),known:null,found:null,said:""})),!o||!n.has("choice"))return;if(hn){hn=!1;const r=Ys(s);T({counts:r,way:Xs(s,r)?"own":"alike"}),Di();return}const a=JSON.stringify(ee());a!==dn&&(dn=a,($.found||F(D).job)&&$e(D),T({found:null}))})];return()=>{e.forEach(t=>t()),T({model:null,layers:[],counts:[],known:null,found:null,said:""})}}const ji=[["tokens","by "+Y.tokens+", observed"],["weight","by "+Y.weight+", observed"],["effect","by effect, caused"],["greedy","greedy, caused"],["chance","by chance"]],Ui=[["alike","all alike"],["together","all together, by the order"],["own","each on its own"]],qi={tokens:"Observed: experts that fewest tokens take go first. This predicts effects badly.",weight:"Observed: experts of least routing weight go first. This predicts effects badly.",effect:"Caused: each expert is dropped alone, and those that cost least go first.",greedy:"Caused: after every step all that are left are dropped in turn, and the cheapest goes.",chance:"By chance: what any other order has to beat."};function Fi(){const{order:e,layers:t,samples:n,draws:s,way:o}=$,a=Oi(t,o==="together"?"all":"layer",xt),r=Ls(e,t,n),c=Fs(t,e,r)+a*(1+s)+1,u=l.evaluation?.baseline?.samples_per_second,d=u?", about "+Tt(c*n/u):"";return v(c)+" sets of experts on "+v(n)+" samples"+d+"."+(r>1?" Experts go "+v(r)+" at once.":"")}function Li(){const{order:e,way:t,samples:n,draws:s,found:o,model:a}=$;if(!a)return null;const{job:r,starting:i,problem:c}=F(D),u=i||r!==null&&["queued","running"].includes(r.state),d=!!o?.complete,{read_only:h}=ce.value,p=xn(c)&&c?.message,g=(f,k,x)=>m`<div class="control"><label class="control-name" for=${f}>${k}</label>${x}</div>`,w="small-input";return m`<div class="interventions drop-row">
      ${g("studio-order","Experts go",m`<${Z}
          id="studio-order"
          look=${w}
          options=${ji}
          chosen=${e}
          onChoose=${f=>_t({order:f})}
        />`)}
      ${g("studio-way","Layers",m`<${Z}
          id="studio-way"
          look=${w}
          options=${Ui}
          chosen=${t}
          onChoose=${f=>_t({way:f})}
        />`)}
      ${g("studio-samples","Samples",m`<${Z}
          id="studio-samples"
          look=${w}
          options=${Nt([32,64,128,256],n)}
          chosen=${String(n)}
          onChoose=${f=>_t({samples:Number(f)})}
        />`)}
      ${g("studio-draws","Random sets",m`<${Z}
          id="studio-draws"
          look=${w}
          options=${Nt([0,4,8,16],s)}
          chosen=${String(s)}
          onChoose=${f=>_t({draws:Number(f)})}
        />`)}
      ${!h&&m`<button
          type="button"
          class="button"
          id="studio-start"
          disabled=${u||d}
          onClick=${()=>ln()}
        >
          ${d?"Computed":"Compute order and curves"}
        </button>`}
    </div>
    <p class="hint" id="studio-rests">
      ${qi[e]} ${p||(d||u||h?"":Fi())}
    </p>`}function Gi(){const{model:e,found:t}=$,{job:n,starting:s,problem:o}=F(D);ce.value.read_only&&e&&!t&&!n&&!s&&!o&&ge(ln)}const Zs=({name:e,label:t,value:n,least:s,most:o,at:a,onMove:r})=>m`<div class="studio-bar" data-studio-layer=${a}>
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
  </div>`;function zi(){const{layers:e,counts:t}=$;return e.map((n,s)=>{const o=Te(n.name),a="Experts that "+o+" keeps";return m`<${Zs}
      key=${n.name}
      ...${{name:o,label:a,at:s,value:t[s],least:ae(n),most:n.experts}}
      onMove=${r=>Ti(s,r)}
    />`})}function Ji(){const{layers:e}=$,{stay:t,whole:n}=re(),s=e.reduce((o,a)=>o+ae(a),0);return m`<${Zs}
    ...${{name:"all",label:"Experts that all layers keep",at:-1,value:t,least:s,most:n}}
    onMove=${Ai}
  />`}function Hi(){const e=J();if(!e)return m`Compute the order to see which experts go.`;const t=e.preliminary?"Preview by "+Y.weight+", as in the grid above. Compute the order for the final ranking. ":"";return m`${t}Filled cells stay, the stronger the later they would go; struck ones go.`}function Ki({row:e,expert:t}){const{layers:n,counts:s}=$,o=J(),a=n[e],r=et(a)[t];if(!o)return r;const i=o.places[e][t],c=i>=a.experts-s[e],u="it stays while "+(a.experts-i)+" or more of "+a.experts+" are kept";return r+(c?" stays":" goes")+": number "+(i+1)+" of its layer to go, "+u}function Yi(){const e=Rt(null);return Re(()=>{const t=e.current,n=t.querySelector("canvas");let s=1;function o(){const{layers:r,counts:i,model:c}=$,u=J(),{stay:d,whole:h}=re(),p=t.clientWidth;!c||p<20||(s=rn(r,p).cell,$i(n,{layers:r,counts:i,places:u?.places??null},p),n.dataset.painted=i.join(",")+(u?u.preliminary?" preliminary":" known":""),n.setAttribute("aria-label",d+" of "+h+" experts stay"+(u?"":"; who goes is not known yet")))}n.addEventListener("pointermove",r=>{const i=n.getBoundingClientRect(),c=wi($.layers,s,r.clientX-i.left,r.clientY-i.top);n.title=c?Ki(c):""});const a=[W(o),So(o),pa(t,o)];return()=>a.forEach(r=>r())},[]),m`<div ref=${e} class="studio-cells"><canvas role="img"></canvas></div>`}function pn(){const{layers:e,counts:t}=$,n=J();return[["layer","expert","goes_as","stays"],...e.flatMap((s,o)=>et(s).map((a,r)=>{const i=n?n.places[o][r]:null;return[s.name,a,i===null?"":i+1,i===null?"":String(i>=s.experts-t[o])]}))]}function Vs(e){const{id:t,model:n,revision:s,order:o,scope:a,at_once:r,draws:i,seed:c,count:u,chosen_on:d}=e,h=e.data.map(w=>({name:w.name,count:w.count,stand_in:w.stand_in})),p={keep:[...$.counts],points:xt},g={order:o,scope:a,at_once:r,draws:i,seed:c,...p};return{model:n,revision:s,data:h,samples:u,order_chosen_on:d,...g,pruning:t,kind:"caused"}}function Xi(){const{found:e,layers:t,counts:n}=$,s=J();if(!e||!s)return null;const{stay:o,whole:a}=re(),r=v(o)+" of "+v(a)+" experts stay, "+Se[e.order]+": "+e.model,i="Filled cells stay, the stronger the later they would go; hollow ones go.",c=["tokens","weight"].includes(e.order)?"observed":"caused";return{name:"pruning",title:r,caption:i,facts:{...Vs(e),kind:c},python:{figure:"kept-experts"},rows:pn,json:()=>Dt(pn()),picture:{scene:(u=640)=>bi({layers:t,counts:n,places:s.places},u,r)}}}function Zi(){const{found:e,said:t,writes:n,model:s}=$;if(!s)return null;const{stay:o,whole:a}=re(),r=o===a,i=J()!==null,c=async(u,d)=>{const h=await u,p=(s+d).replace(/[^\w.-]+/g,"_");typeof h=="string"?fa(h,p):h&&ma(h,h.type,p)};return m`<div class="interventions drop-row">
      <span class="studio-total"
        >${v(o)+" of "+v(a)+" experts stay, "+le(o/a)+" %"}</span
      >
      <${j} id="studio-apply" wait=${r||!i||un()} act=${Ni}>
        ${un()?"Applied to the page":"Apply to the page"}
      <//>
      <${j} id="studio-restore" wait=${r} act=${Ri}>Keep all<//>
      <${j} id="studio-keep-list" wait=${!e} act=${()=>c(Ci(),"-keep-list.json")}
        >Keep-list, JSON<//
      >
      <${j} id="studio-model" wait=${!e||n} act=${()=>c(Bi(),"-pruned.zip")}
        >Pruned model, ZIP<//
      >
    </div>
    <p class="hint" id="studio-said" role="status" aria-live="polite" data-refused=${String(!!t)}>
      ${t||(n?"Writing the pruned model":e?"":"Files are of a computed order.")}
    </p>`}function Qs(){const{stay:e,whole:t}=re(),n={share:t?e/t:1,experts:e,figures:new Map},{evaluation:s,fresh:o}=l;if(!s||!o||!un())return n;const{accuracy:a,change:r,done:i}=s;a&&n.figures.set("all",{figure:a,change:r&&r.accuracy,count:i});for(const c of s.by_domain){if(c.accuracy===null)continue;const u={value:c.accuracy,low:c.low,high:c.high},d=c.change===null?null:{value:c.change,low:c.change_low,high:c.change_high};n.figures.set(c.name,{figure:u,change:d,count:c.count})}return n}const Vi=[["figure","the figure"],["change","its change, paired"]];function Qi(e){const{found:t}=$;return!t||!t.curve.length?null:{name:"pruning-retention",facts:Vs(t),python:{figure:"retention"},rows:()=>Bs(t),json:()=>({pruning:t}),picture:{scene:(n=ec)=>Cs(t,e,Qs(),n)}}}const ec=960;function tc(){const e=Ne("figure"),{found:t}=$,n=t&&t.curve.length?t:null;return m`<${Ce}
    id="drop-studio-curves"
    title="Retention by data set"
    reads=${Pe.curves}
    more=${ft.curves}
    tag="caused"
    formats=${De}
    written=${()=>Qi(e.value)}
    hidden=${n===null}
  >
    <div class="studio-shown">
      <div class="control">
        <label class="control-name" for="studio-shown">Shown is</label>
        <${Z}
          id="studio-shown"
          look="small-input"
          options=${Vi}
          chosen=${e.value}
          onChoose=${s=>e.value=s}
        />
      </div>
    </div>
    <${Qe}
      look="studio-picture"
      widest=${1280}
      scene=${s=>{const{found:o}=$;return o&&o.curve.length?Cs(o,e.value,Qs(),s):null}}
      drawn=${()=>$.found?.id+" "+$.found?.curve.length+" "+e.peek()}
      label=${s=>s.title+". "+s.desc}
    />
    <${Be}
      words="Retention by data set as a table"
      data=${{"data-studio-table":"curves"}}
      caption=${()=>n?"Retention, "+Se[n.order]+", "+n.model:""}
      rows=${n&&(()=>Bs(n))}
    />
  <//>`}function nc(){Re(()=>{const o=[Wi(),W(Gi)];return()=>o.forEach(a=>a())},[]);const{model:e,found:t}=$,{stay:n,whole:s}=re();return m`<div
    class="studio-grid"
    hidden=${!e}
    data-found=${t?t.id:""}
    data-complete=${String(!!t?.complete)}
  >
    <${Ce}
      id="drop-studio"
      title="Pruning studio"
      reads=${Pe.studio}
      more=${ft.studio}
      formats=${De}
      written=${Xi}
    >
      <div><${Li} /></div>
      <div class="job" data-widget="job-progress" data-job=${D} data-what="Pruning of experts"></div>
      <div>
        <div class="studio-whole"><${Ji} /></div>
        <div class="studio-rows" role="group" aria-label="Experts that each layer keeps">
          <div class="studio-bars"><${zi} /></div>
          <${Yi} />
        </div>
        <p class="hint studio-legend"><${Hi} /></p>
        <${Be}
          words="Who stays and who goes as a table"
          data=${{"data-studio-table":"kept"}}
          caption=${()=>v(n)+" of "+v(s)+" experts stay"}
          rows=${e&&pn}
        />
      </div>
      <div><${Zi} /></div>
    <//>
    <${tc} />
  </div>`}const sc=qn.at(-1),oc=wn("drop","samples").offered;function ac(){const{model:e,sets:t}=l,n=ee(),s=t.filter(o=>e?.held_out.includes(o.name)&&n.includes(o.name));return m`<div id="drop-caption" class="caption">
    ${e&&m`<${va} ...${e} />`}
    <${ya} sets=${t} used=${n} />
    ${s.length>0&&m`<span class="tag" title="The model was never trained on it.">
        ${"out of distribution: "+s.map(o=>o.name).join(", ")}
      </span>`}
  </div>`}const ze=({id:e,name:t,hidden:n=!1,children:s})=>m`<div class="control" id=${e} hidden=${n}><span class="control-name">${t}</span>${s}</div>`;function rc(){const{model:e,choice:t}=l,n=e?rt(e):[de.kind],s=Object.keys(fs).map(o=>[o,fs[o],n.includes(o)?"":"This model does not take it."]);return m`<${ze}
    id="drop-kind-control"
    name=${"Click "+X(En()).a_unit+" to"}
    hidden=${e?.units.length===0}
  >
    <${Co}
      id="drop-kind"
      label="What is done to the units that are clicked"
      options=${s}
      chosen=${t.kind}
      onChoose=${o=>I({kind:o})}
    />
  <//>`}function ic(){const{model:e,choice:t}=l,n=e?.layers??[],{passes:s}=X(En());return n.length?m`<${ze} id="drop-top-k-control" name="Experts a token takes">
    <${Mn}
      id="drop-top-k"
      label="Number of experts that a token takes"
      chosen=${t.top_k}
      most=${Math.min(...n.map(o=>o.experts))}
      none=${[...new Set(n.map(o=>o.top_k))].join(" or ")+", as trained"}
      onChoose=${o=>I({top_k:o})}
    />
  <//>`:m`<${ze} id="drop-iterations-control" name=${s[0].toUpperCase()+s.slice(1)}>
      <${Mn}
        id="drop-iterations"
        label="Number of iterations"
        chosen=${t.iterations}
        most=${e?.most_iterations??sc}
        none="as trained"
        onChoose=${o=>I({iterations:o})}
      />
    <//>`}function cc(){const{model:e,sets:t,choice:n}=l;return m`<div class="interventions drop-row">
    <${ze} name="Data">
      <div class="chips" role="group" aria-label="Data sets" onKeyDown=${Wn}>
        <${ka}
          sets=${t}
          used=${ee()}
          attribute="data-drop-set"
          about=${s=>xa(s,!!e?.held_out.includes(s.name))}
          onChoose=${s=>I({data:s})}
        />
      </div>
    <//>
    <${ze} name="Samples">
      <${Z}
        id="drop-samples"
        look="small-input"
        label="Number of samples"
        options=${Nt(oc,n.samples)}
        chosen=${String(n.samples)}
        onChoose=${s=>I({samples:Number(s)})}
      />
    <//>
    <${j} id="drop-reset" act=${()=>I({...de})}>Reset<//>
  </div>`}function lc(){const{model:e,choice:t}=l,n=e?.units.length===0?[]:[_n(kr[t.kind],e),vn(e)];return m`<p id="drop-sentence" class="drop-sentence">${n.filter(Boolean).join(" ")}</p>`}function uc(){return m`
    <div class="page-head">
      <h1>Drop</h1>
      <${ac} />
      <span class="pin-tool"><${$a} ...${ws} /></span>
      <button type="button" class="tool tool-text" data-copy-link="true">${Ro("link")}Copy link</button>
    </div>
    <${wa} ...${ws} />
    <${ba}>
      <div class="drop-controls">
        <div class="interventions drop-row"><${rc} /><${Fr} /><${ic} /></div>
        <${Hr} />
        <${ei} />
        <${Kr} />
        <${cc} />
        <${lc} />
      </div>
    <//>
    <${Wr} />
    <${Er} />
    <${jr} />
    <${nc} />
  `}function eo({pin:e,...t}){return V.value=e??"",Zn({...t,rule:""})}Eo("drop",({model:e,sample:t,...n})=>l.model?.id!==e?null:(To({model:e,sample:t}),eo(n)));function dc(e){let t=No(location.search).model,n=e;return W(()=>{const{model:s}=St(),o=t??s;t=null,(n||o!==Kn())&&ge(()=>Ft(o,n)),n=null})}const hc=Mo({Tree:uc,choice:()=>{const{rule:e,...t}=l.choice;return{...t,pin:V.value||null}},take:e=>{eo(e)},open({pin:e,...t},n){const s=n.closest(".page");V.value=e??"";const o=[Jn(),dc(t),W(()=>{Object.assign(s.dataset,{state:l.status,fresh:String(l.fresh)})}),W(()=>{s.dataset.compares=String(We()!==null)}),W(()=>Ao(l.evaluation?.measure??null))];return()=>{o.forEach(a=>a()),Vn(),ga()}}});Bo({drop:()=>es});export{hc as mount};
