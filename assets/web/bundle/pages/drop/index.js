/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{L as Ee,am as A,ay as se,a9 as la,a8 as fn,v as mn,ab as ca,al as wt,az as gn,d as H,ao as $n,S as ua,X as da,aA as ha,W as Te,U as pa,aB as K,o as Y,O as fa,G as ma,aC as F,l as ga,s as m,aD as yt,f as $a,m as N,an as X,aE as Me,N as ce,ax as bn,as as ge,z as k,aF as vt,aG as kt,C as Ae,T as wn,a as D,$ as xt,aH as ba,B as Ne,a1 as $e,a2 as ue,i as Le,H as yn,r as vn,aI as kn,aJ as xn,q as wa,aK as Re,p as ya,aL as va,aM as ka,aN as xa,aO as Oa,j as On,a6 as _a,aP as Ot,aQ as Sa,F as Ea,aR as Ta,aS as Ma,aT as Aa,c as _n,aU as Sn,h as Na}from"../../boot.js";import{a7 as V,a8 as Ra,n as En,a9 as Ca,aa as Ia,ab as Ba,ac as Pa,ad as Wa,ae as Da,af as Tn,ag as Ua,ah as Mn,r as _t,ai as St,A as ja,aj as Q,f as Fa,ak as qa,al as La,j as An,am as Ga,Y as Ge,v as Ce,_ as Et,y as Nn,x as ae,a0 as Tt,a1 as Mt,V as Ja,w as At,h as Rn,i as Je,an as za,c as be,ao as Cn,ap as In,aq as Nt,T as Bn,ar as Rt,as as U,at as j,au as Ha,av as Ka,N as Pn,W as Ya,aw as Xa,q as Va,ax as Qa,ay as Za,az as eo,o as Wn,a as to,aA as no,aB as so,aC as Dn,d as ao,F as oo,aD as ze,a3 as Un,U as ro,B as He,aE as io,aF as jn,aG as lo,a2 as co,X as uo,a6 as ho,$ as Fn,aH as po,aI as fo,aJ as mo,aK as go,aL as $o,aM as bo,aN as wo,aO as yo,aP as vo,aQ as ko}from"../../shared.js";const qn=[1e3,2e3,4e3,8e3,15e3,3e4],xo=8,Ln=new Set([0,502,503,504]);function Gn(e,t,{later:n,forget:s}={later:setTimeout,forget:clearTimeout}){const a={key:null,answer:null,problem:null,waits:!1},o=Ee(a),r=new Map;let i=new AbortController,l=null;function u(){i.abort(),s(l)}async function d(p,g){u();const $=i=new AbortController;o.value={...o.value,key:p,waits:!0};try{const f=await t(p,$.signal);if($.signal.aborted)return;r.set(p,f),r.size>xo&&r.delete(r.keys().next().value),o.value={key:p,answer:f,problem:null,waits:!1}}catch(f){if($.signal.aborted)return;const y=f,x=Ln.has(y.status);o.value={...o.value,problem:y,waits:x},x&&(l=n(()=>d(p,g+1),qn[Math.min(g,qn.length-1)]))}}function h(p){u();const g=p===null?void 0:r.get(p);o.value={...a,key:p,answer:g??null},p!==null&&g===void 0&&d(p,0)}return{answer:()=>o.value.answer,problem:()=>o.value.problem,waits:()=>o.value.waits,again(){const{key:p}=o.peek();p!==null&&d(p,0)},follow(){const p=()=>o.peek().problem&&Ln.has(o.peek().problem?.status??1)&&this.again();globalThis.addEventListener?.("online",p);const g=A(()=>{const $=e();$!==o.peek().key&&se(()=>h($))});return()=>{globalThis.removeEventListener?.("online",p),g(),h(null)}}}}const Oo="drop",_o=10,So=250,de={...la("drop"),rule:""},{offered:Jn}=fn("drop","iterations"),Eo={status:"loading",problem:null,model:null,graph:null,graphProblem:null,use:null,ruled:null,sets:[],choice:{...de},pinned:null,evaluation:null,fresh:!1},{state:c,update:E,subscribe:Ke}=mn(Eo),he=()=>c.model,Z=()=>c.choice.data.length?c.choice.data:c.sets.map(e=>e.name),we=({model:e})=>e!==null&&e.constants.includes("link_probability"),M=({model:e})=>e!==null&&(e.layers??[]).length>0;function Ct(e=c.choice.least){const{graph:t}=c;return!e||!t?[]:$n(t.connectivity).slice(0,e).map(n=>he().units[n])}function C(){const e=new Set([...c.choice.units,...Ct()]);return c.model?c.model.units.filter(t=>e.has(t)):[]}const Ye=e=>B({units:To(e),least:0});function To(e){const t=new Set(e);return he().units.filter(n=>t.has(n))}function It(){const{model:e,choice:t}=c;if(!e)return null;const{kind:n,edges:s,iterations:a,top_k:o}=t;return Ca({model:e.id,sample:wt().sample,[n]:C(),edges:s,iterations:a,top_k:o})}async function Mo(){const e=Ia(V.value);if(!e)return null;const t=he(),n=e.model===t.id,s=n?t:await H("GET","/models/"+encodeURIComponent(e.model)).catch(()=>null),a=s?await Ba(e,s):e,o=It();return n&&Pa({...a,sample:o.sample},o,t.units)?null:a}async function Ao({model:e,edges:t,iterations:n,top_k:s,...a}){const o=await Promise.all(Mn.map(async i=>[i,(await Tn(a[i])).split(",").filter(Boolean)])),r={...Object.fromEntries(o),keep_edges:t,iterations:n,top_k:s};return JSON.stringify({model:e,intervention:r})}async function No(){const{choice:e,pinned:t}=c,[n,s,a]=await Promise.all([Tn(C()),t&&Ao(t),Ua(he().units,e.units,e.rule)]);return{units:n,against:s,name:a}}function Ro({units:e,against:t}){const{choice:n}=c,s={model:he().id,data:Z().join(","),samples:n.samples,[n.kind]:e,iterations:n.iterations,keep_edges:n.edges,top_k:n.top_k,controls:_o,against:t};return"/evaluations/stream"+fa(s)}let Bt=!1;const oe=Ra({owner:Oo,statusOf:()=>c.status,update:E,async begin(e){if(we(c)&&c.choice.least&&!c.graph&&!c.graphProblem)return;const t=()=>e()&&Bt,n=V.value&&t()&&c.model?await Mo():null;if(!t()||!c.model)return;E({pinned:n});const s=await No();!t()||!c.model||(s.name&&E({choice:{...c.choice,rule:s.name}}),zn(),oe.ask(c.model.id,()=>Ro(s)))}});function zn(){const e=he(),t=V.value||null,{rule:n,...s}=c.choice,a={...s,units:n?n.split(","):s.units},o=n?void 0:e.units;ca("drop",{...a,model:e.id,sample:wt().sample,pin:t},o)}const Co=(e,t)=>JSON.stringify(e)===JSON.stringify(t),Io=["units","kind","least","top_k"];async function Xe(e){const{model:t,choice:n}=c;if(!t)return;const s=await Bo(t,e,n);c.model!==t||c.choice!==n||(E({ruled:s.said}),s.units&&B({units:s.units,least:0,rule:e.join(",")}))}async function Bo(e,t,n){try{const s=await Wa(e,t,n);return{units:s.units,said:Hn(e,s)}}catch(s){return{units:null,said:{text:s.message,refused:!0}}}}function Hn(e,{units:t,rules:n,observed:s}){const a=s?", by "+K.weight+" on "+s.count+" samples":"",o=Y(e),r=t.length+" "+(t.length===1?o.unit:o.units);return{text:n.join(", ")+": in all "+r+a,refused:!1}}function B(e,t=!1){const n=Io.some(a=>a in e)&&!("rule"in e),s={...c.choice,...n?{rule:""}:{},...e};n&&E({ruled:null}),!Co(s,c.choice)&&(E({choice:s}),c.model&&oe.restart(t?So:0))}function Pt(e){e!==c.choice.distribution&&(E({choice:{...c.choice,distribution:e}}),c.model&&zn())}const Kn=e=>t=>t?"/models/"+encodeURIComponent(he().id)+"/"+e:null,Ve=Gn(()=>Kn("graph")(we(c)),(e,t)=>H("GET",e,void 0,{signal:t})),Yn=Gn(()=>Kn("use")(M(c)&&c.sets.length>0),(e,t)=>H("GET",e,void 0,{signal:t}));function Xn(){Bt=!0;const e=[Ve.follow(),Yn.follow(),A(()=>{const[t,n]=[Ve.answer(),Ve.waits()?null:Ve.problem()];se(()=>Po(t,n))}),A(()=>{const t=Yn.answer();se(()=>t!==c.use&&E({use:t}))})];return()=>{Bt=!1,e.forEach(t=>t())}}function Po(e,t){if(e===c.graph&&t===c.graphProblem)return;const n=c.choice.least>0;E({graph:e,graphProblem:t,...t?{choice:{...c.choice,least:0}}:{}}),n&&(e||t)&&oe.restart()}const Qe=e=>["drop",...gn(e)?[]:["mute"],...e.fields.includes("contributions")?["mean","resample"]:[]];function Vn(e,t,n){const s=n.map(i=>i.name),a=e.data.filter(i=>s.includes(i)),o=t.constants.includes("link_probability"),r=t.most_iterations??null;return da("units",t,e.units),ha(t.id,s,e.data),Qe(t).includes(e.kind)||Te(`"kind" is ${e.kind}, which ${t.id} does not take: shown is ${de.kind}.`),!o&&(e.least||e.edges!==null)&&Te(`Units of ${t.id} are not linked: "least" and "edges" are ignored.`),!M({model:t})&&e.top_k!==null&&Te(`No token of ${t.id} takes the best of many experts: "top_k" is ignored.`),o&&e.least>=t.units.length&&Te(`"least" is ${e.least}: one of the ${t.units.length} units of ${t.id} stays.`),r!==null&&e.iterations!==null&&e.iterations>r&&Te(`"iterations" is ${e.iterations}; ${t.id} has up to ${r}: shown is the model as trained.`),{...e,kind:Qe(t).includes(e.kind)?e.kind:de.kind,units:pa(t.units,e.units),least:o?Math.min(e.least,t.units.length-1):0,edges:o?e.edges:null,top_k:M({model:t})?e.top_k:null,iterations:r!==null&&e.iterations!==null&&e.iterations>r?null:e.iterations,data:a.length===s.length?[]:a}}let pe=0,Ze=null;const Qn=()=>Ze;function Zn(){oe.close(),E({...{model:null,sets:[],pinned:null,evaluation:null,ruled:null},fresh:!1,problem:null,status:"loading"})}async function Wt(e,t){const n=pe+=1;if(Ze=e,t&&E({choice:{...de,...t}}),c.model&&c.model.id!==e&&Zn(),!e){E({status:"loading"});return}try{const[s,a]=await Promise.all([H("GET","/models/"+encodeURIComponent(e)),H("GET","/data")]);if(n!==pe)return;const o=s.domains.map(i=>a.items.find(l=>l.name===i)).filter(i=>i!==void 0),r=await es(s,c.choice);if(n!==pe)return;E({model:s,sets:o,ruled:r.ruled,evaluation:null}),E({choice:{...Vn({...c.choice,...r.choice},s,o),rule:r.rule}}),oe.restart()}catch(s){const{title:a,message:o}=s;n===pe&&E({status:"failed",problem:{title:a,detail:o}})}}async function es(e,t){const n=t.rule?t.rule.split(","):t.units;if(!n.some(ua))return{choice:{},rule:"",ruled:null};const s=await Da("units",e,n,t),a=s.rules.length>0;return{choice:{units:s.units},rule:a?s.parts.join(","):"",ruled:a?Hn(e,s):null}}async function ts(e){const{model:t,sets:n}=c;if(!t)return;const s=pe+=1,a=c.choice,o=await es(t,e);s!==pe||c.choice!==a||(E({ruled:o.ruled,choice:{...Vn({...e,...o.choice},t,n),rule:o.rule}}),oe.restart())}function ns(){pe+=1,Ze=null,Zn()}const Dt=["drop","mute","mean","resample","iterations","keep_edges","top_k"];function Ut(){const e=c.evaluation;return En(e,Dt,{least_connected:c.fresh&&c.choice.least?c.choice.least:null,held_out:e.data.filter(t=>t.held_out).map(t=>t.name)})}function ss(){if(c.model){oe.restart();return}E({status:"loading",problem:null}),Wt(Ze,null)}const{cancel:Wo}=oe;var as=Object.freeze({__proto__:null,ITERATIONS:Jn,NOTHING:de,PARTS:Dt,askedFor:Qn,cancel:Wo,choose:B,facts:Ut,follow:Xn,hasExperts:M,hasLinks:we,kindsOf:Qe,leave:ns,leaveOut:Ye,leaveOutBy:Xe,leftOut:C,measured:Z,open:Wt,restart:ss,showDistribution:Pt,shown:It,state:c,subscribe:Ke,take:ts,weakest:Ct});const q="importance",et=10,jt=20,Do=24e3,[Uo,jo]=[2640,8192],Fo=16,os=24,[qo,Lo,Go]=[250,19,24],Ie={use:["usage","Observed use"],effect:["shapley","Caused effect"],interactions:["interactions","Interactions"],retention:["retention","Retention"],anytime:["anytime","Accuracy against iterations"],convergence:["convergence","Convergence"]};let fe=null,tt=!1;const P=Ee(null),L=Ee(""),rs=({model:e})=>(e.layers??[]).find(({name:t})=>t===L.value)?.experts??e.units.length;function is(e){const t=rs(e);if(!L.value)return 1+t;if(t<=et)return 2**t;const n=t<=jt;return t*(n?t/2:1)+(t-1)*(n?64:Fo)+200}function Ft(e){const{model:t,choice:n}=e;if(M(e)){const a=L.value?jo:Uo;return Math.min(n.samples,Math.max(16,Math.min(300,Math.round(a/is(e)))))}const s=t.units.length;return s<=jt?n.samples:Math.min(n.samples,Math.max(30,Math.min(300,Math.round(Do/s))))}function nt(e){const{model:t,choice:n}=e,s=M(e)&&L.value,a=s&&n.kind==="drop"?"mute":n.kind,o={model:t.id,data:Z(),samples:Ft(e),kind:a},r=n.edges===null?{}:{keep_edges:n.edges},i=n.distribution==="in"?null:n.distribution,l=M(e)?{top_k:n.top_k,layer:s||null}:{};return{...o,...r,...l,iterations:n.iterations,distribution:i,seed:0}}const qt=({evaluation:e})=>(e?.by_distribution??[]).map(t=>t.name);function Jo(e){const[t,n,s]=[rs(e),is(e),Ft(e)],a=e.evaluation?.baseline?.samples_per_second,o=a?"; about "+kt(n*s/a):"",r="About "+k(n)+" sets on "+k(s)+" texts"+o+". It can be cancelled and taken up again.",{kind:i}=e.choice;if(!L.value)return[(i==="drop"?"Drop":"Leave out")+" each of the "+k(t)+" experts alone",r];const l=" of the "+t+" experts of "+Me(L.value),u=i==="drop"?" Experts that a subset lacks are muted: a layer cannot route with fewer than a token takes.":"";return[(t<=et?"Score all "+2**t+" subsets":"Score sampled subsets")+l,r+u]}function zo(e){const{model:t,evaluation:n}=e;if(t&&M(e))return Jo(e);const s=t?t.units.length:0;if(s<=et)return["Score all "+2**s+" subsets of the "+s+" units",""];if(s<=jt)return["Score sampled subsets of the "+s+" units",""];const{units:a}=Y(t),o=we(e)?4:2,r=s+20*(o+8),i=Ft(e),l=n&&n.baseline&&n.baseline.samples_per_second,u=l?"; about "+kt(r*i/l):"";return["Drop each of the "+k(s)+" "+a+" alone, then more and more","About "+k(r)+" sets on "+k(i)+" samples"+u+". It can be cancelled and taken up again."]}const ls=()=>vt(q,"/importances",nt(c)),Ho=()=>c.model?c.model.units.length:0;async function Lt(e){if(!e.model&&fe&&(fe=null,L.value="",P.value=null,ge(q)),!e.model)return;const t=qt(e),{distribution:n}=e.choice;if(e.status==="done"&&n!=="in"&&t.length&&!t.includes(n)){Pt("in");return}const s=JSON.stringify(nt(e));if(s!==fe&&(fe=s,P.value=null,await ge(q),s!==fe))return;const{job:a,starting:o,problem:r}=F(q),i=!a&&!o&&!r,l=Ho()<=et&&!M(e);i&&e.status==="done"&&!tt&&(l||ce.value.read_only)&&ls()}async function Ko({job:e}){if(!e||e.state!=="done")return null;const t=P.value;return t&&t.id===e.id?t:H("GET","/importances/"+encodeURIComponent(e.id))}function cs(e){const t={drop:[],mute:[],mean:[],resample:[]};return{model:e.model,revision:e.revision,seed:e.seed,...t,left_out_as:e.kind,iterations:e.iterations,data:e.data,distribution:e.distribution??null,samples:e.count,exact:e.exact,keep_edges:e.keep_edges===void 0?null:e.keep_edges,importance:e.id,...e.layer?{layer:e.layer}:{},...typeof e.top_k=="number"?{top_k:e.top_k}:{},...N(e.measure).share?{}:{measure:e.measure}}}function Gt({distribution:e,layer:t,top_k:n}){const s=e&&(e!=="in"||qt(c).length>1),a=(t?", "+Me(t):"")+(n?", top "+n:"");return(s?", "+Q[e]:"")+a}const Yo=e=>e==null?"":Array.isArray(e)?e.join(" "):e;function Jt(e){const t=e.length?Object.keys(e[0]):[];return[t,...e.map(n=>t.map(s=>Yo(n[s])))]}function zt(e,t){if(t==="effect"){const n=new Map(e.single.map(s=>[s.unit,s]));return e.shapley.length?e.shapley.map(({unit:s,value:a,low:o,high:r,standard_error:i})=>{const{unit:l,...u}=n.get(s)||{};return{unit:s,...{shapley:a,shapley_low:o,shapley_high:r,standard_error:i},...Object.fromEntries(Object.entries(u).map(([h,p])=>["single_"+h,p]))}}):e.single}return e[Ie[t][0]]}const Xo=(e,t)=>Object.entries(St(e,t)).map(([n,s])=>"; "+n.replace("_"," ")+" "+s).join("");function Vo(e){_t(e,()=>{const{value:t}=P;if(!t)return null;const n=zt(t,e),{title:s}=N(t.measure),a=Ie[e][1].replace("Accuracy",s)+Gt(t)+": "+t.model,o=St(t,e),r=Object.keys(o).length?{signs:o}:{},i={...cs(t),kind:e==="use"?"observed":"caused",...r};return{name:e,facts:i,python:e==="convergence"&&t.exact?void 0:{figure:"importance",panel:e},rows:()=>Jt(n),json:()=>({[Ie[e][0]]:n}),picture:ja(e,a,a+", "+t.words)}})}function Qo(e){document.querySelectorAll("[data-importance-table]").forEach(t=>{const n=t.dataset.importanceTable,s=Ie[n][1].replace("Accuracy",N(e?.measure).title);e?Fa(t,Jt(zt(e,n)),s+Gt(e)+", "+e.words+Xo(e,n)):qa(t)})}function Zo(e){const t=N(e.measure),n=i=>Ae(t,i),s=[["all units",n(e.baseline)],...e.total===null?[]:[["none",n(La(e))]]],a=k(e.count)+" samples"+Gt(e);if(!e.shapley.length){const i=e.retention.length?", then more and more":"";return[["sets","Each of "+k(e.units.length)+" alone"+i+", on "+a],...s,["how",e.words]]}const o=e.exact?"All "+k(2**e.units.length)+" subsets":"Sampled orders",r=e.shapley.reduce((i,l)=>i+l.value,0);return[["subsets",o+" of "+e.units.length+" units on "+a],...s,["sum of Shapley values (above 0: the units help)",t.change(r)+" "+t.changeUnit],["how",e.words]]}function er({units:e,shapley:t,single:n}){if(e.length<=os)return e.length;const s=t.length?t.map(({value:a})=>a):n.map(({change:a})=>a);return Math.min(os,s.filter(Boolean).length||e.length)}function tr(e){const t=er(e);for(const o of["use","effect"]){const r=document.getElementById("plot-"+o),i=M(c)&&e.shapley.length?Go:Lo;r&&(r.style.height=Math.max(qo,90+i*t)+"px")}const n=document.getElementById("panel-interactions");n&&(n.hidden=!e.interactions.length);const s=document.getElementById("panel-retention");s&&(s.hidden=!e.retention.length);const a=document.getElementById("panel-anytime");a&&(a.hidden=e.anytime.length<2)}function nr({entry:e}){const{job:t,starting:n,problem:s}=e.value,a=c.problem;if(ce.value.read_only)return bn(s)&&m`<p class="hint" id="importance-refused">${s?.message}</p>`;const o=!!(!c.model||t||n||s||a&&a.refused),[r,i]=zo(c);return m`
    <button type="button" class="button" id="importance-start" hidden=${o} onClick=${()=>{tt=!1,ls()}}>${r}</button>
    <p class="hint">${o?"":i}</p>
  `}function sr(){const e=qt(c);if(e.length<2)return null;const t=e.map(n=>[n,Q[n]]);return m`<div class="control importance-of">
    <label class="control-name" for="importance-distribution">All below is of samples</label>
    <${X}
      id="importance-distribution"
      look="small-input"
      options=${t}
      chosen=${e.includes(c.choice.distribution)?c.choice.distribution:e[0]}
      onChoose=${n=>Pt(n===e[0]?"in":n)}
    />
    <span class="hint">Trained-on and held-out data are never mixed.</span>
  </div>`}function ar(){const{model:e}=c;if(!e||!M(c))return null;const t=(e.layers??[]).map(({name:s})=>[s,Me(s)+": Shapley values"]),n=[["","every expert, alone"],...t];return m`<div class="control importance-of">
    <label class="control-name" for="importance-layer">All below is of</label>
    <${X}
      id="importance-layer"
      look="small-input"
      options=${n}
      chosen=${L.value}
      onChoose=${s=>{L.value=s,Lt(c)}}
    />
    <span class="hint">Within a layer its experts are the players; the others stay as they are.</span>
  </div>`}const or=()=>m`<dl class="fact-list" hidden=${!P.value}>
    ${(P.value?Zo(P.value):[]).map(([e,t])=>m`<div>
          <dt>${e}</dt>
          <dd>${t}</dd>
        </div>`)}
  </dl>`;ma("importance",e=>{const t=Ee(F(q));Object.keys(Ie).forEach(Vo),_t(q,()=>{const{value:a}=P;if(!a)return null;const o=zt(a,"effect");return{name:"importance",facts:{...cs(a),kind:"caused",signs:St(a,q)},python:{figure:"importance",panel:q},rows:()=>Jt(o),json:()=>({result:a}),picture:{}}});async function n(a){const{job:o}=t.value=a;o&&o.state==="cancelled"&&JSON.stringify(nt(c))===fe&&(tt=!0);const r=await Ko(a).catch(i=>($a(i.title||"No result",i.message,"bad"),null));t.value===a&&(P.value=r,Qo(r),r&&tr(r),e.dataset.result=r?r.id:"")}const s=[A(()=>{ce.value.read_only&&se(()=>Lt(c))}),ga(e,()=>m`<${sr} /><${ar} /><${nr} entry=${t} /><${or} />`),yt(q,n),Ke((a,o)=>{["status","choice","model"].some(r=>o.has(r))&&(Lt(a),n(F(q)))})];return()=>{s.forEach(a=>a()),fe=null,tt=!1,P.value=null,L.value=""}});const rr=({Tree:e,choice:t,open:n,take:s})=>(a,o,r)=>{let i=[JSON.stringify(o)];const l=n(o,a);wn(m`<${e} />`,a);const u=A(()=>{const d=t(),h=JSON.stringify(d);i.at(-1)!==h&&(i=[...i,h].slice(-64),se(()=>r({choice:d})))});return{take(d){const h=JSON.stringify(d),p=i.lastIndexOf(h);p>=0?i=i.slice(p):h!==JSON.stringify(t())&&s(d)},end(){u(),wn(null,a),l()}}},st="importance-a",I=Ee({asked:"",importance:null,problem:""});function at(){const{model:e,pinned:t}=c;if(!e||!t)return null;const n=nt(c),s=Mn.find(d=>t[d].length)??n.kind,a="layer"in n&&n.layer&&s==="drop"?"mute":s,{keep_edges:o,...r}=n,i=t.edges===null?{}:{keep_edges:t.edges},l="top_k"in n?{top_k:t.top_k}:{},u={...r,...i,...l,model:t.model,kind:a,iterations:t.iterations};return{a:u,b:n,alike:ye(u)===ye(n)}}const ye=e=>JSON.stringify(Object.entries(e).sort());function Ht(){const e=at(),{value:t}=P;if(!e||!t)return null;const{asked:n,importance:s}=I.value,a=e.alike?t:n===ye(e.a)?s:null;return a&&(a.distribution??t.distribution)===(t.distribution??a.distribution)?{a,b:t}:null}function us(){const e=at();e&&(I.value={asked:ye(e.a),importance:null,problem:""},vt(st,"/importances",e.a))}const ir=()=>{const e=yt(st,async({job:n,problem:s})=>{const{value:a}=I,o=s??n?.problem;if(o&&(I.value={...a,problem:"detail"in o&&o.detail||"message"in o&&String(o.message)||"It failed."}),!n||n.state!=="done"||a.importance)return;const r=await H("GET","/importances/"+encodeURIComponent(n.id)).catch(()=>null);I.value.asked===a.asked&&(I.value={...a,importance:r})}),t=A(()=>{const n=ce.value.read_only&&P.value?at():null;n&&!n.alike&&I.value.asked!==ye(n.a)&&se(us)});return()=>{e(),t(),ge(st),I.value={asked:"",importance:null,problem:""}}};function lr(){const e=at();if(!e||Ht())return null;if(!P.value)return m`<p class="hint">Retention curves of both stand here once the importance below is computed.</p>`;const t=I.value.asked===ye(e.a),n=F(st),s=t&&!I.value.problem&&(n.starting||!I.value.importance);return ce.value.read_only?t&&I.value.problem&&m`<p class="hint">${I.value.problem}</p>`:m`<p class="hint" role="status">
    <${D} id="drop-curves" wait=${s} act=${us}>
      ${s?"Computing the retention curve of A":"Compute the retention curve of A too"}
    <//>
    ${t&&I.value.problem}
  </p>`}function ve(e){const t=new Map(e.data.map(n=>[n.name,n]));return An(e,"by_domain").map(n=>{const s=t.get(n.name);return{...s?.held_out?{distribution:Q.out}:{},...n,name:n.name+(s?.stand_in?" (stand-in)":""),title:s?.title}})}const ke=e=>An(e,"by_label"),[cr,ds,ur]=[760,28,30],me=e=>e.model+", "+At(e,xt(e.model)),[hs,ps,dr]=[210,34,38],hr=[{order:"best first",text:"best kept",stroke:"accent"},{order:"worst first",text:"worst kept",stroke:"bad"},{order:"random",text:"random sets",stroke:"dim",dash:[4,3]}];function fs(e,t,n,s,a){const o=N(e.measure),r=[e,a].flatMap(({retention:v})=>v.flatMap(O=>[O.accuracy,O.low,O.high])),[i,l,u]=[64,n-20,hs-dr],d=Ge([1,0],[i,l],{ticks:[1,.75,.5,.25,0],named:v=>100*v+(v?"":" %")}),h=za(o,r,[u,ps]),p=hr.map(v=>({...v,points:e.retention.filter(({order:O})=>O===v.order).sort((O,z)=>O.dropped-z.dropped)})).filter(({points:v})=>v.length),{drop:g,mute:$,mean:f,resample:y}=t.intervention,x=new Set([...g,...$,...f??[],...y??[]]).size,R=[be(t).find(({where:v})=>!v||v===Q[e.distribution??"unknown"])?.evaluation.accuracy].flatMap(v=>v??[]),J={x:d(1-x/e.units.length),y:({value:v})=>h(v)};return Ce({width:n,height:hs,title:"",desc:"",marks:[Cn(h,[i,l]),Et(d,[ps,u],{grid:!1}),ae(["units kept"],{x:(i+l)/2,y:u+31,down:0,size:11,fill:"dim",anchor:"middle"}),In(p.find(({order:v})=>v==="random")?.points??[],{x:v=>d(v.share_kept),y:({low:v,high:O})=>[h(v),h(O)],fill:"unmatched"}),p.toReversed().map(({points:v,stroke:O,dash:z})=>Nt(v,{x:ee=>d(ee.share_kept),y:ee=>h(ee.accuracy),stroke:O,dash:z})),Bn(p.map(v=>({...v,ink:v.stroke,weight:650,width:2})),{x:n<420?8:i,y:10,width:n}).marks,Mt(R,{...J,r:8,fill:"ink"}),ae(R,{...J,text:s,size:11,weight:700,fill:"surface",anchor:"middle"})]})}function pr(e,t,n,{alone:s=!0,curves:a=null}={}){const o=n>=cr,r=o?Math.floor((n-ds)/2):n;function i(f,y){const x=xt(f.model),[_,R]=[ke(f),ve(f)];return[f.accuracy&&Rn(f,r,{model:x,beside:[y]}),_.length>0&&Je(_,"label",f,r,x,ke(y)),R.length>0&&Je(R,"data set",f,r,x,ve(y)),a&&(f===e?fs(a.a,e,r,"A",a.b):fs(a.b,t,r,"B",a.a))]}const l=[i(e,t),i(t,e)],u=["A: "+me(e),"B: "+me(t)],d=l[0].map((f,y)=>Math.max(...l.map(x=>{const _=x[y];return _?_.height+10:0})));let h=0;const p=l.map((f,y)=>{const x=o?y*(r+ds):0;let _=o?0:h;const R=s||!o?[u[y]]:[],J=ae(R,{x:x+2,y:_+10,size:13,weight:650,room:r-4});_+=R.length*ur;const v=f.map((O,z)=>{const ee=O?Ja(O,x,_):[];return _+=o?d[z]:O?O.height+10:0,ee});return h=Math.max(h,_),[J,v]}),{title:g}=N(t.measure),$=g+" of A, "+me(e)+", beside B, "+me(t)+", on the same axes: all samples, labels, data sets"+(a?", and accuracy while fewer units are kept.":".");return Ce({width:n,height:h,title:u.join("; "),desc:$,marks:p})}function ms({by_distribution:e},t){const n=new Set(t.filter(s=>s.stand_in).map(s=>s.name));return e.flatMap(({name:s,count:a,a:o,b:r,difference:i,by_label:l,by_domain:u})=>{const d=e.length>1||s==="out"?Q[s]:"",{value:h,low:p,high:g}=i.accuracy,$=(f,y)=>({name:y,where:d,main:!1,count:f.count,a:f.baseline,b:f.accuracy,value:f.change,low:f.change_low,high:f.change_high});return[{name:"all samples",where:d,main:!0,count:a,a:o.accuracy.value,b:r.accuracy.value,value:h,low:p,high:g},...l.length>1?l.map(f=>$(f,"label "+f.name)):[],...u.length>1?u.map(f=>$(f,f.name+(n.has(f.name)?" (stand-in)":""))):[]]})}function fr(e,t){const n=e.comparison,s=N(e.measure),a=ms(n,e.data).map(f=>({...f,group:f.where,change:f.value,change_low:f.low,change_high:f.high})),{range:o,y:r,sure:i,marks:l}=Ga(a,{width:t,top:24,measure:s,room:150}),u=Math.max(...a.flatMap(({value:f,low:y,high:x})=>[f,y??f,x??f].map(Math.abs)),.001),d=Ge([-u,u],o,{named:f=>f?s.change(f):"0"}),[h,p]=s.higher?["A is better","B is better"]:["B is better","A is better"],g={y:12,down:0,size:11,fill:"dim"},$=n.a?me(n.a):"A";return Ce({width:t,height:r.end+24,title:"B minus A: "+me(e)+", minus "+$,desc:"Paired difference of "+s.name+" in "+s.changeUnit+", B minus A, with 95 % intervals, on "+k(n.covered)+" samples that both have scored.",marks:[Et(d,[20,r.end]),Nn([0],{x:d(0),y:[20,r.end],stroke:"dim"}),ae([h],{...g,x:d(0)-8,anchor:"end"}),ae([p],{...g,x:d(0)+8}),Tt(a,{x:f=>[d(f.low),d(f.high)],y:r,stroke:i,width:({main:f})=>f?2.5:1.5}),Mt(a,{x:f=>d(f.value),y:r,r:({main:f})=>f?6:4,fill:i}),l]})}const gs=e=>At(e,c.model),mr=(e,{draws:t,draws_done:n,exact:s,size:a})=>(s&&n===t?"all ":"")+e+(t===1?" set":" sets")+" of "+a,gr=({share:e,unit:t})=>e?t+" on average":"on average";function $s(e){const t="Random sets";if(!e)return{name:t,value:Pn};const n=Ya(e,Y(c.model).unit);return{name:t,...Xa(e,{waiting:n,sets:mr,unit:gr})}}function $r(){const{evaluation:e,fresh:t}=c,[n,s]=e?be(e):[],a=n?n.evaluation:null,{accuracy:o,change:r,loss:i}=Rt(a),l=n?n.where:"",u=s&&Rt(s.evaluation);return m`<div class="numbers" data-fresh=${String(t)}>
    <${U} id="drop-accuracy-number" main=${!0} ...${j(o,l)} />
    <${U} id="drop-change-number" main=${!0} ...${j(r,l)} />
    <${U} ...${j(i,l)} />
    <${U} id="drop-control-number" ...${j($s(a),l)} />
    ${u&&m`
        <${U} id="drop-accuracy-out" main=${!0} ...${j(u.accuracy,s.where)} />
        <${U} id="drop-change-out" main=${!0} ...${j(u.change,s.where)} />
        <${U} ...${j(u.loss,s.where)} />
        <${U} ...${j($s(s.evaluation),s.where)} />
      `}
  </div>`}function br(e){const{model:t,choice:n}=e;return Va(e,{chosen:n.samples,intervention:gs,stale:"Cancelled before the first figure; what is shown belongs to the set before.",kept:"measured before, nothing had to be computed",several:", one data set after the other",after:s=>gs(s)===Qa?" Click "+Y(t).a_unit+" to drop it.":""})}const wr=()=>m`<${Ha} name="drop" look="drop-progress" followed=${as} progressOf=${br} />`;function yr({id:e,name:t,title:n,value:s,before:a,words:o}){const r=Math.max(s||0,a||0)||1,i=l=>100*(l||0)/r+"%";return m`<div class="cost" id=${e} title=${n}>
    <span class="cost-name">${t}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{width:i(s),background:"var(--rs-accent)"}}></span>
      <span class="bar-mark" hidden=${!a} style=${{left:i(a)}}></span>
    </span>
    <span class="cost-value">${o}</span>
  </div>`}function vr({flops:e,saved:t}){return e===null?"counting":ba(e)+(t===null?"":t>0?", "+Ne(t)+" % saved":", nothing saved")}function kr(){const{evaluation:e,fresh:t}=c,n=e&&e.baseline;return m`<div class="costs" data-fresh=${String(t)}>
    <${yr}
      id="drop-flops"
      name="FLOPs per sample"
      value=${e?.flops}
      before=${n?.flops}
      words=${e?vr(e):""}
    />
    <${Ka} id="drop-speed" evaluation=${t?e:null} />
  </div>`}const Kt="token_states",bs={drop:"drop",mute:"mute",mean:"mean",resample:"resample"},xr={drop:{router_logits:"Dropped: never chosen. A token takes the best of the remaining experts, with weights that add up to 1.",compatibility:"Dropped: removed. Compatibilities are renormalised over the remaining {units}.",multiplexer_weights:"Dropped: neither made nor read. Weights are renormalised over the remaining {units}.",messages:"Dropped: removed with their codes, signatures and states. Their compute is saved.",[Kt]:"Dropped: removed. The remaining {units} work on what the {units} before them computed.","":"Dropped: removed. Their compute is saved."},mute:{router_logits:"Muted: chosen as before, but their output is 0. No other {unit} takes over their share.",compatibility:"Muted: their compatibility is set to 0 after normalisation. No other {unit} takes over their share.",multiplexer_weights:"Muted: their numbers are set to 0. They keep their share of the weights.",messages:"Muted: their messages are set to 0 after the softmax. No other {unit} takes over their share.",[Kt]:"Muted: they add nothing, which equals dropping them.","":"Muted: their output is 0."},mean:{compatibility:"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, step by step and token by token.",messages:"Mean: the state that others read is replaced by its mean over the first 200 samples of the same data set.","":"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, token by token."},resample:{messages:"Resampled: the state that others read is replaced by the state for another sample of the same data set.","":"Resampled: what they add is replaced by what they add for another sample of the same data set."}},Be={accuracy:"Dots: {accuracies} with 95 % whiskers; the bar spans random sets of as many units; changes are paired, on the same samples.",labels:"Ring: the model as it is; dot and whisker: without the units; at the right the paired change, in {points}. Over all chosen data sets, what training showed apart from what it left out.",compared:"The same figures of what is pinned (A) and of what is shown (B), on the same samples and axes: rings are each model as it is, dots what is left of it.",difference:"Paired: sample by sample, only what both have scored. Dots are B minus A, whiskers 95 % intervals; right of the line the figure of B is larger. What training of either left out stands apart.",studio:"Drag a bar, or move it with the arrow keys: so many experts a layer keeps. Each row of cells is a layer, each cell an expert.",curves:"Line and whiskers: what is left while fewer experts are kept, 95 %; band: random sets of the same size, least to largest; the dashed upright: where the bars stand."},ws="The same by data set, each read by the head of its domain.",Or={router_logits:"The same by data set: what an expert does for one kind of text, another kind may not need.",compatibility:ws,[Kt]:ws,"":"The same by data set; out of distribution are those that the model was never trained on."},Yt={accuracy:"Each random set is a small dot, this one perhaps among them. Data sets that training showed stand together, and apart from those it left out.",studio:"The order is chosen on the last samples of every data set, its curves are measured on the first ones. A layer keeps at least as many experts as a token takes. Files hold what the bars say: the keep-list, and a model that the other experts are cut out of.",curves:"A diamond is what the page measured, once exactly these experts are left out of it. Changes are paired, on the same samples. Point at a dot for its figures."},_r={svg:"Picture, SVG",png:"Picture, PNG",csv:"Numbers, CSV",json:"Numbers, JSON"},ys=({name:e,label:t,look:n,children:s})=>m`<details class="menu">
    <summary id=${e} class="tool tool-text" aria-label=${t}>${n}</summary>
    <div class="menu-items">${s}</div>
  </details>`;function ot({id:e,title:t,reads:n,more:s,tag:a,formats:o,written:r,coded:i=!0,hidden:l=!1,look:u,children:d}){const h=$e(r);h.current=r,ue(()=>{o&&_t(e,()=>h.current?.()??null)},[e]);const p=(g,$)=>m`<button type="button" class="menu-item" ...${$}>${g}</button>`;return m`<section
    id=${"panel-"+e}
    class=${u?"panel "+u:"panel"}
    aria-labelledby=${e+"-title"}
    hidden=${l}
  >
    <header class="panel-head">
      <h2 id=${e+"-title"}>${t}</h2>
      ${a&&m`<span class="tag">${a}</span>`}
      <div class="panel-actions">
        ${s&&m`<${ys} name=${e+"-explained"} label=${"More about: "+t} look=${Le("help")}>
            <p class="hint panel-more">${s}</p>
          <//>`}
        ${o&&m`<${ys} name=${e+"-export"} label=${"Export: "+t} look=${[Le("download"),"Export"]}>
            ${o.map(g=>p(_r[g],{"data-panel":e,"data-export":g}))}
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
          ${Le("fullscreen")}
        </button>
      </div>
    </header>
    <p class="reads">${n}</p>
    <div class="panel-body">${d}</div>
  </section>`}function Xt({scene:e,drawn:t,label:n,look:s,id:a,widest:o=1/0,height:r,data:i={}}){const l=$e(null),u=$e({scene:e,drawn:t,label:n});return u.current={scene:e,drawn:t,label:n},ue(()=>{const d=l.current,h=d.querySelector("canvas");let p=[];function g(){const f=Math.min(d.clientWidth,o),y=u.current.scene(Math.max(f,60));d.dataset.shown=String(y!==null),y||delete h.dataset.painted,!(!y||f<60)&&(to({...y,background:null},vn().font,h),Object.assign(h.style,{width:y.width+"px",height:y.height+"px"}),h.dataset.painted=u.current.drawn(),h.setAttribute("aria-label",u.current.label(y)),p=y.spots??[])}eo(h,()=>p);const $=[A(g),yn(g),Wn(d,g)];return()=>$.forEach(f=>f())},[]),m`<div
    ref=${l}
    id=${a}
    class=${s?"picture "+s:"picture"}
    style=${r?{minHeight:r+"px"}:void 0}
    data-shown="false"
    ...${i}
  >
    <canvas role="img" aria-label=${"Nothing to show yet"}></canvas>
    ${r&&m`<div class="skeleton drop-skeleton" aria-hidden="true"></div>`}
  </div>`}const rt=({words:e,caption:t,rows:n,data:s={}})=>m`<details class="as-table">
    <summary>The same as a table</summary>
    <div class="table-scroll" tabindex="0" role="region" aria-label=${e} ...${s}>
      ${n&&m`<${Za} rows=${n()} caption=${t} />`}
    </div>
  </details>`,Sr=({children:e})=>m`<div class="fold">
    <div class="fold-head" data-widget="fold"></div>
    <div>${e}</div>
  </div>`,vs=["name","count","baseline","accuracy","low","high","change","change_low","change_high"],Er=e=>no(e,{named:"this set",sets:"random sets of as many",each:!0},so(e));function ks(e,{measure:t}){const n=e.some(a=>a.distribution)?[...vs,"distribution"]:vs;return[n.map(a=>a==="accuracy"?N(t).name:a),...e.map(a=>n.map(o=>a[o]))]}const it={accuracy:{has:e=>!!e.accuracy,scene:(e,t,n)=>Rn(e,n,{model:t}),rows:Er,widest:900},labels:{has:e=>e.by_label.length>0,scene:(e,t,n)=>Je(ke(e),"label",e,n,t),rows:e=>ks(ke(e),e)},domains:{has:e=>e.by_domain.length>0,scene:(e,t,n)=>Je(ve(e),"data set",e,n,t),rows:e=>ks(ve(e),e)}};function Tr(e,t){const n=N(t.measure),s=o=>Ae(n,o);if(e==="accuracy"){const o=be(t).flatMap(({where:r,evaluation:{accuracy:i,baseline:l,control:u}})=>{const d=r&&r+" ",h=i?[d+"this set ("+At(t,c.model)+") "+s(i.value)]:[];return l&&h.push(d+"as it is "+s(l.accuracy.value)),u&&u.mean!==null&&h.push(d+"random sets on average "+s(u.mean)),h});return(n.share?"Accuracies":n.title)+": "+o.join("; ")}const a=e==="labels"?ke(t):ve(t);return"Change of "+n.name+" in "+n.changeUnit+": "+a.map(o=>o.name+(o.distribution?", "+o.distribution:"")+" "+n.change(o.change)).join("; ")}const lt=["svg","png","csv","json"];function ct(e){const{evaluation:t}=c;return t&&it[e].has(t)?t:null}function Mr(e,t){const n=ct(e);if(!n)return null;const s=it[e].rows(n);return{name:"drop-"+e,facts:Ut(),python:e==="accuracy"?{figure:"accuracy",draws:n.control?.draws}:{figure:"effects",by:e==="labels"?"label":"domain"},rows:()=>s,json:()=>e==="accuracy"?{result:n}:Dn(s),picture:{scene:()=>it[e].scene(n,c.model,t)}}}function Vt({name:e,title:t,reads:n,more:s,words:a,height:o,look:r,hidden:i,children:l,below:u}){const{fresh:d,status:h,model:p}=c,{scene:g,rows:$,widest:f}=it[e],y=ct(e),x=()=>Math.max(560,document.getElementById("drop-picture-"+e)?.clientWidth??0);return m`<${ot}
    id=${"drop-"+e}
    tag="caused"
    formats=${lt}
    written=${()=>Mr(e,x())}
    ...${{title:t,reads:n,more:s,look:r,hidden:i}}
  >
    ${l}
    <${Xt}
      id=${"drop-picture-"+e}
      look="drop-picture"
      height=${o}
      widest=${f}
      data=${{"data-key":e,"data-fresh":String(d),"data-state":h}}
      scene=${_=>{const R=ct(e);return R&&g(R,c.model,_)}}
      drawn=${()=>c.evaluation?.id??""}
      label=${()=>c.evaluation?Tr(e,c.evaluation):""}
    />
    ${u}
    <${rt}
      words=${a}
      data=${{"data-drop-table":e}}
      caption=${y?g(y,p,640).desc:""}
      rows=${y&&(()=>$(y))}
    />
  <//>`}function Ar(){const{model:e,evaluation:t}=c,{share:n,title:s}=N(),o=e!==null&&!e.labels.length||t?.state==="done"&&!ct("labels");return m`<div class="drop-grid">
    <${Vt}
      name="accuracy"
      look="panel-drop-accuracy"
      title=${s}
      reads=${kn(Be.accuracy)}
      more=${Yt.accuracy}
      words=${(n?"Accuracies":s)+" as a table"}
      height=${228}
      below=${m`<${kr} />`}
    >
      <${$r} /><${wr} />
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
        reads=${xn(Or)}
        words="Effect by data set as a table"
        height=${102}
      />
    </div>
  </div>`}const xs={shown:It,units:()=>c.model?.units,write:ss,noSwap:({model:e})=>xt(e)?"":"There is no model "+e+" here."};function Pe(){const{evaluation:e,pinned:t}=c,n=t&&V.value&&e?e.comparison:null;return e&&n&&n.a&&n.by_distribution.length?{a:n.a,b:e,comparison:n}:null}function Nr(){const{evaluation:e,pinned:t,status:n,problem:s}=c;if(!t)return"A is what is shown: leave other units out, or choose another model, to compare it with A.";const a=e?.comparison?.problem;return a?"A and B are not compared. "+a:s?"Nothing to compare: "+s.detail:n==="cancelled"?"Cancelled before both had a figure.":"Both are scored now."}function Rr({comparison:{covered:e,total:t}}){return e===t?"On the same "+k(t)+" samples, all of which both have scored.":"On "+k(e)+" of "+k(t)+" samples so far: those that both have scored."}const Cr=({of:e})=>m`<div class="compare-sides">
    ${[["a","A"],["b","B"]].map(([t,n])=>m`<div class="compare-side" data-side=${t}>
            <div class="compare-name"><span class="pin-letter">${n}</span> ${me(e[t])}</div>
            <div class="numbers">
              ${be(e[t]).map(({where:s,evaluation:a})=>{const{accuracy:o,change:r}=Rt(a),i={...r,name:"Change to its model as it is"};return m`
                  <${U} main=${!0} ...${j(o,s)} />
                  <${U} ...${j(i,s)} />
                `})}
            </div>
          </div>`)}
  </div>`,ut=[["both","both"],["only_a","only A"],["only_b","only B"],["neither","neither"]];function Ir({parts:e}){const t=e.filter(s=>s.outcomes);if(!t.length)return null;const n=["Samples right with",...ut.map(([,s])=>s)];return m`<${oo}
    look="compare-outcomes"
    heads=${n.map(s=>m`<th scope="col">${s}</th>`)}
    rows=${t.map(({name:s,outcomes:a})=>m`<tr>
          <th scope="row">${e.length>1||s==="out"?Q[s]:"all samples"}</th>
          ${ut.map(([o])=>m`<td data-outcome=${o}>${k(a?a[o]:0)}</td>`)}
        </tr>`)}
  />`}function Br({of:e}){const t=N(e.b.measure),n=e.comparison.by_distribution;return m`
    <div class="numbers compare-difference">
      ${n.map(({name:s,count:a,difference:{accuracy:o}})=>{const r={name:"B minus A",value:o?t.change(o.value):Pn,unit:t.changeUnit,detail:wa(o,t.change,"")+", "+k(a)+" samples",mood:ao(o,t.higher)},i=n.length>1||s==="out"?Q[s]:"";return m`<${U} id=${"drop-difference-"+s} main=${!0} ...${j(r,i)} />`})}
    </div>
    <${Ir} parts=${n} />
  `}function Pr({a:e,b:t}){const{name:n}=N(t.measure),s=[["what","A","A_low","A_high","B","B_low","B_high"]],a=l=>l?[l.value,l.low??"",l.high??""]:["","",""],o=new Map(be(t).map(l=>[l.where,l.evaluation]));for(const{where:l,evaluation:u}of be(e)){const[d,h]=[o.get(l),l&&", "+l];s.push([n+h,...a(u.accuracy),...a(d?.accuracy)]),s.push(["loss"+h,...a(u.loss),...a(d?.loss)])}const r=l=>l.name+(l.distribution?", "+l.distribution:""),i=Ht();for(const l of i?["best first","worst first","random"]:[])for(const u of[...new Set([i?.a,i?.b].flatMap(d=>d?.retention??[]).map(d=>d.share_kept))].sort((d,h)=>h-d)){const[d,h]=[i?.a,i?.b].map(g=>g?.retention.find($=>$.order===l&&$.share_kept===u)),p=g=>g?[g.accuracy,g.low,g.high]:["","",""];s.push([l+", share kept "+u.toFixed(3),...p(d),...p(h)])}for(const[l,u]of[["label ",ke],["",ve]]){const d=new Map(u(t).map(h=>[r(h),h]));for(const h of u(e)){const p=d.get(r(h)),g=p?[p.accuracy,p.low,p.high]:["","",""];s.push([l+r(h),h.accuracy,h.low,h.high,...g])}}return s}function Wr({b:{data:e},comparison:t}){const n=new Map(t.by_distribution.map(r=>[r.name,r.outcomes])),s=Object.fromEntries(Object.entries(Q).map(([r,i])=>[i,r])),a=t.by_distribution[0].name,o=[["what","distribution","samples","A","B","B_minus_A","low","high",...ut.map(([r])=>r)]];for(const{name:r,where:i,main:l,count:u,a:d,b:h,value:p,low:g,high:$}of ms(t,e)){const f=l?n.get(s[i]??a):null,y=ut.map(([x])=>f?f[x]:"");o.push([r,i||Q[a],u,d,h,p,g??"",$??"",...y])}return o}const Os={compared:{scene:({a:e,b:t},n,s)=>pr(e,t,n,{alone:s,curves:Ht()}),rows:Pr,Numbers:Cr},difference:{scene:({b:e},t)=>fr(e,t),rows:Wr,Numbers:Br}};function Dr({a:e,b:t,comparison:n}){const[s,a]=[e,t].map(o=>En(o,Dt));return{...Ut(),a:s,b:a,samples_compared:n.covered}}function Ur(e){const t=Pe();if(!t)return null;const{scene:n,rows:s}=Os[e],a=s(t),{a:o,...r}=t.comparison;return{name:"drop-"+e,facts:Dr(t),rows:()=>a,json:()=>e==="difference"?{result:r}:{a:t.a,b:{...t.b,comparison:null}},picture:{scene:()=>n(t,1e3,!0)}}}const jr={compared:{title:"A and B",words:"A and B side by side"},difference:{title:"Difference, B minus A",words:"B minus A"}};function _s({name:e,children:t}){const{scene:n,rows:s,Numbers:a}=Os[e],{title:o,words:r}=jr[e],i=Pe();return m`<${ot}
    id=${"drop-"+e}
    title=${o}
    reads=${Be[e]}
    tag="caused"
    formats=${lt}
    written=${()=>Ur(e)}
    coded=${!1}
    hidden=${i===null}
  >
    <div class="drop-compared" data-fresh=${String(c.fresh)}>
      <div class="compare-numbers">${i&&m`<${a} of=${i} />`}</div>
      <${Xt}
        data=${{"data-key":e}}
        scene=${l=>{const u=Pe();return u&&n(u,l,!1)}}
        drawn=${()=>c.evaluation?.id??""}
        label=${l=>l.title+". "+l.desc}
      />
      ${t}
    </div>
    <${rt}
      words=${r+" as a table"}
      data=${{"data-compare-table":e}}
      caption=${i?n(i,1e3,!0).desc??"":""}
      rows=${i&&(()=>s(i))}
    />
  <//>`}function Fr(){ue(ir,[]);const e=Pe();return m`<div class="drop-compare" hidden=${!V.value}>
    <div class="compare-words">
      ${V.value&&m`<p class="hint" role="status">${e?Rr(e):Nr()}</p>`}
    </div>
    <${_s} name="compared">
      <div class="compare-curves"><${lr} /></div>
    <//>
    <${_s} name="difference" />
  </div>`}const Qt=({experts:e,top_k:t},{kind:n,top_k:s})=>n==="drop"?Math.max(0,e-(s??t)):e;function Ss(e,t,n,s=!0){const a=ze(e),o=new Set(a),r=t.filter(h=>o.has(h)),i=Qt(e,n);if(r.length&&r.length>=i)return{back:r};const l=t.filter(h=>!o.has(h)),u=i===e.experts||!i;if(!u&&!s)return{out:[...l,...a.slice(-i)]};const d=e.name+(u?".*":".least:"+i);return{rule:[...l,d]}}const xe={drop:"dropped",mute:"muted",mean:"mean",resample:"resampled"},qr={...xe,mean:"at their mean"},dt={drop:"Drop ",mute:"Mute ",mean:"Put the mean in place of ",resample:"Resample "},Es="data-drop-unit",We=e=>e!==null&&e.units.length>ka&&!M({model:e}),Ts=e=>e!==null&&!We(e)&&!M({model:e});function Oe(e,t){const n=new Set(C());e.forEach(i=>t?n.add(i):n.delete(i));const{choice:s,model:a}=c,o=new Set(Ct());if(!e.some(i=>o.has(i))&&s.least){const i=new Set(s.units);e.forEach(u=>t?i.add(u):i.delete(u));const l=a.units.filter(u=>i.has(u));B({units:l})}else Ye([...n])}const Zt=(e,t,n)=>t?"Bring "+e+" back":dt[n]+e;function Lr({unit:e,units:t,away:n,kind:s,measured:a}){const o=n?a?xe[s]:"not "+xe[s]+" yet":"",r=Zt(e,n,s),[i,l]=[()=>He(e),()=>He(null)];return m`<button
    type="button"
    class="chip"
    ...${{[Es]:e}}
    data-state=${n?s==="drop"?"dropped":"muted":"on"}
    title=${r}
    aria-pressed=${String(n)}
    aria-label=${e+(o&&", "+o)+". "+r}
    onClick=${()=>Oe([e],!n)}
    onPointerEnter=${i}
    onPointerLeave=${l}
    onFocus=${i}
    onBlur=${l}
  >
    <span class="swatch" aria-hidden="true" style=${{background:va(t,e)}}></span>
    ${e}
    <span class="chip-state">${o}</span>
  </button>`}function Gr(){const{model:e,choice:t,status:n,fresh:s}=c,a=s||n!=="failed"&&n!=="cancelled",[o,r]=[C(),Ts(e)?e?.units??[]:[]];return m`<div
    class="chips"
    role="group"
    aria-label="Units"
    hidden=${e!==null&&!Ts(e)}
    onKeyDown=${Un}
  >
    ${r.map(i=>m`<${Lr} key=${i} ...${{unit:i,units:r,away:o.includes(i),kind:t.kind,measured:a}} />`)}
  </div>`}const Jr=[["name","by name"],["connectivity","by connectivity"],["graph","as in the graph"]];function zr(e,{model:t,graph:n}){return!n||e==="name"?t.units:(e==="graph"?n.order:$n(n.connectivity).reverse()).map(a=>t.units[a])}function ht(e){const{model:t,graph:n}=c;return t?xa(t.units,e,n&&n.connectivity):[]}function Hr(){const{model:e,graph:t,choice:n}=c,{units:s,unit:a}=Y(e),o=k(C().length)+" of "+k(e.units.length),r=t?"; the stronger the colour, the better connected":"";return o+" "+(e.units.length===1?a:s)+" "+qr[n.kind]+r}function Kr({asked:e,order:t}){const{model:n,graph:s,choice:a}=c;if(!n||!We(n))return null;const o=ht(e.value).length,r=Oa(n.units,e.value,s&&s.connectivity,Y(n)),i=()=>Oe(ht(e.value),!0);return m`
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
      onInput=${l=>e.value=l.currentTarget.value}
      onKeyDown=${l=>l.key==="Enter"&&i()}
    />
    <span class="hint" id="drop-unfound" role="status" aria-live="polite">${r}</span>
    <${D} id="drop-take" wait=${!o} act=${i}>${(dt[a.kind]+(o||"")).trim()}<//>
    <${D} id="drop-bring" wait=${!o} act=${()=>Oe(ht(e.value),!1)}>Bring back<//>
    <${X}
      id="drop-order"
      look="small-input"
      label="Order of the units"
      options=${Jr}
      chosen=${t.value}
      onChoose=${l=>t.value=l}
      wait=${!s}
      hidden=${!we(c)}
    />
    <span class="hint" id="drop-count">${Hr()}</span>
  `}function Yr(){const[e,t]=[Re(""),Re("name")],n=$e(null);return ue(()=>{const s=n.current,a=new ro(s,Es,{toggle:Oe,point:r=>He(r),about(r,i){const{graph:l,model:u,choice:d}=c,h=l?", q "+l.connectivity[u.units.indexOf(r)].toFixed(1):"";return r+h+". "+Zt(r,i,d.kind)}}),o=[A(()=>{const r=c,{graph:i,model:l}=r;We(l)&&(a.show(zr(t.value,r)),i&&a.shade(u=>i.connectivity[l.units.indexOf(u)]),a.ring(ht(e.value)))}),A(()=>{const{model:r,choice:i}=c;We(r)&&(a.mark(C(),xe[i.kind]),s.dataset.kind=i.kind)})];return()=>o.forEach(r=>r())},[]),m`<div class="drop-many" hidden=${!We(c.model)}>
    <div class="interventions drop-row"><${Kr} asked=${e} order=${t} /></div>
    <div ref=${n} role="group" aria-label="Units"></div>
  </div>`}const Ms=({id:e,name:t,label:n,value:s,most:a,words:o,wait:r=!1,onSlide:i})=>m`<div class="control" title=${n}>
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
      onInput=${l=>i(Number(l.currentTarget.value))}
    />
    <output class="readout">${o}</output>
  </div>`;function Xr(){if(!we(c))return null;const{model:e,graph:t,graphProblem:n,choice:s}=c,a=s.edges===null?1:s.edges;return m`<div class="interventions drop-row">
    <${Ms}
      id="drop-least"
      name="n least connected"
      label="Drop the n units of least connectivity q"
      value=${s.least}
      most=${e.units.length-1}
      words=${s.least+" of "+e.units.length}
      wait=${!t}
      onSlide=${o=>B({least:o},!0)}
    />
    <${Ms}
      id="drop-edges"
      name="share of edges kept"
      label="Share of the links that is kept, the most probable first"
      value=${Math.round(100*a)}
      most=${100}
      words=${ya(a)+" %"}
      onSlide=${o=>B({edges:o===100?null:o/100},!0)}
    />
    <span class="hint">
      ${n?"The graph: "+n.message:t?"":"Reading the graph"}
    </span>
  </div>`}const Vr="data-drop-unit",De="data-drop-layer",As=({id:e,name:t,unit:n="",value:s,least:a,most:o,act:r})=>m`<span class="control">
    <label class="control-name" for=${e}>${t}</label>
    <input
      type="number"
      class="small-input expert-count"
      id=${e}
      min=${a}
      max=${o}
      value=${s.value}
      onInput=${i=>{const l=Number(i.currentTarget.value);Number.isInteger(l)&&(s.value=l)}}
      onKeyDown=${i=>i.key==="Enter"&&r()}
    />
    ${n&&m`<span class="hint">${n}</span>`}
  </span>`;function Qr(){const{model:e,choice:t,use:n,sets:s}=c,{units:a}=Y(e),o=C().length,r=k(o)+" of "+k(e.units.length)+" "+a+" "+xe[t.kind];return s.length?r+(n?"":"; observing their use"):r+"; no use is observed without a data set"}function Zr(){const{model:e,use:t}=c;return t?(lo(e?.layers??[])?"Shade and number":"Shade")+": observed "+K.weight+", in % of the layer, with all experts on, over "+k(t.count)+" samples of "+t.data.join(", ")+".":""}function ei({least:e,share:t}){const{model:n,choice:s,ruled:a,sets:o}=c;if(!n||!M(c))return null;const r=(n.layers??[]).reduce((p,g)=>p+Qt(g,s),0),i=()=>Xe(["least:"+e.value]),l=()=>Xe(["share:"+t.value/100]),u=dt[s.kind].trim(),d=!C().length,h=m`
    <${As}
      id="drop-least-used"
      name=${"Least "+K.weight}
      value=${e}
      least=${1}
      most=${r}
      act=${i}
    />
    <${D} id="drop-take-least" act=${i}>${u}<//>
    <${As}
      id="drop-share"
      name="Share of every layer"
      unit="%"
      value=${t}
      least=${1}
      most=${100}
      act=${l}
    />
    <${D} id="drop-take-share" act=${l}>${u}<//>
  `;return m`
    ${o.length>0&&h}
    <${D} id="drop-bring" wait=${d} act=${()=>Ye([])}>Bring all back<//>
    <span class="hint" id="drop-count">${Qr()}</span>
    <span class="hint" id="drop-ruled" role="status" aria-live="polite" data-refused=${String(!!a?.refused)}>
      ${a?a.text:""}
    </span>
  `}function ti(e){const{model:t,choice:n,sets:s}=c,a=(t.layers??[]).find(r=>r.name===e);if(!a)return;const o=Ss(a,C(),n,s.length>0);"back"in o?Oe(o.back,!1):"out"in o?Ye(o.out):Xe(o.rule)}function ni(){const[e,t]=[Re(4),Re(25)],n=$e(null);return ue(()=>si(n.current),[]),m`<div class="drop-experts" hidden=${!M(c)}>
    <div
      ref=${n}
      class="expert-grid"
      role="group"
      aria-label="Experts by layer"
      onClick=${s=>{const a=s.target instanceof Element&&s.target.closest("["+De+"]")?.getAttribute(De);a&&ti(a)}}
    ></div>
    <p class="hint expert-legend">${Zr()}</p>
    <div class="interventions drop-row"><${ei} least=${e} share=${t} /></div>
  </div>`}function si(e){const t=new io(e,Vr,{toggle:Oe,point:n=>He(n),about(n,s){const{use:a,choice:o}=c,r=a?.units.find(l=>l.unit===n),i=r?", "+K.weight+" "+Ne(r.share)+" % of its layer":"";return n+i+". "+Zt(n,s,o.kind)}});return Ke(({model:n,choice:s,use:a,sets:o},r)=>{if(!(!n||!M({model:n}))&&(r.has("model")&&t.lay(n.layers??[],De),(r.has("model")||r.has("use"))&&t.tell(a&&new Map(a.units.map(({unit:i,share:l})=>[i,l]))),!!["model","choice"].some(i=>r.has(i)))){t.mark(C(),xe[s.kind]),e.dataset.kind=s.kind;for(const i of e.querySelectorAll("["+De+"]")){const l=(n.layers??[]).find($=>$.name===i.getAttribute(De));if(!l)continue;const u=Ss(l,C(),s),d=l.experts-Qt(l,s),h=o.length?d+" most used experts of ":"first "+d+" experts of ",p=d?"all but the "+h:"all experts of ",g=("back"in u?"Bring back the experts of ":dt[s.kind]+p)+"layer "+jn(l.name);i.setAttribute("title",g),i.setAttribute("aria-label","layer "+jn(l.name)+". "+g)}}})}const[ai,en,Ns,oi,ri,ii]=[236,196,52,14,30,36],_e={tokens:"by "+K.tokens,weight:"by "+K.weight,effect:"by caused effect",greedy:"greedy, by caused effect",chance:"by chance"},li=({baseline:e})=>e.map(t=>t.domain).sort((t,n)=>+(n==="all")-+(t==="all")),pt=e=>e==="all"?"all data sets":e,ci=(e,t)=>t==="figure"?e.figure:e.change,ui=(e,t)=>t==="figure"?e.random:e.random_change,Rs=e=>e?[e.value,e.low,e.high]:[];function Ue(e,t){const{value:n,low:s,high:a}=e;return t(n)+(s===null||a===null?"":" (95 %: "+t(s)+" to "+t(a)+")")}const di=({low:e,high:t},n)=>e===null||t===null?"":", from "+n(e)+" to "+n(t),Cs=(e,t)=>t==="all"||e.data.length===1?e.count:e.data.find(({name:n})=>n===t)?.count,ft=e=>e===void 0?"":", over "+k(e)+" samples",Is=(e,t)=>e.draws??t.draws;function hi(e){const t=e.curve.filter(a=>a.random).map(a=>Is(a,e)),[n,s]=t.length?[Math.min(...t),Math.max(...t)]:[e.draws,e.draws];return(n<s?n+" to "+s:s)+" random sets"}function pi(e,t){const n=N(t.measure),s=i=>Ae(n,i),a=i=>n.change(i)+" "+n.changeUnit,o=pt(e.domain)+", "+Ne(e.share)+" % kept ("+k(e.experts)+" experts), "+_e[t.order]+": ",r=e.random&&e.random_change?"; "+Is(e,t)+" random sets "+s(e.random.value)+di(e.random,s):"";return o+Ue(e.figure,s)+"; change "+Ue(e.change,a)+ft(Cs(t,e.domain))+r}function fi({found:e,domain:t,shown:n,mark:s,dx:a,dy:o,width:r}){const i=N(e.measure),l=e.curve.filter(w=>w.domain===t).sort((w,S)=>S.share-w.share),u=e.baseline.find(w=>w.domain===t)?.figure,d=n==="figure"?u:{value:0,low:null,high:null},h=s.figures.get(t),p=h&&(n==="figure"?h.figure:h.change),g=[...d?[{share:1,at:d}]:[],...l.map(w=>({share:w.share,at:ci(w,n)}))],$=l.flatMap(w=>[ui(w,n)].flatMap(S=>S?[{share:w.share,at:S}]:[])),y=[...g,...$].flatMap(({at:w})=>Rs(w)).concat(Rs(p)).filter(w=>w!==null),[x,_]=[Math.min(...y),Math.max(...y)],R=.06*(_-x||Math.abs(_)||1),[J,v,O,z]=[a+Ns,a+r-oi,o+ri,o+en-ii],ee=Math.min(s.share,...l.map(w=>w.share),.9),un=Ge([1,ee],[J,v],{round:!1,ticks:[1,.75,.5,.25,0].filter(w=>w>=ee-.02),named:w=>Math.round(100*w)+(w===1?" %":"")}),le=i.share?100:1,te=Ge([le*(x-R),le*(_+R)],[z,O],{round:!1,most:6}),{named:sa}=te;n==="change"&&(te.named=w=>(w>0?"+":"")+sa(w));const ne={x:({share:w})=>un(w),y:({at:w})=>te(le*w.value)},dn=({at:{low:w,high:S}})=>w===null||S===null?null:[te(le*w),te(le*S)],aa=w=>Ae(i,w),oa=w=>d&&!w?pt(t)+", all experts: "+Ue(u??d,aa)+ft(Cs(e,t)):pi(l[w-(d?1:0)],e),ra=(w,S)=>d&&!S?"ink":"accent",hn=h&&p?[{share:s.share,at:p}]:[],pn=$.length&&d?[{share:1,at:{...d,low:d.value,high:d.value}},...$]:$;return[ae([pt(t)],{x:J,y:o+14,down:0,size:12.5,weight:650,room:v-J}),Cn(te,[J,v],{strong:n==="change"?0:null}),Et(un,[O,z],{grid:!1}),In(pn,{...ne,y:({at:{value:w,low:S,high:ia}})=>[te(le*(S??w)),te(le*(ia??w))],fill:"unmatched"}),Nt(pn,{...ne,stroke:"unmatched",width:1.5,dash:[4,3]}),Nn([s],{x:ne.x,y:[O,z],stroke:"marker",width:1.2,dash:[3,3]}),g.length>1?Nt(g,{...ne,stroke:"accent"}):[],Tt(g,{...ne,y:dn,r:0,stroke:ra}),Mt(g,{...ne,r:3.5,fill:(w,S)=>d&&!S?"surface":"accent",stroke:(w,S)=>d&&!S?"ink":void 0,width:1.5,words:(w,S)=>oa(S),reach:14,rise:14}),Tt(hn,{...ne,y:dn,r:0,stroke:"marker"}),co(hn,{...ne,text:"diamond",r:6,stroke:"surface",width:1.5,fill:"marker",words:h&&mi(t,s,h,i),reach:14,rise:14})]}function mi(e,{share:t},{figure:n,change:s,count:a},o){const r=u=>Ae(o,u),i=u=>o.change(u)+" "+o.changeUnit;return pt(e)+", what the page left out, "+Ne(t)+" % kept: "+Ue(n,r)+(s?"; change "+Ue(s,i):"")+ft(a)}function Bs(e,t,n,s){const a=li(e),o=Math.max(1,Math.min(a.length,Math.floor(s/ai))),r=s/o,i=Math.ceil(a.length/o)*en,l=N(e.measure),u=l.unit&&!l.name.startsWith(l.unit)?" ("+l.unit+")":"",d=t==="figure"?l.title+u:"Change of "+l.name,h=Bn([{text:d,key:"none",ink:"ink",weight:600},{text:_e[e.order]+"; whiskers 95 %"+ft(e.count),stroke:"accent"},...e.draws?[{text:hi(e)+": mean, least to largest",stroke:"unmatched"}]:[]],{x:s<420?8:Ns,y:i+8,width:s,size:11.5});return Ce({width:s,height:i+h.height+4,title:d+" while fewer experts are kept, "+_e[e.order]+": "+e.model,desc:"A facet a data set: "+d+" against the share of experts that is kept. The line goes "+_e[e.order]+", whiskers are 95 % intervals, the band spans random sets of the same size; the dashed upright is where the bars stand.",marks:[a.map((p,g)=>fi({found:e,domain:p,shown:t,mark:n,width:r,dx:g%o*r,dy:Math.floor(g/o)*en})),h.marks]})}const Ps=e=>[["domain","share","experts","figure","low","high","change","change_low","change_high","random","random_low","random_high","random_change","random_change_low","random_change_high"],...e.curve.map(({domain:t,share:n,experts:s,figure:a,change:o,random:r,random_change:i})=>[t,n,s,...[a,o,r,i].flatMap(l=>[l?.value??"",l?.low??"",l?.high??""])])],je=26,[gi,$i,Se]=[5,40,18],[tn,bi]=[.25,.85],Ws=e=>Math.max(1,...e.map(t=>t.experts));function nn(e,t){const n=Math.max(gi,Math.min($i,Math.floor(t/Ws(e))));return{cell:n,width:n*Ws(e),height:je*e.length}}function Ds({layers:e,counts:t,places:n},s,a){if(!n)return{goes:!1,opacity:tn};const o=e[s].experts-t[s],r=n[s][a],i=Math.max(1,e[s].experts-1);return{goes:r<o,opacity:tn+(bi-tn)*r/i}}function wi(e,t,n){const s=vn(),a=nn(t.layers,n),o=po(e,a.width,a.height);o.clearRect(0,0,a.width,a.height);const r=a.cell>8?2:1,i=(je-Se)/2;t.layers.forEach((l,u)=>{const d=u*je+i;for(let h=0;h<l.experts;h+=1){const{goes:p,opacity:g}=Ds(t,u,h),[$,f]=[h*a.cell,a.cell-r];if(p){o.globalAlpha=1,o.strokeStyle=s.bad,o.lineWidth=1,f>7?(o.strokeRect($+.5,d+.5,f-1,Se-1),o.beginPath(),o.moveTo($+3,d+Se-3),o.lineTo($+f-3,d+3),o.stroke()):(o.fillStyle=s.bad,o.fillRect($,d+Se/2-1,f,2));continue}o.globalAlpha=g,o.fillStyle=s.accent,o.fillRect($,d,f,Se)}}),o.globalAlpha=1,Object.assign(e.style,{width:a.width+"px",height:a.height+"px"})}function yi(e,t,n,s){const[a,o]=[Math.floor(s/je),Math.floor(n/t)];return a>=0&&a<e.length&&o>=0&&o<e[a].experts?{row:a,expert:o}:null}function vi(e,t,n){const{layers:s,counts:a}=e,o=s.map(({name:p})=>Me(p)),r=Math.ceil(uo(o,11.5))+12,i=nn(s,t-r-70),l=ho(o,[0,i.height],je-Se),u=s.flatMap((p,g)=>Array.from({length:p.experts},($,f)=>({row:g,x:r+f*i.cell,...Ds(e,g,f)}))),d=i.cell-(i.cell>8?2:1),h={y:({row:p})=>l.extent(p),x:({x:p})=>[p,p+d],rx:2};return Ce({width:t,height:i.height+6,title:n,desc:"A row a layer, a cell an expert: filled ones stay, the stronger the later they would go; hollow ones go.",marks:[ae(o,{x:r-8,y:(p,g)=>l(g),size:11.5,anchor:"end"}),Fn(u.filter(({goes:p})=>p),{...h,stroke:"bad",width:1}),Fn(u.filter(({goes:p})=>!p),{...h,fill:"accent",opacity:({opacity:p})=>p}),ae(s,{x:r+i.width+8,y:(p,g)=>l(g),text:(p,g)=>a[g]+" of "+p.experts,size:11.5,fill:"dim"})]})}const re=({experts:e,top_k:t})=>Math.min(t,e),ki=5e5,Us=(e,t,n)=>Math.max(t,Math.min(n,e)),sn=e=>e.map(t=>t.experts),mt=(e,t)=>e.map(n=>Us(Math.ceil(Number((n.experts*t).toFixed(9))),re(n),n.experts)),js=(e,t,n)=>qs(e,t,(s,a)=>a<=n),Fs=e=>e.slice(0,e.lastIndexOf("."));function qs(e,t,n){const s=sn(e),a=new Map(e.map((r,i)=>[r.name,i]));let o=s.reduce((r,i)=>r+i,0);for(const r of t){if(n(s,o))break;const i=a.get(Fs(r))??-1;i<0||s[i]<=re(e[i])||(s[i]-=1,o-=1)}return s}function Ls(e,t){const n=new Map(e.map(s=>[s.name,[]]));for(const s of t){const a=Fs(s);n.get(a)?.push(Number(s.slice(a.length+2))-1)}return e.map(({name:s,experts:a})=>{const o=n.get(s)??[],r=new Set(o),i=Array.from({length:a},(u,d)=>d).filter(u=>!r.has(u)),l=new Int32Array(a);return[...o,...i].forEach((u,d)=>l[u]=d),l})}const xi=(e,t,n)=>e.flatMap((s,a)=>ze(s).filter((o,r)=>t[a][r]<s.experts-n[a]));function Oi(e,t,n,s,a,o){const r=Us(o,re(t[a]),t[a].experts);return e==="alike"?mt(t,r/t[a].experts):e==="own"?s.map((i,l)=>l===a?r:i):qs(t,n,i=>i[a]<=r)}const _i=({units:e})=>e.map(({unit:t,share:n},s)=>({unit:t,share:n,at:s})).sort((t,n)=>t.share-n.share||t.at-n.at).map(({unit:t})=>t);function Gs(e,t,n){const s=e.reduce((r,i)=>r+i.experts,0),a=s-e.reduce((r,i)=>r+re(i),0);if(t==="effect")return s+1;if(t!=="greedy")return 0;let o=0;for(let r=0;r<a;r+=n)o+=s-r+1;return o}function Js(e,t,n){if(e!=="greedy")return 1;const s=t.reduce((o,r)=>o+r.experts,0);let a=1;for(;a<s&&Gs(t,e,a)*n>ki;)a*=2;return a}function Si(e,t,n){const s=e.map(o=>o.experts-re(o)),a=e.findIndex(o=>o.experts===Math.max(...sn(e)));return Math.min(n,t==="all"?s.reduce((o,r)=>o+r,0):s[a])}const W="pruning",gt=8,Ei=64*1024*1024,Ti=700,Mi=20,{state:b,update:T,subscribe:$l}=mn({model:null,layers:[],order:"weight",way:"alike",samples:128,draws:8,counts:[],known:null,found:null,said:"",writes:!1});function Fe(){const{model:e,order:t,way:n,samples:s,draws:a,layers:o}=b,r=n==="together"?"all":"layer",i=Js(t,o,s);return{model:e,data:Z(),samples:s,order:t,scope:r,at_once:i,points:gt,draws:a,seed:0}}function zs(){const{model:e,data:t,samples:n,order:s,at_once:a,seed:o}=Fe();return JSON.stringify({model:e,data:t,samples:n,order:s,atOnce:a,seed:o})}function G(){const{known:e,order:t}=b,n=e&&e.of===zs()?e:null;if(n)return{...n,preliminary:!1};const{use:s}=c;return t!=="weight"||!s?null:{...Ai(s),of:"",preliminary:!0}}let $t=null;function Ai(e){const{layers:t}=b;if($t?.use===e&&$t.layers===t)return $t;const n=_i(e);return $t={use:e,layers:t,sequence:n,places:Ls(t,n)}}function Hs(){const e=G();return e?xi(b.layers,e.places,b.counts):[]}function ie(){return{stay:b.counts.reduce((t,n)=>t+n,0),whole:b.layers.reduce((t,n)=>t+n.experts,0)}}function Ni(e,t){const{way:n,layers:s,counts:a}=b;T({counts:Oi(n,s,G()?.sequence??[],a,e,t),said:""})}function Ri(e){const{way:t,layers:n}=b,s=G()?.sequence??[],a=t==="together"?js(n,s,e):mt(n,e/ie().whole);T({counts:a,said:""})}const Ci=()=>T({counts:sn(b.layers),said:""});function bt(e){const t=JSON.stringify(Fe());T({...e,said:""}),b.way!=="own"&&Ks(),JSON.stringify(Fe())!==t&&(b.found&&T({found:null}),ge(W))}function Ks(){const{way:e,layers:t}=b,{stay:n,whole:s}=ie();if(!s)return;const a=G()?.sequence??[];T({counts:e==="alike"?mt(t,n/s):js(t,a,n)})}const an=()=>vt(W,"/prunings",Fe());function Ii(){B({kind:"drop",units:Hs(),least:0,top_k:null})}function on(){const e=Hs(),{choice:t}=c,n=t.kind==="drop"&&t.top_k===null?C():[];return e.length>0&&e.length===n.length&&e.every((s,a)=>s===n[a])}const Ys=e=>"/prunings/"+encodeURIComponent(b.found?.id??"")+"/"+e+"?keep="+b.counts.join(",");async function Bi(){if(!b.found)return null;T({said:""});try{return await(await On(Ys("keep-list"))).blob()}catch(e){return T({said:e.message}),null}}async function Pi(){if(!b.found||b.writes)return null;const e=Ys("model");T({said:"",writes:!0});try{const t=await On(e);return Number(t.headers.get("Content-Length")??1/0)<=Ei?await t.blob():(await t.body?.cancel(),_a+e)}catch(t){return T({said:t.message}),null}finally{T({writes:!1})}}let Xs=0;async function Wi({job:e}){if(!e||!["running","done"].includes(e.state)||!b.model)return;const t=e.state==="running";if(t&&(!e.total||performance.now()-Xs<Ti)||!t&&b.found?.id===e.id&&b.found.complete)return;Xs=performance.now();const n=await H("GET","/prunings/"+encodeURIComponent(e.id)).catch(()=>null);if(!(!n||F(W).job?.id!==e.id||n.model!==b.model)&&!(b.found?.id===n.id&&Di(n,b.found))&&n.sequence.length){const s=zs(),a=b.known?.of===s?b.known:{of:s,sequence:n.sequence,places:Ls(b.layers,n.sequence)};T({known:a,found:n}),b.way==="together"&&Ks()}}const Di=(e,t)=>t.complete||!e.complete&&e.curve.length<t.curve.length;function Vs(e){const{choice:t}=c,n=new Set(t.kind==="drop"?C():[]);return e.map(s=>{let a=0;for(let o=1;o<=s.experts;o+=1)n.has(s.name+".e"+o)||(a+=1);return Math.max(a,re(s))})}function Qs(e,t){const n=mt(e,t[0]/e[0].experts);return t.some((s,a)=>s!==n[a])}async function Ui(){const{model:e}=b,t=await H("GET","/jobs?kind="+W+"&limit="+Mi).catch(()=>null);if(!t||b.model!==e||F(W).job||F(W).starting)return;const n=JSON.stringify(Z()),s=t.items.find(({state:p,owner:g,request:$})=>["running","queued","done"].includes(p)&&g!=="another"&&$.model===e&&JSON.stringify($.data)===n&&!$.keep&&$.points===gt);if(!s)return;const a=s.request,{order:o,scope:r,samples:i,draws:l}=a,u=r==="all"?"together":Qs(b.layers,b.counts)?"own":"alike";T({order:o,way:u,samples:i,draws:l});const d=Fe();Object.keys(d).every(p=>JSON.stringify(d[p])===JSON.stringify(s.request[p]))&&an()}let rn="",ln=!1;function ji(){const e=[yt(W,t=>{Wi(t)}),Ke(({model:t},n)=>{if(!n.has("model")&&!n.has("choice"))return;const s=t?.layers??[],a=t&&s.length?t.id:null;if(a!==b.model&&(b.model&&ge(W),rn=JSON.stringify(Z()),ln=!0,T({model:a,layers:s,counts:Vs(s),known:null,found:null,said:""})),!a||!n.has("choice"))return;if(ln){ln=!1;const r=Vs(s);T({counts:r,way:Qs(s,r)?"own":"alike"}),Ui();return}const o=JSON.stringify(Z());o!==rn&&(rn=o,(b.found||F(W).job)&&ge(W),T({found:null}))})];return()=>{e.forEach(t=>t()),T({model:null,layers:[],counts:[],known:null,found:null,said:""})}}const Fi=[["tokens","by "+K.tokens+", observed"],["weight","by "+K.weight+", observed"],["effect","by effect, caused"],["greedy","greedy, caused"],["chance","by chance"]],qi=[["alike","all alike"],["together","all together, by the order"],["own","each on its own"]],Li={tokens:"Observed: experts that fewest tokens take go first. This predicts effects badly.",weight:"Observed: experts of least routing weight go first. This predicts effects badly.",effect:"Caused: each expert is dropped alone, and those that cost least go first.",greedy:"Caused: after every step all that are left are dropped in turn, and the cheapest goes.",chance:"By chance: what any other order has to beat."};function Gi(){const{order:e,layers:t,samples:n,draws:s,way:a}=b,o=Si(t,a==="together"?"all":"layer",gt),r=Js(e,t,n),l=Gs(t,e,r)+o*(1+s)+1,u=c.evaluation?.baseline?.samples_per_second,d=u?", about "+kt(l*n/u):"";return k(l)+" sets of experts on "+k(n)+" samples"+d+"."+(r>1?" Experts go "+k(r)+" at once.":"")}function Ji(){const{order:e,way:t,samples:n,draws:s,found:a,model:o}=b;if(!o)return null;const{job:r,starting:i,problem:l}=F(W),u=i||r!==null&&["queued","running"].includes(r.state),d=!!a?.complete,{read_only:h}=ce.value,p=bn(l)&&l?.message,g=(f,y,x)=>m`<div class="control"><label class="control-name" for=${f}>${y}</label>${x}</div>`,$="small-input";return m`<div class="interventions drop-row">
      ${g("studio-order","Experts go",m`<${X}
          id="studio-order"
          look=${$}
          options=${Fi}
          chosen=${e}
          onChoose=${f=>bt({order:f})}
        />`)}
      ${g("studio-way","Layers",m`<${X}
          id="studio-way"
          look=${$}
          options=${qi}
          chosen=${t}
          onChoose=${f=>bt({way:f})}
        />`)}
      ${g("studio-samples","Samples",m`<${X}
          id="studio-samples"
          look=${$}
          options=${Ot([32,64,128,256],n)}
          chosen=${String(n)}
          onChoose=${f=>bt({samples:Number(f)})}
        />`)}
      ${g("studio-draws","Random sets",m`<${X}
          id="studio-draws"
          look=${$}
          options=${Ot([0,4,8,16],s)}
          chosen=${String(s)}
          onChoose=${f=>bt({draws:Number(f)})}
        />`)}
      ${!h&&m`<button
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
      ${Li[e]} ${p||(d||u||h?"":Gi())}
    </p>`}function zi(){const{model:e,found:t}=b,{job:n,starting:s,problem:a}=F(W);ce.value.read_only&&e&&!t&&!n&&!s&&!a&&se(an)}const Zs=({name:e,label:t,value:n,least:s,most:a,at:o,onMove:r})=>m`<div class="studio-bar" data-studio-layer=${o}>
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
  </div>`;function Hi(){const{layers:e,counts:t}=b;return e.map((n,s)=>{const a=Me(n.name),o="Experts that "+a+" keeps";return m`<${Zs}
      key=${n.name}
      ...${{name:a,label:o,at:s,value:t[s],least:re(n),most:n.experts}}
      onMove=${r=>Ni(s,r)}
    />`})}function Ki(){const{layers:e}=b,{stay:t,whole:n}=ie(),s=e.reduce((a,o)=>a+re(o),0);return m`<${Zs}
    ...${{name:"all",label:"Experts that all layers keep",at:-1,value:t,least:s,most:n}}
    onMove=${Ri}
  />`}function Yi(){const e=G();if(!e)return m`Compute the order to see which experts go.`;const t=e.preliminary?"Preview by "+K.weight+", as in the grid above. Compute the order for the final ranking. ":"";return m`${t}Filled cells stay, the stronger the later they would go; struck ones go.`}function Xi({row:e,expert:t}){const{layers:n,counts:s}=b,a=G(),o=n[e],r=ze(o)[t];if(!a)return r;const i=a.places[e][t],l=i>=o.experts-s[e],u="it stays while "+(o.experts-i)+" or more of "+o.experts+" are kept";return r+(l?" stays":" goes")+": number "+(i+1)+" of its layer to go, "+u}function Vi(){const e=$e(null);return ue(()=>{const t=e.current,n=t.querySelector("canvas");let s=1;function a(){const{layers:r,counts:i,model:l}=b,u=G(),{stay:d,whole:h}=ie(),p=t.clientWidth;!l||p<20||(s=nn(r,p).cell,wi(n,{layers:r,counts:i,places:u?.places??null},p),n.dataset.painted=i.join(",")+(u?u.preliminary?" preliminary":" known":""),n.setAttribute("aria-label",d+" of "+h+" experts stay"+(u?"":"; who goes is not known yet")))}n.addEventListener("pointermove",r=>{const i=n.getBoundingClientRect(),l=yi(b.layers,s,r.clientX-i.left,r.clientY-i.top);n.title=l?Xi(l):""});const o=[A(a),yn(a),Wn(t,a)];return()=>o.forEach(r=>r())},[]),m`<div ref=${e} class="studio-cells"><canvas role="img"></canvas></div>`}function cn(){const{layers:e,counts:t}=b,n=G();return[["layer","expert","goes_as","stays"],...e.flatMap((s,a)=>ze(s).map((o,r)=>{const i=n?n.places[a][r]:null;return[s.name,o,i===null?"":i+1,i===null?"":String(i>=s.experts-t[a])]}))]}function ea(e){const{id:t,model:n,revision:s,order:a,scope:o,at_once:r,draws:i,seed:l,count:u,chosen_on:d}=e,h=e.data.map($=>({name:$.name,count:$.count,stand_in:$.stand_in})),p={keep:[...b.counts],points:gt},g={order:a,scope:o,at_once:r,draws:i,seed:l,...p};return{model:n,revision:s,data:h,samples:u,order_chosen_on:d,...g,pruning:t,kind:"caused"}}function Qi(){const{found:e,layers:t,counts:n}=b,s=G();if(!e||!s)return null;const{stay:a,whole:o}=ie(),r=k(a)+" of "+k(o)+" experts stay, "+_e[e.order]+": "+e.model,i="Filled cells stay, the stronger the later they would go; hollow ones go.",l=["tokens","weight"].includes(e.order)?"observed":"caused";return{name:"pruning",title:r,caption:i,facts:{...ea(e),kind:l},python:{figure:"kept-experts"},rows:cn,json:()=>Dn(cn()),picture:{scene:()=>vi({layers:t,counts:n,places:s.places},640,r)}}}function Zi(){const{found:e,said:t,writes:n,model:s}=b;if(!s)return null;const{stay:a,whole:o}=ie(),r=a===o,i=G()!==null,l=async(u,d)=>{const h=await u,p=(s+d).replace(/[^\w.-]+/g,"_");typeof h=="string"?fo(h,p):h&&mo(h,h.type,p)};return m`<div class="interventions drop-row">
      <span class="studio-total"
        >${k(a)+" of "+k(o)+" experts stay, "+Ne(a/o)+" %"}</span
      >
      <${D} id="studio-apply" wait=${r||!i||on()} act=${Ii}>
        ${on()?"Applied to the page":"Apply to the page"}
      <//>
      <${D} id="studio-restore" wait=${r} act=${Ci}>Keep all<//>
      <${D} id="studio-keep-list" wait=${!e} act=${()=>l(Bi(),"-keep-list.json")}
        >Keep-list, JSON<//
      >
      <${D} id="studio-model" wait=${!e||n} act=${()=>l(Pi(),"-pruned.zip")}
        >Pruned model, ZIP<//
      >
    </div>
    <p class="hint" id="studio-said" role="status" aria-live="polite" data-refused=${String(!!t)}>
      ${t||(n?"Writing the pruned model":e?"":"Files are of a computed order.")}
    </p>`}function ta(){const{stay:e,whole:t}=ie(),n={share:t?e/t:1,experts:e,figures:new Map},{evaluation:s,fresh:a}=c;if(!s||!a||!on())return n;const{accuracy:o,change:r,done:i}=s;o&&n.figures.set("all",{figure:o,change:r&&r.accuracy,count:i});for(const l of s.by_domain){if(l.accuracy===null)continue;const u={value:l.accuracy,low:l.low,high:l.high},d=l.change===null?null:{value:l.change,low:l.change_low,high:l.change_high};n.figures.set(l.name,{figure:u,change:d,count:l.count})}return n}const el=[["figure","the figure"],["change","its change, paired"]];function tl(e){const{found:t}=b;return!t||!t.curve.length?null:{name:"pruning-retention",facts:ea(t),python:{figure:"retention"},rows:()=>Ps(t),json:()=>({pruning:t}),picture:{scene:()=>Bs(t,e,ta(),nl)}}}const nl=960;function sl(){const e=Re("figure"),{found:t}=b,n=t&&t.curve.length?t:null;return m`<${ot}
    id="drop-studio-curves"
    title="Retention by data set"
    reads=${Be.curves}
    more=${Yt.curves}
    tag="caused"
    formats=${lt}
    written=${()=>tl(e.value)}
    hidden=${n===null}
  >
    <div class="studio-shown">
      <div class="control">
        <label class="control-name" for="studio-shown">Shown is</label>
        <${X}
          id="studio-shown"
          look="small-input"
          options=${el}
          chosen=${e.value}
          onChoose=${s=>e.value=s}
        />
      </div>
    </div>
    <${Xt}
      look="studio-picture"
      widest=${1280}
      scene=${s=>{const{found:a}=b;return a&&a.curve.length?Bs(a,e.value,ta(),s):null}}
      drawn=${()=>b.found?.id+" "+b.found?.curve.length+" "+e.peek()}
      label=${s=>s.title+". "+s.desc}
    />
    <${rt}
      words="Retention by data set as a table"
      data=${{"data-studio-table":"curves"}}
      caption=${n?"Retention, "+_e[n.order]+", "+n.model:""}
      rows=${n&&(()=>Ps(n))}
    />
  <//>`}function al(){ue(()=>{const a=[ji(),A(zi)];return()=>a.forEach(o=>o())},[]);const{model:e,found:t}=b,{stay:n,whole:s}=ie();return m`<div
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
      formats=${lt}
      written=${Qi}
    >
      <div><${Ji} /></div>
      <div class="job" data-widget="job-progress" data-job=${W} data-what="Pruning of experts"></div>
      <div>
        <div class="studio-whole"><${Ki} /></div>
        <div class="studio-rows" role="group" aria-label="Experts that each layer keeps">
          <div class="studio-bars"><${Hi} /></div>
          <${Vi} />
        </div>
        <p class="hint studio-legend"><${Yi} /></p>
        <${rt}
          words="Who stays and who goes as a table"
          data=${{"data-studio-table":"kept"}}
          caption=${k(n)+" of "+k(s)+" experts stay"}
          rows=${e&&cn}
        />
      </div>
      <div><${Zi} /></div>
    <//>
    <${sl} />
  </div>`}const ol=Jn.at(-1),rl=fn("drop","samples").offered;function il(){const{model:e,sets:t}=c,n=Z(),s=t.filter(a=>e?.held_out.includes(a.name)&&n.includes(a.name));return m`<div id="drop-caption" class="caption">
    ${e&&m`<${yo} ...${e} />`}
    <${wo} sets=${t} used=${n} />
    ${s.length>0&&m`<span class="tag" title="The model was never trained on it.">
        ${"out of distribution: "+s.map(a=>a.name).join(", ")}
      </span>`}
  </div>`}const qe=({id:e,name:t,hidden:n=!1,children:s})=>m`<div class="control" id=${e} hidden=${n}><span class="control-name">${t}</span>${s}</div>`;function ll(){const{model:e,choice:t}=c,n=e?Qe(e):[de.kind],s=Object.keys(bs).map(a=>[a,bs[a],n.includes(a)?"":"This model does not take it."]);return m`<${qe}
    id="drop-kind-control"
    name=${"Click "+Y(_n()).a_unit+" to"}
    hidden=${e?.units.length===0}
  >
    <${Aa}
      id="drop-kind"
      label="What is done to the units that are clicked"
      options=${s}
      chosen=${t.kind}
      onChoose=${a=>B({kind:a})}
    />
  <//>`}function cl(){const{model:e,choice:t}=c,n=e?.layers??[],{passes:s}=Y(_n());return n.length?m`<${qe} id="drop-top-k-control" name="Experts a token takes">
    <${Sn}
      id="drop-top-k"
      label="Number of experts that a token takes"
      chosen=${t.top_k}
      most=${Math.min(...n.map(a=>a.experts))}
      none=${[...new Set(n.map(a=>a.top_k))].join(" or ")+", as trained"}
      onChoose=${a=>B({top_k:a})}
    />
  <//>`:m`<${qe} id="drop-iterations-control" name=${s[0].toUpperCase()+s.slice(1)}>
      <${Sn}
        id="drop-iterations"
        label="Number of iterations"
        chosen=${t.iterations}
        most=${e?.most_iterations??ol}
        none="as trained"
        onChoose=${a=>B({iterations:a})}
      />
    <//>`}function ul(){const{model:e,sets:t,choice:n}=c;return m`<div class="interventions drop-row">
    <${qe} name="Data">
      <div class="chips" role="group" aria-label="Data sets" onKeyDown=${Un}>
        <${vo}
          sets=${t}
          used=${Z()}
          attribute="data-drop-set"
          about=${s=>ko(s,!!e?.held_out.includes(s.name))}
          onChoose=${s=>B({data:s})}
        />
      </div>
    <//>
    <${qe} name="Samples">
      <${X}
        id="drop-samples"
        look="small-input"
        label="Number of samples"
        options=${Ot(rl,n.samples)}
        chosen=${String(n.samples)}
        onChoose=${s=>B({samples:Number(s)})}
      />
    <//>
    <${D} id="drop-reset" act=${()=>B({...de})}>Reset<//>
  </div>`}function dl(){const{model:e,choice:t}=c,n=e?.units.length===0?[]:[xn(xr[t.kind],e),gn(e)];return m`<p id="drop-sentence" class="drop-sentence">${n.filter(Boolean).join(" ")}</p>`}function hl(){return m`
    <div class="page-head">
      <h1>Drop</h1>
      <${il} />
      <span class="pin-tool"><${$o} ...${xs} /></span>
      <button type="button" class="tool tool-text" data-copy-link="true">${Le("link")}Copy link</button>
    </div>
    <${bo} ...${xs} />
    <${Sr}>
      <div class="drop-controls">
        <div class="interventions drop-row"><${ll} /><${Gr} /><${cl} /></div>
        <${Yr} />
        <${ni} />
        <${Xr} />
        <${ul} />
        <${dl} />
      </div>
    <//>
    <${Fr} />
    <${Ar} />
    <${al} />
  `}function na({pin:e,...t}){return V.value=e??"",ts({...t,rule:""})}Sa("drop",({model:e,sample:t,...n})=>c.model?.id!==e?null:(Ea({model:e,sample:t}),na(n)));function pl(e){let t=Ma(location.search).model,n=e;return A(()=>{const{model:s}=wt(),a=t??s;t=null,(n||a!==Qn())&&se(()=>Wt(a,n)),n=null})}const fl=rr({Tree:hl,choice:()=>{const{rule:e,...t}=c.choice;return{...t,pin:V.value||null}},take:e=>{na(e)},open({pin:e,...t},n){const s=n.closest(".page");V.value=e??"";const a=[Xn(),pl(t),A(()=>{Object.assign(s.dataset,{state:c.status,fresh:String(c.fresh)})}),A(()=>{s.dataset.compares=String(Pe()!==null)}),A(()=>Ta(c.evaluation?.measure??null))];return()=>{a.forEach(o=>o()),ns(),go()}}});Na({drop:()=>as});export{fl as mount};
