/* Made of the modules beside this folder by scripts/bundle.mjs; licences of others in ../vendor. */
import{af as Do,ae as Bn,z as Pn,n as Ue,ai as It,E as ee,R as B,aO as Dn,ac as Bt,aK as Wn,X as Wo,a0 as jo,aP as Uo,_ as Fe,Y as Fo,ah as Lo,aQ as te,o as Y,an as ie,U as qo,aj as zo,aE as X,aR as jn,aC as Le,u as Se,aS as Pt,D as M,a4 as qe,q as A,G as ne,aT as Un,aU as Fn,s as $,T as z,a5 as Dt,as as Go,F as se,aV as Ln,aW as ze,Q as Ge,t as Wt,aX as He,P as jt,k as Ho,aY as Jo,aZ as Ko,a_ as Yo,a$ as Xo,ao as ce,f as Qo,v as Vo,r as Ut,I as Zo,aL as qn,am as zn,aM as Gn,m as Ft,M as Hn,N as ea,ap as Lt,S as ta,av as na,aw as sa,c as oa,b0 as aa,i as ra,ax as ia,aN as Jn,O as ca}from"../../boot.js";import{af as la,ag as oe,g as Kn,ah as ua,ai as da,aj as ha,ak as pa,al as fa,am as ma,an as Yn,ao as ga,ap as Xn,aq as ae,ar as Qn,as as $a,q as Vn,at as wa,G as P,z as le,I as Me,D as qt,C as F,ac as ue,K as ge,E as ba,n as it,k as Zn,r as ct,au as es,h as $e,H as Je,av as zt,J as de,F as Ke,u as Gt,N as G,v as H,e as ya,aw as va,x as ka,aa as xa,a9 as Oa,i as _a,ad as Sa,P as we,j as Ye,A as Ee,ax as Ma,ay as Ea,az as Ht,aA as Aa,X as Ta,aB as lt,a7 as ts,a8 as Ra,aC as Na,aD as ns,aE as Ca,w as Jt,a2 as Ia,aF as Kt,a3 as Yt,a4 as Xt,aG as ss,aH as Ba,aI as Pa,ae as Da,aJ as Wa,o as ja,aK as Ua,aL as Fa,aM as La,aN as qa,aO as za,aP as Ga,aQ as Ha,R as Ja,aR as Ka,aS as Ya}from"../../shared.js";const Xa="drop",Qa=10,Va=250,be={...Do("drop"),rule:""},{offered:os}=Bn("drop","iterations"),Za={status:"loading",problem:null,model:null,graph:null,graphProblem:null,use:null,ruled:null,sets:[],choice:{...be},pinned:null,evaluation:null,fresh:!1},{state:h,update:R,subscribe:Qt}=Pn(Za),ye=Ue(null),ve=()=>h.model,re=()=>h.choice.data.length?h.choice.data:h.sets.map(e=>e.name),Ae=({model:e})=>e!==null&&e.constants.includes("link_probability"),C=({model:e})=>e!==null&&(e.layers??[]).length>0;function Vt(e=h.choice.least){const{graph:t}=h;return!e||!t?[]:Wn(t.connectivity).slice(0,e).map(n=>ve().units[n])}function D(){const e=new Set([...h.choice.units,...Vt()]);return h.model?h.model.units.filter(t=>e.has(t)):[]}const ut=e=>L({units:er(e),least:0});function er(e){const t=new Set(e);return ve().units.filter(n=>t.has(n))}function Zt(){const{model:e,choice:t}=h;if(!e)return null;const{kind:n,edges:s,iterations:o,top_k:a}=t;return ua({model:e.id,sample:Bt().sample,[n]:D(),edges:s,iterations:o,top_k:a})}async function tr(){const e=da(oe.value);if(!e)return null;const t=ve(),n=e.model===t.id,s=n?t:await ee("GET","/models/"+encodeURIComponent(e.model)).catch(()=>null),o=s?await ha(e,s):e,a=Zt();return n&&pa({...o,sample:a.sample},a,t.units)?null:o}async function nr({model:e,edges:t,iterations:n,top_k:s,...o}){const a=await Promise.all(Xn.map(async r=>[r,(await Yn(o[r])).split(",").filter(Boolean)])),i={...Object.fromEntries(a),keep_edges:t,iterations:n,top_k:s};return JSON.stringify({model:e,intervention:i})}async function sr(){const{choice:e,pinned:t}=h,[n,s,o]=await Promise.all([Yn(D()),t&&nr(t),ga(ve().units,e.units,e.rule)]);return{units:n,against:s,name:o}}function or({units:e,against:t}){const{choice:n}=h,s={model:ve().id,data:re().join(","),samples:n.samples,[n.kind]:e,iterations:n.iterations,keep_edges:n.edges,top_k:n.top_k,controls:Qa,against:t};return"/evaluations/stream"+qo(s)}let en=!1;const he=la({owner:Xa,statusOf:()=>h.status,update:R,async begin(e){if(Ae(h)&&h.choice.least&&!h.graph&&!h.graphProblem)return;const t=()=>e()&&en,n=oe.value&&t()&&h.model?await tr():null;if(!t()||!h.model)return;R({pinned:n});const s=await sr();!t()||!h.model||(s.name&&R({choice:{...h.choice,rule:s.name}}),as(),he.ask(h.model.id,()=>or(s)))}});function as(){const e=ve(),t=oe.value||null,{rule:n,...s}=h.choice,o={...s,units:n?n.split(","):s.units},a=n?void 0:e.units;Lo("drop",{...o,model:e.id,sample:Bt().sample,pin:t},a)}const ar=(e,t)=>JSON.stringify(e)===JSON.stringify(t),rr=["units","kind","least","top_k"];async function dt(e){const{model:t,choice:n}=h;if(!t)return;const s=await ir(t,e,n);h.model!==t||h.choice!==n||(R({ruled:s.said}),s.units&&L({units:s.units,least:0,rule:e.join(",")}))}async function ir(e,t,n){try{const s=await fa(e,t,n);return{units:s.units,said:rs(e,s)}}catch(s){return{units:null,said:{text:s.message,refused:!0}}}}function rs(e,{units:t,rules:n,observed:s}){const o=s?", by "+te.weight+" on "+s.count+" samples":"",a=Y(e),i=t.length+" "+(t.length===1?a.unit:a.units);return{text:n.join(", ")+": in all "+i+o,refused:!1}}function L(e,t=!1){const n=rr.some(o=>o in e)&&!("rule"in e),s={...h.choice,...n?{rule:""}:{},...e};n&&R({ruled:null}),!ar(s,h.choice)&&(R({choice:s}),h.model&&he.restart(t?Va:0))}function tn(e){e!==h.choice.distribution&&(R({choice:{...h.choice,distribution:e}}),h.model&&as())}const is=e=>t=>t?"/models/"+encodeURIComponent(ve().id)+"/"+e:null,ht=It(()=>is("graph")(Ae(h)),(e,t)=>ee("GET",e,void 0,{signal:t})),cs=It(()=>is("use")(C(h)&&h.sets.length>0),(e,t)=>ee("GET",e,void 0,{signal:t}));function ls(){en=!0;const e=[ht.follow(),cs.follow(),B(()=>{const[t,n]=[ht.answer(),ht.waits()?null:ht.problem()];ie(()=>cr(t,n))}),B(()=>{const t=cs.answer();ie(()=>t!==h.use&&R({use:t}))})];return()=>{en=!1,e.forEach(t=>t())}}function cr(e,t){if(e===h.graph&&t===h.graphProblem)return;const n=h.choice.least>0;R({graph:e,graphProblem:t,...t?{choice:{...h.choice,least:0}}:{}}),n&&(e||t)&&he.restart()}const pt=e=>["drop",...Dn(e)?[]:["mute"],...e.fields.includes("contributions")?["mean","resample"]:[]];function us(e,t,n){const s=n.map(r=>r.name),o=e.data.filter(r=>s.includes(r)),a=t.constants.includes("link_probability"),i=t.most_iterations??null;return jo("units",t,e.units),Uo(t.id,s,e.data),pt(t).includes(e.kind)||Fe(`"kind" is ${e.kind}, which ${t.id} does not take: shown is ${be.kind}.`),!a&&(e.least||e.edges!==null)&&Fe(`Units of ${t.id} are not linked: "least" and "edges" are ignored.`),!C({model:t})&&e.top_k!==null&&Fe(`No token of ${t.id} takes the best of many experts: "top_k" is ignored.`),a&&e.least>=t.units.length&&Fe(`"least" is ${e.least}: one of the ${t.units.length} units of ${t.id} stays.`),i!==null&&e.iterations!==null&&e.iterations>i&&Fe(`"iterations" is ${e.iterations}; ${t.id} has up to ${i}: shown is the model as trained.`),{...e,kind:pt(t).includes(e.kind)?e.kind:be.kind,units:Fo(t.units,e.units),least:a?Math.min(e.least,t.units.length-1):0,edges:a?e.edges:null,top_k:C({model:t})?e.top_k:null,iterations:i!==null&&e.iterations!==null&&e.iterations>i?null:e.iterations,data:o.length===s.length?[]:o}}let ke=0,ft=null;const ds=()=>ft;function hs(){he.close(),R({...{model:null,sets:[],pinned:null,evaluation:null,ruled:null},fresh:!1,problem:null,status:"loading"})}async function nn(e,t){const n=ke+=1;if(ft=e,t&&R({choice:{...be,...t}}),h.model&&h.model.id!==e&&hs(),!e){R({status:"loading"});return}try{const[s,o]=await Promise.all([ee("GET","/models/"+encodeURIComponent(e)),ee("GET","/data")]);if(n!==ke)return;const a=s.domains.map(r=>o.items.find(c=>c.name===r)).filter(r=>r!==void 0),i=await ps(s,h.choice);if(n!==ke)return;R({model:s,sets:a,ruled:i.ruled,evaluation:null}),R({choice:{...us({...h.choice,...i.choice},s,a),rule:i.rule}}),he.restart()}catch(s){const{title:o,message:a}=s;n===ke&&R({status:"failed",problem:{title:o,detail:a}})}}async function ps(e,t){const n=t.rule?t.rule.split(","):t.units;if(!n.some(Wo))return{choice:{},rule:"",ruled:null};const s=await ma("units",e,n,t),o=s.rules.length>0;return{choice:{units:s.units},rule:o?s.parts.join(","):"",ruled:o?rs(e,s):null}}async function fs(e){const{model:t,sets:n}=h;if(!t)return;const s=ke+=1,o=h.choice,a=await ps(t,e);s!==ke||h.choice!==o||(R({ruled:a.ruled,choice:{...us({...e,...a.choice},t,n),rule:a.rule}}),he.restart())}function ms(){ke+=1,ft=null,hs()}const sn=["drop","mute","mean","resample","iterations","keep_edges","top_k"];function mt(){const e=h.evaluation;return Kn(e,sn,{least_connected:h.fresh&&h.choice.least?h.choice.least:null,held_out:e.data.filter(t=>t.held_out).map(t=>t.name)})}function gs(){if(h.model){he.restart();return}R({status:"loading",problem:null}),nn(ft,null)}const{cancel:lr}=he;var $s=Object.freeze({__proto__:null,ITERATIONS:os,NOTHING:be,PARTS:sn,askedFor:ds,cancel:lr,choose:L,facts:mt,follow:ls,hasExperts:C,hasLinks:Ae,kindsOf:pt,leave:ms,leaveOut:ut,leaveOutBy:dt,leftOut:D,measured:re,open:nn,pointed:ye,restart:gs,showDistribution:tn,shown:Zt,state:h,subscribe:Qt,take:fs,weakest:Vt});const Q="importance",gt=10,on=20,ur=24e3,[dr,hr]=[2640,8192],pr=16,V=Ue(""),ws=({model:e})=>(e.layers??[]).find(({name:t})=>t===V.value)?.experts??e.units.length;function bs(e){const t=ws(e);if(!V.value)return 1+t;if(t<=gt)return 2**t;const n=t<=on;return t*(n?t/2:1)+(t-1)*(n?64:pr)+200}function ys(e){const{model:t,choice:n}=e;if(C(e)){const o=V.value?hr:dr;return Math.min(n.samples,Math.max(16,Math.min(300,Math.round(o/bs(e)))))}const s=t.units.length;return s<=on?n.samples:Math.min(n.samples,Math.max(30,Math.min(300,Math.round(ur/s))))}function an(e){const{model:t,choice:n}=e,s=C(e)&&V.value,o=s&&n.kind==="drop"?"mute":n.kind,a={model:t.id,data:re(),samples:ys(e),kind:o},i=n.edges===null?{}:{keep_edges:n.edges},r=n.distribution==="in"?null:n.distribution,c=C(e)?{top_k:n.top_k,layer:s||null}:{};return{...a,...i,...c,iterations:n.iterations,distribution:r,seed:0}}const rn=({evaluation:e})=>(e?.by_distribution??[]).map(t=>t.name);function vs(e,t,n){const s=ys(n),o=n.evaluation?.baseline?.samples_per_second,a=o?"; about "+Un(e*s/o):"";return"About "+M(e)+" sets on "+M(s)+" "+t+a+". It can be cancelled and taken up again."}function fr(e){const{model:t,choice:n}=e,s=ws(e);if(C(e)){const r=vs(bs(e),"texts",e),c=n.kind==="drop"?"Drop":"Leave out";if(!V.value)return[c+" each of the "+M(s)+" experts alone",r];const u=n.kind==="drop"?" Experts outside a subset are muted, because a layer cannot route with fewer than a token takes.":"";return["Score "+(s<=gt?"all "+2**s:"sampled")+" subsets of the "+s+" experts of "+qe(V.value),r+u]}if(s<=gt)return["Score all "+2**s+" subsets of the "+s+" units",""];if(s<=on)return["Score sampled subsets of the "+s+" units",""];const o=Ae(e)?4:2,a=s+20*(o+8);return["Drop each of the "+M(s)+" "+Y(t).units+" alone, then more and more",vs(a,"samples",e)]}const cn=zo(()=>h.model?JSON.stringify(an(h)):null),ln=Ue(null);let $t=!1;const un=It(()=>{const{job:e}=X(Q);return e?.state==="done"?"/importances/"+encodeURIComponent(e.id):null},(e,t)=>ee("GET",e,void 0,{signal:t})),pe=un.answer,{problem:mr}=un;function ks(){$t=!1,Pt(Q,"/importances",an(h))}async function gr(e){ln.value=null,await Le(Q),e===cn.peek()&&(ln.value=e)}function $r(){const{model:e,status:t,choice:n}=h,{job:s,starting:o,problem:a}=X(Q);if(s?.state==="cancelled"&&($t=!0),!e||t!=="done"||ln.value!==cn.value)return;const i=rn(h);if(n.distribution!=="in"&&i.length&&!i.includes(n.distribution)){ie(()=>tn("in"));return}const r=e.units.length<=gt&&!C(h);!s&&!o&&!a&&!$t&&(r||Se.value.read_only)&&ie(ks)}function wr(){const e=[un.follow(),B(()=>{const t=cn.value;ie(()=>{gr(t)})}),B(()=>{h.model||(V.value="")}),B($r)];return()=>{e.forEach(t=>t()),jn(Q),V.value="",$t=!1}}function br(e){const t={drop:[],mute:[],mean:[],resample:[]};return{model:e.model,revision:e.revision,seed:e.seed,...t,left_out_as:e.kind,iterations:e.iterations,data:e.data,distribution:e.distribution??null,samples:e.count,exact:e.exact,keep_edges:e.keep_edges===void 0?null:e.keep_edges,importance:e.id,...e.layer?{layer:e.layer}:{},...typeof e.top_k=="number"?{top_k:e.top_k}:{},...A(e.measure).share?{}:{measure:e.measure}}}function dn({distribution:e,layer:t,top_k:n}){const s=e&&(e!=="in"||rn(h).length>1),o=(t?", "+qe(t):"")+(n?", top "+n:"");return(s?", "+ae[e]:"")+o}const yr=e=>e==null?"":Array.isArray(e)?e.join(" "):e,xs={use:"usage",effect:"shapley",interactions:"interactions",retention:"retention",anytime:"anytime",convergence:"convergence"};function Os(e){const t=e.length?Object.keys(e[0]):[];return[t,...e.map(n=>t.map(s=>yr(n[s])))]}function _s(e,t){if(t==="effect"){const n=new Map(e.single.map(s=>[s.unit,s]));return e.shapley.length?e.shapley.map(({unit:s,value:o,low:a,high:i,standard_error:r})=>{const{unit:c,...u}=n.get(s)||{};return{unit:s,...{shapley:o,shapley_low:a,shapley_high:i,standard_error:r},...Object.fromEntries(Object.entries(u).map(([d,p])=>["single_"+d,p]))}}):e.single}return e[xs[t]]}const vr=(e,t)=>Object.entries(Qn(e,t)).map(([n,s])=>"; "+n.replace("_"," ")+" "+s).join("");function kr(e){const t=A(e.measure),n=r=>ne(t,r),s=[["all units",n(e.baseline)],...e.total===null?[]:[["none",n($a(e))]]],o=M(e.count)+" samples"+dn(e);if(!e.shapley.length){const r=e.retention.length?", then more and more":"";return[["sets","Each of "+M(e.units.length)+" alone"+r+", on "+o],...s,["how",e.words]]}const a=e.exact?"All "+M(2**e.units.length)+" subsets":"Sampled orders",i=e.shapley.reduce((r,c)=>r+c.value,0);return[["subsets",a+" of "+e.units.length+" units on "+o],...s,["sum of Shapley values (above 0: the units help)",t.change(i)+" "+t.changeUnit],["how",e.words]]}const wt="importance-a",W=Ue({asked:"",importance:null,problem:""});function bt(){const{model:e,pinned:t}=h;if(!e||!t)return null;const n=an(h),s=Xn.find(l=>t[l].length)??n.kind,o="layer"in n&&n.layer&&s==="drop"?"mute":s,{keep_edges:a,...i}=n,r=t.edges===null?{}:{keep_edges:t.edges},c="top_k"in n?{top_k:t.top_k}:{},u={...i,...r,...c,model:t.model,kind:o,iterations:t.iterations};return{a:u,b:n,alike:Te(u)===Te(n)}}const Te=e=>JSON.stringify(Object.entries(e).sort());function hn(){const e=bt(),t=pe();if(!e||!t)return null;const{asked:n,importance:s}=W.value,o=e.alike?t:n===Te(e.a)?s:null;return o&&(o.distribution??t.distribution)===(t.distribution??o.distribution)?{a:o,b:t}:null}function Ss(){const e=bt();e&&(W.value={asked:Te(e.a),importance:null,problem:""},Pt(wt,"/importances",e.a))}const xr=()=>{const e=Fn(wt,async({job:n,problem:s})=>{const{value:o}=W,a=s??n?.problem;if(a&&(W.value={...o,problem:"detail"in a&&a.detail||"message"in a&&String(a.message)||"It failed."}),!n||n.state!=="done"||o.importance)return;const i=await ee("GET","/importances/"+encodeURIComponent(n.id)).catch(()=>null);W.value.asked===o.asked&&(W.value={...o,importance:i})}),t=B(()=>{const n=Se.value.read_only&&pe()?bt():null;n&&!n.alike&&W.value.asked!==Te(n.a)&&ie(Ss)});return()=>{e(),t(),Le(wt),W.value={asked:"",importance:null,problem:""}}};function Or(){const e=bt();if(!e||hn())return null;if(!pe())return $`<p class="hint">Retention curves of both stand here once the importance below is computed.</p>`;const t=W.value.asked===Te(e.a),n=X(wt),s=t&&!W.value.problem&&(n.starting||!W.value.importance);return Se.value.read_only?t&&W.value.problem&&$`<p class="hint">${W.value.problem}</p>`:$`<p class="hint" role="status">
    <${z} id="drop-curves" wait=${s} act=${Ss}>
      ${s?"Computing the retention curve of A":"Compute the retention curve of A too"}
    <//>
    ${t&&W.value.problem}
  </p>`}function Re(e){const t=new Map(e.data.map(n=>[n.name,n]));return Vn(e,"by_domain").map(n=>{const s=t.get(n.name);return{...s?.held_out?{distribution:ae.out}:{},...n,name:n.name+(s?.stand_in?" (stand-in)":""),title:s?.title}})}const Ne=e=>Vn(e,"by_label"),[_r,Ms,Sr]=[760,28,30],xe=e=>e.model+", "+it(e,Dt(e.model)),[Es,As,Mr]=[210,34,38],Er=[{order:"best first",text:"best kept",stroke:"accent"},{order:"worst first",text:"worst kept",stroke:"bad"},{order:"random",text:"random sets",stroke:"dim",dash:[4,3]}];function Ts(e,t,n,s,o){const a=A(e.measure),i=[e,o].flatMap(({retention:v})=>v.flatMap(S=>[S.accuracy,S.low,S.high])),[r,c,u]=[64,n-20,Es-Mr],l=P([1,0],[r,c],{ticks:[1,.75,.5,.25,0],named:v=>100*v+(v?"":" %")}),d=es(a,i,[u,As]),p=Er.map(v=>({...v,points:e.retention.filter(({order:S})=>S===v.order).sort((S,I)=>S.dropped-I.dropped)})).filter(({points:v})=>v.length),{drop:f,mute:g,mean:m,resample:b}=t.intervention,x=new Set([...f,...g,...m??[],...b??[]]).size,_=[$e(t).find(({where:v})=>!v||v===ae[e.distribution??"unknown"])?.evaluation.accuracy].flatMap(v=>v??[]),O={x:l(1-x/e.units.length),y:({value:v})=>d(v)};return le({width:n,height:Es,title:"",desc:"",marks:[Je(d,[r,c]),Me(l,[As,u],{grid:!1}),F(["units kept"],{x:(r+c)/2,y:u+31,down:0,size:11,fill:"dim",anchor:"middle"}),zt(p.find(({order:v})=>v==="random")?.points??[],{x:v=>l(v.share_kept),y:({low:v,high:S})=>[d(v),d(S)],fill:"unmatched"}),p.toReversed().map(({points:v,stroke:S,dash:I})=>de(v,{x:q=>l(q.share_kept),y:q=>d(q.accuracy),stroke:S,dash:I})),Ke(p.map(v=>({...v,ink:v.stroke,weight:650,width:2})),{x:n<420?8:r,y:10,width:n}).marks,ge(_,{...O,r:8,fill:"ink"}),F(_,{...O,text:s,size:11,weight:700,fill:"surface",anchor:"middle"})]})}function Ar(e,t,n,{alone:s=!0,curves:o=null}={}){const a=n>=_r,i=a?Math.floor((n-Ms)/2):n;function r(m,b){const x=Dt(m.model),[E,_]=[Ne(m),Re(m)];return[m.accuracy&&Zn(m,i,{model:x,beside:[b]}),E.length>0&&ct(E,"label",m,i,x,Ne(b)),_.length>0&&ct(_,"data set",m,i,x,Re(b)),o&&(m===e?Ts(o.a,e,i,"A",o.b):Ts(o.b,t,i,"B",o.a))]}const c=[r(e,t),r(t,e)],u=["A: "+xe(e),"B: "+xe(t)],l=c[0].map((m,b)=>Math.max(...c.map(x=>{const E=x[b];return E?E.height+10:0})));let d=0;const p=c.map((m,b)=>{const x=a?b*(i+Ms):0;let E=a?0:d;const _=s||!a?[u[b]]:[],O=F(_,{x:x+2,y:E+10,size:13,weight:650,room:i-4});E+=_.length*Sr;const v=m.map((S,I)=>{const q=S?ba(S,x,E):[];return E+=a?l[I]:S?S.height+10:0,q});return d=Math.max(d,E),[O,v]}),{title:f}=A(t.measure),g=f+" of A, "+xe(e)+", beside B, "+xe(t)+", on the same axes: all samples, labels, data sets"+(o?", and accuracy while fewer units are kept.":".");return le({width:n,height:d,title:u.join("; "),desc:g,marks:p})}function Rs({by_distribution:e},t){const n=new Set(t.filter(s=>s.stand_in).map(s=>s.name));return e.flatMap(({name:s,count:o,a,b:i,difference:r,by_label:c,by_domain:u})=>{const l=e.length>1||s==="out"?ae[s]:"",{value:d,low:p,high:f}=r.accuracy,g=(m,b)=>({name:b,where:l,main:!1,count:m.count,a:m.baseline,b:m.accuracy,value:m.change,low:m.change_low,high:m.change_high});return[{name:"all samples",where:l,main:!0,count:o,a:a.accuracy.value,b:i.accuracy.value,value:d,low:p,high:f},...c.length>1?c.map(m=>g(m,"label "+m.name)):[],...u.length>1?u.map(m=>g(m,m.name+(n.has(m.name)?" (stand-in)":""))):[]]})}function Tr(e,t){const n=e.comparison,s=A(e.measure),o=Rs(n,e.data).map(m=>({...m,group:m.where,change:m.value,change_low:m.low,change_high:m.high})),{range:a,y:i,sure:r,marks:c}=wa(o,{width:t,top:24,measure:s,room:150}),u=Math.max(...o.flatMap(({value:m,low:b,high:x})=>[m,b??m,x??m].map(Math.abs)),.001),l=P([-u,u],a,{named:m=>m?s.change(m):"0"}),[d,p]=s.higher?["A is better","B is better"]:["B is better","A is better"],f={y:12,down:0,size:11,fill:"dim"},g=n.a?xe(n.a):"A";return le({width:t,height:i.end+24,title:"B minus A: "+xe(e)+", minus "+g,desc:"Paired difference of "+s.name+" in "+s.changeUnit+", B minus A, with 95 % intervals, on "+M(n.covered)+" samples that both have scored.",marks:[Me(l,[20,i.end]),qt([0],{x:l(0),y:[20,i.end],stroke:"dim"}),F([d],{...f,x:l(0)-8,anchor:"end"}),F([p],{...f,x:l(0)+8}),ue(o,{x:m=>[l(m.low),l(m.high)],y:i,stroke:r,width:({main:m})=>m?2.5:1.5}),ge(o,{x:m=>l(m.value),y:i,r:({main:m})=>m?6:4,fill:r}),c]})}const Ns=e=>it(e,h.model),Rr=(e,{draws:t,draws_done:n,exact:s,size:o})=>(s&&n===t?"all ":"")+e+(t===1?" set":" sets")+" of "+o,Nr=({share:e,unit:t})=>e?t+" on average":"on average";function Cs(e){const t="Random sets";if(!e)return{name:t,value:ka};const n=xa(e,Y(h.model).unit);return{name:t,...Oa(e,{waiting:n,sets:Rr,unit:Nr})}}function Cr(){const{evaluation:e,fresh:t}=h,[n,s]=e?$e(e):[],o=n?n.evaluation:null,{accuracy:a,change:i,loss:r}=Gt(o),c=n?n.where:"",u=s&&Gt(s.evaluation);return $`<div class="numbers" data-fresh=${String(t)}>
    <${G} id="drop-accuracy-number" main=${!0} ...${H(a,c)} />
    <${G} id="drop-change-number" main=${!0} ...${H(i,c)} />
    <${G} ...${H(r,c)} />
    <${G} id="drop-control-number" ...${H(Cs(o),c)} />
    ${u&&$`
        <${G} id="drop-accuracy-out" main=${!0} ...${H(u.accuracy,s.where)} />
        <${G} id="drop-change-out" main=${!0} ...${H(u.change,s.where)} />
        <${G} ...${H(u.loss,s.where)} />
        <${G} ...${H(Cs(s.evaluation),s.where)} />
      `}
  </div>`}function Ir(e){const{model:t,choice:n}=e;return _a(e,{chosen:n.samples,intervention:Ns,stale:"Cancelled before the first figure. The figures belong to the previous choice.",kept:"from cache",several:", one data set after the other",after:s=>Ns(s)===Sa?" Click "+Y(t).a_unit+" to drop it.":""})}const Br=()=>$`<${ya} name="drop" look="drop-progress" followed=${$s} progressOf=${Ir} />`;function Pr({id:e,name:t,title:n,value:s,before:o,words:a}){const i=Math.max(s||0,o||0)||1,r=c=>100*(c||0)/i+"%";return $`<div class="cost" id=${e} title=${n}>
    <span class="cost-name">${t}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{width:r(s),background:"var(--rs-accent)"}}></span>
      <span class="bar-mark" hidden=${!o} style=${{left:r(o)}}></span>
    </span>
    <span class="cost-value">${a}</span>
  </div>`}function Dr({flops:e,saved:t}){return e===null?"counting":Go(e)+(t===null?"":t>0?", "+se(t)+" % saved":", nothing saved")}function Wr(){const{evaluation:e,fresh:t}=h,n=e&&e.baseline;return $`<div class="costs" data-fresh=${String(t)}>
    <${Pr}
      id="drop-flops"
      name="FLOPs per sample"
      value=${e?.flops}
      before=${n?.flops}
      words=${e?Dr(e):""}
    />
    <${va} id="drop-speed" evaluation=${t?e:null} />
  </div>`}const pn="token_states",Is={drop:"drop",mute:"mute",mean:"mean",resample:"resample"},jr={drop:{router_logits:"Dropped: never chosen. A token takes the best of the remaining experts, with weights that add up to 1.",compatibility:"Dropped: removed. Compatibilities are renormalised over the remaining {units}.",multiplexer_weights:"Dropped: neither made nor read. Weights are renormalised over the remaining {units}.",messages:"Dropped: removed with their codes, signatures and states. Their compute is saved.",[pn]:"Dropped: removed. The remaining {units} work on what the {units} before them computed.","":"Dropped: removed. Their compute is saved."},mute:{router_logits:"Muted: chosen as before, but their output is 0. No other {unit} takes over their share.",compatibility:"Muted: their compatibility is set to 0 after normalisation. No other {unit} takes over their share.",multiplexer_weights:"Muted: their numbers are set to 0. They keep their share of the weights.",messages:"Muted: their messages are set to 0 after the softmax. No other {unit} takes over their share.",[pn]:"Muted: they add nothing, which equals dropping them.","":"Muted: their output is 0."},mean:{compatibility:"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, step by step and token by token.",messages:"Mean: the state that others read is replaced by its mean over the first 200 samples of the same data set.","":"Mean: what they add is replaced by its mean over the first 200 samples of the same data set, token by token."},resample:{messages:"Resampled: the state that others read is replaced by the state for another sample of the same data set.","":"Resampled: what they add is replaced by what they add for another sample of the same data set."}},Xe={accuracy:"Dots: {accuracies} with 95 % intervals. Grey: random sets of the same size. Changes are paired, on the same samples.",labels:"Ring: full model. Dot: without the units, 95 % interval. Right: paired change in {points}.",compared:"A is pinned, B is shown, on the same samples and axes. Ring: full model. Dot: without the units.",difference:"B minus A, paired over the samples that both have scored, with 95 % intervals. Right of the line: B is larger.",studio:"A bar says how many experts a layer keeps: drag it, or press arrow keys. Rows of cells are layers, cells are experts.",curves:"Score as fewer experts are kept, 95 % intervals. Band: random sets of the same size, least to largest. Dashed line: your bars."},Bs="The same by data set. Each is read by the head of its domain.",Ur={router_logits:"The same by data set. An expert that one kind of text needs may do nothing for another.",compatibility:Bs,[pn]:Bs,"":"The same by data set. Out of distribution: the model was never trained on it."},Fr={router_logits:"Mean share of each layer's routing that an expert takes, all experts on.",messages:"Mean share of the attention paid to each module at every layer, all modules on.",multiplexer_weights:"Mean share of the weight with which the next level reads each block, all blocks on.","":"Mean share of routing weight at every step, all {units} on."},Ce={importance:"A job scores the subsets in the background. What it scored is kept when it is cancelled.",use:"Nothing is dropped here. A unit that is used a lot may cost little to lose, where others replace it. Colours are those of the units.",effect:"Above 0 the unit helps. A Shapley value is the mean change that a unit makes, over all orders in which units join. The values of all units add up to the change from none to all.",retention:"Units are ranked once by their single effects, or again after each removal (greedy). Orders are chosen on the samples that score them, so the best are a little too good and the worst too bad. Orders by connectivity use no samples.",interactions:"The effect of dropping both units, minus the effects of dropping each alone. Below 0 each unit makes up for the loss of the other. Intervals are 95 %.",anytime:"Nothing is dropped here. Point at a dot for its compute per sample.",convergence:"Each order adds one estimate of the value of every unit. Lines are flat once more orders change nothing.",accuracy:"Each small dot is a random set. Data in and out of distribution are shown separately.",labels:"The effect covers all chosen data sets. Data in and out of distribution are shown separately.",studio:"The order is chosen on the last samples of every data set; curves are measured on the first ones. A layer keeps at least top-k experts. Files: the keep-list, and a model without the other experts.",curves:"Diamond: the score on this page without exactly these experts. Changes are paired, on the same samples. Point at a dot for its figures."},Ps=["name","count","baseline","accuracy","low","high","change","change_low","change_high"],Lr=e=>Ma(e,{named:"this set",sets:"random sets of as many",each:!0},Ea(e));function Ds(e,{measure:t}){const n=e.some(o=>o.distribution)?[...Ps,"distribution"]:Ps;return[n.map(o=>o==="accuracy"?A(t).name:o),...e.map(o=>n.map(a=>o[a]))]}const yt={accuracy:{has:e=>!!e.accuracy,scene:(e,t,n)=>Zn(e,n,{model:t}),rows:Lr,widest:900},labels:{has:e=>e.by_label.length>0,scene:(e,t,n)=>ct(Ne(e),"label",e,n,t),rows:e=>Ds(Ne(e),e)},domains:{has:e=>e.by_domain.length>0,scene:(e,t,n)=>ct(Re(e),"data set",e,n,t),rows:e=>Ds(Re(e),e)}};function qr(e,t){const n=A(t.measure),s=a=>ne(n,a);if(e==="accuracy"){const a=$e(t).flatMap(({where:i,evaluation:{accuracy:r,baseline:c,control:u}})=>{const l=i&&i+" ",d=r?[l+"this set ("+it(t,h.model)+") "+s(r.value)]:[];return c&&d.push(l+"full model "+s(c.accuracy.value)),u&&u.mean!==null&&d.push(l+"random sets on average "+s(u.mean)),d});return(n.share?"Accuracies":n.title)+": "+a.join("; ")}const o=e==="labels"?Ne(t):Re(t);return"Change of "+n.name+" in "+n.changeUnit+": "+o.map(a=>a.name+(a.distribution?", "+a.distribution:"")+" "+n.change(a.change)).join("; ")}const Ie=["svg","png","csv","json"];function vt(e){const{evaluation:t}=h;return t&&yt[e].has(t)?t:null}function zr(e,t){const n=vt(e);if(!n)return null;const s=yt[e].rows(n);return{name:"drop-"+e,facts:mt(),python:e==="accuracy"?{figure:"accuracy",draws:n.control?.draws}:{figure:"effects",by:e==="labels"?"label":"domain"},rows:()=>s,json:()=>e==="accuracy"?{result:n}:Ht(s),picture:{scene:o=>yt[e].scene(n,h.model,o??t)}}}function fn({name:e,title:t,reads:n,more:s,words:o,height:a,look:i,hidden:r,children:c,below:u}){const{fresh:l,status:d,model:p}=h,{scene:f,rows:g,widest:m}=yt[e],b=vt(e),x=()=>Math.max(560,document.getElementById("drop-picture-"+e)?.clientWidth??0);return $`<${we}
    id=${"drop-"+e}
    tag="caused"
    formats=${Ie}
    written=${()=>zr(e,x())}
    ...${{title:t,reads:n,more:s,look:i,hidden:r}}
  >
    ${c}
    <${Ye}
      id=${"drop-picture-"+e}
      look="drop-picture"
      height=${a}
      widest=${m}
      data=${{"data-key":e,"data-fresh":String(l),"data-state":d}}
      scene=${E=>{const _=vt(e);return _&&f(_,h.model,E)}}
      drawn=${()=>h.evaluation?.id??""}
      label=${()=>h.evaluation?qr(e,h.evaluation):""}
    />
    ${u}
    <${Ee}
      words=${o}
      data=${{"data-drop-table":e}}
      caption=${()=>(b&&f(b,p,640).desc)??""}
      rows=${b&&(()=>g(b))}
    />
  <//>`}function Gr(){const{model:e,evaluation:t}=h,{share:n,title:s}=A(),a=e!==null&&!e.labels.length||t?.state==="done"&&!vt("labels");return $`<div class="drop-grid">
    <${fn}
      name="accuracy"
      look="panel-drop-accuracy"
      title=${s}
      reads=${Ln(Xe.accuracy)}
      more=${Ce.accuracy}
      words=${(n?"Accuracies":s)+" as a table"}
      height=${228}
      below=${$`<${Wr} />`}
    >
      <${Cr} /><${Br} />
    <//>
    <div class="column">
      <${fn}
        name="labels"
        title="Effect by label"
        reads=${Ln(Xe.labels)}
        more=${Ce.labels}
        words="Effect by label as a table"
        height=${262}
        hidden=${a}
      />
      <${fn}
        name="domains"
        title="Effect by data set"
        reads=${ze(Ur)}
        words="Effect by data set as a table"
        height=${102}
      />
    </div>
  </div>`}const Ws={shown:Zt,units:()=>h.model?.units,write:gs,noSwap:({model:e})=>Dt(e)?"":"There is no model "+e+" here."};function Qe(){const{evaluation:e,pinned:t}=h,n=t&&oe.value&&e?e.comparison:null;return e&&n&&n.a&&n.by_distribution.length?{a:n.a,b:e,comparison:n}:null}function Hr(){const{evaluation:e,pinned:t,status:n,problem:s}=h;if(!t)return"A is what is shown: leave other units out, or choose another model, to compare it with A.";const o=e?.comparison?.problem;return o?"A and B are not compared. "+o:s?"Nothing to compare: "+s.detail:n==="cancelled"?"Cancelled before both had a figure.":"Both are scored now."}function Jr({comparison:{covered:e,total:t}}){return e===t?"On the same "+M(t)+" samples, all of which both have scored.":"On "+M(e)+" of "+M(t)+" samples so far: those that both have scored."}const Kr=({of:e})=>$`<div class="compare-sides">
    ${[["a","A"],["b","B"]].map(([t,n])=>$`<div class="compare-side" data-side=${t}>
            <div class="compare-name"><span class="pin-letter">${n}</span> ${xe(e[t])}</div>
            <div class="numbers">
              ${$e(e[t]).map(({where:s,evaluation:o})=>{const{accuracy:a,change:i}=Gt(o),r={...i,name:"Change to its full model"};return $`
                  <${G} main=${!0} ...${H(a,s)} />
                  <${G} ...${H(r,s)} />
                `})}
            </div>
          </div>`)}
  </div>`,kt=[["both","both"],["only_a","only A"],["only_b","only B"],["neither","neither"]];function Yr({parts:e}){const t=e.filter(s=>s.outcomes);if(!t.length)return null;const n=["Samples right with",...kt.map(([,s])=>s)];return $`<${Ta}
    look="compare-outcomes"
    heads=${n.map(s=>$`<th scope="col">${s}</th>`)}
    rows=${t.map(({name:s,outcomes:o})=>$`<tr>
          <th scope="row">${e.length>1||s==="out"?ae[s]:"all samples"}</th>
          ${kt.map(([a])=>$`<td data-outcome=${a}>${M(o?o[a]:0)}</td>`)}
        </tr>`)}
  />`}function Xr({of:e}){const t=A(e.b.measure),n=e.comparison.by_distribution;return $`
    <div class="numbers compare-difference">
      ${n.map(({name:s,count:o,difference:{accuracy:a}})=>{const{value:i,detail:r}=Wt(a,t.change,""),c={name:"B minus A",value:i,unit:t.changeUnit,detail:r+", "+M(o)+" samples",mood:Aa(a,t.higher)},u=n.length>1||s==="out"?ae[s]:"";return $`<${G} id=${"drop-difference-"+s} main=${!0} ...${H(c,u)} />`})}
    </div>
    <${Yr} parts=${n} />
  `}function Qr({a:e,b:t}){const{name:n}=A(t.measure),s=[["what","A","A_low","A_high","B","B_low","B_high"]],o=c=>c?[c.value,c.low??"",c.high??""]:["","",""],a=new Map($e(t).map(c=>[c.where,c.evaluation]));for(const{where:c,evaluation:u}of $e(e)){const[l,d]=[a.get(c),c&&", "+c];s.push([n+d,...o(u.accuracy),...o(l?.accuracy)]),s.push(["loss"+d,...o(u.loss),...o(l?.loss)])}const i=c=>c.name+(c.distribution?", "+c.distribution:""),r=hn();for(const c of r?["best first","worst first","random"]:[])for(const u of[...new Set([r?.a,r?.b].flatMap(l=>l?.retention??[]).map(l=>l.share_kept))].sort((l,d)=>d-l)){const[l,d]=[r?.a,r?.b].map(f=>f?.retention.find(g=>g.order===c&&g.share_kept===u)),p=f=>f?[f.accuracy,f.low,f.high]:["","",""];s.push([c+", share kept "+u.toFixed(3),...p(l),...p(d)])}for(const[c,u]of[["label ",Ne],["",Re]]){const l=new Map(u(t).map(d=>[i(d),d]));for(const d of u(e)){const p=l.get(i(d)),f=p?[p.accuracy,p.low,p.high]:["","",""];s.push([c+i(d),d.accuracy,d.low,d.high,...f])}}return s}function Vr({b:{data:e},comparison:t}){const n=new Map(t.by_distribution.map(i=>[i.name,i.outcomes])),s=Object.fromEntries(Object.entries(ae).map(([i,r])=>[r,i])),o=t.by_distribution[0].name,a=[["what","distribution","samples","A","B","B_minus_A","low","high",...kt.map(([i])=>i)]];for(const{name:i,where:r,main:c,count:u,a:l,b:d,value:p,low:f,high:g}of Rs(t,e)){const m=c?n.get(s[r]??o):null,b=kt.map(([x])=>m?m[x]:"");a.push([i,r||ae[o],u,l,d,p,f??"",g??"",...b])}return a}const js={compared:{scene:({a:e,b:t},n,s)=>Ar(e,t,n,{alone:s,curves:hn()}),rows:Qr,Numbers:Kr},difference:{scene:({b:e},t)=>Tr(e,t),rows:Vr,Numbers:Xr}};function Zr({a:e,b:t,comparison:n}){const[s,o]=[e,t].map(a=>Kn(a,sn));return{...mt(),a:s,b:o,samples_compared:n.covered}}function ei(e){const t=Qe();if(!t)return null;const{scene:n,rows:s}=js[e],o=s(t),{a,...i}=t.comparison;return{name:"drop-"+e,facts:Zr(t),rows:()=>o,json:()=>e==="difference"?{result:i}:{a:t.a,b:{...t.b,comparison:null}},picture:{scene:(r=1e3)=>n(t,r,!0)}}}const ti={compared:{title:"A and B",words:"A and B side by side"},difference:{title:"Difference, B minus A",words:"B minus A"}};function Us({name:e,children:t}){const{scene:n,rows:s,Numbers:o}=js[e],{title:a,words:i}=ti[e],r=Qe();return $`<${we}
    id=${"drop-"+e}
    title=${a}
    reads=${Xe[e]}
    tag="caused"
    formats=${Ie}
    written=${()=>ei(e)}
    coded=${!1}
    hidden=${r===null}
  >
    <div class="drop-compared" data-fresh=${String(h.fresh)}>
      <div class="compare-numbers">${r&&$`<${o} of=${r} />`}</div>
      <${Ye}
        data=${{"data-key":e}}
        scene=${c=>{const u=Qe();return u&&n(u,c,!1)}}
        drawn=${()=>h.evaluation?.id??""}
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
  <//>`}function ni(){Ge(xr,[]);const e=Qe();return $`<div class="drop-compare" hidden=${!oe.value}>
    <div class="compare-words">
      ${oe.value&&$`<p class="hint" role="status">${e?Jr(e):Hr()}</p>`}
    </div>
    <${Us} name="compared">
      <div class="compare-curves"><${Or} /></div>
    <//>
    <${Us} name="difference" />
  </div>`}const Fs=[0,.25,.5,.75,1],Ls=e=>100*e+(e===1?" %":""),mn=[["baseline","full model","ink","surface"],["changed","this set","accent","accent"]],Ve=()=>(h.evaluation?$e(h.evaluation):[]).flatMap(({where:e,evaluation:{by_confidence:t}})=>mn.flatMap(([n])=>(t?t[n]:[]).map(s=>({...s,where:e,key:n}))));function qs(e){const{evaluation:t}=h,n=[...new Set(Ve().map(({where:c})=>c))];if(!t||!n.length)return null;const s=Math.min(760,(e-24*(n.length-1))/n.length),[o,a]=[52,252],i=n.flatMap((c,u)=>{const l=u*(s+24),[d,p]=[P([0,1],[l+46,l+s-26],{ticks:Fs,named:Ls}),P([0,1],[a,o],{ticks:Fs,named:Ls})],f=mn.map(([m,,b,x])=>{const E=Ve().filter(O=>O.where===c&&O.key===m),_=({count:O,confidence:v,accuracy:S})=>se(S.value)+" % right of "+M(O)+" answers, "+se(v)+" % sure";return[ue(E,{x:O=>d(O.confidence),y:({accuracy:O})=>[p(O.low),p(O.high)],stroke:b}),ge(E,{x:O=>d(O.confidence),y:O=>p(O.accuracy.value),fill:x,stroke:b,words:_})]}),g=[F(["accuracy"],{x:l,y:o-14,down:0,size:11,fill:"dim"}),F(["confidence"+(c&&", "+c)],{x:(d(0)+d(1))/2,y:a+31,down:0,size:11,fill:"dim",anchor:"middle"})];return[Je(p,[d(0),d(1)]),Me(d,[o,a]),de([0,1],{x:d,y:p,stroke:"unmatched",dash:[3,3]}),...f.flat(),...g]}),r=Ke(mn.map(([,c,u])=>({text:c,stroke:u,ink:u,width:2})),{x:46,y:12,width:e});return le({width:e,height:a+40,title:"Accuracy by confidence with "+it(t,h.model)+": "+t.model,desc:"Accuracy of the answers in each tenth of confidence, with 95 % intervals.",marks:[r.marks,...i]})}const gn=()=>[["answers","distribution","least_confidence","count","mean_confidence","accuracy","low","high"],...Ve().map(({key:e,where:t,least:n,count:s,confidence:o,accuracy:{value:a,low:i,high:r}})=>[e,t,n,s,o,a,i,r])],si=()=>$`<${we} id="drop-confidence" title="Accuracy by confidence" tag="caused" formats=${Ie} coded=${!1} hidden=${!Ve().length}
    reads="Share of right answers against their confidence, 95 % intervals. Below the dashed line the model is too sure."
    more="Confidence is the softmax probability of the answer. Each dot is one tenth of the scale, at the mean confidence of its answers."
    written=${()=>Ve().length?{name:"drop-confidence",facts:mt(),rows:gn,json:()=>Ht(gn()),picture:{scene:e=>qs(e??860)}}:null}>
    <${Ye} look="drop-picture" data=${{"data-key":"confidence","data-fresh":String(h.fresh)}} scene=${qs}
      drawn=${()=>h.evaluation?.id??""} label=${e=>e.title+". "+e.desc} />
    <${Ee} words="Accuracy by confidence as a table" caption=${()=>"Accuracy by tenths of confidence"} rows=${gn} />
  <//>`,$n=({experts:e,top_k:t},{kind:n,top_k:s})=>n==="drop"?Math.max(0,e-(s??t)):e;function zs(e,t,n,s=!0){const o=lt(e),a=new Set(o),i=t.filter(d=>a.has(d)),r=$n(e,n);if(i.length&&i.length>=r)return{back:i};const c=t.filter(d=>!a.has(d)),u=r===e.experts||!r;if(!u&&!s)return{out:[...c,...o.slice(-r)]};const l=e.name+(u?".*":".least:"+r);return{rule:[...c,l]}}const Be={drop:"dropped",mute:"muted",mean:"mean",resample:"resampled"},oi={...Be,mean:"at their mean"},xt={drop:"Drop ",mute:"Mute ",mean:"Put the mean in place of ",resample:"Resample "},Gs="data-drop-unit",Ze=e=>e!==null&&e.units.length>Ko&&!C({model:e}),Hs=e=>e!==null&&!Ze(e)&&!C({model:e});function Pe(e,t){const n=new Set(D());e.forEach(r=>t?n.add(r):n.delete(r));const{choice:s,model:o}=h,a=new Set(Vt());if(!e.some(r=>a.has(r))&&s.least){const r=new Set(s.units);e.forEach(u=>t?r.add(u):r.delete(u));const c=o.units.filter(u=>r.has(u));L({units:c})}else ut([...n])}const wn=(e,t,n)=>t?"Bring "+e+" back":xt[n]+e;function ai({unit:e,units:t,away:n,kind:s,measured:o}){const a=n?o?Be[s]:"not "+Be[s]+" yet":"",i=wn(e,n,s),[r,c]=[()=>ye.value=e,()=>ye.value=null];return $`<button
    type="button"
    class="chip"
    ...${{[Gs]:e}}
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
    <span class="swatch" aria-hidden="true" style=${{background:Jo(t,e)}}></span>
    ${e}
    <span class="chip-state">${a}</span>
  </button>`}function ri(){const{model:e,choice:t,status:n,fresh:s}=h,o=s||n!=="failed"&&n!=="cancelled",[a,i]=[D(),Hs(e)?e?.units??[]:[]];return $`<div
    class="chips"
    role="group"
    aria-label="Units"
    hidden=${e!==null&&!Hs(e)}
    onKeyDown=${ts}
  >
    ${i.map(r=>$`<${ai} key=${r} ...${{unit:r,units:i,away:a.includes(r),kind:t.kind,measured:o}} />`)}
  </div>`}const ii=[["name","by name"],["connectivity","by connectivity"],["graph","as in the graph"]];function ci(e,{model:t,graph:n}){return!n||e==="name"?t.units:(e==="graph"?n.order:Wn(n.connectivity).reverse()).map(o=>t.units[o])}function Ot(e){const{model:t,graph:n}=h;return t?Yo(t.units,e,n&&n.connectivity):[]}function li(){const{model:e,graph:t,choice:n}=h,{units:s,unit:o}=Y(e),a=M(D().length)+" of "+M(e.units.length),i=t?"; the stronger the colour, the better connected":"";return a+" "+(e.units.length===1?o:s)+" "+oi[n.kind]+i}function ui({asked:e,order:t}){const{model:n,graph:s,choice:o}=h;if(!n||!Ze(n))return null;const a=Ot(e.value).length,i=Xo(n.units,e.value,s&&s.connectivity,Y(n)),r=()=>Pe(Ot(e.value),!0);return $`
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
    <${z} id="drop-take" wait=${!a} act=${r}>${(xt[o.kind]+(a||"")).trim()}<//>
    <${z} id="drop-bring" wait=${!a} act=${()=>Pe(Ot(e.value),!1)}>Bring back<//>
    <${ce}
      id="drop-order"
      look="small-input"
      label="Order of the units"
      options=${ii}
      chosen=${t.value}
      onChoose=${c=>t.value=c}
      wait=${!s}
      hidden=${!Ae(h)}
    />
    <span class="hint" id="drop-count">${li()}</span>
  `}function di(){const[e,t]=[He(""),He("name")],n=jt(null);return Ge(()=>{const s=n.current,o=new Ra(s,Gs,{toggle:Pe,point:i=>ye.value=i,about(i,r){const{graph:c,model:u,choice:l}=h,d=c?", q "+c.connectivity[u.units.indexOf(i)].toFixed(1):"";return i+d+". "+wn(i,r,l.kind)}}),a=[B(()=>{const i=h,{graph:r,model:c}=i;Ze(c)&&(o.show(ci(t.value,i)),r&&o.shade(u=>r.connectivity[c.units.indexOf(u)]),o.ring(Ot(e.value)))}),B(()=>{const{model:i,choice:r}=h;Ze(i)&&(o.mark(D(),Be[r.kind]),s.dataset.kind=r.kind)})];return()=>a.forEach(i=>i())},[]),$`<div class="drop-many" hidden=${!Ze(h.model)}>
    <div class="interventions drop-row"><${ui} asked=${e} order=${t} /></div>
    <div ref=${n} role="group" aria-label="Units"></div>
  </div>`}const Js=({id:e,name:t,label:n,value:s,most:o,words:a,wait:i=!1,onSlide:r})=>$`<div class="control" title=${n}>
    <span class="control-name">${t}</span>
    <input
      type="range"
      class="range"
      id=${e}
      min="0"
      max=${o}
      step="1"
      aria-label=${n}
      disabled=${i}
      value=${s}
      onInput=${c=>r(Number(c.currentTarget.value))}
    />
    <output class="readout">${a}</output>
  </div>`;function hi(){if(!Ae(h))return null;const{model:e,graph:t,graphProblem:n,choice:s}=h,o=s.edges===null?1:s.edges;return $`<div class="interventions drop-row">
    <${Js}
      id="drop-least"
      name="n least connected"
      label="Drop the n units of least connectivity q"
      value=${s.least}
      most=${e.units.length-1}
      words=${s.least+" of "+e.units.length}
      wait=${!t}
      onSlide=${a=>L({least:a},!0)}
    />
    <${Js}
      id="drop-edges"
      name="share of links kept"
      label="Share of the links that is kept, the most probable first"
      value=${Math.round(100*o)}
      most=${100}
      words=${Ho(o)+" %"}
      onSlide=${a=>L({edges:a===100?null:a/100},!0)}
    />
    <span class="hint">
      ${n?"The graph: "+n.message:t?"":"Reading the graph"}
    </span>
  </div>`}const pi="data-drop-unit",et="data-drop-layer",Ks=({id:e,name:t,unit:n="",value:s,least:o,most:a,act:i})=>$`<span class="control">
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
  </span>`;function fi(){const{model:e,choice:t,use:n,sets:s}=h,{units:o}=Y(e),a=D().length,i=M(a)+" of "+M(e.units.length)+" "+o+" "+Be[t.kind];return s.length?i+(n?"":"; observing their use"):i+"; no use is observed without a data set"}function mi(){const{model:e,use:t}=h;return t?(Ca(e?.layers??[])?"Shade and number":"Shade")+": observed "+te.weight+", in % of the layer, with all experts on, over "+M(t.count)+" samples of "+t.data.join(", ")+".":""}function gi({least:e,share:t}){const{model:n,choice:s,ruled:o,sets:a}=h;if(!n||!C(h))return null;const i=(n.layers??[]).reduce((p,f)=>p+$n(f,s),0),r=()=>dt(["least:"+e.value]),c=()=>dt(["share:"+t.value/100]),u=xt[s.kind].trim(),l=!D().length,d=$`
    <${Ks}
      id="drop-least-used"
      name=${"Least "+te.weight}
      value=${e}
      least=${1}
      most=${i}
      act=${r}
    />
    <${z} id="drop-take-least" act=${r}>${u}<//>
    <${Ks}
      id="drop-share"
      name="Share of every layer"
      unit="%"
      value=${t}
      least=${1}
      most=${100}
      act=${c}
    />
    <${z} id="drop-take-share" act=${c}>${u}<//>
  `;return $`
    ${a.length>0&&d}
    <${z} id="drop-bring" wait=${l} act=${()=>ut([])}>Bring all back<//>
    <span class="hint" id="drop-count">${fi()}</span>
    <span class="hint" id="drop-ruled" role="status" aria-live="polite" data-refused=${String(!!o?.refused)}>
      ${o?o.text:""}
    </span>
  `}function $i(e){const{model:t,choice:n,sets:s}=h,o=(t.layers??[]).find(i=>i.name===e);if(!o)return;const a=zs(o,D(),n,s.length>0);"back"in a?Pe(a.back,!1):"out"in a?ut(a.out):dt(a.rule)}function wi(){const[e,t]=[He(4),He(25)],n=jt(null);return Ge(()=>bi(n.current),[]),$`<div class="drop-experts" hidden=${!C(h)}>
    <div
      ref=${n}
      class="expert-grid"
      role="group"
      aria-label="Experts by layer"
      onClick=${s=>{const o=s.target instanceof Element&&s.target.closest("["+et+"]")?.getAttribute(et);o&&$i(o)}}
    ></div>
    <p class="hint expert-legend">${mi()}</p>
    <div class="interventions drop-row"><${gi} least=${e} share=${t} /></div>
  </div>`}function bi(e){const t=new Na(e,pi,{toggle:Pe,point:n=>ye.value=n,about(n,s){const{use:o,choice:a}=h,i=o?.units.find(c=>c.unit===n),r=i?", "+te.weight+" "+se(i.share)+" % of its layer":"";return n+r+". "+wn(n,s,a.kind)}});return Qt(({model:n,choice:s,use:o,sets:a},i)=>{if(!(!n||!C({model:n}))&&(i.has("model")&&t.lay(n.layers??[],et),(i.has("model")||i.has("use"))&&t.tell(o&&new Map(o.units.map(({unit:r,share:c})=>[r,c]))),!!["model","choice"].some(r=>i.has(r)))){t.mark(D(),Be[s.kind]),e.dataset.kind=s.kind;for(const r of e.querySelectorAll("["+et+"]")){const c=(n.layers??[]).find(g=>g.name===r.getAttribute(et));if(!c)continue;const u=zs(c,D(),s),l=c.experts-$n(c,s),d=a.length?l+" most used experts of ":"first "+l+" experts of ",p=l?"all but the "+d:"all experts of ",f=("back"in u?"Bring back the experts of ":xt[s.kind]+p)+"layer "+ns(c.name);r.setAttribute("title",f),r.setAttribute("aria-label","layer "+ns(c.name)+". "+f)}}})}const yi=.25;function vi({title:e,rows:t,measure:{name:n,unit:s,share:o},uncertainty:a,lost:i=n+" lost without the unit"},r,{step:c=26,pointed:u=null}={}){const l=t.filter(({value:w})=>w!==null),d=o?100:1,p=o?"points":s||n,f=w=>o?Qo(d*(w??0),1):Vo(w??0),g=(w,at,rt)=>f(w)+(at===null||rt===null?"":" ("+f(at)+" to "+f(rt)+")"),m=24+Math.min(.3*r,Jt(t.map(w=>w.unit))),b=t.flatMap(w=>[w.lost,w.lost_low,w.lost_high,w.value,w.low,w.high]).map(w=>d*(w??0)),[x,E]=[Math.min(0,...b),Math.max(0,...b)],_=.03*(E-x||1),O=P([x-_,E+_],[m,r-16],{most:r<420?4:7,round:!1}),v=Ia(t,{top:Kt,step:c}),S=w=>w===null?NaN:O(d*w),I=l.length?Math.round(c/5):0,q=w=>v(w)+I,_e=w=>v(w)-I,U=w=>u&&u!==w.unit?yi:1,J=l.length&&l.every(w=>w.paint)?"dim":"accent",Ct=[...l.length?[{text:"Shapley value, "+a,key:"bar",fill:J}]:[],{text:i,key:"diamond",fill:"surface",stroke:"ink",width:1.5}],K=o?"points of "+n:n+(s&&!n.startsWith(s)?", "+s:"");return le({width:r,height:v.end+40,title:e,desc:t.map(w=>w.unit+" "+f(w.value??w.lost)).join(", ")+" "+p+". Above 0 the unit helps.",marks:[Ke(Ct,{x:Math.min(m,24),y:10,width:r}).marks,Me(O,[Kt,v.end]),qt([0],{x:[O(0),O(0)],y:[Kt,v.end],stroke:"ink"}),Yt(l,{x:w=>[O(0),S(w.value)],y:w=>[_e(w)-4,_e(w)+4],fill:w=>w.paint??"accent",opacity:U,words:w=>w.unit+": Shapley value "+g(w.value,w.low,w.high)+" "+p}),ue(l,{x:w=>[S(w.low),S(w.high)],y:_e,stroke:"ink",r:3,opacity:U}),ue(t,{x:w=>[S(w.lost_low),S(w.lost_high)],y:q,stroke:"dim",r:3,opacity:U}),Xt(t,{x:w=>S(w.lost),y:q,text:"diamond",fill:"surface",stroke:w=>w.paint??"ink",width:2,opacity:U,words:w=>w.unit+": "+g(w.lost,w.lost_low,w.lost_high)+" "+p+", "+i}),F(t,{x:m-10,y:v,text:w=>w.unit,anchor:"end",room:m-12,opacity:U}),F([K+" (above 0: the unit helps)"],{x:(O.range[0]+O.range[1])/2,y:v.end+32,down:0,size:11,fill:"dim",anchor:"middle",room:r})]})}const Ys=24,bn=1.96,Xs=.25,ki=12,[xi,yn,Oi,Qs]=[250,46,14,38];function _t(e){const[t,n]=[Ut(),Zo(e)];return s=>t.unit(n.get(s)??0)}function vn({measure:e}){const{name:t,higher:n}=A(e);return t+(n?" lost":" added")+" without the unit alone"}const Vs=({shapley:e,single:t})=>new Map(e.length?e.map(({unit:n,value:s})=>[n,Math.abs(s)]):t.map(({unit:n,change:s})=>[n,Math.abs(s)]));function Oe({units:e,shapley:t,single:n}){if(e.length<=Ys)return e;const s=Vs({shapley:t,single:n}),o=new Map(n.map(({unit:c,loss_change:u})=>[c,Math.abs(u)])),a=(c,u)=>c.get(u)??0,i=e.toSorted((c,u)=>a(s,u)-a(s,c)||a(o,u)-a(o,c)),r=i.filter(c=>a(s,c));return(r.length?r:i).slice(0,Ys)}function Zs(e){const[t,n]=[e.units.length,Oe(e).length],s=[...Vs(e).values()].filter(Boolean).length;return s?n===t?"":n<s?"Shown: the "+n+" largest of "+t+".":"Shown: "+n+" of "+t+"; the effect of the others is 0.":"No drop of one unit changes the "+e.measure.name+"; "+n+" of "+t+" units are shown."}const eo=({shapley:e},t)=>t.length<=10?30:e.length?26:20;function _i(e,t,{title:n,pointed:s}){const o=Oe(e),a=[...new Set(e.usage.map(({step:d})=>d))],i=new Map(e.usage.map(({unit:d,step:p,share:f})=>[d+" "+p,f])),r=Math.max(1e-9,...i.values()),c=_t(e.units),u=a.some(d=>d.includes(".")),l=o.map(d=>a.map(p=>{const f=i.get(d+" "+p);if(f===void 0)return null;const g=f/r*(s&&s!==d?Xs:1),m=r>=.2?Math.round(100*f)+" %":se(f)+" %";return{shade:g,text:m,words:d+", "+Ba(p)+": "+se(f)+" % of the routing weight"}}));return ss({rows:o,columns:u?a:a.map(Pa),cells:l,width:t,paints:o.map(c),tall:eo(e,o)-2,wide:110,above:a.every(d=>/^i\d+$/.test(d))?"iteration":"step",title:n,desc:"Mean share of routing weight of each unit at each step, nothing dropped."})}function to({value:e,low:t,high:n,standard_error:s}){return t!==null&&n!==null?{low:t,high:n}:s===null?{low:null,high:null}:{low:e-bn*s,high:e+bn*s}}function no(e){const t=A(e.measure).higher?-1:1,[n,s]=[_t(e.units),new Map(e.shapley.map(a=>[a.unit,a]))],o=new Map(e.single.map(a=>[a.unit,a]));return Oe(e).flatMap(a=>{const[i,r]=[s.get(a),o.get(a)];if(!r)return[];const[c,u]=[t*r.low,t*r.high].sort((d,p)=>d-p),l=i?{value:i.value,...to(i)}:{value:null,low:null,high:null};return[{unit:a,paint:n(a),lost:t*r.change,lost_low:c,lost_high:u,...l}]})}const Si=(e,t,{title:n,pointed:s})=>vi({title:n,rows:no(e),measure:{...e.measure,share:A(e.measure).share},uncertainty:e.exact?"95 % over samples":"95 % over orders",lost:vn(e)},t,{step:eo(e,Oe(e)),pointed:s}),Mi=({low:e,high:t})=>e!==null&&t!==null&&(e>0||t<0);function Ei(e,t,{title:n}){const{units:s}=e,{change:o,changeUnit:a}=A(e.measure),i=new Map(e.interactions.flatMap(u=>[[u.unit+" "+u.other,u],[u.other+" "+u.unit,u]])),r=Math.max(1e-9,...e.interactions.map(({value:u})=>Math.abs(u))),c=s.map(u=>s.map(l=>{const d=u===l?void 0:i.get(u+" "+l);if(!d)return null;const{value:p,detail:f}=Wt(d,o,""),g=u+" and "+l+": "+p+" "+a+(f&&", "+f);return{shade:d.value/r,text:o(d.value),words:g,framed:Mi(d)}}));return ss({rows:s,columns:s,cells:c,width:t,paints:s.map(_t(s)),tall:s.length<=10?38:void 0,above:"red: below 0, blue: above 0; strongest colour: "+o(r).replace("+","")+" "+a,title:n,desc:"Effect of dropping a pair minus the two single effects, in "+a+". Framed: the interval excludes 0."})}function kn({width:e,view:t,up:n,across:s,keys:o=[],room:a=0,xOf:i,yOf:r,strong:c=null,inside:u,desc:l}){const d=Ke([{text:n,key:"none",ink:"ink",weight:600},...o],{x:8,y:10,width:e}),[p,f,g]=[d.height+10,d.height+xi-Qs,e-Oi-a],[m,b]=[i([yn,g]),r([f,p])];return le({width:e,height:f+Qs,title:t.title,desc:l,marks:[Je(b,[yn,g],{strong:c}),Me(m,[f,f],{grid:!1}),F([s],{x:(yn+g)/2,y:f+32,down:0,size:11,fill:"dim",anchor:"middle",room:e}),u(m,b),d.marks]})}const Ai=e=>e<=20?Array.from({length:e+1},(t,n)=>n):P([0,e],[0,1],{most:8,round:!1}).ticks,so=({measure:e},t)=>{const n=A(e);return s=>n.share?es(n,[],s):P([Math.min(...t),Math.max(...t)],s,{most:6})};function St({measure:e}){const{title:t,unit:n}=A(e);return t+(n&&n!=="%"&&!e.name.startsWith(n)?", "+n:"")}const Ti=[{order:"best first",text:"best kept",stroke:"accent",shape:"dot"},{order:"greedy best",text:"best, greedy",stroke:"accent",dash:[2,3],shape:"dot",hollow:!0},{order:"worst first",text:"worst kept",stroke:"bad",shape:"square"},{order:"greedy worst",text:"worst, greedy",stroke:"bad",dash:[2,3],shape:"square",hollow:!0},{order:"least connected first",text:"best connected kept",stroke:"good",dash:[9,3],shape:"diamond"},{order:"most connected first",text:"least connected kept",stroke:4,dash:[9,3,2,3],shape:"diamond"},{order:"random",text:"random sets",stroke:"dim",dash:[5,4],shape:"diamond",hollow:!0}];function Ri({order:e,draws:t,low:n,high:s,units:o,accuracy:a},{measure:i},r){const c=A(i),u=ne(c,a);return e==="random"?t+" random sets: "+u+" on average, "+c.show(n)+" to "+ne(c,s):r+": "+u+", kept: "+(o.length>ki?o.length+" units":o.join(", ")||"none")}function Ni({retention:e}){return[...new Set(e.map(({dropped:n})=>n))].sort((n,s)=>n-s).flatMap(n=>{const s=e.flatMap(o=>o.dropped===n&&o.flops!==null?[o.flops]:[]);return s.length?[{dropped:n,cost:s.reduce((o,a)=>o+a,0)/s.length/1e6}]:[]})}function Ci(e,t,n){const s=e.units.length,o=Ti.map(({stroke:l,...d})=>({...d,stroke:typeof l=="number"?Ut().unit(l):l,points:e.retention.filter(({order:p})=>p===d.order).sort((p,f)=>p.dropped-f.dropped)})).filter(({points:l})=>l.length),a=n.flops?Ni(e):[],i=Math.max(...a.map(({cost:l})=>l)),r=l=>P([0,i],l,{most:5}),c=a.length?14+Jt(r([0,1]).ticks.map(r([0,1]).named),11):0,u={text:"MFLOP per sample, right axis",stroke:"ink",width:1,dash:[7,3,1,3]};return kn({width:t,view:n,up:St(e),across:"units kept, of "+s,keys:[...o.map(({text:l,stroke:d,dash:p})=>({text:l,stroke:d,dash:p,width:2})),...a.length?[u]:[]],room:c,xOf:l=>P([s,0],l,{ticks:Ai(s).toReversed(),named:String}),yOf:so(e,e.retention.flatMap(({accuracy:l,low:d,high:p,order:f})=>f==="random"?[l,d,p]:[l])),desc:St(e)+" against how many units are kept, by order: "+o.map(({text:l})=>l).join(", ")+". The band spans random sets.",inside(l,d){const p={x:({dropped:b})=>l(s-b),y:({accuracy:b})=>d(b)},[f,g]=d.range,m=r([f,g]);return[zt(o.find(({order:b})=>b==="random")?.points??[],{...p,y:({low:b,high:x})=>[d(b),d(x)],fill:"unmatched"}),o.toReversed().map(({points:b,stroke:x,dash:E,shape:_,hollow:O,text:v})=>{const S={...p,r:3.5,fill:O?"surface":x,stroke:x,width:1.2,words:I=>Ri(I,e,v)};return[de(b,{...p,stroke:x,dash:E}),_==="dot"?ge(b,S):Xt(b,{...S,text:_})]}),de(a,{x:p.x,y:b=>m(b.cost),stroke:u.stroke,width:1,dash:u.dash}),a.length?Je(m,[t-2,t-2],{grid:!1}):[]]}})}function Ii(e,t,n){const s=e.anytime.toSorted((i,r)=>i.iterations-r.iterations),{passes:o="iterations"}=n,a=A(e.measure);return kn({width:t,view:n,up:St(e),across:o+" run",xOf:i=>P([s[0].iterations,s[s.length-1].iterations],i,{ticks:s.map(({iterations:r})=>r),named:String}),yOf:so(e,s.flatMap(({low:i,high:r})=>[i,r])),desc:St(e)+" after each number of "+o+": "+s.map(({iterations:i,accuracy:r})=>i+": "+ne(a,r)).join(", "),inside(i,r){const c={x:({iterations:l})=>i(l),y:({accuracy:l})=>r(l)},u=l=>l?"; "+Number((l/1e6).toPrecision(3))+" MFLOP per sample":"";return[de(s,{...c,stroke:"accent"}),ue(s,{...c,y:({low:l,high:d})=>[r(l),r(d)],r:3}),ge(s,{...c,fill:"accent",words:({iterations:l,accuracy:d,low:p,high:f,flops:g})=>l+" "+(l===1?o.slice(0,-1):o)+": "+ne(a,d)+", "+Wt({value:d,low:p,high:f},a.show,"").detail+u(g)})]}})}function Bi(e,t,n){const[{share:s,change:o,changeUnit:a},i]=[A(e.measure),_t(e.units)],r=s?100:1,c=Oe(e),u=({value:f,standard_error:g})=>[-1,0,1].map(m=>r*(f+m*bn*(g??0))),l=c.map(f=>({unit:f,points:e.convergence.filter(g=>g.unit===f).sort((g,m)=>g.permutations-m.permutations)})),d=l.flatMap(({points:f})=>f.flatMap(u)),p=Math.max(1,...e.convergence.map(({permutations:f})=>f));return kn({width:t,view:n,up:"Shapley value, "+a,across:"sampled orders of the units",strong:0,keys:c.map(f=>({text:f,stroke:i(f),width:3})),xOf:f=>P([0,p],f,{most:6,round:!1}),yOf:f=>P([Math.min(0,...d),Math.max(0,...d)],f,{most:6}),desc:"Shapley values against the number of sampled orders, with 95 % intervals.",inside:(f,g)=>l.map(({unit:m,points:b})=>{const x={x:({permutations:_})=>f(_),y:({value:_})=>g(r*_)},E={stroke:i(m),opacity:n.pointed&&n.pointed!==m?Xs:1};return[ue(b.filter(_=>_.standard_error!==null),{...x,...E,r:0,width:1,y:_=>[g(u(_)[0]),g(u(_)[2])]}),de(b,{...x,...E}),ge(b,{...x,r:2,fill:i(m),opacity:E.opacity,words:({permutations:_,value:O})=>m+": "+o(O)+" "+a+" after "+_+" orders"})]})})}var Pi=Object.freeze({__proto__:null,anytime:Ii,convergence:Bi,effect:Si,effectRows:no,interactions:Ei,intervalOf:to,lostWords:vn,retention:Ci,shownWords:Zs,unitsShown:Oe,use:_i});const xn=Ue(!1),oo=e=>e[0].toUpperCase()+e.slice(1),ao={use:{title:"Observed use",reads:()=>ze(Fr)},effect:{title:"Caused effect",reads(e){if(!e)return"";const t=vn(e),n="Bars: Shapley values. Diamonds: "+t+".";return[e.shapley.length?n:oo(t)+".","Whiskers: 95 %.",Zs(e)].filter(Boolean).join(" ")}},retention:{title:"Retention",reads:e=>A(e?.measure).title+ze({"":" while {units} are removed, best or worst kept longest. Band: random sets of the same size."}),has:e=>e.retention.length>0},interactions:{title:"Interactions",reads:e=>"Effect of a pair minus both single effects, in "+A(e?.measure).changeUnit+". Below 0: worse together. Framed: 95 % interval excludes 0.",has:e=>e.interactions.length>0},anytime:{title:"Iterations",reads:()=>ze({"":"All {units} on, stopped after each number of {passes}. Whiskers: 95 %."}),has:e=>e.anytime.length>1},convergence:{title:"Convergence",reads:()=>"Shapley values against the number of sampled orders. Whiskers: 95 % (1.96 standard errors).",has:e=>e.convergence.length>0}};function ro(e,t){const n=pe();if(!n)return null;const s=e===Q,o=_s(n,s?"effect":e),a=Qn(n,e);return{name:e,facts:{...br(n),kind:e==="use"?"observed":"caused",...Object.keys(a).length?{signs:a}:{}},python:e==="convergence"&&n.exact?void 0:{figure:"importance",panel:e},rows:()=>Os(o),json:()=>s?{result:n}:{[xs[e]]:o},picture:t}}function De({name:e,width:t=640,children:n}){const s=pe(),{reads:o,has:a=()=>!0}=ao[e],i=!s||!a(s),{passes:r}=Y(Ft()),c=e==="anytime"?oo(r):ao[e].title,u=e==="use"||e==="effect"||e==="convergence";function l(p,f=null){const g=pe();if(!g||!a(g))return null;const m=c+dn(g)+": "+g.model;return Pi[e](g,p,{title:m,passes:r,pointed:f,flops:xn.value})}const d=p=>{const f=e==="use"&&s?Oe(s)[p?.row??-1]:void 0;ye.value=p?.unit??f??null};return $`<${we}
    id=${e}
    title=${c}
    reads=${o(s)}
    more=${Ce[e]}
    tag=${e==="use"?"observed":"caused"}
    formats=${Ie}
    written=${()=>ro(e,i?{}:{scene:p=>l(p??t)})}
    hidden=${i}
  >
    ${n}
    <${Ye}
      id=${"plot-"+e}
      scene=${p=>l(p,u?ye.value:null)}
      onPoint=${u?d:void 0}
      drawn=${()=>pe()?.id??""}
      label=${p=>p.title+". "+p.desc}
    />
    <${Ee}
      words=${c+" as a table"}
      caption=${()=>s&&c+dn(s)+", "+s.words+vr(s,e)}
      rows=${s&&(()=>Os(_s(s,e)))}
    />
  <//>`}function Di(){const{job:e,starting:t,problem:n}=X(Q),s=mr();if(s)return $`<p class="hint" role="alert">${s.title+". "+s.message}</p>`;if(Se.value.read_only)return Gn(n)&&$`<p class="hint" id="importance-refused">${n?.message}</p>`;if(!h.model||e||t||n||h.problem?.refused)return null;const[o,a]=fr(h);return $`
    <button type="button" class="button" id="importance-start" onClick=${ks}>${o}</button>
    <p class="hint">${a}</p>
  `}const io=({id:e,name:t,hint:n,...s})=>$`<div class="control importance-of">
    <label class="control-name" for=${e}>${t}</label>
    <${ce} id=${e} look="small-input" ...${s} />
    <span class="hint">${n}</span>
  </div>`;function Wi(){const e=rn(h);if(e.length<2)return null;const{distribution:t}=h.choice;return $`<${io}
    id="importance-distribution"
    name="All below is of samples"
    hint="Trained-on and held-out data are never mixed."
    options=${e.map(n=>[n,ae[n]])}
    chosen=${e.includes(t)?t:e[0]}
    onChoose=${n=>tn(n===e[0]?"in":n)}
  />`}function ji(){if(!C(h))return null;const e=(h.model?.layers??[]).map(({name:t})=>[t,qe(t)+": Shapley values"]);return $`<${io}
    id="importance-layer"
    name="All below is of"
    hint="Within a layer its experts are the players; the others stay as they are."
    options=${[["","every expert, alone"],...e]}
    chosen=${V.value}
    onChoose=${t=>V.value=t}
  />`}const Ui=({of:e})=>$`<dl class="fact-list">
    ${kr(e).map(([t,n])=>$`<div>
          <dt>${t}</dt>
          <dd>${n}</dd>
        </div>`)}
  </dl>`;function Fi(){const e=pe(),{name:t}=A(e?.measure);return $`<div class="importance-grid">
    <${we}
      id=${Q}
      title="Importance of every unit"
      reads="Subsets of the units are scored on the same samples. Much used is not much needed: compare the rows below."
      more=${Ce.importance}
      tag="caused"
      formats=${["csv","json"]}
      written=${()=>ro(Q,{})}
    >
      <${qn} name=${Q} what="Subsets of units" />
      <div class="importance-facts" data-result=${e?e.id:""}>
        <${Wi} /><${ji} /><${Di} />
        ${e?$`<${Ui} of=${e} />`:$`<p class="hint writes">Panels of use, effect, retention, interactions and iterations appear here once this is computed.</p>`}
      </div>
    <//>
    <${De} name="use" />
    <${De} name="effect" />
    <${De} name="retention">
      <div class="control">
        <${zn}
          id="drop-second-axis"
          label="Second axis"
          options=${[["none",t+" alone"],["flops","with FLOPs"]]}
          chosen=${xn.value?"flops":"none"}
          onChoose=${n=>xn.value=n==="flops"}
        />
      </div>
    <//>
    <${De} name="interactions" width=${480} />
    <${De} name="anytime" width=${480} />
    <${De} name="convergence" />
  </div>`}const[Li,On,co,qi,zi,Gi]=[236,196,52,14,30,36],We={tokens:"by "+te.tokens,weight:"by "+te.weight,effect:"by caused effect",greedy:"greedy, by caused effect",chance:"by chance"},Hi=({baseline:e})=>e.map(t=>t.domain).sort((t,n)=>+(n==="all")-+(t==="all")),Mt=e=>e==="all"?"all data sets":e,Ji=(e,t)=>t==="figure"?e.figure:e.change,Ki=(e,t)=>t==="figure"?e.random:e.random_change,lo=e=>e?[e.value,e.low,e.high]:[];function tt(e,t){const{value:n,low:s,high:o}=e;return t(n)+(s===null||o===null?"":" (95 %: "+t(s)+" to "+t(o)+")")}const Yi=({low:e,high:t},n)=>e===null||t===null?"":", from "+n(e)+" to "+n(t),uo=(e,t)=>t==="all"||e.data.length===1?e.count:e.data.find(({name:n})=>n===t)?.count,Et=e=>e===void 0?"":", over "+M(e)+" samples",ho=(e,t)=>e.draws??t.draws;function Xi(e){const t=e.curve.filter(o=>o.random).map(o=>ho(o,e)),[n,s]=t.length?[Math.min(...t),Math.max(...t)]:[e.draws,e.draws];return(n<s?n+" to "+s:s)+" random sets"}function Qi(e,t){const n=A(t.measure),s=r=>ne(n,r),o=r=>n.change(r)+" "+n.changeUnit,a=Mt(e.domain)+", "+se(e.share)+" % kept ("+M(e.experts)+" experts), "+We[t.order]+": ",i=e.random&&e.random_change?"; "+ho(e,t)+" random sets "+s(e.random.value)+Yi(e.random,s):"";return a+tt(e.figure,s)+"; change "+tt(e.change,o)+Et(uo(t,e.domain))+i}function Vi({found:e,domain:t,shown:n,mark:s,dx:o,dy:a,width:i}){const r=A(e.measure),c=e.curve.filter(k=>k.domain===t).sort((k,T)=>T.share-k.share),u=e.baseline.find(k=>k.domain===t)?.figure,l=n==="figure"?u:{value:0,low:null,high:null},d=s.figures.get(t),p=d&&(n==="figure"?d.figure:d.change),f=[...l?[{share:1,at:l}]:[],...c.map(k=>({share:k.share,at:Ji(k,n)}))],g=c.flatMap(k=>[Ki(k,n)].flatMap(T=>T?[{share:k.share,at:T}]:[])),b=[...f,...g].flatMap(({at:k})=>lo(k)).concat(lo(p)).filter(k=>k!==null),[x,E]=[Math.min(...b),Math.max(...b)],_=.06*(E-x||Math.abs(E)||1),[O,v,S,I]=[o+co,o+i-qi,a+zi,a+On-Gi],q=Math.min(s.share,...c.map(k=>k.share),.9),_e=P([1,q],[O,v],{round:!1,ticks:[1,.75,.5,.25,0].filter(k=>k>=q-.02),named:k=>Math.round(100*k)+(k===1?" %":"")}),U=r.share?100:1,J=P([U*(x-_),U*(E+_)],[I,S],{round:!1,most:6}),{named:Ct}=J;n==="change"&&(J.named=k=>(k>0?"+":"")+Ct(k));const K={x:({share:k})=>_e(k),y:({at:k})=>J(U*k.value)},w=({at:{low:k,high:T}})=>k===null||T===null?null:[J(U*k),J(U*T)],at=k=>ne(r,k),rt=k=>l&&!k?Mt(t)+", all experts: "+tt(u??l,at)+Et(uo(e,t)):Qi(c[k-(l?1:0)],e),Bo=(k,T)=>l&&!T?"ink":"accent",Cn=d&&p?[{share:s.share,at:p}]:[],In=g.length&&l?[{share:1,at:{...l,low:l.value,high:l.value}},...g]:g;return[F([Mt(t)],{x:O,y:a+14,down:0,size:12.5,weight:650,room:v-O}),Je(J,[O,v],{strong:n==="change"?0:null}),Me(_e,[S,I],{grid:!1}),zt(In,{...K,y:({at:{value:k,low:T,high:Po}})=>[J(U*(T??k)),J(U*(Po??k))],fill:"unmatched"}),de(In,{...K,stroke:"unmatched",width:1.5,dash:[4,3]}),qt([s],{x:K.x,y:[S,I],stroke:"marker",width:1.2,dash:[3,3]}),f.length>1?de(f,{...K,stroke:"accent"}):[],ue(f,{...K,y:w,r:0,stroke:Bo}),ge(f,{...K,r:3.5,fill:(k,T)=>l&&!T?"surface":"accent",stroke:(k,T)=>l&&!T?"ink":void 0,width:1.5,words:(k,T)=>rt(T),reach:14,rise:14}),ue(Cn,{...K,y:w,r:0,stroke:"marker"}),Xt(Cn,{...K,text:"diamond",r:6,stroke:"surface",width:1.5,fill:"marker",words:d&&Zi(t,s,d,r),reach:14,rise:14})]}function Zi(e,{share:t},{figure:n,change:s,count:o},a){const i=u=>ne(a,u),r=u=>a.change(u)+" "+a.changeUnit;return Mt(e)+", what the page left out, "+se(t)+" % kept: "+tt(n,i)+(s?"; change "+tt(s,r):"")+Et(o)}function po(e,t,n,s){const o=Hi(e),a=Math.max(1,Math.min(o.length,Math.floor(s/Li))),i=s/a,r=Math.ceil(o.length/a)*On,c=A(e.measure),u=c.unit&&!c.name.startsWith(c.unit)?" ("+c.unit+")":"",l=t==="figure"?c.title+u:"Change of "+c.name,d=Ke([{text:l,key:"none",ink:"ink",weight:600},{text:We[e.order]+"; whiskers 95 %"+Et(e.count),stroke:"accent"},...e.draws?[{text:Xi(e)+": mean, least to largest",stroke:"unmatched"}]:[]],{x:s<420?8:co,y:r+8,width:s,size:11.5});return le({width:s,height:r+d.height+4,title:l+" while fewer experts are kept, "+We[e.order]+": "+e.model,desc:"A facet a data set: "+l+" against the share of experts that is kept. The line goes "+We[e.order]+", whiskers are 95 % intervals, the band spans random sets of the same size; the dashed upright is where the bars stand.",marks:[o.map((p,f)=>Vi({found:e,domain:p,shown:t,mark:n,width:i,dx:f%a*i,dy:Math.floor(f/a)*On})),d.marks]})}const fo=e=>[["domain","share","experts","figure","low","high","change","change_low","change_high","random","random_low","random_high","random_change","random_change_low","random_change_high"],...e.curve.map(({domain:t,share:n,experts:s,figure:o,change:a,random:i,random_change:r})=>[t,n,s,...[o,a,i,r].flatMap(c=>[c?.value??"",c?.low??"",c?.high??""])])],nt=26,[ec,tc,je]=[5,40,18],[_n,nc]=[.25,.85],mo=e=>Math.max(1,...e.map(t=>t.experts));function Sn(e,t){const n=Math.max(ec,Math.min(tc,Math.floor(t/mo(e))));return{cell:n,width:n*mo(e),height:nt*e.length}}function go({layers:e,counts:t,places:n},s,o){if(!n)return{goes:!1,opacity:_n};const a=e[s].experts-t[s],i=n[s][o],r=Math.max(1,e[s].experts-1);return{goes:i<a,opacity:_n+(nc-_n)*i/r}}function sc(e,t,n){const s=Ut(),o=Sn(t.layers,n),a=Wa(e,o.width,o.height);a.clearRect(0,0,o.width,o.height);const i=o.cell>8?2:1,r=(nt-je)/2;t.layers.forEach((c,u)=>{const l=u*nt+r;for(let d=0;d<c.experts;d+=1){const{goes:p,opacity:f}=go(t,u,d),[g,m]=[d*o.cell,o.cell-i];if(p){a.globalAlpha=1,a.strokeStyle=s.bad,a.lineWidth=1,m>7?(a.strokeRect(g+.5,l+.5,m-1,je-1),a.beginPath(),a.moveTo(g+3,l+je-3),a.lineTo(g+m-3,l+3),a.stroke()):(a.fillStyle=s.bad,a.fillRect(g,l+je/2-1,m,2));continue}a.globalAlpha=f,a.fillStyle=s.accent,a.fillRect(g,l,m,je)}}),a.globalAlpha=1,Object.assign(e.style,{width:o.width+"px",height:o.height+"px"})}function oc(e,t,n,s){const[o,a]=[Math.floor(s/nt),Math.floor(n/t)];return o>=0&&o<e.length&&a>=0&&a<e[o].experts?{row:o,expert:a}:null}function ac(e,t,n){const{layers:s,counts:o}=e,a=s.map(({name:p})=>qe(p)),i=Math.ceil(Jt(a,11.5))+12,r=Sn(s,t-i-70),c=Da(a,[0,r.height],nt-je),u=s.flatMap((p,f)=>Array.from({length:p.experts},(g,m)=>({row:f,x:i+m*r.cell,...go(e,f,m)}))),l=r.cell-(r.cell>8?2:1),d={y:({row:p})=>c.extent(p),x:({x:p})=>[p,p+l],rx:2};return le({width:t,height:r.height+6,title:n,desc:"A row a layer, a cell an expert: filled ones stay, the stronger the later they would go; hollow ones go.",marks:[F(a,{x:i-8,y:(p,f)=>c(f),size:11.5,anchor:"end"}),Yt(u.filter(({goes:p})=>p),{...d,stroke:"bad",width:1}),Yt(u.filter(({goes:p})=>!p),{...d,fill:"accent",opacity:({opacity:p})=>p}),F(s,{x:i+r.width+8,y:(p,f)=>c(f),text:(p,f)=>o[f]+" of "+p.experts,size:11.5,fill:"dim"})]})}const fe=({experts:e,top_k:t})=>Math.min(t,e),rc=5e5,$o=(e,t,n)=>Math.max(t,Math.min(n,e)),Mn=e=>e.map(t=>t.experts),At=(e,t)=>e.map(n=>$o(Math.ceil(Number((n.experts*t).toFixed(9))),fe(n),n.experts)),wo=(e,t,n)=>yo(e,t,(s,o)=>o<=n),bo=e=>e.slice(0,e.lastIndexOf("."));function yo(e,t,n){const s=Mn(e),o=new Map(e.map((i,r)=>[i.name,r]));let a=s.reduce((i,r)=>i+r,0);for(const i of t){if(n(s,a))break;const r=o.get(bo(i))??-1;r<0||s[r]<=fe(e[r])||(s[r]-=1,a-=1)}return s}function vo(e,t){const n=new Map(e.map(s=>[s.name,[]]));for(const s of t){const o=bo(s);n.get(o)?.push(Number(s.slice(o.length+2))-1)}return e.map(({name:s,experts:o})=>{const a=n.get(s)??[],i=new Set(a),r=Array.from({length:o},(u,l)=>l).filter(u=>!i.has(u)),c=new Int32Array(o);return[...a,...r].forEach((u,l)=>c[u]=l),c})}const ic=(e,t,n)=>e.flatMap((s,o)=>lt(s).filter((a,i)=>t[o][i]<s.experts-n[o]));function cc(e,t,n,s,o,a){const i=$o(a,fe(t[o]),t[o].experts);return e==="alike"?At(t,i/t[o].experts):e==="own"?s.map((r,c)=>c===o?i:r):yo(t,n,r=>r[o]<=i)}const lc=({units:e})=>e.map(({unit:t,share:n},s)=>({unit:t,share:n,at:s})).sort((t,n)=>t.share-n.share||t.at-n.at).map(({unit:t})=>t);function ko(e,t,n){const s=e.reduce((i,r)=>i+r.experts,0),o=s-e.reduce((i,r)=>i+fe(r),0);if(t==="effect")return s+1;if(t!=="greedy")return 0;let a=0;for(let i=0;i<o;i+=n)a+=s-i+1;return a}function xo(e,t,n){if(e!=="greedy")return 1;const s=t.reduce((a,i)=>a+i.experts,0);let o=1;for(;o<s&&ko(t,e,o)*n>rc;)o*=2;return o}function uc(e,t,n){const s=e.map(a=>a.experts-fe(a)),o=e.findIndex(a=>a.experts===Math.max(...Mn(e)));return Math.min(n,t==="all"?s.reduce((a,i)=>a+i,0):s[o])}const j="pruning",Tt=8,dc=64*1024*1024,hc=700,pc=20,{state:y,update:N,subscribe:tl}=Pn({model:null,layers:[],order:"weight",way:"alike",samples:128,draws:8,counts:[],known:null,found:null,said:"",writes:!1});function st(){const{model:e,order:t,way:n,samples:s,draws:o,layers:a}=y,i=n==="together"?"all":"layer",r=xo(t,a,s);return{model:e,data:re(),samples:s,order:t,scope:i,at_once:r,points:Tt,draws:o,seed:0}}function Oo(){const{model:e,data:t,samples:n,order:s,at_once:o,seed:a}=st();return JSON.stringify({model:e,data:t,samples:n,order:s,atOnce:o,seed:a})}function Z(){const{known:e,order:t}=y,n=e&&e.of===Oo()?e:null;if(n)return{...n,preliminary:!1};const{use:s}=h;return t!=="weight"||!s?null:{...fc(s),of:"",preliminary:!0}}let Rt=null;function fc(e){const{layers:t}=y;if(Rt?.use===e&&Rt.layers===t)return Rt;const n=lc(e);return Rt={use:e,layers:t,sequence:n,places:vo(t,n)}}function _o(){const e=Z();return e?ic(y.layers,e.places,y.counts):[]}function me(){return{stay:y.counts.reduce((t,n)=>t+n,0),whole:y.layers.reduce((t,n)=>t+n.experts,0)}}function mc(e,t){const{way:n,layers:s,counts:o}=y;N({counts:cc(n,s,Z()?.sequence??[],o,e,t),said:""})}function gc(e){const{way:t,layers:n}=y,s=Z()?.sequence??[],o=t==="together"?wo(n,s,e):At(n,e/me().whole);N({counts:o,said:""})}const $c=()=>N({counts:Mn(y.layers),said:""});function Nt(e){const t=JSON.stringify(st());N({...e,said:""}),y.way!=="own"&&So(),JSON.stringify(st())!==t&&(y.found&&N({found:null}),Le(j))}function So(){const{way:e,layers:t}=y,{stay:n,whole:s}=me();if(!s)return;const o=Z()?.sequence??[];N({counts:e==="alike"?At(t,n/s):wo(t,o,n)})}const En=()=>Pt(j,"/prunings",st());function wc(){L({kind:"drop",units:_o(),least:0,top_k:null})}function An(){const e=_o(),{choice:t}=h,n=t.kind==="drop"&&t.top_k===null?D():[];return e.length>0&&e.length===n.length&&e.every((s,o)=>s===n[o])}const Mo=e=>"/prunings/"+encodeURIComponent(y.found?.id??"")+"/"+e+"?keep="+y.counts.join(",");async function bc(){if(!y.found)return null;N({said:""});try{return await(await Hn(Mo("keep-list"))).blob()}catch(e){return N({said:e.message}),null}}async function yc(){if(!y.found||y.writes)return null;const e=Mo("model");N({said:"",writes:!0});try{const t=await Hn(e);return Number(t.headers.get("Content-Length")??1/0)<=dc?await t.blob():(await t.body?.cancel(),ea+e)}catch(t){return N({said:t.message}),null}finally{N({writes:!1})}}let Eo=0;async function vc({job:e}){if(!e||!["running","done"].includes(e.state)||!y.model)return;const t=e.state==="running";if(t&&(!e.total||performance.now()-Eo<hc)||!t&&y.found?.id===e.id&&y.found.complete)return;Eo=performance.now();const n=await ee("GET","/prunings/"+encodeURIComponent(e.id)).catch(()=>null);if(!(!n||X(j).job?.id!==e.id||n.model!==y.model)&&!(y.found?.id===n.id&&kc(n,y.found))&&n.sequence.length){const s=Oo(),o=y.known?.of===s?y.known:{of:s,sequence:n.sequence,places:vo(y.layers,n.sequence)};N({known:o,found:n}),y.way==="together"&&So()}}const kc=(e,t)=>t.complete||!e.complete&&e.curve.length<t.curve.length;function Ao(e){const{choice:t}=h,n=new Set(t.kind==="drop"?D():[]);return e.map(s=>{let o=0;for(let a=1;a<=s.experts;a+=1)n.has(s.name+".e"+a)||(o+=1);return Math.max(o,fe(s))})}function To(e,t){const n=At(e,t[0]/e[0].experts);return t.some((s,o)=>s!==n[o])}async function xc(){const{model:e}=y,t=await ee("GET","/jobs?kind="+j+"&limit="+pc).catch(()=>null);if(!t||y.model!==e||X(j).job||X(j).starting)return;const n=JSON.stringify(re()),s=t.items.find(({state:p,owner:f,request:g})=>["running","queued","done"].includes(p)&&f!=="another"&&g.model===e&&JSON.stringify(g.data)===n&&!g.keep&&g.points===Tt);if(!s)return;const o=s.request,{order:a,scope:i,samples:r,draws:c}=o,u=i==="all"?"together":To(y.layers,y.counts)?"own":"alike";N({order:a,way:u,samples:r,draws:c});const l=st();Object.keys(l).every(p=>JSON.stringify(l[p])===JSON.stringify(s.request[p]))&&En()}let Tn="",Rn=!1;function Oc(){const e=[Fn(j,t=>{vc(t)}),Qt(({model:t},n)=>{if(!n.has("model")&&!n.has("choice"))return;const s=t?.layers??[],o=t&&s.length?t.id:null;if(o!==y.model&&(y.model&&Le(j),Tn=JSON.stringify(re()),Rn=!0,N({model:o,layers:s,counts:Ao(s),known:null,found:null,said:""})),!o||!n.has("choice"))return;if(Rn){Rn=!1;const i=Ao(s);N({counts:i,way:To(s,i)?"own":"alike"}),xc();return}const a=JSON.stringify(re());a!==Tn&&(Tn=a,(y.found||X(j).job)&&Le(j),N({found:null}))})];return()=>{e.forEach(t=>t()),jn(j),N({model:null,layers:[],counts:[],known:null,found:null,said:""})}}const _c=[["tokens","by "+te.tokens+", observed"],["weight","by "+te.weight+", observed"],["effect","by effect, caused"],["greedy","greedy, caused"],["chance","by chance"]],Sc=[["alike","all alike"],["together","all together, by the order"],["own","each on its own"]],Mc={tokens:"Observed: experts that fewest tokens take go first. This predicts effects badly.",weight:"Observed: experts of least routing weight go first. This predicts effects badly.",effect:"Caused: each expert is dropped alone, and those that cost least go first.",greedy:"Caused: after every step all that are left are dropped in turn, and the cheapest goes.",chance:"By chance: what any other order has to beat."};function Ec(){const{order:e,layers:t,samples:n,draws:s,way:o}=y,a=uc(t,o==="together"?"all":"layer",Tt),i=xo(e,t,n),c=ko(t,e,i)+a*(1+s)+1,u=h.evaluation?.baseline?.samples_per_second,l=u?", about "+Un(c*n/u):"";return M(c)+" sets of experts on "+M(n)+" samples"+l+"."+(i>1?" Experts go "+M(i)+" at once.":"")}function Ac(){const{order:e,way:t,samples:n,draws:s,found:o,model:a}=y;if(!a)return null;const{job:i,starting:r,problem:c}=X(j),u=r||i!==null&&["queued","running"].includes(i.state),l=!!o?.complete,{read_only:d}=Se.value,p=Gn(c)&&c?.message,f=(m,b,x)=>$`<div class="control"><label class="control-name" for=${m}>${b}</label>${x}</div>`,g="small-input";return $`<div class="interventions drop-row">
      ${f("studio-order","Experts go",$`<${ce}
          id="studio-order"
          look=${g}
          options=${_c}
          chosen=${e}
          onChoose=${m=>Nt({order:m})}
        />`)}
      ${f("studio-way","Layers",$`<${ce}
          id="studio-way"
          look=${g}
          options=${Sc}
          chosen=${t}
          onChoose=${m=>Nt({way:m})}
        />`)}
      ${f("studio-samples","Samples",$`<${ce}
          id="studio-samples"
          look=${g}
          options=${Lt([32,64,128,256],n)}
          chosen=${String(n)}
          onChoose=${m=>Nt({samples:Number(m)})}
        />`)}
      ${f("studio-draws","Random sets",$`<${ce}
          id="studio-draws"
          look=${g}
          options=${Lt([0,4,8,16],s)}
          chosen=${String(s)}
          onChoose=${m=>Nt({draws:Number(m)})}
        />`)}
      ${!d&&$`<button
          type="button"
          class="button"
          id="studio-start"
          disabled=${u||l}
          onClick=${()=>En()}
        >
          ${l?"Computed":"Compute order and curves"}
        </button>`}
    </div>
    <p class="hint" id="studio-rests">
      ${Mc[e]} ${p||(l||u||d?"":Ec())}
    </p>`}function Tc(){const{model:e,found:t}=y,{job:n,starting:s,problem:o}=X(j);Se.value.read_only&&e&&!t&&!n&&!s&&!o&&ie(En)}const Ro=({name:e,label:t,value:n,least:s,most:o,at:a,onMove:i})=>$`<div class="studio-bar" data-studio-layer=${a}>
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
    <output>${M(n)+" of "+M(o)}</output>
  </div>`;function Rc(){const{layers:e,counts:t}=y;return e.map((n,s)=>{const o=qe(n.name),a="Experts that "+o+" keeps";return $`<${Ro}
      key=${n.name}
      ...${{name:o,label:a,at:s,value:t[s],least:fe(n),most:n.experts}}
      onMove=${i=>mc(s,i)}
    />`})}function Nc(){const{layers:e}=y,{stay:t,whole:n}=me(),s=e.reduce((o,a)=>o+fe(a),0);return $`<${Ro}
    ...${{name:"all",label:"Experts that all layers keep",at:-1,value:t,least:s,most:n}}
    onMove=${gc}
  />`}function Cc(){const e=Z();if(!e)return $`Compute the order to see which experts go.`;const t=e.preliminary?"Preview by "+te.weight+", as in the grid above. Compute the order for the final ranking. ":"";return $`${t}Filled cells stay, the stronger the later they would go; struck ones go.`}function Ic({row:e,expert:t}){const{layers:n,counts:s}=y,o=Z(),a=n[e],i=lt(a)[t];if(!o)return i;const r=o.places[e][t],c=r>=a.experts-s[e],u="it stays while "+(a.experts-r)+" or more of "+a.experts+" are kept";return i+(c?" stays":" goes")+": number "+(r+1)+" of its layer to go, "+u}function Bc(){const e=jt(null);return Ge(()=>{const t=e.current,n=t.querySelector("canvas");let s=1;function o(){const{layers:i,counts:r,model:c}=y,u=Z(),{stay:l,whole:d}=me(),p=t.clientWidth;!c||p<20||(s=Sn(i,p).cell,sc(n,{layers:i,counts:r,places:u?.places??null},p),n.dataset.painted=r.join(",")+(u?u.preliminary?" preliminary":" known":""),n.setAttribute("aria-label",l+" of "+d+" experts stay"+(u?"":"; who goes is not known yet")))}n.addEventListener("pointermove",i=>{const r=n.getBoundingClientRect(),c=oc(y.layers,s,i.clientX-r.left,i.clientY-r.top);n.title=c?Ic(c):""});const a=[B(o),ta(o),ja(t,o)];return()=>a.forEach(i=>i())},[]),$`<div ref=${e} class="studio-cells"><canvas role="img"></canvas></div>`}function Nn(){const{layers:e,counts:t}=y,n=Z();return[["layer","expert","goes_as","stays"],...e.flatMap((s,o)=>lt(s).map((a,i)=>{const r=n?n.places[o][i]:null;return[s.name,a,r===null?"":r+1,r===null?"":String(r>=s.experts-t[o])]}))]}function No(e){const{id:t,model:n,revision:s,order:o,scope:a,at_once:i,draws:r,seed:c,count:u,chosen_on:l}=e,d=e.data.map(g=>({name:g.name,count:g.count,stand_in:g.stand_in})),p={keep:[...y.counts],points:Tt},f={order:o,scope:a,at_once:i,draws:r,seed:c,...p};return{model:n,revision:s,data:d,samples:u,order_chosen_on:l,...f,pruning:t,kind:"caused"}}function Pc(){const{found:e,layers:t,counts:n}=y,s=Z();if(!e||!s)return null;const{stay:o,whole:a}=me(),i=M(o)+" of "+M(a)+" experts stay, "+We[e.order]+": "+e.model,r="Filled cells stay, the stronger the later they would go; hollow ones go.",c=["tokens","weight"].includes(e.order)?"observed":"caused";return{name:"pruning",title:i,caption:r,facts:{...No(e),kind:c},python:{figure:"kept-experts"},rows:Nn,json:()=>Ht(Nn()),picture:{scene:(u=640)=>ac({layers:t,counts:n,places:s.places},u,i)}}}function Dc(){const{found:e,said:t,writes:n,model:s}=y;if(!s)return null;const{stay:o,whole:a}=me(),i=o===a,r=Z()!==null,c=async(u,l)=>{const d=await u,p=(s+l).replace(/[^\w.-]+/g,"_");typeof d=="string"?Ua(d,p):d&&Fa(d,d.type,p)};return $`<div class="interventions drop-row">
      <span class="studio-total"
        >${M(o)+" of "+M(a)+" experts stay, "+se(o/a)+" %"}</span
      >
      <${z} id="studio-apply" wait=${i||!r||An()} act=${wc}>
        ${An()?"Applied to the page":"Apply to the page"}
      <//>
      <${z} id="studio-restore" wait=${i} act=${$c}>Keep all<//>
      <${z} id="studio-keep-list" wait=${!e} act=${()=>c(bc(),"-keep-list.json")}
        >Keep-list, JSON<//
      >
      <${z} id="studio-model" wait=${!e||n} act=${()=>c(yc(),"-pruned.zip")}
        >Pruned model, ZIP<//
      >
    </div>
    <p class="hint" id="studio-said" role="status" aria-live="polite" data-refused=${String(!!t)}>
      ${t||(n?"Writing the pruned model":e?"":"Compute first to download.")}
    </p>`}function Co(){const{stay:e,whole:t}=me(),n={share:t?e/t:1,experts:e,figures:new Map},{evaluation:s,fresh:o}=h;if(!s||!o||!An())return n;const{accuracy:a,change:i,done:r}=s;a&&n.figures.set("all",{figure:a,change:i&&i.accuracy,count:r});for(const c of s.by_domain){if(c.accuracy===null)continue;const u={value:c.accuracy,low:c.low,high:c.high},l=c.change===null?null:{value:c.change,low:c.change_low,high:c.change_high};n.figures.set(c.name,{figure:u,change:l,count:c.count})}return n}const Wc=[["figure","the figure"],["change","its change, paired"]];function jc(e){const{found:t}=y;return!t||!t.curve.length?null:{name:"pruning-retention",facts:No(t),python:{figure:"retention"},rows:()=>fo(t),json:()=>({pruning:t}),picture:{scene:(n=Uc)=>po(t,e,Co(),n)}}}const Uc=960;function Fc(){const e=He("figure"),{found:t}=y,n=t&&t.curve.length?t:null;return $`<${we}
    id="drop-studio-curves"
    title="Retention by data set"
    reads=${Xe.curves}
    more=${Ce.curves}
    tag="caused"
    formats=${Ie}
    written=${()=>jc(e.value)}
    hidden=${n===null}
  >
    <div class="studio-shown">
      <div class="control">
        <label class="control-name" for="studio-shown">Shown is</label>
        <${ce}
          id="studio-shown"
          look="small-input"
          options=${Wc}
          chosen=${e.value}
          onChoose=${s=>e.value=s}
        />
      </div>
    </div>
    <${Ye}
      look="studio-picture"
      widest=${1280}
      scene=${s=>{const{found:o}=y;return o&&o.curve.length?po(o,e.value,Co(),s):null}}
      drawn=${()=>y.found?.id+" "+y.found?.curve.length+" "+e.peek()}
      label=${s=>s.title+". "+s.desc}
    />
    <${Ee}
      words="Retention by data set as a table"
      data=${{"data-studio-table":"curves"}}
      caption=${()=>n?"Retention, "+We[n.order]+", "+n.model:""}
      rows=${n&&(()=>fo(n))}
    />
  <//>`}function Lc(){Ge(()=>{const o=[Oc(),B(Tc)];return()=>o.forEach(a=>a())},[]);const{model:e,found:t}=y,{stay:n,whole:s}=me();return $`<div
    class="studio-grid"
    hidden=${!e}
    data-found=${t?t.id:""}
    data-complete=${String(!!t?.complete)}
  >
    <${we}
      id="drop-studio"
      title="Pruning studio"
      reads=${Xe.studio}
      more=${Ce.studio}
      formats=${Ie}
      written=${Pc}
    >
      <div><${Ac} /></div>
      <${qn} name=${j} what="Pruning of experts" />
      <div>
        <div class="studio-whole"><${Nc} /></div>
        <div class="studio-rows" role="group" aria-label="Experts that each layer keeps">
          <div class="studio-bars"><${Rc} /></div>
          <${Bc} />
        </div>
        <p class="hint studio-legend"><${Cc} /></p>
        <${Ee}
          words="Who stays and who goes as a table"
          data=${{"data-studio-table":"kept"}}
          caption=${()=>M(n)+" of "+M(s)+" experts stay"}
          rows=${e&&Nn}
        />
      </div>
      <div><${Dc} /></div>
    <//>
    <${Fc} />
  </div>`}const qc=os.at(-1),zc=Bn("drop","samples").offered;function Gc(){const{model:e,sets:t}=h,n=re(),s=t.filter(o=>e?.held_out.includes(o.name)&&n.includes(o.name));return $`<div id="drop-caption" class="caption">
    ${e&&$`<${Ja} ...${e} />`}
    <${Ha} sets=${t} used=${n} />
    ${s.length>0&&$`<span class="tag" title="The model was never trained on it.">
        ${"out of distribution: "+s.map(o=>o.name).join(", ")}
      </span>`}
  </div>`}const ot=({id:e,name:t,hidden:n=!1,children:s})=>$`<div class="control" id=${e} hidden=${n}><span class="control-name">${t}</span>${s}</div>`;function Hc(){const{model:e,choice:t}=h,n=e?pt(e):[be.kind],s=Object.keys(Is).map(o=>[o,Is[o],n.includes(o)?"":"This model does not take it."]);return $`<${ot}
    id="drop-kind-control"
    name=${"Click "+Y(Ft()).a_unit+" to"}
    hidden=${e?.units.length===0}
  >
    <${zn}
      id="drop-kind"
      label="What is done to the units that are clicked"
      options=${s}
      chosen=${t.kind}
      onChoose=${o=>L({kind:o})}
    />
  <//>`}function Jc(){const{model:e,choice:t}=h,n=e?.layers??[],{passes:s}=Y(Ft());return n.length?$`<${ot} id="drop-top-k-control" name="Experts a token takes">
    <${Jn}
      id="drop-top-k"
      label="Number of experts that a token takes"
      chosen=${t.top_k}
      most=${Math.min(...n.map(o=>o.experts))}
      none=${[...new Set(n.map(o=>o.top_k))].join(" or ")+", as trained"}
      onChoose=${o=>L({top_k:o})}
    />
  <//>`:$`<${ot} id="drop-iterations-control" name=${s[0].toUpperCase()+s.slice(1)}>
      <${Jn}
        id="drop-iterations"
        label="Number of iterations"
        chosen=${t.iterations}
        most=${e?.most_iterations??qc}
        none="as trained"
        onChoose=${o=>L({iterations:o})}
      />
    <//>`}function Kc(){const{model:e,sets:t,choice:n}=h;return $`<div class="interventions drop-row">
    <${ot} name="Data">
      <div class="chips" role="group" aria-label="Data sets" onKeyDown=${ts}>
        <${Ka}
          sets=${t}
          used=${re()}
          attribute="data-drop-set"
          about=${s=>Ya(s,!!e?.held_out.includes(s.name))}
          onChoose=${s=>L({data:s})}
        />
      </div>
    <//>
    <${ot} name="Samples">
      <${ce}
        id="drop-samples"
        look="small-input"
        label="Number of samples"
        options=${Lt(zc,n.samples)}
        chosen=${String(n.samples)}
        onChoose=${s=>L({samples:Number(s)})}
      />
    <//>
    <${z} id="drop-reset" act=${()=>L({...be})}>Reset<//>
  </div>`}function Yc(){const{model:e,choice:t}=h,n=e?.units.length===0?[]:[ze(jr[t.kind],e),Dn(e)];return $`<p id="drop-sentence" class="drop-sentence">${n.filter(Boolean).join(" ")}</p>`}function Xc(){return $`
    <div class="page-head">
      <h1>Drop</h1>
      <${Gc} />
      <span class="pin-tool"><${qa} ...${Ws} /></span>
      <button type="button" class="tool tool-text" data-copy-link="true">${ra("link")}Copy link</button>
    </div>
    <${za} ...${Ws} />
    <${Ga}>
      <div class="drop-controls">
        <div class="interventions drop-row"><${Hc} /><${ri} /><${Jc} /></div>
        <${di} />
        <${wi} />
        <${hi} />
        <${Kc} />
        <${Yc} />
      </div>
    <//>
    <${ni} />
    <${Gr} />
    <${si} />
    <${Lc} />
    <${Fi} />
  `}function Io({pin:e,...t}){return oe.value=e??"",fs({...t,rule:""})}na("drop",({model:e,sample:t,...n})=>h.model?.id!==e?null:(oa({model:e,sample:t}),Io(n)));function Qc(e){let t=ia(location.search).model,n=e;return B(()=>{const{model:s}=Bt(),o=t??s;t=null,(n||o!==ds())&&ie(()=>nn(o,n)),n=null})}const Vc=sa({Tree:Xc,choice:()=>{const{rule:e,...t}=h.choice;return{...t,pin:oe.value||null}},take:e=>{Io(e)},open({pin:e,...t},n){const s=n.closest(".page");oe.value=e??"";const o=[ls(),wr(),Qc(t),B(()=>{Object.assign(s.dataset,{state:h.status,fresh:String(h.fresh)})}),B(()=>{s.dataset.compares=String(Qe()!==null)}),B(()=>aa(h.evaluation?.measure??null))];return()=>{o.forEach(a=>a()),ms(),La()}}});ca({drop:()=>$s});export{Vc as mount};
