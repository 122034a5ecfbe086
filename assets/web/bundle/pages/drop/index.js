/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{ag as jo,af as Dn,A as Wn,n as Fe,ai as Pt,F as te,S as W,aR as Un,ad as Dt,aM as jn,Y as Fo,a1 as Lo,aS as qo,a0 as Le,Z as zo,ah as Go,aT as ne,o as Y,an as ce,V as Ho,aj as Jo,aF as X,aU as Fn,aD as qe,u as Se,aV as Wt,E as S,a5 as ze,t as T,H as se,aW as Ln,aX as qn,s as $,T as z,a6 as Ut,au as Ko,G as oe,aY as zn,aZ as Ge,R as He,v as jt,a_ as Je,Q as Ft,aL as Gn,k as Yo,a$ as Xo,b0 as Vo,b1 as Qo,b2 as Zo,ap as le,f as ea,w as ta,r as Lt,J as na,aO as Hn,am as Jn,aP as Kn,q as qt,N as Yn,O as sa,aq as zt,U as oa,ax as aa,ay as ra,c as ia,b3 as ca,i as la,az as ua,aQ as Xn,P as da}from"../../boot.js";import{ak as ha,al as ae,h as Vn,am as pa,an as fa,ao as ma,ap as ga,aq as $a,ar as wa,as as Qn,at as ba,au as Zn,av as re,aw as es,ax as ya,s as ts,ay as va,I as U,D as ue,K as Me,F as Gt,E as V,ag as de,M as $e,az as ka,w as Ke,G as xa,r as lt,q as ns,t as ut,H as Ye,aA as ss,j as we,J as Xe,aB as Ht,L as he,x as Jt,N as G,y as H,g as Oa,aC as _a,z as Sa,ae as Ma,ad as Ea,k as Aa,ah as Ta,P as be,n as Ve,A as Ee,aD as Ra,aE as Na,a4 as Kt,aF as Ca,_ as Ia,aG as Yt,aH as dt,ab as os,ac as Ba,aI as Pa,aJ as as,aK as Da,a6 as Wa,aL as Xt,a7 as Vt,a8 as Qt,aM as rs,aN as Ua,aO as ja,ai as Fa,aP as La,o as qa,aQ as za,aR as Ga,aS as Ha,aT as Ja,aU as Ka,aV as Ya,aW as Xa,R as Va,aX as Qa,aY as Za}from"../../shared.js";const er="drop",tr=10,nr=250,ye={...jo("drop"),rule:""},{offered:is}=Dn("drop","iterations"),sr={status:"loading",problem:null,model:null,graph:null,graphProblem:null,use:null,ruled:null,sets:[],choice:{...ye},pinned:null,evaluation:null,fresh:!1},{state:p,update:I,subscribe:Zt}=Wn(sr),ve=Fe(null),ke=()=>p.model,ie=()=>p.choice.data.length?p.choice.data:p.sets.map(e=>e.name),Ae=({model:e})=>e!==null&&e.constants.includes("link_probability"),P=({model:e})=>e!==null&&(e.layers??[]).length>0;function en(e=p.choice.least){const{graph:t}=p;return!e||!t?[]:jn(t.connectivity).slice(0,e).map(n=>ke().units[n])}function j(){const e=new Set([...p.choice.units,...en()]);return p.model?p.model.units.filter(t=>e.has(t)):[]}const ht=e=>q({units:or(e),least:0});function or(e){const t=new Set(e);return ke().units.filter(n=>t.has(n))}function tn(){const{model:e,choice:t}=p;if(!e)return null;const{kind:n,edges:s,iterations:o,top_k:a}=t;return pa({model:e.id,sample:Dt().sample,[n]:j(),edges:s,iterations:o,top_k:a})}async function ar(){const e=fa(ae.value);if(!e)return null;const t=ke(),n=e.model===t.id,s=n?t:await te("GET","/models/"+encodeURIComponent(e.model)).catch(()=>null),o=s?await ma(e,s):e,a=tn();return n&&ga({...o,sample:a.sample},a,t.units)?null:o}async function rr({model:e,edges:t,iterations:n,top_k:s,...o}){const a=await Promise.all(Zn.map(async r=>[r,(await Qn(o[r])).split(",").filter(Boolean)])),i={...Object.fromEntries(a),keep_edges:t,iterations:n,top_k:s};return JSON.stringify({model:e,intervention:i})}async function ir(){const{choice:e,pinned:t}=p,[n,s,o]=await Promise.all([Qn(j()),t&&rr(t),ba(ke().units,e.units,e.rule)]);return{units:n,against:s,name:o}}function cr({units:e,against:t}){const{choice:n}=p,s={model:ke().id,data:ie().join(","),samples:n.samples,[n.kind]:e,iterations:n.iterations,keep_edges:n.edges,top_k:n.top_k,controls:tr,against:t};return"/evaluations/stream"+Ho(s)}let nn=!1;const pe=ha({owner:er,statusOf:()=>p.status,update:I,async begin(e){if(Ae(p)&&p.choice.least&&!p.graph&&!p.graphProblem)return;const t=()=>e()&&nn,n=ae.value&&t()&&p.model?await ar():null;if(!t()||!p.model)return;I({pinned:n});const s=await ir();!t()||!p.model||(s.name&&I({choice:{...p.choice,rule:s.name}}),cs(),pe.ask(p.model.id,()=>cr(s)))}});function cs(){const e=ke(),t=ae.value||null,{rule:n,...s}=p.choice,o={...s,units:n?n.split(","):s.units},a=n?void 0:e.units;Go("drop",{...o,model:e.id,sample:Dt().sample,pin:t},a)}const lr=(e,t)=>JSON.stringify(e)===JSON.stringify(t),ur=["units","kind","least","top_k"];async function pt(e){const{model:t,choice:n}=p;if(!t)return;const s=await dr(t,e,n);p.model!==t||p.choice!==n||(I({ruled:s.said}),s.units&&q({units:s.units,least:0,rule:e.join(",")}))}async function dr(e,t,n){try{const s=await $a(e,t,n);return{units:s.units,said:ls(e,s)}}catch(s){return{units:null,said:{text:s.message,refused:!0}}}}function ls(e,{units:t,rules:n,observed:s}){const o=s?", by "+ne.weight+" on "+s.count+" samples":"",a=Y(e),i=t.length+" "+(t.length===1?a.unit:a.units);return{text:n.join(", ")+": in all "+i+o,refused:!1}}function q(e,t=!1){const n=ur.some(o=>o in e)&&!("rule"in e),s={...p.choice,...n?{rule:""}:{},...e};n&&I({ruled:null}),!lr(s,p.choice)&&(I({choice:s}),p.model&&pe.restart(t?nr:0))}function sn(e){e!==p.choice.distribution&&(I({choice:{...p.choice,distribution:e}}),p.model&&cs())}const us=e=>t=>t?"/models/"+encodeURIComponent(ke().id)+"/"+e:null,ft=Pt(()=>us("graph")(Ae(p)),(e,t)=>te("GET",e,void 0,{signal:t})),ds=Pt(()=>us("use")(P(p)&&p.sets.length>0),(e,t)=>te("GET",e,void 0,{signal:t}));function hs(){nn=!0;const e=[ft.follow(),ds.follow(),W(()=>{const[t,n]=[ft.answer(),ft.waits()?null:ft.problem()];ce(()=>hr(t,n))}),W(()=>{const t=ds.answer();ce(()=>t!==p.use&&I({use:t}))})];return()=>{nn=!1,e.forEach(t=>t())}}function hr(e,t){if(e===p.graph&&t===p.graphProblem)return;const n=p.choice.least>0;I({graph:e,graphProblem:t,...t?{choice:{...p.choice,least:0}}:{}}),n&&(e||t)&&pe.restart()}const mt=e=>["drop",...Un(e)?[]:["mute"],...e.fields.includes("contributions")?["mean","resample"]:[]];function ps(e,t,n){const s=n.map(r=>r.name),o=e.data.filter(r=>s.includes(r)),a=t.constants.includes("link_probability"),i=t.most_iterations??null;return Lo("units",t,e.units),qo(t.id,s,e.data),mt(t).includes(e.kind)||Le(`"kind" is ${e.kind}, which ${t.id} does not take: shown is ${ye.kind}.`),!a&&(e.least||e.edges!==null)&&Le(`Units of ${t.id} are not linked: "least" and "edges" are ignored.`),!P({model:t})&&e.top_k!==null&&Le(`No token of ${t.id} takes the best of many experts: "top_k" is ignored.`),a&&e.least>=t.units.length&&Le(`"least" is ${e.least}: one of the ${t.units.length} units of ${t.id} stays.`),i!==null&&e.iterations!==null&&e.iterations>i&&Le(`"iterations" is ${e.iterations}; ${t.id} has up to ${i}: shown is the model as trained.`),{...e,kind:mt(t).includes(e.kind)?e.kind:ye.kind,units:zo(t.units,e.units),least:a?Math.min(e.least,t.units.length-1):0,edges:a?e.edges:null,top_k:P({model:t})?e.top_k:null,iterations:i!==null&&e.iterations!==null&&e.iterations>i?null:e.iterations,data:o.length===s.length?[]:o}}let xe=0,gt=null;const fs=()=>gt;function ms(){pe.close(),I({...{model:null,sets:[],pinned:null,evaluation:null,ruled:null},fresh:!1,problem:null,status:"loading"})}async function on(e,t){const n=xe+=1;if(gt=e,t&&I({choice:{...ye,...t}}),p.model&&p.model.id!==e&&ms(),!e){I({status:"loading"});return}try{const[s,o]=await Promise.all([te("GET","/models/"+encodeURIComponent(e)),te("GET","/data")]);if(n!==xe)return;const a=s.domains.map(r=>o.items.find(c=>c.name===r)).filter(r=>r!==void 0),i=await gs(s,p.choice);if(n!==xe)return;I({model:s,sets:a,ruled:i.ruled,evaluation:null}),I({choice:{...ps({...p.choice,...i.choice},s,a),rule:i.rule}}),pe.restart()}catch(s){const{title:o,message:a}=s;n===xe&&I({status:"failed",problem:{title:o,detail:a}})}}async function gs(e,t){const n=t.rule?t.rule.split(","):t.units;if(!n.some(Fo))return{choice:{},rule:"",ruled:null};const s=await wa("units",e,n,t),o=s.rules.length>0;return{choice:{units:s.units},rule:o?s.parts.join(","):"",ruled:o?ls(e,s):null}}async function $s(e){const{model:t,sets:n}=p;if(!t)return;const s=xe+=1,o=p.choice,a=await gs(t,e);s!==xe||p.choice!==o||(I({ruled:a.ruled,choice:{...ps({...e,...a.choice},t,n),rule:a.rule}}),pe.restart())}function ws(){xe+=1,gt=null,ms()}const an=["drop","mute","mean","resample","iterations","keep_edges","top_k"];function $t(){const e=p.evaluation;return Vn(e,an,{least_connected:p.fresh&&p.choice.least?p.choice.least:null,held_out:e.data.filter(t=>t.held_out).map(t=>t.name)})}function bs(){if(p.model){pe.restart();return}I({status:"loading",problem:null}),on(gt,null)}const{cancel:pr}=pe;var ys=Object.freeze({__proto__:null,ITERATIONS:is,NOTHING:ye,PARTS:an,askedFor:fs,cancel:pr,choose:q,facts:$t,follow:hs,hasExperts:P,hasLinks:Ae,kindsOf:mt,leave:ws,leaveOut:ht,leaveOutBy:pt,leftOut:j,measured:ie,open:on,pointed:ve,restart:bs,showDistribution:sn,shown:tn,state:p,subscribe:Zt,take:$s,weakest:en});const Q="importance",wt=10,rn=20,fr=24e3,[mr,gr]=[2640,8192],$r=16,Z=Fe(""),vs=({model:e})=>(e.layers??[]).find(({name:t})=>t===Z.value)?.experts??e.units.length;function ks(e){const t=vs(e);if(!Z.value)return 1+t;if(t<=wt)return 2**t;const n=t<=rn;return t*(n?t/2:1)+(t-1)*(n?64:$r)+200}function xs(e){const{model:t,choice:n}=e;if(P(e)){const o=Z.value?gr:mr;return Math.min(n.samples,Math.max(16,Math.min(300,Math.round(o/ks(e)))))}const s=t.units.length;return s<=rn?n.samples:Math.min(n.samples,Math.max(30,Math.min(300,Math.round(fr/s))))}function cn(e){const{model:t,choice:n}=e,s=P(e)&&Z.value,o=s&&n.kind==="drop"?"mute":n.kind,a={model:t.id,data:ie(),samples:xs(e),kind:o},i=n.edges===null?{}:{keep_edges:n.edges},r=n.distribution==="in"?null:n.distribution,c=P(e)?{top_k:n.top_k,layer:s||null}:{};return{...a,...i,...c,iterations:n.iterations,distribution:r,seed:0}}const ln=({evaluation:e})=>(e?.by_distribution??[]).map(t=>t.name);function Os(e,t,n){const s=xs(n),o=n.evaluation?.baseline?.samples_per_second,a=o?"; about "+Ln(e*s/o):"";return"About "+S(e)+" sets on "+S(s)+" "+t+a+". It can be cancelled and taken up again."}function wr(e){const{model:t,choice:n}=e,s=vs(e);if(P(e)){const r=Os(ks(e),"texts",e),c=n.kind==="drop"?"Drop":"Leave out";if(!Z.value)return[c+" each of the "+S(s)+" experts alone",r];const l=n.kind==="drop"?" Experts outside a subset are muted, because a layer cannot route with fewer than a token takes.":"";return["Score "+(s<=wt?"all "+2**s:"sampled")+" subsets of the "+s+" experts of "+ze(Z.value),r+l]}if(s<=wt)return["Score all "+2**s+" subsets of the "+s+" units",""];if(s<=rn)return["Score sampled subsets of the "+s+" units",""];const o=Ae(e)?4:2,a=s+20*(o+8);return["Drop each of the "+S(s)+" "+Y(t).units+" alone, then more and more",Os(a,"samples",e)]}const un=Jo(()=>p.model?JSON.stringify(cn(p)):null),dn=Fe(null);let bt=!1;const hn=Pt(()=>{const{job:e}=X(Q);return e?.state==="done"?"/importances/"+encodeURIComponent(e.id):null},(e,t)=>te("GET",e,void 0,{signal:t})),fe=hn.answer,{problem:br}=hn;function _s(){bt=!1,Wt(Q,"/importances",cn(p))}async function yr(e){dn.value=null,await qe(Q),e===un.peek()&&(dn.value=e)}function vr(){const{model:e,status:t,choice:n}=p,{job:s,starting:o,problem:a}=X(Q);if(s?.state==="cancelled"&&(bt=!0),!e||t!=="done"||dn.value!==un.value)return;const i=ln(p);if(n.distribution!=="in"&&i.length&&!i.includes(n.distribution)){ce(()=>sn("in"));return}const r=e.units.length<=wt&&!P(p);!s&&!o&&!a&&!bt&&(r||Se.value.read_only)&&ce(_s)}function kr(){const e=[hn.follow(),W(()=>{const t=un.value;ce(()=>{yr(t)})}),W(()=>{p.model||(Z.value="")}),W(vr)];return()=>{e.forEach(t=>t()),Fn(Q),Z.value="",bt=!1}}function xr(e){const t={drop:[],mute:[],mean:[],resample:[]};return{model:e.model,revision:e.revision,seed:e.seed,...t,left_out_as:e.kind,iterations:e.iterations,data:e.data,distribution:e.distribution??null,samples:e.count,exact:e.exact,keep_edges:e.keep_edges===void 0?null:e.keep_edges,importance:e.id,...e.layer?{layer:e.layer}:{},...typeof e.top_k=="number"?{top_k:e.top_k}:{},...T(e.measure).share?{}:{measure:e.measure}}}function pn({distribution:e,layer:t,top_k:n}){const s=e&&(e!=="in"||ln(p).length>1),o=(t?", "+ze(t):"")+(n?", top "+n:"");return(s?", "+re[e]:"")+o}const Or=e=>e==null?"":Array.isArray(e)?e.join(" "):e,Ss={use:"usage",effect:"shapley",interactions:"interactions",retention:"retention",anytime:"anytime",convergence:"convergence"};function Ms(e){const t=e.length?Object.keys(e[0]):[];return[t,...e.map(n=>t.map(s=>Or(n[s])))]}function Es(e,t){if(t==="effect"){const n=new Map(e.single.map(s=>[s.unit,s]));return e.shapley.length?e.shapley.map(({unit:s,value:o,low:a,high:i,standard_error:r})=>{const{unit:c,...l}=n.get(s)||{};return{unit:s,...{shapley:o,shapley_low:a,shapley_high:i,standard_error:r},...Object.fromEntries(Object.entries(l).map(([d,f])=>["single_"+d,f]))}}):e.single}return e[Ss[t]]}const _r=(e,t)=>Object.entries(es(e,t)).map(([n,s])=>"; "+n.replace("_"," ")+" "+s).join("");function Sr(e){const t=T(e.measure),n=r=>se(t,r),s=[["all units",n(e.baseline)],...e.total===null?[]:[["none",n(ya(e))]]],o=S(e.count)+" samples"+pn(e);if(!e.shapley.length){const r=e.retention.length?", then more and more":"";return[["sets","Each of "+S(e.units.length)+" alone"+r+", on "+o],...s,["how",e.words]]}const a=e.exact?"All "+S(2**e.units.length)+" subsets":"Sampled orders",i=e.shapley.reduce((r,c)=>r+c.value,0);return[["subsets",a+" of "+e.units.length+" units on "+o],...s,["sum of Shapley values (above 0: the units help)",t.change(i)+" "+t.changeUnit],["how",e.words]]}const yt="importance-a",F=Fe({asked:"",importance:null,problem:""});function vt(){const{model:e,pinned:t}=p;if(!e||!t)return null;const n=cn(p),s=Zn.find(u=>t[u].length)??n.kind,o="layer"in n&&n.layer&&s==="drop"?"mute":s,{keep_edges:a,...i}=n,r=t.edges===null?{}:{keep_edges:t.edges},c="top_k"in n?{top_k:t.top_k}:{},l={...i,...r,...c,model:t.model,kind:o,iterations:t.iterations};return{a:l,b:n,alike:Te(l)===Te(n)}}const Te=e=>JSON.stringify(Object.entries(e).sort());function fn(){const e=vt(),t=fe();if(!e||!t)return null;const{asked:n,importance:s}=F.value,o=e.alike?t:n===Te(e.a)?s:null;return o&&(o.distribution??t.distribution)===(t.distribution??o.distribution)?{a:o,b:t}:null}function As(){const e=vt();e&&(F.value={asked:Te(e.a),importance:null,problem:""},Wt(yt,"/importances",e.a))}const Mr=()=>{const e=qn(yt,async({job:n,problem:s})=>{const{value:o}=F,a=s??n?.problem;if(a&&(F.value={...o,problem:"detail"in a&&a.detail||"message"in a&&String(a.message)||"It failed."}),!n||n.state!=="done"||o.importance)return;const i=await te("GET","/importances/"+encodeURIComponent(n.id)).catch(()=>null);F.value.asked===o.asked&&(F.value={...o,importance:i})}),t=W(()=>{const n=Se.value.read_only&&fe()?vt():null;n&&!n.alike&&F.value.asked!==Te(n.a)&&ce(As)});return()=>{e(),t(),qe(yt),F.value={asked:"",importance:null,problem:""}}};function Er(){const e=vt();if(!e||fn())return null;if(!fe())return $`<p class="hint">Retention curves of both stand here once the importance below is computed.</p>`;const t=F.value.asked===Te(e.a),n=X(yt),s=t&&!F.value.problem&&(n.starting||!F.value.importance);return Se.value.read_only?t&&F.value.problem&&$`<p class="hint">${F.value.problem}</p>`:$`<p class="hint" role="status">
    <${z} id="drop-curves" wait=${s} act=${As}>
      ${s?"Computing the retention curve of A":"Compute the retention curve of A too"}
    <//>
    ${t&&F.value.problem}
  </p>`}function Re(e){const t=new Map(e.data.map(n=>[n.name,n]));return ts(e,"by_domain").map(n=>{const s=t.get(n.name);return{...s?.held_out?{distribution:re.out}:{},...n,name:n.name+(s?.stand_in?" (stand-in)":""),title:s?.title}})}const Ne=e=>ts(e,"by_label"),[Ar,Ts,Tr,Rs]=[760,28,30,17],Oe=e=>e.model+", "+lt(e,Ut(e.model)),[Rr,Ns,Cs]=[210,34,38],Nr=[{order:"best first",text:"best kept",stroke:"accent"},{order:"worst first",text:"worst kept",stroke:"bad"},{order:"random",text:"random sets",stroke:"dim",dash:[4,3]}];function Is(e,t,n,s,o){const a=T(e.measure),i=[e,o].flatMap(({retention:x})=>x.flatMap(A=>[A.accuracy,A.low,A.high])),[r,c]=[64,n-20],l=U([1,0],[r,c],{ticks:[1,.75,.5,.25,0],named:x=>100*x+(x?"":" %")}),u=Nr.map(x=>({...x,points:e.retention.filter(({order:A})=>A===x.order).sort((A,D)=>A.dropped-D.dropped)})).filter(({points:x})=>x.length),d=Ye(u.map(x=>({...x,ink:x.stroke,weight:650,width:2})),{x:n<420?8:r,y:10,width:n}),f=Ns-18+d.height,h=f+Rr-Cs-Ns,g=ss(a,i,[h,f]),{drop:m,mute:y,mean:v,resample:M}=t.intervention,O=new Set([...m,...y,...v??[],...M??[]]).size,R=[we(t).find(({where:x})=>!x||x===re[e.distribution??"unknown"])?.evaluation.accuracy].flatMap(x=>x??[]),_={x:l(1-O/e.units.length),y:({value:x})=>g(x)};return ue({width:n,height:h+Cs,title:"",desc:"",marks:[Xe(g,[r,c]),Me(l,[f,h],{grid:!1}),V(["units kept"],{x:(r+c)/2,y:h+31,down:0,size:11,fill:"dim",anchor:"middle"}),Ht(u.find(({order:x})=>x==="random")?.points??[],{x:x=>l(x.share_kept),y:({low:x,high:A})=>[g(x),g(A)],fill:"unmatched"}),u.toReversed().map(({points:x,stroke:A,dash:D})=>he(x,{x:N=>l(N.share_kept),y:N=>g(N.accuracy),stroke:A,dash:D})),d.marks,$e(R,{..._,r:8,fill:"ink"}),V(R,{..._,text:s,size:11,weight:700,fill:"surface",anchor:"middle"})]})}function Cr(e,t,n,{alone:s=!0,curves:o=null}={}){const a=n>=Ar,i=a?Math.floor((n-Ts)/2):n;function r(v,M){const O=Ut(v.model),[E,R]=[Ne(v),Re(v)];return[v.accuracy&&ns(v,i,{model:O,beside:[M]}),E.length>0&&ut(E,"label",v,i,O,Ne(M)),R.length>0&&ut(R,"data set",v,i,O,Re(M)),o&&(v===e?Is(o.a,e,i,"A",o.b):Is(o.b,t,i,"B",o.a))]}const c=[r(e,t),r(t,e)],l=["A: "+Oe(e),"B: "+Oe(t)],u=c[0].map((v,M)=>Math.max(...c.map(O=>{const E=O[M];return E?E.height+10:0}))),d=l.map(v=>s||!a?ka(v,i-4,M=>Ke([M],13,650)):[]),f=Math.max(...d.map(v=>v.length));let h=0;const g=c.map((v,M)=>{const O=a?M*(i+Ts):0;let E=a?0:h;const R=E+10,_=V(d[M],{x:O+2,y:(A,D)=>R+Rs*D,size:13,weight:650});E+=f&&Tr+Rs*((a?f:d[M].length)-1);const x=v.map((A,D)=>{const N=A?xa(A,O,E):[];return E+=a?u[D]:A?A.height+10:0,N});return h=Math.max(h,E),[_,x]}),{title:m}=T(t.measure),y=m+" of A, "+Oe(e)+", beside B, "+Oe(t)+", on the same axes: all samples, labels, data sets"+(o?", and accuracy while fewer units are kept.":".");return ue({width:n,height:h,title:l.join("; "),desc:y,marks:g})}function Bs({by_distribution:e},t){const n=new Set(t.filter(s=>s.stand_in).map(s=>s.name));return e.flatMap(({name:s,count:o,a,b:i,difference:r,by_label:c,by_domain:l})=>{const u=e.length>1||s==="out"?re[s]:"",{value:d,low:f,high:h}=r.accuracy,g=(m,y)=>({name:y,where:u,main:!1,count:m.count,a:m.baseline,b:m.accuracy,value:m.change,low:m.change_low,high:m.change_high});return[{name:"all samples",where:u,main:!0,count:o,a:a.accuracy.value,b:i.accuracy.value,value:d,low:f,high:h},...c.length>1?c.map(m=>g(m,"label "+m.name)):[],...l.length>1?l.map(m=>g(m,m.name+(n.has(m.name)?" (stand-in)":""))):[]]})}function Ir(e,t){const n=e.comparison,s=T(e.measure),o=Bs(n,e.data).map(m=>({...m,group:m.where,change:m.value,change_low:m.low,change_high:m.high})),{range:a,y:i,sure:r,marks:c}=va(o,{width:t,top:24,measure:s,room:150}),l=Math.max(...o.flatMap(({value:m,low:y,high:v})=>[m,y??m,v??m].map(Math.abs)),.001),u=U([-l,l],a,{named:m=>m?s.change(m):"0"}),[d,f]=s.higher?["A is better","B is better"]:["B is better","A is better"],h={y:12,down:0,size:11,fill:"dim"},g=n.a?Oe(n.a):"A";return ue({width:t,height:i.end+24,title:"B minus A: "+Oe(e)+", minus "+g,desc:"Paired difference of "+s.name+" in "+s.changeUnit+", B minus A, with 95 % intervals, on "+S(n.covered)+" samples that both have scored.",marks:[Me(u,[20,i.end]),Gt([0],{x:u(0),y:[20,i.end],stroke:"dim"}),V([d],{...h,x:u(0)-8,anchor:"end"}),V([f],{...h,x:u(0)+8}),de(o,{x:m=>[u(m.low),u(m.high)],y:i,stroke:r,width:({main:m})=>m?2.5:1.5}),$e(o,{x:m=>u(m.value),y:i,r:({main:m})=>m?6:4,fill:r}),c]})}const Ps=e=>lt(e,p.model),Br=(e,{draws:t,draws_done:n,exact:s,size:o})=>(s&&n===t?"all ":"")+e+(t===1?" set":" sets")+" of "+o,Pr=({share:e,unit:t})=>e?t+" on average":"on average";function Ds(e){const t="Random sets";if(!e)return{name:t,value:Sa};const n=Ma(e,Y(p.model).unit);return{name:t,...Ea(e,{waiting:n,sets:Br,unit:Pr})}}function Dr(){const{evaluation:e,fresh:t}=p,[n,s]=e?we(e):[],o=n?n.evaluation:null,{accuracy:a,change:i,loss:r}=Jt(o),c=n?n.where:"",l=s&&Jt(s.evaluation);return $`<div class="numbers" data-fresh=${String(t)}>
    <${G} id="drop-accuracy-number" main=${!0} ...${H(a,c)} />
    <${G} id="drop-change-number" main=${!0} ...${H(i,c)} />
    <${G} ...${H(r,c)} />
    <${G} id="drop-control-number" ...${H(Ds(o),c)} />
    ${l&&$`
        <${G} id="drop-accuracy-out" main=${!0} ...${H(l.accuracy,s.where)} />
        <${G} id="drop-change-out" main=${!0} ...${H(l.change,s.where)} />
        <${G} ...${H(l.loss,s.where)} />
        <${G} ...${H(Ds(s.evaluation),s.where)} />
      `}
  </div>`}function Wr(e){const{model:t,choice:n}=e;return Aa(e,{chosen:n.samples,intervention:Ps,stale:"Cancelled before the first figure. The figures belong to the previous choice.",kept:"from cache",several:", one data set after the other",after:s=>Ps(s)===Ta?" Click "+Y(t).a_unit+" to drop it.":""})}const Ur=()=>$`<${Oa} name="drop" look="drop-progress" followed=${ys} progressOf=${Wr} />`;function jr({id:e,name:t,title:n,value:s,before:o,words:a}){const i=Math.max(s||0,o||0)||1,r=c=>100*(c||0)/i+"%";return $`<div class="cost" id=${e} title=${n}>
    <span class="cost-name">${t}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{width:r(s),background:"var(--rs-accent)"}}></span>
      <span class="bar-mark" hidden=${!o} style=${{left:r(o)}}></span>
    </span>
    <span class="cost-value">${a}</span>
  </div>`}function Fr({flops:e,saved:t}){return e===null?"counting":Ko(e)+(t===null?"":t>0?", "+oe(t)+" % saved":", nothing saved")}function Lr(){const{evaluation:e,fresh:t}=p,n=e&&e.baseline;return $`<div class="costs" data-fresh=${String(t)}>
    <${jr}
      id="drop-flops"
      name="FLOPs per sample"
      value=${e?.flops}
      before=${n?.flops}
      words=${e?Fr(e):""}
    />
    <${_a} id="drop-speed" evaluation=${t?e:null} />
  </div>`}const mn="token_states",Ws={drop:"drop",mute:"mute",mean:"mean",resample:"resample"},qr={drop:{router_logits:"Dropped: never chosen. A token takes the best of the remaining experts, with weights that add up to 1.",compatibility:"Dropped: removed. Compatibilities are renormalised over the remaining {units}.",multiplexer_weights:"Dropped: neither made nor read. Weights are renormalised over the remaining {units}.",messages:"Dropped: removed with their codes, signatures and states. Their compute is saved.",[mn]:"Dropped: removed. The remaining {units} work on what the {units} before them computed.","":"Dropped: removed. Their compute is saved."},mute:{router_logits:"Muted: chosen as before, but their output is 0. No other {unit} takes over their share.",compatibility:"Muted: their compatibility is set to 0 after normalisation. No other {unit} takes over their share.",multiplexer_weights:"Muted: their numbers are set to 0. They keep their share of the weights.",messages:"Muted: their messages are set to 0 after the softmax. No other {unit} takes over their share.",[mn]:"Muted: they add nothing, which equals dropping them.","":"Muted: their output is 0."},mean:{compatibility:"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, step by step and token by token.",messages:"Mean: the state that others read is replaced by its mean over the first 200 samples of the same data set.","":"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, token by token."},resample:{messages:"Resampled: the state that others read is replaced by the state for another sample of the same data set.","":"Resampled: what they add is replaced by what they add for another sample of the same data set."}},Qe={accuracy:"Dots: {accuracies} with 95 % intervals. Grey: random sets of the same size. Changes are paired, on the same samples.",labels:"Ring: full model. Dot: without the units, 95 % interval. Right: paired change in {points}.",compared:"A is pinned, B is shown, on the same samples and axes. Ring: full model. Dot: without the units.",difference:"B minus A, paired over the samples that both have scored, with 95 % intervals. Right of the line: B is larger.",studio:"A bar says how many experts a layer keeps: drag it, or press arrow keys. Rows of cells are layers, cells are experts.",curves:"Score as fewer experts are kept, 95 % intervals. Band: random sets of the same size, least to largest. Dashed line: your bars."},Us="The same by data set. Each is read by the head of its domain.",zr={router_logits:"The same by data set. An expert that one kind of text needs may do nothing for another.",compatibility:Us,[mn]:Us,"":"The same by data set. Out of distribution: the model was never trained on it."},Gr={router_logits:"Mean share of each layer's routing that an expert takes, all experts on.",messages:"Mean share of the attention paid to each module at every layer, all modules on.",multiplexer_weights:"Mean share of the weight with which the next level reads each block, all blocks on.","":"Mean share of routing weight at every step, all {units} on."},Ce={importance:"A job scores the subsets in the background. What it scored is kept when it is cancelled.",use:"Nothing is dropped here. A unit that is used a lot may cost little to lose, where others replace it. Colours are those of the units.",effect:"Above 0 the unit helps. A Shapley value is the mean change that a unit makes, over all orders in which units join. The values of all units add up to the change from none to all.",retention:"Units are ranked once by their single effects, or again after each removal (greedy). Orders are chosen on the samples that score them, so the best are a little too good and the worst too bad. Orders by connectivity use no samples.",interactions:"The effect of dropping both units, minus the effects of dropping each alone. Below 0 each unit makes up for the loss of the other. Intervals are 95 %.",anytime:"Nothing is dropped here. Point at a dot for its compute per sample.",convergence:"Each order adds one estimate of the value of every unit. Lines are flat once more orders change nothing.",accuracy:"Each small dot is a random set. Data in and out of distribution are shown separately.",labels:"The effect covers all chosen data sets. Data in and out of distribution are shown separately.",studio:"The order is chosen on the last samples of every data set; curves are measured on the first ones. A layer keeps at least top-k experts. Files: the keep-list, and a model without the other experts.",curves:"Diamond: the score on this page without exactly these experts. Changes are paired, on the same samples. Point at a dot for its figures."},js=["name","count","baseline","accuracy","low","high","change","change_low","change_high"],Hr=e=>Ra(e,{named:"this set",sets:"random sets of as many",each:!0},Na(e));function Fs(e,{measure:t}){const n=e.some(o=>o.distribution)?[...js,"distribution"]:js;return[n.map(o=>o==="accuracy"?T(t).name:o),...e.map(o=>n.map(a=>o[a]))]}const kt={accuracy:{has:e=>!!e.accuracy,scene:(e,t,n)=>ns(e,n,{model:t}),rows:Hr,widest:900},labels:{has:e=>e.by_label.length>0,scene:(e,t,n)=>ut(Ne(e),"label",e,n,t),rows:e=>Fs(Ne(e),e)},domains:{has:e=>e.by_domain.length>0,scene:(e,t,n)=>ut(Re(e),"data set",e,n,t),rows:e=>Fs(Re(e),e)}};function Jr(e,t){const n=T(t.measure),s=a=>se(n,a);if(e==="accuracy"){const a=we(t).flatMap(({where:i,evaluation:{accuracy:r,baseline:c,control:l}})=>{const u=i&&i+" ",d=r?[u+"this set ("+lt(t,p.model)+") "+s(r.value)]:[];return c&&d.push(u+"full model "+s(c.accuracy.value)),l&&l.mean!==null&&d.push(u+"random sets on average "+s(l.mean)),d});return(n.share?"Accuracies":n.title)+": "+a.join("; ")}const o=e==="labels"?Ne(t):Re(t);return"Change of "+n.name+" in "+n.changeUnit+": "+o.map(a=>a.name+(a.distribution?", "+a.distribution:"")+" "+n.change(a.change)).join("; ")}const Ie=["svg","png","csv","json"];function xt(e){const{evaluation:t}=p;return t&&kt[e].has(t)?t:null}function Kr(e,t){const n=xt(e);if(!n)return null;const s=kt[e].rows(n);return{name:"drop-"+e,facts:$t(),python:e==="accuracy"?{figure:"accuracy",draws:n.control?.draws}:{figure:"effects",by:e==="labels"?"label":"domain"},rows:()=>s,json:()=>e==="accuracy"?{result:n}:Kt(s),picture:{scene:o=>kt[e].scene(n,p.model,o??t)}}}function gn({name:e,title:t,reads:n,more:s,words:o,height:a,look:i,hidden:r,children:c,below:l}){const{fresh:u,status:d,model:f}=p,{scene:h,rows:g,widest:m}=kt[e],y=xt(e),v=()=>Math.max(560,document.getElementById("drop-picture-"+e)?.clientWidth??0);return $`<${be}
    id=${"drop-"+e}
    tag="caused"
    formats=${Ie}
    written=${()=>Kr(e,v())}
    ...${{title:t,reads:n,more:s,look:i,hidden:r}}
  >
    ${c}
    <${Ve}
      id=${"drop-picture-"+e}
      look="drop-picture"
      height=${a}
      widest=${m}
      data=${{"data-key":e,"data-fresh":String(u),"data-state":d}}
      scene=${M=>{const O=xt(e);return O&&h(O,p.model,M)}}
      drawn=${()=>p.evaluation?.id??""}
      label=${()=>p.evaluation?Jr(e,p.evaluation):""}
    />
    ${l}
    <${Ee}
      words=${o}
      data=${{"data-drop-table":e}}
      caption=${()=>(y&&h(y,f,640).desc)??""}
      rows=${y&&(()=>g(y))}
    />
  <//>`}function Yr(){const{model:e,evaluation:t}=p,{share:n,title:s}=T(),a=e!==null&&!e.labels.length||t?.state==="done"&&!xt("labels");return $`<div class="drop-grid">
    <${gn}
      name="accuracy"
      look="panel-drop-accuracy"
      title=${s}
      reads=${zn(Qe.accuracy)}
      more=${Ce.accuracy}
      words=${(n?"Accuracies":s)+" as a table"}
      height=${228}
      below=${$`<${Lr} />`}
    >
      <${Dr} /><${Ur} />
    <//>
    <div class="column">
      <${gn}
        name="labels"
        title="Effect by label"
        reads=${zn(Qe.labels)}
        more=${Ce.labels}
        words="Effect by label as a table"
        height=${262}
        hidden=${a}
      />
      <${gn}
        name="domains"
        title="Effect by data set"
        reads=${Ge(zr)}
        words="Effect by data set as a table"
        height=${102}
      />
    </div>
  </div>`}const Ls={shown:tn,units:()=>p.model?.units,write:bs,noSwap:({model:e})=>Ut(e)?"":"There is no model "+e+" here."};function Ze(){const{evaluation:e,pinned:t}=p,n=t&&ae.value&&e?e.comparison:null;return e&&n&&n.a&&n.by_distribution.length?{a:n.a,b:e,comparison:n}:null}function Xr(){const{evaluation:e,pinned:t,status:n,problem:s}=p;if(!t)return"A is what is shown: leave other units out, or choose another model, to compare it with A.";const o=e?.comparison?.problem;return o?"A and B are not compared. "+o:s?"Nothing to compare: "+s.detail:n==="cancelled"?"Cancelled before both had a figure.":"Both are scored now."}function Vr({comparison:{covered:e,total:t}}){return e===t?"On the same "+S(t)+" samples, all of which both have scored.":"On "+S(e)+" of "+S(t)+" samples so far: those that both have scored."}const Qr=({of:e})=>$`<div class="compare-sides">
    ${[["a","A"],["b","B"]].map(([t,n])=>$`<div class="compare-side" data-side=${t}>
            <div class="compare-name"><span class="pin-letter">${n}</span> ${Oe(e[t])}</div>
            <div class="numbers">
              ${we(e[t]).map(({where:s,evaluation:o})=>{const{accuracy:a,change:i}=Jt(o),r={...i,name:"Change to its full model"};return $`
                  <${G} main=${!0} ...${H(a,s)} />
                  <${G} ...${H(r,s)} />
                `})}
            </div>
          </div>`)}
  </div>`,Ot=[["both","both"],["only_a","only A"],["only_b","only B"],["neither","neither"]];function Zr({parts:e}){const t=e.filter(s=>s.outcomes);if(!t.length)return null;const n=["Samples right with",...Ot.map(([,s])=>s)];return $`<${Ia}
    look="compare-outcomes"
    heads=${n.map(s=>$`<th scope="col">${s}</th>`)}
    rows=${t.map(({name:s,outcomes:o})=>$`<tr>
          <th scope="row">${e.length>1||s==="out"?re[s]:"all samples"}</th>
          ${Ot.map(([a])=>$`<td data-outcome=${a}>${S(o?o[a]:0)}</td>`)}
        </tr>`)}
  />`}function ei({of:e}){const t=T(e.b.measure),n=e.comparison.by_distribution;return $`
    <div class="numbers compare-difference">
      ${n.map(({name:s,count:o,difference:{accuracy:a}})=>{const{value:i,detail:r}=jt(a,t.change,""),c={name:"B minus A",value:i,unit:t.changeUnit,detail:r+", "+S(o)+" samples",mood:Ca(a,t.higher)},l=n.length>1||s==="out"?re[s]:"";return $`<${G} id=${"drop-difference-"+s} main=${!0} ...${H(c,l)} />`})}
    </div>
    <${Zr} parts=${n} />
  `}function ti({a:e,b:t}){const{name:n}=T(t.measure),s=[["what","A","A_low","A_high","B","B_low","B_high"]],o=c=>c?[c.value,c.low??"",c.high??""]:["","",""],a=new Map(we(t).map(c=>[c.where,c.evaluation]));for(const{where:c,evaluation:l}of we(e)){const[u,d]=[a.get(c),c&&", "+c];s.push([n+d,...o(l.accuracy),...o(u?.accuracy)]),s.push(["loss"+d,...o(l.loss),...o(u?.loss)])}const i=c=>c.name+(c.distribution?", "+c.distribution:""),r=fn();for(const c of r?["best first","worst first","random"]:[])for(const l of[...new Set([r?.a,r?.b].flatMap(u=>u?.retention??[]).map(u=>u.share_kept))].sort((u,d)=>d-u)){const[u,d]=[r?.a,r?.b].map(h=>h?.retention.find(g=>g.order===c&&g.share_kept===l)),f=h=>h?[h.accuracy,h.low,h.high]:["","",""];s.push([c+", share kept "+l.toFixed(3),...f(u),...f(d)])}for(const[c,l]of[["label ",Ne],["",Re]]){const u=new Map(l(t).map(d=>[i(d),d]));for(const d of l(e)){const f=u.get(i(d)),h=f?[f.accuracy,f.low,f.high]:["","",""];s.push([c+i(d),d.accuracy,d.low,d.high,...h])}}return s}function ni({b:{data:e},comparison:t}){const n=new Map(t.by_distribution.map(i=>[i.name,i.outcomes])),s=Object.fromEntries(Object.entries(re).map(([i,r])=>[r,i])),o=t.by_distribution[0].name,a=[["what","distribution","samples","A","B","B_minus_A","low","high",...Ot.map(([i])=>i)]];for(const{name:i,where:r,main:c,count:l,a:u,b:d,value:f,low:h,high:g}of Bs(t,e)){const m=c?n.get(s[r]??o):null,y=Ot.map(([v])=>m?m[v]:"");a.push([i,r||re[o],l,u,d,f,h??"",g??"",...y])}return a}const qs={compared:{scene:({a:e,b:t},n,s)=>Cr(e,t,n,{alone:s,curves:fn()}),rows:ti,Numbers:Qr},difference:{scene:({b:e},t)=>Ir(e,t),rows:ni,Numbers:ei}};function si({a:e,b:t,comparison:n}){const[s,o]=[e,t].map(a=>Vn(a,an));return{...$t(),a:s,b:o,samples_compared:n.covered}}function oi(e){const t=Ze();if(!t)return null;const{scene:n,rows:s}=qs[e],o=s(t),{a,...i}=t.comparison;return{name:"drop-"+e,facts:si(t),rows:()=>o,json:()=>e==="difference"?{result:i}:{a:t.a,b:{...t.b,comparison:null}},picture:{scene:(r=1e3)=>n(t,r,!0)}}}const ai={compared:{title:"A and B",words:"A and B side by side"},difference:{title:"Difference, B minus A",words:"B minus A"}};function zs({name:e,children:t}){const{scene:n,rows:s,Numbers:o}=qs[e],{title:a,words:i}=ai[e],r=Ze();return $`<${be}
    id=${"drop-"+e}
    title=${a}
    reads=${Qe[e]}
    tag="caused"
    formats=${Ie}
    written=${()=>oi(e)}
    coded=${!1}
    hidden=${r===null}
  >
    <div class="drop-compared" data-fresh=${String(p.fresh)}>
      <div class="compare-numbers">${r&&$`<${o} of=${r} />`}</div>
      <${Ve}
        data=${{"data-key":e}}
        scene=${c=>{const l=Ze();return l&&n(l,c,!1)}}
        drawn=${()=>p.evaluation?.id??""}
        label=${c=>c.title+". "+c.desc}
      />
      ${t}
    </div>
    <${Ee}
      words=${i+" as a table"}
      data=${{"data-compare-table":e}}
      caption=${()=>(r&&n(r,1e3,!0).desc)??""}
      rows=${r&&(()=>s(r))}
    />
  <//>`}function ri(){He(Mr,[]);const e=Ze();return $`<div class="drop-compare" hidden=${!ae.value}>
    <div class="compare-words">
      ${ae.value&&$`<p class="hint" role="status">${e?Vr(e):Xr()}</p>`}
    </div>
    <${zs} name="compared">
      <div class="compare-curves"><${Er} /></div>
    <//>
    <${zs} name="difference" />
  </div>`}const Gs=[0,.25,.5,.75,1],[ii,ci]=[420,258],Hs=e=>100*e+(e===1?" %":""),$n=[["baseline","full model","ink","surface"],["changed","this set","accent","accent"]],et=()=>(p.evaluation?we(p.evaluation):[]).flatMap(({where:e,evaluation:{by_confidence:t}})=>$n.flatMap(([n])=>(t?t[n]:[]).map(s=>({...s,where:e,key:n}))));function Js(e){const{evaluation:t}=p,n=[...new Set(et().map(({where:r})=>r))];if(!t||!n.length)return null;const s=e<ii?1:n.length,o=Math.min(760,(e-24*(s-1))/s),a=n.map((r,c)=>{const[l,u]=[c%s*(o+24),52+Math.floor(c/s)*ci],d=u+200,[f,h]=[U([0,1],[l+46,l+o-26],{ticks:Gs,named:Hs}),U([0,1],[d,u],{ticks:Gs,named:Hs})],g=$n.map(([v,,M,O])=>{const E=et().filter(_=>_.where===r&&_.key===v),R=({count:_,confidence:x,accuracy:A})=>oe(A.value)+" % right of "+S(_)+" answers, "+oe(x)+" % sure";return[de(E,{x:_=>f(_.confidence),y:({accuracy:_})=>[h(_.low),h(_.high)],stroke:M}),$e(E,{x:_=>f(_.confidence),y:_=>h(_.accuracy.value),fill:O,stroke:M,words:R})]}),m=Yt("confidence"+(r&&", "+r),{y:d+31,ends:f.range,within:[l,l+o]}),y=V(["accuracy"],{x:l,y:u-14,down:0,size:11,fill:"dim"});return{marks:[Xe(h,f.range),Me(f,[u,d]),he([0,1],{x:f,y:h,stroke:"unmatched",dash:[3,3]}),g.flat(),m.marks,y],bottom:d+m.more}}),i=Ye($n.map(([,r,c])=>({text:r,stroke:c,ink:c,width:2})),{x:46,y:12,width:e});return ue({width:e,height:Math.max(...a.map(({bottom:r})=>r))+40,title:"Accuracy by confidence with "+lt(t,p.model)+": "+t.model,desc:"Accuracy of the answers in each tenth of confidence, with 95 % intervals.",marks:[i.marks,...a.map(({marks:r})=>r)]})}const wn=()=>[["answers","distribution","least_confidence","count","mean_confidence","accuracy","low","high"],...et().map(({key:e,where:t,least:n,count:s,confidence:o,accuracy:{value:a,low:i,high:r}})=>[e,t,n,s,o,a,i,r])],li=()=>$`<${be} id="drop-confidence" title="Accuracy by confidence" tag="caused" formats=${Ie} coded=${!1} hidden=${!et().length}
    reads="Share of right answers against their confidence, 95 % intervals. Below the dashed line the model is too sure."
    more="Confidence is the softmax probability of the answer. Each dot is one tenth of the scale, at the mean confidence of its answers."
    written=${()=>et().length?{name:"drop-confidence",facts:$t(),rows:wn,json:()=>Kt(wn()),picture:{scene:e=>Js(e??860)}}:null}>
    <${Ve} look="drop-picture" data=${{"data-key":"confidence","data-fresh":String(p.fresh)}} scene=${Js}
      drawn=${()=>p.evaluation?.id??""} label=${e=>e.title+". "+e.desc} />
    <${Ee} words="Accuracy by confidence as a table" caption=${()=>"Accuracy by tenths of confidence"} rows=${wn} />
  <//>`,bn=({experts:e,top_k:t},{kind:n,top_k:s})=>n==="drop"?Math.max(0,e-(s??t)):e;function Ks(e,t,n,s=!0){const o=dt(e),a=new Set(o),i=t.filter(d=>a.has(d)),r=bn(e,n);if(i.length&&i.length>=r)return{back:i};const c=t.filter(d=>!a.has(d)),l=r===e.experts||!r;if(!l&&!s)return{out:[...c,...o.slice(-r)]};const u=e.name+(l?".*":".least:"+r);return{rule:[...c,u]}}const Be={drop:"dropped",mute:"muted",mean:"mean",resample:"resampled"},ui={...Be,mean:"at their mean"},_t={drop:"Drop ",mute:"Mute ",mean:"Put the mean in place of ",resample:"Resample "},Ys="data-drop-unit",tt=e=>e!==null&&e.units.length>Vo&&!P({model:e}),Xs=e=>e!==null&&!tt(e)&&!P({model:e});function Pe(e,t){const n=new Set(j());e.forEach(r=>t?n.add(r):n.delete(r));const{choice:s,model:o}=p,a=new Set(en());if(!e.some(r=>a.has(r))&&s.least){const r=new Set(s.units);e.forEach(l=>t?r.add(l):r.delete(l));const c=o.units.filter(l=>r.has(l));q({units:c})}else ht([...n])}const yn=(e,t,n)=>t?"Bring "+e+" back":_t[n]+e;function di({unit:e,units:t,away:n,kind:s,measured:o}){const a=n?o?Be[s]:"not "+Be[s]+" yet":"",i=yn(e,n,s),[r,c]=[()=>ve.value=e,()=>ve.value=null];return $`<button
    type="button"
    class="chip"
    ...${{[Ys]:e}}
    data-state=${n?s==="drop"?"dropped":"muted":"on"}
    title=${i}
    aria-pressed=${String(n)}
    aria-label=${e+(a&&", "+a)+". "+i}
    onClick=${()=>Pe([e],!n)}
    onPointerEnter=${r}
    onPointerLeave=${c}
    onFocus=${r}
    onBlur=${c}
  >
    <span class="swatch" aria-hidden="true" style=${{background:Xo(t,e)}}></span>
    ${e}
    <span class="chip-state">${a}</span>
  </button>`}function hi(){const{model:e,choice:t,status:n,fresh:s}=p,o=s||n!=="failed"&&n!=="cancelled",[a,i]=[j(),Xs(e)?e?.units??[]:[]];return $`<div
    class="chips"
    role="group"
    aria-label="Units"
    hidden=${e!==null&&!Xs(e)}
    onKeyDown=${os}
  >
    ${i.map(r=>$`<${di} key=${r} ...${{unit:r,units:i,away:a.includes(r),kind:t.kind,measured:o}} />`)}
  </div>`}const pi=[["name","by name"],["connectivity","by connectivity"],["graph","as in the graph"]];function fi(e,{model:t,graph:n}){return!n||e==="name"?t.units:(e==="graph"?n.order:jn(n.connectivity).reverse()).map(o=>t.units[o])}function St(e){const{model:t,graph:n}=p;return t?Qo(t.units,e,n&&n.connectivity):[]}function mi(){const{model:e,graph:t,choice:n}=p,{units:s,unit:o}=Y(e),a=S(j().length)+" of "+S(e.units.length),i=t?"; the stronger the colour, the better connected":"";return a+" "+(e.units.length===1?o:s)+" "+ui[n.kind]+i}function gi({asked:e,order:t}){const{model:n,graph:s,choice:o}=p;if(!n||!tt(n))return null;const a=St(e.value).length,i=Zo(n.units,e.value,s&&s.connectivity,Y(n)),r=()=>Pe(St(e.value),!0);return $`
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
      onKeyDown=${c=>c.key==="Enter"&&r()}
    />
    <span class="hint" id="drop-unfound" role="status" aria-live="polite">${i}</span>
    <${z} id="drop-take" wait=${!a} act=${r}>${(_t[o.kind]+(a||"")).trim()}<//>
    <${z} id="drop-bring" wait=${!a} act=${()=>Pe(St(e.value),!1)}>Bring back<//>
    <${le}
      id="drop-order"
      look="small-input"
      label="Order of the units"
      options=${pi}
      chosen=${t.value}
      onChoose=${c=>t.value=c}
      wait=${!s}
      hidden=${!Ae(p)}
    />
    <span class="hint" id="drop-count">${mi()}</span>
  `}function $i(){const[e,t]=[Je(""),Je("name")],n=Ft(null);return He(()=>{const s=n.current,o=new Ba(s,Ys,{toggle:Pe,point:i=>ve.value=i,about(i,r){const{graph:c,model:l,choice:u}=p,d=c?", q "+c.connectivity[l.units.indexOf(i)].toFixed(1):"";return i+d+". "+yn(i,r,u.kind)}}),a=[W(()=>{const i=p,{graph:r,model:c}=i;tt(c)&&(o.show(fi(t.value,i)),r&&o.shade(l=>r.connectivity[c.units.indexOf(l)]),o.ring(St(e.value)))}),W(()=>{const{model:i,choice:r}=p;tt(i)&&(o.mark(j(),Be[r.kind]),s.dataset.kind=r.kind)})];return()=>a.forEach(i=>i())},[]),$`<div class="drop-many" hidden=${!tt(p.model)}>
    <div class="interventions drop-row"><${gi} asked=${e} order=${t} /></div>
    <div ref=${n} role="group" aria-label="Units"></div>
  </div>`}function wi(){if(!Ae(p))return null;const{model:e,graph:t,graphProblem:n,choice:s}=p,o=s.edges===null?1:s.edges;return $`<div class="interventions drop-row">
    <${Gn}
      id="drop-least"
      name="n least connected"
      label="Drop the n units of least connectivity q"
      value=${s.least}
      most=${e.units.length-1}
      words=${s.least+" of "+e.units.length}
      wait=${!t}
      onInput=${a=>q({least:a},!0)}
    />
    <${Gn}
      id="drop-edges"
      name="share of links kept"
      label="Share of the links that is kept, the most probable first"
      value=${Math.round(100*o)}
      most=${100}
      words=${Yo(o)+" %"}
      onInput=${a=>q({edges:a===100?null:a/100},!0)}
    />
    <span class="hint">
      ${n?"The graph: "+n.message:t?"":"Reading the graph"}
    </span>
  </div>`}const bi="data-drop-unit",nt="data-drop-layer",Vs=({id:e,name:t,unit:n="",value:s,least:o,most:a,act:i})=>$`<span class="control">
    <label class="control-name" for=${e}>${t}</label>
    <input
      type="number"
      class="small-input expert-count"
      id=${e}
      min=${o}
      max=${a}
      value=${s.value}
      onInput=${r=>{const c=Number(r.currentTarget.value);Number.isInteger(c)&&(s.value=c)}}
      onKeyDown=${r=>r.key==="Enter"&&i()}
    />
    ${n&&$`<span class="hint">${n}</span>`}
  </span>`;function yi(){const{model:e,choice:t,use:n,sets:s}=p,{units:o}=Y(e),a=j().length,i=S(a)+" of "+S(e.units.length)+" "+o+" "+Be[t.kind];return s.length?i+(n?"":"; observing their use"):i+"; no use is observed without a data set"}function vi(){const{model:e,use:t}=p;return t?(Da(e?.layers??[])?"Shade and number":"Shade")+": observed "+ne.weight+", in % of the layer, with all experts on, over "+S(t.count)+" samples of "+t.data.join(", ")+".":""}function ki({least:e,share:t}){const{model:n,choice:s,ruled:o,sets:a}=p;if(!n||!P(p))return null;const i=(n.layers??[]).reduce((f,h)=>f+bn(h,s),0),r=()=>pt(["least:"+e.value]),c=()=>pt(["share:"+t.value/100]),l=_t[s.kind].trim(),u=!j().length,d=$`
    <${Vs}
      id="drop-least-used"
      name=${"Least "+ne.weight}
      value=${e}
      least=${1}
      most=${i}
      act=${r}
    />
    <${z} id="drop-take-least" act=${r}>${l}<//>
    <${Vs}
      id="drop-share"
      name="Share of every layer"
      unit="%"
      value=${t}
      least=${1}
      most=${100}
      act=${c}
    />
    <${z} id="drop-take-share" act=${c}>${l}<//>
  `;return $`
    ${a.length>0&&d}
    <${z} id="drop-bring" wait=${u} act=${()=>ht([])}>Bring all back<//>
    <span class="hint" id="drop-count">${yi()}</span>
    <span class="hint" id="drop-ruled" role="status" aria-live="polite" data-refused=${String(!!o?.refused)}>
      ${o?o.text:""}
    </span>
  `}function xi(e){const{model:t,choice:n,sets:s}=p,o=(t.layers??[]).find(i=>i.name===e);if(!o)return;const a=Ks(o,j(),n,s.length>0);"back"in a?Pe(a.back,!1):"out"in a?ht(a.out):pt(a.rule)}function Oi(){const[e,t]=[Je(4),Je(25)],n=Ft(null);return He(()=>_i(n.current),[]),$`<div class="drop-experts" hidden=${!P(p)}>
    <div
      ref=${n}
      class="expert-grid"
      role="group"
      aria-label="Experts by layer"
      onClick=${s=>{const o=s.target instanceof Element&&s.target.closest("["+nt+"]")?.getAttribute(nt);o&&xi(o)}}
    ></div>
    <p class="hint expert-legend">${vi()}</p>
    <div class="interventions drop-row"><${ki} least=${e} share=${t} /></div>
  </div>`}function _i(e){const t=new Pa(e,bi,{toggle:Pe,point:n=>ve.value=n,about(n,s){const{use:o,choice:a}=p,i=o?.units.find(c=>c.unit===n),r=i?", "+ne.weight+" "+oe(i.share)+" % of its layer":"";return n+r+". "+yn(n,s,a.kind)}});return Zt(({model:n,choice:s,use:o,sets:a},i)=>{if(!(!n||!P({model:n}))&&(i.has("model")&&t.lay(n.layers??[],nt),(i.has("model")||i.has("use"))&&t.tell(o&&new Map(o.units.map(({unit:r,share:c})=>[r,c]))),!!["model","choice"].some(r=>i.has(r)))){t.mark(j(),Be[s.kind]),e.dataset.kind=s.kind;for(const r of e.querySelectorAll("["+nt+"]")){const c=(n.layers??[]).find(g=>g.name===r.getAttribute(nt));if(!c)continue;const l=Ks(c,j(),s),u=c.experts-bn(c,s),d=a.length?u+" most used experts of ":"first "+u+" experts of ",f=u?"all but the "+d:"all experts of ",h=("back"in l?"Bring back the experts of ":_t[s.kind]+f)+"layer "+as(c.name);r.setAttribute("title",h),r.setAttribute("aria-label","layer "+as(c.name)+". "+h)}}})}const Si=.25;function Mi({title:e,rows:t,measure:{name:n,unit:s,share:o},uncertainty:a,lost:i=n+" lost without the unit"},r,{step:c=26,pointed:l=null}={}){const u=t.filter(({value:w})=>w!==null),d=o?100:1,f=o?"points":s||n,h=w=>o?ea(d*(w??0),1):ta(w??0),g=(w,it,ct)=>h(w)+(it===null||ct===null?"":" ("+h(it)+" to "+h(ct)+")"),m=24+Math.min(.3*r,Ke(t.map(w=>w.unit))),y=t.flatMap(w=>[w.lost,w.lost_low,w.lost_high,w.value,w.low,w.high]).map(w=>d*(w??0)),[v,M]=[Math.min(0,...y),Math.max(0,...y)],O=.03*(M-v||1),E=U([v-O,M+O],[m,r-16],{most:r<420?4:7,round:!1}),R=Wa(t,{top:Xt,step:c}),_=w=>w===null?NaN:E(d*w),x=u.length?Math.round(c/5):0,A=w=>R(w)+x,D=w=>R(w)-x,N=w=>l&&l!==w.unit?Si:1,J=u.length&&u.every(w=>w.paint)?"dim":"accent",Bt=[...u.length?[{text:"Shapley value, "+a,key:"bar",fill:J}]:[],{text:i,key:"diamond",fill:"surface",stroke:"ink",width:1.5}],K=o?"points of "+n:n+(s&&!n.startsWith(s)?", "+s:""),je=Yt(K+" (above 0: the unit helps)",{y:R.end+32,ends:E.range,within:[0,r]});return ue({width:r,height:R.end+40+je.more,title:e,desc:t.map(w=>w.unit+" "+h(w.value??w.lost)).join(", ")+" "+f+". Above 0 the unit helps.",marks:[Ye(Bt,{x:Math.min(m,24),y:10,width:r}).marks,Me(E,[Xt,R.end]),Gt([0],{x:[E(0),E(0)],y:[Xt,R.end],stroke:"ink"}),Vt(u,{x:w=>[E(0),_(w.value)],y:w=>[D(w)-4,D(w)+4],fill:w=>w.paint??"accent",opacity:N,words:w=>w.unit+": Shapley value "+g(w.value,w.low,w.high)+" "+f}),de(u,{x:w=>[_(w.low),_(w.high)],y:D,stroke:"ink",r:3,opacity:N}),de(t,{x:w=>[_(w.lost_low),_(w.lost_high)],y:A,stroke:"dim",r:3,opacity:N}),Qt(t,{x:w=>_(w.lost),y:A,text:"diamond",fill:"surface",stroke:w=>w.paint??"ink",width:2,opacity:N,words:w=>w.unit+": "+g(w.lost,w.lost_low,w.lost_high)+" "+f+", "+i}),V(t,{x:m-10,y:R,text:w=>w.unit,anchor:"end",room:m-12,opacity:N}),je.marks]})}const Qs=24,vn=1.96,Zs=.25,Ei=12,[Ai,kn,Ti,eo]=[250,46,14,38];function Mt(e){const[t,n]=[Lt(),na(e)];return s=>t.unit(n.get(s)??0)}function xn({measure:e}){const{name:t,higher:n}=T(e);return t+(n?" lost":" added")+" without the unit alone"}const to=({shapley:e,single:t})=>new Map(e.length?e.map(({unit:n,value:s})=>[n,Math.abs(s)]):t.map(({unit:n,change:s})=>[n,Math.abs(s)]));function _e({units:e,shapley:t,single:n}){if(e.length<=Qs)return e;const s=to({shapley:t,single:n}),o=new Map(n.map(({unit:c,loss_change:l})=>[c,Math.abs(l)])),a=(c,l)=>c.get(l)??0,i=e.toSorted((c,l)=>a(s,l)-a(s,c)||a(o,l)-a(o,c)),r=i.filter(c=>a(s,c));return(r.length?r:i).slice(0,Qs)}function no(e){const[t,n]=[e.units.length,_e(e).length],s=[...to(e).values()].filter(Boolean).length;return s?n===t?"":n<s?"Shown: the "+n+" largest of "+t+".":"Shown: "+n+" of "+t+"; the effect of the others is 0.":"No drop of one unit changes the "+e.measure.name+"; "+n+" of "+t+" units are shown."}const so=({shapley:e},t)=>t.length<=10?30:e.length?26:20;function Ri(e,t,{title:n,pointed:s}){const o=_e(e),a=[...new Set(e.usage.map(({step:d})=>d))],i=new Map(e.usage.map(({unit:d,step:f,share:h})=>[d+" "+f,h])),r=Math.max(1e-9,...i.values()),c=Mt(e.units),l=a.some(d=>d.includes(".")),u=o.map(d=>a.map(f=>{const h=i.get(d+" "+f);if(h===void 0)return null;const g=h/r*(s&&s!==d?Zs:1),m=r>=.2?Math.round(100*h)+" %":oe(h)+" %";return{shade:g,text:m,words:d+", "+Ua(f)+": "+oe(h)+" % of the routing weight"}}));return rs({rows:o,columns:l?a:a.map(ja),cells:u,width:t,paints:o.map(c),tall:so(e,o)-2,wide:110,above:a.every(d=>/^i\d+$/.test(d))?"iteration":"step",title:n,desc:"Mean share of routing weight of each unit at each step, nothing dropped."})}function oo({value:e,low:t,high:n,standard_error:s}){return t!==null&&n!==null?{low:t,high:n}:s===null?{low:null,high:null}:{low:e-vn*s,high:e+vn*s}}function ao(e){const t=T(e.measure).higher?-1:1,[n,s]=[Mt(e.units),new Map(e.shapley.map(a=>[a.unit,a]))],o=new Map(e.single.map(a=>[a.unit,a]));return _e(e).flatMap(a=>{const[i,r]=[s.get(a),o.get(a)];if(!r)return[];const[c,l]=[t*r.low,t*r.high].sort((d,f)=>d-f),u=i?{value:i.value,...oo(i)}:{value:null,low:null,high:null};return[{unit:a,paint:n(a),lost:t*r.change,lost_low:c,lost_high:l,...u}]})}const Ni=(e,t,{title:n,pointed:s})=>Mi({title:n,rows:ao(e),measure:{...e.measure,share:T(e.measure).share},uncertainty:e.exact?"95 % over samples":"95 % over orders",lost:xn(e)},t,{step:so(e,_e(e)),pointed:s}),Ci=({low:e,high:t})=>e!==null&&t!==null&&(e>0||t<0);function Ii(e,t,{title:n}){const{units:s}=e,{change:o,changeUnit:a}=T(e.measure),i=new Map(e.interactions.flatMap(l=>[[l.unit+" "+l.other,l],[l.other+" "+l.unit,l]])),r=Math.max(1e-9,...e.interactions.map(({value:l})=>Math.abs(l))),c=s.map(l=>s.map(u=>{const d=l===u?void 0:i.get(l+" "+u);if(!d)return null;const{value:f,detail:h}=jt(d,o,""),g=l+" and "+u+": "+f+" "+a+(h&&", "+h);return{shade:d.value/r,text:o(d.value),words:g,framed:Ci(d)}}));return rs({rows:s,columns:s,cells:c,width:t,paints:s.map(Mt(s)),tall:s.length<=10?38:void 0,above:"red: below 0, blue: above 0; strongest colour: "+o(r).replace("+","")+" "+a,title:n,desc:"Effect of dropping a pair minus the two single effects, in "+a+". Framed: the interval excludes 0."})}function On({width:e,view:t,up:n,across:s,keys:o=[],room:a=0,xOf:i,yOf:r,strong:c=null,inside:l,desc:u}){const d=Ye([{text:n,key:"none",ink:"ink",weight:600},...o],{x:8,y:10,width:e}),[f,h,g]=[d.height+10,d.height+Ai-eo,e-Ti-a],[m,y]=[i([kn,g]),r([h,f])],v=Yt(s,{y:h+32,ends:[kn,g],within:[0,e]});return ue({width:e,height:h+eo+v.more,title:t.title,desc:u,marks:[Xe(y,[kn,g],{strong:c}),Me(m,[h,h],{grid:!1}),v.marks,l(m,y),d.marks]})}const Bi=e=>e<=20?Array.from({length:e+1},(t,n)=>n):U([0,e],[0,1],{most:8,round:!1}).ticks,ro=({measure:e},t)=>{const n=T(e);return s=>n.share?ss(n,[],s):U([Math.min(...t),Math.max(...t)],s,{most:6})};function Et({measure:e}){const{title:t,unit:n}=T(e);return t+(n&&n!=="%"&&!e.name.startsWith(n)?", "+n:"")}const Pi=[{order:"best first",text:"best kept",stroke:"accent",shape:"dot"},{order:"greedy best",text:"best, greedy",stroke:"accent",dash:[2,3],shape:"dot",hollow:!0},{order:"worst first",text:"worst kept",stroke:"bad",shape:"square"},{order:"greedy worst",text:"worst, greedy",stroke:"bad",dash:[2,3],shape:"square",hollow:!0},{order:"least connected first",text:"best connected kept",stroke:"good",dash:[9,3],shape:"diamond"},{order:"most connected first",text:"least connected kept",stroke:4,dash:[9,3,2,3],shape:"diamond"},{order:"random",text:"random sets",stroke:"dim",dash:[5,4],shape:"diamond",hollow:!0}];function Di({order:e,draws:t,low:n,high:s,units:o,accuracy:a},{measure:i},r){const c=T(i),l=se(c,a);return e==="random"?t+" random sets: "+l+" on average, "+c.show(n)+" to "+se(c,s):r+": "+l+", kept: "+(o.length>Ei?o.length+" units":o.join(", ")||"none")}function Wi({retention:e}){return[...new Set(e.map(({dropped:n})=>n))].sort((n,s)=>n-s).flatMap(n=>{const s=e.flatMap(o=>o.dropped===n&&o.flops!==null?[o.flops]:[]);return s.length?[{dropped:n,cost:s.reduce((o,a)=>o+a,0)/s.length/1e6}]:[]})}function Ui(e,t,n){const s=e.units.length,o=Pi.map(({stroke:u,...d})=>({...d,stroke:typeof u=="number"?Lt().unit(u):u,points:e.retention.filter(({order:f})=>f===d.order).sort((f,h)=>f.dropped-h.dropped)})).filter(({points:u})=>u.length),a=n.flops?Wi(e):[],i=Math.max(...a.map(({cost:u})=>u)),r=u=>U([0,i],u,{most:5}),c=a.length?14+Ke(r([0,1]).ticks.map(r([0,1]).named),11):0,l={text:"MFLOP per sample, right axis",stroke:"ink",width:1,dash:[7,3,1,3]};return On({width:t,view:n,up:Et(e),across:"units kept, of "+s,keys:[...o.map(({text:u,stroke:d,dash:f})=>({text:u,stroke:d,dash:f,width:2})),...a.length?[l]:[]],room:c,xOf:u=>U([s,0],u,{ticks:Bi(s).toReversed(),named:String}),yOf:ro(e,e.retention.flatMap(({accuracy:u,low:d,high:f,order:h})=>h==="random"?[u,d,f]:[u])),desc:Et(e)+" against how many units are kept, by order: "+o.map(({text:u})=>u).join(", ")+". The band spans random sets.",inside(u,d){const f={x:({dropped:y})=>u(s-y),y:({accuracy:y})=>d(y)},[h,g]=d.range,m=r([h,g]);return[Ht(o.find(({order:y})=>y==="random")?.points??[],{...f,y:({low:y,high:v})=>[d(y),d(v)],fill:"unmatched"}),o.toReversed().map(({points:y,stroke:v,dash:M,shape:O,hollow:E,text:R})=>{const _={...f,r:3.5,fill:E?"surface":v,stroke:v,width:1.2,words:x=>Di(x,e,R)};return[he(y,{...f,stroke:v,dash:M}),O==="dot"?$e(y,_):Qt(y,{..._,text:O})]}),he(a,{x:f.x,y:y=>m(y.cost),stroke:l.stroke,width:1,dash:l.dash}),a.length?Xe(m,[t-2,t-2],{grid:!1}):[]]}})}function ji(e,t,n){const s=e.anytime.toSorted((i,r)=>i.iterations-r.iterations),{passes:o="iterations"}=n,a=T(e.measure);return On({width:t,view:n,up:Et(e),across:o+" run",xOf:i=>U([s[0].iterations,s[s.length-1].iterations],i,{ticks:s.map(({iterations:r})=>r),named:String}),yOf:ro(e,s.flatMap(({low:i,high:r})=>[i,r])),desc:Et(e)+" after each number of "+o+": "+s.map(({iterations:i,accuracy:r})=>i+": "+se(a,r)).join(", "),inside(i,r){const c={x:({iterations:u})=>i(u),y:({accuracy:u})=>r(u)},l=u=>u?"; "+Number((u/1e6).toPrecision(3))+" MFLOP per sample":"";return[he(s,{...c,stroke:"accent"}),de(s,{...c,y:({low:u,high:d})=>[r(u),r(d)],r:3}),$e(s,{...c,fill:"accent",words:({iterations:u,accuracy:d,low:f,high:h,flops:g})=>u+" "+(u===1?o.slice(0,-1):o)+": "+se(a,d)+", "+jt({value:d,low:f,high:h},a.show,"").detail+l(g)})]}})}function Fi(e,t,n){const[{share:s,change:o,changeUnit:a},i]=[T(e.measure),Mt(e.units)],r=s?100:1,c=_e(e),l=({value:h,standard_error:g})=>[-1,0,1].map(m=>r*(h+m*vn*(g??0))),u=c.map(h=>({unit:h,points:e.convergence.filter(g=>g.unit===h).sort((g,m)=>g.permutations-m.permutations)})),d=u.flatMap(({points:h})=>h.flatMap(l)),f=Math.max(1,...e.convergence.map(({permutations:h})=>h));return On({width:t,view:n,up:"Shapley value, "+a,across:"sampled orders of the units",strong:0,keys:c.map(h=>({text:h,stroke:i(h),width:3})),xOf:h=>U([0,f],h,{most:6,round:!1}),yOf:h=>U([Math.min(0,...d),Math.max(0,...d)],h,{most:6}),desc:"Shapley values against the number of sampled orders, with 95 % intervals.",inside:(h,g)=>u.map(({unit:m,points:y})=>{const v={x:({permutations:O})=>h(O),y:({value:O})=>g(r*O)},M={stroke:i(m),opacity:n.pointed&&n.pointed!==m?Zs:1};return[de(y.filter(O=>O.standard_error!==null),{...v,...M,r:0,width:1,y:O=>[g(l(O)[0]),g(l(O)[2])]}),he(y,{...v,...M}),$e(y,{...v,r:2,fill:i(m),opacity:M.opacity,words:({permutations:O,value:E})=>m+": "+o(E)+" "+a+" after "+O+" orders"})]})})}var Li=Object.freeze({__proto__:null,anytime:ji,convergence:Fi,effect:Ni,effectRows:ao,interactions:Ii,intervalOf:oo,lostWords:xn,retention:Ui,shownWords:no,unitsShown:_e,use:Ri});const _n=Fe(!1),io=e=>e[0].toUpperCase()+e.slice(1),co={use:{title:"Observed use",reads:()=>Ge(Gr)},effect:{title:"Caused effect",reads(e){if(!e)return"";const t=xn(e),n="Bars: Shapley values. Diamonds: "+t+".";return[e.shapley.length?n:io(t)+".","Whiskers: 95 %.",no(e)].filter(Boolean).join(" ")}},retention:{title:"Retention",reads:e=>T(e?.measure).title+Ge({"":" while {units} are removed, best or worst kept longest. Band: random sets of the same size."}),has:e=>e.retention.length>0},interactions:{title:"Interactions",reads:e=>"Effect of a pair minus both single effects, in "+T(e?.measure).changeUnit+". Below 0: worse together. Framed: 95 % interval excludes 0.",has:e=>e.interactions.length>0},anytime:{title:"Iterations",reads:()=>Ge({"":"All {units} on, stopped after each number of {passes}. Whiskers: 95 %."}),has:e=>e.anytime.length>1},convergence:{title:"Convergence",reads:()=>"Shapley values against the number of sampled orders. Whiskers: 95 % (1.96 standard errors).",has:e=>e.convergence.length>0}};function lo(e,t){const n=fe();if(!n)return null;const s=e===Q,o=Es(n,s?"effect":e),a=es(n,e);return{name:e,facts:{...xr(n),kind:e==="use"?"observed":"caused",...Object.keys(a).length?{signs:a}:{}},python:e==="convergence"&&n.exact?void 0:{figure:"importance",panel:e},rows:()=>Ms(o),json:()=>s?{result:n}:{[Ss[e]]:o},picture:t}}function De({name:e,width:t=640,children:n}){const s=fe(),{reads:o,has:a=()=>!0}=co[e],i=!s||!a(s),{passes:r}=Y(qt()),c=e==="anytime"?io(r):co[e].title,l=e==="use"||e==="effect"||e==="convergence";function u(f,h=null){const g=fe();if(!g||!a(g))return null;const m=c+pn(g)+": "+g.model;return Li[e](g,f,{title:m,passes:r,pointed:h,flops:_n.value})}const d=f=>{const h=e==="use"&&s?_e(s)[f?.row??-1]:void 0;ve.value=f?.unit??h??null};return $`<${be}
    id=${e}
    title=${c}
    reads=${o(s)}
    more=${Ce[e]}
    tag=${e==="use"?"observed":"caused"}
    formats=${Ie}
    written=${()=>lo(e,i?{}:{scene:f=>u(f??t)})}
    hidden=${i}
  >
    ${n}
    <${Ve}
      id=${"plot-"+e}
      scene=${f=>u(f,l?ve.value:null)}
      onPoint=${l?d:void 0}
      drawn=${()=>fe()?.id??""}
      label=${f=>f.title+". "+f.desc}
    />
    <${Ee}
      words=${c+" as a table"}
      caption=${()=>s&&c+pn(s)+", "+s.words+_r(s,e)}
      rows=${s&&(()=>Ms(Es(s,e)))}
    />
  <//>`}function qi(){const{job:e,starting:t,problem:n}=X(Q),s=br();if(s)return $`<p class="hint" role="alert">${s.title+". "+s.message}</p>`;if(Se.value.read_only)return Kn(n)&&$`<p class="hint" id="importance-refused">${n?.message}</p>`;if(!p.model||e||t||n||p.problem?.refused)return null;const[o,a]=wr(p);return $`
    <button type="button" class="button" id="importance-start" onClick=${_s}>${o}</button>
    <p class="hint">${a}</p>
  `}const uo=({id:e,name:t,hint:n,...s})=>$`<div class="control importance-of">
    <label class="control-name" for=${e}>${t}</label>
    <${le} id=${e} look="small-input" ...${s} />
    <span class="hint">${n}</span>
  </div>`;function zi(){const e=ln(p);if(e.length<2)return null;const{distribution:t}=p.choice;return $`<${uo}
    id="importance-distribution"
    name="All below is of samples"
    hint="Trained-on and held-out data are never mixed."
    options=${e.map(n=>[n,re[n]])}
    chosen=${e.includes(t)?t:e[0]}
    onChoose=${n=>sn(n===e[0]?"in":n)}
  />`}function Gi(){if(!P(p))return null;const e=(p.model?.layers??[]).map(({name:t})=>[t,ze(t)+": Shapley values"]);return $`<${uo}
    id="importance-layer"
    name="All below is of"
    hint="Within a layer its experts are the players; the others stay as they are."
    options=${[["","every expert, alone"],...e]}
    chosen=${Z.value}
    onChoose=${t=>Z.value=t}
  />`}const Hi=({of:e})=>$`<dl class="fact-list">
    ${Sr(e).map(([t,n])=>$`<div>
          <dt>${t}</dt>
          <dd>${n}</dd>
        </div>`)}
  </dl>`;function Ji(){const e=fe(),{name:t}=T(e?.measure);return $`<div class="importance-grid">
    <${be}
      id=${Q}
      title="Importance of every unit"
      reads="Subsets of the units are scored on the same samples. Much used is not much needed: compare the rows below."
      more=${Ce.importance}
      tag="caused"
      formats=${["csv","json"]}
      written=${()=>lo(Q,{})}
    >
      <${Hn} name=${Q} what="Subsets of units" />
      <div class="importance-facts" data-result=${e?e.id:""}>
        <${zi} /><${Gi} /><${qi} />
        ${e?$`<${Hi} of=${e} />`:$`<p class="hint writes">Panels of use, effect, retention, interactions and iterations appear here once this is computed.</p>`}
      </div>
    <//>
    <${De} name="use" />
    <${De} name="effect" />
    <${De} name="retention">
      <div class="control">
        <${Jn}
          id="drop-second-axis"
          label="Second axis"
          options=${[["none",t+" alone"],["flops","with FLOPs"]]}
          chosen=${_n.value?"flops":"none"}
          onChoose=${n=>_n.value=n==="flops"}
        />
      </div>
    <//>
    <${De} name="interactions" width=${480} />
    <${De} name="anytime" width=${480} />
    <${De} name="convergence" />
  </div>`}const[Ki,Sn,ho,Yi,Xi,Vi]=[236,196,52,14,30,36],We={tokens:"by "+ne.tokens,weight:"by "+ne.weight,effect:"by caused effect",greedy:"greedy, by caused effect",chance:"by chance"},Qi=({baseline:e})=>e.map(t=>t.domain).sort((t,n)=>+(n==="all")-+(t==="all")),At=e=>e==="all"?"all data sets":e,Zi=(e,t)=>t==="figure"?e.figure:e.change,ec=(e,t)=>t==="figure"?e.random:e.random_change,po=e=>e?[e.value,e.low,e.high]:[];function st(e,t){const{value:n,low:s,high:o}=e;return t(n)+(s===null||o===null?"":" (95 %: "+t(s)+" to "+t(o)+")")}const tc=({low:e,high:t},n)=>e===null||t===null?"":", from "+n(e)+" to "+n(t),fo=(e,t)=>t==="all"||e.data.length===1?e.count:e.data.find(({name:n})=>n===t)?.count,Tt=e=>e===void 0?"":", over "+S(e)+" samples",mo=(e,t)=>e.draws??t.draws;function nc(e){const t=e.curve.filter(o=>o.random).map(o=>mo(o,e)),[n,s]=t.length?[Math.min(...t),Math.max(...t)]:[e.draws,e.draws];return(n<s?n+" to "+s:s)+" random sets"}function sc(e,t){const n=T(t.measure),s=r=>se(n,r),o=r=>n.change(r)+" "+n.changeUnit,a=At(e.domain)+", "+oe(e.share)+" % kept ("+S(e.experts)+" experts), "+We[t.order]+": ",i=e.random&&e.random_change?"; "+mo(e,t)+" random sets "+s(e.random.value)+tc(e.random,s):"";return a+st(e.figure,s)+"; change "+st(e.change,o)+Tt(fo(t,e.domain))+i}function oc({found:e,domain:t,shown:n,mark:s,dx:o,dy:a,width:i}){const r=T(e.measure),c=e.curve.filter(k=>k.domain===t).sort((k,C)=>C.share-k.share),l=e.baseline.find(k=>k.domain===t)?.figure,u=n==="figure"?l:{value:0,low:null,high:null},d=s.figures.get(t),f=d&&(n==="figure"?d.figure:d.change),h=[...u?[{share:1,at:u}]:[],...c.map(k=>({share:k.share,at:Zi(k,n)}))],g=c.flatMap(k=>[ec(k,n)].flatMap(C=>C?[{share:k.share,at:C}]:[])),y=[...h,...g].flatMap(({at:k})=>po(k)).concat(po(f)).filter(k=>k!==null),[v,M]=[Math.min(...y),Math.max(...y)],O=.06*(M-v||Math.abs(M)||1),[E,R,_,x]=[o+ho,o+i-Yi,a+Xi,a+Sn-Vi],A=Math.min(s.share,...c.map(k=>k.share),.9),D=U([1,A],[E,R],{round:!1,ticks:[1,.75,.5,.25,0].filter(k=>k>=A-.02),named:k=>Math.round(100*k)+(k===1?" %":"")}),N=r.share?100:1,J=U([N*(v-O),N*(M+O)],[x,_],{round:!1,most:6}),{named:Bt}=J;n==="change"&&(J.named=k=>(k>0?"+":"")+Bt(k));const K={x:({share:k})=>D(k),y:({at:k})=>J(N*k.value)},je=({at:{low:k,high:C}})=>k===null||C===null?null:[J(N*k),J(N*C)],w=k=>se(r,k),it=k=>u&&!k?At(t)+", all experts: "+st(l??u,w)+Tt(fo(e,t)):sc(c[k-(u?1:0)],e),ct=(k,C)=>u&&!C?"ink":"accent",Bn=d&&f?[{share:s.share,at:f}]:[],Pn=g.length&&u?[{share:1,at:{...u,low:u.value,high:u.value}},...g]:g;return[V([At(t)],{x:E,y:a+14,down:0,size:12.5,weight:650,room:R-E}),Xe(J,[E,R],{strong:n==="change"?0:null}),Me(D,[_,x],{grid:!1}),Ht(Pn,{...K,y:({at:{value:k,low:C,high:Uo}})=>[J(N*(C??k)),J(N*(Uo??k))],fill:"unmatched"}),he(Pn,{...K,stroke:"unmatched",width:1.5,dash:[4,3]}),Gt([s],{x:K.x,y:[_,x],stroke:"marker",width:1.2,dash:[3,3]}),h.length>1?he(h,{...K,stroke:"accent"}):[],de(h,{...K,y:je,r:0,stroke:ct}),$e(h,{...K,r:3.5,fill:(k,C)=>u&&!C?"surface":"accent",stroke:(k,C)=>u&&!C?"ink":void 0,width:1.5,words:(k,C)=>it(C),reach:14,rise:14}),de(Bn,{...K,y:je,r:0,stroke:"marker"}),Qt(Bn,{...K,text:"diamond",r:6,stroke:"surface",width:1.5,fill:"marker",words:d&&ac(t,s,d,r),reach:14,rise:14})]}function ac(e,{share:t},{figure:n,change:s,count:o},a){const i=l=>se(a,l),r=l=>a.change(l)+" "+a.changeUnit;return At(e)+", what the page left out, "+oe(t)+" % kept: "+st(n,i)+(s?"; change "+st(s,r):"")+Tt(o)}function go(e,t,n,s){const o=Qi(e),a=Math.max(1,Math.min(o.length,Math.floor(s/Ki))),i=s/a,r=Math.ceil(o.length/a)*Sn,c=T(e.measure),l=c.unit&&!c.name.startsWith(c.unit)?" ("+c.unit+")":"",u=t==="figure"?c.title+l:"Change of "+c.name,d=Ye([{text:u,key:"none",ink:"ink",weight:600},{text:We[e.order]+"; whiskers 95 %"+Tt(e.count),stroke:"accent"},...e.draws?[{text:nc(e)+": mean, least to largest",stroke:"unmatched"}]:[]],{x:s<420?8:ho,y:r+8,width:s,size:11.5});return ue({width:s,height:r+d.height+4,title:u+" while fewer experts are kept, "+We[e.order]+": "+e.model,desc:"A facet a data set: "+u+" against the share of experts that is kept. The line goes "+We[e.order]+", whiskers are 95 % intervals, the band spans random sets of the same size; the dashed upright is where the bars stand.",marks:[o.map((f,h)=>oc({found:e,domain:f,shown:t,mark:n,width:i,dx:h%a*i,dy:Math.floor(h/a)*Sn})),d.marks]})}const $o=e=>[["domain","share","experts","figure","low","high","change","change_low","change_high","random","random_low","random_high","random_change","random_change_low","random_change_high"],...e.curve.map(({domain:t,share:n,experts:s,figure:o,change:a,random:i,random_change:r})=>[t,n,s,...[o,a,i,r].flatMap(c=>[c?.value??"",c?.low??"",c?.high??""])])],ot=26,[wo,rc,Ue]=[5,40,18],[Mn,ic]=[.25,.85],bo=e=>Math.max(1,...e.map(t=>t.experts));function En(e,t,n=wo){const s=t/bo(e),o=Math.max(n,Math.min(rc,s<wo?s:Math.floor(s)));return{cell:o,width:o*bo(e),height:ot*e.length}}function yo({layers:e,counts:t,places:n},s,o){if(!n)return{goes:!1,opacity:Mn};const a=e[s].experts-t[s],i=n[s][o],r=Math.max(1,e[s].experts-1);return{goes:i<a,opacity:Mn+(ic-Mn)*i/r}}function cc(e,t,n){const s=Lt(),o=En(t.layers,n),a=La(e,o.width,o.height);a.clearRect(0,0,o.width,o.height);const i=o.cell>8?2:1,r=(ot-Ue)/2;t.layers.forEach((c,l)=>{const u=l*ot+r;for(let d=0;d<c.experts;d+=1){const{goes:f,opacity:h}=yo(t,l,d),[g,m]=[d*o.cell,o.cell-i];if(f){a.globalAlpha=1,a.strokeStyle=s.bad,a.lineWidth=1,m>7?(a.strokeRect(g+.5,u+.5,m-1,Ue-1),a.beginPath(),a.moveTo(g+3,u+Ue-3),a.lineTo(g+m-3,u+3),a.stroke()):(a.fillStyle=s.bad,a.fillRect(g,u+Ue/2-1,m,2));continue}a.globalAlpha=h,a.fillStyle=s.accent,a.fillRect(g,u,m,Ue)}}),a.globalAlpha=1,Object.assign(e.style,{width:o.width+"px",height:o.height+"px"})}function lc(e,t,n,s){const[o,a]=[Math.floor(s/ot),Math.floor(n/t)];return o>=0&&o<e.length&&a>=0&&a<e[o].experts?{row:o,expert:a}:null}function uc(e,t,n){const{layers:s,counts:o}=e,a=s.map(({name:h})=>ze(h)),i=s.map((h,g)=>o[g]+" of "+h.experts),r=Math.min(.3*t,Math.ceil(Ke(a,11.5))+12),c=En(s,t-r-Ke(i,11.5)-10,.5),l=Fa(a,[0,c.height],ot-Ue),u=s.flatMap((h,g)=>Array.from({length:h.experts},(m,y)=>({row:g,x:r+y*c.cell,...yo(e,g,y)}))),d=c.cell-(c.cell>8?2:c.cell>3?1:0),f={y:({row:h})=>l.extent(h),x:({x:h})=>[h,h+d],rx:2};return ue({width:t,height:c.height+6,title:n,desc:"A row a layer, a cell an expert: filled ones stay, the stronger the later they would go; hollow ones go.",marks:[V(a,{x:r-8,y:(h,g)=>l(g),size:11.5,anchor:"end",room:r-10}),Vt(u.filter(({goes:h})=>h),{...f,stroke:"bad",width:1}),Vt(u.filter(({goes:h})=>!h),{...f,fill:"accent",opacity:({opacity:h})=>h}),V(i,{x:r+c.width+8,y:(h,g)=>l(g),size:11.5,fill:"dim"})]})}const me=({experts:e,top_k:t})=>Math.min(t,e),dc=5e5,vo=(e,t,n)=>Math.max(t,Math.min(n,e)),An=e=>e.map(t=>t.experts),Rt=(e,t)=>e.map(n=>vo(Math.ceil(Number((n.experts*t).toFixed(9))),me(n),n.experts)),ko=(e,t,n)=>Oo(e,t,(s,o)=>o<=n),xo=e=>e.slice(0,e.lastIndexOf("."));function Oo(e,t,n){const s=An(e),o=new Map(e.map((i,r)=>[i.name,r]));let a=s.reduce((i,r)=>i+r,0);for(const i of t){if(n(s,a))break;const r=o.get(xo(i))??-1;r<0||s[r]<=me(e[r])||(s[r]-=1,a-=1)}return s}function _o(e,t){const n=new Map(e.map(s=>[s.name,[]]));for(const s of t){const o=xo(s);n.get(o)?.push(Number(s.slice(o.length+2))-1)}return e.map(({name:s,experts:o})=>{const a=n.get(s)??[],i=new Set(a),r=Array.from({length:o},(l,u)=>u).filter(l=>!i.has(l)),c=new Int32Array(o);return[...a,...r].forEach((l,u)=>c[l]=u),c})}const hc=(e,t,n)=>e.flatMap((s,o)=>dt(s).filter((a,i)=>t[o][i]<s.experts-n[o]));function pc(e,t,n,s,o,a){const i=vo(a,me(t[o]),t[o].experts);return e==="alike"?Rt(t,i/t[o].experts):e==="own"?s.map((r,c)=>c===o?i:r):Oo(t,n,r=>r[o]<=i)}const fc=({units:e})=>e.map(({unit:t,share:n},s)=>({unit:t,share:n,at:s})).sort((t,n)=>t.share-n.share||t.at-n.at).map(({unit:t})=>t);function So(e,t,n){const s=e.reduce((i,r)=>i+r.experts,0),o=s-e.reduce((i,r)=>i+me(r),0);if(t==="effect")return s+1;if(t!=="greedy")return 0;let a=0;for(let i=0;i<o;i+=n)a+=s-i+1;return a}function Mo(e,t,n){if(e!=="greedy")return 1;const s=t.reduce((a,i)=>a+i.experts,0);let o=1;for(;o<s&&So(t,e,o)*n>dc;)o*=2;return o}function mc(e,t,n){const s=e.map(a=>a.experts-me(a)),o=e.findIndex(a=>a.experts===Math.max(...An(e)));return Math.min(n,t==="all"?s.reduce((a,i)=>a+i,0):s[o])}const L="pruning",Nt=8,gc=64*1024*1024,$c=700,wc=20,{state:b,update:B,subscribe:rl}=Wn({model:null,layers:[],order:"weight",way:"alike",samples:128,draws:8,counts:[],known:null,found:null,said:"",writes:!1});function at(){const{model:e,order:t,way:n,samples:s,draws:o,layers:a}=b,i=n==="together"?"all":"layer",r=Mo(t,a,s);return{model:e,data:ie(),samples:s,order:t,scope:i,at_once:r,points:Nt,draws:o,seed:0}}function Eo(){const{model:e,data:t,samples:n,order:s,at_once:o,seed:a}=at();return JSON.stringify({model:e,data:t,samples:n,order:s,atOnce:o,seed:a})}function ee(){const{known:e,order:t}=b,n=e&&e.of===Eo()?e:null;if(n)return{...n,preliminary:!1};const{use:s}=p;return t!=="weight"||!s?null:{...bc(s),of:"",preliminary:!0}}let Ct=null;function bc(e){const{layers:t}=b;if(Ct?.use===e&&Ct.layers===t)return Ct;const n=fc(e);return Ct={use:e,layers:t,sequence:n,places:_o(t,n)}}function Ao(){const e=ee();return e?hc(b.layers,e.places,b.counts):[]}function ge(){return{stay:b.counts.reduce((t,n)=>t+n,0),whole:b.layers.reduce((t,n)=>t+n.experts,0)}}function yc(e,t){const{way:n,layers:s,counts:o}=b;B({counts:pc(n,s,ee()?.sequence??[],o,e,t),said:""})}function vc(e){const{way:t,layers:n}=b,s=ee()?.sequence??[],o=t==="together"?ko(n,s,e):Rt(n,e/ge().whole);B({counts:o,said:""})}const kc=()=>B({counts:An(b.layers),said:""});function It(e){const t=JSON.stringify(at());B({...e,said:""}),b.way!=="own"&&To(),JSON.stringify(at())!==t&&(b.found&&B({found:null}),qe(L))}function To(){const{way:e,layers:t}=b,{stay:n,whole:s}=ge();if(!s)return;const o=ee()?.sequence??[];B({counts:e==="alike"?Rt(t,n/s):ko(t,o,n)})}const Tn=()=>Wt(L,"/prunings",at());function xc(){q({kind:"drop",units:Ao(),least:0,top_k:null})}function Rn(){const e=Ao(),{choice:t}=p,n=t.kind==="drop"&&t.top_k===null?j():[];return e.length>0&&e.length===n.length&&e.every((s,o)=>s===n[o])}const Ro=e=>"/prunings/"+encodeURIComponent(b.found?.id??"")+"/"+e+"?keep="+b.counts.join(",");async function Oc(){if(!b.found)return null;B({said:""});try{return await(await Yn(Ro("keep-list"))).blob()}catch(e){return B({said:e.message}),null}}async function _c(){if(!b.found||b.writes)return null;const e=Ro("model");B({said:"",writes:!0});try{const t=await Yn(e);return Number(t.headers.get("Content-Length")??1/0)<=gc?await t.blob():(await t.body?.cancel(),sa+e)}catch(t){return B({said:t.message}),null}finally{B({writes:!1})}}let No=0;async function Sc({job:e}){if(!e||!["running","done"].includes(e.state)||!b.model)return;const t=e.state==="running";if(t&&(!e.total||performance.now()-No<$c)||!t&&b.found?.id===e.id&&b.found.complete)return;No=performance.now();const n=await te("GET","/prunings/"+encodeURIComponent(e.id)).catch(()=>null);if(!(!n||X(L).job?.id!==e.id||n.model!==b.model)&&!(b.found?.id===n.id&&Mc(n,b.found))&&n.sequence.length){const s=Eo(),o=b.known?.of===s?b.known:{of:s,sequence:n.sequence,places:_o(b.layers,n.sequence)};B({known:o,found:n}),b.way==="together"&&To()}}const Mc=(e,t)=>t.complete||!e.complete&&e.curve.length<t.curve.length;function Co(e){const{choice:t}=p,n=new Set(t.kind==="drop"?j():[]);return e.map(s=>{let o=0;for(let a=1;a<=s.experts;a+=1)n.has(s.name+".e"+a)||(o+=1);return Math.max(o,me(s))})}function Io(e,t){const n=Rt(e,t[0]/e[0].experts);return t.some((s,o)=>s!==n[o])}async function Ec(){const{model:e}=b,t=await te("GET","/jobs?kind="+L+"&limit="+wc).catch(()=>null);if(!t||b.model!==e||X(L).job||X(L).starting)return;const n=JSON.stringify(ie()),s=t.items.find(({state:f,owner:h,request:g})=>["running","queued","done"].includes(f)&&h!=="another"&&g.model===e&&JSON.stringify(g.data)===n&&!g.keep&&g.points===Nt);if(!s)return;const o=s.request,{order:a,scope:i,samples:r,draws:c}=o,l=i==="all"?"together":Io(b.layers,b.counts)?"own":"alike";B({order:a,way:l,samples:r,draws:c});const u=at();Object.keys(u).every(f=>JSON.stringify(u[f])===JSON.stringify(s.request[f]))&&Tn()}let Nn="",Cn=!1;function Ac(){const e=[qn(L,t=>{Sc(t)}),Zt(({model:t},n)=>{if(!n.has("model")&&!n.has("choice"))return;const s=t?.layers??[],o=t&&s.length?t.id:null;if(o!==b.model&&(b.model&&qe(L),Nn=JSON.stringify(ie()),Cn=!0,B({model:o,layers:s,counts:Co(s),known:null,found:null,said:""})),!o||!n.has("choice"))return;if(Cn){Cn=!1;const i=Co(s);B({counts:i,way:Io(s,i)?"own":"alike"}),Ec();return}const a=JSON.stringify(ie());a!==Nn&&(Nn=a,(b.found||X(L).job)&&qe(L),B({found:null}))})];return()=>{e.forEach(t=>t()),Fn(L),B({model:null,layers:[],counts:[],known:null,found:null,said:""})}}const Tc=[["tokens","by "+ne.tokens+", observed"],["weight","by "+ne.weight+", observed"],["effect","by effect, caused"],["greedy","greedy, caused"],["chance","by chance"]],Rc=[["alike","all alike"],["together","all together, by the order"],["own","each on its own"]],Nc={tokens:"Observed: experts that fewest tokens take go first. This predicts effects badly.",weight:"Observed: experts of least routing weight go first. This predicts effects badly.",effect:"Caused: each expert is dropped alone, and those that cost least go first.",greedy:"Caused: after every step all that are left are dropped in turn, and the cheapest goes.",chance:"By chance: what any other order has to beat."};function Cc(){const{order:e,layers:t,samples:n,draws:s,way:o}=b,a=mc(t,o==="together"?"all":"layer",Nt),i=Mo(e,t,n),c=So(t,e,i)+a*(1+s)+1,l=p.evaluation?.baseline?.samples_per_second,u=l?", about "+Ln(c*n/l):"";return S(c)+" sets of experts on "+S(n)+" samples"+u+"."+(i>1?" Experts go "+S(i)+" at once.":"")}function Ic(){const{order:e,way:t,samples:n,draws:s,found:o,model:a}=b;if(!a)return null;const{job:i,starting:r,problem:c}=X(L),l=r||i!==null&&["queued","running"].includes(i.state),u=!!o?.complete,{read_only:d}=Se.value,f=Kn(c)&&c?.message,h=(m,y,v)=>$`<div class="control"><label class="control-name" for=${m}>${y}</label>${v}</div>`,g="small-input";return $`<div class="interventions drop-row">
      ${h("studio-order","Experts go",$`<${le}
          id="studio-order"
          look=${g}
          options=${Tc}
          chosen=${e}
          onChoose=${m=>It({order:m})}
        />`)}
      ${h("studio-way","Layers",$`<${le}
          id="studio-way"
          look=${g}
          options=${Rc}
          chosen=${t}
          onChoose=${m=>It({way:m})}
        />`)}
      ${h("studio-samples","Samples",$`<${le}
          id="studio-samples"
          look=${g}
          options=${zt([32,64,128,256],n)}
          chosen=${String(n)}
          onChoose=${m=>It({samples:Number(m)})}
        />`)}
      ${h("studio-draws","Random sets",$`<${le}
          id="studio-draws"
          look=${g}
          options=${zt([0,4,8,16],s)}
          chosen=${String(s)}
          onChoose=${m=>It({draws:Number(m)})}
        />`)}
      ${!d&&$`<button
          type="button"
          class="button"
          id="studio-start"
          disabled=${l||u}
          onClick=${()=>Tn()}
        >
          ${u?"Computed":"Compute order and curves"}
        </button>`}
    </div>
    <p class="hint" id="studio-rests">
      ${Nc[e]} ${f||(u||l||d?"":Cc())}
    </p>`}function Bc(){const{model:e,found:t}=b,{job:n,starting:s,problem:o}=X(L);Se.value.read_only&&e&&!t&&!n&&!s&&!o&&ce(Tn)}const Bo=({name:e,label:t,value:n,least:s,most:o,at:a,onMove:i})=>$`<div class="studio-bar" data-studio-layer=${a}>
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
      onInput=${r=>i(Number(r.currentTarget.value))}
    />
    <output>${S(n)+" of "+S(o)}</output>
  </div>`;function Pc(){const{layers:e,counts:t}=b;return e.map((n,s)=>{const o=ze(n.name),a="Experts that "+o+" keeps";return $`<${Bo}
      key=${n.name}
      ...${{name:o,label:a,at:s,value:t[s],least:me(n),most:n.experts}}
      onMove=${i=>yc(s,i)}
    />`})}function Dc(){const{layers:e}=b,{stay:t,whole:n}=ge(),s=e.reduce((o,a)=>o+me(a),0);return $`<${Bo}
    ...${{name:"all",label:"Experts that all layers keep",at:-1,value:t,least:s,most:n}}
    onMove=${vc}
  />`}function Wc(){const e=ee();if(!e)return $`Compute the order to see which experts go.`;const t=e.preliminary?"Preview by "+ne.weight+", as in the grid above. Compute the order for the final ranking. ":"";return $`${t}Filled cells stay, the stronger the later they would go; struck ones go.`}function Uc({row:e,expert:t}){const{layers:n,counts:s}=b,o=ee(),a=n[e],i=dt(a)[t];if(!o)return i;const r=o.places[e][t],c=r>=a.experts-s[e],l="it stays while "+(a.experts-r)+" or more of "+a.experts+" are kept";return i+(c?" stays":" goes")+": number "+(r+1)+" of its layer to go, "+l}function jc(){const e=Ft(null);return He(()=>{const t=e.current,n=t.querySelector("canvas");let s=1;function o(){const{layers:i,counts:r,model:c}=b,l=ee(),{stay:u,whole:d}=ge(),f=t.clientWidth;!c||f<20||(s=En(i,f).cell,cc(n,{layers:i,counts:r,places:l?.places??null},f),n.dataset.painted=r.join(",")+(l?l.preliminary?" preliminary":" known":""),n.setAttribute("aria-label",u+" of "+d+" experts stay"+(l?"":"; who goes is not known yet")))}n.addEventListener("pointermove",i=>{const r=n.getBoundingClientRect(),c=lc(b.layers,s,i.clientX-r.left,i.clientY-r.top);n.title=c?Uc(c):""});const a=[W(o),oa(o),qa(t,o)];return()=>a.forEach(i=>i())},[]),$`<div ref=${e} class="studio-cells"><canvas role="img"></canvas></div>`}function In(){const{layers:e,counts:t}=b,n=ee();return[["layer","expert","goes_as","stays"],...e.flatMap((s,o)=>dt(s).map((a,i)=>{const r=n?n.places[o][i]:null;return[s.name,a,r===null?"":r+1,r===null?"":String(r>=s.experts-t[o])]}))]}function Po(e){const{id:t,model:n,revision:s,order:o,scope:a,at_once:i,draws:r,seed:c,count:l,chosen_on:u}=e,d=e.data.map(g=>({name:g.name,count:g.count,stand_in:g.stand_in})),f={keep:[...b.counts],points:Nt},h={order:o,scope:a,at_once:i,draws:r,seed:c,...f};return{model:n,revision:s,data:d,samples:l,order_chosen_on:u,...h,pruning:t,kind:"caused"}}function Fc(){const{found:e,layers:t,counts:n}=b,s=ee();if(!e||!s)return null;const{stay:o,whole:a}=ge(),i=S(o)+" of "+S(a)+" experts stay, "+We[e.order]+": "+e.model,r="Filled cells stay, the stronger the later they would go; hollow ones go.",c=["tokens","weight"].includes(e.order)?"observed":"caused";return{name:"pruning",title:i,caption:r,facts:{...Po(e),kind:c},python:{figure:"kept-experts"},rows:In,json:()=>Kt(In()),picture:{scene:(l=640)=>uc({layers:t,counts:n,places:s.places},l,i)}}}function Lc(){const{found:e,said:t,writes:n,model:s}=b;if(!s)return null;const{stay:o,whole:a}=ge(),i=o===a,r=ee()!==null,c=async(l,u)=>{const d=await l,f=(s+u).replace(/[^\w.-]+/g,"_");typeof d=="string"?za(d,f):d&&Ga(d,d.type,f)};return $`<div class="interventions drop-row">
      <span class="studio-total"
        >${S(o)+" of "+S(a)+" experts stay, "+oe(o/a)+" %"}</span
      >
      <${z} id="studio-apply" wait=${i||!r||Rn()} act=${xc}>
        ${Rn()?"Applied to the page":"Apply to the page"}
      <//>
      <${z} id="studio-restore" wait=${i} act=${kc}>Keep all<//>
      <${z} id="studio-keep-list" wait=${!e} act=${()=>c(Oc(),"-keep-list.json")}
        >Keep-list, JSON<//
      >
      <${z} id="studio-model" wait=${!e||n} act=${()=>c(_c(),"-pruned.zip")}
        >Pruned model, ZIP<//
      >
    </div>
    <p class="hint" id="studio-said" role="status" aria-live="polite" data-refused=${String(!!t)}>
      ${t||(n?"Writing the pruned model":e?"":"Compute first to download.")}
    </p>`}function Do(){const{stay:e,whole:t}=ge(),n={share:t?e/t:1,experts:e,figures:new Map},{evaluation:s,fresh:o}=p;if(!s||!o||!Rn())return n;const{accuracy:a,change:i,done:r}=s;a&&n.figures.set("all",{figure:a,change:i&&i.accuracy,count:r});for(const c of s.by_domain){if(c.accuracy===null)continue;const l={value:c.accuracy,low:c.low,high:c.high},u=c.change===null?null:{value:c.change,low:c.change_low,high:c.change_high};n.figures.set(c.name,{figure:l,change:u,count:c.count})}return n}const qc=[["figure","the figure"],["change","its change, paired"]];function zc(e){const{found:t}=b;return!t||!t.curve.length?null:{name:"pruning-retention",facts:Po(t),python:{figure:"retention"},rows:()=>$o(t),json:()=>({pruning:t}),picture:{scene:(n=Gc)=>go(t,e,Do(),n)}}}const Gc=960;function Hc(){const e=Je("figure"),{found:t}=b,n=t&&t.curve.length?t:null;return $`<${be}
    id="drop-studio-curves"
    title="Retention by data set"
    reads=${Qe.curves}
    more=${Ce.curves}
    tag="caused"
    formats=${Ie}
    written=${()=>zc(e.value)}
    hidden=${n===null}
  >
    <div class="studio-shown">
      <div class="control">
        <label class="control-name" for="studio-shown">Shown is</label>
        <${le}
          id="studio-shown"
          look="small-input"
          options=${qc}
          chosen=${e.value}
          onChoose=${s=>e.value=s}
        />
      </div>
    </div>
    <${Ve}
      look="studio-picture"
      widest=${1280}
      scene=${s=>{const{found:o}=b;return o&&o.curve.length?go(o,e.value,Do(),s):null}}
      drawn=${()=>b.found?.id+" "+b.found?.curve.length+" "+e.peek()}
      label=${s=>s.title+". "+s.desc}
    />
    <${Ee}
      words="Retention by data set as a table"
      data=${{"data-studio-table":"curves"}}
      caption=${()=>n?"Retention, "+We[n.order]+", "+n.model:""}
      rows=${n&&(()=>$o(n))}
    />
  <//>`}function Jc(){He(()=>{const o=[Ac(),W(Bc)];return()=>o.forEach(a=>a())},[]);const{model:e,found:t}=b,{stay:n,whole:s}=ge();return $`<div
    class="studio-grid"
    hidden=${!e}
    data-found=${t?t.id:""}
    data-complete=${String(!!t?.complete)}
  >
    <${be}
      id="drop-studio"
      title="Pruning studio"
      reads=${Qe.studio}
      more=${Ce.studio}
      formats=${Ie}
      written=${Fc}
    >
      <div><${Ic} /></div>
      <${Hn} name=${L} what="Pruning of experts" />
      <div>
        <div class="studio-whole"><${Dc} /></div>
        <div class="studio-rows" role="group" aria-label="Experts that each layer keeps">
          <div class="studio-bars"><${Pc} /></div>
          <${jc} />
        </div>
        <p class="hint studio-legend"><${Wc} /></p>
        <${Ee}
          words="Who stays and who goes as a table"
          data=${{"data-studio-table":"kept"}}
          caption=${()=>S(n)+" of "+S(s)+" experts stay"}
          rows=${e&&In}
        />
      </div>
      <div><${Lc} /></div>
    <//>
    <${Hc} />
  </div>`}const Kc=is.at(-1),Yc=Dn("drop","samples").offered;function Xc(){const{model:e,sets:t}=p,n=ie(),s=t.filter(o=>e?.held_out.includes(o.name)&&n.includes(o.name));return $`<div id="drop-caption" class="caption">
    ${e&&$`<${Va} ...${e} />`}
    <${Xa} sets=${t} used=${n} />
    ${s.length>0&&$`<span class="tag" title="The model was never trained on it.">
        ${"out of distribution: "+s.map(o=>o.name).join(", ")}
      </span>`}
  </div>`}const rt=({id:e,name:t,hidden:n=!1,children:s})=>$`<div class="control" id=${e} hidden=${n}><span class="control-name">${t}</span>${s}</div>`;function Vc(){const{model:e,choice:t}=p,n=e?mt(e):[ye.kind],s=Object.keys(Ws).map(o=>[o,Ws[o],n.includes(o)?"":"This model does not take it."]);return $`<${rt}
    id="drop-kind-control"
    name=${"Click "+Y(qt()).a_unit+" to"}
    hidden=${e?.units.length===0}
  >
    <${Jn}
      id="drop-kind"
      label="What is done to the units that are clicked"
      options=${s}
      chosen=${t.kind}
      onChoose=${o=>q({kind:o})}
    />
  <//>`}function Qc(){const{model:e,choice:t}=p,n=e?.layers??[],{passes:s}=Y(qt());return n.length?$`<${rt} id="drop-top-k-control" name="Experts a token takes">
    <${Xn}
      id="drop-top-k"
      label="Number of experts that a token takes"
      chosen=${t.top_k}
      most=${Math.min(...n.map(o=>o.experts))}
      none=${[...new Set(n.map(o=>o.top_k))].join(" or ")+", as trained"}
      onChoose=${o=>q({top_k:o})}
    />
  <//>`:$`<${rt} id="drop-iterations-control" name=${s[0].toUpperCase()+s.slice(1)}>
      <${Xn}
        id="drop-iterations"
        label="Number of iterations"
        chosen=${t.iterations}
        most=${e?.most_iterations??Kc}
        none="as trained"
        onChoose=${o=>q({iterations:o})}
      />
    <//>`}function Zc(){const{model:e,sets:t,choice:n}=p;return $`<div class="interventions drop-row">
    <${rt} name="Data">
      <div class="chips" role="group" aria-label="Data sets" onKeyDown=${os}>
        <${Qa}
          sets=${t}
          used=${ie()}
          attribute="data-drop-set"
          about=${s=>Za(s,!!e?.held_out.includes(s.name))}
          onChoose=${s=>q({data:s})}
        />
      </div>
    <//>
    <${rt} name="Samples">
      <${le}
        id="drop-samples"
        look="small-input"
        label="Number of samples"
        options=${zt(Yc,n.samples)}
        chosen=${String(n.samples)}
        onChoose=${s=>q({samples:Number(s)})}
      />
    <//>
    <${z} id="drop-reset" act=${()=>q({...ye})}>Reset<//>
  </div>`}function el(){const{model:e,choice:t}=p,n=e?.units.length===0?[]:[Ge(qr[t.kind],e),Un(e)];return $`<p id="drop-sentence" class="drop-sentence">${n.filter(Boolean).join(" ")}</p>`}function tl(){return $`
    <div class="page-head">
      <h1>Drop</h1>
      <${Xc} />
      <span class="pin-tool"><${Ja} ...${Ls} /></span>
      <button type="button" class="tool tool-text" data-copy-link="true">${la("link")}Copy link</button>
    </div>
    <${Ka} ...${Ls} />
    <${Ya}>
      <div class="drop-controls">
        <div class="interventions drop-row"><${Vc} /><${hi} /><${Qc} /></div>
        <${$i} />
        <${Oi} />
        <${wi} />
        <${Zc} />
        <${el} />
      </div>
    <//>
    <${ri} />
    <${Yr} />
    <${li} />
    <${Jc} />
    <${Ji} />
  `}function Wo({pin:e,...t}){return ae.value=e??"",$s({...t,rule:""})}aa("drop",({model:e,sample:t,...n})=>p.model?.id!==e?null:(ia({model:e,sample:t}),Wo(n)));function nl(e){let t=ua(location.search).model,n=e;return W(()=>{const{model:s}=Dt(),o=t??s;t=null,(n||o!==fs())&&ce(()=>on(o,n)),n=null})}const sl=ra({Tree:tl,choice:()=>{const{rule:e,...t}=p.choice;return{...t,pin:ae.value||null}},take:e=>{Wo(e)},open({pin:e,...t},n){const s=n.closest(".page");ae.value=e??"";const o=[hs(),kr(),nl(t),W(()=>{Object.assign(s.dataset,{state:p.status,fresh:String(p.fresh)})}),W(()=>{s.dataset.compares=String(Ze()!==null)}),W(()=>ca(p.evaluation?.measure??null))];return()=>{o.forEach(a=>a()),ws(),Ha()}}});da({drop:()=>ys});export{sl as mount};
